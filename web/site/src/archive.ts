// Files inside of files: .zip and .gz, unpacked by the browser and never beyond a bound. Loaded with the first of them.
import { Emulator } from "./machine.ts";

/** A file for the machine. */
export interface Unpacked {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Entries of an archive that are looked at. */
const ENTRIES = 1000;
/** Bytes of an entry that are looked at to tell what it is. */
const START = 0x4000;
/** Bytes that a file may unpack to: 16 MB is the largest disk image. */
const LARGEST = 17 << 20;
/** Bytes that are unpacked of all entries together to tell what they are. */
const LOOKED = 32 << 20;

const TOO_LARGE = "unpacked it is too large for an Atari";
const DAMAGED = "the archive is damaged";

/** Signatures of a ZIP file: a local header, an entry of the directory, its end. */
const LOCAL = 0x04034b50;
const ENTRY = 0x02014b50;
const END = 0x06054b50;

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** Unpacks at most `most` bytes; with `cut` what is more is left out, else it is an error. */
async function inflated(bytes: Uint8Array<ArrayBuffer>, format: "gzip" | "deflate-raw", most: number, cut = false): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format)).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  while (length <= most) {
    const { done, value } = await reader.read().catch(() => {
      throw new Error(DAMAGED);
    });
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    length += value.length;
    parts.push(value as Uint8Array<ArrayBuffer>);
  }
  await reader.cancel();
  if (!cut) throw new Error(TOO_LARGE);
  return new Uint8Array(await new Blob(parts).slice(0, most).arrayBuffer());
}

/** A file without `.gz`; GAME.ATZ is GAME.ATR, and GAME.XFZ is GAME.XFD. */
export async function gunzip(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<Unpacked> {
  const plain = name.replace(/\.gz$/i, "").replace(/\.atz$/i, ".atr").replace(/\.xfz$/i, ".xfd");
  return { name: plain, bytes: await inflated(bytes, "gzip", LARGEST) };
}

/** An entry of a ZIP file: its name, its length, how it is packed, and where. */
interface Entry {
  name: string;
  isStored: boolean;
  length: number;
  packed: Uint8Array<ArrayBuffer>;
}

/** The entries of a ZIP file by its directory. */
function entries(file: Uint8Array<ArrayBuffer>): Entry[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  // The end is followed by a comment of at most 64 KB.
  let end = file.length - 22;
  while (end >= 0 && end >= file.length - 22 - 0xffff && view.getUint32(end, true) !== END) end--;
  if (end < 0 || view.getUint32(end, true) !== END) throw new Error(DAMAGED);
  const count = Math.min(view.getUint16(end + 10, true), ENTRIES);
  let at = view.getUint32(end + 16, true);
  const found: Entry[] = [];
  for (let i = 0; i < count; i++) {
    if (at + 46 > file.length || view.getUint32(at, true) !== ENTRY) throw new Error(DAMAGED);
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    const length = view.getUint32(at + 20, true);
    const unpacked = view.getUint32(at + 24, true);
    const [named, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    const local = view.getUint32(at + 42, true);
    const name = new TextDecoder(flags & 0x800 ? "utf-8" : "latin1").decode(file.subarray(at + 46, at + 46 + named));
    at += 46 + named + extra + comment;
    if (local + 30 > file.length || view.getUint32(local, true) !== LOCAL) throw new Error(DAMAGED);
    const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    // Encrypted entries, and methods that browsers do not know, are left out.
    if ((flags & 1) !== 0 || (method !== 0 && method !== 8) || from + length > file.length) continue;
    found.push({ name, isStored: method === 0, length: unpacked, packed: file.subarray(from, from + length) });
  }
  return found;
}

const unpack = async ({ isStored, packed }: Entry, most: number, cut: boolean): Promise<Uint8Array<ArrayBuffer>> => {
  if (!isStored) return inflated(packed, "deflate-raw", most, cut);
  if (packed.length > most && !cut) throw new Error(TOO_LARGE);
  return packed.slice(0, most);
};

/** Bytes of the largest text of a project. */
const TEXT = 256 << 10;

/** The texts in a ZIP file, by their names without folders. */
export async function texts(file: Uint8Array<ArrayBuffer>): Promise<{ name: string; text: string }[]> {
  const found: { name: string; text: string }[] = [];
  for (const entry of entries(file).slice(0, 100)) {
    const name = entry.name.split("/").pop() ?? "";
    if (name === "" || name.startsWith(".") || entry.name.startsWith("__MACOSX/")) continue;
    const bytes = await unpack(entry, TEXT, false);
    try {
      found.push({ name, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) });
    } catch {
      throw new Error(`${name.slice(0, 60)} in the archive is not a text`);
    }
  }
  return found;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});

