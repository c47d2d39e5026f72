// The page's tests in Chromium: each flow for itself, in a fresh profile. `quick` leaves out what takes long. With WEB_BROWSER=firefox in Firefox.
import { existsSync, readFileSync } from "node:fs";
import AxeBuilder from "./axe.mjs";
import * as firefox from "./firefox.mjs";
import drives from "./drives.mjs";
import doors from "./doors.mjs";
import folder from "./folder.mjs";
import inside from "./inside.mjs";
import keep from "./keep.mjs";
import keys from "./keys.mjs";
import lessons from "./lessons.mjs";
import paint from "./paint.mjs";
import projects from "./projects.mjs";
import share from "./share.mjs";
import touch from "./touch.mjs";
import {
  NATIVE, atr, begin, check, equal, fresh, hash, hold, inserted, lasting, launch, launchProfile, picture, ready, run, says, serve, text, title, until, within, xex,
} from "./browser.mjs";

/** Flows that run at the same time. */
const AT_ONCE = 3;
/** The time limit of a flow, in seconds; the longest takes 40 on two cores. */
const LIMIT = 240;
const quick = process.argv.includes("quick");
const only = process.argv.slice(2).filter((word) => word !== "quick");
const isFirefox = process.env.WEB_BROWSER === "firefox";
const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
if (!existsSync(isFirefox ? firefox.PATH : chromium)) {
  const wanted = isFirefox ? "Firefox (apt-get install firefox-esr, or set FIREFOX)" : "Chromium (apt-get install chromium, or set CHROMIUM)";
  console.error(`SKIPPED: THE PAGE WAS NOT TESTED: there is no ${wanted}`);
  process.exit(0);
}

const site = await serve({ "own/night.lst": Buffer.from("10 PRINT \"FROM THE HOST\"\n") });
const browser = await lasting(isFirefox ? firefox.launch : launch);
if (isFirefox) console.log(`Firefox ${browser.version()}`);
const flows = [];
const flow = (name, test, { long = false } = {}) => {
  const reason = isFirefox ? firefox.reason(name) : undefined;
  if (reason === undefined) flows.push({ name, test, long });
  else if (only.length === 0) console.log(`left out ${name}: ${reason}`);
};
const at = (fragment) => `${site.url}#${fragment}`;

/** Runs until the screen's text has something, with the machine held. */
async function runUntil(page, wanted, frames = 3000) {
  for (let i = 0; i < frames; i += 30) {
    if ((await text(page)).includes(wanted)) return;
    await run(page, 30);
  }
  throw new Error(`the screen never showed ${wanted}:\n${await text(page)}`);
}

flow("determinism: 1,000 frames of every built-in program", async () => {
  const page = await fresh(browser, site.url);
  await hold(page);
  const found = await page.evaluate(
    async ([names, frames]) => {
      const { app } = window.anticlock;
      await app.loadGames();
      const { emulator } = app;
      return names.map((name) => {
        // Where the user writes a program the page shares a folder, the native machine of the facts none.
        emulator.open_built_in(name, ["basic", "type-in"].includes(name) ? "h=0" : "");
        for (let i = 0; i < frames; i++) emulator.frame();
        return emulator.state_hash();
      });
    },
    [Object.keys(NATIVE.hashes), NATIVE.frames],
  );
  Object.entries(NATIVE.hashes).forEach(([name, wanted], i) => equal(found[i], wanted, name));
  for (const [path, wanted] of Object.entries(NATIVE.files)) {
    const bytes = [...readFileSync(path)];
    const one = await page.evaluate(([bytes, frames]) => {
      const { emulator } = window.anticlock.app;
      emulator.open_file("file", new Uint8Array(bytes), "");
      for (let i = 0; i < frames; i++) emulator.frame();
      return emulator.state_hash();
    }, [bytes, NATIVE.frames]);
    equal(one, wanted, path);
  }
  return page;
});

flow("menu: a game is chosen by the keyboard, and begins", async () => {
  const page = await fresh(browser, site.url);
  await until("the menu's picture", async () => new Set((await picture(page)).match(/../g)).size > 12);
  await page.waitForTimeout(1000);
  await page.locator("#picture").focus();
  await page.keyboard.press("Enter");
  await until("a game", async () => (await title(page)) !== "Menu");
  equal(await title(page), "Crazy Eights", "the first game of the menu");
  return page;
});

/** Each game of the menu: its number there, its title, keys up to the first move, the move, and when the move has been answered. */
const GAMES = [
  [1, "Crazy Eights", ["\\n", "YOU 5"], ["D", (now) => now.includes("YOU 6")]],
  [2, "Computer Gammon", ["\\n", "TYPE THE NAMES", "ATARI\\n", "GREEN  _", "\\n", "TURN 1"], ["", (now) => /TURN [3-9]/.test(now)]],
  // Some of these ranks are in the hand: the first of them is asked for, and the computer gives cards or the deck does.
  [3, "Go Fish", ["\\n", "WHAT DO YOU ASK FOR"], ["A23456789TJQK", (now) => /DECK /.test(now) && !now.includes("DECK 38")]],
  [4, "Tic-Tac-Toe", ["\\n", "ROW 1-3"], ["11", (now, before) => now.includes("X: ROW 1-3") && now.split("EFGHIJ").length > before.split("EFGHIJ").length]],
  [5, "Checkers", ["\\n", "MOVE: _"], ["C3D4\\n", (now) => /WHITE ..-..\. NOW BLACK/.test(now)]],
  [6, "FOCAL Checkers", ["\\n", "YOUR MOVE FROM-TO? _"], ["41-34\\n", (now) => /I MOVE \d+-\d+/.test(now) && now.includes("YOUR MOVE FROM-TO? _")]],
  [7, "Hexapawn", ["\\n", "YOUR MOVE"], ["74", (now, before) => /YOUR MOVE|I HAVE WON 1|YOU 1/.test(now) && now.split("\n").slice(0, 16).join() !== before.split("\n").slice(0, 16).join()]],
];

for (const [number, name, opening, [move, done]] of GAMES) {
  flow(`games: ${name}, from the menu to a finished move`, async () => {
    const page = await fresh(browser, site.url);
    await until("the menu's picture", async () => new Set((await picture(page)).match(/../g)).size > 12);
    await hold(page);
    // A key typed here is not one of the browser's, which would bring the games.
    await page.evaluate(() => window.anticlock.app.loadGames());
    await run(page, 60);
    const type = (keys) => page.evaluate((keys) => window.anticlock.app.emulator.type_text(keys), keys);
    await type(String(number));
    for (let i = 0; i < 60 && (await title(page)) === "Menu"; i++) await run(page, 20);
    equal(await title(page), name, "what the menu has started");
    await run(page, 700);
    for (let i = 0; i < opening.length; i += 2) {
      await type(opening[i]);
      await runUntil(page, opening[i + 1]);
    }
    const before = await text(page);
    await type(move);
    for (let i = 0; i < 200 && !done(await text(page), before); i++) await run(page, 30);
    check(done(await text(page), before), `no finished move:\n${await text(page)}`);
    return page;
  });
}

