// Flows of the keyboard on a phone's screen.
import { check, equal, fresh, text, title, until } from "./browser.mjs";

export default ({ flow, browser, at }) => {
  flow("touch: a tap on the screen in BASIC opens the keyboard, whose keys have 40 px", async () => {
    let last = null;
    for (const [width, height] of [[320, 568], [360, 740], [390, 844], [412, 915], [844, 390], [667, 375]]) {
      const name = `${width}x${height}`;
      const page = await fresh(browser, at("v=1&game=basic"), { viewport: { width, height }, hasTouch: true, isMobile: true });
      await until("READY", async () => (await text(page)).includes("READY"));
      equal(await page.locator("#keys button").count(), 0, "the keyboard is made when it is opened");
      await page.locator("#picture").tap();
      const key = (what) => page.locator(`#keys [data-key="${what}"]:visible`);
      await key("q").waitFor();
      const sizes = async () => {
        const small = await page.locator("#keys button:visible").evaluateAll((all) =>
          all.map((one) => [one.textContent, one.getBoundingClientRect()]).filter(([, box]) => box.width < 40 || box.height < 40).map(([what, { width, height }]) => `${what} ${width}x${height}`));
        equal(small.join(), "", `${name}: keys below 40 px`);
        const box = await page.locator("#keys").boundingBox();
        check(box.x >= 0 && box.x + box.width <= width && box.y + box.height <= height + 0.5, `${name}: the keyboard is in sight: ${JSON.stringify(box)}`);
      };
      await sizes();
      const picture = await page.locator("#picture").boundingBox();
      check(picture.height >= 150, `${name}: the picture is ${picture.height} high`);
      const type = async (...keys) => {
        for (const one of keys) {
          await key(one).tap();
          await page.waitForTimeout(120);
        }
      };
      await type("p", "r", "i", "n", "t", "other");
      await sizes();
      await type("6", "*", "7", "return");
      await until(`42 at ${name}`, async () => (await text(page)).includes("42"), 20000);
      // SHIFT holds for one key, also when the other part of the keyboard is shown meanwhile.
      await type("shift", "2", "other", "shift", "a", "b");
      await until(`a quote at ${name}`, async () => /" ?A/i.test(await text(page)), 20000);
      if (last !== null) await last.context().close();
      last = page;
    }
    return last;
  });

  flow("touch: a tap on the screen of a game opens no keyboard; tablets have the whole one", async () => {
    const page = await fresh(browser, at("v=1&game=gammon"), { viewport: { width: 768, height: 1024 }, hasTouch: true, isMobile: true });
    await until("the game", async () => (await title(page)) === "Computer Gammon");
    await page.locator("#picture").tap();
    await page.waitForTimeout(500);
    check(!(await page.locator("#keys").isVisible()), "the keyboard of a game");
    await page.locator("#do-keyboard").tap();
    await page.locator('#keys [data-key="help"]').waitFor();
    equal(await page.locator("#keys button").count(), 62, "keys of the whole keyboard");
    const small = await page.locator("#keys button").evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().width < 40).length);
    equal(small, 0, "keys below 40 px on a tablet");
    return page;
  });
};
