// The page's parts together: machine, loop, screen, sound, keyboard, storage, and what is in the machine.
import { type Command, Keyboard, type Sticks } from "./keyboard.ts";
import { Loop } from "./loop.ts";
import { Emulator, rows } from "./machine.ts";
import { Screen } from "./screen.ts";
import { Sound } from "./sound.ts";
import type { Store } from "./store.ts";
import { bytesOf, choose, download, element, ending, say, sentence } from "./ui.ts";

/** What is in the machine, so that it can be kept, linked to and started again. */
export type Loaded =
  | { kind: "built-in"; name: string }
  | { kind: "file"; name: string; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "listing"; text: string }
  | { kind: "moment" };

/** Seconds between two automatic saves. */
const AUTOMATIC = 30;
/** Largest file that is taken: 16 MB is the largest disk image. */
const LARGEST = 17 << 20;

const STICKS = ["Keys type", "Arrows: stick 1", "Arrows, WASD: sticks"];

export class App {
  readonly emulator: Emulator;
  readonly keyboard: Keyboard;
  readonly screen: Screen;
  readonly sound: Sound;
  readonly loop: Loop;
  loaded: Loaded = { kind: "built-in", name: "menu" };
  /** The key of what is in the machine: its name, or a hash of its bytes. */
  program = "menu";
  options = "";
  slot = 1;
  /** Frames at the last automatic save. */
  private kept = 0;
  private busy = false;
  /** The title of what is in the machine, and the machine's name. */
  private machine = "";
  private starting = false;
  /** Another program is in the machine. */
  changed: () => void = () => {};
  /** Written disks were kept. */
  stored: () => void = () => {};
  printed = "";
  private games: Promise<void> | null = null;
  /** The menu as it stands when it has started. */
  private menu: Uint8Array | null = null;
  commands: Partial<Record<Command, () => void>> = {};

  constructor(readonly store: Store) {
    this.emulator = new Emulator(48_000);
    this.keyboard = new Keyboard((command) => this.commands[command]?.());
    this.screen = new Screen(element<HTMLCanvasElement>("picture"), element("room"));
    this.sound = new Sound(new URL("worklet.js", import.meta.url).href, (rate) => this.emulator.set_rate(rate));
    this.loop = new Loop(this.emulator, this.screen, this.sound, this.keyboard);
    this.loop.before = () => this.serve();
    this.loop.news = (flags) => this.news(flags);
    let shown = 0;
    const text = element("screen-text");
    this.loop.shown = () => {
      // Once a second the screen's text for those who hear it.
      if (++shown % 60 === 0) {
        const now = this.emulator.text().replace(/\s+$/gm, "");
        if (text.textContent !== now) text.textContent = now;
      }
    };
  }

  /** Brings the built-in games, which are a file of their own: the first picture does not wait for them. */
  loadGames(): Promise<void> {
    this.games ??= (async () => {
      const answer = await fetch(new URL("games.bin", import.meta.url)).catch(() => null);
      const file = answer?.ok === true ? new Uint8Array(await answer.arrayBuffer()) : null;
      if (file === null || !Emulator.supply_games(file)) {
        this.games = null;
        throw new Error("the games could not be loaded; with a network, reload the page");
      }
    })();
    return this.games;
  }

  /** Lets the menu begin where it would be after some seconds; without the file it takes them. */
  async loadMenu(): Promise<void> {
    const answer = await fetch(new URL("start.bin", import.meta.url)).catch(() => null);
    if (answer?.ok === true) this.menu = new Uint8Array(await answer.arrayBuffer());
  }

  /** Hands the browser's files of H: to the machine. */
  async begin(): Promise<void> {
    for (const file of await this.store.all("files")) this.emulator.put_file(file.name, file.bytes, file.locked);
  }

  private news(flags: number): void {
    if ((flags & 2) !== 0) say(this.emulator.message());
    if ((flags & 1) !== 0) {
      const title = this.emulator.title();
      const known = rows(Emulator.programs()).find((row) => row[1] === title);
      const name = known?.[0] ?? "menu";
      this.loaded = { kind: "built-in", name };
      this.program = name;
      this.started();
    }
  }

  private started(): void {
    this.kept = this.emulator.frames();
    this.keyboard.clear();
    this.setSticks(this.emulator.joystick() ? 1 : 0);
    this.screen.setAspect(this.emulator.pixel_aspect());
    this.loop.begin();
    const title = this.emulator.title() || "BASIC";
    this.machine = `${title} · ${this.emulator.machine_name()}`;
    this.starting = true;
    this.showStatus();
    this.loop.began = () => {
      this.starting = false;
      this.showStatus();
    };
    document.title = `${title} – Anticlock`;
    this.changed();
  }

