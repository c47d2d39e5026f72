// The page in another page's frame: commands by postMessage. docs/web.md lists them.
import type { App } from "./app.ts";
import { HEIGHT, WIDTH } from "./machine.ts";
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

/** Events that the page's owner can listen to, and those that are listened to. */
const EVENTS = ["frame", "text", "program", "breakpoint"];
const wanted = new Set<string>();
/** Breakpoints at most. */
const STOPS = 100;
/** Frames between two looks at the screen's text. */
const LOOK = 6;

/** The functions of the page around the machine that a message may use. */
interface Surroundings {
  setPaused: (paused: boolean) => void;
}

const isWithin = (value: unknown, most: number): value is number => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;

/** Tells the page around this one what happens, as far as it wants to know. */
function tell(app: App, around: Surroundings): void {
  const send = (event: string, more: Record<string, unknown>) => {
    if (wanted.has(event)) window.parent.postMessage({ anticlock: VERSION, event, ...more }, "*");
  };
  app.stopped = (address) => {
    around.setPaused(true);
    send("breakpoint", { address });
  };
  const { shown } = app.loop;
  let [looks, text, title] = [0, "", ""];
  app.loop.shown = () => {
    shown();
    send("frame", { frames: app.emulator.frames() });
    if (wanted.has("text") && ++looks % LOOK === 0) {
      const now = app.emulator.text();
      if (now !== text) send("text", { text: (text = now) });
    }
    const now = app.emulator.title();
    if (now !== title) send("program", { title: (title = now) });
  };
}

export function listen(app: App, around: Surroundings): void {
  tell(app, around);
  window.addEventListener("message", (event: MessageEvent) => {
    const asked = event.data as Asked | null;
    if (event.source !== window.parent || typeof asked !== "object" || asked?.anticlock === undefined) return;
    const reply = (rest: Record<string, unknown>) => {
      window.parent.postMessage({ anticlock: VERSION, id: asked.id, ...rest }, event.origin === "null" ? "*" : event.origin);
    };
    Promise.resolve()
      .then(() => {
        if (asked.anticlock !== VERSION) throw new Error(`this page speaks version ${VERSION} of these messages`);
        return act(app, around, asked);
      })
      .then((result) => reply({ ok: true, result }), (error) => reply({ ok: false, error: sentence(error) }));
  });
  window.parent.postMessage({ anticlock: VERSION, ready: true }, "*");
}

async function act(app: App, around: Surroundings, asked: Asked): Promise<unknown> {
  switch (asked.do) {
    case "load": {
      const { game, name, bytes, listing, options } = asked;
      app.options = typeof options === "string" ? options : "";
      if (typeof game === "string") {
        await app.loadGames();
        app.openBuiltIn(game);
      }
      // A program that another page sends has an H: of its own, as one from a link.
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
    case "stick": {
      const { port = 0, bits } = asked;
      if (!isWithin(port, 1) || !isWithin(bits, 31)) throw new Error("stick wants bits from 0 to 31, and port 0 or 1");
      app.keyboard.touch(port, bits);
      return null;
    }
    case "pause":
    case "resume":
      around.setPaused(asked.do === "pause");
      return null;
    case "reset":
      if (asked.cold === true) app.emulator.cold_start();
      else app.emulator.reset();
      return null;
    case "focus":
      app.focus();
      return null;
    case "volume":
      if (!isWithin(asked.percent, 100)) throw new Error("volume wants percent, from 0 to 100");
      app.sound.setVolume(asked.percent);
      return null;
    case "peek": {
      const { address, count = 1 } = asked;
      if (!isWithin(address, 0xffff) || !isWithin(count, 0x10000)) throw new Error("peek wants an address from 0 to 65535, and a count of at most 65536");
      return [...app.emulator.peek(address, count)];
    }
    case "poke": {
      const { address, value } = asked;
      if (!isWithin(address, 0xffff) || !isWithin(value, 255)) throw new Error("poke wants an address from 0 to 65535, and a value from 0 to 255");
      app.emulator.poke(address, value);
      return null;
    }
    case "stop": {
      const { addresses } = asked;
      if (!Array.isArray(addresses) || addresses.length > STOPS || !addresses.every((address) => isWithin(address, 0xffff))) {
        throw new Error(`stop wants addresses: a list of at most ${STOPS} numbers from 0 to 65535`);
      }
      app.emulator.set_stops(Uint16Array.from(addresses), new Uint16Array());
      return null;
    }
    case "why": {
      const { x, y } = asked;
      if (!isWithin(x, WIDTH - 1) || !isWithin(y, HEIGHT - 1)) throw new Error(`why wants x below ${WIDTH} and y below ${HEIGHT}`);
      return (await import("./why.ts")).why(app, x, y);
    }
    case "listen": {
      const { events } = asked;
      if (!Array.isArray(events) || events.some((name) => !EVENTS.includes(name))) throw new Error(`listen wants events: a list of ${EVENTS.join(", ")}`);
      wanted.clear();
      for (const name of events) wanted.add(name);
      return null;
    }
    case "screenshot":
      return await (await app.screen.png()).arrayBuffer();
    case "state":
      return { hash: app.emulator.state_hash(), frames: app.emulator.frames(), title: app.emulator.title(), text: app.emulator.text(), bytes: app.emulator.save_state() };
    default:
      throw new Error("there are load, type, press, stick, pause, resume, reset, focus, volume, peek, poke, stop, why, listen, screenshot, state");
  }
}
