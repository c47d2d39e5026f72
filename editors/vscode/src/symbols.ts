// Symbols of a file, and the way from a name to its definition.
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, resolve } from "node:path";
import * as vscode from "vscode";
import { ofAssembler, ofBasic, ofDebugInformation, ofListing, type Definition, type Recorded } from "./definitions.ts";

const ASSEMBLERS = ["ca65", "mads"];
const KINDS: Record<Definition["kind"], vscode.SymbolKind> = {
  label: vscode.SymbolKind.Field,
  procedure: vscode.SymbolKind.Function,
  macro: vscode.SymbolKind.Operator,
  constant: vscode.SymbolKind.Constant,
  scope: vscode.SymbolKind.Namespace,
};
/** Files that are searched for a name, and bytes of the longest one that is read. */
const MOST = 200;
const LONGEST = 8 << 20;

const definitionsOf = (document: vscode.TextDocument) => ofAssembler(document.getText(), document.languageId as "ca65" | "mads");

class Symbols implements vscode.DocumentSymbolProvider {
  provideDocumentSymbols(document: vscode.TextDocument): vscode.DocumentSymbol[] {
    const symbol = (name: string, detail: string, kind: vscode.SymbolKind, line: number) => {
      const { range } = document.lineAt(line);
      return new vscode.DocumentSymbol(name, detail, kind, range, range);
    };
    if (document.languageId !== "atari-basic") {
      return definitionsOf(document).map(({ name, kind, line }) => symbol(name, kind, KINDS[kind], line));
    }
    // Remarks are the headings of a listing.
    return [...ofBasic(document.getText())].flatMap(([number, line]) => {
      const remark = /^\s*\d+\s*R(?:EM|\.)\s*(.*\w.*)$/i.exec(document.lineAt(line).text)?.[1];
      return remark === undefined ? [] : [symbol(remark.trim(), `line ${number}`, vscode.SymbolKind.String, line)];
    });
  }
}

/** The names that files beside programs record; read again when they change. */
class Records {
  private readonly read = new Map<string, { changed: number; all: Recorded[] }>();

  of(path: string): Recorded[] {
    const { mtimeMs, size } = statSync(path);
    const known = this.read.get(path);
    if (known?.changed === mtimeMs) return known.all;
    const text = size <= LONGEST ? readFileSync(path, "utf8") : "";
    const all = path.endsWith(".dbg") ? ofDebugInformation(text) : ofListing(text);
    this.read.set(path, { changed: mtimeMs, all });
    return all;
  }
}

/** A file that a tool named, relative to its folder, to its parent, or by its last part in the workspace. */
async function located(name: string, beside: string): Promise<vscode.Uri | undefined> {
  const roots = [dirname(beside), dirname(dirname(beside)), ...(vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath)];
  const path = isAbsolute(name) ? name : roots.map((root) => resolve(root, name)).find(existsSync);
  if (path !== undefined && existsSync(path)) return vscode.Uri.file(path);
  return (await vscode.workspace.findFiles(`**/${basename(name)}`, undefined, 1))[0];
}

class Definitions implements vscode.DefinitionProvider {
  private readonly records = new Records();

  async provideDefinition(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Location[]> {
    const range = document.getWordRangeAtPosition(position);
    if (range === undefined) return [];
    const word = document.getText(range);
    if (document.languageId === "atari-basic") {
      const line = ofBasic(document.getText()).get(Number(word));
      return line === undefined || !/^\d+$/.test(word) ? [] : [new vscode.Location(document.uri, new vscode.Position(line, 0))];
    }
    const here = definitionsOf(document).filter(({ name }) => name === word);
    if (here.length > 0) {
      // A local label is that of the nearest definition above, else below.
      const above = here.filter(({ line }) => line <= position.line);
      const nearest = word.startsWith("@") || word.startsWith("?") ? [above.at(-1) ?? here[0]] : here;
      return nearest.map(({ line, column }) => new vscode.Location(document.uri, new vscode.Position(line, column)));
    }
    const recorded = await this.recorded(word);
    return recorded.length > 0 ? recorded : this.elsewhere(document, word);
  }

  private async recorded(word: string): Promise<vscode.Location[]> {
    const files = await vscode.workspace.findFiles("**/*.{dbg,lst}", "**/node_modules/**", MOST);
    const found = files.flatMap((file) => this.records.of(file.fsPath).filter(({ name }) => name === word).map((each) => ({ ...each, beside: file.fsPath })));
    const places = await Promise.all(found.map(async ({ file, line, beside }) => {
      const uri = await located(file, beside);
      return uri === undefined ? [] : [new vscode.Location(uri, new vscode.Position(Math.max(line, 0), 0))];
    }));
    return places.flat();
  }

  /** In other sources, which may not have been built. */
  private async elsewhere(document: vscode.TextDocument, word: string): Promise<vscode.Location[]> {
    const files = await vscode.workspace.findFiles(document.languageId === "ca65" ? "**/*.{s,inc,mac}" : "**/*.{asm,a65,mad,inc}", undefined, MOST);
    return files.flatMap((file) => {
      if (statSync(file.fsPath).size > LONGEST) return [];
      const all = ofAssembler(readFileSync(file.fsPath, "utf8"), document.languageId as "ca65" | "mads");
      return all.filter(({ name }) => name === word).map(({ line, column }) => new vscode.Location(file, new vscode.Position(line, column)));
    });
  }
}

export function register(context: vscode.ExtensionContext): void {
  const languages = [...ASSEMBLERS, "atari-basic"];
  context.subscriptions.push(
    vscode.languages.registerDocumentSymbolProvider(languages, new Symbols()),
    vscode.languages.registerDefinitionProvider(languages, new Definitions()),
  );
}
