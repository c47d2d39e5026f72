// The program with the debugger and the assembler: larger than the page's own, and loaded when it is first wanted.
import init, { Emulator, type InitOutput, Inspector, WrongLine, assemble } from "../pkg-inside/web.js";
import { roms } from "./machine.ts";

export { Emulator, type InitOutput, Inspector, WrongLine, assemble };
export type { BasicRow, Beam, BreakpointRow, CodeRow, Explanation, InterruptRow, Processor, SourceRow, WatchRow, WhyLine } from "../pkg-inside/web.js";

let loading: Promise<InitOutput> | null = null;

/** Loads it, once; a failure is tried again when it is wanted again. */
export function engine(): Promise<InitOutput> {
  loading ??= (async () => {
    const wasm = await init({ module_or_path: fetch(new URL("inside.wasm", import.meta.url)) });
    Emulator.supply_roms(await roms());
    return wasm;
  })().catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}
