// Links: everything is in the fragment, which browsers send nowhere. docs/web.md says what each part means.
import { ASSEMBLED, type App, type Guest, LISTING, type Loaded, PROJECT, type Source, isEmbedded, isGuest } from "./app.ts";
import { Emulator, HEIGHT, type ProgramKind, WIDTH, loadRest } from "./machine.ts";
import { type Panels } from "./panels.ts";
import { download, encoded, hush, make, said, say, sentence } from "./ui.ts";

/** The version of the links that this page makes, and the newest that it understands. */
const VERSION = 1;
/** Longest program in a link, compressed. */
const LONGEST = 32 << 10;
/** Longest thing that a link may unpack to. */
const UNPACKED = 8 << 20;

/** The number of this build, put in when the page is made. */
declare const BUILD: string;

/** The bytes of a stream, at most `most`. */
async function collected(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new Error("too long");
    }
    parts.push(value as Uint8Array<ArrayBuffer>);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream, most: number): Promise<Uint8Array<ArrayBuffer>> {
  return collected(new Blob([bytes]).stream().pipeThrough(stream), most);
}

export function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return through(bytes, new CompressionStream("deflate-raw"), Number.MAX_SAFE_INTEGER);
}

export function inflate(bytes: Uint8Array<ArrayBuffer>, most: number): Promise<Uint8Array<ArrayBuffer>> {
  return through(bytes, new DecompressionStream("deflate-raw"), most);
}

function base64url(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function unpacked(text: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return await inflate(Uint8Array.from(plain, (c) => c.charCodeAt(0)), UNPACKED);
  } catch {
    throw new Error("this link is damaged: part of it was lost on its way");
  }
}

function address(parts: [string, string][], options: string): string {
  const all = new URLSearchParams([["v", String(VERSION)], ...parts, ...new URLSearchParams(options)]);
  return `${location.origin}${location.pathname}#${all}`;
}

async function packed(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const short = await deflate(bytes);
  if (short.length > LONGEST) throw new Error("this program is too long for a link (32 KB compressed); download it as a file instead");
  return base64url(short);
}

/** A link that opens a lesson. */
export function lessonLink(name: string): string {
  return address([["lesson", name]], "");
}

export async function linkToListing(app: App, text: string): Promise<string> {
  return address([["bas", await packed(encoded(text))]], app.options);
}

/** A link that assembles and runs a source. */
export async function linkToSource(app: App, text: string): Promise<string> {
  return address([["asm", await packed(encoded(text))]], app.options);
}

/** The source in a link, and the program that the assembler makes of it. */
async function sourceOf(packed: string): Promise<{ files: Source[]; bytes: Uint8Array<ArrayBuffer>; raw: Uint8Array<ArrayBuffer> }> {
  const raw = await unpacked(packed);
  const { MAIN, assembled } = await import("./assembly.ts");
  const files: Source[] = [[MAIN, new TextDecoder().decode(raw)]];
  return { files, bytes: await assembled(files), raw };
}

/** The parts of a link that name a program; null for a machine without one. */
async function programParts(loaded: Loaded): Promise<[string, string][] | null> {
  switch (loaded.kind) {
    case "built-in":
      return [["game", loaded.name]];
    case "listing":
      return [["bas", await packed(encoded(loaded.text))]];
    case "file":
      return [["name", loaded.name], ["prog", await packed(loaded.bytes)]];
    case "source":
      return [["asm", await packed(encoded((await import("./assembly.ts")).joined(loaded.files)))]];
    case "moment":
      return null;
  }
}

/** A link that starts what is in the machine. */
export async function linkTo(app: App): Promise<string> {
  const parts = await programParts(app.loaded);
  return parts === null ? momentLink(app) : address(parts, app.options);
}

/** Characters that a chat takes. */
const SHORT = 2000;

/** Copies a text as soon as it is made. Its promise is handed over within the click, as WebKit wants it. False without a clipboard, or when it fails. */
async function copy(link: Promise<string>): Promise<boolean> {
  try {
    if (typeof ClipboardItem === "function" && navigator.clipboard?.write !== undefined) {
      await navigator.clipboard.write([new ClipboardItem({ "text/plain": link.then((text) => new Blob([text], { type: "text/plain" })) })]);
    } else await navigator.clipboard.writeText(await link);
    return true;
  } catch {
    return false;
  }
}

