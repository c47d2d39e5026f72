// Flows of projects: several files, their history, as a ZIP file and back.
import { readFileSync } from "node:fs";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { check, equal, fresh, ready, says, text, until } from "./browser.mjs";

/** The sum of a ZIP entry, bit by bit. */
const crc = (bytes) => {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let i = 0; i < 8; i++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
};

/** The files of a ZIP file, by its directory; both headers of each have to agree with its bytes. */
function unzip(file) {
  const end = file.length - 22;
  equal(file.readUInt32LE(end), 0x06054b50, "the end of the directory");
  const found = {};
  let at = file.readUInt32LE(end + 16);
  for (let i = 0; i < file.readUInt16LE(end + 10); i++) {
    equal(file.readUInt32LE(at), 0x02014b50, "an entry");
    const [sum, packed, length, named] = [file.readUInt32LE(at + 16), file.readUInt32LE(at + 20), file.readUInt32LE(at + 24), file.readUInt16LE(at + 28)];
    const name = file.subarray(at + 46, at + 46 + named).toString();
    const local = file.readUInt32LE(at + 42);
    equal(file.readUInt32LE(local), 0x04034b50, `the header of ${name}`);
    equal(file.subarray(local + 6, local + 28).toString("hex"), file.subarray(at + 8, at + 30).toString("hex"), `what both headers of ${name} say`);
    const from = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const raw = file.subarray(from, from + packed);
    const bytes = file.readUInt16LE(at + 10) === 8 ? inflateRawSync(raw) : raw;
    equal(bytes.length, length, `the length of ${name}`);
    equal(crc(bytes), sum, `the sum of ${name}`);
    found[name] = bytes.toString();
    at += 46 + named + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  equal(at, end, "where the directory ends");
  return found;
}

/** A packed ZIP file. */
function zipped(files) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const packed = deflateRawSync(Buffer.from(text));
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(8, 4);
    about.writeUInt32LE(crc(Buffer.from(text)), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(text.length, 18);
    about.writeUInt16LE(name.length, 22);
    const where = Buffer.alloc(14);
    where.writeUInt32LE(at, 10);
    parts.push(Buffer.from("PK\x03\x04"), about, Buffer.from(name), packed);
    directory.push(Buffer.from("PK\x01\x02\x14\0"), about, where, Buffer.from(name));
    at += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(directory.length / 4, 8);
  end.writeUInt16LE(directory.length / 4, 10);
  const list = Buffer.concat(directory);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, list, end]);
}

