// The panel: the machine's picture and what made it, in a webview beside the source.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { own } from "./here.ts";
import type { Asked, Happening, Interrupts, Picture, Place, Shown, Why } from "./panel/messages.ts";

/** Milliseconds between two pictures while the program runs. */
const PERIOD = 150;
/** Bytes of memory that are shown. */
const BYTES = 256;

const told = (error: unknown) => (error instanceof Error ? error.message : String(error));

class Panel implements vscode.Disposable {
  private readonly panel: vscode.WebviewPanel;
  private session: vscode.DebugSession | undefined;
  private running = false;
  private timer: NodeJS.Timeout | undefined;
  private busy = false;
  private memory = "$0600";

  constructor(private readonly closed: () => void) {
    const resources = own("dist");
    this.panel = vscode.window.createWebviewPanel("anticlock", "Atari", { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, {
      enableScripts: true, localResourceRoots: [resources], retainContextWhenHidden: true,
    });
    this.panel.webview.html = page(this.panel.webview, resources);
    this.panel.webview.onDidReceiveMessage((asked: Asked) => void this.answer(asked).catch((error: unknown) => this.complain(error)));
    this.panel.onDidDispose(() => this.closed());
  }

  reveal(): void {
    this.panel.reveal(undefined, true);
  }

  /** The session that is shown from now on; none when it has ended. */
  show(session: vscode.DebugSession | undefined, running: boolean): void {
    this.session = session;
    this.running = running;
    clearInterval(this.timer);
    if (session === undefined) this.post({ type: "none", text: "No program is debugged: press F5." });
    else if (running) this.timer = setInterval(() => void this.picture(), PERIOD);
    else void this.all();
  }

  private post(shown: Shown): void {
    void this.panel.webview.postMessage(shown);
  }

  private complain(error: unknown): void {
    void vscode.window.showErrorMessage(told(error));
  }

  private request<R>(command: string, parameters: object = {}): Thenable<R> {
    if (this.session === undefined) throw new Error("No program is debugged.");
    return this.session.customRequest(command, parameters);
  }

  private async picture(): Promise<void> {
    // One at a time: a slow answer is not followed by a queue of them.
    if (this.busy || !this.panel.visible) return;
    this.busy = true;
    try {
      const picture = await this.request<Picture>("anticlock/picture");
      this.post({ type: "picture", picture, running: this.running });
    } catch {
      // The session has just ended.
    } finally {
      this.busy = false;
    }
  }

  private async all(): Promise<void> {
    this.busy = false;
    await this.picture();
    try {
      this.post({ type: "interrupts", interrupts: await this.request<Interrupts>("anticlock/interrupts") });
      this.post({ type: "events", events: (await this.request<{ events: Happening[] }>("anticlock/events")).events });
    } catch (error) {
      this.post({ type: "interrupts", error: told(error) });
      this.post({ type: "events", events: [], error: told(error) });
    }
    await this.dump().catch(() => undefined);
  }

  private async dump(): Promise<void> {
    const { result } = await this.request<{ result: string }>("evaluate", { expression: this.memory, context: "watch" });
    const found = /\$([0-9A-F]+)/.exec(result);
    const address = Number.parseInt(found?.[1] ?? "0", 16) & 0xffff;
    const memoryReference = `0x${address.toString(16)}`;
    const { data } = await this.request<{ data: string }>("readMemory", { memoryReference, count: BYTES });
    this.post({ type: "memory", address, data });
  }

  private async answer(asked: Asked): Promise<void> {
    if (asked.type === "ready") this.show(this.session, this.running);
    else if (asked.type === "open") await open(asked.place, this.session);
    else if (asked.type === "goTo") await this.request("anticlock/goTo", { moment: asked.moment });
    else if (asked.type === "memory") {
      this.memory = asked.address;
      await this.dump();
    } else {
      const { x, y } = asked;
      try {
        this.post({ type: "why", x, y, why: await this.request<Why>("anticlock/why", { x, y }) });
      } catch (error) {
        this.post({ type: "why", x, y, error: told(error) });
      }
    }
  }

  dispose(): void {
    clearInterval(this.timer);
    this.panel.dispose();
  }
}

/** Shows the source line of a place, beside the panel. */
async function open({ source, line }: Place, session: vscode.DebugSession | undefined): Promise<void> {
  if (source === undefined || line === undefined || session === undefined) return;
  const uri = source.path ? vscode.Uri.file(source.path) : vscode.debug.asDebugSourceUri(source, session);
  const document = await vscode.workspace.openTextDocument(uri);
  const at = new vscode.Range(line - 1, 0, line - 1, 0);
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, selection: at });
}

function page(webview: vscode.Webview, resources: vscode.Uri): string {
  const nonce = randomBytes(16).toString("hex");
  const file = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(resources, name)).toString();
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'; img-src data:">
<link rel="stylesheet" href="${file("panel.css")}">
<title>Atari</title>
</head>
<body>
<p id="none" role="status">No program is debugged: press F5.</p>
<main hidden>
<section id="screen" aria-label="Picture">
<canvas id="picture" width="376" height="240" tabindex="0" aria-label="The picture; a click asks why a point is as it is"></canvas>
<p id="where"></p>
<label>Time <input id="time" type="range" step="1"></label>
<p id="sentence" role="status">Point at the picture to see why a point is as it is.</p>
<ul id="stores"></ul>
<details><summary>The whole chain</summary><pre id="lines"></pre></details>
</section>
<section aria-label="The frame">
<h2>Display list interrupts</h2>
<div id="interrupts"></div>
<h2>Registers in the frame</h2>
<canvas id="events" width="456" height="312" aria-label="Accesses of registers by line and cycle; a click shows the source"></canvas>
<p id="event"></p>
<h2>Memory</h2>
<label>At <input id="address" value="$0600" size="12"></label>
<pre id="memory"></pre>
</section>
</main>
<script nonce="${nonce}" src="${file("panel.js")}"></script>
</body>
</html>`;
}

export function register(context: vscode.ExtensionContext): void {
  let panel: Panel | undefined;
  const sessions = new Map<string, { session: vscode.DebugSession; running: boolean }>();
  const refresh = () => {
    const { session, running } = [...sessions.values()].at(-1) ?? { session: undefined, running: false };
    panel?.show(session, running);
  };
  const trackers: vscode.DebugAdapterTrackerFactory = {
    createDebugAdapterTracker: (session) => {
      const moved = (running: boolean) => {
        sessions.set(session.id, { session, running });
        refresh();
      };
      return {
        onDidSendMessage: (message: { type: string; event?: string; command?: string; success?: boolean }) => {
          if (message.event === "stopped") moved(false);
          else if (message.type === "response" && message.success && ["continue", "configurationDone", "restart"].includes(message.command ?? "")) moved(true);
        },
      };
    },
  };
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterTrackerFactory("anticlock", trackers),
    vscode.debug.onDidTerminateDebugSession((session) => {
      if (sessions.delete(session.id)) refresh();
    }),
    vscode.commands.registerCommand("anticlock.panel", () => {
      if (panel === undefined) {
        panel = new Panel(() => {
          panel?.dispose();
          panel = undefined;
        });
      } else panel.reveal();
      refresh();
    }),
    { dispose: () => panel?.dispose() },
  );
}
