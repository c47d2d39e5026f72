// Measures the page against its bars. The last line is a summary; the exit status is 1 when a bar is missed.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { NATIVE, SITE, fresh, hold, launch } from "./browser.mjs";

const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml" };
const MOST = 11;
const bars = [];
const bar = (name, found, most, unit, least = false) => {
  const met = least ? found >= most : found <= most;
  bars.push(met);
  console.log(`${met ? "met   " : "MISSED"} ${name}: ${found.toFixed(found < 100 ? 1 : 0)} ${unit} (${least ? "at least" : "at most"} ${most})`);
};

const packed = new Map();
for (const name of readdirSync(SITE)) {
  const bytes = readFileSync(join(SITE, name));
  packed.set(name, {
    brotli: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: MOST } }),
    gzip: gzipSync(bytes, { level: 9 }).length,
  });
}
const kilo = (name) => packed.get(name).brotli.length / 1000;
bar("anticlock.wasm, compressed by brotli", kilo("anticlock.wasm"), 200, "KB");
console.log(`       by gzip ${(packed.get("anticlock.wasm").gzip / 1000).toFixed(0)} KB; inside.wasm, loaded when opened: ${kilo("inside.wasm").toFixed(0)} KB by brotli`);

const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
if (!existsSync(chromium)) {
  console.error("NOT MEASURED: there is no Chromium (apt-get install chromium, or set CHROMIUM)");
  process.exit(1);
}
// A host that sends compressed files, as static hosts do.
const server = createServer((request, response) => {
  const name = new URL(request.url, "http://x").pathname.slice(1) || "index.html";
  const file = packed.get(name);
  response.writeHead(file ? 200 : 404, { "Content-Type": KINDS[extname(name)] ?? "application/octet-stream", ...(file && { "Content-Encoding": "br" }) });
  response.end(file?.brotli ?? "");
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${server.address().port}/`;
const browser = await launch();

// The first load, slow.
{
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  const loaded = new Set();
  page.on("response", (response) => loaded.add(new URL(response.url()).pathname.slice(1) || "index.html"));
  await page.addInitScript(() => {
    const put = CanvasRenderingContext2D.prototype.putImageData;
    CanvasRenderingContext2D.prototype.putImageData = function (...all) {
      window.firstPicture ??= performance.now();
      return put.apply(this, all);
    };
  });
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  await client.send("Network.emulateNetworkConditions", { offline: false, latency: 10, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 });
  await client.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.goto(url);
  await page.waitForFunction(() => window.firstPicture !== undefined, null, { timeout: 60000 });
  const sum = [...loaded].filter((name) => packed.has(name)).reduce((all, name) => all + kilo(name), 0);
  bar(`first load (${[...loaded].filter((name) => packed.has(name)).length} files), compressed by brotli`, sum, 400, "KB");
  bar("first picture at 10 Mbit/s, processor slowed four times", (await page.evaluate(() => window.firstPicture)) / 1000, 1, "s");
  await context.close();
}

// A while of ordinary running, with sound.
{
  const page = await fresh(browser, `${url}#v=1&game=gammon`, { serviceWorkers: "block" });
  await page.locator("#picture").click();
  await page.waitForTimeout(3000);
  const run = await page.evaluate(async () => {
    const { loop, sound } = window.anticlock.app;
    loop.measured = { frames: 0, machine: 0, drawing: 0, since: performance.now() };
    const gaps = sound.state.gaps;
    let most = 0;
    const look = setInterval(() => (most = Math.max(most, sound.state.queued)), 20);
    await new Promise((done) => setTimeout(done, 10000));
    clearInterval(look);
    const { frames, machine, drawing, since } = loop.measured;
    const wall = performance.now() - since;
    return { fps: (frames * 1000) / wall, machine: (machine / wall) * 100, drawing: (drawing / wall) * 100, most, latency: sound.state.latency, gaps: sound.state.gaps - gaps, kind: sound.state.kind };
  });
  bar("frames a second", run.fps, 59, "", true);
  bar("the machine's part of a core", run.machine, 15, "%");
  console.log(`       and ${run.drawing.toFixed(1)} % for drawing; sound by ${run.kind}, ${run.gaps} gaps in 10 s`);
  bar("queue of the worklet and base latency", (run.most + run.latency) * 1000, 60, "ms");
  await page.context().close();
}

// Speed beside the native machine, and an hour of it.
{
  const page = await fresh(browser, url, { serviceWorkers: "block" });
  await hold(page);
  const speed = (open) =>
    page.evaluate(
      async ([name, bytes]) => {
        const { emulator } = window.anticlock.app;
        if (bytes === null) emulator.open_built_in(name, name === "basic" ? "h=0" : "");
        else emulator.open_file(name, new Uint8Array(bytes), "");
        for (let i = 0; i < 600; i++) emulator.frame();
        const begun = performance.now();
        for (let i = 0; i < 2000; i++) emulator.frame();
        return 2000000 / (performance.now() - begun);
      },
      open,
    );
  for (const [name, native] of Object.entries(NATIVE.speeds)) {
    console.log(`       ${name}: ${(await speed([name, null])).toFixed(0)} frames a second; native ${native}`);
  }
  const stress = Object.keys(NATIVE.files).find((path) => path.includes("stress"));
  if (stress) console.log(`       stress.xex: ${(await speed(["stress.xex", [...readFileSync(stress)]])).toFixed(0)} frames a second`);

  const hour = await page.evaluate(async () => {
    const { app, memoryBytes } = window.anticlock;
    const { emulator } = app;
    emulator.open_built_in("gammon", "");
    emulator.set_rate(48000);
    const rate = emulator.frame_rate();
    const frames = Math.round(3600 * rate);
    let samples = 0;
    for (let i = 0; i < frames; i++) {
      emulator.stick(0, i % 120 < 4 ? 16 : 0);
      emulator.frame();
      samples += emulator.samples_count();
      if (i % 2000 === 0) await new Promise((done) => setTimeout(done));
    }
    return { memory: memoryBytes(), past: emulator.past_bytes(), drift: Math.abs(samples / 48000 - frames / rate) * 1000, reached: (emulator.newest() - emulator.oldest()) / (rate * 262 * 114) };
  });
  const client = await page.context().newCDPSession(page);
  await client.send("HeapProfiler.collectGarbage");
  const { usedSize } = await client.send("Runtime.getHeapUsage");
  bar("wasm memory and JavaScript's heap after an emulated hour", (hour.memory + usedSize) / (1 << 20), 64, "MB");
  console.log(`       wasm ${(hour.memory / (1 << 20)).toFixed(1)} MB, of which ${(hour.past / (1 << 20)).toFixed(1)} MB the past, which reaches back ${(hour.reached / 60).toFixed(0)} minutes`);
  bar("drift of the sound against the machine in that hour", hour.drift, 20, "ms");
}
await browser.close();
server.close();
const missed = bars.filter((met) => !met).length;
console.log(missed === 0 ? `all ${bars.length} bars met` : `${missed} of ${bars.length} bars MISSED`);
process.exit(missed === 0 ? 0 : 1);
