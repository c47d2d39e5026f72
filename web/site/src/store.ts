// The browser's storage: files of H:, saved states, written disks, listings, settings. Where storage is refused, memory until the page closes.
//
// Nothing is overwritten by another run of the page: a value is a record of its own, whose name ends with its time and its run, and the newest
// record of a key is its present value. Older ones are its history, of which the newest are kept. A removed value is a record without one.

/** A saved state. */
export interface Saved {
  /** Program and slot. */
  key: string;
  program: string;
  title: string;
  slot: string;
  time: number;
  state: Uint8Array<ArrayBuffer>;
  /** A small PNG file; it is stored after the state, and missing where the page was closed before. */
  picture: ArrayBuffer | null;
}

/** A file of H:. */
export interface Filed {
  /** Its name; those of a link's H: have the link's key and "/" before it. */
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  locked: boolean;
}

/** A disk or tape that a program has written to. */
export interface Written {
  /** Which medium it is: by its contents before it was written to, or by program and name. */
  key: string;
  /** The program that was in the machine. */
  program: string;
  name: string;
  /** The drive, 1 to 8; 0 for a tape, and for a disk that is in none. */
  drive: number;
  /** It is a tape. */
  tape?: boolean;
  time: number;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A BASIC listing: the user's own, or that of a link. */
export interface Listing {
  key: string;
  time: number;
  text: string;
}

export interface Kinds {
  files: Filed;
  states: Saved;
  disks: Written;
  listings: Listing;
  settings: { key: string; value: string };
}
export type Kind = keyof Kinds;

/** The key of the user's own listing. */
export const OWN = "own";

/** Records that are kept of a key, and milliseconds within which a run of the page writes into the same one. */
const RULES: Record<Kind, { keep: number; apart: number }> = {
  files: { keep: 20, apart: 10_000 },
  states: { keep: 10, apart: 0 },
  disks: { keep: 10, apart: 600_000 },
  listings: { keep: 30, apart: 300_000 },
  settings: { keep: 1, apart: Number.POSITIVE_INFINITY },
};
/** Milliseconds between two records of what the page saves by itself. */
const APART = 600_000;
/** Between the parts of a record's name: a control character that no key has. */
const BETWEEN = "\u001f";
const STORE = "records";

/** A record's name in parts. */
export interface Version {
  id: string;
  kind: Kind;
  key: string;
  time: number;
}

const keyOf = (kind: Kind, value: Kinds[Kind]): string => (kind === "files" ? (value as Filed).name : (value as { key: string }).key);

function nameOf(kind: Kind, key: string, time: number, run: string): string {
  return [kind, key, String(Math.round(time)).padStart(15, "0"), run].join(BETWEEN);
}

function parsed(id: string): Version | null {
  const [kind, key, time] = id.split(BETWEEN);
  return key !== undefined && time !== undefined && kind in RULES ? { id, kind: kind as Kind, key, time: Number(time) } : null;
}

/** Records by name, in the browser's database or in memory. */
interface Shelf {
  get(id: string): Promise<unknown>;
  /** Begins to store at once: a page that is being closed has no other turn. */
  put(id: string, value: unknown): Promise<void>;
  remove(ids: string[]): Promise<void>;
}

class Memory implements Shelf {
  private readonly records = new Map<string, unknown>();

  async get(id: string): Promise<unknown> {
    return this.records.get(id);
  }

  async put(id: string, value: unknown): Promise<void> {
    this.records.set(id, structuredClone(value));
  }

  async remove(ids: string[]): Promise<void> {
    for (const id of ids) this.records.delete(id);
  }
}

class Database implements Shelf {
  constructor(private readonly base: IDBDatabase) {}

  run<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T> | undefined): Promise<T | undefined> {
    return new Promise((done, failed) => {
      const transaction = this.base.transaction(STORE, mode, { durability: mode === "readonly" ? "default" : "strict" });
      const request = act(transaction.objectStore(STORE));
      // Stored is what the transaction has stored: a full disk is found out at its end.
      transaction.oncomplete = () => done(request?.result);
      transaction.onerror = () => failed(transaction.error ?? request?.error);
      transaction.onabort = () => failed(transaction.error ?? new DOMException("the browser's storage is full", "QuotaExceededError"));
      // Without this the transaction of a page that is being closed is undone.
      transaction.commit?.();
    });
  }

