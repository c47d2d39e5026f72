// The emulated machine: the WebAssembly program and what the page does with it every frame.
import init, { Emulator, type InitOutput, basic_words, to_atascii } from "../pkg/web.js";

/** Width and height of the picture in hires pixels. */
export const WIDTH = 376;
export const HEIGHT = 240;

/** A module whose one function uses a vector: it is valid where WebAssembly has SIMD. */
const SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];

let wasm: InitOutput;
/** The program has all its functions: the fast one. */
let isWhole = false;
let rest: Promise<void> | null = null;

let images: Promise<Uint8Array> | null = null;

/** The ROM images, for each program that needs them. */
export function roms(): Promise<Uint8Array> {
  images ??= fetch(new URL("roms.bin", import.meta.url)).then(async (answer) => {
    if (!answer.ok) throw new Error("the ROM images could not be loaded; reload the page");
    return new Uint8Array(await answer.arrayBuffer());
  });
  return images;
}

const MISSING = "a part of the program could not be loaded; with a network, reload the page";

/** What `rest.wasm` imports: it puts its functions into a table of the first program. */
const parts = (): WebAssembly.Imports => ({ p: wasm as unknown as WebAssembly.ModuleImports });

/** Loads the functions that are not in the first load; rejects with one sentence. */
export function loadRest(): Promise<void> {
  if (isWhole) return Promise.resolve();
  rest ??= (async () => {
    const answer = await fetch(new URL("rest.wasm", import.meta.url));
    if (!answer.ok) throw new Error(MISSING);
    await WebAssembly.instantiate(await answer.arrayBuffer(), parts());
  })().catch(() => {
    rest = null;
    throw new Error(MISSING);
  });
  return rest;
}

/** Called by the program for a function that is not there yet: the page waits for the rest. */
function bringRest(): void {
  const request = new XMLHttpRequest();
  request.open("GET", new URL("rest.wasm", import.meta.url), false);
  request.overrideMimeType("text/plain; charset=x-user-defined");
  try {
    request.send();
    const bytes = Uint8Array.from(request.responseText, (character) => character.charCodeAt(0));
    new WebAssembly.Instance(new WebAssembly.Module(bytes), parts());
  } catch {
    throw new Error(MISSING);
  }
}

/** Loads the program, or the fast one, which is larger and is not kept for use without a network; rejects with one sentence. */
export async function load(isFast: boolean): Promise<void> {
  if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly, or it is switched off");
  if (!WebAssembly.validate(new Uint8Array(SIMD))) {
    throw new Error("this browser's WebAssembly has no SIMD; browsers have it since 2021 (Safari since 16.4)");
  }
  const from = (name: string) => init({ module_or_path: fetch(new URL(name, import.meta.url)) });
  const whole = async () => {
    const made = await from("fast.wasm");
    isWhole = true;
    return made;
  };
  Object.assign(globalThis, { anticlockRest: bringRest });
  const program = isFast ? whole().catch(() => from("anticlock.wasm")) : from("anticlock.wasm");
  const [made, file] = await Promise.all([program, roms()]);
  wasm = made;
  if (!Emulator.supply_roms(file)) throw new Error("the ROM images are damaged; reload the page");
}

/** Bytes of WebAssembly memory. */
export function memoryBytes(): number {
  return wasm.memory.buffer.byteLength;
}

/** The WebAssembly memory, for tests. */
export function memory(): ArrayBuffer {
  return wasm.memory.buffer as ArrayBuffer;
}

/** The samples of the last frame: valid until the machine runs on. */
export function samples(emulator: Emulator): Float32Array {
  return new Float32Array(wasm.memory.buffer, emulator.samples_at(), emulator.samples_count());
}

/** The picture: valid until the machine runs on. */
export function picture(emulator: Emulator): Uint8ClampedArray<ArrayBuffer> {
  const at = emulator.draw();
  return new Uint8ClampedArray(wasm.memory.buffer as ArrayBuffer, at, WIDTH * HEIGHT * 4);
}

export { Emulator, basic_words, to_atascii };
export type { Density, Keys, MouseRole, News, ProgramKind } from "../pkg/web.js";
