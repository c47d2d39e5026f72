// Everything that the browser keeps, as one file.
import { deflate, inflate } from "./links.ts";
import { Store } from "./store.ts";

const MAGIC = "anticlock everything 1\n";
const STORES = ["files", "states", "disks", "settings"] as const;

/** An entry with its bytes beside it: what JSON cannot hold comes after the text. */
export async function pack(store: Store): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let at = 0;
  const entries: { kind: string; value: unknown }[] = [];
  for (const kind of STORES) {
    for (const value of await store.all(kind)) {
      const shown: Record<string, unknown> = {};
      for (const [name, field] of Object.entries(value)) {
        if (field instanceof Uint8Array || field instanceof ArrayBuffer) {
          const bytes = field instanceof Uint8Array ? field : new Uint8Array(field);
          shown[name] = { at, length: bytes.length, buffer: field instanceof ArrayBuffer };
          parts.push(bytes);
          at += bytes.length;
        } else shown[name] = field;
      }
      entries.push({ kind, value: shown });
    }
  }
  const text = new TextEncoder().encode(JSON.stringify(entries));
  const head = new TextEncoder().encode(`${MAGIC}${text.length}\n`);
  const packed = await deflate(new Uint8Array(await new Blob([text as Uint8Array<ArrayBuffer>, ...(parts as Uint8Array<ArrayBuffer>[])]).arrayBuffer()));
  return new Uint8Array(await new Blob([head, packed]).arrayBuffer());
}

/** Takes such a file in; gives the number of its entries. Nothing is stored unless all of it can be read. */
export async function unpack(store: Store, file: Uint8Array<ArrayBuffer>): Promise<number> {
  const start = new TextDecoder().decode(file.slice(0, MAGIC.length + 12));
  const length = /^(\d+)\n/.exec(start.slice(MAGIC.length))?.[1];
  if (!start.startsWith(MAGIC) || length === undefined) throw new Error("this file is not an export of this page");
  let bytes: Uint8Array<ArrayBuffer>;
  let entries: { kind: (typeof STORES)[number]; value: Record<string, unknown> }[];
  try {
    bytes = await inflate(file.slice(MAGIC.length + length.length + 1), 512 << 20);
    entries = JSON.parse(new TextDecoder().decode(bytes.slice(0, Number(length))));
    const base = Number(length);
    for (const { kind, value } of entries) {
      if (!STORES.includes(kind)) throw new Error("unknown kind");
      for (const [name, field] of Object.entries(value)) {
        if (typeof field !== "object" || field === null) continue;
        const { at, length: count, buffer } = field as { at: number; length: number; buffer: boolean };
        const part = bytes.slice(base + at, base + at + count);
        if (part.length !== count) throw new Error("cut off");
        value[name] = buffer ? part.buffer : part;
      }
    }
  } catch {
    throw new Error("this export is damaged; nothing was imported");
  }
  for (const { kind, value } of entries) await store.put(kind, value as never);
  return entries.length;
}
