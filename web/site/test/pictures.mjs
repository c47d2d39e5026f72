// Takes the page's pictures for the documents and for the browser's question before it installs the page.
import { resolve } from "node:path";
import { fresh, hold, launch, run, serve, text, until } from "./browser.mjs";

const FOLDER = resolve(import.meta.dirname, "../../../docs/pictures");
const site = await serve();
const browser = await launch();
const take = (page, name) => page.screenshot({ path: `${FOLDER}/${name}.png` });
const type = (page, keys) => page.evaluate((keys) => window.anticlock.app.emulator.type_text(keys), keys);

/** A page with a game, played by keys up to texts on the screen. */
async function played(game, options, ...moves) {
  const page = await fresh(browser, `${site.url}#v=1&game=${game}`, { colorScheme: "dark", ...options });
  // The page itself leads to the first picture.
  await until("the game's beginning", async () => !(await page.locator("#title").textContent()).includes("starting"));
  await hold(page);
  for (let i = 0; i < moves.length; i += 2) {
    await type(page, moves[i]);
    for (let frames = 0; frames < 6000 && !(await text(page)).includes(moves[i + 1]); frames += 30) await run(page, 30);
  }
  await run(page, 200);
  await page.evaluate(() => window.anticlock.app.loop.draw());
  return page;
}

{
  const page = await played("gammon", { viewport: { width: 1280, height: 800 } }, "", "RETURN", "\\n", "TYPE THE NAMES", "ATARI\\n", "GREEN  _", "\\n", "TURN 5");
  await take(page, "page-play");
  await page.context().close();
}
{
  const page = await played("tic-tac-toe", { viewport: { width: 1280, height: 860 } }, "", "RETURN");
  await page.locator("#open-inside").click();
  await until("the registers", async () => (await page.locator(".inside .registers").count()) > 0);
  const canvas = page.locator("#picture");
  const box = await canvas.boundingBox();
  await canvas.click({ position: { x: box.width * 0.42, y: box.height * 0.5 } });
  await until("the cause", async () => (await page.locator(".cause .plain").textContent()).startsWith("This point"));
  await page.mouse.move(10, 200);
  await page.waitForTimeout(300);
  await take(page, "page-inside");
  await page.context().close();
}
{
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
  const page = await played("checkers", phone, "", "RETURN");
  await take(page, "page-phone");
  await page.context().close();
}
await browser.close();
await site.close();
console.log(`the pictures are in ${FOLDER}`);
