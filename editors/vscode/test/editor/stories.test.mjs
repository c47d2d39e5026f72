// A fault in a program of each language, found in the real editor, mended in the source, and kept away by a test.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { editor, until } from "./editor.mjs";

const STORIES = new URL("../../../../tests/programs/stories/", import.meta.url);

let code;
before(async () => {
  code = await editor();
});
after(() => code.close());

/** A template's project with a story's program and test; what finds the fault, and the text that mends it, typed at a line and column. */
function story(name, { template, source, program, main, find, mend: [line, column, keys, text] }) {
  test(name, async () => {
    const folder = code.project(template);
    const read = (file) => readFileSync(new URL(file, STORIES), "utf8");
    writeFileSync(join(folder, main), read(source));
    writeFileSync(join(folder, "test.toml"), read(source.replace(/\.\w+$/, ".toml")).replace(/^program = .*$/m, `program = "${program}"`));
    const window = await code.open(folder);
    try {
      await window.file(main);
      await find(window);
      await window.picture(name.replaceAll(/\W+/g, "-"));
      await window.key("Shift+F5");
      await window.file(main);
      await window.line(line, column);
      await window.key(...keys);
      await window.page.keyboard.type(text);
      await window.key("Control+s");
      await until("the mended file", async () => readFileSync(join(folder, main), "utf8"), (now) => now !== read(source));
      await window.task("Tasks: Run Test Task");
      const output = await until("the end of the test", () => window.terminal(), (shown) => /[01] passed, [01] failed/.test(shown));
      assert.match(output, /1 passed, 0 failed/);
    } catch (error) {
      await window.picture(`failed-${name.replaceAll(/\W+/g, "-")}`);
      throw error;
    } finally {
      await window.close();
    }
  });
}

story("an interrupt that loses X", {
  template: "ca65", source: "bands.s", program: "main.xex", main: "main.s",
  async find(window) {
    await window.breakpoint(56);
    await window.key("F5");
    await window.stands("main.s:56");
    await window.watch("x");
    const before = await window.value("x");
    assert.notEqual(before, "3 ($3)");
    await window.file("main.s");
    await window.breakpoint(69);
    await window.tool("continue");
    await window.stands("main.s:69");
    await window.watched("x", "3 ($3)");
  },
  mend: [67, 1, ["End"], "\ntax"],
});

story("a loop in C that ends too early", {
  template: "cc65", source: "primes.c", program: "main.xex", main: "main.c",
  async find(window) {
    await window.breakpoint(39);
    await window.key("F5");
    await window.stands("main.c:39");
    await window.watch("sieve[169]");
    await window.watched("sieve[169]", "0");
    await window.file("main.c");
    await window.breakpoint(14);
    await window.tool("reverse-continue");
    await window.stands("main.c:14");
    await window.watch("p");
    await window.watched("p", "11");
  },
  mend: [35, 23, ["Backspace"], "5"],
});

story("a sort in BASIC that leaves out its last round", {
  template: "basic", source: "sort.lst", program: "main.lst", main: "main.lst",
  async find(window) {
    await window.breakpoint(16);
    await window.key("F5");
    await window.stands("main.lst:16");
    await window.watch("GAP");
    await window.watched("GAP", "1");
    await window.tool("step-back");
    await window.stands("main.lst:15");
  },
  mend: [15, 12, [], "="],
});