flow("keyboard: a line of BASIC is typed by symbol", async () => {
  const page = await fresh(browser, at("v=1&game=basic"));
  await until("READY", async () => (await text(page)).includes("READY"));
  await page.locator("#picture").focus();
  await page.keyboard.type('PRINT "A+B";6*7\n', { delay: 90 });
  await until("42", async () => (await text(page)).includes("A+B42"));
  return page;
});

flow("files: a dropped XEX runs", async () => {
  const page = await fresh(browser, site.url);
  await drop(page, "bars.xex", xex());
  await until("its title", async () => (await title(page)) === "bars.xex");
  await until("the bars' colours", async () => new Set((await picture(page)).match(/../g)).size > 20);
  return page;
});

flow("files: a disk is written, downloaded, compared, and kept", async () => {
  const page = await fresh(browser, site.url);
  await hold(page);
  // An unformatted disk does not boot: it is inserted while BASIC runs, which writes a sector by SIO.
  const program =
    '5 PRINT "INSERT":FOR W=1 TO 900:NEXT W\n10 FOR I=0 TO 127:POKE 1664+I,I:NEXT I\n20 POKE 768,49:POKE 769,1:POKE 770,80:POKE 771,128:POKE 772,128:POKE 773,6\n' +
    '30 POKE 774,15:POKE 776,128:POKE 777,0:POKE 778,100:POKE 779,0\n40 X=USR(ADR("hLYd"))\n50 PRINT "STATUS ";PEEK(771)\n';
  // PLA, JMP SIOV: as characters of a string they are 104, 76, 89, 228.
  await page.evaluate((listing) => window.anticlock.app.openListing(listing), program.replace('"hLYd"', '"hLY\u00e4"'));
  await runUntil(page, "INSERT");
  await page.evaluate((bytes) => window.anticlock.app.insert("work.atr", new Uint8Array(bytes)), [...atr()]);
  await runUntil(page, "STATUS");
  check((await text(page)).includes("STATUS 1"), await text(page));
  await page.evaluate(() => window.anticlock.app.emulator.flush());
  await run(page, 2);
  const sector = 16 + 99 * 128;
  const found = await page.evaluate(([at]) => [...window.anticlock.app.emulator.disk_bytes(1).slice(at, at + 128)], [sector]);
  equal(JSON.stringify(found), JSON.stringify([...Array(128).keys()]), "the written sector");
  await page.locator("#open-drives").click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save a copy of D1:" }).click(),
  ]);
  const file = readFileSync(await download.path());
  equal(file.subarray(sector, sector + 128).toString("hex"), Buffer.from([...Array(128).keys()]).toString("hex"), "the downloaded sector");
  await page.getByRole("button", { name: "Take out of D1:" }).click();
  equal(await inserted(page), "", "the drives");
  await page.getByRole("button", { name: "New in D3:" }).click();
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Insert into D2:" }).click()]);
  await chooser.setFiles({ name: "two.atr", mimeType: "application/octet-stream", buffer: atr() });
  await until("disks in two drives", async () =>
    (await inserted(page)) === "2 two.atr 0 0\n3 blank.atr 0 0");
  await page.getByRole("button", { name: "Take out of D3:" }).click();
  await page.getByRole("button", { name: "Take out of D3:" }).waitFor({ state: "hidden" });
  await until("the kept disk", async () => page.evaluate(async () => (await window.anticlock.app.store.all("disks")).length > 0));
  return page;
});

flow("H: is kept across reloads", async () => {
  const page = await fresh(browser, at("v=1&game=basic"));
  await hold(page);
  await runUntil(page, "READY");
  await page.evaluate(() => window.anticlock.app.emulator.type_text('10 PRINT "KEPT"\\nSAVE "H:TEST.BAS"\\n'));
  await run(page, 400);
  await until("the file", async () => {
    await run(page, 10);
    return page.evaluate(async () => (await window.anticlock.app.store.all("files")).some((file) => file.name === "TEST.BAS"));
  });
  await page.reload();
  await ready(page);
  await hold(page);
  await runUntil(page, "READY");
  await page.evaluate(() => window.anticlock.app.emulator.type_text('RUN "H:TEST.BAS"\\n'));
  await runUntil(page, "KEPT\n");
  return page;
});

flow("saves: save, reload, load; and everything out and in again", async () => {
  const page = await fresh(browser, at("v=1&game=hexapawn"));
  await hold(page);
  await run(page, 400);
  const before = await hash(page);
  await page.evaluate(() => window.anticlock.app.save("3"));
  await page.reload();
  await ready(page);
  await hold(page);
  check((await hash(page)) !== before, "the reloaded machine is the old one already");
  await page.evaluate(() => window.anticlock.app.load("3"));
  equal(await hash(page), before, "the loaded state");
  await page.locator("#open-saves").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export everything" }).click()]);
  const file = [...readFileSync(await download.path())];
  const other = await fresh(browser, at("v=1&game=hexapawn"));
  await hold(other);
  await other.locator("#open-saves").click();
  const [chooser] = await Promise.all([other.waitForEvent("filechooser"), other.getByRole("button", { name: "Import…" }).click()]);
  await chooser.setFiles({ name: "all.bin", mimeType: "application/octet-stream", buffer: Buffer.from(file) });
  await until("the import", async () => (await says(other)).includes("imported"));
  await other.evaluate(() => window.anticlock.app.load("3"));
  equal(await hash(other), before, "the imported state");
  // A damaged export changes nothing.
  const [again] = await Promise.all([other.waitForEvent("filechooser"), other.getByRole("button", { name: "Import…" }).click()]);
  await again.setFiles({ name: "all.bin", mimeType: "application/octet-stream", buffer: Buffer.from(file.slice(0, file.length / 2)) });
  await until("the refusal", async () => (await says(other)).includes("nothing was imported"));
  await other.context().close();
  return page;
});

flow("saves: by itself per program, and offered again", async () => {
  const page = await fresh(browser, at("v=1&game=hexapawn"));
  await hold(page);
  await run(page, 2000);
  const left = await hash(page);
  // The page looks every five seconds whether half a minute of the machine's time has passed.
  await until("the automatic save", async () => page.evaluate(async () => (await window.anticlock.app.store.get("states", "hexapawn auto")) !== undefined), 15000);
  await page.evaluate(() => window.anticlock.app.openBuiltIn("gammon"));
  await run(page, 700);
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await until("the save when the page is left", async () => page.evaluate(async () => (await window.anticlock.app.store.get("states", "gammon auto")) !== undefined));
  await page.goto("about:blank");
  await page.goto(at("v=1&game=hexapawn"));
  await ready(page);
  await until("the offer", async () => (await says(page)).includes("Hexapawn was left"));
  await hold(page);
  await page.getByRole("button", { name: "Go on from there" }).click();
  equal(await hash(page), left, "the machine that was left");
  await page.goto("about:blank");
  await page.goto(at("v=1&game=checkers"));
  await ready(page);
  await page.waitForTimeout(500);
  check(!(await says(page)).includes("was left"), "a program that was never used is offered nothing");
  return page;
});

