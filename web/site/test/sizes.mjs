// The page's sizes against their bars: as a step of the tests, and as the first part of the report. The exit status is 1 when a bar is missed.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { launch } from "./browser.mjs";

const SITE = process.env.SITE;
const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml" };
/** KB of 1,000 bytes by brotli: the sizes that are aimed at, and those that are kept. */
export const AIMS = { program: 200, load: 260 };
export const KEPT = { program: 175, load: 245 };

/** The site's files, compressed by brotli. */
export function pack() {
  const packed = new Map();
  for (const name of readdirSync(SITE)) {
    const bytes = readFileSync(join(SITE, name));
    packed.set(name, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }));
  }
  return packed;
}

/** A host that sends compressed files, as static hosts do. */
export async function serveCompressed(packed) {
  const server = createServer((request, response) => {
    const name = new URL(request.url, "http://x").pathname.slice(1) || "index.html";
    const file = packed.get(name);
    response.writeHead(file ? 200 : 404, { "Content-Type": KINDS[extname(name)] ?? "application/octet-stream", ...(file && { "Content-Encoding": "br" }) });
    response.end(file ?? "");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** The files that a first visit loads before anything is done on the page. */
export async function firstLoad(browser, url, packed) {
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  const loaded = new Set();
  page.on("response", (response) => loaded.add(new URL(response.url()).pathname.slice(1) || "index.html"));
  await page.goto(url);
  await page.waitForFunction(() => window.anticlock?.app.loop.running === true, null, { timeout: 120000 });
  await page.waitForLoadState("networkidle");
  await page.waitForTimeout(3000);
  await context.close();
  return [...loaded].filter((name) => packed.has(name));
}

/** KB of files, compressed. */
export const kilo = (packed, ...names) => names.reduce((all, name) => all + packed.get(name).length, 0) / 1000;

/** The sizes of the first load with their bars: name, KB, most, and what is aimed at. */
export async function sizes(browser, url, packed) {
  const files = await firstLoad(browser, url, packed);
  return [
    ["anticlock.wasm, compressed by brotli", kilo(packed, "anticlock.wasm"), KEPT.program, AIMS.program],
    [`first load (${files.length} files; the games and the rest of the program come with the first key), by brotli`, kilo(packed, ...files), KEPT.load, AIMS.load],
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(chromium)) {
    console.error("SKIPPED: THE PAGE'S SIZE WAS NOT MEASURED: there is no Chromium (apt-get install chromium, or set CHROMIUM)");
    process.exit(0);
  }
  const packed = pack();
  const host = await serveCompressed(packed);
  const browser = await launch();
  let missed = 0;
  for (const [name, found, most, aim] of await sizes(browser, host.url, packed)) {
    missed += found <= most ? 0 : 1;
    console.log(`${found <= most ? "met   " : "MISSED"} ${name}: ${found.toFixed(1)} KB (at most ${most}; aimed at ${aim})`);
  }
  await browser.close();
  host.close();
  process.exit(missed === 0 ? 0 : 1);
}