  get(id: string): Promise<unknown> {
    return this.run("readonly", (store) => store.get(id));
  }

  async put(id: string, value: unknown): Promise<void> {
    await this.run("readwrite", (store) => store.put(value, id));
  }

  async remove(ids: string[]): Promise<void> {
    await this.run("readwrite", (store) => {
      for (const id of ids) store.delete(id);
      return undefined;
    });
  }
}

export class Store {
  /** The names of all records by kind and key, each list with the newest last. */
  private readonly index = new Map<string, string[]>();
  /** Records that this run of the page still writes into. */
  private readonly open = new Map<string, { id: string; since: number }>();
  /** Other pages of this browser hear of each record. */
  private readonly channel = typeof BroadcastChannel === "function" ? new BroadcastChannel("anticlock") : null;
  private readonly shelf: Shelf;
  private isAsked = false;
  /** The page is being left: the database may not come to what is stored now, so that it is written down beside it. */
  isLeaving = false;
  /** Another page has stored or removed a value. */
  heard: (kind: Kind, key: string) => void = () => {};

  private constructor(
    base: IDBDatabase | null,
    ids: string[],
    /** Why nothing is kept; one sentence. */
    readonly trouble: string,
    /** The name of this run of the page. */
    readonly run: string,
  ) {
    this.shelf = base === null ? new Memory() : new Database(base);
    for (const id of ids) this.note(id);
    if (this.channel !== null && base !== null) {
      this.channel.onmessage = ({ data }: MessageEvent<{ added?: string; removed?: string[] }>) => {
        const found = parsed(data.added ?? "");
        if (data.added !== undefined) this.note(data.added);
        for (const id of data.removed ?? []) this.strike(id);
        if (found !== null) this.heard(found.kind, found.key);
      };
    }
    // Held while the page is open: other pages can tell whether a value was left, or still has its page.
    navigator.locks?.request(`anticlock ${run}`, () => new Promise(() => {})).catch(() => {});
  }

  static async open(): Promise<Store> {
    const run = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    try {
      const base = await new Promise<IDBDatabase>((done, failed) => {
        const request = indexedDB.open("anticlock", 2);
        request.onupgradeneeded = () => upgrade(request.result, request.transaction as IDBTransaction);
        request.onsuccess = () => done(request.result);
        request.onerror = () => failed(request.error);
        request.onblocked = () => failed(new Error("another page holds it"));
      });
      base.onversionchange = () => base.close();
      const shelf = new Database(base);
      await takeLeft(shelf).catch(() => {});
      const ids = await shelf.run("readonly", (store) => store.getAllKeys());
      return new Store(base, (ids ?? []).map(String), "", run);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return new Store(null, [], `this browser keeps nothing for this page (${why}): saved states last until it is closed`, run);
    }
  }

  private records(kind: Kind, key: string): string[] {
    return this.index.get(kind + BETWEEN + key) ?? [];
  }

  private note(id: string): void {
    const found = parsed(id);
    if (found === null) return;
    const records = this.records(found.kind, found.key);
    if (records.includes(id)) return;
    records.push(id);
    records.sort();
    this.index.set(found.kind + BETWEEN + found.key, records);
  }

  private strike(id: string): void {
    const found = parsed(id);
    if (found === null) return;
    const left = this.records(found.kind, found.key).filter((one) => one !== id);
    if (left.length > 0) this.index.set(found.kind + BETWEEN + found.key, left);
    else this.index.delete(found.kind + BETWEEN + found.key);
  }

  /** Every key's present value. */
  async all<K extends Kind>(kind: K): Promise<Kinds[K][]> {
    const newest = [...this.index].filter(([name]) => name.startsWith(kind + BETWEEN)).map(([, records]) => records[records.length - 1]);
    const values = await Promise.all(newest.map((id) => this.shelf.get(id)));
    return values.filter((value) => value !== undefined && value !== null) as Kinds[K][];
  }

