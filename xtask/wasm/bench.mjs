// Runs a machine in WebAssembly: node bench.mjs PROGRAM STATE DRAWING FRAMES ROUNDS
// Prints frames a second of CPU time for each round, then the microseconds of a copy of the machine.
import { readFileSync } from 'node:fs';

const [program, state, drawing, frames, rounds] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(program));
const { memory, room, load, run, copy } = instance.exports;

const bytes = readFileSync(state);
const place = room(bytes.length);
new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
if (!load(Number(drawing))) {
  throw new Error('the machine does not take the state');
}

/** CPU seconds of something. */
function seconds(work) {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

for (let round = 0; round < Number(rounds); round++) {
  console.log(frames / seconds(() => run(Number(frames))));
}
const times = 2000;
copy(times);
console.log((seconds(() => copy(times)) * 1e6) / times);
