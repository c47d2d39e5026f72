// The page in another page's frame: commands by postMessage. docs/web.md lists them.
import type { App } from "./app.ts";
import { encoded, sentence } from "./ui.ts";

/** The version of these messages. */
const VERSION = 1;

interface Asked {
  anticlock: number;
  id?: unknown;
  do: string;
  [key: string]: unknown;
}

/** Milliseconds that a pressed key stays down. */
const PRESSED = 100;

export function listen(app: App): void {
  window.addEventListener("message", (event: MessageEvent) => {
    const asked = event.data as Asked | null;
    if (event.source !== window.parent || typeof asked !== "object" || asked?.anticlock === undefined) return;
    const reply = (rest: Record<string, unknown>) => {
      window.parent.postMessage({ anticlock: VERSION, id: asked.id, ...rest }, event.origin === "null" ? "*" : event.origin);
    };
    Promise.resolve()
      .then(() => {
        if (asked.anticlock !== VERSION) throw new Error(`this page speaks version ${VERSION} of these messages`);
        return act(app, asked);
      })
      .then((result) => reply({ ok: true, result }), (error) => reply({ ok: false, error: sentence(error) }));
  });
  window.parent.postMessage({ anticlock: VERSION, ready: true }, "*");
}

async function act(app: App, asked: Asked): Promise<unknown> {
  switch (asked.do) {
    case "load": {
      const { game, name, bytes, listing, options } = asked;
      app.options = typeof options === "string" ? options : "";
      if (typeof game === "string") {
        await app.loadGames();
        app.openBuiltIn(game);
      }
      // What another page sends has an H: of its own, as what a link brings.
      else if (typeof listing === "string") app.openListing(listing, await app.guest(encoded(listing)));
      else if (bytes instanceof ArrayBuffer || bytes instanceof Uint8Array) {
        const file = new Uint8Array(bytes);
        await app.openFile(typeof name === "string" ? name : "program", file, await app.guest(file));
      } else throw new Error("load wants game, listing, or name and bytes");
      return app.emulator.title();
    }
    case "type":
      if (typeof asked.text !== "string") throw new Error("type wants text");
      app.emulator.type_text(asked.text);
      return null;
    case "press": {
      const { start, select, option, up, down, left, right, trigger } = asked;
      const console = (start ? 1 : 0) | (select ? 2 : 0) | (option ? 4 : 0);
      const stick = (up ? 1 : 0) | (down ? 2 : 0) | (left ? 4 : 0) | (right ? 8 : 0) | (trigger ? 16 : 0);
      app.keyboard.hold("message", console);
      app.keyboard.touch(0, stick);
      await new Promise((done) => setTimeout(done, PRESSED));
      app.keyboard.hold("message", 0);
      app.keyboard.touch(0, 0);
      return null;
    }
    case "screenshot":
      return await (await app.screen.png()).arrayBuffer();
    case "state":
      return { hash: app.emulator.state_hash(), frames: app.emulator.frames(), title: app.emulator.title(), text: app.emulator.text(), bytes: app.emulator.save_state() };
    default:
      throw new Error("there are load, type, press, screenshot, state");
  }
}
