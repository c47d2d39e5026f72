// Tasks that build programs.
import * as vscode from "vscode";
import { program } from "./here.ts";
import { programOf, TOOLS, toolOf, type Build } from "./tools.ts";

/** Sources at the top of a folder that become programs of their own. */
const SOURCES = "*.{s,c,asm,a65,pas,fb}";
const MOST = 50;

const quoted = (word: string): vscode.ShellQuotedString => ({ value: word, quoting: vscode.ShellQuoting.Strong });

/** One command line runs as a process; several run in a shell, until one fails. */
function execution(build: Build, folder: string): vscode.ProcessExecution | vscode.ShellExecution {
  const commands = TOOLS[build.tool].commands(build, build.output ?? programOf(build.source), build.tool === "test" ? program() : "");
  const [[command, ...words]] = commands;
  if (commands.length === 1) return new vscode.ProcessExecution(command, words, { cwd: folder });
  const rest = commands.slice(1).flatMap((line) => ["&&", ...line.map((word) => quoted(word).value)]);
  return new vscode.ShellExecution(command, [...words.map(quoted), ...rest], { cwd: folder });
}

function task(build: Build, folder: vscode.WorkspaceFolder, definition: vscode.TaskDefinition, at = folder.uri.fsPath): vscode.Task {
  const { verb, matchers } = TOOLS[build.tool];
  const made = new vscode.Task(definition, folder, `${verb} ${build.source}`, "anticlock", execution(build, at), matchers);
  made.group = build.tool === "test" ? vscode.TaskGroup.Test : vscode.TaskGroup.Build;
  made.presentationOptions = { reveal: build.tool === "test" ? vscode.TaskRevealKind.Always : vscode.TaskRevealKind.Silent, clear: true };
  return made;
}

class Tasks implements vscode.TaskProvider {
  async provideTasks(): Promise<vscode.Task[]> {
    const all = (vscode.workspace.workspaceFolders ?? []).map(async (folder) => {
      const files = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, SOURCES), undefined, MOST);
      return files.flatMap((file) => {
        const source = vscode.workspace.asRelativePath(file, false);
        const tool = toolOf(source);
        return tool === undefined ? [] : [task({ tool, source }, folder, { type: "anticlock", tool, source })];
      });
    });
    return (await Promise.all(all)).flat();
  }

  resolveTask(wanted: vscode.Task): vscode.Task | undefined {
    const build = wanted.definition as vscode.TaskDefinition & Build;
    const folder = typeof wanted.scope === "object" ? wanted.scope : vscode.workspace.workspaceFolders?.[0];
    if (folder === undefined || TOOLS[build.tool] === undefined) return undefined;
    return task(build, folder, wanted.definition);
  }
}

export function register(context: vscode.ExtensionContext): void {
  context.subscriptions.push(vscode.tasks.registerTaskProvider("anticlock", new Tasks()));
}

