// Atari BASIC: errors while typing, the tokeniser's own form, and new line numbers.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { ask } from "./binary.ts";
import { fault } from "./fault.ts";
import { program, setting } from "./here.ts";
import { renumber } from "./renumber.ts";

const LANGUAGE = "atari-basic";
/** Milliseconds without a key after which a listing is looked at. */
const PAUSE = 400;

/** Calls with a folder of its own that is gone afterwards. */
async function inFolder<R>(act: (folder: string) => Promise<R>): Promise<R> {
  const folder = await mkdtemp(join(tmpdir(), "anticlock-"));
  try {
    return await act(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

class Checker implements vscode.Disposable {
  private readonly found = vscode.languages.createDiagnosticCollection("Atari BASIC");
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  private complained = false;

  /** Looks at a listing as soon as nothing is typed. */
  soon(document: vscode.TextDocument): void {
    if (document.languageId !== LANGUAGE || document.uri.scheme !== "file") return;
    const key = document.uri.toString();
    clearTimeout(this.waiting.get(key));
    this.waiting.set(key, setTimeout(() => void this.check(document).catch((error: unknown) => this.complain(error)), PAUSE));
  }

  forget(document: vscode.TextDocument): void {
    clearTimeout(this.waiting.get(document.uri.toString()));
    this.waiting.delete(document.uri.toString());
    this.found.delete(document.uri);
  }

  private complain(error: unknown): void {
    if (this.complained) return;
    this.complained = true;
    void vscode.window.showWarningMessage(`BASIC listings are not checked. ${error instanceof Error ? error.message : String(error)}`);
  }

  private async check(document: vscode.TextDocument): Promise<void> {
    if (!setting("basic.check", true)) return this.found.delete(document.uri);
    const { version } = document;
    const answer = await inFolder(async (folder) => {
      const listing = join(folder, "listing.lst");
      await writeFile(listing, document.getText());
      return ask(program(), ["basic", "check", listing]);
    });
    if (document.version !== version || document.isClosed) return;
    const wrong = answer.status === 0 ? undefined : fault(answer.stderr);
    const shown = wrong && new vscode.Diagnostic(this.range(document, wrong.line, wrong.column), wrong.message, vscode.DiagnosticSeverity.Error);
    if (shown) shown.source = "Atari BASIC";
    this.found.set(document.uri, shown ? [shown] : []);
  }

  private range(document: vscode.TextDocument, line: number, column: number): vscode.Range {
    const at = document.lineAt(Math.min(line, document.lineCount) - 1);
    const end = at.range.end.character;
    const from = Math.min(column - 1, Math.max(end - 1, 0));
    return document.getWordRangeAtPosition(new vscode.Position(at.lineNumber, from)) ?? new vscode.Range(at.lineNumber, from, at.lineNumber, end);
  }

  dispose(): void {
    for (const timer of this.waiting.values()) clearTimeout(timer);
    this.found.dispose();
  }
}

const whole = (document: vscode.TextDocument) => document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));

class Formatter implements vscode.DocumentFormattingEditProvider {
  async provideDocumentFormattingEdits(document: vscode.TextDocument): Promise<vscode.TextEdit[]> {
    const text = await inFolder(async (folder) => {
      const [listing, save, formed] = ["in.lst", "save.bas", "out.lst"].map((name) => join(folder, name));
      await writeFile(listing, document.getText());
      for (const words of [["tokenize", listing, save], ["list", save]]) {
        const answer = await ask(program(), ["basic", ...words]);
        if (answer.status !== 0) {
          const wrong = fault(answer.stderr);
          throw new Error(wrong ? `Line ${wrong.line}: ${wrong.message}` : answer.stderr.trim());
        }
        if (words[0] === "list") await writeFile(formed, answer.stdout);
      }
      return readFile(formed, "utf8");
    });
    return text === document.getText() ? [] : [vscode.TextEdit.replace(whole(document), text)];
  }
}

async function renumberEditor(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== LANGUAGE) return;
  const answer = await vscode.window.showInputBox({
    title: "Renumber BASIC lines",
    prompt: "First line and step",
    value: "10 10",
    validateInput: (text) => (/^\s*\d{1,5}[\s,]+[1-9]\d{0,4}\s*$/.test(text) ? undefined : "Two numbers: 10 10"),
  });
  if (answer === undefined) return;
  const [first, step] = answer.trim().split(/[\s,]+/).map(Number);
  const result = renumber(editor.document.getText(), first, step);
  if ("error" in result) {
    await vscode.window.showErrorMessage(result.error);
    return;
  }
  await editor.edit((edit) => edit.replace(whole(editor.document), result.text));
  if (result.remarks.length > 0) await vscode.window.showWarningMessage(result.remarks.join(" "));
}

export function register(context: vscode.ExtensionContext): void {
  const checker = new Checker();
  context.subscriptions.push(
    checker,
    vscode.workspace.onDidOpenTextDocument((document) => checker.soon(document)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => checker.soon(document)),
    vscode.workspace.onDidCloseTextDocument((document) => checker.forget(document)),
    vscode.languages.registerDocumentFormattingEditProvider(LANGUAGE, new Formatter()),
    vscode.commands.registerCommand("anticlock.renumber", renumberEditor),
  );
  for (const document of vscode.workspace.textDocuments) checker.soon(document);
}
