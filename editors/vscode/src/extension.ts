// Programs for the Atari 8-bit computers in the editor: languages, tasks, projects, and the debugger with its panel.
import * as vscode from "vscode";
import * as basic from "./basic.ts";
import * as debug from "./debug.ts";
import * as heat from "./heat.ts";
import * as hover from "./hover.ts";
import * as panel from "./panel.ts";
import * as project from "./project.ts";
import * as symbols from "./symbols.ts";
import * as tasks from "./tasks.ts";

export function activate(context: vscode.ExtensionContext): void {
  for (const part of [debug, tasks, hover, symbols, basic, project, panel, heat]) part.register(context);
}
