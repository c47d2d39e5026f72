// Runs the page's program as a first visit does, then each game, and writes the numbers of the functions that were called: the first load has those.
// Usage: profile.mjs PROGRAM DIST FILE; the program has a global for each function (web/build/src/split.rs).
import { readFileSync, writeFileSync } from "node:fs";
import init, { Emulator, to_atascii } from "./pkg/web.js";

const [program, dist, file] = process.argv.slice(2);
const wasm = await init({ module_or_path: readFileSync(program) });
const read = (name) => new Uint8Array(readFileSync(`${dist}/${name}`));

function play(emulator, frames, stick = () => 0) {
  for (let i = 0; i < frames; i++) {
    emulator.next_request();
    emulator.host_keys();
    emulator.stick(0, stick(i));
    emulator.stick(1, 0);
    emulator.console(0);
    emulator.hold_key(false);
    const news = emulator.frame();
    if (news !== undefined) {
      for (const what of ["begun", "message", "keys", "stopped"]) news[what];
      news.free();
    }
    emulator.samples_at();
    emulator.samples_count();
    emulator.draw();
    emulator.is_starting();
    emulator.frame_rate();
    if (i % 60 === 0) emulator.text();
  }
}

/** The calls of the page before anything is done on it, and some frames. */
function visit(started, rate) {
  const emulator = new Emulator(48_000);
  emulator.set_colours(...Emulator.usual_colours());
  emulator.remove_files();
  emulator.frames();
  emulator.is_starting();
  emulator.flush();
  emulator.next_request();
  emulator.open_built_in("menu", "");
  emulator.jump(started);
  emulator.remove_files();
  emulator.clear_keys();
  Emulator.is_option("tv");
  Emulator.has_games();
  for (const ask of ["title", "built_in", "machine_name", "frames", "pixel_aspect", "host_keys", "keys_choice", "is_typing", "moment", "state_hash"]) emulator[ask]();
  to_atascii("A");
  Emulator.key_code("return");
  play(emulator, 300);
  // Sound begins with the first key, which may come before the rest.
  emulator.set_rate(rate);
  emulator.put_file("NOTE.TXT", new Uint8Array(10), false);
  emulator.press_key("KeyA", 63);
  play(emulator, 10);
  emulator.release_key("KeyA");
  play(emulator, 600);
}

Emulator.supply_roms(read("roms.bin"));
const started = Emulator.started("menu");
for (const rate of [48_000, 44_100]) visit(started, rate);
// The rest is there when a game is opened, but its frames should not call through the table.
Emulator.supply_games(read("games.bin"));
for (const { name } of Emulator.programs()) {
  const emulator = new Emulator(48_000);
  emulator.open_built_in(name, "");
  while (emulator.is_starting()) emulator.frame();
  play(emulator, 900, (i) => (i % 40 < 6 ? [16, 1, 8, 16, 2, 4][Math.floor(i / 40) % 6] : 0));
}
const called = Object.entries(wasm).filter(([name, hit]) => /^hit\d+$/.test(name) && hit.value === 1);
writeFileSync(file, called.map(([name]) => Number(name.slice(3))).sort((a, b) => a - b).join("\n"));
