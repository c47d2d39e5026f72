// Each template in the real editor: F5, a breakpoint, steps both ways, hover, watch, restart.
import { spawnSync } from "node:child_process";
import { after, before, test } from "node:test";
import { editor } from "./editor.mjs";

let code;
before(async () => {
  code = await editor();
});
after(() => code.close());

/** The two stops of each template, in the order in which they come. */
const CASES = [
  {
    template: "basic", first: ["main.lst", 4], second: ["main.lst", 5], step: "main.lst:5",
    hover: ["N", "1"], watch: ["N", "1"],
  },
  {
    template: "ca65", first: ["main.s", 24], second: ["main.s", 39], step: "main.s:25",
    hover: ["tenths", "1 ($01)"], watch: ["[tenths]", "1 ($1)"],
  },
  {
    template: "cc65", first: ["main.c", 11], second: ["main.c", 27], step: "main.c:16",
    hover: undefined, watch: ["[_found]", "0 ($0)"],
  },
  {
    template: "mads", needs: "mads", first: ["main.asm", 22], second: ["main.asm", 37], step: "main.asm:23",
    hover: ["tenths", "1 ($01)"], watch: ["[tenths]", "1 ($1)"],
  },
  {
    template: "ca65-c", first: ["main.c", 27], second: ["band.s", 32], step: "main.c:28",
    hover: undefined, watch: ["[_band_colour]", "148 ($94)"],
  },
];

for (const { template, needs, first, second, step, hover, watch } of CASES) {
  const skip = needs && spawnSync(needs).error ? `it needs ${needs}` : false;
  test(`debugging: ${template}`, { skip }, async () => {
    const window = await code.open(code.project(template));
    const [at, next] = [first, second].map((place) => place.join(":"));
    try {
      await window.file(first[0]);
      await window.breakpoint(first[1]);
      await window.key("F5");
      await window.stands(at);
      await window.watch(watch[0]);
      await window.watched(...watch);
      if (hover) await window.hovered(...hover);
      await window.key("F10");
      await window.stands(step);
      await window.tool("step-back");
      await window.stands(at);
      await window.file(second[0]);
      await window.breakpoint(second[1]);
      await window.tool("continue");
      await window.stands(next);
      await window.tool("reverse-continue");
      await window.stands(at);
      await window.picture(`debug-${template}`);
      await window.key("F10");
      await window.stands(step);
      await window.tool("restart");
      await window.stands(at);
      await window.watched(...watch);
      await window.key("Shift+F5");
    } catch (error) {
      await window.picture(`failed-${template}`);
      throw error;
    } finally {
      await window.close();
    }
  });
}