flow("install: Chromium finds nothing missing, offers it, installs and starts it", async () => {
  const context = await launchProfile();
  const page = await begin(context, site.url);
  const client = await context.newCDPSession(page);
  const { installabilityErrors } = await client.send("Page.getInstallabilityErrors");
  equal(JSON.stringify(installabilityErrors), "[]", "what keeps the page from being installed");
  const { errors, manifest } = await client.send("Page.getAppManifest");
  equal(JSON.stringify(errors), "[]", "what is wrong in the manifest");
  equal(manifest.display, "kStandalone", "how it is shown");
  check(manifest.icons.length >= 4 && manifest.screenshots.length === 2 && manifest.shortcuts.length === 2, JSON.stringify(manifest));
  // Every picture that the manifest names is there and has the size that it says.
  const wrong = await page.evaluate(async () => {
    const { icons, screenshots } = await (await fetch("manifest.webmanifest")).json();
    const looked = await Promise.all([...icons, ...screenshots].filter(({ type }) => type === "image/png").map(async ({ src, sizes }) => {
      const { width, height } = await createImageBitmap(await (await fetch(src)).blob());
      return `${width}x${height}` === sizes ? "" : `${src} is ${width}x${height}, not ${sizes}`;
    }));
    return looked.filter((one) => one !== "");
  });
  equal(wrong.join("; "), "", "sizes of pictures");
  await until("the page's own button", () => page.locator("#do-install").isVisible());
  const { appId } = await client.send("Page.getAppId");
  await client.send("PWA.install", { manifestId: appId });
  const opened = context.waitForEvent("page");
  await client.send("PWA.launch", { manifestId: appId });
  await ready(await opened);
  await client.send("PWA.uninstall", { manifestId: appId });
  // The button hands on the browser's question once, and goes when it was answered.
  // In one turn: Chromium offers it again when it was taken away.
  const [asked, shown] = await page.evaluate(() => {
    let asked = 0;
    window.dispatchEvent(Object.assign(new Event("beforeinstallprompt"), { prompt: async () => { asked++; } }));
    const button = document.getElementById("do-install");
    button.click();
    return [asked, !button.hidden];
  });
  equal(asked, 1, "questions");
  check(!shown, "the button after the question");
  await page.evaluate(() => window.dispatchEvent(new Event("appinstalled")));
  await until("the sentence", async () => (await says(page)).includes("is installed"));
  return page;
});