const crc32 = (bytes: Uint8Array): number => ~bytes.reduce((sum, byte) => TABLE[(sum ^ byte) & 255] ^ (sum >>> 8), 0xffffffff) >>> 0;

/** A record of a ZIP file: fields of 2 or 4 bytes, then bytes as they are. */
function record(fields: [number, 2 | 4][], ...rest: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const head = new DataView(new ArrayBuffer(fields.reduce((sum, [, size]) => sum + size, 0)));
  let at = 0;
  for (const [value, size] of fields) {
    if (size === 2) head.setUint16(at, value, true);
    else head.setUint32(at, value, true);
    at += size;
  }
  const all = new Uint8Array(at + rest.reduce((sum, { length }) => sum + length, 0));
  all.set(new Uint8Array(head.buffer));
  for (const part of rest) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A ZIP file of files, which are stored as they are: texts of some kilobytes. */
export function zip(files: { name: string; bytes: Uint8Array<ArrayBuffer> }[], time: Date): Blob {
  const [date, clock] = [((time.getFullYear() - 1980) << 9) | ((time.getMonth() + 1) << 5) | time.getDate(), (time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1)];
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  for (const { name, bytes } of files) {
    const named = new TextEncoder().encode(name);
    // Version 2.0, names in UTF-8, stored, when, sum, lengths.
    const about: [number, 2 | 4][] = [[20, 2], [0x800, 2], [0, 2], [clock, 2], [date, 2], [crc32(bytes), 4], [bytes.length, 4], [bytes.length, 4], [named.length, 2], [0, 2]];
    directory.push(record([[ENTRY, 4], [20, 2], ...about, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]], named));
    parts.push(record([[LOCAL, 4], ...about], named, bytes));
    at += parts[parts.length - 1].length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = record([[END, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [size, 4], [at, 4], [0, 2]]);
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}

/** The entries of a ZIP file that are of use to the machine, by name, and lists of disks; folders and what a Mac adds are not. */
export async function usable(file: Uint8Array<ArrayBuffer>): Promise<{ name: string; isDisk: boolean; open: () => Promise<Unpacked> }[]> {
  const found = [];
  let looked = 0;
  for (const entry of entries(file)) {
    const name = entry.name.split("/").pop() ?? "";
    if (name === "" || name.startsWith(".") || entry.name.startsWith("__MACOSX/")) continue;
    const start = await unpack(entry, START, true).catch(() => null);
    if (start === null || (!isGzip(start) && !/\.m3u$/i.test(name) && !Emulator.is_usable(entry.name, start, entry.length))) continue;
    looked += start.length;
    if (looked > LOOKED) break;
    const open = async (): Promise<Unpacked> => {
      const bytes = await unpack(entry, LARGEST, false);
      return isGzip(bytes) ? gunzip(name, bytes) : { name, bytes };
    };
    const isDisk = Emulator.kind_of(name, start) === "disk" || /\.at[rz](\.gz)?$/i.test(name);
    found.push({ name: entry.name, isDisk, open });
  }
  return found.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
}