/** The present moment as a file, for what is too long as a link. */
export function stateFile(app: App, machine: { save_state(): Uint8Array } = app.emulator): void {
  download(`${app.emulator.title() || "basic"}.a8s`, machine.save_state() as Uint8Array<ArrayBuffer>);
}

/**
 * Shows a link in a field and copies it; `about` is a sentence on it. One that is too long for a chat is copied only when `file`, which makes a file
 * of the same, is not wanted. To be called within a click.
 */
export function share(app: App, link: Promise<string>, about: string, file?: () => void): void {
  const isLong = (text: string) => text.length > SHORT;
  const copied = copy(file === undefined ? link : link.then((text) => (isLong(text) ? Promise.reject(new Error("too long")) : text)));
  link.then(async (text) => {
    const field = make("input", "", { type: "text", readonly: "", value: text, "aria-label": "Link", class: "link" });
    field.addEventListener("focus", () => field.select());
    const isCopied = await copied;
    const long = isLong(text) ? ` It has ${text.length} characters, and many chats take ${SHORT}: a file is safer.` : "";
    const actions: [string, () => void][] = [["Copy", () => void copy(Promise.resolve(text)).then((done) => done || field.select())]];
    if (isLong(text) && file !== undefined) actions.unshift(["State as a file", file]);
    actions.push(["QR, embed, picture…", () => {
      void import("./share.ts").then(({ more }) => more(text, () => app.screen.png(), (what) => copy(Promise.resolve(what)))).catch((error) => say(sentence(error)));
    }]);
    if (typeof navigator.share === "function") actions.push(["Share…", () => void navigator.share({ url: text }).catch(() => {})]);
    say(`${about}${isCopied ? " The link is in the clipboard." : " Copy the link from here."}${long}`, actions, field);
    if (!isCopied) field.focus();
  }).catch((error) => say(sentence(error)));
}

/** The machine of a moment: the page's, or the one that is looked into. */
interface Momentary {
  save_moment(frames: number): Uint8Array;
  state_hash(): string;
}

/**
 * A link to the very moment at which the machine is, perhaps with a pixel to look at. It has the program and what was done to it, where the moment
 * comes of that; else the machine itself, which is longer.
 */
export async function momentLink(app: App, pixel?: { x: number; y: number }, other?: Momentary): Promise<string> {
  const machine: Momentary = other ?? app.emulator;
  const parts: [string, string][] = [["hash", machine.state_hash()], ["build", BUILD]];
  if (pixel !== undefined) parts.push(["x", String(pixel.x)], ["y", String(pixel.y)]);
  const calls = other === undefined ? (app.emulator.save_calls() as Uint8Array<ArrayBuffer> | undefined) : undefined;
  const options = app.emulator.opened_options();
  let played = "";
  if (calls !== undefined) {
    const program = await programParts(app.loaded).catch(() => null);
    if (program !== null) played = address([...program, ["play", base64url(await deflate(calls))], ...parts], options);
    if (played !== "" && played.length <= SHORT) return played;
  }
  const short = await deflate(machine.save_moment(0) as Uint8Array<ArrayBuffer>);
  if (played !== "" && played.length < short.length) return played;
  // A state with disks does not fit into an address.
  if (short.length > 4 * LONGEST) throw new Error("this moment is too large for a link; use \"State as a file\"");
  return address([...parts, ["moment", base64url(short)]], "");
}

/** The parts of which each names a program. */
const PROGRAMS = ["game", "bas", "asm", "prog", "src", "own", "lesson", "moment"];
const KNOWN = ["v", "game", "bas", "asm", "prog", "name", "src", "own", "lesson", "moment", "play", "hash", "build", "x", "y"];

/** The note of the page beside an address of its own: the program's key, by which a reload knows that it is the user's own, not a guest. */
interface Noted {
  anticlock: string;
}

const notedOf = (state: unknown): string => (typeof state === "object" && state !== null && "anticlock" in state ? String((state as Noted).anticlock) : "");

