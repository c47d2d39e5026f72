// Everything that the browser keeps, as one file.
import { deflate, inflate } from "./links.ts";
import { type Kind, type Kinds, Store, fromFirst } from "./store.ts";

const MAGIC = "anticlock everything 1\n";
const KINDS: readonly string[] = ["files", "states", "disks", "listings", "settings"];

interface Entry {
  kind: Kind;
  value: Record<string, unknown>;
  /** The time at which a value was stored that is not the present one any more. */
  past?: number;
}

/** An entry with its bytes beside it: what JSON cannot hold comes after the text. */
export async function pack(store: Store): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let at = 0;
  const entries: Entry[] = [];
  const add = (kind: Kind, value: object, past?: number) => {
    const shown: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(value)) {
      if (field instanceof Uint8Array || field instanceof ArrayBuffer) {
        const bytes = field instanceof Uint8Array ? field : new Uint8Array(field);
        shown[name] = { at, length: bytes.length, buffer: field instanceof ArrayBuffer };
        parts.push(bytes);
        at += bytes.length;
      } else shown[name] = field;
    }
    entries.push({ kind, value: shown, past });
  };
  for (const kind of KINDS as Kind[]) for (const value of await store.all(kind)) add(kind, value);
  for (const { id, kind, time } of store.past()) {
    const value = await store.version(id);
    if (value !== null) add(kind, value, time);
  }
  const text = new TextEncoder().encode(JSON.stringify(entries));
  const head = new TextEncoder().encode(`${MAGIC}${text.length}\n`);
  const packed = await deflate(new Uint8Array(await new Blob([text as Uint8Array<ArrayBuffer>, ...(parts as Uint8Array<ArrayBuffer>[])]).arrayBuffer()));
  return new Uint8Array(await new Blob([head, packed]).arrayBuffer());
}

/** Takes such a file in; gives the number of its entries. Nothing is stored unless all of it can be read; what was there stays as history. */
export async function unpack(store: Store, file: Uint8Array<ArrayBuffer>): Promise<number> {
  const start = new TextDecoder().decode(file.slice(0, MAGIC.length + 12));
  const length = /^(\d+)\n/.exec(start.slice(MAGIC.length))?.[1];
  if (!start.startsWith(MAGIC) || length === undefined) throw new Error("this file is not an export of this page");
  let bytes: Uint8Array<ArrayBuffer>;
  let entries: Entry[];
  try {
    // Blank disks compress well: as much as the page keeps of them.
    bytes = await inflate(file.slice(MAGIC.length + length.length + 1), 512 << 20);
    entries = JSON.parse(new TextDecoder().decode(bytes.slice(0, Number(length))));
    const base = Number(length);
    for (const { kind, value } of entries) {
      if (!KINDS.includes(kind)) throw new Error("unknown kind");
      for (const [name, field] of Object.entries(value)) {
        if (typeof field !== "object" || field === null) continue;
        const { at, length: count, buffer } = field as { at: number; length: number; buffer: boolean };
        const part = bytes.slice(base + at, base + at + count);
        if (part.length !== count) throw new Error("cut off");
        value[name] = buffer ? part.buffer : part;
      }
      if (typeof (kind === "files" ? value.name : value.key) !== "string") throw new Error("no name");
    }
  } catch {
    throw new Error("this export is damaged; nothing was imported");
  }
  for (const { kind, value, past } of entries) {
    const [into, made] = fromFirst(kind, value as unknown as Kinds[Kind]);
    if (typeof past === "number") await store.restore(into, made, past);
    else await store.put(into, made, "import");
  }
  return entries.length;
}
