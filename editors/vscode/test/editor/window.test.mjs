// The program's own window beside the editor: F5 opens it, keys go into it, and the editor attaches to one that plays already.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { editor, until } from "./editor.mjs";

/** Waits for a key, and paints the screen. */
const WAITS = "10 POKE 764,255\n20 IF PEEK(764)=255 THEN 20\n30 POKE 710,PEEK(764)\n40 GOTO 40\n";
const TOOLS = ["Xvfb", "xdotool", "import"];
const missing = TOOLS.filter((tool) => spawnSync(tool, ["-version"]).error);
const skip = missing.length === 0 ? false : `it needs ${missing.join(", ")}`;

let code, screen, display;
before(async () => {
  if (skip) return;
  screen = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x800x24", "-noreset", "-nolisten", "tcp"], { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  display = `:${await new Promise((done) => createInterface(screen.stdio[3]).once("line", done))}`;
  code = await editor({ DISPLAY: display });
});
after(async () => {
  await code?.close();
  screen?.kill();
});

const tool = (program, ...words) => spawnSync(program, words, { env: { ...process.env, DISPLAY: display }, encoding: "utf8" }).stdout;
const windows = () => tool("xdotool", "search", "--name", "F1 menu").split("\n").filter(Boolean);

/** Types a key into the program's window, once that is there. */
async function tap(key) {
  const [found] = await until("the program's window", async () => windows(), (all) => all.length > 0);
  tool("xdotool", "windowfocus", "--sync", found, "key", "--window", found, key);
}

function project(listing = WAITS) {
  const folder = code.project("empty");
  writeFileSync(join(folder, "waits.lst"), listing);
  return folder;
}

test("F5 opens a window, and its keys reach the program", { skip }, async () => {
  const window = await code.open(project());
  try {
    await window.file("waits.lst");
    await window.breakpoint(3);
    await window.key("F5");
    await window.runs();
    await tap("t");
    await window.stands("waits.lst:3");
    await window.watch("[764]");
    await window.watched("[764]", "45 ($2D)");
    // A stop in the window is one in the editor.
    await window.tool("continue");
    await window.runs();
    await tap("F9");
    await window.stands("waits.lst:4");
    await window.picture("window-editor");
    if (process.env.EDITOR_PICTURES) tool("import", "-window", "root", join(process.env.EDITOR_PICTURES, "window-screen.png"));
    await window.key("Shift+F5");
    await until("the window's end", async () => windows(), (all) => all.length === 0);
  } catch (error) {
    await window.picture("failed-window");
    throw error;
  } finally {
    await window.close();
  }
});

test("the editor attaches to a window that plays, and leaves it playing", { skip }, async () => {
  const folder = project(WAITS.replace("40 GOTO 40", "40 GOTO 10"));
  const { DISPLAY, ANTICLOCK_DAP_TOKEN, ...rest } = process.env;
  const program = spawn(process.env.ANTICLOCK, ["waits.lst", "--mute", "--debug-port", "0"], {
    cwd: folder, env: { ...rest, DISPLAY: display }, stdio: ["ignore", "ignore", "pipe"],
  });
  const said = [];
  createInterface(program.stderr).on("line", (line) => said.push(line));
  const token = await until("the token", async () => said.map((line) => /^anticlock: token (.*)$/.exec(line)?.[1]).find(Boolean));
  const port = Number(/:(\d+)$/.exec(said[0])[1]);
  mkdirSync(join(folder, ".vscode"));
  const configuration = { name: "In its window", type: "anticlock", request: "attach", port, token, cwd: "${workspaceFolder}" };
  writeFileSync(join(folder, ".vscode/launch.json"), JSON.stringify({ version: "0.2.0", configurations: [configuration] }));
  const window = await code.open(folder);
  try {
    await window.file("waits.lst");
    await window.breakpoint(3);
    await window.key("F5");
    await window.runs();
    // The first keys may come before the breakpoint is set.
    await until("a stop at waits.lst:3", async () => {
      await tap("t");
      return (await window.stack())[0] ?? "";
    }, (top) => top.includes("waits.lst:3"));
    await window.tool("step-back");
    await window.stands("waits.lst:2");
    await window.picture("window-attached");
    await window.tool("disconnect");
    await window.ended();
    assert.equal(program.exitCode, null);
    assert.equal(windows().length, 1);
  } catch (error) {
    await window.picture("failed-attach");
    throw error;
  } finally {
    await window.close();
    program.kill();
  }
});