/** Links that are being opened: meanwhile the address is theirs. */
let opening = 0;
/** Addresses that were asked for: an earlier one that comes late is dropped. */
let asked = 0;

/** The address becomes that of what is in the machine, as a step that "back" undoes; that of a guest's moment stays the link that brought it. */
export async function showAddress(app: App): Promise<void> {
  if (opening > 0 || isEmbedded()) return;
  const number = ++asked;
  const { loaded, program, options } = app;
  let fragment = "";
  if (isGuest(program) && loaded.kind === "moment") return;
  if (loaded.kind !== "built-in" || loaded.name !== "menu" || options !== "") {
    // A program that is too long for an address is found by its contents in this browser's storage.
    const parts: [string, string][] | null = (await programParts(loaded).catch(() => null)) ?? (isGuest(program) ? null : [["own", program]]);
    if (parts === null) return;
    fragment = new URL(address(parts, options)).hash;
  }
  if (number !== asked || opening > 0) return;
  const url = `${location.pathname}${location.search}${fragment}`;
  const note: Noted = { anticlock: program };
  if (fragment === location.hash) history.replaceState(note, "", url);
  else history.pushState(note, "", url);
}

/** Frames of a moment that are run at once, milliseconds between two looks at the user, and those after which the page says that it runs. */
const SLICE = 30;
const TURN = 100;
const SAID = 300;

/** The link that is opened or was opened last, and its end; the newest that was asked for. */
let current = 0;
let newest = 0;
let done = Promise.resolve();

/** The machine has got another program while a link was on its way to its moment. */
class Replaced extends Error {}

/** Opens what the page's address says, one link after the other: one that comes later ends the way of an earlier one. */
export function openLink(app: App, panels: Panels): Promise<void> {
  const number = ++newest;
  const opened = done.then(async () => {
    if (number !== newest) return;
    current = number;
    await openAddress(app, panels);
  });
  // A link that failed keeps no later one from opening.
  done = opened.catch(() => {});
  return opened;
}

/** Says which parts of a link do not go together, or name no pixel. */
function fit(parts: URLSearchParams): void {
  const [first, second] = PROGRAMS.filter((part) => parts.has(part));
  if (second !== undefined) throw new Error(`this link names two programs, by ${first} and by ${second}`);
  if (!parts.has("x") && !parts.has("y")) return;
  if (!parts.has("play") && !parts.has("moment")) throw new Error("this link names a pixel, and no moment");
  const isIn = (name: string, end: number) => /^\d{1,3}$/.test(parts.get(name) ?? "") && Number(parts.get(name)) < end;
  if (!isIn("x", WIDTH) || !isIn("y", HEIGHT)) throw new Error(`this link names a pixel that is not in the picture, which has ${WIDTH} by ${HEIGHT}`);
}

/** Opens an address. When that is nothing, or nothing that can be used: the menu on a page that has just been opened, else what is in the machine stays. */
async function openAddress(app: App, panels: Panels): Promise<void> {
  const before = app.options;
  const isFirst = app.session === 0;
  let isReplaced = false;
  opening++;
  asked++;
  const parts = new URLSearchParams(location.hash.slice(1));
  try {
    const version = Number(parts.get("v") ?? VERSION);
    if (!(version >= 1 && version <= VERSION)) throw new Error("this link was made by a newer page; reload this one to get it");
    const unknown = [...parts.keys()].find((key) => !KNOWN.includes(key) && !Emulator.is_option(key));
    if (unknown !== undefined) throw new Error(`this link has a part that this page does not know: ${unknown.slice(0, 40)}`);
    fit(parts);
    const options = new URLSearchParams([...parts].filter(([key]) => Emulator.is_option(key))).toString();
    const kept = await app.store.get("settings", "options").catch(() => undefined);
    app.options = options !== "" ? options : parts.size === 0 ? (kept?.value ?? "") : "";
    // More than the menu needs.
    if (parts.size > 0 || app.options !== "") await loadRest();
    await open(app, panels, parts);
  } catch (error) {
    app.options = isFirst ? "" : before;
    if (app.session === 0 && current === newest) app.openBuiltIn("menu");
    isReplaced = error instanceof Replaced;
    if (!isReplaced) say(sentence(error));
  } finally {
    opening--;
  }
  // The user has put something else into the machine, whose address was not shown meanwhile.
  if (isReplaced && current === newest) app.readdress();
}