flow("an update is offered, not forced", async () => {
  const other = await serve();
  const page = await fresh(browser, `${other.url}#v=1&game=basic`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  await page.reload();
  await ready(page);
  check(!(await says(page)).includes("new version"), "nothing is offered before there is something");
  other.replace("sw.js", Buffer.concat([readFileSync(`${process.env.SITE}/sw.js`), Buffer.from("\n// another version\n")]));
  await page.reload();
  await ready(page);
  await until("the offer", async () => (await says(page)).includes("new version"));
  check(await page.evaluate(() => navigator.serviceWorker.getRegistration().then((all) => all.waiting !== null)), "the new version waits");
  await page.evaluate(() => { window.before = true; });
  await page.getByRole("button", { name: "Use it now" }).click();
  await until("the reloaded page", async () => page.evaluate(() => window.before === undefined).catch(() => false));
  await ready(page);
  check(await page.evaluate(() => navigator.serviceWorker.getRegistration().then((all) => all.waiting === null)), "the new version is in use");
  await other.close();
  return page;
});

flow("full screen: the picture fills it, keys reach the Atari, and back", async () => {
  const page = await fresh(browser, at("v=1&game=basic"));
  await page.locator("#do-full").click();
  await until("full screen", async () => page.evaluate(() => document.fullscreenElement?.id === "stage"));
  await until("a large picture", async () => {
    const box = await page.locator("#picture").boundingBox();
    const size = await page.evaluate(() => [innerWidth, innerHeight]);
    return box !== null && (box.width > size[0] * 0.9 || box.height > size[1] * 0.8);
  });
  await until("READY", async () => (await text(page)).includes("READY"));
  await page.locator("#picture").focus();
  await page.keyboard.type("10 REM\n", { delay: 60 });
  await until("keys", async () => (await text(page)).includes("10 REM"));
  await page.keyboard.press("Alt+Enter");
  await until("the way back", async () => page.evaluate(() => document.fullscreenElement === null));
  return page;
});

flow("options: what the machine knows is offered, and starts", async () => {
  const page = await fresh(browser, at("v=1&game=basic"));
  await page.locator("#open-options").click();
  const models = await page.locator("#option-machine option").evaluateAll((all) => all.map((one) => one.value));
  equal(models.join(" "), " 400 800 1200xl 600xl 800xl 65xe 130xe xegs", "the models");
  await page.locator("#option-machine").selectOption("800");
  check(await page.locator('#option-ram option[value="128k"]').isDisabled(), "an 800 has no 128K");
  await page.locator("#option-ram").selectOption("16k");
  await page.locator("#option-tv").selectOption("pal");
  await page.getByRole("button", { name: "Start again with these" }).click();
  await until("its name", async () => (await page.locator("#title").textContent()).includes("800 PAL"));
  await until("READY", async () => (await text(page)).includes("READY"));
  await page.evaluate(() => window.anticlock.app.emulator.type_text("? FRE(0)\\n"));
  await until("its memory", async () => /\s1[0-9]{4}\b/.test(await text(page)));
  await page.goto("about:blank");
  await page.goto(site.url);
  await ready(page);
  check((await page.locator("#title").textContent()).includes("800 PAL"), "the options are kept");
  await until("the games", async () => page.evaluate(() => window.anticlock.app.loadGames().then(() => true)));
  await page.locator("#open-games").click();
  await page.getByRole("button", { name: /^Checkers/ }).click();
  await until("what a game needs", async () => (await says(page)).includes("needs"));
  return page;
});

flow("options: colours, artifacts, loudness and a palette file, at once and kept", async () => {
  const page = await fresh(browser, at("v=1&game=basic"));
  await until("READY", async () => (await text(page)).includes("READY"));
  const shown = () => page.evaluate(() => {
    const { canvas } = window.anticlock.app.screen;
    return [...canvas.getContext("2d").getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data].join();
  });
  const usual = await shown();
  await page.locator("#open-options").click();
  await page.locator("#option-hue").fill("40");
  const turned = await shown();
  check(turned !== usual, "another hue changes the picture");
  const palette = Buffer.from(Array.from({ length: 768 }, (_, i) => (i % 3 === 0 ? 200 : 10)));
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Palette file…" }).click()]);
  await chooser.setFiles({ name: "red.act", mimeType: "application/octet-stream", buffer: palette });
  await until("the file's colours", async () => (await shown()) === "200,10,10,255");
  const [again] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Palette file…" }).click()]);
  await again.setFiles({ name: "cut.act", mimeType: "application/octet-stream", buffer: palette.subarray(0, 700) });
  await until("the refusal", async () => /palette/.test(await says(page)));
  equal(await shown(), "200,10,10,255", "the colours after a bad file");
  await page.locator("#option-volume").fill("30");
  await page.locator("#option-artifacts").selectOption("pal");
  await page.waitForTimeout(300);
  await page.reload();
  await ready(page);
  await until("READY", async () => (await text(page)).includes("READY"));
  equal(await shown(), "200,10,10,255", "the colours after a reload");
  await page.locator("#open-options").click();
  equal(await page.locator("#option-volume").inputValue(), "30", "the loudness after a reload");
  await page.getByRole("button", { name: "Usual colours" }).click();
  await until("the usual colours", async () => (await shown()) === usual);
  equal(await page.locator("#option-hue").inputValue(), "0", "the usual hue");
  return page;
});

flow("mouse: paddles across the picture, with a button each", async () => {
  const page = await fresh(browser, at("v=1&game=basic"));
  await hold(page);
  await page.evaluate(() => window.anticlock.app.openListing("10 ? PADDLE(0);PTRIG(0);PADDLE(1);PTRIG(1)\n20 GOTO 10\n"));
  await run(page, 300);
  await page.locator("#picture").focus();
  await page.keyboard.press("Alt+KeyP");
  const box = await page.locator("#picture").boundingBox();
  const shows = async (wanted, what) => {
    await run(page, 200);
    check((await text(page)).split("\n").filter((line) => line.includes(wanted)).length > 5, `${what}: ${(await text(page)).slice(-200)}`);
  };
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  // On beyond the picture's corner, with the button held; let go there.
  await page.mouse.move(box.x + box.width + 20, box.y - 10);
  await shows("102281", "right, up, the left button");
  await page.mouse.up();
  await shows("112281", "the button let go");
  await page.mouse.down();
  await shows("112281", "a button beside the picture");
  await page.mouse.up();
  await page.locator("#open-options").click();
  await page.locator("#option-mouse").selectOption("off");
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await run(page, 200);
  check((await text(page)).includes("22812281"), "let go");
  return page;
});

/** Shows PENH and PENV as the OS copies them, and the lines of port 1 with its trigger. */
const POINTED = "10 ? \"<\";PEEK(564);\",\";PEEK(565);\",\";STICK(0);\",\";STRIG(0);\">\"\n20 GOTO 10\n";
const pointed = async (page) => {
  await run(page, 60);
  const all = (await text(page)).match(/<\d+,\d+,\d+,\d>/g);
  return (all?.at(-2) ?? "").slice(1, -1).split(",").map(Number);
};

flow("mouse: a light pen points where it is, is kept for the program, and is in a link", async () => {
  const page = await fresh(browser, at("v=1&game=basic"));
  await hold(page);
  await page.evaluate((listing) => window.anticlock.app.openListing(listing), POINTED);
  await run(page, 300);
  await page.locator("#open-options").click();
  await page.locator("#option-mouse").selectOption("light-pen");
  await page.getByRole("button", { name: "Close", exact: true }).click();
  const box = await page.locator("#picture").boundingBox();
  const put = (x, y) => page.mouse.move(box.x + (box.width * (x + 0.5)) / 376, box.y + (box.height * (y + 0.5)) / 240);
  await put(188, 120);
  const [h, v, stick] = await pointed(page);
  equal(v, (8 + 120) >> 1, "PENV");
  equal(stick, 15, "the switch of a pen that touches nothing");
  await put(288, 60);
  await page.mouse.down();
  equal((await pointed(page)).join(), [h + 50, (8 + 60) >> 1, 14, 1].join(), "100 pixels to the right, 60 lines up, pressed");
  await page.mouse.up();
  // A link to this moment has it all, and is short.
  const wanted = await hash(page);
  await page.locator("#open-saves").click();
  await page.getByRole("button", { name: "Link to this moment" }).click();
  const link = await page.getByRole("textbox", { name: "Link", exact: true }).inputValue();
  check(link.length < 800 && link.includes("play="), `the link: ${link.length} characters`);
  const other = await fresh(browser, link);
  await until("the moment", async () => (await hash(other)) === wanted);
  equal(await other.evaluate(() => window.anticlock.app.emulator.mouse_role()), "light-pen", "the mouse of who opens the link");
  await other.context().close();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.keyboard.press("Alt+KeyP");
  equal(await says(page), "The mouse is a light gun", "the next role");
  await page.evaluate(() => window.anticlock.app.openBuiltIn("basic"));
  equal(await page.evaluate(() => window.anticlock.app.emulator.mouse_role()), "off", "in another program");
  await page.evaluate((listing) => window.anticlock.app.openListing(listing), POINTED);
  await until("the role that was chosen for it", () => page.evaluate(() => window.anticlock.app.emulator.mouse_role() === "light-gun"));
  return page;
});

flow("mouse: an ST's mouse makes a step a line, and none when it comes back elsewhere", async () => {
  const page = await fresh(browser, at("v=1&game=basic"));
  await hold(page);
  await page.evaluate((listing) => window.anticlock.app.openListing(listing), POINTED);
  await run(page, 300);
  await page.evaluate(() => window.anticlock.app.chooseMouse("st-mouse"));
  await page.waitForFunction(() => window.anticlock.app.screen.canvas.style.touchAction === "none");
  const box = await page.locator("#picture").boundingBox();
  const line = box.height / 240;
  // Its lines, of which two change in turn with each step across, and two with each step down.
  const lines = async () => (await pointed(page))[2];
  // Below what the page says.
  const top = box.y + box.height * 0.7;
  await page.mouse.move(box.x + 50, top);
  equal(await lines(), 0, "where it came in");
  await page.mouse.move(box.x + 50 + 13.5 * line, top - 3.5 * line);
  equal(await lines(), 10, "after 13 steps to the right and 3 up");
  await page.mouse.down();
  equal((await pointed(page))[3], 0, "its button");
  await page.mouse.up();
  equal((await pointed(page))[3], 1, "its button let go");
  await page.evaluate(() => document.documentElement.dispatchEvent(new PointerEvent("pointerleave")));
  await page.mouse.move(box.x + 200, top + 20);
  equal(await lines(), 10, "back somewhere else");
  return page;
});

flow("full screen: where the browser has none, the window is filled, and back", async () => {
  const page = await fresh(browser, at("v=1&game=hexapawn"), { before: () => { delete Element.prototype.requestFullscreen; } });
  const height = () => page.evaluate(() => document.getElementById("room").clientHeight);
  const before = await height();
  const full = page.locator("#do-full");
  await full.click();
  check((await says(page)).startsWith("This browser has no full screen"), await says(page));
  check((await height()) > before + 30, `the room for the picture: ${await height()} instead of ${before}`);
  equal(await full.getAttribute("aria-pressed"), "true", "the button");
  await full.click();
  equal(await height(), before, "and back");
  return page;
});

flow("layout: all parts of the page and of a sentence are in sight at any width and at 200 %", async () => {
  const page = await fresh(browser, at("v=1&game=hexapawn"));
  await page.locator("#open-saves").click();
  await page.getByRole("button", { name: "Link to this moment" }).click();
  await page.getByRole("textbox", { name: "Link", exact: true }).waitFor();
  for (const [width, height] of [[320, 568], [390, 844], [520, 450], [640, 450], [720, 450], [844, 390], [1280, 900]]) {
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(100);
    const hidden = await page.evaluate(() => {
      const box = document.getElementById("says").getBoundingClientRect();
      const isIn = (part, { left, right, top, bottom }) => {
        const at = part.getBoundingClientRect();
        return at.left >= left - 1 && at.right <= right + 1 && at.top >= top - 1 && at.bottom <= bottom + 1;
      };
      const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
      const parts = [...document.querySelectorAll("nav button")].filter((part) => !isIn(part, screen));
      return [...parts, ...[...document.querySelectorAll("#says button")].filter((part) => !isIn(part, box) || !isIn(part, screen))].map((part) => part.textContent).join();
    });
    equal(hidden, "", `out of sight at ${width} by ${height}`);
  }
  return page;
});

flow("rewind: back to an earlier moment by the bar", async () => {
  const page = await fresh(browser, at("v=1&game=basic"));
  await hold(page);
  await run(page, 300);
  const early = await page.evaluate(() => [window.anticlock.app.emulator.moment(), window.anticlock.app.emulator.state_hash()]);
  await run(page, 600);
  check(await page.evaluate((moment) => window.anticlock.app.emulator.go_to(moment), early[0]), "the moment is out of reach");
  equal(await hash(page), early[1], "the machine of the earlier moment");
  await page.locator("#open-saves").click();
  await page.locator("#past").fill("500");
  check((await page.locator(".past output").textContent()).includes("s ago"), "the bar says when");
  return page;
});

flow("links: a moment opened in a fresh profile is the same, bit for bit", async () => {
  const page = await fresh(browser, at("v=1&game=checkers"));
  await hold(page);
  await page.evaluate(() => window.anticlock.app.openBuiltIn("checkers"));
  await run(page, 500, 16);
  await run(page, 137);
  equal(await hash(page), NATIVE.moment, "the state beside the native machine's");
  const link = await page.evaluate(() => navigator.clipboard.writeText("").then(() => null));
  check(link === null, "the clipboard works");
  await page.locator("#open-saves").click();
  await page.getByRole("button", { name: "Link to this moment" }).click();
  await until("the link", async () => (await page.evaluate(() => navigator.clipboard.readText())).includes("play="));
  const address = await page.evaluate(() => navigator.clipboard.readText());
  equal(await page.locator("#says .link").inputValue(), address, "the link in its field");
  check(address.length < 2000, `a moment's link has ${address.length} characters`);
  const other = await fresh(browser, address);
  equal(await hash(other), await hash(page), "the state");
  equal(await picture(other), await picture(page), "the picture");
  console.log(`   a moment's link has ${address.length} characters`);
  const damaged = await fresh(browser, address.replace(/play=[^&]*/, (part) => part.slice(0, part.length - 3)));
  check((await says(damaged)).includes("damaged"), `a damaged link: ${await says(damaged)}`);
  equal(await title(damaged), "Menu", "what a damaged link opens");
  const wrong = await fresh(browser, address.replace(/hash=.{16}/, "hash=0000000000000000").replace(/build=.{12}/, "build=aaaaaaaaaaaa"));
  check((await says(wrong)).includes("another build"), `a link of another build: ${await says(wrong)}`);
  for (const one of [other, damaged, wrong]) await one.context().close();
  return page;
});

flow("links: programs, options, files of the host, and what is refused", async () => {
  const page = await fresh(browser, at("v=1&game=basic&tv=pal&machine=130xe"));
  check((await page.locator("#title").textContent()).includes("130XE PAL"), "the options of a link");
  const address = await page.evaluate(async () => {
    window.anticlock.app.openListing('10 PRINT "BY LINK"\n');
    document.getElementById("open-files").click();
    return null;
  });
  equal(address, null, "nothing");
  await page.getByRole("button", { name: "Copy a link to this" }).click();
  await until("the link", async () => (await page.evaluate(() => navigator.clipboard.readText())).includes("bas="));
  const other = await fresh(browser, await page.evaluate(() => navigator.clipboard.readText()));
  await until("the program", async () => (await text(other)).includes("BY LINK"));
  await other.context().close();
  for (const [fragment, wanted] of [
    ["v=2&game=basic", "newer page"],
    ["v=1&nonsense=1", "does not know: nonsense"],
    ["v=1&game=pong", "no built-in program called"],
    ["v=1&bas=!!!!", "damaged"],
    ["v=1&game=basic&tv=secam", "cannot be"],
    ["v=1&src=https://example.org/x.xex", "own host"],
    ["v=1&src=missing.xex", "there is no file"],
  ]) {
    const bad = await fresh(browser, at(fragment));
    await until(`${fragment}: ${wanted}`, async () => (await says(bad)).includes(wanted), 5000);
    equal(await title(bad), "Menu", `what ${fragment} opens`);
    await bad.context().close();
  }
  const own = await fresh(browser, at("v=1&src=own/night.lst"));
  await until("the file", async () => (await text(own)).includes("FROM THE HOST"));
  await own.context().close();
  return page;
});

flow("program: a pasted listing runs, errors name their line, the listing comes back", async () => {
  const page = await fresh(browser, site.url);
  await page.locator("#open-program").click();
  // The listing that is shown first runs, and continues to run.
  await page.getByRole("button", { name: "Run" }).click();
  await hold(page);
  await run(page, 3000);
  check(!(await text(page)).includes("ERROR"), `the first listing: ${await text(page)}`);
  check(new Set((await picture(page)).match(/../g)).size >= 4, "stars of three colours in the sky");
  await page.evaluate(() => window.anticlock.app.loop.start());
  await page.locator("#listing").fill("10 PRINT 1\n20 POKE 1\n");
  await until("the error", async () => (await page.locator("#errors").textContent()).includes('Line 20, column 10: expected ","'));
  await page.locator("#listing").fill('10 FOR I=1 TO 3\n20 ? "PASTED ";I\n30 NEXT I\n');
  await page.getByRole("button", { name: "Run" }).click();
  await until("the program", async () => (await text(page)).includes("PASTED 3"));
  await page.locator("#listing").fill("");
  await page.getByRole("button", { name: "Take from the machine" }).click();
  equal(await page.locator("#listing").inputValue(), '10 FOR I=1 TO 3\n20 ? "PASTED ";I\n30 NEXT I\n', "the listing");
  return page;
});

flow("program: words are completed, references shown, and lines renumbered", async () => {
  const page = await fresh(browser, site.url);
  await page.locator("#open-program").click();
  const listing = page.locator("#listing");
  await listing.fill('10 COUNT=5\n20 IF COUNT>3 THEN 40\n30 GOTO 10\n40 ? "GOTO 10":ON COUNT GOSUB 10,30\n50 GOTO COUNT*10\n');
  const aid = () => page.locator(".aids").innerText().then((text) => text.replace(/\s+/g, " ").trim());
  const caret = (place) => page.evaluate((place) => {
    const area = document.getElementById("listing");
    area.focus();
    area.setSelectionRange(area.value.indexOf(place), area.value.indexOf(place));
    area.dispatchEvent(new MouseEvent("click"));
  }, place);
  await caret("10 COUNT");
  equal(await aid(), "Line 10 is reached from 30 40", "what refers to a line");
  await caret("20 IF");
  equal(await aid(), "No line refers to 20", "a line that nothing refers to");
  await caret("COUNT>3");
  equal(await aid(), "COUNT is in 10 20 40 50", "where a variable is");
  await page.locator(".aids").getByRole("button", { name: "Go to line 40" }).click();
  equal(await page.evaluate(() => { const a = document.getElementById("listing"); return a.value.slice(a.selectionStart, a.selectionEnd); }), "40", "the line that was gone to");
  // Completion by a button, and by the key.
  await page.evaluate(() => { const a = document.getElementById("listing"); a.setSelectionRange(a.value.length, a.value.length); });
  await page.keyboard.type("60 GRA");
  equal(await aid(), "GRAPHICS", "words that fit");
  await page.locator(".aids").getByRole("button", { name: "Complete GRAPHICS" }).click();
  await page.keyboard.type(" COU");
  await page.keyboard.press("Control+Space");
  check((await listing.inputValue()).endsWith("\n60 GRAPHICS COUNT"), await listing.inputValue());
  await page.getByRole("button", { name: "Renumber…" }).click();
  await page.getByRole("textbox", { name: "First line and step" }).fill("100 5");
  await page.getByRole("button", { name: "Renumber", exact: true }).click();
  equal(await listing.inputValue(), '100 COUNT=5\n105 IF COUNT>3 THEN 115\n110 GOTO 100\n115 ? "GOTO 10":ON COUNT GOSUB 100,110\n120 GOTO COUNT*10\n125 GRAPHICS COUNT', "the new numbers");
  check((await says(page)).includes("Line 120 computes where it goes"), await says(page));
  await page.getByRole("button", { name: "Undo" }).click();
  check((await listing.inputValue()).startsWith("10 COUNT"), "undone");
  return page;
});

flow("gamepad: a stub moves joystick 1", async () => {
  const page = await fresh(browser, at("v=1&game=basic"), {
    before: () => {
      const buttons = Array.from({ length: 17 }, () => ({ pressed: false, value: 0, touched: false }));
      window.stub = { connected: true, axes: [0, 0, 0, 0], buttons, id: "stub", index: 0, mapping: "standard" };
      navigator.getGamepads = () => [window.stub, null, null, null];
    },
  });
  await hold(page);
  await page.evaluate(() => window.anticlock.app.openListing("10 ? STICK(0);STRIG(0);:GOTO 10\n"));
  await run(page, 300);
  check((await text(page)).includes("151151"), "the stick at rest");
  await page.evaluate(() => {
    window.stub.axes[0] = 1;
    window.stub.buttons[0].pressed = true;
  });
  await run(page, 600);
  check((await text(page)).includes("7070"), `the stick to the right with its trigger: ${(await text(page)).slice(-200)}`);
  return page;
});

flow("touch: stick and trigger on a phone", async () => {
  const page = await fresh(browser, at("v=1&game=basic"), { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 3 });
  await page.evaluate(() => window.anticlock.app.openListing("10 ? STICK(0);STRIG(0);:GOTO 10\n"));
  await until("the program", async () => (await text(page)).includes("151151"));
  const box = await page.locator("#stick").boundingBox();
  const fire = await page.locator("#trigger").boundingBox();
  check(box !== null && fire !== null, "stick and trigger are there");
  const client = await page.context().newCDPSession(page);
  const finger = (x, y, id) => ({ x, y, id });
  const left = finger(box.x + 6, box.y + box.height / 2, 1);
  const red = finger(fire.x + fire.width / 2, fire.y + fire.height / 2, 2);
  await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [left] });
  await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [left, red] });
  await until("left with the trigger", async () => (await text(page)).includes("110110"));
  await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await until("at rest", async () => (await text(page)).trimEnd().replace(/\s/g, "").endsWith("151151") || (await text(page)).includes("151151151151"));
  await page.locator("#do-keyboard").tap();
  await page.locator('#keys [data-key="break"]').tap();
  await until("STOPPED", async () => (await text(page)).includes("STOPPED"));
  return page;
});

