// Flows: drives, cassette deck and printer by the page's own buttons.
import { readFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import { atr, check, equal, fresh, hold, inserted, ready, run, says, text, title, until, untilKept } from "./browser.mjs";

/** A ZIP file of these files. */
function zip(files) {
  const [local, directory] = [[], []];
  let at = 0;
  for (const [name, bytes] of files) {
    const packed = deflateRawSync(bytes);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt16LE(8, 4);
    header.writeUInt32LE(packed.length, 14);
    header.writeUInt32LE(bytes.length, 18);
    header.writeUInt16LE(name.length, 22);
    const entry = Buffer.concat([Buffer.from("PK\x03\x04"), header, Buffer.from(name), packed]);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\0"), header, more, Buffer.from(name)]));
    local.push(entry);
    at += entry.length;
  }
  const [first, second] = [Buffer.concat(local), Buffer.concat(directory)];
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(second.length, 12);
  end.writeUInt32LE(first.length, 16);
  return Buffer.concat([first, second, end]);
}

export default ({ flow, browser, site, at, runUntil, drop }) => {
  const app = (page, act, argument) => page.evaluate(act, argument);
  const type = (page, text) => app(page, (text) => window.anticlock.app.emulator.type_text(text), text);
  const press = (page, name) => page.getByRole("button", { name, exact: true }).click();
  const basic = async () => {
    const page = await fresh(browser, at("v=1&game=basic"));
    await hold(page);
    await runUntil(page, "READY");
    return page;
  };
  const bytes = async (page, name) => {
    const [download] = await Promise.all([page.waitForEvent("download"), press(page, name)]);
    return [download.suggestedFilename(), readFileSync(await download.path())];
  };

  flow("drives: new disks in three densities, changed, protected, taken out", async () => {
    const page = await basic();
    await page.locator("#open-drives").click();
    for (const [drive, density] of [[1, "single"], [2, "enhanced"], [8, "double"]]) {
      await page.locator("#density").selectOption(density);
      await press(page, `New in D${drive}:`);
    }
    await until("three disks", async () => (await inserted(page)) === "1 blank.atr 0 0\n2 blank.atr 0 0\n8 blank.atr 0 0");
    for (const [drive, size] of [[1, 92176], [2, 133136], [8, 183952]]) {
      const [name, file] = await bytes(page, `Save a copy of D${drive}:`);
      equal(`${name} ${file.length}`, `blank.atr ${size}`, `the disk in D${drive}:`);
    }
    await page.getByLabel("Protect D2:").check();
    await press(page, "Change D2: with D1:");
    await until("changed", async () => (await inserted(page)) === "1 blank.atr 0 1\n2 blank.atr 0 0\n8 blank.atr 0 0");
    check(await page.getByLabel("Protect D1:").isChecked(), "the notch goes with the disk");
    await press(page, "Take out of D8:");
    await until("taken out", async () => (await inserted(page)) === "1 blank.atr 0 1\n2 blank.atr 0 0");
    check(!(await page.getByRole("button", { name: "Take out of D8:" }).isVisible()), "an empty drive has nothing to take out");
    check(await page.getByRole("button", { name: "Change D1: with D1:" }).count() === 0, "D1: is not changed with itself");
    return page;
  });

  flow("drives: several disks dropped at once, in an archive and by a list", async () => {
    const page = await basic();
    const disk = (n) => atr().fill(n, 16, 16 + 3);
    const names = ["game disk 10.atr", "game disk 2.atr", "game disk 1.atr"];
    const files = names.map((name, n) => [name, disk(n)]);
    const wanted = "1 game disk 1.atr 0 0\n2 game disk 2.atr 0 0\n3 game disk 10.atr 0 0";
    await drop(page, files);
    await until("three drives", async () => (await inserted(page)) === wanted);
    equal(await title(page), "game disk 1.atr", "what was started");
    // A list has its own order.
    const list = ["list.m3u", Buffer.from("#EXTM3U\r\ngame disk 10.atr\r\nfolder/GAME DISK 1.ATR\r\n")];
    await drop(page, [...files, list]);
    await until("by the list", async () => (await inserted(page)) === "1 game disk 10.atr 0 0\n2 game disk 1.atr 0 0");
    await drop(page, "all.zip", zip(files));
    await until("the choice", async () => (await says(page)).includes("holds several programs"));
    const choice = await page.locator("#says button").allTextContents();
    equal(choice.filter((name) => name.endsWith(".atr")).join(), "game disk 1.atr,game disk 2.atr,game disk 10.atr", "as people count");
    await press(page, "All, each in a drive");
    await until("the archive's", async () => (await inserted(page)) === wanted);
    await drop(page, "list.zip", zip([...files, list]));
    await until("the archive's list", async () => (await inserted(page)) === "1 game disk 10.atr 0 0\n2 game disk 1.atr 0 0");
    // A refusal is a sentence, and nothing changes.
    await drop(page, [list]);
    await until("a sentence", async () => (await says(page)).includes("did not come with it"));
    await drop(page, Array.from({ length: 9 }, (_, n) => [`${n}.atr`, disk(n)]));
    await until("a sentence", async () => (await says(page)).includes("only eight drives"));
    equal(await inserted(page), "1 game disk 10.atr 0 0\n2 game disk 1.atr 0 0", "after what was refused");
    return page;
  });

  flow("drives: a program is recorded on tape, kept, and loaded another day", async () => {
    const page = await basic();
    await type(page, '10 ? "FROM TAPE"\\nCSAVE\\n\\n');
    await run(page, 2000);
    await until("the sentence", async () => (await says(page)).includes("no tape is in the recorder"));
    await page.locator("#open-drives").click();
    await press(page, "New in C:");
    check(await page.getByLabel("RECORD", { exact: true }).isChecked(), "a new tape is to be recorded on");
    await type(page, "CSAVE\\n\\n");
    await run(page, 2400);
    await until("the counter", async () => /block [1-9]\d* of/.test(await page.locator(".drives output").textContent()));
    const [name, tape] = await bytes(page, "Save a copy of C:");
    check(name === "blank.cas" && tape.subarray(0, 4).toString() === "FUJI", name);
    // Kept within a second, without a word: what was stored while the program was still being recorded does not count.
    await untilKept(page, "the kept tape", () => app(page, async (length) => (await window.anticlock.app.store.all("disks")).some(({ tape, drive, bytes }) => tape && drive === 0 && bytes.length === length), tape.length));
    await page.reload();
    await ready(page);
    await hold(page);
    await runUntil(page, "READY");
    await page.locator("#open-files").click();
    await press(page, /^Into C:: blank.cas/);
    await page.locator("#open-drives").click();
    equal(await page.locator(".drives output").textContent(), `block 0 of ${await app(page, () => window.anticlock.app.emulator.tape().blocks)}`, "wound to its beginning");
    check(await page.getByLabel("PLAY", { exact: true }).isChecked(), "PLAY");
    await type(page, "CLOAD\\n\\n");
    await run(page, 2400);
    await type(page, "RUN\\n");
    await runUntil(page, "FROM TAPE\n");
    await press(page, "To the end");
    await until("the end", async () => { const [at, all] = (await page.locator(".drives output").textContent()).match(/\d+/g); return at === all; });
    await press(page, "Take out of C:");
    equal(await app(page, () => window.anticlock.app.emulator.tape()), undefined, "the recorder");
    return page;
  });

  flow("drives: a cartridge goes in and comes out by a cold start", async () => {
    const page = await basic();
    await page.locator("#open-drives").click();
    await press(page, "New in D2:");
    // RTS at $A000: a cartridge that does nothing. Start and initialise there.
    const rom = Buffer.alloc(0x2000, 0x60);
    Buffer.from([0, 0xa0, 0, 4, 0, 0xa0]).copy(rom, 0x1ffa);
    const insert = async (slot) => {
      const [chooser] = await Promise.all([page.waitForEvent("filechooser"), press(page, `Insert into slot ${slot}`)]);
      await chooser.setFiles({ name: "game.rom", mimeType: "application/octet-stream", buffer: rom });
    };
    await insert(1);
    await until("the cartridge", async () => (await page.locator("#panel").textContent()).includes("game.rom, 8K, CAR type 1"));
    await run(page, 200);
    check(!(await text(page)).includes("READY"), "BASIC gives way to a cartridge");
    equal(await inserted(page), "2 blank.atr 0 0", "the drives");
    await insert(2);
    await until("a sentence", async () => (await says(page)).includes("only an 800"));
    await press(page, "Take out of slot 1");
    await runUntil(page, "READY");
    equal(await inserted(page), "2 blank.atr 0 0", "the drives");
    return page;
  });

  flow("drives: what is printed is shown, in 40 or 80 columns, and saved", async () => {
    const page = await basic();
    await page.locator("#open-drives").click();
    check(await page.getByLabel("40 columns").isChecked(), "40 columns at first");
    const paper = () => page.locator(".drives pre").textContent();
    const line = "0123456789012345678901234567890123456789ABCDE";
    await type(page, `LPRINT "${line}"\\n`);
    await run(page, 400);
    await until("the paper", async () => (await paper()) === `${line.slice(0, 40)}\n${line.slice(40)}\n`);
    await press(page, "New paper");
    await page.getByLabel("80 columns").check();
    await type(page, `LPRINT "${line}"\\n`);
    await run(page, 400);
    await until("the paper", async () => (await paper()) === `${line}\n`);
    equal((await bytes(page, "Save as text")).join(), `printed.txt,${line}\n`, "the text");
    equal((await bytes(page, "Save as it was sent (ATASCII)"))[1].toString("latin1"), `${line}\x9b`, "the bytes");
    await page.getByLabel("off", { exact: true }).check();
    await type(page, 'LPRINT "UNHEARD"\\n');
    await run(page, 400);
    equal(await paper(), `${line}\n`, "while it is off");
    // The choice is kept.
    await page.goto("about:blank");
    await page.goto(site.url);
    await ready(page);
    equal(await app(page, () => window.anticlock.app.emulator.printer()), 0, "the printer, another day");
    return page;
  });
};