/** The guest that a program of an address is; `undefined` if this page made the address from the user's own program. */
async function whose(app: App, bytes: Uint8Array<ArrayBuffer>, noted: string): Promise<Guest | undefined> {
  if (isGuest(noted)) return app.guestOf(noted);
  return noted === "" ? app.guest(bytes) : undefined;
}

async function open(app: App, panels: Panels, parts: URLSearchParams): Promise<void> {
  const game = parts.get("game");
  const listing = parts.get("bas");
  const assembly = parts.get("asm");
  const program = parts.get("prog");
  const source = parts.get("src");
  const moment = parts.get("moment");
  const play = parts.get("play");
  const own = parts.get("own");
  const lesson = parts.get("lesson");
  const noted = notedOf(history.state);
  if (play !== null) {
    await openPlayed(app, panels, parts, play);
  } else if (moment !== null) {
    await openMoment(app, panels, parts, moment);
  } else if (own !== null) {
    await app.resumeFile(own.slice(0, 100));
  } else if (listing !== null) {
    const bytes = await unpacked(listing);
    const isOwn = noted === LISTING || noted.startsWith(PROJECT);
    app.openListing(new TextDecoder().decode(bytes), await whose(app, bytes, noted), isOwn ? noted : LISTING);
    if (isOwn) await app.offer();
  } else if (assembly !== null) {
    const { files, bytes, raw } = await sourceOf(assembly);
    const isOwn = noted.startsWith(PROJECT);
    app.openSource(files, bytes, isOwn ? undefined : await app.guest(raw), noted);
    if (isOwn) await app.offer();
  } else if (program !== null) {
    const bytes = await unpacked(program);
    await app.openFile((parts.get("name") ?? "program").slice(0, 100), bytes, await whose(app, bytes, noted));
  } else if (source !== null) {
    await openSource(app, source);
  } else if (lesson !== null) {
    app.openBuiltIn("menu");
    panels.open("lessons");
    await ((await panels.loaded("lessons")) as unknown as { lesson: (key: string) => Promise<void> }).lesson(lesson.slice(0, 200));
  } else {
    if (game !== null && game !== "menu" && game !== "basic") await app.loadGames();
    app.openBuiltIn(game ?? "menu");
    if (game !== null && game !== "menu") await app.offer();
    else if (parts.size === 0) await app.offerLast();
  }
}

async function openMoment(app: App, panels: Panels, parts: URLSearchParams, moment: string): Promise<void> {
  const bytes = await unpacked(moment);
  const guest = await app.guest(bytes);
  await come(app, panels, parts, guest, { kind: "moment" }, () => app.emulator.begin_moment(bytes, parts.get("hash") ?? ""));
}

/** A program as the emulator opens it: its kind, name and bytes. */
function calledAs(loaded: Exclude<Loaded, { kind: "moment" }>): [ProgramKind, string, Uint8Array<ArrayBuffer>] {
  switch (loaded.kind) {
    case "built-in":
      return ["game", loaded.name, encoded("")];
    case "listing":
      return ["listing", "", encoded(loaded.text)];
    case "file":
      return ["file", loaded.name, loaded.bytes];
    case "source":
      return ["file", ASSEMBLED, loaded.bytes];
  }
}

/** Opens the moment of a program that was played: the same is done to it again. */
async function openPlayed(app: App, panels: Panels, parts: URLSearchParams, play: string): Promise<void> {
  const calls = await unpacked(play);
  const [listing, program, assembly] = [parts.get("bas"), parts.get("prog"), parts.get("asm")];
  let loaded: Exclude<Loaded, { kind: "moment" }>;
  if (listing !== null) loaded = { kind: "listing", text: new TextDecoder().decode(await unpacked(listing)) };
  else if (assembly !== null) {
    const { files, bytes } = await sourceOf(assembly);
    loaded = { kind: "source", files, bytes };
  } else if (program !== null) loaded = { kind: "file", name: (parts.get("name") ?? "program").slice(0, 100), bytes: await unpacked(program) };
  else loaded = { kind: "built-in", name: parts.get("game") ?? "menu" };
  if (loaded.kind === "built-in" && loaded.name !== "menu" && loaded.name !== "basic") await app.loadGames();
  const [kind, name, bytes] = calledAs(loaded);
  // The typed text is a program of another user, whatever it was typed into.
  const guest = await app.guest(encoded(location.hash));
  await come(app, panels, parts, guest, loaded, () => app.emulator.begin_calls(kind, name, bytes, app.options, calls, parts.get("hash") ?? ""));
}

