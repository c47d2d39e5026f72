// Each template builds with its own tasks and passes its own test, without an editor.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { programOf, TOOLS } from "../dist/parts/tools.mjs";

const ANTICLOCK = process.env.ANTICLOCK;
const templates = new URL("../templates/", import.meta.url).pathname;
const there = (command) => spawnSync(command, { stdio: "ignore" }).error === undefined;

function run([command, ...words], cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, words, { cwd, encoding: "utf8" });
  return { status: error ? -1 : status, output: `${stdout}${stderr}${error ?? ""}` };
}

for (const name of readdirSync(templates)) {
  const { tasks } = JSON.parse(readFileSync(join(templates, name, ".vscode/tasks.json"), "utf8"));
  const commands = tasks.flatMap((task) => TOOLS[task.tool].commands(task, task.output ?? programOf(task.source), ANTICLOCK));
  const missing = ANTICLOCK ? commands.map(([command]) => command).find((command) => !there(command)) : "anticlock (the variable ANTICLOCK)";
  test(`template ${name}`, { skip: missing === undefined ? false : `it needs ${missing}` }, () => {
    const folder = mkdtempSync(join(tmpdir(), "anticlock-template-"));
    try {
      cpSync(join(templates, name), folder, { recursive: true });
      for (const command of commands) {
        const { status, output } = run(command, folder);
        assert.equal(status, 0, `${command.join(" ")}: ${output}`);
      }
      // The test can fail: a program that does not show the text is refused.
      const wrong = readFileSync(join(folder, "test.toml"), "utf8").replace(/^program = .*$/m, 'program = "focal"').replace(/^build = .*$/m, "");
      const unknown = wrong.replaceAll(/wait-for = "\w+"/g, `wait-for = "$$3000"`).replace(/^cycles = .*$/m, "");
      writeFileSync(join(folder, "test.toml"), unknown);
      const { status } = run([ANTICLOCK, "test", "."], folder);
      assert.equal(status, 1, "the template's test accepts another program");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
