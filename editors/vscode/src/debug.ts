// The debugger: configurations and the adapter.
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as vscode from "vscode";
import { program, setFolder } from "./here.ts";
import { programOf, TOOLS, toolOf } from "./tools.ts";

/** The configuration of F5 without a launch.json: debugs the file in the editor, built before where it is a source. */
async function forFile(document: vscode.TextDocument | undefined): Promise<vscode.DebugConfiguration | undefined> {
  const path = document?.uri.scheme === "file" ? document.uri.fsPath : undefined;
  if (document === undefined || path === undefined) return undefined;
  const base = { type: "anticlock", request: "launch", name: basename(path), cwd: dirname(path) };
  if (document.languageId === "atari-basic") return { ...base, program: path };
  const tool = toolOf(path);
  if (tool === undefined) return undefined;
  return { ...base, program: programOf(path), preLaunchTask: `anticlock: ${TOOLS[tool].verb} ${vscode.workspace.asRelativePath(path, false)}` };
}

class Configurations implements vscode.DebugConfigurationProvider {
  async provideDebugConfigurations(folder: vscode.WorkspaceFolder | undefined): Promise<vscode.DebugConfiguration[]> {
    const main = ["main.lst", "main.bas"].find((name) => folder !== undefined && existsSync(join(folder.uri.fsPath, name)));
    const name = main ?? "main.xex";
    return [{ type: "anticlock", request: "launch", name: "Atari", program: `\${workspaceFolder}/${name}` }];
  }

  async resolveDebugConfiguration(folder: vscode.WorkspaceFolder | undefined, wanted: vscode.DebugConfiguration) {
    const empty = wanted.type === undefined && wanted.request === undefined && wanted.name === undefined;
    const configuration = empty ? await forFile(vscode.window.activeTextEditor?.document) : wanted;
    if (configuration === undefined) {
      await vscode.window.showErrorMessage("Open a program's source, or name the program in launch.json.");
      return undefined;
    }
    configuration.cwd ??= folder?.uri.fsPath;
    return configuration;
  }

  resolveDebugConfigurationWithSubstitutedVariables(folder: vscode.WorkspaceFolder | undefined, configuration: vscode.DebugConfiguration) {
    const name = configuration.program;
    if (configuration.request !== "attach" && (typeof name !== "string" || name === "")) {
      void vscode.window.showErrorMessage("The launch configuration has no \"program\": a file, or the name of a built-in program.");
      return undefined;
    }
    // The adapter finds sources by these: the names in debug information are relative to where the tools were called.
    configuration.workspace = (vscode.workspace.workspaceFolders ?? []).map((each) => each.uri.fsPath);
    configuration.cwd ??= folder?.uri.fsPath;
    return configuration;
  }
}

class Adapters implements vscode.DebugAdapterDescriptorFactory {
  createDebugAdapterDescriptor(session: vscode.DebugSession): vscode.DebugAdapterDescriptor {
    const { cwd, debugServer, port, request } = session.configuration;
    if (request === "attach" && typeof port === "number") return new vscode.DebugAdapterServer(port, "127.0.0.1");
    if (typeof debugServer === "number") return new vscode.DebugAdapterServer(debugServer);
    return new vscode.DebugAdapterExecutable(program(), ["dap"], typeof cwd === "string" && existsSync(cwd) ? { cwd } : {});
  }
}

export function register(context: vscode.ExtensionContext): void {
  setFolder(context.extensionPath);
  context.subscriptions.push(
    vscode.debug.registerDebugConfigurationProvider("anticlock", new Configurations()),
    vscode.debug.registerDebugAdapterDescriptorFactory("anticlock", new Adapters()),
  );
}