  async get<K extends Kind>(kind: K, key: string): Promise<Kinds[K] | undefined> {
    const id = this.records(kind, key).at(-1);
    return id === undefined ? undefined : (((await this.shelf.get(id)) ?? undefined) as Kinds[K] | undefined);
  }

  /** Values that are no longer the present ones, the newest first. */
  past(): Version[] {
    const found: Version[] = [];
    for (const records of this.index.values()) for (const id of records.slice(0, -1)) found.push(parsed(id) as Version);
    return found.filter(({ kind }) => kind !== "settings").sort((a, b) => b.time - a.time);
  }

  /** Everything: past and present. */
  everything(): Version[] {
    return [...this.index.values()].flat().map((id) => parsed(id) as Version);
  }

  /** The value of a record; null for a removed one. */
  async version(id: string): Promise<Kinds[Kind] | null> {
    return ((await this.shelf.get(id)) ?? null) as Kinds[Kind] | null;
  }

  /** True if the run of the page that wrote a key's present value is still open, in another window or tab. */
  async isOpenElsewhere(kind: Kind, key: string): Promise<boolean> {
    const run = this.records(kind, key).at(-1)?.split(BETWEEN)[3]?.split(".")[0];
    if (run === undefined || run === this.run || navigator.locks === undefined) return false;
    const { held } = await navigator.locks.query();
    return held?.some(({ name }) => name === `anticlock ${run}`) === true;
  }

  /** Stores a value; `lane` tells apart what one run of the page writes side by side. Begins at once, and rejects when it was not stored. */
  put<K extends Kind>(kind: K, value: Kinds[K], lane = ""): Promise<void> {
    const automatic = kind === "states" && (value as unknown as Saved).slot === "auto";
    return this.write(kind, keyOf(kind, value), value, lane, automatic ? APART : RULES[kind].apart);
  }

  async remove(kind: Kind, key: string): Promise<void> {
    if (this.records(kind, key).length > 0) await this.write(kind, key, null, "", 0);
  }

  /** Lets the next value of this key be a record of its own. */
  close(kind: Kind, key: string, lane = ""): void {
    this.open.delete([kind, key, lane].join(BETWEEN));
  }

  /** Removes one record for good. */
  async erase(id: string): Promise<void> {
    await this.shelf.remove([id]);
    this.gone([id]);
  }

  /** Stores a value of a certain time, out of an export. */
  async restore<K extends Kind>(kind: K, value: Kinds[K], time: number): Promise<void> {
    const id = nameOf(kind, keyOf(kind, value), time, `${this.run}.import`);
    await this.shelf.put(id, value);
    this.added(id);
  }

  private async write(kind: Kind, key: string, value: Kinds[Kind] | null, lane: string, apart: number): Promise<void> {
    const now = Date.now();
    const name = [kind, key, lane].join(BETWEEN);
    let open = this.open.get(name);
    const before = this.records(kind, key);
    if (kind === "settings" && before.length > 0) open = { id: before[before.length - 1], since: now };
    // A host's clock may go back: a new value is the newest all the same.
    const newest = parsed(before.at(-1) ?? "")?.time ?? 0;
    const isNewest = open !== undefined && before.at(-1) === open.id;
    if (open === undefined || now - open.since >= apart || !isNewest) {
      open = { id: nameOf(kind, key, Math.max(now, newest + 1), lane === "" ? this.run : `${this.run}.${lane}`), since: now };
    }
    const { id } = open;
    if (apart > 0) this.open.set(name, open);
    else this.open.delete(name);
    this.note(id);
    const done = this.isLeaving && this.trouble === "" ? leave(id, value) : () => {};
    try {
      await this.shelf.put(id, value);
      done();
    } catch (error) {
      if ((error as DOMException | null)?.name !== "QuotaExceededError" || !(await this.makeRoom())) {
        if (!before.includes(id)) this.strike(id);
        this.open.delete(name);
        throw error;
      }
      await this.shelf.put(id, value);
    }
    this.added(id);
    if (kind !== "settings") this.askToKeep();
    const records = this.records(kind, key);
    const old = records.slice(0, Math.max(0, records.length - RULES[kind].keep));
    if (old.length > 0) {
      // A record that is left over does no harm; it goes with the next value.
      await this.shelf.remove(old).then(() => this.gone(old), () => {});
    }
  }