flow("sound: the worklet plays what the native machine would", async () => {
  const page = await fresh(browser, at("v=1&game=basic"));
  await page.locator("#picture").click();
  await until("the worklet", async () => page.evaluate(() => window.anticlock.app.sound.state.kind === "worklet" && window.anticlock.app.sound.running));
  await page.evaluate(() => window.anticlock.app.openListing("10 SOUND 0,121,10,10\n20 GOTO 20\n"));
  const played = await page.evaluate(async () => {
    const { app } = window.anticlock;
    const { context, gain } = app.sound;
    await new Promise((done) => setTimeout(done, 3000));
    const listen = new AnalyserNode(context, { fftSize: 32768 });
    gain.connect(listen);
    await new Promise((done) => setTimeout(done, 2000));
    const samples = new Float32Array(32768);
    listen.getFloatTimeDomainData(samples);
    return { samples: [...samples], rate: context.sampleRate, state: app.sound.state };
  });
  // The tone: 63,921 Hz / (2 x 122), by its zero crossings.
  const { samples, rate, state } = played;
  const loud = Math.max(...samples.map(Math.abs));
  check(loud > 0.05, `the loudest sample is ${loud}`);
  let crossings = 0;
  for (let i = 1; i < samples.length; i++) if (samples[i - 1] < 0 && samples[i] >= 0) crossings++;
  const heard = (crossings * rate) / samples.length;
  check(Math.abs(heard - 261.98) < 3, `the tone is ${heard.toFixed(2)} Hz, not 261.98`);
  console.log(`   ${heard.toFixed(2)} Hz, ${state.gaps} gaps, ${(state.queued * 1000).toFixed(0)} ms queued, ${(state.latency * 1000).toFixed(0)} ms latency`);
  return page;
});

