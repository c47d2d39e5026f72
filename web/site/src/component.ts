// For pages of others: the machine in a frame as an object, and as an element `<anticlock-atari game="gammon">`.
// The page's build makes `anticlock.js` and `anticlock.d.ts` of this file.

/** Version of the messages. */
const VERSION = 1;

/** The state of the machine at a moment. */
export interface State {
  /** Hash of the whole state, 16 hexadecimal digits. */
  hash: string;
  /** Frames since the program was opened. */
  frames: number;
  /** The program's title. */
  title: string;
  /** The text on the screen. */
  text: string;
  /** A saved state, as a file of the emulator. */
  bytes: Uint8Array;
}

/** A program to be opened: one of `game`, `listing`, or `name` with `bytes`. */
export interface Program {
  /** A built-in program: menu, crazy-eights, gammon, go-fish, tic-tac-toe, checkers, focal, hexapawn, basic. */
  game?: string;
  /** A BASIC listing. */
  listing?: string;
  /** A file's name. */
  name?: string;
  /** A file: program, disk, cartridge, tape, saved state. */
  bytes?: Uint8Array | ArrayBuffer;
  /** Options of the machine as in a link: `tv=pal&machine=800`. */
  options?: string;
}

/** Keys that `press` holds for 0.1 s. */
export interface Pressed {
  start?: boolean;
  select?: boolean;
  option?: boolean;
  up?: boolean;
  down?: boolean;
  left?: boolean;
  right?: boolean;
  trigger?: boolean;
}

/**
 * Events: `frame` after each picture, `text` when the screen's text has changed, `program` when another program has begun, `breakpoint` when the
 * machine has paused before an instruction at one of the addresses of `stop`.
 */
export interface Events {
  breakpoint: { address: number };
  frame: { frames: number };
  text: { text: string };
  program: { title: string };
}

/** A machine in a frame that shows `embed.html`. Each method rejects with an `Error` of one sentence. */
export class Anticlock extends EventTarget {
  private number = 0;
  private readonly asked = new Map<number, { done: (result: unknown) => void; failed: (error: Error) => void }>();
  private readonly listened = new Set<string>();
  /** Resolves when the machine takes messages. */
  readonly ready: Promise<void>;
  private isReady: () => void = () => {};

  constructor(private readonly frame: HTMLIFrameElement) {
    super();
    this.ready = new Promise((done) => {
      this.isReady = done;
    });
    window.addEventListener("message", this.hear);
  }

  private readonly hear = ({ source, data }: MessageEvent): void => {
    if (source !== this.frame.contentWindow || typeof data !== "object" || data?.anticlock !== VERSION) return;
    if (data.ready === true) this.isReady();
    else if (typeof data.event === "string") this.dispatchEvent(new CustomEvent(data.event, { detail: data }));
    else {
      const waiting = this.asked.get(data.id);
      this.asked.delete(data.id);
      if (data.ok === true) waiting?.done(data.result);
      else waiting?.failed(new Error(String(data.error)));
    }
  };

  /** Sends a message, whatever it is; resolves with its result. */
  async ask(what: string, fields: object = {}): Promise<unknown> {
    await this.ready;
    const id = ++this.number;
    return new Promise((done, failed) => {
      this.asked.set(id, { done, failed });
      this.frame.contentWindow?.postMessage({ ...fields, anticlock: VERSION, id, do: what }, "*");
    });
  }

  /** Opens a program; resolves with its title. */
  load(program: Program): Promise<string> {
    return this.ask("load", program) as Promise<string>;
  }

  /** Types a text, with keys in braces: `RUN{return}`. */
  async type(text: string): Promise<void> {
    await this.ask("type", { text });
  }

  /** Presses keys and joystick 1 for 0.1 s. */
  async press(keys: Pressed): Promise<void> {
    await this.ask("press", keys);
  }

  /** Holds a joystick (port 0 or 1) until it is told otherwise: 1 up, 2 down, 4 left, 8 right, 16 trigger, added; 0 is at rest. */
  async stick(bits: number, port = 0): Promise<void> {
    await this.ask("stick", { bits, port });
  }

