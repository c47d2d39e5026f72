// Runs a machine in WebAssembly in Chromium: node chromium.mjs PROGRAM STATE DRAWING FRAMES ROUNDS
// Prints frames a second of the page's processor time for each round, then a second by the clock with the processor slowed four times:
// Chromium slows a page by letting its thread wait.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { chromium } = createRequire(new URL('../../web/site/package.json', import.meta.url))('playwright-core');
const [program, state, drawing, frames, rounds] = process.argv.slice(2);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update'],
});
const page = await browser.newPage();
await page.evaluate(
  async ([program, state, drawing]) => {
    const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const { instance } = await WebAssembly.instantiate(bytes(program));
    const { memory, room, load, run } = instance.exports;
    const saved = bytes(state);
    const place = room(saved.length);
    new Uint8Array(memory.buffer, place, saved.length).set(saved);
    if (!load(drawing)) throw new Error('the machine does not take the state');
    window.run = run;
  },
  [readFileSync(program).toString('base64'), readFileSync(state).toString('base64'), Number(drawing)],
);

const system = await browser.newBrowserCDPSession();
/** Seconds of processor time of the processes that run pages. */
const spent = async () => {
  const { processInfo } = await system.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ type }) => type === 'renderer').reduce((all, { cpuTime }) => all + cpuTime, 0);
};
/** Frames a second of processor time, which is counted in hundredths of a second. */
const speed = async (frames) => {
  const before = await spent();
  for (let done = frames; ; done += frames) {
    await page.evaluate((frames) => window.run(frames), frames);
    const time = (await spent()) - before;
    if (time >= 0.3) return done / time;
  }
};

for (let round = 0; round < Number(rounds); round++) console.log(await speed(Number(frames)));
const client = await page.context().newCDPSession(page);
await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
const milliseconds = await page.evaluate((frames) => {
  const before = performance.now();
  window.run(frames);
  return performance.now() - before;
}, Number(frames));
console.log((1000 * Number(frames)) / milliseconds);
await browser.close();