  /** The line under the picture: what is in the machine, and whether it runs. */
  showStatus(): void {
    const state = this.loop.paused ? " · paused" : this.starting ? " · starting…" : "";
    element("title").textContent = this.machine + state;
  }

  private ended(): void {
    this.emulator.flush();
    this.serve();
  }

  openBuiltIn(name: string): void {
    if (!Emulator.has_games() && name !== "menu" && name !== "basic") {
      void this.loadGames().then(() => this.openBuiltIn(name)).catch((error) => say(sentence(error)));
      return;
    }
    this.ended();
    this.emulator.open_built_in(name, this.options);
    if (name === "menu" && this.menu !== null) this.emulator.jump(this.menu);
    this.loaded = { kind: "built-in", name };
    this.program = name;
    this.started();
  }

  /** Starts a file; rejects with one sentence, and then nothing has changed. */
  async openFile(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const program = await hashOf(bytes);
    this.ended();
    const flaw = this.emulator.open_file(name, bytes, this.options);
    this.loaded = { kind: "file", name, bytes };
    this.program = program;
    this.started();
    if (flaw !== "") say(`${name}: ${flaw}`);
    const kept = (await this.store.all("disks")).filter((disk) => disk.key.startsWith(program));
    if (kept.length > 0) {
      const disk = kept[kept.length - 1];
      say(`Programs have written to ${name} before.`, [["Insert the written disk", () => this.insert(disk.name, disk.bytes)]]);
    } else await this.offer();
  }

  openListing(text: string): void {
    this.ended();
    this.emulator.open_listing(text, this.options);
    this.loaded = { kind: "listing", text };
    this.program = "your-program";
    this.started();
  }

  openMoment(bytes: Uint8Array, hash: string): void {
    this.ended();
    this.emulator.open_moment(bytes, hash);
    this.loaded = { kind: "moment" };
    this.program = "moment";
    this.started();
    this.loop.draw();
  }

  insert(name: string, bytes: Uint8Array, drive = 1): void {
    try {
      this.emulator.insert_disk(drive, name, bytes);
      this.stored();
      say(`${name} is in D${drive}:`);
    } catch (error) {
      say(`${name}: ${sentence(error)}`);
    }
  }

  /** Gives the user the disk in a drive as a file. False where there is none. */
  storeDisk(drive: number): boolean {
    const bytes = this.emulator.disk_bytes(drive);
    if (bytes === undefined) return false;
    const name = rows(this.emulator.drives()).find(([number]) => Number(number) === drive)?.[1] ?? "";
    download(ending(name === "" ? "disk" : name, ".atr"), bytes as Uint8Array<ArrayBuffer>);
    return true;
  }

  /** Chooses an option, for this machine and those to come; "" is what is usual. What is seen changes at once, the rest with the next start. */
  choose(option: string, value: string): void {
    const changed = (options: string) => {
      const chosen = new URLSearchParams(options);
      if (value === "") chosen.delete(option);
      else chosen.set(option, value);
      return chosen.toString();
    };
    this.options = changed(this.options);
    if (option === "artifacts") {
      this.emulator.set_artifacts(value === "" ? "off" : value);
      this.loop.draw();
    }
    // Other options of a link are not the user's own.
    void this.store.get("settings", "options").then((kept) => this.store.put("settings", { key: "options", value: changed(kept?.value ?? "") })).catch(() => {});
  }

  /** Takes the loudness, the colours and the palette file that were chosen before. */
  async recall(): Promise<void> {
    const [volume, colours, palette] = await Promise.all(["volume", "colours", "palette"].map((key) => this.store.get("settings", key)));
    if (volume !== undefined) this.sound.setVolume(Number(volume.value));
    if (colours !== undefined) this.setColours(colours.value.split(" ").map(Number));
    if (palette !== undefined) this.emulator.set_palette(Uint8Array.from(palette.value, (letter) => letter.charCodeAt(0)));
  }

  /** Hue, colour, black, white, gamma. */
  colours: number[] = [...Emulator.usual_colours()];

  setColours(colours: number[]): void {
    const [hue, colour, black, white, gamma] = colours;
    this.colours = colours;
    this.emulator.set_colours(hue, colour, black, white, gamma);
  }

  /** Opens a file from the user. False where it was refused. */
  async take(file: File): Promise<boolean> {
    try {
      if (file.size > LARGEST) throw new Error("the file is larger than anything that this machine takes");
      await this.openFile(file.name, await bytesOf(file));
      this.focus();
      return true;
    } catch (error) {
      say(`${file.name.slice(0, 80)}: ${sentence(error)}`);
      return false;
    }
  }

