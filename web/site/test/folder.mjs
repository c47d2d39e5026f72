// Flows: the folder H: of the page gives the same results as that of the program, by the same programs: tests/programs/folder.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, equal, fresh, hold, ready, run, text, until } from "./browser.mjs";

const PROGRAMS = new URL("../../../tests/programs/folder/", import.meta.url).pathname;

/** A program of C for a device; null without cc65. */
function compiled(device, isText) {
  if (spawnSync("cl65", ["--version"]).status !== 0) return null;
  const folder = mkdtempSync(join(tmpdir(), "anticlock-c-"));
  try {
    const object = join(folder, "c.o");
    const made = join(folder, "c.xex");
    const define = [`-DDEVICE="${device}"`, ...(isText ? ["-DTEXT"] : [])];
    execFileSync("cl65", ["-t", "atari", "-O", ...define, "-c", "-o", object, join(PROGRAMS, "stdio.c")]);
    execFileSync("cl65", ["-t", "atari", "-o", made, object]);
    return readFileSync(made);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export default ({ flow, browser, site, at }) => {
  const app = (page, act, argument) => page.evaluate(act, argument);
  /** A file of H: as the browser keeps it. */
  const file = (page, name) => app(page, async (name) => {
    const found = (await window.anticlock.app.store.all("files")).find((file) => file.name === name);
    return found === undefined ? null : [...found.bytes];
  }, name);
  /** Runs until the screen shows something; the browser stores what the machine waits for in between. */
  const finish = async (page, wanted) => {
    for (let i = 0; i < 3000 && !wanted.test(await text(page)); i++) await run(page, 10);
    check(wanted.test(await text(page)), await text(page));
  };

  flow("folder: every mode of OPEN, a DOS's commands, NOTE and POINT, as on the host", async () => {
    const page = await fresh(browser, site.url);
    await hold(page);
    await app(page, (listing) => window.anticlock.app.openListing(listing), readFileSync(join(PROGRAMS, "modes.lst"), "latin1"));
    await finish(page, /ALL DONE|ERROR/);
    await until("the result", async () => (await file(page, "RESULT.TXT")) !== null);
    const result = Buffer.from(await file(page, "RESULT.TXT")).toString("latin1").replaceAll("\x9b", "\n");
    const wanted = readFileSync(join(PROGRAMS, "modes.wanted"), "latin1");
    result.split("\n").forEach((line, i) => equal(line, wanted.split("\n")[i], `line ${i + 1}`));
    equal(result, wanted, "the result");
    return page;
  });

  for (const [device, isText] of [["H:", false], ["H6:", true]]) {
    flow(`folder: cc65's library on ${device}`, async () => {
      const program = compiled(device, isText);
      const page = await fresh(browser, at("v=1&game=menu&h=1"));
      if (program === null) {
        console.error(`SKIPPED: C ON ${device} OF THE PAGE WAS NOT TESTED: there is no cl65 (apt-get install cc65)`);
        return page;
      }
      await hold(page);
      await app(page, ([bytes]) => window.anticlock.app.openFile("stdio.xex", new Uint8Array(bytes)), [[...program]]);
      await finish(page, /all good|failed/);
      check((await text(page)).includes("all good"), await text(page));
      equal((await file(page, "BYTES.DAT")).map((byte) => String.fromCharCode(byte)).join(""), "shOUT", "the file");
      return page;
    });
  }

  flow("folder: typed, saved, reloaded, changed, listed as text, edited and entered", async () => {
    const page = await fresh(browser, at("v=1&game=basic"));
    await until("READY", async () => (await text(page)).includes("READY"));
    const typed = async (keys, wanted) => {
      await page.locator("#picture").focus();
      await page.keyboard.type(keys, { delay: 60 });
      await until(wanted, async () => (await text(page)).includes(wanted));
    };
    await typed('10 PRINT "KEPT ";6*7\nSAVE "D:GAME.BAS"\n', "SAVE");
    await until("the saved program", async () => (await file(page, "GAME.BAS")) !== null);
    await page.reload();
    await ready(page);
    await until("READY", async () => (await text(page)).includes("READY"));
    // Text typed while a program loads would be lost.
    await typed('LOAD "D:GAME.BAS"\n', 'LOAD "D:GAME.BAS"\n\n  READY');
    await typed('20 PRINT "CHANGED"\nRUN\n', "KEPT 42\n  CHANGED\n");
    await typed('LIST "H6:GAME.LST"\n', "LIST");
    await until("the listing", async () => (await file(page, "GAME.LST"))?.length > 20);
    await page.locator("#open-files").click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: /^Download: GAME.LST/ }).click()]);
    const listing = readFileSync(await download.path(), "latin1");
    equal(listing, '10 PRINT "KEPT ";6*7\n20 PRINT "CHANGED"\n', "the text");
    // The file as an editor of the host writes it, under a name that no Atari file has.
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Add a file to H:…" }).click()]);
    await chooser.setFiles({ name: "my edited listing.txt", mimeType: "text/plain", buffer: Buffer.from(`${listing}30 PRINT "EDITED"\r\n`) });
    const shown = page.locator("#panel li", { hasText: "MY EDITED LISTING.TXT, as H:" });
    await shown.waitFor();
    const alias = /as H:(\S+)/.exec(await shown.textContent())[1];
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await typed(`NEW\nENTER "H6:${alias}"\n`, `ENTER "H6:${alias}"\n\n  READY`);
    await typed("RUN\n", "KEPT 42\n  CHANGED\n  EDITED\n");
    return page;
  });
};
