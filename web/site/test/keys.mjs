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
};