  /** Stores the picture of a state, if that is still the present one. */
  async addPicture(saved: Saved): Promise<void> {
    const id = this.records("states", saved.key).at(-1);
    if (id === undefined || ((await this.shelf.get(id)) as Saved | null)?.time !== saved.time) return;
    await this.shelf.put(id, saved);
  }

  /** The browser's storage is full: the older half of the past goes. False without a past. */
  private async makeRoom(): Promise<boolean> {
    const past = this.past();
    const old = past.slice(Math.floor(past.length / 2)).map(({ id }) => id);
    if (old.length === 0) return false;
    await this.shelf.remove(old);
    this.gone(old);
    return true;
  }

  private added(id: string): void {
    this.note(id);
    this.channel?.postMessage({ added: id });
  }

  private gone(ids: string[]): void {
    for (const id of ids) this.strike(id);
    this.channel?.postMessage({ removed: ids });
  }

  /** Asks the browser once not to throw away the user's work when it needs room. */
  private askToKeep(): void {
    if (this.isAsked) return;
    this.isAsked = true;
    void navigator.storage?.persist?.().catch(() => {});
  }
}

/** Begins the names of what was written down when a page was left. */
const LEFT = "anticlock left ";

/**
 * Writes a record down in the storage that is written at once. Browsers undo a transaction of the database when the page goes before it has ended.
 * Gives what removes it again.
 */
function leave(id: string, value: unknown): () => void {
  const name = LEFT + id;
  try {
    localStorage.setItem(name, JSON.stringify(value, (_, field) => (field instanceof Uint8Array ? { base64: base64(field) } : field)));
  } catch {
    // No room or no such storage: only the database is left.
  }
  return () => localStorage.removeItem(name);
}

/** Takes what was written down so into the database. */
async function takeLeft(shelf: Shelf): Promise<void> {
  for (const name of Object.keys(localStorage).filter((name) => name.startsWith(LEFT))) {
    const text = localStorage.getItem(name);
    if (text === null || parsed(name.slice(LEFT.length)) === null) continue;
    const value: unknown = JSON.parse(text, (_, field) => {
      const packed = (field as { base64?: unknown } | null)?.base64;
      return typeof packed === "string" ? Uint8Array.from(atob(packed), (c) => c.charCodeAt(0)) : field;
    });
    await shelf.put(name.slice(LEFT.length), value);
    localStorage.removeItem(name);
  }
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

/** Makes the database, out of that of the first version where there is one. */
function upgrade(base: IDBDatabase, transaction: IDBTransaction): void {
  const records = base.createObjectStore(STORE);
  for (const kind of ["files", "states", "disks", "settings"] as const) {
    if (!base.objectStoreNames.contains(kind)) continue;
    const all = transaction.objectStore(kind).getAll();
    all.onsuccess = () => {
      for (const value of all.result) {
        const [into, made] = fromFirst(kind, value);
        records.put(made, nameOf(into, keyOf(into, made), (made as { time?: number }).time ?? 1, "first"));
      }
      base.deleteObjectStore(kind);
    };
  }
}

/** A value as the first version of this page kept it, or exported it. */
export function fromFirst(kind: Kind, value: Kinds[Kind]): [Kind, Kinds[Kind]] {
  if (kind === "settings" && (value as Kinds["settings"]).key === "listing") {
    return ["listings", { key: OWN, time: 1, text: (value as Kinds["settings"]).value }];
  }
  const disk = value as Written;
  if (kind === "disks" && disk.program === undefined) {
    // Its key was the program and a number, which is in no other disk's: two of one name stay apart by it.
    const program = disk.key.replace(/ \d+$/, "");
    return ["disks", { ...disk, key: `${program} ${disk.name} ${disk.key.slice(program.length + 1)}`, program, drive: 1 }];
  }
  return [kind, value];
}
