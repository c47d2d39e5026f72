// Languages, tasks and projects in the real editor.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { editor, until } from "./editor.mjs";

let code;
before(async () => {
  code = await editor();
});
after(() => code.close());

/** A test in a window of its own, on a folder. */
function within(name, template, act) {
  test(name, async () => {
    const folder = code.project(template);
    const window = await code.open(folder);
    try {
      await act(window, folder);
      await window.picture(name.replaceAll(/\W+/g, "-"));
    } catch (error) {
      await window.picture(`failed-${name.replaceAll(/\W+/g, "-")}`);
      throw error;
    } finally {
      await window.close();
    }
  });
}

within("a new project, its hovers, definitions, build errors and test", "empty", async (window, folder) => {
  await window.quick("F1", "New Atari project");
  await until("the templates", () => window.page.locator(".quick-input-list").innerText(), (text) => text.includes("ca65 + C"));
  await window.ask(undefined, "ca65");
  await window.key("Enter");
  await until("the project", async () => existsSync(join(folder, ".vscode/tasks.json")));
  // The command shows the main file itself.
  await window.shown("main.s");
  await window.line(41);
  // The cursor goes to COLPF2, and the hover comes by key.
  await window.key("End", "ArrowLeft");
  await window.quick("F1", "Show or Focus Hover");
  const hover = await until("the hover", () => window.page.locator(".monaco-hover:not(.hidden) .hover-contents").allInnerTexts(), (all) => all.length > 0);
  assert.match(hover.join(" "), /COLPF2 \$D018 \(53272\), GTIA\s+Colour of a playfield/);
  await window.line(10);
  await window.key("End", "ArrowLeft", "F12");
  await until("the definition", () => window.page.locator(".statusbar").innerText(), (text) => text.includes("Ln 38,"));
  await window.task("Tasks: Run Test Task");
  const output = await until("the end of the test", () => window.terminal(), (text) => /exit code|any key/.test(text));
  assert.ok(!output.includes("exit code"), output);
  await window.file("main.s");
  await window.line(41);
  await window.key("End");
  await window.page.keyboard.type("x");
  await window.key("Control+s");
  await window.key("Control+Shift+b");
  const problems = await until("the problem", () => window.problems(), (all) => all.length > 1);
  assert.match(problems.join("\n"), /COLPF2x/);
});

within("BASIC: an error while typing, the tokeniser's form, new numbers", "basic", async (window, folder) => {
  await window.file("main.lst");
  await window.line(10);
  await window.key("End");
  await window.page.keyboard.type("+");
  const problems = await until("the error", () => window.problems(), (all) => all.length > 1);
  assert.match(problems.join("\n"), /Atari BASIC/);
  await window.file("main.lst");
  await window.key("End", "Backspace");
  await until("no error", () => window.problems(), (all) => all.length < 2);
  await window.file("main.lst");
  await window.line(9);
  await window.key("End");
  await window.page.keyboard.type("\n95 print  right");
  await window.quick("F1", "Format Document");
  await until("the form of LIST", () => window.text(), (text) => text.includes("95 PRINT RIGHT\n"));
  await window.quick("F1", "Renumber BASIC lines");
  await window.ask(undefined, "1000 5");
  await window.key("Enter");
  await until("the new numbers", () => window.text(), (text) => text.includes("1030 GOSUB 1055"));
  await window.key("Control+s");
  await until("the file", async () => readFileSync(join(folder, "main.lst"), "utf8"), (text) => text.startsWith("1000 REM A question of sums\n1005 GRAPHICS 0"));
});
