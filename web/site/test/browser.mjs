// The common parts of the page's tests: a server, Chromium, and the machine in the page.
import { createServer } from "node:http";
import { existsSync, readFileSync } from "node:fs";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

const KINDS = {
  ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml",
  ".png": "image/png", ".webmanifest": "application/json",
};

export const SITE = process.env.SITE;
export const NATIVE = JSON.parse(readFileSync(process.env.NATIVE, "utf8"));

/** A path of an address; one that is not encoded as it should be names no file. */
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Serves the page's folder; `extra` are further files by name. */
export async function serve(extra = {}) {
  const server = createServer((request, response) => {
    const name = decoded(new URL(request.url, "http://x").pathname).replace(/^\/$/, "/index.html").slice(1);
    const path = join(SITE, normalize(name));
    const body = extra[name] ?? (path.startsWith(SITE) && existsSync(path) ? readFileSync(path) : null);
    response.writeHead(body === null ? 404 : 200, { "Content-Type": KINDS[extname(name)] ?? "application/octet-stream" });
    response.end(body ?? "");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const replace = (name, body) => {
    extra[name] = body;
  };
  // A browser opens connections in advance; one on which it has asked for nothing would be waited for until the browser ends.
  const close = () => new Promise((done) => {
    server.close(done);
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${server.address().port}/`, replace, close };
}

const CHROMIUM = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--autoplay-policy=user-gesture-required",
  ],
};

export const launch = () => chromium.launch(CHROMIUM);

/** A browser that is started once more where it has died or hangs: one flow must not take the others with it. */
export async function lasting(start = launch) {
  let running = await start();
  return {
    newContext: async (options) => {
      if (!running.isConnected()) running = await start();
      return running.newContext(options);
    },
    contexts: () => running.contexts(),
    version: () => running.version(),
    close: () => running.close(),
  };
}

/** A profile on the disk: nothing can be installed into the others, which are private windows to Chromium. */
export const launchProfile = () => chromium.launchPersistentContext("", CHROMIUM);

/** A page of a fresh profile; errors of the page fail the test. */
export async function fresh(browser, url, options = {}) {
  const context = await browser.newContext({ acceptDownloads: true, permissions: ["clipboard-read", "clipboard-write"], ...options });
  return begin(context, url, options);
}

/** A page in a profile. */
export async function begin(context, url, options = {}) {
  const page = await context.newPage();
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() !== "error" || message.text().includes("404")) return;
    // Firefox says so when a page is left while its service worker fetches something for it.
    if (message.text().includes("A ServiceWorker intercepted the request")) return;
    const { url } = message.location();
    // Chromium fetches the tab's icon itself, not through the service worker, and at a time of its own.
    if (message.text().includes("INTERNET_DISCONNECTED") && url.endsWith("/icon.svg")) return;
    page.faults.push(`${message.text()} (${url})`);
  });
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== new URL(url).origin) page.faults.push(`a request to another host: ${request.url()}`);
  });
  if (options.before) await page.addInitScript(options.before);
  await page.goto(url);
  await ready(page);
  return page;
}

export async function ready(page) {
  await page.waitForFunction(() => window.anticlock?.app.loop.running === true, null, { timeout: 60000 });
}

/** Lets the test run the machine itself, frame by frame. */
export const hold = (page) => page.evaluate(() => window.anticlock.app.loop.stop());

/** Runs frames with controls held: stick bits, console bits. */
export const run = (page, frames, stick = 0, console = 0) =>
  page.evaluate(
    ([frames, stick, console]) => {
      const { app } = window.anticlock;
      for (let i = 0; i < frames; i++) {
        app.keyboard.touch(0, stick);
        app.keyboard.hold("test", console);
        app.loop.frame();
      }
      app.keyboard.touch(0, 0);
      app.keyboard.hold("test", 0);
    },
    [frames, stick, console],
  );

export const text = (page) => page.evaluate(() => window.anticlock.app.emulator.text());
export const hash = (page) => page.evaluate(() => window.anticlock.app.emulator.state_hash());
export const title = (page) => page.evaluate(() => window.anticlock.app.emulator.title());
export const says = (page) => page.evaluate(() => document.getElementById("says").firstChild?.textContent ?? "");

/** The drives with a disk in them, a line each: number, name, 1 for a written disk, 1 for a protected one. */
export const inserted = (page) =>
  page.evaluate(() => {
    const { emulator } = window.anticlock.app;
    const shown = [1, 2, 3, 4, 5, 6, 7, 8].map((drive) => [drive, emulator.disk(drive)]).filter(([, disk]) => disk !== undefined);
    return shown.map(([drive, disk]) => `${drive} ${disk.name} ${Number(disk.written)} ${Number(disk.protected)}`).join("\n");
  });

/** The picture's colour numbers as one text. */
export const picture = (page) =>
  page.evaluate(() => Array.from(window.anticlock.app.emulator.colour_numbers(), (n) => n.toString(16).padStart(2, "0")).join(""));

export async function until(what, test, limit = 60000) {
  const end = Date.now() + limit;
  for (;;) {
    if (await test()) return;
    if (Date.now() > end) throw new Error(`waited in vain for: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Waits until the browser has stored something, with the machine held: it hands over what is to be kept in a frame, once what came before is stored. */
export const untilKept = (page, what, test) =>
  until(what, async () => {
    await run(page, 1);
    return test();
  });

/** The result of an action, or an error after that many seconds: code in a page can wait without an end. */
export async function within(seconds, action) {
  let timer;
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error(`it has not ended within ${seconds} s`)), seconds * 1000);
  });
  return Promise.race([action(), late]).finally(() => clearTimeout(timer));
}

export function equal(found, wanted, what) {
  if (found !== wanted) throw new Error(`${what}: ${String(found).slice(0, 300)}, not ${String(wanted).slice(0, 300)}`);
}

export function check(condition, what) {
  if (!condition) throw new Error(what);
}

/** Disk, program and listing that the tests make themselves. */
export function atr() {
  const file = Buffer.alloc(16 + 720 * 128);
  file.writeUInt16LE(0x0296, 0);
  file.writeUInt16LE((720 * 128) / 16, 2);
  file.writeUInt16LE(128, 4);
  return file;
}

export function xex() {
  // $0600: INC $02C8; JMP $0600 would be too fast to see: wait for the line counter.
  const code = [0xad, 0x0b, 0xd4, 0x8d, 0x1a, 0xd0, 0x4c, 0x00, 0x06];
  return Buffer.from([0xff, 0xff, 0x00, 0x06, 0x08, 0x06, ...code, 0xe0, 0x02, 0xe1, 0x02, 0x00, 0x06]);
}