export default ({ flow, browser, site, at }) => {
  const listing = (page) => page.locator("#listing");
  const file = (page, name) => page.getByRole("group", { name: "Files of the project" }).getByRole("button", { name, exact: true });
  const say = async (page, field, value) => {
    await page.getByRole("textbox", { name: field }).fill(value);
    await page.keyboard.press("Enter");
  };
  const fill = async (page, value) => {
    await listing(page).fill(value);
    // Stored a moment after the last key.
    await page.waitForTimeout(450);
  };

  flow("projects: several files, run together from H:, kept, with their history", async () => {
    const page = await fresh(browser, at("v=1&game=basic"));
    await page.locator("#open-program").click();
    await listing(page).waitFor();
    await fill(page, '10 ? "MY OWN"\n');
    await page.getByRole("button", { name: "New project" }).click();
    await say(page, "Name of the project", "Stars/1");
    await until("the project", async () => (await listing(page).inputValue()) === "10 REM STARS 1\n");
    await fill(page, '10 OPEN #1,4,0,"H:DATA.TXT"\n20 INPUT #1,A$:CLOSE #1\n5 DIM A$(40)\n30 ? "READ ";A$\n40 ENTER "H:PART.LST"\n');
    await page.getByRole("button", { name: "+ File" }).click();
    await say(page, "Name of the file, as on H:", "data.txt");
    await until("the file", async () => (await file(page, "DATA.TXT").getAttribute("aria-pressed")) === "true");
    await fill(page, "NO LISTING \u2665\n");
    equal(await page.locator("#errors li").count(), 0, "errors in a file that is no listing");
    await page.getByRole("button", { name: "+ File" }).click();
    await say(page, "Name of the file, as on H:", "much too long.txt");
    await until("the refusal", async () => (await says(page)).includes("is not a name for a file"));
    await page.getByRole("button", { name: "+ File" }).click();
    await say(page, "Name of the file, as on H:", "OTHER.LST");
    await until("the file", async () => (await listing(page).inputValue()) === "");
    await page.getByRole("button", { name: "Rename" }).click();
    await say(page, "New name of the file", "PART.LST");
    await until("its new name", async () => (await file(page, "PART.LST").count()) === 1 && (await file(page, "OTHER.LST").count()) === 0);
    await fill(page, '50 ? "ENTERED"\n');
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await until("both files", async () => (await text(page)).includes("READ NO LISTING"));
    await until("the part", async () => (await text(page)).includes("READY"));
    await page.evaluate(() => window.anticlock.app.emulator.type_text("LIST 50\n"));
    await until("the entered line", async () => (await text(page)).includes('50 PRINT "ENTERED"') || (await text(page)).includes('50 ? "ENTERED"'));
    // Another run of the page: everything is there, and the own listing is apart.
    await page.reload();
    await ready(page);
    await page.locator("#open-program").click();
    await until("the own listing", async () => (await listing(page).inputValue()) === '10 ? "MY OWN"\n');
    await page.getByRole("combobox", { name: "Project" }).selectOption("Stars 1");
    await until("the main file", async () => (await listing(page).inputValue()).includes("H:PART.LST"));
    await file(page, "PART.LST").click();
    await until("the part", async () => (await listing(page).inputValue()) === '50 ? "ENTERED"\n');
    await fill(page, '50 ? "CHANGED"\n');
    await page.getByRole("button", { name: "History" }).click();
    await page.getByRole("list", { name: "Earlier versions of this file" }).getByRole("button").first().click();
    await until("the earlier version", async () => (await listing(page).inputValue()) === '50 ? "ENTERED"\n');
    // Deleted files are brought back from the history of all files.
    await page.getByRole("button", { name: "Delete project" }).click();
    await page.getByRole("button", { name: "Delete it" }).click();
    await until("the own listing", async () => (await listing(page).inputValue()) === '10 ? "MY OWN"\n');
    await until("one project that is left", async () => (await page.getByRole("combobox", { name: "Project" }).locator("option").count()) === 1);
    await page.locator("#open-files").click();
    await page.getByText("Earlier versions", { exact: true }).click();
    await page.getByText("Stars 1, PART.LST").first().waitFor();
    return page;
  });

  flow("projects: as a ZIP file, and back", async () => {
    const page = await fresh(browser, at("v=1&game=basic"));
    await page.locator("#open-program").click();
    await page.getByRole("button", { name: "New project" }).click();
    await say(page, "Name of the project", "Moon");
    await until("the project", async () => (await listing(page).inputValue()) === "10 REM MOON\n");
    await fill(page, '10 ? "\u2665 MOON"\n');
    await page.getByRole("button", { name: "+ File" }).click();
    await say(page, "Name of the file, as on H:", "A.TXT");
    await until("the file", async () => (await listing(page).inputValue()) === "");
    await fill(page, "one\ntwo\n");
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export ZIP" }).click()]);
    equal(download.suggestedFilename(), "Moon.zip", "the file's name");
    const exported = readFileSync(await download.path());
    equal(JSON.stringify(unzip(exported)), JSON.stringify({ "A.TXT": "one\ntwo\n", "MAIN.BAS": '10 ? "\u2665 MOON"\n' }), "what is in it");
    const take = async (page, bytes, name = "Moon.zip") => {
      const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Import ZIP…" }).click()]);
      await chooser.setFiles({ name, mimeType: "application/zip", buffer: bytes });
    };
    const other = await fresh(browser, at("v=1&game=basic"));
    await other.locator("#open-program").click();
    await take(other, exported);
    await until("the project", async () => (await listing(other).inputValue()) === '10 ? "♥ MOON"\n');
    await file(other, "A.TXT").click();
    await until("its file", async () => (await listing(other).inputValue()) === "one\ntwo\n");
    // Once more: nothing is replaced. A packed one, with folders, of another program.
    await take(other, exported);
    await until("another project", async () => (await other.getByRole("combobox", { name: "Project" }).inputValue()) === "Moon 2");
    const packed = zipped({ "src/prog.lst": "10 PRINT 1\r\n".repeat(50), "src/x.txt": "y" });
    equal(unzip(packed)["src/x.txt"], "y", "the packed file");
    await take(other, packed, "packed.zip");
    await until("its program", async () => (await listing(other).inputValue()).startsWith("10 PRINT 1\n10 PRINT 1\n"));
    for (const [bytes, sentence] of [[exported.subarray(0, 60), "damaged"], [Buffer.from("no zip"), "damaged"]]) {
      await take(other, bytes, "bad.zip");
      await until(sentence, async () => (await says(other)).includes(sentence));
    }
    await other.context().close();
    return page;
  });

  flow("projects: in assembly, with errors at their lines, breakpoints at lines, and a link", async () => {
    const page = await fresh(browser, at("v=1&game=basic"));
    const main = "start:  lda #$46\n        sta COLOR4\n        .include \"loop.s\"\n";
    const loop = "; counts\nloop:   inc $0700\n        jmp loop\n";
    const peek = (address) => page.evaluate((address) => window.anticlock.app.emulator.peek(address, 1)[0], address);
    await page.locator("#open-program").click();
    await page.getByRole("button", { name: "New in assembly" }).click();
    await say(page, "Name of the project", "Bands");
    await until("the project", async () => (await listing(page).inputValue()).includes("adc clock"));
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await until("the first program", async () => (await page.evaluate(() => window.anticlock.app.emulator.title())) === "MAIN.XEX");
    await page.getByRole("button", { name: "+ File" }).click();
    await say(page, "Name of the file, as on H:", "loop.s");
    await until("the file", async () => (await listing(page).inputValue()) === "");
    await fill(page, loop.replace("inc", "incr"));
    await file(page, "MAIN.S").click();
    await until("the main file", async () => (await listing(page).inputValue()).includes("adc clock"));
    await fill(page, main);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await until("the file with the error", async () => (await listing(page).inputValue()).includes("incr"));
    const error = page.locator("#errors button");
    await until("the error", async () => (await error.count()) === 1 && (await error.textContent()) === 'Line 2: there is no instruction "INCR"');
    await error.click();
    equal(await listing(page).evaluate((field) => field.selectionStart), loop.indexOf("loop:"), "where the error is");
    await fill(page, loop);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await until("the program", async () => (await peek(0x2c8)) === 0x46);
    const before = await peek(0x700);
    await until("its loop", async () => (await peek(0x700)) !== before);
    // Inside shows the file that runs; a click on a line stops there, also the running page.
    await page.locator("#open-inside").click();
    const row = page.getByRole("group", { name: "Source" }).getByRole("button", { name: "jmp loop" });
    await row.click();
    await page.locator(".inside button.main").click();
    await until("the stop", async () => (await page.evaluate(() => window.anticlock.app.loop.paused)) && (await page.locator("body.looking").count()) === 1);
    await until("the line", async () => (await row.getAttribute("aria-current")) === "true");
    equal(await page.evaluate(() => window.anticlock.app.emulator.pc()), 0x2008, "where it stops");
    await page.getByRole("button", { name: "Source lines" }).click();
    await page.getByRole("group", { name: "Disassembly" }).getByRole("button", { name: "JMP loop" }).waitFor();
    // The link has the source: it is assembled where it is opened, by somebody else.
    await page.locator("#open-program").click();
    await page.getByRole("button", { name: "Copy a link" }).click();
    const field = page.getByRole("textbox", { name: "Link", exact: true });
    await until("the link", async () => (await field.count()) === 1 && (await field.inputValue()).includes("asm="));
    const link = await field.inputValue();
    check(link.length < 300, `a link of ${link.length} characters`);
    const other = await fresh(browser, link);
    await until("the program of the link", async () => (await other.evaluate(() => window.anticlock.app.emulator.peek(0x2c8, 1)[0])) === 0x46);
    await other.locator("#open-program").click();
    await until("its source", async () => (await listing(other).inputValue()) === main.replace('        .include "loop.s"\n', loop));
    await other.getByRole("button", { name: "Keep as mine" }).click();
    await until("a project of one's own", async () => (await other.getByRole("combobox", { name: "Project" }).inputValue()) === "From a link");
    await other.context().close();
    return page;
  });
};