flow("sound: a page that is busy now and then keeps more of it, and plays on", async () => {
  const page = await fresh(browser, at("v=1&game=gammon"));
  await page.locator("#picture").click();
  await until("the worklet", async () => page.evaluate(() => window.anticlock.app.sound.state.kind === "worklet" && window.anticlock.app.sound.running));
  /** The gaps while the page's thread is busy for 120 ms in each second, after `skipped` of the times. */
  const busy = (times, skipped) => page.evaluate(async ([times, skipped]) => {
    const { sound } = window.anticlock.app;
    let before = 0;
    for (let i = 0; i < times; i++) {
      if (i === skipped) before = sound.state.gaps;
      await new Promise((done) => setTimeout(done, 1000));
      for (const end = performance.now() + 120; performance.now() < end; );
    }
    await new Promise((done) => setTimeout(done, 300));
    return sound.state.gaps - before;
  }, [times, skipped]);
  // Without a longer queue each of the ten is a gap. A host that is busy itself makes some, from which the queue learns as well: three rounds.
  const found = [];
  for (let round = 0; round < 3 && !found.some((gaps) => gaps < 4); round++) found.push(await busy(14, 4));
  check(found.some((gaps) => gaps < 4), `gaps in ten seconds: ${found.join(", ")}`);
  console.log(`   gaps in ten times 120 ms: ${found.join(", ")}`);
  return page;
}, { long: true });

