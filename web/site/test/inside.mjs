// Flows of looking inside: the cause of a pixel, steps, breakpoints, watches, edits, the event map; by mouse, keys and fingers.
import { check, equal, fresh, hash, hold, ready, run, text, until } from "./browser.mjs";

export default ({ flow, browser, site, at, runUntil }) => {
  const plain = (page) => page.locator(".cause .plain").textContent();
  const where = (page) => page.locator(".inside .where").textContent();
  const cpu = (page) => page.locator('.inside pre[aria-label="Processor"]').textContent();
  const registers = (page) => page.locator(".inside .registers input").evaluateAll((all) => all.map((one) => one.value).join());
  const step = (page, name, back) => page.getByRole("button", { name: back ? `${name}, backwards` : `: ${name}, forwards` }).click();
  /** Opens it, and waits for the processor. */
  const open = async (page) => {
    await page.locator("#open-inside").click();
    await until("the processor", async () => (await page.locator(".inside .registers input").count()) > 0 && /^[0-9A-F]{4},/.test(await registers(page)), 30000);
    await until("where it stands", async () => (await where(page)).includes("line "));
  };
  /** A place of the page's own picture in the window. */
  const spot = async (page, x, y) => {
    const box = await page.locator("#picture").boundingBox();
    return [box.x + ((x + 0.5) / 376) * box.width, box.y + ((y + 0.5) / 240) * box.height];
  };
  const point = async (page, x, y) => page.mouse.click(...(await spot(page, x, y)));

  flow("inside: the cause of a pixel, steps both ways", async () => {
    const page = await fresh(browser, at("v=1&game=tic-tac-toe"));
    await page.waitForTimeout(1500);
    await open(page);
    const before = await hash(page);
    await point(page, 100, 60);
    await until("the cause", async () => /^This point is .*\.$/.test(await plain(page)));
    // A frame may end within an instruction: the first step leads to a beginning.
    await step(page, "one instruction", false);
    const first = [await registers(page), await cpu(page)].join();
    await step(page, "one instruction", false);
    check([await registers(page), await cpu(page)].join() !== first, "a step changes the registers");
    await step(page, "one instruction", true);
    equal([await registers(page), await cpu(page)].join(), first, "a step back");
    const stands = await where(page);
    check(/^line \d+ cycle \d+ frame \d+ moment \d+: > [0-9A-F]{4} /.test(stands), `where it stands: ${stands}`);
    await step(page, "to the next frame", true);
    const back = await hash(page);
    await page.locator(".inside button.main").click();
    await until("the page continues from there", async () => (await hash(page)) !== back);
    check((await hash(page)) !== before, "the page continues from where it was");
    // The shown picture, which is not the machine's own after a state was loaded.
    const colours = () => page.evaluate(() => {
      const canvas = document.getElementById("picture");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    });
    const status = () => page.locator("#title").textContent();
    const frames = () => page.evaluate(() => window.anticlock.app.emulator.frames());
    const stepped = async () => {
      await page.locator("#open-inside").click();
      await until("a paused machine", async () => (await status()).endsWith("paused"));
      await step(page, "to the next display list interrupt", false);
    };
    // Paused by the user: it stays paused, and the picture stays.
    await until("a picture", async () => (await colours()) > 1);
    await page.locator("#do-pause").click();
    await stepped();
    await page.locator("#open-saves").click();
    check((await colours()) > 1, "the picture after a step is not black");
    const stopped = await frames();
    await page.waitForTimeout(300);
    equal(await frames(), stopped, "frames of a machine that the user has paused");
    check((await status()).endsWith("paused"), await status());
    await page.locator("#do-pause").click();
    await until("a running machine", async () => (await frames()) > stopped + 5);
    check(!(await status()).includes("paused"), await status());
    // Paused by this page of the panel: it runs again when the page is left, by another page or by Close.
    for (const leave of [page.locator("#open-saves"), page.getByRole("button", { name: "Close", exact: true })]) {
      await stepped();
      const held = await frames();
      await leave.click();
      await until("a machine that runs again", async () => (await frames()) > held + 5);
      check(!(await status()).includes("paused"), await status());
    }
    return page;
  });

  flow("inside: for a class, all in sight at 1280x900; plain words first, and ways to the stores", async () => {
    const page = await fresh(browser, at("v=1&game=gammon"), { viewport: { width: 1280, height: 900 } });
    await hold(page);
    await run(page, 900);
    await open(page);
    await until("interrupts", async () => (await page.locator(".inside .interrupts .row").count()) >= 3);
    await point(page, 188, 120);
    await until("the cause", async () => (await plain(page)).startsWith("This point is playfield colour 3 because"));
    check(/; COLPF3 was set to \$32 by/.test(await plain(page)), await plain(page));
    const inSight = async (what) => {
      const box = await page.locator(what).boundingBox();
      check(box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= 1280 && box.y + box.height <= 900 && box.height > 15, `${what} is not in sight: ${JSON.stringify(box)}`);
    };
    for (const what of ["#picture", ".cause .plain", ".inside .where", ".inside .steps", ".inside .cpu", ".inside .code", ".inside .interrupts", ".inside .tabs"]) await inSight(what);
    equal(await page.evaluate(() => {
      const panel = document.getElementById("panel");
      return panel.scrollHeight - panel.clientHeight;
    }), 0, "what the panel scrolls");
    const parts = await page.locator(".inside > *:visible").evaluateAll((all) => all.map((one) => [one.className, one.getBoundingClientRect()]).map(([name, box]) => [name, box.top, box.bottom]));
    parts.slice(1).forEach(([name, top], n) => check(top >= parts[n][2] - 0.5, `${name} lies over ${parts[n][0]}`));
    const rows = await page.locator(".inside .code").evaluate((code) => {
      const room = code.querySelector(".list").getBoundingClientRect();
      return [...code.querySelectorAll(".row")].filter((row) => row.getBoundingClientRect().top >= room.top && row.getBoundingClientRect().bottom <= room.bottom).length;
    });
    check(rows >= 8, `${rows} lines of code are in sight`);
    const width = (await page.locator("#picture").boundingBox()).width;
    check(width >= 600, `the picture is the large one: ${width}`);
    // Registers and cycles on demand, the same lines as the window's.
    check(!(await page.locator(".why").isVisible()), "registers and cycles are shown only on demand");
    await page.getByText("Registers and cycles").click();
    const lines = await page.locator(".why").innerText();
    check(lines.startsWith("pixel 188,120 (line 128 clock 128.0) is $32: playfield 3"), lines);
    const store = /COLPF3 = \$32 stored \$32 in\s+line (\d+) cycle (\d+)/.exec(lines);
    check(store !== null, `the store's place: ${lines}`);
    await page.getByRole("button", { name: "Go to its store" }).click();
    await until("the store", async () => (await where(page)).startsWith(`line ${store[1]} cycle ${store[2]} `));
    check((await page.locator(".inside .code .current").textContent()).includes("HPOSP0,X"), "the code of the store");
    await page.getByRole("button", { name: "Where is the colour from?" }).click();
    check((await page.locator(".further").textContent()).includes("$D019"), await page.locator(".further").textContent());
    await page.locator(".inside .interrupts .row").first().click();
    await until("the interrupt", async () => /^line \d+ cycle \d+ .*NMI/.test(await where(page)));
    // The drawing over the picture is not in it.
    await page.getByRole("button", { name: "Close", exact: true }).click();
    check((await page.locator("body.looking, .cause").count()) === 0, "what is left of it when it is closed");
    equal(await page.locator("#picture").getAttribute("aria-label"), "The Atari's screen. Keys go to the Atari; Tab leads out.", "the canvas's name");
    return page;
  });

  flow("inside: breakpoints, watches, the program's own lines, edits; kept for the program", async () => {
    const page = await fresh(browser, at("v=1&game=basic"));
    await until("READY", async () => (await text(page)).includes("READY"));
    await page.locator("#open-program").click();
    await page.locator("#listing").fill('10 SUM=0\n20 FOR I=1 TO 500\n30 SUM=SUM+I\n40 NEXT I\n50 ? "SUM ";SUM\n60 GOTO 10\n');
    await page.getByRole("button", { name: "Run" }).click();
    await until("a sum", async () => (await text(page)).includes("SUM 125250"));
    await hold(page);
    await open(page);
    // The lines of the program, without asking for them.
    const line = (number) => page.locator(".inside .code .row", { hasText: new RegExp(`^..\\s?${number} `) });
    equal(await page.locator(".inside .code .row").count(), 6, "lines of the program");
    await line(50).click();
    equal(await line(50).getAttribute("aria-pressed"), "true", "a breakpoint at line 50");
    await page.getByRole("textbox", { name: "Watch" }).fill("SUM");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Run to a breakpoint" }).click();
    await until("the breakpoint", async () => (await where(page)).startsWith("breakpoint 1"));
    check((await where(page)).includes("; 50 ? \"SUM \";SUM"), await where(page));
    check((await line(50).getAttribute("class")).includes("current"), "the line that runs");
    check((await page.getByRole("list", { name: "Watches" }).innerText()).includes("SUM = 125250"), "the watch");
    // Another value: the program prints it.
    await page.getByRole("button", { name: "BASIC", exact: true }).click();
    await page.getByRole("textbox", { name: "Change a variable" }).fill("SUM 4711");
    await page.keyboard.press("Enter");
    await page.locator(".inside button.main").click();
    await page.evaluate(() => window.anticlock.app.loop.start());
    await until("what it prints now", async () => (await text(page)).includes("SUM 4711"));
    // The running page stops in the line, too, when it comes there again.
    await until("the stop of the page", async () => (await page.evaluate(() => window.anticlock.app.loop.paused)) && (await where(page)).startsWith("breakpoint 1"), 60000);
    check((await where(page)).includes("; 50 ? \"SUM \";SUM"), await where(page));
    // Memory, an instruction, a register.
    await hold(page);
    await page.getByRole("button", { name: "Memory", exact: true }).click();
    await page.getByRole("textbox", { name: "Write bytes there" }).fill("01 02 03");
    await page.keyboard.press("Enter");
    check((await page.locator('.inside pre[aria-label="Memory"]').textContent()).includes("01 02 03"), "the bytes");
    await page.getByRole("textbox", { name: "Assemble there" }).fill("LDA #$0E");
    await page.keyboard.press("Enter");
    check((await page.locator('.inside pre[aria-label="Memory"]').textContent()).includes("A9 0E 03"), "the instruction");
    await page.locator(".inside .registers input").nth(1).fill("77");
    await page.keyboard.press("Enter");
    await until("the register", async () => (await registers(page)).split(",")[1] === "77");
    // The fault is named.
    await page.getByRole("textbox", { name: "Assemble there" }).fill("LDA");
    await page.keyboard.press("Enter");
    check((await page.locator(".inside .tabs .hint").first().textContent()).length > 5, "what is wrong with an instruction");
    await page.reload();
    await ready(page);
    await until("the program", async () => (await text(page)).includes("SUM"));
    await hold(page);
    await open(page);
    await until("the breakpoint that was kept", async () => (await page.getByRole("list", { name: "Breakpoints" }).innerText()).includes("basic 50"));
    check((await page.getByRole("list", { name: "Watches" }).innerText()).includes("SUM = "), "the watch that was kept");
    return page;
  });

  flow("inside: its breakpoints stop the running page", async () => {
    const page = await fresh(browser, site.url);
    // $0600: INC $0700, JMP $0600.
    await page.evaluate(async () => {
      const code = [255, 255, 0, 6, 5, 6, 0xee, 0, 7, 0x4c, 0, 6, 0xe0, 2, 0xe1, 2, 0, 6];
      await window.anticlock.app.openFile("count.xex", Uint8Array.from(code));
    });
    const count = () => page.evaluate(() => window.anticlock.app.emulator.peek(0x700, 1)[0]);
    await until("the program", async () => (await page.evaluate(() => window.anticlock.app.emulator.pc())) >> 8 === 6);
    await open(page);
    await page.locator(".inside .code .row", { hasText: "JMP" }).first().click();
    await page.locator(".inside button.main").click();
    await until("the stop", async () => (await page.evaluate(() => window.anticlock.app.loop.paused)) && (await page.locator("body.looking").count()) === 1);
    equal(await page.evaluate(() => window.anticlock.app.emulator.pc()), 0x603, "where it stops");
    const before = await count();
    await until("where it stands", async () => (await where(page)).includes("> 0603"));
    await page.locator(".inside button.main").click();
    await until("the stop", async () => (await page.evaluate(() => window.anticlock.app.loop.paused)) && (await page.locator("body.looking").count()) === 1);
    // An interrupt may come before the instruction, which is then reached once more.
    check([before, (before + 1) & 255].includes(await count()), "it stops in each round");
    // Without the breakpoint it runs.
    await page.locator(".inside .code .row", { hasText: "JMP" }).first().click();
    await page.locator(".inside button.main").click();
    const frames = await page.evaluate(() => window.anticlock.app.emulator.frames());
    await until("a running machine", async () => (await page.evaluate(() => window.anticlock.app.emulator.frames())) > frames + 20);
    // A write to memory stops it as well: INC writes twice, the old value first.
    await open(page);
    await page.getByRole("textbox", { name: "Break at" }).fill("write 0700");
    await page.keyboard.press("Enter");
    for (let round = 0; round < 2; round++) {
      await page.locator(".inside button.main").click();
      await until("the stop at a write", async () => (await page.evaluate(() => window.anticlock.app.loop.paused)) && (await page.locator("body.looking").count()) === 1);
      equal(await page.evaluate(() => window.anticlock.app.emulator.pc()), 0x603, "the instruction that writes");
    }
    // One with a condition: INC writes the old value, too.
    await page.getByRole("button", { name: /^Remove breakpoint/ }).click();
    await page.getByRole("textbox", { name: "Break at" }).fill("write 0700 if value == 99");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Watch" }).fill("[$0700]");
    await page.keyboard.press("Enter");
    for (const wanted of [98, 99]) {
      await page.locator(".inside button.main").click();
      await until("the stop by a condition", async () => (await page.evaluate(() => window.anticlock.app.loop.paused)) && (await where(page)).startsWith("breakpoint"), 60000);
      const watched = await page.getByRole("list", { name: "Watches" }).innerText();
      check(new RegExp(`= ${wanted}\\b`).test(watched), `the value before the write: ${watched}`);
    }
    return page;
  });

  flow("inside: links after steps and edits stay short, and open as it was", async () => {
    const page = await fresh(browser, at("v=1&game=gammon"));
    await hold(page);
    await run(page, 900);
    for (let i = 0; i < 10; i++) {
      await run(page, 5, 16);
      await run(page, 20);
    }
    await open(page);
    const field = page.getByRole("textbox", { name: "Link", exact: true });
    const opens = async (what) => {
      await page.getByRole("button", { name: "Link to this", exact: true }).click();
      await until(`the link ${what}`, async () => (await field.count()) === 1 && (await field.inputValue()).includes(`hash=${await hash(page)}`));
      const link = await field.inputValue();
      check(link.includes("play=") && link.length <= 2000, `the link ${what} has ${link.length} characters`);
      const wanted = await hash(page);
      const other = await fresh(browser, link);
      await until(`the moment ${what}`, async () => (await hash(other)) === wanted);
      check((await other.locator("#title").textContent()).includes("paused"), "it stands still");
      await open(other);
      equal(await registers(other), await registers(page), `the registers ${what}`);
      await other.context().close();
    };
    await step(page, "one instruction", false);
    await step(page, "one instruction", false);
    await opens("after steps");
    await step(page, "to the next frame", true);
    await page.getByRole("button", { name: "Memory", exact: true }).click();
    await page.getByRole("textbox", { name: "Write bytes there" }).fill("01 02 03");
    await page.keyboard.press("Enter");
    check((await page.locator('.inside pre[aria-label="Memory"]').textContent()).includes("01 02 03"), "the bytes");
    await opens("after an edit of memory in the past");
    await step(page, "to the next frame", false);
    await step(page, "one instruction", false);
    // Typed: Firefox takes a text that a script has put there for no change. The debugger shows what it has taken in capitals.
    await page.locator(".inside .registers input").nth(1).selectText();
    await page.keyboard.type("7b");
    await page.keyboard.press("Enter");
    await until("the register", async () => (await registers(page)).split(",")[1] === "7B");
    await opens("after an edit of a register");
    // Played on, and again at a moment of its own.
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await hold(page);
    await run(page, 100, 16);
    await open(page);
    await opens("after all of it");
    return page;
  });

  flow("inside: the event map over the picture, and the keyboard", async () => {
    const page = await fresh(browser, at("v=1&game=gammon"));
    await hold(page);
    await run(page, 900);
    await open(page);
    const shown = () => page.evaluate(() => {
      const canvas = document.getElementById("picture");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let orange = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i] === 255 && data[i + 1] === 179 && data[i + 2] === 71) orange++;
      return orange;
    });
    equal(await shown(), 0, "events before they are asked for");
    await page.getByRole("button", { name: "Events" }).click();
    await until("events of GTIA", async () => (await shown()) > 50);
    // COLPF0 = $2A in line 48 cycle 58: column 164, row 40.
    await page.mouse.move(...(await spot(page, 165, 40)));
    await until("the event", async () => /Event: line +48 cycle .*write COLPF0/.test(await page.locator(".cause .hint").textContent()));
    await page.locator("#picture").focus();
    const pixel = async () => /^pixel (\d+),(\d+) /.exec(await page.locator(".why").textContent()).slice(1).map(Number);
    await page.keyboard.press("ArrowRight");
    const [x, y] = await pixel();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+ArrowDown");
    equal((await pixel()).join(), [x + 1, y + 8].join(), "what the arrows point at");
    const moment = async () => Number(/moment (\d+)/.exec(await where(page))[1]);
    const from = await moment();
    await page.keyboard.press("c");
    equal(await moment(), from + 1, "C: one cycle");
    await page.keyboard.press("Alt+c");
    equal(await moment(), from, "Alt+C: one cycle back");
    await page.keyboard.press("Shift+F");
    check((await moment()) < from, "Shift+F: a frame back");
    await page.keyboard.press("F9");
    await until("a breakpoint", async () => (await page.getByRole("list", { name: "Breakpoints" }).innerText()).length > 3);
    await page.keyboard.press("F9");
    await until("no breakpoint", async () => (await page.getByRole("list", { name: "Breakpoints" }).innerText()) === "");
    await page.keyboard.press("d");
    await until("the interrupt", async () => (await where(page)).includes("NMI"));
    await page.keyboard.press("Escape");
    check(!(await page.locator("#panel").isVisible()), "Escape closes it");
    return page;
  });

  flow("inside: on phones, by fingers", async () => {
    let last = null;
    for (const [width, height] of [[390, 844], [844, 390], [320, 568], [667, 375]]) {
      const page = await fresh(browser, at("v=1&game=gammon"), { viewport: { width, height }, hasTouch: true, isMobile: true });
      const name = `${width}x${height}`;
      await hold(page);
      await run(page, 900);
      await open(page);
      const [x, y] = await spot(page, 188, 120);
      await page.touchscreen.tap(x, y);
      await until(`the cause at ${name}`, async () => (await plain(page)).startsWith("This point is playfield colour 3"));
      const picture = await page.locator("#picture").boundingBox();
      const cause = await page.locator(".cause .plain").boundingBox();
      check(picture.x >= 0 && picture.x + picture.width <= width && picture.y + picture.height <= height, `${name}: the picture ${JSON.stringify(picture)}`);
      check(picture.width >= Math.min(300, 0.45 * width), `${name}: the picture is ${picture.width} wide`);
      check(cause.y + cause.height <= height && cause.x + cause.width <= width, `${name}: the cause ${JSON.stringify(cause)}`);
      check((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${name}: the page is wider than the screen`);
      const wide = await page.evaluate(() => document.getElementById("panel").scrollWidth - document.getElementById("panel").clientWidth);
      check(wide <= 0, `${name}: the panel is ${wide} wider than its room`);
      const small = await page.locator(".inside > .buttons button, .inside .steps button").evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).filter((box) => box.height < 40 || box.width < 40).length);
      equal(small, 0, `${name}: buttons that are small`);
      if (last !== null) await last.context().close();
      last = page;
    }
    return last;
  });
};
