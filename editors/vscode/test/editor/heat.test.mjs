// The column that says where the time goes, in a BASIC listing and in an assembler's source.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { editor, until } from "./editor.mjs";

let code;
before(async () => {
  code = await editor();
});
after(() => code.close());

/** The column's text by line, of the lines in sight: "" where it is empty, undefined without a column. */
const column = (window) => window.page.locator(".editor-instance .view-line").evaluateAll((all) =>
  Object.fromEntries(all.map((line) => {
    const number = Math.round(Number.parseInt(line.style.top, 10) / line.offsetHeight) + 1;
    const contents = [...line.querySelectorAll("span")].map((span) => getComputedStyle(span, "::before").content);
    return [number, contents.find((content) => content !== "none" && content !== "normal")?.replaceAll('"', "")];
  })));

async function heat(name, template, main, { program, line, hot, cold }) {
  const folder = code.project(template);
  if (program) writeFileSync(join(folder, main), program);
  const window = await code.open(folder);
  try {
    await window.file(main);
    await window.breakpoint(line);
    await window.key("F5");
    await window.stands(`${main}:${line}`);
    await window.command("Atari: Show where the time goes");
    const shown = await until("the column", () => column(window), (found) => /%/.test(found[hot] ?? ""));
    assert.ok(Number.parseFloat(shown[hot]) > 20, JSON.stringify(shown));
    assert.equal(shown[cold], "", JSON.stringify(shown));
    await window.picture(`heat-${name}`);
    await window.command("Atari: Show where the time goes");
    await until("no column", () => column(window), (found) => Object.values(found).every((text) => text === undefined));
  } catch (error) {
    await window.picture(`failed-heat-${name}`);
    throw error;
  } finally {
    await window.close();
  }
}

test("where the time of a BASIC program goes", () =>
  heat("basic", "basic", "main.lst", {
    program: '10 REM NOTHING\n20 FOR I=1 TO 300:A=SIN(I):NEXT I\n30 PRINT "DONE"\n', line: 3, hot: 2, cold: 1,
  }));

test("where the time of an assembler's program goes", () =>
  heat("ca65", "ca65", "main.s", { line: 34, hot: 17, cold: 22 }));