flow("sound: the samples are those of the native machine", async () => {
  const page = await fresh(browser, at("v=1&game=basic"));
  await hold(page);
  const found = await page.evaluate(() => {
    const { app } = window.anticlock;
    app.openListing("10 SOUND 0,121,10,10\n20 GOTO 20\n");
    app.emulator.set_rate(48000);
    for (let i = 0; i < 401; i++) app.loop.frame();
    const { emulator } = app;
    return [...new Float32Array(window.anticlock.memory(), emulator.samples_at(), emulator.samples_count())];
  });
  equal(found.length, NATIVE.sound.length, "the number of samples");
  const apart = Math.max(...found.map((sample, i) => Math.abs(sample - NATIVE.sound[i])));
  check(Math.max(...found) > 0.05 && apart < 1e-4, `the samples differ by ${apart}`);
  return page;
});

flow("pause when hidden", async () => {
  const page = await fresh(browser, at("v=1&game=basic"));
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  const before = await page.evaluate(() => window.anticlock.app.emulator.frames());
  await page.waitForTimeout(500);
  equal(await page.evaluate(() => window.anticlock.app.emulator.frames()), before, "frames while hidden");
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: false });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await until("more frames", async () => (await page.evaluate(() => window.anticlock.app.emulator.frames())) > before + 5);
  return page;
});

flow("sound: without AudioWorklet, by buffers; without any sound, by the clock", async () => {
  const page = await fresh(browser, at("v=1&game=basic"), { before: () => Object.defineProperty(AudioContext.prototype, "audioWorklet", { value: undefined }) });
  await page.locator("#picture").click();
  await until("buffers", async () => page.evaluate(() => window.anticlock.app.sound.state.kind === "buffers"));
  const silent = await fresh(browser, at("v=1&game=basic"), { before: () => { window.AudioContext = class { constructor() { throw new Error("refused"); } }; } });
  await silent.locator("#picture").click();
  await until("the sentence", async () => (await says(silent)).includes("plays no sound"));
  const before = await silent.evaluate(() => window.anticlock.app.emulator.frames());
  await silent.waitForTimeout(1000);
  check((await silent.evaluate(() => window.anticlock.app.emulator.frames())) - before > 30, "the machine goes on in silence");
  await silent.context().close();
  return page;
});

flow("storage refused: a sentence, and the machine runs", async () => {
  const page = await fresh(browser, at("v=1&game=basic"), { before: () => { IDBFactory.prototype.open = () => { throw new Error("refused"); }; } });
  await until("the sentence", async () => (await says(page)).includes("keeps nothing"));
  await hold(page);
  await page.evaluate(() => window.anticlock.app.save("1"));
  await page.evaluate(() => window.anticlock.app.load("1"));
  return page;
});

flow("storage full: a sentence, and nothing lost", async () => {
  const page = await fresh(browser, at("v=1&game=basic"), {
    before: () => {
      const put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function (...all) {
        if (window.full) throw new DOMException("full", "QuotaExceededError");
        return put.apply(this, all);
      };
    },
  });
  await hold(page);
  await runUntil(page, "READY");
  await page.evaluate(() => {
    window.full = true;
    window.anticlock.app.emulator.type_text('10 REM\\nSAVE "H:X"\\n');
  });
  for (let i = 0; i < 40; i++) await run(page, 10);
  await until("the sentence", async () => (await says(page)).includes("did not store it"));
  check((await page.evaluate(async () => (await window.anticlock.app.store.all("files")).length)) === 0, "nothing was stored");
  return page;
});

flow("bad files get one sentence, and nothing changes", async () => {
  const page = await fresh(browser, at("v=1&game=basic"));
  await hold(page);
  const before = await hash(page);
  for (const [name, bytes, wanted] of [
    ["empty.xex", [], "empty"],
    ["picture.jpg", [0x12, 0x34, 0x56], "not a program"],
    ["<img src=x onerror=alert(1)>.xex", [0xff, 0xff, 0, 0x20], "holds no segment"],
  ]) {
    await page.evaluate(([name, bytes]) => window.anticlock.app.take([new File([new Uint8Array(bytes)], name)]), [name, bytes]);
    check((await says(page)).includes(wanted), `${name}: ${await says(page)}`);
    equal(await hash(page), before, "the machine after a bad file");
  }
  await page.locator("#open-files").click();
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Open a file…" }).click()]);
  await page.evaluate(() => document.getElementById("says").replaceChildren());
  await chooser.setFiles({ name: "empty.xex", mimeType: "application/octet-stream", buffer: Buffer.alloc(0) });
  await until("the refusal", async () => (await says(page)).includes("empty"));
  await page.waitForTimeout(100);
  check(await page.locator("#panel").isVisible(), "the panel stays open after a refused file");
  return page;
});

flow("no SIMD: a sentence", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.faults = [];
  await page.addInitScript(() => { WebAssembly.validate = () => false; });
  await page.goto(site.url);
  await until("the sentence", async () => (await page.locator("#loading").textContent()).includes("no SIMD"));
  return page;
});

flow("offline after the first visit", async () => {
  const page = await fresh(browser, site.url);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  // The first visit fetches the games itself: wait until no request of it is under way.
  await page.evaluate(() => window.anticlock.app.loadGames());
  await page.context().setOffline(true);
  await page.goto(at("v=1&game=basic"));
  await page.reload();
  await ready(page);
  await until("READY", async () => (await text(page)).includes("READY"));
  // A missing file may be requested late.
  await page.waitForTimeout(3000);
  return page;
});

