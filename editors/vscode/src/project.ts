// "New Atari project": a folder with a program, its build, its launch and its test.
import { existsSync, readdirSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { own } from "./here.ts";

interface Template extends vscode.QuickPickItem {
  /** Its folder in `templates`. */
  folder: string;
  /** The file that is opened first. */
  main: string;
}

const TEMPLATES: Template[] = [
  { folder: "basic", main: "main.lst", label: "BASIC", description: "an Atari BASIC listing" },
  { folder: "ca65", main: "main.s", label: "ca65", description: "assembler of cc65, with a display list interrupt" },
  { folder: "cc65", main: "main.c", label: "cc65", description: "C" },
  { folder: "mads", main: "main.asm", label: "MADS", description: "Mad Assembler, with a display list interrupt" },
  { folder: "ca65-c", main: "main.c", label: "ca65 + C", description: "C with an interrupt in assembler" },
];

/** The folder that the project goes into: the open one while it is empty, else one that is asked for. */
async function target(): Promise<vscode.Uri | undefined> {
  const open = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (open?.scheme === "file" && readdirSync(open.fsPath).every((name) => name.startsWith("."))) return open;
  const chosen = await vscode.window.showOpenDialog({ canSelectFolders: true, canSelectFiles: false, openLabel: "Make the project here" });
  return chosen?.[0];
}

async function create(): Promise<void> {
  const template = await vscode.window.showQuickPick(TEMPLATES, { title: "New Atari project" });
  const folder = template && (await target());
  if (!template || !folder) return;
  const there = readdirSync(own("templates", template.folder).fsPath).find((name) => existsSync(join(folder.fsPath, name)));
  if (there !== undefined) {
    await vscode.window.showErrorMessage(`${folder.fsPath} has a ${there} already: choose an empty folder.`);
    return;
  }
  // `errorOnExist` would refuse the folder itself from node 22 on; no file is replaced without it, either.
  await cp(own("templates", template.folder).fsPath, folder.fsPath, { recursive: true, force: false });
  const open = vscode.workspace.workspaceFolders?.some((each) => each.uri.fsPath === folder.fsPath);
  if (!open) await vscode.commands.executeCommand("vscode.openFolder", folder);
  else await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, template.main));
}

export function register(context: vscode.ExtensionContext): void {
  context.subscriptions.push(vscode.commands.registerCommand("anticlock.newProject", create));
}