  async pause(): Promise<void> {
    await this.ask("pause");
  }

  async resume(): Promise<void> {
    await this.ask("resume");
  }

  /** Presses RESET; with `cold`, switches the machine off and on. */
  async reset(cold = false): Promise<void> {
    await this.ask("reset", { cold });
  }

  /** Gives the machine the keyboard. */
  async focusMachine(): Promise<void> {
    this.frame.focus();
    await this.ask("focus");
  }

  /** Loudness, 0 to 100. */
  async volume(percent: number): Promise<void> {
    await this.ask("volume", { percent });
  }

  /** Reads memory without side effects: `count` bytes from `address` on, which continues at 0 after 65535. */
  peek(address: number, count = 1): Promise<number[]> {
    return this.ask("peek", { address, count }) as Promise<number[]>;
  }

  /** Writes a byte, as the processor would. */
  async poke(address: number, value: number): Promise<void> {
    await this.ask("poke", { address, value });
  }

  /**
   * Pauses the machine before an instruction at one of these addresses (at most 100) whenever it comes there, until another program begins; with none,
   * nowhere. `resume` continues.
   */
  async stop(...addresses: number[]): Promise<void> {
    await this.ask("stop", { addresses });
  }

  /** Why a pixel of the last picture (376 by 240) is as it is, as text. The first question loads the debugger. */
  why(x: number, y: number): Promise<string> {
    return this.ask("why", { x, y }) as Promise<string>;
  }

  /** The picture as a PNG file. */
  async screenshot(): Promise<Blob> {
    return new Blob([(await this.ask("screenshot")) as ArrayBuffer], { type: "image/png" });
  }

  state(): Promise<State> {
    return this.ask("state") as Promise<State>;
  }

  /** Listens to an event; gives a function that ends it. */
  on<K extends keyof Events>(event: K, heard: (detail: Events[K]) => void): () => void {
    const listener = (happened: Event) => heard((happened as CustomEvent<Events[K]>).detail);
    this.addEventListener(event, listener);
    this.listened.add(event);
    void this.ask("listen", { events: [...this.listened] });
    return () => this.removeEventListener(event, listener);
  }

  /** Ends listening to the frame; to be called before the frame is removed. */
  close(): void {
    window.removeEventListener("message", this.hear);
    for (const { failed } of this.asked.values()) failed(new Error("the machine was closed"));
    this.asked.clear();
  }
}

/**
 * `<anticlock-atari game="gammon" options="tv=pal">`: the machine as an element, 640 by 480 unless style says otherwise. Instead of `game`, `link`
 * is the part of a link after its `#`. `machine` is the object to speak to.
 */
export class AnticlockAtari extends HTMLElement {
  machine: Anticlock | null = null;

  connectedCallback(): void {
    const frame = document.createElement("iframe");
    const parts = new URLSearchParams({ v: "1", game: this.getAttribute("game") ?? "menu" });
    for (const [name, value] of new URLSearchParams(this.getAttribute("options") ?? "")) parts.set(name, value);
    const url = new URL("embed.html", import.meta.url);
    url.hash = this.getAttribute("link") ?? String(parts);
    frame.allow = "autoplay; fullscreen; gamepad";
    frame.title = this.getAttribute("title") ?? "An Atari 8-bit computer";
    for (const [name, value] of [["display", "block"], ["width", "100%"], ["height", "100%"], ["border", "0"]]) frame.style.setProperty(name, value);
    if (getComputedStyle(this).display === "inline") this.style.display = "inline-block";
    if (this.style.width === "" && this.clientWidth === 0) this.style.width = "640px";
    if (this.style.height === "" && this.clientHeight === 0) this.style.height = "480px";
    this.machine = new Anticlock(frame);
    frame.src = url.href;
    this.replaceChildren(frame);
    void this.machine.ready.then(() => this.dispatchEvent(new Event("ready")));
  }

  disconnectedCallback(): void {
    this.machine?.close();
    this.machine = null;
    this.replaceChildren();
  }
}

if (customElements.get("anticlock-atari") === undefined) customElements.define("anticlock-atari", AnticlockAtari);
