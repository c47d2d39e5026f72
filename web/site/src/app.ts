// The page's parts together: machine, loop, screen, sound, keyboard, storage, and what is in the machine.
import { type Command, Keyboard } from "./keyboard.ts";
import { Loop } from "./loop.ts";
import { type Density, Emulator, type Keys, type MouseRole, type News, loadRest } from "./machine.ts";
import { Screen } from "./screen.ts";
import { Sound } from "./sound.ts";
import type { Unpacked } from "./archive.ts";
import type { Filed, Kind, Kinds, Store, Written } from "./store.ts";
import { bytesOf, chooseSeveral, download, element, ending, later, say, sentence } from "./ui.ts";

/** A source of a program in assembly. */
export type Source = [name: string, text: string];

/** The program in the machine, so that it can be kept, linked to and started again. */
export type Loaded =
  | { kind: "built-in"; name: string }
  | { kind: "file"; name: string; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "listing"; text: string }
  | { kind: "source"; files: Source[]; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "moment" };

/**
 * The origin of a program that came by a link: its slots and its H: are its own, under this key, and the user's are out of its reach.
 */
export interface Guest {
  /** `link` and a hash of what the link brings. */
  key: string;
  /** The files of its H:. */
  files: Filed[];
}

/** True in `embed.html`: another page is around this one, and may type into the machine and read its memory. */
export const isEmbedded = (): boolean => document.documentElement.dataset.embed !== undefined;
/** Key of the user's own listing. */
export const LISTING = "your-program";
/** Begins the keys of projects' programs. */
export const PROJECT = "project ";
/** The name of a program that was assembled. */
export const ASSEMBLED = "MAIN.XEX";
/** Begins the keys of what came by a link. */
const LINK = "link ";
/** Bytes that the H: of a link may hold. */
const GUEST_BYTES = 1 << 20;

/** True if a program's key is that of something which came by a link. */
export const isGuest = (program: string): boolean => program.startsWith(LINK);

/** Seconds between two automatic saves. */
const AUTOMATIC = 30;
/** Frames after which a program that was only looked at counts as used. */
const USED = 600;
/** Largest file that is taken: 16 MB is the largest disk image. */
const LARGEST = 17 << 20;