  /** Lets the user choose a file and opens it. False where none was chosen or it was refused. */
  async chooseFile(): Promise<boolean> {
    const file = await choose("");
    return file !== null && this.take(file);
  }

  /** Starts what is in the machine anew, with the options as they are now. */
  async again(): Promise<void> {
    const { loaded } = this;
    if (loaded.kind === "file") await this.openFile(loaded.name, loaded.bytes);
    else if (loaded.kind === "listing") this.openListing(loaded.text);
    else this.openBuiltIn(loaded.kind === "built-in" ? loaded.name : "menu");
  }

  setSticks(sticks: Sticks): void {
    this.keyboard.sticks = sticks;
    element("do-sticks").textContent = STICKS[sticks];
  }

  /** Does what the machine asks for. */
  private serve(): void {
    for (let request = this.emulator.next_request(); request !== undefined; request = this.emulator.next_request()) {
      const { id, kind } = request;
      if (kind === "print") {
        this.printed += new TextDecoder("latin1").decode(request.bytes).replaceAll("\x9b", "\n");
        this.emulator.answer(id, true);
        this.stored();
        request.free();
        continue;
      }
      const work: Promise<void>[] = [];
      if (kind === "keep") {
        const key = `${this.program} ${request.copy}`;
        const bytes = request.bytes as Uint8Array<ArrayBuffer>;
        work.push(this.store.put("disks", { key, name: request.name, time: Date.now(), bytes }));
      }
      for (let i = 0; i < request.changes; i++) {
        const name = request.changed_name(i);
        const bytes = request.changed_bytes(i) as Uint8Array<ArrayBuffer> | undefined;
        if (bytes === undefined) work.push(this.store.remove("files", name));
        else work.push(this.store.put("files", { name, bytes, locked: request.changed_locked(i) }));
      }
      request.free();
      Promise.all(work).then(
        () => {
          this.emulator.answer(id, true);
          this.stored();
        },
        (error) => {
          this.emulator.answer(id, false);
          say(`The browser did not store it: ${sentence(error)}. Download the disk before you close the page.`);
        },
      );
    }
  }

  /** Saves the machine into a slot. */
  async save(slot: string): Promise<void> {
    const state = this.emulator.save_state() as Uint8Array<ArrayBuffer>;
    const key = `${this.program} ${slot}`;
    const { program } = this;
    const title = this.emulator.title() || "BASIC";
    this.kept = this.emulator.frames();
    const picture = await this.screen.thumbnail();
    await this.store.put("states", { key, program, title, slot, time: Date.now(), state, picture });
    this.stored();
  }

  async load(slot: string): Promise<void> {
    const saved = await this.store.get("states", `${this.program} ${slot}`);
    if (saved === undefined) throw new Error(`slot ${slot} is empty`);
    this.loadState(saved.state);
  }

  loadState(state: Uint8Array): void {
    this.emulator.load_state(state);
    this.sound.clear();
    this.screen.setAspect(this.emulator.pixel_aspect());
    this.kept = this.emulator.frames();
  }

  /** Saves by itself, now and then and when the page is left. */
  async automatic(now = false): Promise<void> {
    const since = this.emulator.frames() - this.kept;
    if (this.busy || this.program === "menu" || this.program === "moment" || this.emulator.is_starting()) return;
    if (since < (now ? 60 : AUTOMATIC * 60)) return;
    this.busy = true;
    try {
      this.emulator.flush();
      this.serve();
      await this.save("auto");
    } catch (error) {
      say(`The automatic save failed: ${sentence(error)}`);
    } finally {
      this.busy = false;
    }
  }

  /** Offers to go on where the program was left. */
  async offer(): Promise<void> {
    const { program } = this;
    const saved = await this.store.get("states", `${program} auto`);
    if (saved === undefined || this.program !== program) return;
    say(`${saved.title} was left ${new Date(saved.time).toLocaleString()}.`, [
      [
        "Go on from there",
        () => {
          try {
            this.loadState(saved.state);
            this.focus();
          } catch (error) {
            say(sentence(error));
          }
        },
      ],
    ]);
  }

  focus(): void {
    this.screen.canvas.focus({ preventScroll: true });
  }
}

/** A program's key by its contents. */
export async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (crypto.subtle === undefined) {
    // Pages that are not from a secure place have no hashes: a sum will do for names of slots.
    let sum = 2166136261;
    for (const byte of bytes) sum = Math.imul(sum ^ byte, 16777619) >>> 0;
    return `${bytes.length}-${sum.toString(16)}`;
  }
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest.slice(0, 12), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