flow("embed.html answers messages", async () => {
  const page = await fresh(browser, site.url);
  const answers = await page.evaluate(async (base) => {
    document.body.replaceChildren();
    const frame = document.createElement("iframe");
    // The page's own policy allows no frames; a window of the same place does as well.
    frame.src = `${base}embed.html#v=1&game=basic`;
    return frame.src;
  }, site.url);
  check(answers.includes("embed.html"), "the frame's address");
  await page.evaluate(() => window.anticlock.app.putFile({ name: "SECRET.TXT", bytes: new Uint8Array([83, 155]), locked: false }));
  const host = await serve({ "host.html": Buffer.from(`<iframe id=f src="${site.url}embed.html#v=1&game=basic"></iframe>`) });
  const outer = await page.context().newPage();
  outer.faults = [];
  await outer.goto(`${host.url}host.html`);
  const got = await outer.evaluate(async () => {
    const frame = document.getElementById("f").contentWindow;
    let number = 0;
    const ask = (asked) =>
      new Promise((done) => {
        const id = ++number;
        const listen = ({ data }) => {
          if (data.id !== id) return;
          removeEventListener("message", listen);
          done(data);
        };
        addEventListener("message", listen);
        frame.postMessage({ anticlock: 1, id, ...asked }, "*");
      });
    // The frame may have said that it is there before anything listened here.
    for (let isThere = false; !isThere; ) isThere = await Promise.race([ask({ do: "state" }).then(() => true), new Promise((done) => setTimeout(done, 300, false))]);
    /** The state, when its text has something. */
    const shows = async (wanted) => {
      for (let i = 0; i < 200; i++) {
        const state = await ask({ do: "state" });
        if (state.result.text.includes(wanted)) return state;
        await new Promise((done) => setTimeout(done, 100));
      }
      throw new Error(`the frame never showed ${wanted}`);
    };
    const loaded = await ask({ do: "load", listing: '10 INPUT A$:? "GOT ";A$\n'.replace("INPUT", "DIM A$(9):INPUT ") });
    await shows("?");
    const typed = await ask({ do: "type", text: "XYZ\\n" });
    const state = await shows("GOT XYZ");
    await ask({ do: "load", listing: "10 ? PEEK(53279);STICK(0);STRIG(0);:GOTO 10\n" });
    await shows("7151");
    const pressed = await ask({ do: "press", start: true, left: true, trigger: true });
    const held = (await ask({ do: "state" })).result.text;
    const shot = await ask({ do: "screenshot" });
    const bad = await ask({ do: "explode" });
    // Another page must not reach the user's own H: through the machine.
    await ask({ do: "load", game: "basic" });
    await shows("READY");
    await ask({ do: "type", text: 'OPEN #1,4,0,"H:SECRET.TXT":? "OPEN"\\n' });
    await shows("ERROR");
    return { loaded, typed, pressed, held, text: state.result.text, bytes: state.result.bytes.length, png: shot.result.byteLength, bad };
  });
  check(got.loaded.ok && got.typed.ok, JSON.stringify(got));
  check(got.text.includes("GOT XYZ"), got.text);
  check(got.pressed.ok && got.held.includes("6110") && got.held.includes("7151"), `START, left and the trigger: ${got.held}`);
  check(got.bytes > 1000 && got.png > 100 && got.bad.ok === false, JSON.stringify(got.bad));
  // Nor does a frame open what the user left here.
  const frame = outer.frames()[1];
  await frame.goto(`${site.url}embed.html#v=1&own=your-program`);
  await until("the refusal", async () => /opens nothing that this browser has kept/.test(await frame.locator("body").textContent()));
  await host.close();
  return page;
});

flow("accessible: axe finds nothing, on every page of the panel, dark and light", async () => {
  let last = null;
  for (const colorScheme of ["dark", "light"]) {
    const page = await fresh(browser, at("v=1&game=basic"), { colorScheme });
    for (const name of ["", "games", "files", "drives", "saves", "program", "options", "help", "inside"]) {
      if (name !== "") await page.locator(`#open-${name}`).click();
      await page.waitForTimeout(name === "inside" ? 2500 : 250);
      const faults = await AxeBuilder(page);
      check(faults.length === 0, `${colorScheme} ${name}: ${JSON.stringify(faults)}`);
    }
    if (last !== null) await last.context().close();
    last = page;
  }
  await last.context().close();
  // What only screens for fingers show.
  const phone = await fresh(browser, at("v=1&game=basic"), { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: !isFirefox });
  for (const name of ["", "keyboard"]) {
    if (name !== "") await phone.locator("#do-keyboard").click();
    await phone.waitForTimeout(500);
    const faults = await AxeBuilder(phone);
    check(faults.length === 0, `phone ${name}: ${JSON.stringify(faults)}`);
  }
  return phone;
}, { long: false });

/** Drops a file, or several: pairs of a name and its bytes. */
async function drop(page, name, bytes) {
  const files = Array.isArray(name) ? name : [[name, bytes]];
  await page.evaluate(
    (files) => {
      const data = new DataTransfer();
      for (const [name, bytes] of files) data.items.add(new File([new Uint8Array(bytes)], name));
      window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    files.map(([name, bytes]) => [name, [...bytes]]),
  );
}

for (const flows of [keep, doors, drives, folder, inside, keys, lessons, paint, projects, share, touch]) flows({ flow, browser, site, at, runUntil, drop });

const chosen = flows.filter(({ name, long }) => !(quick && long) && (only.length === 0 || only.some((word) => name.includes(word))));
const begun = Date.now();
/** Flows mostly wait: several run at once. Flows that are measured by the clock or heard run by themselves, at the end. */
const alone = ({ name }) => /^(sound|pause|full screen|links)/.test(name);
const perform = async ({ name, test }) => {
  const started = Date.now();
  const said = (what, more = "") => console.log(`${what} ${name}${more}`);
  try {
    const page = await within(LIMIT, test);
    if (page.faults.length > 0) throw new Error(`faults in the page: ${page.faults.join("; ")}`);
    await within(30, () => page.context().close());
    said("ok  ", ` (${((Date.now() - started) / 1000).toFixed(1)} s)`);
    return true;
  } catch (error) {
    said("FAIL", `: ${error.message}`);
    return false;
  }
};
/** The flows that failed beside others. */
const again = [];
const queue = chosen.filter((one) => !alone(one));
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) if (!(await perform(one))) again.push(one);
  }),
);
for (const one of chosen.filter(alone)) if (!(await perform(one))) again.push(one);
// A browser depends on the host's clock: like tests of the window, a flow that fails is run once more, by itself, and named.
await within(60, () => Promise.all(browser.contexts().map((context) => context.close()))).catch(() => browser.close());
let failed = 0;
for (const one of again) {
  if (await perform(one)) console.log(`FLAKY ${one.name}`);
  else failed++;
}
await within(30, () => browser.close()).catch(() => {});
await site.close();
console.log(failed === 0 ? `all ${chosen.length} flows passed in ${((Date.now() - begun) / 1000).toFixed(0)} s` : `${failed} of ${chosen.length} flows failed`);
process.exit(failed === 0 ? 0 : 1);
