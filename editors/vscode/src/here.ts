// The common facts of all parts: the program and the extension's own folder.
import * as vscode from "vscode";
import { find } from "./binary.ts";

let folder = "";

export function setFolder(path: string): void {
  folder = path;
}

/** A file that comes with the extension. */
export function own(...names: string[]): vscode.Uri {
  return vscode.Uri.joinPath(vscode.Uri.file(folder), ...names);
}

export function setting<T>(name: string, otherwise: T): T {
  return vscode.workspace.getConfiguration("anticlock").get(name, otherwise);
}

/** @throws A sentence for the user when the program is not found. */
export function program(): string {
  return find(setting("executable", ""), folder);
}
