// What the browser keeps: files of H:, saved states, written disks, settings. Where storage is refused, memory until the page closes.

/** A saved state. */
export interface Saved {
  /** Program and slot. */
  key: string;
  program: string;
  title: string;
  slot: string;
  time: number;
  state: Uint8Array<ArrayBuffer>;
  picture: ArrayBuffer;
}

/** A file of H:. */
export interface Filed {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  locked: boolean;
}

/** A disk that a program has written to. */
export interface Written {
  key: string;
  name: string;
  time: number;
  bytes: Uint8Array<ArrayBuffer>;
}

interface Kinds {
  files: Filed;
  states: Saved;
  disks: Written;
  settings: { key: string; value: string };
}

const KEYS: Record<keyof Kinds, string> = { files: "name", states: "key", disks: "key", settings: "key" };

export class Store {
  private readonly memory: { [Kind in keyof Kinds]: Map<string, Kinds[Kind]> } = {
    files: new Map(),
    states: new Map(),
    disks: new Map(),
    settings: new Map(),
  };

  private constructor(
    private readonly base: IDBDatabase | null,
    /** Why nothing is kept; one sentence. */
    readonly trouble: string,
  ) {}

  static async open(): Promise<Store> {
    try {
      const base = await new Promise<IDBDatabase>((done, failed) => {
        const request = indexedDB.open("anticlock", 1);
        request.onupgradeneeded = () => {
          for (const [kind, key] of Object.entries(KEYS)) request.result.createObjectStore(kind, { keyPath: key });
        };
        request.onsuccess = () => done(request.result);
        request.onerror = () => failed(request.error);
        request.onblocked = () => failed(new Error("another page holds it"));
      });
      base.onversionchange = () => base.close();
      return new Store(base, "");
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return new Store(null, `this browser keeps nothing for this page (${why}): saved states last until it is closed`);
    }
  }

  private run<T>(kind: keyof Kinds, mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    return new Promise((done, failed) => {
      const base = this.base;
      if (base === null) return failed(new Error("no storage"));
      const transaction = base.transaction(kind, mode, { durability: "relaxed" });
      const request = act(transaction.objectStore(kind));
      // Stored is what the transaction has stored: a full disk is found out at its end.
      transaction.oncomplete = () => done(request.result);
      transaction.onerror = () => failed(transaction.error ?? request.error);
      transaction.onabort = () => failed(transaction.error ?? new Error("the browser's storage is full"));
    });
  }

  async all<Kind extends keyof Kinds>(kind: Kind): Promise<Kinds[Kind][]> {
    if (this.base === null) return [...this.memory[kind].values()] as Kinds[Kind][];
    return this.run(kind, "readonly", (store) => store.getAll() as IDBRequest<Kinds[Kind][]>);
  }

  async get<Kind extends keyof Kinds>(kind: Kind, key: string): Promise<Kinds[Kind] | undefined> {
    if (this.base === null) return this.memory[kind].get(key) as Kinds[Kind] | undefined;
    return this.run(kind, "readonly", (store) => store.get(key) as IDBRequest<Kinds[Kind] | undefined>);
  }

  async put<Kind extends keyof Kinds>(kind: Kind, value: Kinds[Kind]): Promise<void> {
    if (this.base === null) {
      const key = (value as unknown as Record<string, string>)[KEYS[kind]];
      (this.memory[kind] as Map<string, Kinds[Kind]>).set(key, value);
      return;
    }
    await this.run(kind, "readwrite", (store) => store.put(value));
  }

  async remove(kind: keyof Kinds, key: string): Promise<void> {
    if (this.base === null) {
      this.memory[kind].delete(key);
      return;
    }
    await this.run(kind, "readwrite", (store) => store.delete(key));
  }
}