const STICKS: Record<Keys, string> = {
  auto: "", type: "Keys type", stick: "Arrows: stick 1", "stick-and-space": "Arrows: stick 1", sticks: "Arrows, WASD: sticks",
};

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
  /** It was said of this program that its arrows are a joystick. */
  private stickSaid = false;
  /** Another program is in the machine. */
  changed: () => void = () => {};
  /** The machine has come to a breakpoint, before the instruction at this address. */
  stopped: (address: number) => void = () => {};
  /** The address is to name what is in the machine. */
  readdress: () => void = () => {};
  /** Files, disks or states were stored. */
  stored: () => void = () => {};
  /** Something of this browser's storage has become another, here or in another window. */
  heard: (kind: Kind, key: string) => void = () => {};
  /** The user's files of H:, and those of the link that is in the machine. */
  private readonly own = new Map<string, Filed>();
  private guests = new Map<string, Filed>();
  /** Sessions of the machine since the page was opened. */
  session = 0;
  /** Which medium a copy of this session is, where the user has put it in. */
  private media = new Map<number, string>();
  /** The text on the printer's paper, and the bytes that it was sent. */
  printed = "";
  sent: Uint8Array<ArrayBuffer>[] = [];
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
    this.loop.news = (news) => this.news(news);
    let shown = 0;
    const text = element("screen-text");
    this.loop.shown = () => {
      // Once a second the screen's text for screen readers.
      if (++shown % 60 === 0) {
        const now = this.emulator.text().replace(/\s+$/gm, "");
        if (text.textContent !== now) text.textContent = now;
      }
    };
  }

  /** Brings the built-in games and the rest of the program, which are files of their own: the first picture does not wait for them. */
  loadGames(): Promise<void> {
    this.games ??= (async () => {
      const [answer] = await Promise.all([fetch(new URL("games.bin", import.meta.url)).catch(() => null), loadRest().catch(() => {})]);
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

  /** Hands the browser's files of H: to the machine, and follows what other windows store. */
  async begin(): Promise<void> {
    await this.takeFiles();
    this.store.heard = (kind, key) => {
      if (kind === "files") void this.store.get("files", key).then((file) => this.follow(key, file));
      this.heard(kind, key);
      this.stored();
    };
  }

  /** Takes the user's files of H: out of the store. */
  async takeFiles(): Promise<void> {
    for (const file of await this.store.all("files")) if (!isGuest(file.name)) this.own.set(file.name, file);
    this.putFiles();
  }

  /** The prefix of the names of H:'s files in the store: empty for the user's own. */
  get space(): string {
    return isGuest(this.program) ? `${this.program}/` : "";
  }

  /** The files of the H: that the machine has now. */
  files(): Filed[] {
    return [...(this.space === "" ? this.own : this.guests).values()];
  }

  /** Gives the machine the files of its H:, and no others. */
  private putFiles(): void {
    this.emulator.remove_files();
    for (const file of this.files()) this.emulator.put_file(file.name.slice(this.space.length), file.bytes, file.locked);
  }

  /** A file of the store has become another one, or is gone. */
  private follow(name: string, file: Filed | undefined): void {
    const files = isGuest(name) ? this.guests : this.own;
    if (isGuest(name) && !name.startsWith(`${this.program}/`)) return;
    if (file === undefined) files.delete(name);
    else files.set(name, file);
    const { space } = this;
    if (!name.startsWith(space) || (space === "") === isGuest(name)) return;
    if (file === undefined) this.emulator.remove_file(name.slice(space.length));
    else this.emulator.put_file(name.slice(space.length), file.bytes, file.locked);
  }

  /** Stores a file of H:. */
  async putFile(file: Filed): Promise<void> {
    await this.store.put("files", file);
    this.follow(file.name, file);
    this.stored();
  }

  async removeFile(name: string): Promise<void> {
    await this.store.remove("files", name);
    this.follow(name, undefined);
    this.stored();
  }

  /** An earlier version becomes the present one, which stays as a version. */
  async bringBack(kind: Kind, value: Kinds[Kind]): Promise<void> {
    await this.store.put(kind, value, `back${Date.now()}`);
    if (kind === "files") this.follow((value as Filed).name, value as Filed);
    else this.heard(kind, (value as { key: string }).key);
    this.stored();
  }

  /** The guest for a program that came by a link. */
  async guest(bytes: Uint8Array<ArrayBuffer>): Promise<Guest> {
    return this.guestOf(LINK + (await hashOf(bytes)));
  }

  async guestOf(key: string): Promise<Guest> {
    return { key, files: (await this.store.all("files")).filter((file) => file.name.startsWith(`${key}/`)) };
  }

  private news({ begun, message, keys, stopped }: News): void {
    if (stopped) this.stopped(this.emulator.pc());
    if (message !== undefined) say(message);
    if (keys) this.showKeys();
    if (begun) {
      const name = this.emulator.built_in();
      this.loaded = { kind: "built-in", name };
      this.started(name);
    }
  }

  private started(program: string, guest?: Guest): void {
    if (guest === undefined && isEmbedded()) {
      // The page around the frame must not reach the user's files.
      program = `${LINK}frame ${program}`;
      guest = { key: program, files: [] };
    }
    this.program = program;
    this.guests = new Map(guest?.files.map((file) => [file.name, file]));
    this.session++;
    this.media.clear();
    this.putFiles();
    this.kept = this.emulator.frames();
    this.isUsed = false;
    this.keyboard.used = false;
    this.keyboard.clear();
    this.stickSaid = false;
    this.showKeys();
    void this.takeKeys();
    void this.takeMouse();
    this.screen.setAspect(this.emulator.pixel_aspect());
    this.loop.begin();
    const title = this.emulator.title() || "BASIC";
    this.machine = `${title} · ${this.emulator.machine_name()}${guest === undefined ? "" : " · from a link, with an H: of its own"}`;
    this.starting = true;
    this.showStatus();
    this.loop.began = () => {
      this.starting = false;
      this.showStatus();
    };
    document.title = `${title} – Anticlock`;
    this.changed();
    this.readdress();
  }

  /** The line under the picture: the program in the machine, and whether it runs. */
  showStatus(): void {
    const state = this.loop.paused ? " · paused" : this.starting ? " · starting…" : "";
    element("title").textContent = this.machine + state;
  }

  /** The program is about to leave the machine: what it has written is kept, and where it was. */
  private ended(): void {
    void this.automatic(true);
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
    this.started(name);
  }

  /** Starts a file; rejects with one sentence, and then nothing has changed. */
  async openFile(name: string, bytes: Uint8Array<ArrayBuffer>, guest?: Guest, key?: string): Promise<void> {
    const program = guest?.key ?? key ?? (await hashOf(bytes));
    this.ended();
    const flaw = this.emulator.open_file(name, bytes, this.options);
    this.loaded = { kind: "file", name, bytes };
    this.started(program, guest);
    if (flaw !== "") say(`${name}: ${flaw}`);
    await this.offerDisks(`Programs have written to ${name} before.`, (disk) => disk.program === program || disk.key === this.medium(-1, name)) || await this.offer();
  }

  /** Runs a listing: the user's own one, a guest's, or that of a project by its key. */
  openListing(text: string, guest?: Guest, key = LISTING): void {
    this.ended();
    this.emulator.open_listing(text, this.options);
    this.loaded = { kind: "listing", text };
    this.started(guest?.key ?? key, guest);
  }

  /** Runs a program that was assembled from these files: that of a project by its key, or a guest's. */
  openSource(files: Source[], bytes: Uint8Array<ArrayBuffer>, guest: Guest | undefined, key: string): void {
    this.ended();
    this.emulator.open_file(ASSEMBLED, bytes, this.options);
    this.loaded = { kind: "source", files, bytes };
    this.started(guest?.key ?? key, guest);
  }

  /** Shows a moment that the machine has been brought to. */
  openMoment(guest: Guest, loaded: Loaded): void {
    this.ended();
    this.emulator.take_moment();
    this.loaded = loaded;
    this.started(guest.key, guest);
    this.loop.draw();
  }

  /** Puts a disk into a drive, or a tape into the recorder: drive 0. */
  insert(name: string, bytes: Uint8Array, drive = 1, medium = ""): void {
    const place = placeOf(drive);
    try {
      const copy = drive === 0 ? this.emulator.insert_tape(name, bytes) : this.emulator.insert_disk(drive, name, bytes);
      const key = medium === "" ? `disk ${sumOf(bytes)}` : medium;
      if (copy !== undefined) this.media.set(copy, isGuest(this.program) && !isGuest(key) ? `${this.program} ${key}` : key);
      this.stored();
      say(`${name} is in ${place}`);
      if (medium === "") void this.offerDisks(`${name} is in ${place}; programs have written to it before.`, (disk) => disk.key === key, drive).catch(() => {});
    } catch (error) {
      say(`${name}: ${sentence(error)}`);
    }
  }

  /** Puts a cartridge into a slot (1 or 2), or takes out what is there; the machine is switched off and on, and disks stay in their drives. */
  plug(slot: number, name: string, bytes?: Uint8Array): void {
    void this.automatic(true);
    try {
      const numbers = this.emulator.plug(slot, name, bytes);
      const before = new Map(this.media);
      this.media.clear();
      for (let i = 0; i < numbers.length; i += 2) {
        const medium = before.get(numbers[i]);
        if (medium !== undefined) this.media.set(numbers[i + 1], medium);
      }
      this.session++;
      this.kept = this.emulator.frames();
      this.keyboard.clear();
      this.sound.clear();
      this.loop.begin();
      say(bytes === undefined ? `Slot ${slot} is empty` : `${name} is in slot ${slot}`);
    } catch (error) {
      say(bytes === undefined ? sentence(error) : `${name}: ${sentence(error)}`);
    }
    this.stored();
  }

  /** Puts a new disk into a drive, or a new tape into the recorder (drive 0), with RECORD pressed. */
  insertBlank(drive: number, density: Density): void {
    const medium = `blank ${this.store.run}.${Date.now()}`;
    if (drive === 0) {
      this.insert("blank.cas", Emulator.blank_tape(), 0, medium);
      this.emulator.press_record(true);
    } else this.insert("blank.atr", Emulator.blank_disk(density), drive, medium);
    this.stored();
  }

  /** Offers disks and tapes as programs have left them, each for the drive that it was in. False where there are none. */
  private async offerDisks(text: string, wanted: (disk: Written) => boolean, drive?: number): Promise<boolean> {
    const { program, session } = this;
    const kept = (await this.store.all("disks")).filter((disk) => (disk.drive > 0 || disk.tape === true) && wanted(disk)).sort((a, b) => b.time - a.time).slice(0, 4);
    if (kept.length === 0 || this.program !== program || this.session !== session) return false;
    say(text, kept.map((disk) => {
      const what = disk.tape === true ? "tape" : "disk";
      const label = kept.length === 1 ? `Insert the written ${what}` : `Insert ${disk.name} into ${placeOf(drive ?? disk.drive)}`;
      return [label, () => this.insert(disk.name, disk.bytes, drive ?? disk.drive, disk.key)];
    }));
    return true;
  }

  /** Which medium a copy of the machine is, for what is kept of it. */
  private medium(copy: number, name: string): string {
    const { loaded } = this;
    const known = this.media.get(copy);
    if (known !== undefined) return known;
    if (!isGuest(this.program) && loaded.kind === "file" && loaded.name === name) return `disk ${sumOf(loaded.bytes)}`;
    return `${this.program} ${name}`;
  }

  /** Gives the user the disk in a drive as a file. False without a disk. */
  storeDisk(drive: number): boolean {
    const bytes = this.emulator.disk_bytes(drive);
    if (bytes === undefined) return false;
    download(ending(this.emulator.disk(drive)?.name || "disk", ".atr"), bytes as Uint8Array<ArrayBuffer>);
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
    if (option === "printer") {
      this.emulator.set_printer(value);
      this.stored();
    }
    if (option === "artifacts") {
      this.emulator.set_artifacts(value === "" ? "off" : value);
      this.loop.draw();
    }
    // Other options of a link are not the user's own.
    void this.store.get("settings", "options").then((kept) => this.store.put("settings", { key: "options", value: changed(kept?.value ?? "") })).catch(() => {});
  }

  /** Takes the loudness, the colours and the palette file that were chosen before. */
  async recall(): Promise<void> {
    const [volume, colours, palette, stick] = await Promise.all(["volume", "colours", "palette", "stick"].map((key) => this.store.get("settings", key)));
    if (volume !== undefined) this.sound.setVolume(Number(volume.value));
    this.placeStick(stick?.value);
    if (colours !== undefined) this.setColours(colours.value.split(" ").map(Number));
    if (palette === undefined) return;
    await loadRest();
    this.emulator.set_palette(Uint8Array.from(palette.value, (letter) => letter.charCodeAt(0)));
  }

  /** The side of the stick on the screen: `right`, or the left one; FIRE is on the other. */
  placeStick(side: string | undefined): void {
    document.body.classList.toggle("stick-right", side === "right");
  }

  /** Hue, colour, black, white, gamma. */
  colours: number[] = [...Emulator.usual_colours()];

  setColours(colours: number[]): void {
    const [hue, colour, black, white, gamma] = colours;
    this.colours = colours;
    this.emulator.set_colours(hue, colour, black, white, gamma);
  }

  /**
   * Hands a file from the user to `use`, unpacked when it is a .gz, or a .zip with one program; of several the user chooses one. False where it was
   * refused. With `useAll`, several disks can be used at once, and are where a list is among them.
   */
  async unpack(
    file: File,
    use: (name: string, bytes: Uint8Array<ArrayBuffer>) => void | Promise<void>,
    useAll?: (files: Unpacked[]) => Promise<void>,
  ): Promise<boolean> {
    const refuse = (error: unknown) => say(`${file.name.slice(0, 80)}: ${sentence(error)}`);
    try {
      if (file.size > LARGEST) throw new Error("the file is larger than anything that this machine takes");
      const bytes = await bytesOf(file);
      if (bytes[0] === 0x89 && bytes[1] === 0x50 && bytes[2] === 0x4e && bytes[3] === 0x47) {
        const fragment = (await import("./share.ts")).linkIn(bytes);
        if (fragment === null) throw new Error("this picture has no link in it; a service that made it smaller may have taken it out");
        // From here it is a link like any other one.
        if (location.hash === `#${fragment}`) window.dispatchEvent(new HashChangeEvent("hashchange"));
        else location.hash = fragment;
        return true;
      }
      const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
      if (!isZip && !(bytes[0] === 0x1f && bytes[1] === 0x8b)) {
        await use(file.name, bytes);
        return true;
      }
      const archive = await import("./archive.ts");
      if (!isZip) {
        const { name, bytes: plain } = await archive.gunzip(file.name, bytes);
        await use(name, plain);
        return true;
      }
      const found = await archive.usable(bytes);
      const open = async (one: (typeof found)[number]) => {
        const { name, bytes } = await one.open();
        await use(name, bytes);
      };
      const hasList = found.some(({ name }) => isList(name));
      const openAll = async () => useAll?.(await Promise.all(found.map((one) => one.open())));
      const single = found.filter(({ name }) => !isList(name));
      if (single.length === 0) throw new Error("there is nothing for an Atari in the archive");
      if (single.length === 1) await open(single[0]);
      else if (hasList && useAll !== undefined) await openAll();
      else {
        const each = single.slice(0, 24).map((one): [string, () => void] => [one.name.slice(-40), () => void open(one).catch(refuse)]);
        const all: [string, () => void][] = useAll !== undefined && single.every(({ isDisk }) => isDisk) ? [["All, each in a drive", () => void openAll().catch(refuse)]] : [];
        say(`${file.name.slice(0, 80)} holds several programs:`, [...all, ...each]);
      }
      return true;
    } catch (error) {
      refuse(error);
      return false;
    }
  }

  /** Opens files from the user: one, or disks for several drives. False where there was none, or it was refused. */
  async take(files: File[]): Promise<boolean> {
    const several = () => import("./several.ts");
    if (files.length === 0) return false;
    if (files.length > 1 || isList(files[0].name)) return (await several()).take(this, files);
    const open = async (name: string, bytes: Uint8Array<ArrayBuffer>) => {
      await this.openFile(name, bytes);
      this.focus();
    };
    return this.unpack(files[0], open, async (all) => (await several()).open(this, all));
  }

  /** Lets the user choose files and opens them. False where none was chosen or they were refused. */
  async chooseFile(): Promise<boolean> {
    return this.take(await chooseSeveral(""));
  }

  /** Starts the program in the machine again, with the options as they are now. */
  async again(): Promise<void> {
    const { loaded } = this;
    const guest = isGuest(this.program) ? { key: this.program, files: [...this.guests.values()] } : undefined;
    if (loaded.kind === "file") await this.openFile(loaded.name, loaded.bytes, guest);
    else if (loaded.kind === "listing") this.openListing(loaded.text, guest, this.program);
    else if (loaded.kind === "source") this.openSource(loaded.files, loaded.bytes, guest, this.program);
    else this.openBuiltIn(loaded.kind === "built-in" ? loaded.name : "menu");
  }

  /** The role of arrows and Space; said once for each program that makes them a joystick, with the key that changes it. */
  private showKeys(): void {
    const keys = this.emulator.host_keys();
    element("do-sticks").textContent = STICKS[keys];
    if (this.stickSaid || keys === "type" || this.emulator.keys_choice() !== "auto") return;
    if (!element("says").hidden) {
      // The line that is shown may be an offer.
      window.setTimeout(() => this.showKeys(), 3000);
      return;
    }
    this.stickSaid = true;
    const trigger = keys === "stick-and-space" ? "Space its trigger and a key" : "Space its trigger";
    say(`Arrows are joystick 1 now, ${trigger}; Alt+J makes them type.`);
  }

  /** The next choice of what arrows and Space are. */
  nextKeys(): void {
    this.chooseKeys(this.emulator.next_keys());
  }

  /** Takes a choice, now and whenever this program is in the machine. */
  private chooseKeys(value: Keys): void {
    this.emulator.choose_keys(value);
    this.stickSaid = true;
    this.showKeys();
    const key = `keys ${this.program}`;
    void this.store.put("settings", { key, value }).catch(() => {});
    this.focus();
  }

  /** The earlier choice for this program. */
  private async takeKeys(): Promise<void> {
    const { session } = this;
    const kept = await this.store.get("settings", `keys ${this.program}`).catch(() => undefined);
    if (kept === undefined || kept.value === "auto" || this.session !== session) return;
    this.emulator.choose_keys(kept.value as Keys);
    this.showKeys();
  }

  /** Hands the mouse over the picture to the machine; loaded when it first has a role. */
  private readonly mouse = later(async () => new (await import("./mouse.ts")).Mouse(this));

  /** The role of the mouse. A visit that only looks at the menu does not ask the machine for it: that would load the rest of the program. */
  mouseRole: MouseRole = "off";

  /** The next role of the mouse. */
  nextMouse(): void {
    this.chooseMouse(this.emulator.next_mouse());
    const now = Emulator.mouse_roles().find(({ value }) => value === this.mouseRole);
    say(`The mouse ${now?.text ?? ""}`);
    this.stored();
  }

  /** Takes a role of the mouse, now and whenever this program is in the machine. */
  chooseMouse(value: MouseRole): void {
    this.setMouse(value);
    void this.store.put("settings", { key: `mouse ${this.program}`, value }).catch(() => {});
  }

  /** The device of a link's moment, or the earlier choice for this program. */
  private async takeMouse(): Promise<void> {
    const { session } = this;
    if (isGuest(this.program)) this.takeRole();
    else if (this.mouseRole !== "off") this.setMouse("off");
    const kept = await this.store.get("settings", `mouse ${this.program}`).catch(() => undefined);
    if (kept === undefined || this.session !== session) return;
    this.setMouse(kept.value as MouseRole);
  }

  private setMouse(role: MouseRole): void {
    this.emulator.choose_mouse(role);
    this.takeRole();
  }

  /** The machine's mouse has another role, perhaps. */
  private takeRole(): void {
    this.mouseRole = this.emulator.mouse_role();
    const isOn = this.mouseRole !== "off";
    // Fingers that point do not move the page.
    this.screen.canvas.style.touchAction = isOn ? "none" : "";
    if (isOn) this.mouse().catch((error) => say(sentence(error)));
  }

  /** Does what the machine asks for. */
  private serve(): void {
    for (let request = this.emulator.next_request(); request !== undefined; request = this.emulator.next_request()) {
      const { id, kind } = request;
      if (kind === "print") {
        this.printed += request.text;
        this.sent.push(request.bytes as Uint8Array<ArrayBuffer>);
        this.emulator.answer(id, true);
        this.stored();
        request.free();
        continue;
      }
      const work: Promise<void>[] = [];
      const { program, session } = this;
      if (kind === "keep") {
        const { copy, name, drive, tape } = request;
        const bytes = request.bytes as Uint8Array<ArrayBuffer>;
        const lane = `${session}.${copy}`;
        work.push(this.store.put("disks", { key: this.medium(copy, name), program, name, drive, tape, time: Date.now(), bytes }, lane));
      }
      const changes = request.changes.map(({ name, data, locked }) => ({ name: this.space + name, bytes: data as Uint8Array<ArrayBuffer> | undefined, locked }));
      const held = this.files().reduce((sum, file) => sum + file.bytes.length, 0);
      const more = changes.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);
      if (isGuest(program) && held + more > GUEST_BYTES) {
        request.free();
        this.emulator.answer(id, false);
        continue;
      }
      // A program that is started meanwhile finds them, too.
      for (const { name, bytes, locked } of changes) {
        const done = bytes === undefined ? this.store.remove("files", name) : this.store.put("files", { name, bytes, locked });
        work.push(done.then(() => this.follow(name, bytes === undefined ? undefined : { name, bytes, locked })));
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

  /** Saves the machine into a slot: the state at once, as the page may be about to be closed, and its picture afterwards. */
  async save(slot: string): Promise<void> {
    const state = this.emulator.save_state() as Uint8Array<ArrayBuffer>;
    const { program } = this;
    const title = this.emulator.title() || "BASIC";
    const saved = { key: `${program} ${slot}`, program, title, slot, time: Date.now(), state, picture: null };
    this.kept = this.emulator.frames();
    const picture = this.screen.thumbnail();
    await this.store.put("states", saved);
    this.stored();
    // A state without a picture is a state all the same.
    await picture.then((picture) => this.store.addPicture({ ...saved, picture })).then(() => this.stored(), () => {});
  }

  async load(slot: string): Promise<void> {
    const saved = await this.store.get("states", `${this.program} ${slot}`);
    if (saved === undefined) throw new Error(`slot ${slot} is empty`);
    this.loadState(saved.state);
  }

  /** The machine becomes that of a saved state; where it was before is kept. */
  loadState(state: Uint8Array): void {
    void this.automatic(true);
    this.returnTo(state);
    this.isUsed = true;
  }

  /** The machine becomes that of a state of its own past. */
  returnTo(state: Uint8Array): void {
    this.emulator.load_state(state);
    this.sound.clear();
    this.screen.setAspect(this.emulator.pixel_aspect());
    this.kept = this.emulator.frames();
  }

  /** The program was used: its state is worth keeping. */
  private isUsed = false;

  /** Saves by itself, now and then, before another program begins, and when the page is left: then everything is on its way when this returns. */
  async automatic(now = false): Promise<void> {
    const frames = this.emulator.frames();
    if (this.keyboard.used || frames - this.kept > USED) this.isUsed = true;
    if (this.program === "menu" || this.emulator.is_starting() || !this.isUsed || frames === this.kept) return;
    if (!now && (this.busy || frames - this.kept < AUTOMATIC * 60)) return;
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

  /** Offers to continue where the program was left. */
  async offer(): Promise<void> {
    const { program } = this;
    const key = `${program} auto`;
    const saved = await this.store.get("states", key);
    if (saved === undefined) return;
    const elsewhere = await this.store.isOpenElsewhere("states", key);
    if (this.program !== program) return;
    const when = new Date(saved.time).toLocaleString();
    const text = elsewhere ? `${saved.title} also runs in another window; both are kept.` : `${saved.title} was left ${when}.`;
    say(text, [
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

  /** Continues from a state that is kept, whatever is in the machine. */
  private async resume(saved: Kinds["states"]): Promise<void> {
    if (Emulator.is_built_in(saved.program)) {
      if (saved.program !== "basic") await this.loadGames();
      this.openBuiltIn(saved.program);
      this.loadState(saved.state);
    } else await this.openFile(`${saved.title}.a8s`, saved.state, undefined, saved.program);
    this.focus();
  }

  /** Continues a file of the user's own, by its contents' key, where it was left. Rejects where this browser has kept nothing of it. */
  async resumeFile(key: string): Promise<void> {
    if (isEmbedded()) throw new Error("a frame of another page opens nothing that this browser has kept");
    const states = (await this.store.all("states")).filter((saved) => saved.program === key && !isGuest(key)).sort((a, b) => b.time - a.time);
    if (states.length === 0) throw new Error("this browser has kept nothing of the file at this address; open the file again");
    await this.resume(states[0]);
  }

  /** Offers, beside the menu, to continue the program that was left last. */
  async offerLast(): Promise<void> {
    if (isEmbedded()) return;
    const { session } = this;
    const states = (await this.store.all("states")).filter(({ slot, program }) => slot === "auto" && !isGuest(program));
    const last = states.sort((a, b) => b.time - a.time)[0];
    if (last === undefined || this.session !== session || (await this.store.isOpenElsewhere("states", last.key))) return;
    const go = () => void this.resume(last).catch((error) => say(sentence(error)));
    say(`${last.title} was left ${new Date(last.time).toLocaleString()}.`, [["Go on from there", go]]);
  }

  focus(): void {
    this.screen.canvas.focus({ preventScroll: true });
  }
}

/** A drive, or the recorder (0), by its name. */
const placeOf = (drive: number): string => (drive === 0 ? "C:" : `D${drive}:`);

/** True if a file is a list of disks. */
const isList = (name: string): boolean => /\.m3u$/i.test(name);

/** A program's key by its contents. */
export async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (crypto.subtle === undefined) {
    // Pages that are not from a secure place have no hashes.
    return sumOf(bytes);
  }
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest.slice(0, 12), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A short name for bytes, made at once: for lists of what is kept, where two of one name do no harm. */
function sumOf(bytes: Uint8Array): string {
  let [a, b] = [2166136261, 5381];
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 16777619) >>> 0;
    b = (Math.imul(b, 33) + byte) >>> 0;
  }
  return `${bytes.length}-${a.toString(16)}${b.toString(16)}`;
}
