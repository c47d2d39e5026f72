// Flows: keys of the host that write characters, lock, or close a panel.
import { check, equal, fresh, hash, hold, run, says, text, until } from "./browser.mjs";

export default ({ flow, browser, at, runUntil }) => {
  /** A key as a browser reports it: Playwright has no AltGr of its own. */
  const press = (page, init) =>
    page.evaluate((init) => {
      const target = document.activeElement ?? document.body;
      const { lock, graph, ...rest } = init;
      for (const kind of ["keydown", "keyup"]) {
        const event = new KeyboardEvent(kind, { bubbles: true, cancelable: true, ...rest });
        event.getModifierState = (name) => (name === "AltGraph" && graph === true) || (name === "CapsLock" && lock === true);
        target.dispatchEvent(event);
      }
    }, init);
  const slots = (page) => page.evaluate(async () => (await window.anticlock.app.store.all("states")).filter(({ slot }) => slot !== "auto").length);
  const ready = async () => {
    const page = await fresh(browser, at("v=1&game=basic"));
    await hold(page);
    await runUntil(page, "READY");
    await page.locator("#picture").focus();
    return page;
  };

  flow("keys: AltGr and Option write characters and run no command; Alt runs them", async () => {
    const page = await ready();
    for (const init of [
      // Polish and Czech on Linux, Windows (Ctrl and Alt), a Mac.
      { code: "KeyS", key: "ś", altKey: true },
      { code: "KeyS", key: "ś", altKey: true, graph: true },
      { code: "KeyS", key: "ś", altKey: true, ctrlKey: true },
      { code: "KeyS", key: "ß", altKey: true },
      { code: "KeyS", key: "s", altKey: true, graph: true },
      { code: "KeyL", key: "ł", altKey: true, graph: true },
      { code: "Digit5", key: "[", altKey: true, graph: true },
    ]) await press(page, init);
    await page.waitForTimeout(300);
    equal(await slots(page), 0, "slots that were saved");
    check(!/slot/i.test(await says(page)), await says(page));
    // German @ is AltGr and Q, and reaches the Atari.
    await press(page, { code: "KeyQ", key: "@", altKey: true, ctrlKey: true, graph: true });
    await run(page, 30);
    check((await text(page)).includes("@"), await text(page));
    await press(page, { code: "KeyS", key: "s", altKey: true });
    await until("the save", async () => (await slots(page)) === 1);
    // In the editor a character of AltGr reaches neither the machine nor a command.
    await page.locator("#open-program").click();
    await page.locator("#listing").focus();
    const before = await hash(page);
    await press(page, { code: "KeyQ", key: "@", altKey: true, graph: true });
    await run(page, 0);
    equal(await hash(page), before, "the machine");
    return page;
  });

  flow("keys: CapsLock gives small letters whatever the host's lock does", async () => {
    const page = await ready();
    const type = async (key, more = {}) => {
      await press(page, { code: `Key${key.toUpperCase()}`, key, ...more });
      await run(page, 12);
    };
    await type("a");
    await press(page, { code: "CapsLock", key: "CapsLock", lock: true });
    await run(page, 12);
    await type("B", { lock: true });
    await type("c", { lock: true, shiftKey: true });
    await press(page, { code: "CapsLock", key: "CapsLock" });
    await run(page, 12);
    await type("d");
    check((await text(page)).includes("AbCD"), await text(page));
    return page;
  });

  flow("keys: Escape that closes a panel does not reach the Atari", async () => {
    const page = await ready();
    await page.locator("#open-help").click();
    await page.locator("#panel h2").focus();
    await page.keyboard.press("Escape");
    check(await page.locator("#panel").isHidden(), "the panel is closed");
    await run(page, 12);
    // A line is cleared after ESC as a character; without it, the screen.
    await page.keyboard.press("Home");
    await run(page, 12);
    check(!(await text(page)).includes("READY"), `the screen was not cleared: ${await text(page)}`);
    return page;
  });

  /** A program at $2000 in the machine, as a file that the person has chosen. */
  const open = async (page, code) => {
    const end = 0x2000 + code.length - 1;
    const file = [0xff, 0xff, 0x00, 0x20, end & 255, end >> 8, ...code, 0xe0, 0x02, 0xe1, 0x02, 0x00, 0x20];
    await page.evaluate((file) => window.anticlock.app.openFile("own.xex", new Uint8Array(file)), file);
    await run(page, 120);
    await page.locator("#picture").focus();
  };
  /** Shows PORTA's bit for the right and TRIG0 as the screen's first two characters, through the frame buffer of GRAPHICS 0. */
  const PLAYS = [
    0xad, 0x00, 0xd3, 0x4a, 0x4a, 0x4a, 0x29, 0x01, 0x09, 0x10, 0xa0, 0x00, 0x91, 0x58, // LDA PORTA, 3 LSR, AND #1, ORA #"0", STA (SAVMSC),Y
    0xad, 0x10, 0xd0, 0x09, 0x10, 0xc8, 0x91, 0x58, 0x4c, 0x00, 0x20, // LDA TRIG0, ORA #"0", INY, STA (SAVMSC),Y, JMP
  ];
  /** Asks E: for lines. */
  const ASKS = [
    0xa9, 0x05, 0x8d, 0x42, 0x03, 0xa9, 0x00, 0x8d, 0x44, 0x03, 0xa9, 0x30, 0x8d, 0x45, 0x03, 0xa9, 0x28, 0x8d, 0x48, 0x03,
    0xa9, 0x00, 0x8d, 0x49, 0x03, 0xaa, 0x20, 0x56, 0xe4, 0x4c, 0x00, 0x20,
  ];
  const shown = async (page) => (await text(page)).trim().slice(0, 2);
  const keys = (page) => page.locator("#do-sticks").textContent();

  flow("keys: arrows and Space type until the program reads a joystick; the person's choice is kept for the file", async () => {
    const page = await fresh(browser, at("v=1&game=basic"));
    await hold(page);
    await open(page, ASKS);
    for (const key of "take the lamp") {
      await page.keyboard.down(key);
      await run(page, 4);
      await page.keyboard.up(key);
      await run(page, 2);
    }
    check((await text(page)).includes("TAKE THE LAMP"), await text(page));
    equal(await says(page), "", "what is said of a program that types");
    await open(page, PLAYS);
    equal(await shown(page), "11", "nothing is pressed");
    check(/^Arrows are joystick 1 now, Space its trigger; Alt\+J/.test(await says(page)), await says(page));
    for (const [key, wanted] of [["ArrowRight", "01"], ["Space", "10"]]) {
      await page.keyboard.down(key);
      await run(page, 6);
      equal(await shown(page), wanted, key);
      await page.keyboard.up(key);
      await run(page, 6);
    }
    await page.keyboard.press("Alt+j");
    await run(page, 6);
    equal(await keys(page), "Keys type", "after Alt+J");
    await page.keyboard.down("Space");
    await run(page, 6);
    equal(await shown(page), "11", "Space after Alt+J");
    await page.keyboard.up("Space");
    await open(page, ASKS);
    await open(page, PLAYS);
    equal(await keys(page), "Keys type", "when the file comes again");
    return page;
  });

  flow("keys: a key that has closed a panel does not repeat into the Atari", async () => {
    const page = await ready();
    await page.locator("#open-help").click();
    await page.locator("#panel h2").focus();
    await page.keyboard.down("Escape");
    await page.locator("#picture").focus();
    // Held on: Chromium reports it as repeated.
    await page.keyboard.down("Escape");
    await run(page, 12);
    await page.keyboard.up("Escape");
    await page.keyboard.press("Home");
    await run(page, 12);
    check(!(await text(page)).includes("READY"), `ESC has reached the machine: ${await text(page)}`);
    return page;
  });
};
