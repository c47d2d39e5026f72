// The real editor for tests: VS Code's server with the extension in it, and Chromium as its window.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const SERVER = process.env.EDITOR_SERVER;
const ANTICLOCK = process.env.ANTICLOCK;
const VSIX = new URL("../../anticlock.vsix", import.meta.url).pathname;
const TEMPLATES = new URL("../../templates/", import.meta.url).pathname;
/** A folder for pictures of what went wrong, and of each stage where it is set. */
const PICTURES = process.env.EDITOR_PICTURES;
/** Milliseconds that anything may take. */
export const PATIENCE = Number(process.env.EDITOR_PATIENCE ?? 40_000);

const SETTINGS = {
  "security.workspace.trust.enabled": false,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  "editor.minimap.enabled": false,
  "editor.hover.delay": 100,
  "debug.toolBarLocation": "docked",
  "debug.openDebug": "openOnDebugBreak",
  "extensions.autoCheckUpdates": false,
  "telemetry.telemetryLevel": "off",
  // Text that can be read, in place of pixels.
  "terminal.integrated.gpuAcceleration": "off",
  "anticlock.executable": ANTICLOCK,
};

/** Starts the server, with these variables besides, and the browser; `close` ends both. */
export async function editor(variables = {}) {
  const root = mkdtempSync(join(tmpdir(), "anticlock-editor-"));
  const data = join(root, "data");
  mkdirSync(join(data, "data/User"), { recursive: true });
  mkdirSync(join(data, "data/Machine"), { recursive: true });
  for (const kind of ["User", "Machine"]) writeFileSync(join(data, `data/${kind}/settings.json`), JSON.stringify(SETTINGS));
  const common = ["--accept-server-license-terms", "--server-data-dir", data, "--extensions-dir", join(root, "extensions")];
  const main = join(SERVER, "out/server-main.js");
  const installed = spawnSync(process.execPath, [main, ...common, "--install-extension", VSIX], { encoding: "utf8" });
  if (installed.status !== 0) throw new Error(`the extension cannot be installed: ${installed.stdout}${installed.stderr}`);
  const server = spawn(process.execPath, [main, ...common, "--force-disable-user-env", "--host", "127.0.0.1", "--port", "0", "--without-connection-token"],
    { env: { ...process.env, ...variables } });
  let log = "";
  const port = await new Promise((done, failed) => {
    const read = (bytes) => {
      log += bytes;
      const found = /Server bound to 127\.0\.0\.1:(\d+)/.exec(log);
      if (found) done(found[1]);
    };
    server.stdout.on("data", read);
    server.stderr.on("data", read);
    server.on("exit", () => failed(new Error(`the editor's server does not start: ${log}`)));
  });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
  });
  return {
    root,
    /** A folder with a template's files. */
    project(template) {
      const folder = join(root, "projects", `${template}-${Date.now()}`);
      if (existsSync(join(TEMPLATES, template))) cpSync(join(TEMPLATES, template), folder, { recursive: true });
      else mkdirSync(folder, { recursive: true });
      return folder;
    },
    async open(folder) {
      const context = await browser.newContext({ viewport: { width: 1500, height: 950 } });
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE / 4);
      await page.goto(`http://127.0.0.1:${port}/?folder=${folder}`);
      await page.waitForSelector(".monaco-workbench .part.statusbar");
      await page.waitForSelector(".explorer-folders-view .monaco-list");
      return new Window(page, context);
    },
    async close() {
      await browser.close();
      server.removeAllListeners("exit");
      server.kill();
      await new Promise((done) => (server.exitCode === null && server.signalCode === null ? server.on("exit", done) : done()));
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Waits until a function gives something that a check accepts, and returns it. */
export async function until(what, get, accepts = (value) => Boolean(value)) {
  const end = Date.now() + PATIENCE;
  let last;
  while (Date.now() < end) {
    last = await get().catch((error) => `(${error.message.split("\n")[0]})`);
    if (accepts(last)) return last;
    await new Promise((done) => setTimeout(done, 60));
  }
  throw new Error(`${what}: not in ${PATIENCE} ms; last seen: ${JSON.stringify(last)}`);
}

/** A window of the editor. */
export class Window {
  constructor(page, context) {
    this.page = page;
    this.context = context;
    this.count = 0;
  }

  async picture(name) {
    if (PICTURES) await this.page.screenshot({ path: join(PICTURES, `${name}.png`) });
  }

  async key(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Types into the box at the top and takes its first entry, which comes late where the extension has just been found. */
  async quick(key, text, shown = text) {
    await until(`"${text}" in the list`, async () => {
      await this.key("Escape");
      await this.ask(key, (key === "F1" ? ">" : "") + text);
      const row = this.page.locator(".quick-input-list .monaco-list-row").first();
      for (let tries = 0; tries < 20; tries++) {
        if ((await row.innerText({ timeout: 500 }).catch(() => "")).includes(shown)) return true;
        await this.page.waitForTimeout(50);
      }
      return false;
    });
    await this.key("Enter");
  }

  /** Opens the box at the top by a key, unless it is open, and fills it: typed keys would go elsewhere where it opens late. */
  async ask(key, text) {
    const box = this.page.locator(".quick-input-widget:not([style*='display: none']) input.input");
    if (key) {
      await box.waitFor({ state: "hidden" });
      await this.key(key);
    }
    await box.fill(text);
  }

  /** A command by its title. */
  command(title) {
    return this.quick("F1", title, title.split(": ").at(-1));
  }

  /** The text of all terminals, a blank between any two words. */
  async terminal() {
    return (await this.page.locator(".xterm-rows").allInnerTexts()).join(" ").replaceAll(/\s+/g, " ");
  }

  /** Runs a task by the command of its kind, until a terminal shows. The editor knows no task of a file that was written a moment ago. */
  async task(title) {
    const box = this.page.locator(".quick-input-widget:not([style*='display: none']) .quick-input-list");
    await until(`the terminal of "${title}"`, async () => {
      await this.quick("F1", title);
      return until("a terminal or no task", async () => {
        if ((await this.terminal()).trim() !== "") return "terminal";
        return /No .*task/.exec(await box.innerText({ timeout: 100 }).catch(() => ""))?.[0];
      });
    }, (seen) => seen === "terminal");
  }

  async file(name) {
    await this.quick("Control+p", name);
    await this.shown(name);
  }

  /** Waits until a file is shown. */
  async shown(name) {
    await until(name, () => this.page.locator(".tab.active").getAttribute("data-resource-name"), (active) => active === name);
    await this.page.locator(".editor-instance .view-lines").first().waitFor();
  }

  /** Puts the cursor into a line and column of the file that is shown, from 1. */
  async line(number, column = 1) {
    await until(`the cursor in line ${number}`, async () => {
      await this.ask("Control+g", `:${number}:${column}`);
      await this.key("Enter");
      const status = this.page.locator(".statusbar");
      for (let tries = 0; tries < 60; tries++) {
        if ((await status.innerText()).includes(`Ln ${number},`)) return true;
        await this.page.waitForTimeout(50);
      }
      await this.key("Escape");
      return false;
    });
  }

  async breakpoint(number) {
    await this.line(number);
    const glyphs = this.page.locator(".codicon-debug-breakpoint, .codicon-debug-breakpoint-unverified");
    const before = await glyphs.count();
    await this.key("F9");
    await until("the breakpoint's dot", () => glyphs.count(), (count) => count > before);
  }

  /** The frames of the call stack: "band main.s:44". */
  async stack() {
    const rows = this.page.locator(".debug-call-stack .stack-frame");
    const all = [];
    for (const row of await rows.all()) {
      const name = await row.locator(".label").innerText();
      const file = await row.locator(".file-name").innerText();
      const line = await row.locator(".line-number").innerText();
      all.push(`${name} ${file}:${line.split(":")[0]}`);
    }
    return all;
  }

  /** Waits until the program stands at a line; the top of the stack. */
  async stands(where) {
    const text = await until(`a stop at ${where}`, async () => (await this.stack())[0] ?? "", (top) => top.includes(where));
    return text;
  }

  button(name) {
    return this.page.locator(`.debug-toolbar .codicon-debug-${name}, .debug-call-stack .codicon-debug-${name}, .part.sidebar .codicon-debug-${name}`);
  }

  async tool(name) {
    await this.button(name).first().click();
  }

  /** Waits until the program runs: it can be paused. */
  runs() {
    return until("the program runs", () => this.button("pause").count());
  }

  /** Waits until nothing is debugged. */
  ended() {
    return until("the end of debugging", async () => (await this.button("pause").count()) + (await this.button("continue").count()), (count) => count === 0);
  }

  async watch(expression) {
    const pane = this.page.locator(".pane", { has: this.page.locator(".pane-header", { hasText: "Watch" }) });
    await pane.locator(".pane-header").hover();
    await pane.locator(".codicon-watch-expressions-add").click();
    await pane.locator("input").waitFor();
    await this.page.keyboard.type(expression);
    await this.key("Enter");
  }

  /** The value of an expression that has just been added to those that are watched. */
  value(expression) {
    const row = this.page.locator(".debug-watch .monaco-list-row", { hasText: expression });
    return until(`the value of ${expression}`, () => row.locator(".value").innerText(), (text) => text !== "" && text !== "not available");
  }

  /** Waits until a watched expression shows a value: the editor asks for it again some time after a stop, and shows the old one until then. */
  watched(expression, value) {
    const row = this.page.locator(".debug-watch .monaco-list-row", { hasText: expression });
    return until(`the value of ${expression}`, () => row.locator(".value").innerText(), (text) => text === value);
  }

  /** Waits until a text with a value shows when the mouse is over a word, where the program stands. */
  async hovered(word, value) {
    const line = this.page.locator(".view-lines .view-line").filter({ has: this.page.locator(`text=${word}`) });
    await line.first().waitFor();
    const spans = this.page.locator(".view-lines .view-line span span", { hasText: new RegExp(`^\\s*${word}\\s*$`) });
    await spans.first().hover();
    return until(`a hover over ${word}`, () => this.page.locator(".debug-hover-widget .value").first().innerText(), (text) => text.includes(value));
  }

  /** Text of the editor that is shown, as far as it is in sight. */
  async text() {
    const lines = await this.page.locator(".editor-instance .view-line").evaluateAll((all) =>
      all.map((line) => [Number.parseInt(line.style.top, 10), line.textContent.replace(/\u00a0/g, " ")]));
    return lines.sort(([a], [b]) => a - b).map(([, text]) => text).join("\n");
  }

  /** The problems that are listed. */
  async problems() {
    await this.command("Problems: Focus on Problems View");
    return this.page.locator(".markers-panel .monaco-list-row").allInnerTexts();
  }

  async close() {
    await this.context.close();
  }
}
