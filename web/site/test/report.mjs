// Measures the page against its bars. The last line is a summary; the exit status is 1 when a bar is missed.
// `quick` emulates a minute instead of an hour and loads the page twice instead of seven times.
import { existsSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { NATIVE, SITE, fresh, hold, launch } from "./browser.mjs";
import { kilo, pack, serveCompressed, sizes } from "./sizes.mjs";

const quick = process.argv.includes("quick");
const LOADS = quick ? 2 : 7;
const SECONDS = quick ? 60 : 3600;
const bars = [];
const bar = (name, found, most, unit, least = false) => {
  const met = least ? found >= most : found <= most;
  bars.push({ name, met });
  console.log(`${met ? "met   " : "MISSED"} ${name}: ${found.toFixed(found < 100 ? 2 : 0)} ${unit} (${least ? "at least" : "at most"} ${most})`);
};
const note = (text) => console.log(`       ${text}`);
const load = () => `load of this machine ${loadavg()[0].toFixed(1)}`;
const sorted = (list) => [...list].sort((a, b) => a - b);
const median = (list) => sorted(list)[Math.floor(list.length / 2)];
const spread = (list) => `${sorted(list)[0].toFixed(2)} to ${sorted(list).at(-1).toFixed(2)}`;

const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
if (!existsSync(chromium)) {
  console.error("NOT MEASURED: there is no Chromium (apt-get install chromium, or set CHROMIUM)");
  process.exit(1);
}
const packed = pack();
const server = await serveCompressed(packed);
const { url } = server;
const browser = await launch();
for (const [name, found, most, aim] of await sizes(browser, url, packed)) {
  bar(name, found, most, "KB");
  if (aim < most) note(`aimed at: ${aim} KB`);
}
bar("inside.wasm, loaded when it is opened, by brotli", kilo(packed, "inside.wasm"), 900, "KB");
note(`anticlock.wasm by gzip ${(gzipSync(readFileSync(join(SITE, "anticlock.wasm")), { level: 9 }).length / 1000).toFixed(0)} KB; loaded with the first key or click, by brotli: games.bin ${kilo(packed, "games.bin").toFixed(0)} KB, rest.wasm ${kilo(packed, "rest.wasm").toFixed(0)} KB; fast.wasm, for links to minutes of play: ${kilo(packed, "fast.wasm").toFixed(0)} KB`);
const system = await browser.newBrowserCDPSession();
/** Seconds of processor time of all processes that run pages. */
const spent = async () => {
  const { processInfo } = await system.send("SystemInfo.getProcessInfo");
  return processInfo.filter(({ type }) => type === "renderer").reduce((all, { cpuTime }) => all + cpuTime, 0);
};

// The first load, slow: until the menu stands there, not only its colours.
const times = [];
for (let i = 0; i < LOADS; i++) {
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
  await page.waitForFunction(() => window.firstPicture !== undefined, null, { timeout: 120000 });
  const before = [...loaded].filter((name) => packed.has(name));
  times.push((await page.evaluate(() => window.firstPicture)) / 1000);
  if (i === 0) {
    note(`before the first picture ${before.length} files with ${kilo(packed, ...before).toFixed(0)} KB`);
    const marks = await page.evaluate(() => performance.getEntriesByType("mark").map(({ name, startTime }) => `${name} ${startTime.toFixed(0)} ms`));
    note(`once: ${marks.join(", ")}`);
  }
  await context.close();
}
{
  // The share of the machine's load: the processor time of the page's main thread until the picture, not slowed.
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.addInitScript(() => {
    const put = CanvasRenderingContext2D.prototype.putImageData;
    CanvasRenderingContext2D.prototype.putImageData = function (...all) {
      window.firstPicture ??= performance.now();
      return put.apply(this, all);
    };
  });
  await page.goto(url);
  await page.waitForFunction(() => window.firstPicture !== undefined, null, { timeout: 120000 });
  const { metrics } = await client.send("Performance.getMetrics");
  const of = (wanted) => metrics.find(({ name }) => name === wanted)?.value ?? 0;
  note(`processor time of the page's main thread about then, not slowed: ${(of("TaskDuration") * 1000).toFixed(0)} ms, of which scripts ${(of("ScriptDuration") * 1000).toFixed(0)} ms`);
  await context.close();
}
bar(`first picture at 10 Mbit/s, processor slowed four times, median of ${LOADS}`, median(times), 1, "s");
note(`${spread(times)} s; ${load()}`);

// A while of ordinary running, with sound.
{
  const page = await fresh(browser, `${url}#v=1&game=gammon`, { serviceWorkers: "block" });
  await page.locator("#picture").click();
  await page.waitForTimeout(4000);
  const before = await spent();
  const run = await page.evaluate(async () => {
    const { loop, sound } = window.anticlock.app;
    loop.measured = { frames: 0, machine: 0, drawing: 0, since: performance.now() };
    const gaps = sound.state.gaps;
    const queues = [];
    const look = setInterval(() => queues.push(sound.state.queued), 20);
    await new Promise((done) => setTimeout(done, 10000));
    clearInterval(look);
    const { frames, since } = loop.measured;
    return { frames, wall: (performance.now() - since) / 1000, queues, latency: sound.state.latency, gaps: sound.state.gaps - gaps, kind: sound.state.kind };
  });
  const whole = ((await spent()) - before) / run.wall;
  bar("frames a second", run.frames / run.wall, 59, "", true);
  note(`the page's whole process, with drawing and sound: ${(whole * 100).toFixed(1)} % of a core; sound by ${run.kind}, ${run.gaps} gaps in 10 s; ${load()}`);
  const queue = sorted(run.queues);
  bar("queue of the worklet (95th percentile) and base latency", (queue[Math.floor(queue.length * 0.95)] + run.latency) * 1000, 60, "ms");
  note(`queue: median ${(median(queue) * 1000).toFixed(0)} ms, longest ${(queue.at(-1) * 1000).toFixed(0)} ms; base latency ${(run.latency * 1000).toFixed(0)} ms`);
  await page.context().close();
}

// Speed beside the native machine, and an hour of it. By processor time: other programs may run meanwhile.
{
  const page = await fresh(browser, url, { serviceWorkers: "block" });
  await hold(page);
  await page.evaluate(() => window.anticlock.app.loadGames());
  const open = (name, bytes) =>
    page.evaluate(
      ([name, bytes]) => {
        const { emulator } = window.anticlock.app;
        if (bytes === null) emulator.open_built_in(name, name === "basic" ? "h=0" : "");
        else emulator.open_file(name, new Uint8Array(bytes), "");
        for (let i = 0; i < 600; i++) emulator.frame();
      },
      [name, bytes],
    );
  const speed = async (name, bytes = null) => {
    await open(name, bytes);
    const found = [];
    for (let i = 0; i < 5; i++) {
      const before = await spent();
      await page.evaluate(() => {
        const { emulator } = window.anticlock.app;
        for (let i = 0; i < 2000; i++) emulator.frame();
      });
      found.push(2000 / ((await spent()) - before));
    }
    return found;
  };
  const shares = [];
  const stress = process.env.STRESS_XEX;
  for (const [name, native] of Object.entries(NATIVE.speeds)) {
    const found = name === "stress" ? await speed("stress.xex", [...readFileSync(stress)]) : await speed(name);
    shares.push(6000 / median(found));
    note(`${name}: ${median(found).toFixed(0)} frames a second of the processor (${sorted(found)[0].toFixed(0)} to ${sorted(found).at(-1).toFixed(0)}); native ${native}`);
  }
  note(load());
  bar("emulation at 60 frames a second, in the slowest of these", Math.max(...shares), 15, "% of a core");

  const hour = await page.evaluate(async (seconds) => {
    const { app, memoryBytes } = window.anticlock;
    const { emulator } = app;
    emulator.open_built_in("gammon", "");
    emulator.set_rate(48000);
    const rate = emulator.frame_rate();
    const frames = Math.round(seconds * rate);
    let samples = 0;
    for (let i = 0; i < frames; i++) {
      emulator.stick(0, i % 120 < 4 ? 16 : 0);
      emulator.frame();
      samples += emulator.samples_count();
      if (i % 2000 === 0) {
        app.loop.draw();
        await new Promise((done) => setTimeout(done));
      }
    }
    return { memory: memoryBytes(), past: emulator.past_bytes(), drift: Math.abs(samples / 48000 - frames / rate) * 1000, reached: (emulator.newest() - emulator.oldest()) / (rate * 262 * 114) };
  }, SECONDS);
  const client = await page.context().newCDPSession(page);
  await client.send("HeapProfiler.collectGarbage");
  const { usedSize } = await client.send("Runtime.getHeapUsage");
  const time = quick ? "a minute" : "an hour";
  bar(`wasm memory and JavaScript's heap after ${time} of the machine's time`, (hour.memory + usedSize) / (1 << 20), 64, "MB");
  note(`wasm ${(hour.memory / (1 << 20)).toFixed(1)} MB, of which ${(hour.past / (1 << 20)).toFixed(1)} MB the past, which reaches back ${(hour.reached / 60).toFixed(0)} minutes`);
  bar(`drift of the sound against the machine in ${time}`, hour.drift, 20, "ms");
}
await browser.close();
server.close();
const missed = bars.filter(({ met }) => !met).map(({ name }) => name);
console.log(missed.length === 0 ? `all ${bars.length} bars met` : `${missed.length} of ${bars.length} bars MISSED: ${missed.join("; ")}`);
process.exit(missed.length === 0 ? 0 : 1);
