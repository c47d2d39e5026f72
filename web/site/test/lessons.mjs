// Flows of lessons: their solutions, progress, other people's lessons.
import { readFileSync, readdirSync } from "node:fs";
import { check, equal, fresh, ready, text, until } from "./browser.mjs";

const FOLDER = new URL("../lessons/", import.meta.url);

export default ({ flow, browser, site, at, runUntil }) => {
  const results = (page) => page.locator(".results").innerText();
  const listing = (page) => page.getByRole("textbox", { name: "Program" });
  const press = (page, name) => page.locator(".lessons").getByRole("button", { name, exact: true }).click();
  /** Presses Check and waits for what it finds. */
  const checked = async (page) => {
    await press(page, "Check");
    await until("the check", async () => !(await results(page)).includes("The machine runs it") && (await results(page)) !== "", 240000);
    return results(page);
  };

  for (const file of readdirSync(FOLDER).sort()) {
    const source = readFileSync(new URL(file, FOLDER), "utf8");
    const steps = source.split(/^## /m).slice(1);
    const block = (step, kind) => new RegExp(`^\`\`\`${kind}\\n([^]*?)^\`\`\``, "m").exec(step)?.[1];
    flow(`lessons: ${file}: every solution is met, and no step by what it begins with`, async () => {
      const page = await fresh(browser, at(`v=1&lesson=${file.replace(".md", "")}`));
      for (const [n, step] of steps.entries()) {
        await until(`step ${n + 1}`, async () => (await page.locator(".lessons").innerText()).includes(`Step ${n + 1} of ${steps.length}`));
        const name = `step ${n + 1}, ${step.split("\n")[0]}`;
        equal(await listing(page).inputValue(), block(step, "basic"), `${name}: what it begins with`);
        check((await checked(page)).includes("✗"), `${name}: its beginning is taken for a solution:\n${await results(page)}`);
        await listing(page).fill(block(step, "solution"));
        const found = await checked(page);
        check(!found.includes("✗") && found.includes("Done"), `${name}: its solution is not met:\n${found}`);
        const meanings = block(step, "check").split("\n").map((line) => line.split(" : ")[1]).filter((meaning) => meaning !== undefined);
        for (const meaning of meanings) check(found.includes(meaning.trim()), `${name}: it was not told: ${meaning}`);
        if (n + 1 < steps.length) await press(page, "Next ›");
      }
      check((await results(page)).includes("and with it the lesson"), await results(page));
      return page;
    });
  }

  flow("lessons: nothing of them in the first load; progress is kept; runs in the page's machine", async () => {
    const context = await browser.newContext({ serviceWorkers: "block" });
    const page = await context.newPage();
    page.faults = [];
    const loaded = [];
    page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
    await page.goto(at("v=1&game=basic"));
    await ready(page);
    await page.waitForTimeout(1000);
    check(!loaded.some((name) => /lesson|panels\.css/.test(name)), `loaded at first: ${loaded.join(" ")}`);
    await page.locator("#open-program").click();
    await page.getByRole("button", { name: "Lessons" }).click();
    await page.getByRole("button", { name: /^A first program/ }).click();
    await listing(page).fill('10 PRINT "HELLO"\n20 PRINT "GOOD MORNING"\n');
    check((await checked(page)).includes("Done."), await results(page));
    await press(page, "Run");
    await until("the program in the page's machine", async () => (await text(page)).includes("GOOD MORNING"));
    await press(page, "Next ›");
    await listing(page).fill("10 PRINT 1 +\n");
    check(/✗ Row 1, column \d+: expected/.test(await checked(page)), `an error with its place: ${await results(page)}`);
    await page.getByRole("button", { name: "All lessons" }).click();
    await page.getByRole("button", { name: /^A first program.*1 of 4 steps done/ }).waitFor();
    await page.reload();
    await ready(page);
    await page.locator("#open-program").click();
    await page.getByRole("button", { name: "Lessons" }).click();
    await page.getByRole("button", { name: /^A first program.*1 of 4 steps done/ }).click();
    await until("the second step", async () => (await page.locator(".lessons").innerText()).includes("Step 2 of 4"));
    equal(await listing(page).inputValue(), "10 PRINT 1 +\n", "what was typed before");
    return page;
  });

  flow("lessons: other people's, by address and as a file; as guests, and as text only", async () => {
    site.replace("own/lesson.md", Buffer.from(
      '# Mine <img src=x onerror=alert(1)>\nBy a teacher.\n\n## One\nSay **YES** [here](javascript:alert(1)).\n\n```basic\n10 PRINT "NO"\n```\n\n```check\nlisting YES : The listing has YES.\ntext YES : It says YES.\n```\n'));
    const page = await fresh(browser, at("v=1&lesson=own/lesson.md"));
    await until("the lesson", async () => (await page.locator(".lessons").innerText()).includes("Step 1 of 1"));
    check((await page.locator(".lessons h3").textContent()).includes("<img src=x"), "markup of a lesson is text");
    equal(await page.locator(".lessons img, .lessons a").count(), 0, "elements that a lesson made");
    check((await checked(page)).startsWith("✗ The listing has YES"), await results(page));
    await listing(page).fill('10 PRINT "YES"\n');
    check((await checked(page)).includes("Done"), await results(page));
    await press(page, "Run");
    await until("the guest", async () => (await page.locator("#title").textContent()).includes("from a link"));
    // As a file; and a file that is not one.
    const choose = async (body) => {
      await page.locator(".lessons").getByRole("button", { name: "All lessons" }).click().catch(() => {});
      const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Open a lesson from a file…" }).click()]);
      await chooser.setFiles({ name: "x.md", mimeType: "text/markdown", buffer: Buffer.from(body) });
    };
    await choose("# Two\n\n## A\nText.\n\n```basic\n10 PRINT 1\n```\n");
    await until("the file's lesson", async () => (await page.locator(".lessons h3").textContent()).startsWith("Two: A"));
    const says = async () => page.locator("#says").innerText();
    for (const [bad, sentence] of [["no title\n", "first line is not a title"], ["# T\n\n## S\n\n```check\nexplode 5\n```\n", 'there is no check "explode"'], ["# T\n\n## S\n```basic\n10", "does not end"]]) {
      await choose(bad);
      await until(sentence, async () => (await says()).includes(sentence));
    }
    await page.goto("about:blank");
    await page.goto(at("v=1&lesson=https://example.com/x.md"));
    await ready(page);
    await until("the refusal", async () => (await says()).includes("on the page's own host"));
    return page;
  });
};