/** Comes to the moment of a link, and shows it. */
async function come(app: App, panels: Panels, parts: URLSearchParams, guest: Guest, loaded: Loaded, begin: () => void): Promise<void> {
  try {
    begin();
    await arrive(app);
    app.openMoment(guest, loaded);
  } catch (error) {
    if (error instanceof Replaced) throw error;
    const build = parts.get("build");
    const other = build !== null && build !== BUILD ? ` (it was made by build ${build.slice(0, 16)}, this is ${BUILD})` : "";
    throw new Error(sentence(error) + other);
  }
  panels.setPaused(true);
  if (parts.has("x")) {
    panels.open("inside");
    const page = (await panels.loaded("inside")) as { pixel?: (x: number, y: number) => void };
    page.pixel?.(Number(parts.get("x")), Number(parts.get("y")));
  } else {
    say("This is a moment of a running machine, standing still.", [["Go on from here", () => {
      panels.setPaused(false);
      app.focus();
    }]]);
  }
}

/** Runs the moment that is being opened to its end, by slices: the page says so when it takes long, and can stop it. */
async function arrive(app: App): Promise<void> {
  const begun = performance.now();
  const { session } = app;
  let isStopped = false;
  let told: Element | null = null;
  for (;;) {
    let part = 0;
    for (const turn = performance.now(); part < 1 && performance.now() - turn < TURN; ) part = app.emulator.run_moment(SLICE);
    if (part === 1) break;
    if (performance.now() - begun > SAID) {
      const text = `Running to the moment of this link: ${Math.floor(part * 100)} %`;
      if (told?.isConnected === true) told.textContent = text;
      else {
        // Again where another sentence has taken its place, for its button.
        say(text, [["Stop", () => {
          isStopped = true;
        }]]);
        told = said();
      }
    }
    await new Promise((done) => setTimeout(done));
    if (isStopped) {
      app.emulator.drop_moment();
      throw new Error("the link was stopped on its way to its moment");
    }
    if (current !== newest || app.session !== session) {
      app.emulator.drop_moment();
      if (told?.isConnected === true) hush();
      throw new Replaced();
    }
  }
  if (told?.isConnected === true) hush();
}

/** Longest file of a link's address: a disk of 16 MB in an archive. */
const LONGEST_FILE = 17 << 20;

/** Reads a file of the page's host, at most `most` bytes. `kind` is the word for it in what is said when it cannot be read. */
export async function hosted(source: string, kind: string, most: number): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }> {
  const url = addressOf(source);
  if (url?.origin !== location.origin) throw new Error(`a link's ${kind} must be on the page's own host`);
  const answer = await fetch(url).catch(() => null);
  if (answer?.ok !== true || answer.body === null) throw new Error(`there is no ${kind} ${url.pathname.slice(-80)} on this host`);
  const bytes = await collected(answer.body, most).catch(() => null);
  if (bytes === null) throw new Error(`this ${kind} is longer than ${most >> 10} KB or was cut off: ${url.pathname.slice(-80)}`);
  return { name: nameOf(url.pathname) || kind, bytes };
}

/** An address relative to the page's; null when it is none. */
function addressOf(source: string): URL | null {
  try {
    return new URL(source, location.href);
  } catch {
    return null;
  }
}

/** The name of a file by the path of its address. */
function nameOf(path: string): string {
  const last = path.slice(path.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

async function openSource(app: App, source: string): Promise<void> {
  const { name, bytes } = await hosted(source, "file", LONGEST_FILE);
  await app.openFile(name, bytes, await app.guest(bytes));
}
