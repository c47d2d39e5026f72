// Flows of what is painted: before the page's script has come, and then only what has changed.
import { begin, check, equal, fresh, hold } from "./browser.mjs";

/** Width, height, and true for phones and tablets. */
const SCREENS = [
  [1920, 1080], [1350, 940], [1024, 768], [900, 700], [820, 1180], [640, 480],
  [412, 823, true], [360, 640, true], [320, 568, true], [768, 1024, true], [844, 390, true], [667, 375, true],
];
/** A browser counts a movement by up to this as none. */
const NEAR = 3;

export default ({ flow, browser, site, at }) => {
  /** A page whose script comes late, with its layout shifts and the picture's place before. */
  const late = async (address, [width, height, isPhone = false], options = {}) => {
    const context = await browser.newContext({ viewport: { width, height }, hasTouch: isPhone, isMobile: isPhone, ...options });
    let painted;
    const isPainted = new Promise((done) => { painted = done; });
    await context.route("**/page.js", async (route) => {
      await isPainted;
      await route.continue();
    });
    await context.addInitScript(() => {
      window.moved = [];
      new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries()) window.moved.push([value, sources.map(({ node }) => node?.id ?? "").join()]);
      }).observe({ type: "layout-shift", buffered: true });
    });
    const before = new Promise((done) => context.once("page", (page) => page.once("framenavigated", () => done(
      page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0 && document.getElementById("picture") !== null)
        .then(() => page.locator("#picture").boundingBox()).finally(painted),
    ))));
    const page = await begin(context, address);
    await page.waitForFunction(() => performance.getEntriesByName("picture").length > 0);
    return { page, before: await before };
  };

  flow("paint: the picture has its place from the first paint, on any screen", async () => {
    let last = null;
    for (const screen of SCREENS) {
      const name = `${screen[0]}x${screen[1]}${screen[2] ? " phone" : ""}`;
      const { page, before } = await late(site.url, screen);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      const moved = await page.evaluate(() => window.moved);
      const sum = moved.reduce((sum, [value]) => sum + value, 0);
      const after = await page.locator("#picture").boundingBox();
      check(sum <= 0.01, `${name}: layout shifts of ${sum}: ${JSON.stringify(moved)}; the picture was at ${JSON.stringify(before)}, is at ${JSON.stringify(after)}`);
      for (const side of ["x", "y", "width", "height"]) {
        check(Math.abs(before[side] - after[side]) < NEAR, `${name}: the picture's ${side} was ${before[side]} and is ${after[side]}`);
      }
      if (last !== null) await last.context().close();
      last = page;
    }
    return last;
  });

  flow("paint: a picture that is the same as the one before is not drawn, and what was over it goes", async () => {
    const page = await fresh(browser, at("v=1&game=basic"));
    await hold(page);
    const found = await page.evaluate(() => {
      const { emulator, loop, screen } = window.anticlock.app;
      for (let i = 0; i < 300; i++) emulator.frame();
      let drawn = 0;
      const put = CanvasRenderingContext2D.prototype.putImageData;
      CanvasRenderingContext2D.prototype.putImageData = function (...all) {
        drawn++;
        return put.apply(this, all);
      };
      const corner = () => [...screen.canvas.getContext("2d").getImageData(0, 0, 1, 1).data].join();
      const draws = () => {
        drawn = 0;
        loop.draw();
        return `${drawn} ${corner()}`;
      };
      loop.draw();
      const colour = corner();
      const same = draws();
      screen.decorate = (pen) => {
        pen.fillStyle = "#123456";
        pen.fillRect(0, 0, 9, 9);
      };
      const over = draws();
      screen.decorate = null;
      const gone = draws();
      const after = draws();
      emulator.paste("POKE 712,68\n");
      for (let i = 0; i < 300; i++) emulator.frame();
      return { colour, same, over, gone, after, border: draws() };
    });
    equal(found.same, `0 ${found.colour}`, "the same picture");
    equal(found.over, "1 18,52,86,255", "what is over it");
    equal(found.gone, `1 ${found.colour}`, "the picture without it");
    equal(found.after, `0 ${found.colour}`, "the same picture again");
    check(found.border.startsWith("1 ") && found.border !== `1 ${found.colour}`, `another border: ${found.border}`);
    return page;
  });

  flow("paint: the page names all parts of its script, for the browser to ask for them together", async () => {
    const { page } = await late(site.url, [1280, 900]);
    await hold(page);
    const [named, loaded] = await page.evaluate(() => [
      [...document.querySelectorAll("link[rel=modulepreload]")].map(({ href }) => href).sort(),
      // Those that come before the first picture; the others are for later.
      performance.getEntriesByType("resource").filter(({ name, startTime }) => name.endsWith(".js") && startTime < performance.getEntriesByName("script")[0].startTime).map(({ name }) => name).sort(),
    ]);
    check(named.length > 3, `the page names ${named}`);
    equal(loaded.join(), named.join(), "the loaded parts");
    return page;
  });
};
