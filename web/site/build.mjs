// Bundles the page into ../dist, beside the WebAssembly that is there already.
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const dist = pathToFileURL(`${process.env.DIST ?? new URL("../dist", import.meta.url).pathname}/`);
const read = (name) => readFileSync(new URL(name, dist));
const short = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 12);
const number = short(read("anticlock.wasm"));

// The menu as it stands when it has started: the first picture does not wait for five seconds of the machine's time.
{
  const { default: init, Emulator } = await import("./pkg/web.js");
  const wasm = await init({ module_or_path: read("anticlock.wasm") });
  globalThis.anticlockRest = () => new WebAssembly.Instance(new WebAssembly.Module(read("rest.wasm")), { p: wasm });
  Emulator.supply_roms(read("roms.bin"));
  writeFileSync(new URL("start.bin", dist), Emulator.started("menu"));
}

// The page against the types of its programs' boundary.
execFileSync("node_modules/.bin/tsc", ["--noEmit"], { stdio: "inherit" });

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
// The address of the source that a published page was made of; none for a page on the user's own machine.
const source = process.env.WEB_SOURCE ?? "";
if (source !== "" && !/^https:\/\/\S+$/.test(source)) throw new Error(`WEB_SOURCE is to be an address that begins with https://, not ${source}`);

const common = {
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  outdir: dist.pathname,
  define: { BUILD: JSON.stringify(number), VERSION: JSON.stringify(version), SOURCE: JSON.stringify(source), "process.env.NODE_ENV": '"production"' },
  logLevel: "warning",
};
const { metafile } = await build({ ...common, entryPoints: ["src/page.ts"], splitting: true, chunkNames: "part-[hash]", metafile: true });
await build({ ...common, entryPoints: ["src/worklet.ts"] });
// For other people's pages: `anticlock.js`, and its types as the compiler derives them.
await build({ ...common, entryPoints: { anticlock: "src/component.ts" } });
execFileSync("node_modules/.bin/tsc", [
  "src/component.ts", "--declaration", "--emitDeclarationOnly", "--ignoreConfig", "--target", "es2022", "--module", "es2022", "--lib", "es2022,dom,dom.iterable",
  "--types", "", "--outDir", dist.pathname,
], { stdio: "inherit" });
renameSync(new URL("component.d.ts", dist), new URL("anticlock.d.ts", dist));
await build({ ...common, entryPoints: ["page.css", "panels.css"] });
for (const name of ["manifest.webmanifest", "icon.svg", "icon-192.png", "icon-512.png", "icon-maskable.png"]) {
  copyFileSync(name, new URL(name, dist));
}
// Lessons, and a list of them in the order in which they are learned.
const LESSONS = ["first", "display-list", "dli", "players", "sound"];
const lessons = LESSONS.map((name) => {
  const text = readFileSync(`lessons/${name}.md`, "utf8");
  writeFileSync(new URL(`lesson-${name}.md`, dist), text);
  return { name, title: text.split("\n")[0].slice(2), steps: text.match(/^## /gm).length };
});
writeFileSync(new URL("lessons.json", dist), JSON.stringify(lessons));
/** The description that a browser shows before it installs the page; the page itself never needs it. */
const SHOWN = ["page-play.png", "page-phone.png"];
// The package for npm: the folder as it is, with the element as its entrance.
writeFileSync(new URL("package.json", dist), JSON.stringify({
  name: "anticlock",
  version,
  description: "An Atari 8-bit computer as an element of a page: <anticlock-atari game=\"gammon\">",
  license: "MIT OR Apache-2.0",
  type: "module",
  exports: { ".": { types: "./anticlock.d.ts", default: "./anticlock.js" }, "./*": "./*" },
  types: "anticlock.d.ts",
  sideEffects: true,
  keywords: ["atari", "emulator", "web-component", "6502"],
}, null, 2));
/** For other pages only, and the fast program, in whose place the first one serves without a network. */
const OTHERS = ["anticlock.js", "anticlock.d.ts", "package.json", "fast.wasm"];
for (const name of SHOWN) copyFileSync(new URL(`../../docs/pictures/${name}`, import.meta.url), new URL(name, dist));
/** The script and the parts that it imports at once, for which the browser asks together. */
const scripts = new Set(["page.js"]);
const output = Object.fromEntries(Object.entries(metafile.outputs).map(([path, made]) => [basename(path), made]));
for (const name of scripts) {
  for (const { path, kind } of output[name].imports) if (kind === "import-statement") scripts.add(basename(path));
}
const preload = [...scripts].map((name) => `<link rel="modulepreload" href="${name}">\n`).join("");
// The same page for a frame: the difference is an attribute.
const page = readFileSync("index.html", "utf8").replace(/^ +/gm, "").replace('<link rel="modulepreload" href="page.js">\n', preload);
writeFileSync(new URL("index.html", dist), page);
writeFileSync(new URL("embed.html", dist), page.replace('<html lang="en">', '<html lang="en" data-embed>').replace(/ *<link rel="manifest".*\n/, ""));

// The files that the service worker keeps: everything that the page needs, with the hash of each file as its revision.
const manifest = readdirSync(dist)
  .filter((name) => name !== "sw.js" && !SHOWN.includes(name) && !OTHERS.includes(name))
  .sort()
  .map((url) => ({ url, revision: short(read(url)) }));
await build({ ...common, format: "iife", entryPoints: ["src/sw.ts"], define: { ...common.define, MANIFEST: JSON.stringify(manifest) } });
