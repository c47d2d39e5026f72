// Flows of what a link can become, of the address, and of the machine in other people's pages.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import jsqr from "jsqr";
import { check, equal, fresh, hash, hold, ready, run, says, serve, text, title, until } from "./browser.mjs";

export default ({ flow, browser, site, at, runUntil, drop }) => {
  /** Decodes a canvas, or a PNG file, as a camera would. */
  const decode = async (page, from) => {
    const { data, width, height } = await page.evaluate(async (bytes) => {
      let source = document.querySelector("dialog .qr");
      if (bytes !== null) {
        const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
        source = new OffscreenCanvas(image.width, image.height);
        source.getContext("2d").drawImage(image, 0, 0);
      }
      const all = source.getContext("2d").getImageData(0, 0, source.width, source.height);
      return { data: [...all.data], width: source.width, height: source.height };
    }, from);
    return jsqr(Uint8ClampedArray.from(data), width, height)?.data;
  };

  flow("share: QR code, code for a page, and a picture that opens when it is dropped", async () => {
    const page = await fresh(browser, at("v=1&game=checkers"));
    await hold(page);
    await run(page, 700);
    await page.locator("#open-saves").click();
    await page.getByRole("button", { name: "Link to this moment" }).click();
    await page.getByRole("button", { name: "QR, embed, picture…" }).click();
    const link = await page.getByRole("textbox", { name: "Link", exact: true }).inputValue();
    check(link.length <= 2000 && link.includes("play="), `the link: ${link.length} characters`);
    equal(await decode(page, null), link, "the QR code");
    const code = await page.getByRole("textbox", { name: "Code for your page" }).inputValue();
    const source = /src="([^"]*)"/.exec(code)[1].replaceAll("&amp;", "&");
    equal(source.replace("embed.html", ""), link, "the address in the code for a page");
    await page.getByRole("button", { name: "Copy code for your page" }).click();
    await until("the code in the clipboard", async () => (await page.evaluate(() => navigator.clipboard.readText())) === code);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download the picture" }).click()]);
    const png = readFileSync(await download.path());
    equal(await decode(page, [...png]), link, "the QR code in the picture");
    await page.keyboard.press("Escape");
    check((await page.locator("dialog").count()) === 0, "Escape closes it");
    const wanted = await hash(page);
    const other = await fresh(browser, site.url);
    await drop(other, "anticlock-link.png", png);
    await until("the moment", async () => (await hash(other)) === wanted);
    // One damaged byte in the link: nothing is opened.
    const bad = Buffer.from(png);
    bad[bad.indexOf("play=") + 20] ^= 1;
    await drop(other, "bad.png", bad);
    await until("the refusal", async () => (await says(other)).includes("has no link in it"));
    equal(await hash(other), wanted, "the machine after a bad picture");
    // A chunk that says it is longer than the file.
    await drop(other, "cut.png", png.subarray(0, 100));
    await until("the refusal", async () => (await says(other)).includes("has no link in it"));
    await other.context().close();
    return page;
  });

  flow("address: it names what one sees; back, forward and reload", async () => {
    const page = await fresh(browser, site.url);
    const fragment = () => page.evaluate(() => location.hash);
    equal(await fragment(), "", "the menu's address");
    await page.locator("#open-games").click();
    await page.getByRole("button", { name: /^Hexapawn/ }).click();
    await until("the game's address", async () => (await fragment()) === "#v=1&game=hexapawn");
    await page.locator("#open-program").click();
    await page.locator("#listing").fill('10 ? "MINE ";6*7\n');
    await page.getByRole("button", { name: "Run" }).click();
    await until("the listing's address", async () => (await fragment()).startsWith("#v=1&bas="));
    await until("its text", async () => (await text(page)).includes("MINE 42"));
    await page.goBack();
    await until("the game", async () => (await title(page)) === "Hexapawn");
    equal(await fragment(), "#v=1&game=hexapawn", "the address after Back");
    await page.goForward();
    await until("the listing", async () => (await text(page)).includes("MINE 42"));
    check(!(await page.locator("#title").textContent()).includes("from a link"), "one's own listing is no guest after Forward");
    await page.reload();
    await ready(page);
    await until("the listing", async () => (await text(page)).includes("MINE 42"));
    check(!(await page.locator("#title").textContent()).includes("from a link"), "one's own listing is no guest after a reload");
    // The same address without the page's note came from another user.
    const other = await fresh(browser, page.url());
    check((await other.locator("#title").textContent()).includes("from a link"), "for others it is a guest");
    await other.context().close();
    return page;
  });

  flow("address: a long file of one's own goes on after a reload; the first screen offers it", async () => {
    const page = await fresh(browser, site.url);
    await hold(page);
    // Noise does not become shorter: too long for an address.
    const noise = Buffer.alloc(40 << 10);
    for (let i = 0, n = 1; i < noise.length; i++) {
      n = (Math.imul(n, 1103515245) + 12345) >>> 0;
      noise[i] = n >>> 16;
    }
    const code = Buffer.from([0xad, 0x0b, 0xd4, 0x8d, 0x1a, 0xd0, 0x4c, 0x00, 0x06]);
    const block = (from, bytes) => Buffer.concat([Buffer.from([from & 255, from >> 8, (from + bytes.length - 1) & 255, (from + bytes.length - 1) >> 8]), bytes]);
    const file = Buffer.concat([Buffer.from([0xff, 0xff]), block(0x600, code), block(0x1000, noise.subarray(0, 0x8000)), block(0x1000, noise.subarray(0x8000)), block(0x2e0, Buffer.from([0, 6]))]);
    await drop(page, "long.xex", file);
    await until("its address", async () => (await page.evaluate(() => location.hash)).startsWith("#v=1&own="));
    await run(page, 1500);
    await page.evaluate(() => window.anticlock.app.automatic(true));
    await page.evaluate(() => window.anticlock.app.loop.start());
    await page.reload();
    await ready(page);
    await until("its title", async () => (await page.locator("#title").textContent()).includes("long"));
    await page.goto("about:blank");
    await page.goto(site.url);
    await ready(page);
    await until("the offer", async () => (await says(page)).includes("was left"));
    await page.getByRole("button", { name: "Go on from there" }).click();
    await until("its title", async () => (await page.locator("#title").textContent()).includes("long"));
    const bytes = await page.evaluate(() => [...window.anticlock.app.emulator.peek(0x600, 3)].join());
    equal(bytes, "173,11,212", "its code");
    await page.goto("about:blank");
    await page.goto(at("v=1&own=0123456789abcdef01234567"));
    await ready(page);
    await until("the sentence", async () => (await says(page)).includes("kept nothing of the file"));
    return page;
  });

  flow("games: they load with the first key, and the menu waits for them", async () => {
    const context = await browser.newContext({ serviceWorkers: "block" });
    const page = await context.newPage();
    page.faults = [];
    const loaded = [];
    page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
    let let_go = () => {};
    const gate = new Promise((done) => (let_go = done));
    await page.route("**/games.bin", async (route) => {
      await gate;
      await route.continue();
    });
    await page.goto(site.url);
    await ready(page);
    await page.waitForTimeout(1500);
    check(!loaded.includes("/games.bin"), "the games were loaded before anything was done");
    await page.locator("#picture").focus();
    await page.keyboard.press("Enter");
    await until("the request", async () => loaded.includes("/games.bin"));
    await page.waitForTimeout(1000);
    equal(await title(page), "Menu", "what waits");
    let_go();
    await until("the game", async () => (await title(page)) === "Crazy Eights");
    return page;
  });

  flow("rest: nothing of it before the first key; a function that is called before waits, and says when it cannot be had", async () => {
    const context = await browser.newContext({ serviceWorkers: "block" });
    const page = await context.newPage();
    page.faults = [];
    const loaded = [];
    page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
    const open = () => page.evaluate(() => {
      try {
        window.anticlock.app.openListing('10 PRINT "SE";"VEN"\n20 GOTO 20\n');
        return "";
      } catch (error) {
        return String(error);
      }
    });
    await page.route("**/rest.wasm", (route) => route.abort());
    await page.goto(site.url);
    await ready(page);
    await page.waitForTimeout(1500);
    check(!loaded.includes("/rest.wasm"), "the rest was loaded before anything was done");
    check((await open()).includes("a part of the program could not be loaded"), "what is said without a network");
    await page.unroute("**/rest.wasm");
    await page.reload();
    await ready(page);
    equal(await open(), "", "what is said");
    await until("the listing", async () => (await text(page)).includes("SEVEN"));
    return page;
  });

  flow("embed: the element, its events, memory, cause, and the keyboard only when asked", async () => {
    const host = await serve({ "host.html": Buffer.from('<!doctype html><html lang="en"><title>x</title><input id="i" autofocus><script type="module" src="anticlock.js"></script><anticlock-atari id="a" game="basic"></anticlock-atari></html>') });
    const context = await browser.newContext();
    const page = await context.newPage();
    page.faults = [];
    page.on("pageerror", (error) => page.faults.push(String(error)));
    await page.goto(`${host.url}host.html`);
    const found = await page.evaluate(async () => {
      const element = document.getElementById("a");
      await customElements.whenDefined("anticlock-atari");
      const { machine } = element;
      await machine.ready;
      const active = document.activeElement?.id;
      const seen = { frame: 0, program: [] };
      const frames = new Promise((done) => machine.on("frame", () => ++seen.frame === 20 && done()));
      machine.on("program", ({ title }) => seen.program.push(title));
      const said = new Promise((done) => machine.on("text", ({ text }) => text.includes("EVENT 7") && done(text)));
      const loaded = await machine.load({ listing: '10 POKE 1536,77:? "EVENT ";3+4\n20 GOTO 20\n' });
      await Promise.race([said, new Promise((_, failed) => setTimeout(() => failed(new Error("no text event")), 30000))]);
      await Promise.race([frames, new Promise((_, failed) => setTimeout(() => failed(new Error("no frame events")), 30000))]);
      const read = await machine.peek(1536, 2);
      await machine.poke(1537, 99);
      const after = await machine.peek(1537);
      await machine.poke(710, 0x44);
      const why = await machine.why(180, 120);
      await machine.pause();
      const one = (await machine.state()).frames;
      await new Promise((done) => setTimeout(done, 300));
      const two = (await machine.state()).frames;
      await machine.resume();
      await machine.volume(20);
      await machine.load({ listing: "10 ? STICK(0);STRIG(0);:GOTO 10\n" });
      await machine.stick(4 + 16);
      let held = "";
      for (let i = 0; i < 100 && !held.includes("110110"); i++) {
        await new Promise((done) => setTimeout(done, 100));
        held = (await machine.state()).text;
      }
      await machine.stick(0);
      const refused = await Promise.all([["peek", { address: 70000 }], ["poke", { address: 1, value: 300 }], ["why", { x: 900, y: 0 }], ["listen", { events: ["all"] }], ["stick", { bits: 32 }]]
        .map(([what, fields]) => machine.ask(what, fields).then(() => "taken", (error) => error.message)));
      await machine.focusMachine();
      const size = [element.clientWidth, element.clientHeight];
      return { active, after, held, loaded, read, why, one, two, refused, seen, size, focused: document.activeElement?.tagName };
    });
    equal(found.active, "i", "who has the keyboard at first");
    equal(found.read[0], 77, "what was peeked");
    equal(found.after[0], 99, "what was poked");
    check(found.why.includes("COLPF2") || /colou?r/i.test(found.why), `the cause: ${found.why}`);
    equal(found.one, found.two, "frames while it is paused");
    check(found.held.includes("110110"), `left and the trigger: ${found.held}`);
    check(found.refused.every((answer) => answer.includes("wants")), found.refused.join("; "));
    check(found.seen.frame >= 20 && found.seen.program.length > 0, JSON.stringify(found.seen));
    equal(found.size.join(), "640,480", "the element's size");
    equal(found.focused, "IFRAME", "who has the keyboard when asked");
    const types = readFileSync(`${process.env.SITE}/anticlock.d.ts`, "utf8");
    check(types.includes("peek(address: number, count?: number): Promise<number[]>"), "the types");
    await host.close();
    return page;
  });

  flow("embed: the package for npm, breakpoints and events", async () => {
    // As its user has it: packed, unpacked, served from a folder of the user's own.
    const folder = mkdtempSync(join(tmpdir(), "anticlock-package-"));
    const files = {};
    try {
      execFileSync("npm", ["pack", "--silent", "--offline", "--pack-destination", folder], { cwd: process.env.SITE });
      const [packed] = readdirSync(folder);
      check(/^anticlock-\d+\.\d+\.\d+\.tgz$/.test(packed), packed);
      execFileSync("tar", ["-xzf", packed], { cwd: folder });
      for (const name of readdirSync(join(folder, "package"))) files[`node_modules/anticlock/${name}`] = readFileSync(join(folder, "package", name));
    } finally {
      rmSync(folder, { recursive: true });
    }
    const about = JSON.parse(files["node_modules/anticlock/package.json"].toString());
    for (const name of [about.exports["."].default, about.exports["."].types]) check(files[`node_modules/anticlock/${name.slice(2)}`] !== undefined, `the package has no ${name}`);
    files["host.html"] = Buffer.from(`<!doctype html><html lang="en"><title>x</title><script type="importmap">{"imports":{"anticlock":"./node_modules/anticlock/${about.exports["."].default.slice(2)}"}}</script>
      <script type="module">import { Anticlock } from "anticlock"; window.Anticlock = Anticlock;</script><anticlock-atari id="a" game="gammon"></anticlock-atari></html>`);
    const host = await serve(files);
    const context = await browser.newContext();
    const page = await context.newPage();
    page.faults = [];
    page.on("pageerror", (error) => page.faults.push(String(error)));
    await page.goto(`${host.url}host.html`);
    const found = await page.evaluate(async () => {
      await customElements.whenDefined("anticlock-atari");
      const { machine } = document.getElementById("a");
      await machine.ready;
      const late = (what) => new Promise((_, failed) => setTimeout(() => failed(new Error(`no ${what}`)), 60000));
      const heard = (event) => new Promise((done) => {
        const end = machine.on(event, (detail) => {
          end();
          done(detail);
        });
      });
      let title = "";
      for (let i = 0; i < 600 && title !== "Computer Gammon"; i++) {
        ({ title } = await machine.state());
        await new Promise((done) => setTimeout(done, 100));
      }
      // $0600: INC $0700, JMP $0600.
      await machine.load({ name: "count.xex", bytes: Uint8Array.from([255, 255, 0, 6, 5, 6, 0xee, 0, 7, 0x4c, 0, 6, 0xe0, 2, 0xe1, 2, 0, 6]) });
      let stopped = heard("breakpoint");
      await machine.stop(0x0603);
      const { address } = await Promise.race([stopped, late("breakpoint")]);
      const [one] = await machine.peek(0x0700);
      const before = (await machine.state()).frames;
      await new Promise((done) => setTimeout(done, 300));
      const held = (await machine.state()).frames === before;
      // An interrupt may come before the instruction, which is then reached once more.
      let two = one;
      for (let i = 0; i < 5 && two === one; i++) {
        stopped = heard("breakpoint");
        await machine.resume();
        await Promise.race([stopped, late("second breakpoint")]);
        [two] = await machine.peek(0x0700);
      }
      await machine.stop();
      await machine.resume();
      await Promise.race([heard("frame"), late("frame")]);
      const refused = await machine.ask("stop", { addresses: [70000] }).then(() => "taken", (error) => error.message);
      return { title, address, one, two, held, refused, isClass: typeof window.Anticlock };
    });
    equal(found.title, "Computer Gammon", "the game of the element");
    equal(found.address, 0x0603, "where it stops");
    equal(found.two, (found.one + 1) & 255, "one round later");
    check(found.held, "it stands still");
    check(found.refused.includes("stop wants addresses"), found.refused);
    equal(found.isClass, "function", "the import by name");
    await host.close();
    return page;
  });

  flow("class: a teacher's link is looked at, changed, kept over a reload, and sent back", async () => {
    const teacher = await fresh(browser, site.url);
    const field = (page) => page.getByRole("textbox", { name: "Link", exact: true });
    const cause = (page) => page.locator(".cause .plain").textContent();
    const linkOf = async (page, name) => {
      await page.getByRole("button", { name, exact: true }).click();
      await until("the link", async () => (await field(page).count()) === 1 && (await field(page).inputValue()).includes(`hash=${await hash(page)}`));
      const link = await field(page).inputValue();
      check(link.length <= 2000, `the link has ${link.length} characters`);
      return link;
    };
    await teacher.locator("#open-program").click();
    await teacher.locator("#listing").fill('10 ? "WHY AM I BLUE?"\n20 GOTO 20\n');
    await teacher.getByRole("button", { name: "Run", exact: true }).click();
    await until("the program", async () => (await text(teacher)).includes("WHY AM I"));
    await teacher.locator("#open-inside").click();
    await until("where it stands", async () => (await teacher.locator(".inside .where").textContent()).includes("line "));
    const box = await teacher.locator("#picture").boundingBox();
    await teacher.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await until("the cause", async () => /^This point is .*\.$/.test(await cause(teacher)));
    const first = await linkOf(teacher, "Link to this");

    // A pupil sees the same cause, changes the program, and finds it the next day.
    const pupil = await fresh(browser, first);
    await until("the teacher's cause", async () => (await cause(pupil)) === (await cause(teacher)), 90000);
    equal(await hash(pupil), await hash(teacher), "the pupil's machine");
    await pupil.locator("#open-program").click();
    await until("the teacher's listing", async () => (await pupil.locator("#listing").inputValue()).includes("WHY AM I"));
    await pupil.getByRole("button", { name: "Keep as mine" }).click();
    await until("a listing of the pupil's own", async () => (await says(pupil)).includes("your own listing now"));
    await pupil.locator("#listing").fill('5 POKE 710,50\n10 ? "NOW I AM RED"\n20 GOTO 20\n');
    await pupil.getByRole("button", { name: "Run", exact: true }).click();
    await until("the pupil's program", async () => (await text(pupil)).includes("NOW I AM RED"));
    await pupil.goto("about:blank");
    await pupil.goto(site.url);
    await ready(pupil);
    await pupil.locator("#open-program").click();
    await until("the pupil's listing", async () => (await pupil.locator("#listing").inputValue()).includes("NOW I AM RED"));
    await pupil.getByRole("button", { name: "Run", exact: true }).click();
    await until("the pupil's program", async () => (await text(pupil)).includes("NOW I AM RED") && (await pupil.evaluate(() => window.anticlock.app.emulator.peek(710, 1)[0])) === 50);
    await hold(pupil);
    await pupil.locator("#open-saves").click();
    const second = await linkOf(pupil, "Link to this moment");

    // The teacher opens what came back, beside the first.
    const answer = await fresh(browser, second);
    await until("the pupil's moment", async () => (await hash(answer)) === (await hash(pupil)));
    check((await text(answer)).includes("NOW I AM RED"), await text(answer));
    for (const page of [answer, teacher]) await page.context().close();
    return pupil;
  });
};
