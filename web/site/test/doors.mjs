// Flows: what others send can be looked at, and does no harm.
import { check, equal, fresh, hash, hold, run, says, text, title, until } from "./browser.mjs";

/** A moment's recording with another end: its last section says how many cycles there are, and a sum follows. */
function claiming(bytes, cycles) {
  const file = Buffer.from(bytes);
  const at = file.lastIndexOf("TAIL");
  const head = file.subarray(0, at + 4);
  // 253 and eight bytes, as the codec writes large numbers.
  const number = Buffer.alloc(9, 253);
  number.writeBigUInt64LE(cycles, 1);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(number.length);
  const body = Buffer.concat([head, length, length, number]);
  let sum = 0xffffffff;
  for (const byte of body) {
    sum ^= byte;
    for (let i = 0; i < 8; i++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  const end = Buffer.alloc(4);
  end.writeUInt32LE((sum ^ 0xffffffff) >>> 0);
  return Buffer.concat([body, end]);
}

export default ({ flow, browser, site, at }) => {
  /** A moment of BASIC as a recording. */
  const moment = async (page) => {
    await hold(page);
    await run(page, 300);
    return page.evaluate(() => [[...window.anticlock.app.emulator.save_moment(0)], window.anticlock.app.emulator.state_hash()]);
  };
  const fragment = (page, bytes) =>
    page.evaluate(async (bytes) => {
      const packed = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
      const short = new Uint8Array(await new Response(packed).arrayBuffer());
      return btoa(String.fromCharCode(...short)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    }, [...bytes]);

  flow("doors: a moment that claims years is refused at once (freeze-link)", async () => {
    const page = await fresh(browser, at("v=1&game=basic"));
    const [bytes] = await moment(page);
    for (const [cycles, wanted] of [[1n << 51n, /damaged|minutes/], [40n * 60n * 1789773n, /damaged|40 minutes/]]) {
      const begun = Date.now();
      const other = await fresh(browser, at(`v=1&moment=${await fragment(page, claiming(bytes, cycles))}`));
      check(wanted.test(await says(other)), `${cycles}: ${await says(other)}`);
      equal(await title(other), "Menu", "what it opens");
      check(Date.now() - begun < 20000, "it takes long");
      await other.context().close();
    }
    return page;
  });

  flow("doors: a long moment shows its progress and can be stopped; a bad link leaves the machine alone", async () => {
    const page = await fresh(browser, at("v=1&game=basic"));
    await moment(page);
    // 50,000 frames in which nothing is done, as the codec writes them: fourteen minutes.
    const long = await fragment(page, [251, 0x50, 0xc3, 0, 0, 0, 0]);
    const before = await hash(page);
    await page.evaluate((long) => { location.hash = `v=1&game=basic&hash=0000000000000000&play=${long}`; }, long);
    await until("the progress", async () => /Running to the moment of this link: \d+ %/.test(await says(page)), 20000);
    await page.getByRole("button", { name: "Stop" }).click();
    await until("the sentence", async () => (await says(page)).includes("was stopped"));
    equal(await hash(page), before, "the machine");
    await page.evaluate(() => { location.hash = "v=1&bas=!!!!"; });
    await until("the refusal", async () => (await says(page)).includes("damaged"));
    equal(await hash(page), before, "the machine after a bad link");
    check((await text(page)).includes("READY"), await text(page));
    return page;
  });

  flow("doors: a link on its way gives way to the next one, and to what the user chooses", async () => {
    const page = await fresh(browser, at("v=1&game=basic"));
    await moment(page);
    const long = await fragment(page, [251, 0x50, 0xc3, 0, 0, 0, 0]);
    const isTold = () => page.getByText("Running to the moment").isVisible();
    const begin = async () => {
      await page.evaluate((long) => { location.hash = `v=1&game=basic&hash=0000000000000000&play=${long}`; }, long);
      await until("the progress", async () => /Running to the moment of this link: \d+ %/.test(await says(page)), 20000);
    };
    await begin();
    // Another sentence takes its place, and the button to stop it is there again.
    await page.evaluate(() => window.anticlock.app.commands["slot-up"]());
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await page.evaluate(() => { location.hash = "v=1&game=hexapawn"; });
    await until("the other link", async () => (await page.evaluate(() => window.anticlock.app.emulator.title())) === "Hexapawn");
    await page.waitForTimeout(500);
    check(!(await isTold()) && !(await page.locator("#title").textContent()).includes("from a link"), "the first link is gone");
    await begin();
    await page.locator("#open-games").click();
    await page.getByRole("button", { name: /^Checkers/ }).click();
    await until("the game", async () => (await page.evaluate(() => window.anticlock.app.emulator.title())) === "Checkers");
    await until("its address", async () => (await page.evaluate(() => location.hash)) === "#v=1&game=checkers");
    check(!(await isTold()), await says(page));
    return page;
  });

  flow("doors: links whose parts do not go together are refused with a sentence", async () => {
    const page = await fresh(browser, at("v=1&game=basic"));
    await moment(page);
    const before = await hash(page);
    for (const [link, sentence] of [
      ["game=basic&bas=AAAA", "names two programs, by game and by bas"],
      ["game=hexapawn&x=5&y=5", "names a pixel, and no moment"],
      ["moment=AAAA&x=376&y=0", "a pixel that is not in the picture"],
      ["moment=AAAA&x=7", "a pixel that is not in the picture"],
      ["moment=AAAA&x=1e2&y=NaN", "a pixel that is not in the picture"],
      ["src=http://[", "must be on the page's own host"],
      ["src=own/%25E0%25A4%25A", "there is no file"],
    ]) {
      await page.evaluate((link) => { location.hash = `v=1&${link}`; }, link);
      await until(sentence, async () => (await says(page)).includes(sentence), 10000);
      equal(await hash(page), before, link);
    }
    return page;
  });
};
