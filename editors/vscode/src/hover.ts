// Hovers over names of registers and of the operating system, and over addresses that are theirs.
import { readFileSync } from "node:fs";
import * as vscode from "vscode";
import { own } from "./here.ts";
import { describe, numberOf, type Name } from "./names.ts";

const LANGUAGES = ["ca65", "mads", "atari-basic", "c"];

class Hovers implements vscode.HoverProvider {
  private names: Name[] | undefined;

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    const range = document.getWordRangeAtPosition(position, /\$[0-9A-Fa-f]+|0x[0-9A-Fa-f]+|[A-Za-z_][A-Za-z0-9_]*|[0-9]+/);
    if (range === undefined) return undefined;
    this.names ??= JSON.parse(readFileSync(own("data", "names.json").fsPath, "utf8")) as Name[];
    const word = document.getText(range);
    const number = numberOf(word);
    // Small numbers are hardly ever addresses of page zero, and the first number of a BASIC line is its own.
    const before = document.getText(new vscode.Range(position.line, 0, position.line, range.start.character));
    if (number !== undefined && (number < 0x200 || (document.languageId === "atari-basic" && before.trim() === ""))) return undefined;
    // Names in BASIC are its own variables.
    if (number === undefined && document.languageId === "atari-basic") return undefined;
    const found = this.names.filter((each) => (number === undefined ? each.name === word : each.address === number));
    if (found.length === 0) return undefined;
    return new vscode.Hover(found.map((each) => new vscode.MarkdownString(describe(each))), range);
  }
}

export function register(context: vscode.ExtensionContext): void {
  context.subscriptions.push(vscode.languages.registerHoverProvider(LANGUAGES, new Hovers()));
}
