// Links: everything is in the fragment, which browsers send nowhere. docs/web.md says what each part means.
import type { App } from "./app.ts";
import { Emulator } from "./machine.ts";
import { type Panels } from "./panels.ts";
import { say, sentence } from "./ui.ts";

/** The version of the links that this page makes, and the newest that it understands. */
const VERSION = 1;
/** Longest program in a link, compressed. */
const LONGEST = 32 << 10;
/** Longest thing that a link may unpack to. */
const UNPACKED = 8 << 20;

/** The number of this build, put in when the page is made. */
declare const BUILD: string;

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
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

export async function linkToListing(app: App, text: string): Promise<string> {
  return address([["bas", await packed(new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>)]], app.options);
}

/** A link that starts what is in the machine. */
export async function linkTo(app: App): Promise<string> {
  const { loaded } = app;
  switch (loaded.kind) {
    case "built-in":
      return address([["game", loaded.name]], app.options);
    case "listing":
      return linkToListing(app, loaded.text);
    case "file":
      return address([["name", loaded.name], ["prog", await packed(loaded.bytes)]], app.options);
    case "moment":
      return momentLink(app);
  }
}

/** A link to the very moment at which the machine is, perhaps with a pixel to look at. */
export async function momentLink(app: App, pixel?: { x: number; y: number }): Promise<string> {
  const bytes = app.emulator.save_moment(0) as Uint8Array<ArrayBuffer>;
  const parts: [string, string][] = [["hash", app.emulator.state_hash()], ["build", BUILD]];
  if (pixel !== undefined) parts.push(["x", String(pixel.x)], ["y", String(pixel.y)]);
  const short = await deflate(bytes);
  // A state with disks does not fit into an address.
  if (short.length > 4 * LONGEST) throw new Error("this moment is too large for a link; use \"State as a file\"");
  return address([...parts, ["moment", base64url(short)]], "");
}

const KNOWN = ["v", "game", "bas", "prog", "name", "src", "moment", "hash", "build", "x", "y"];

/** Opens what the page's address says; the menu when it says nothing, or nothing that can be used. */
export async function openLink(app: App, panels: Panels): Promise<void> {
  const parts = new URLSearchParams(location.hash.slice(1));
  try {
    const version = Number(parts.get("v") ?? VERSION);
    if (!(version >= 1 && version <= VERSION)) throw new Error("this link was made by a newer page; reload this one to get it");
    const known = Emulator.option_names().split(" ");
    const unknown = [...parts.keys()].find((key) => !KNOWN.includes(key) && !known.includes(key));
    if (unknown !== undefined) throw new Error(`this link has a part that this page does not know: ${unknown.slice(0, 40)}`);
    const options = new URLSearchParams([...parts].filter(([key]) => known.includes(key))).toString();
    const kept = await app.store.get("settings", "options").catch(() => undefined);
    app.options = options !== "" ? options : parts.size === 0 ? (kept?.value ?? "") : "";
    await open(app, panels, parts);
  } catch (error) {
    app.options = "";
    app.openBuiltIn("menu");
    say(sentence(error));
  }
}

async function open(app: App, panels: Panels, parts: URLSearchParams): Promise<void> {
  const game = parts.get("game");
  const listing = parts.get("bas");
  const program = parts.get("prog");
  const source = parts.get("src");
  const moment = parts.get("moment");
  if (moment !== null) {
    await openMoment(app, panels, parts, moment);
  } else if (listing !== null) {
    const text = new TextDecoder().decode(await unpacked(listing));
    app.openListing(text);
  } else if (program !== null) {
    await app.openFile((parts.get("name") ?? "program").slice(0, 100), await unpacked(program));
  } else if (source !== null) {
    await openSource(app, source);
  } else {
    if (game !== null && game !== "menu" && game !== "basic") await app.loadGames();
    app.openBuiltIn(game ?? "menu");
    if (game !== null && game !== "menu") await app.offer();
  }
}

async function openMoment(app: App, panels: Panels, parts: URLSearchParams, moment: string): Promise<void> {
  const bytes = await unpacked(moment);
  try {
    app.openMoment(bytes, parts.get("hash") ?? "");
  } catch (error) {
    const build = parts.get("build");
    const other = build !== null && build !== BUILD ? ` (it was made by build ${build.slice(0, 16)}, this is ${BUILD})` : "";
    throw new Error(sentence(error) + other);
  }
  panels.setPaused(true);
  const x = Number(parts.get("x"));
  const y = Number(parts.get("y"));
  if (parts.has("x") && parts.has("y")) {
    panels.open("inside");
    const page = (await panels.inside()) as { pixel?: (x: number, y: number) => void };
    page.pixel?.(x, y);
  } else {
    say("This is a moment of a running machine, standing still.", [["Go on from here", () => {
      panels.setPaused(false);
      app.focus();
    }]]);
  }
}

async function openSource(app: App, source: string): Promise<void> {
  const url = new URL(source, location.href);
  if (url.origin !== location.origin) throw new Error("a link's file must be on the page's own host");
  const answer = await fetch(url).catch(() => null);
  if (answer === null || !answer.ok) throw new Error(`there is no file ${url.pathname.slice(-80)} on this host`);
  const name = decodeURIComponent(url.pathname.split("/").pop() ?? "file");
  await app.openFile(name, new Uint8Array(await answer.arrayBuffer()));
}
