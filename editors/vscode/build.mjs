// Bundles the extension into dist/; with --test also the parts that tests use without an editor.
import { copyFileSync } from "node:fs";
import { build } from "esbuild";

const common = { bundle: true, target: "es2022", logLevel: "warning" };
await build({ ...common, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js", platform: "node", format: "cjs", external: ["vscode"], minify: true });
await build({ ...common, entryPoints: { panel: "src/panel/main.ts" }, outdir: "dist", platform: "browser", format: "iife", minify: true });
copyFileSync("src/panel/panel.css", "dist/panel.css");
if (process.argv.includes("--test")) {
  const parts = ["binary", "definitions", "fault", "names", "renumber", "tools"];
  await build({ ...common, entryPoints: parts.map((part) => `src/${part}.ts`), outdir: "dist/parts", platform: "node", format: "esm", outExtension: { ".js": ".mjs" } });
}
copyFileSync("../../LICENSE-MIT", "LICENSE.txt");
