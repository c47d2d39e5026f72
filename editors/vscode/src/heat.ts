// Where the time goes: a column before the lines of sources and listings.
import * as vscode from "vscode";

interface Spent {
  source: { name: string; path?: string; sourceReference?: number };
  line: number;
  cycles: number;
  share: number;
}

interface Profile {
  frames: number;
  cycles: number;
  lines: Spent[];
}

/** The width of the column, in characters. */
const WIDTH = "7ch";

class Heat implements vscode.Disposable {
  private readonly column = vscode.window.createTextEditorDecorationType({});
  private on = false;
  private frames = 1;
  /** Lines by the address of their document. */
  private spent = new Map<string, Spent[]>();

  async toggle(): Promise<void> {
    this.on = !this.on;
    const session = vscode.debug.activeDebugSession;
    if (this.on && session?.type !== "anticlock") void vscode.window.showInformationMessage("Cycles are shown when a program of the Atari stops in the debugger.");
    await this.refresh(session);
  }

  /** Asks where the time went, where a session has stopped. */
  async refresh(session: vscode.DebugSession | undefined): Promise<void> {
    this.spent.clear();
    if (this.on && session?.type === "anticlock") {
      try {
        const profile = (await session.customRequest("anticlock/profile")) as Profile;
        this.frames = profile.frames;
        for (const each of profile.lines) {
          const uri = each.source.path ? vscode.Uri.file(each.source.path) : vscode.debug.asDebugSourceUri(each.source, session);
          const key = uri.toString();
          const lines = this.spent.get(key);
          if (lines === undefined) this.spent.set(key, [each]);
          else lines.push(each);
        }
      } catch (error) {
        void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
      }
    }
    this.show();
  }

  clear(): void {
    this.spent.clear();
    this.show();
  }

  /** Draws the column in the editors that are in sight. */
  show(): void {
    for (const editor of vscode.window.visibleTextEditors) editor.setDecorations(this.column, this.decorations(editor.document));
  }

  private decorations(document: vscode.TextDocument): vscode.DecorationOptions[] {
    const spent = this.spent.get(document.uri.toString());
    if (spent === undefined) return [];
    const lines = new Map(spent.map((each) => [each.line - 1, each]));
    return Array.from({ length: document.lineCount }, (_, line) => {
      const at = new vscode.Range(line, 0, line, 0);
      const each = lines.get(line);
      if (each === undefined) return { range: at, renderOptions: { before: { contentText: "", width: WIDTH } } };
      const percent = 100 * each.share;
      const warmth = 0.08 + 0.55 * Math.sqrt(each.share);
      return {
        range: at,
        hoverMessage: `${percent.toFixed(2)} % of the last ${this.frames} frames: ${Math.round(each.cycles / this.frames)} cycles a frame`,
        renderOptions: {
          before: { contentText: `${percent.toFixed(percent < 10 ? 1 : 0)} %`, width: WIDTH, backgroundColor: `rgba(230, 90, 20, ${warmth.toFixed(2)})` },
        },
      };
    });
  }

  dispose(): void {
    this.column.dispose();
  }
}

export function register(context: vscode.ExtensionContext): void {
  const heat = new Heat();
  const trackers: vscode.DebugAdapterTrackerFactory = {
    createDebugAdapterTracker: (session) => ({
      onDidSendMessage: (message: { event?: string }) => {
        if (message.event === "stopped") void heat.refresh(session);
      },
    }),
  };
  context.subscriptions.push(
    heat,
    vscode.debug.registerDebugAdapterTrackerFactory("anticlock", trackers),
    vscode.debug.onDidTerminateDebugSession(() => heat.clear()),
    vscode.window.onDidChangeVisibleTextEditors(() => heat.show()),
    vscode.commands.registerCommand("anticlock.heat", () => heat.toggle()),
  );
}
