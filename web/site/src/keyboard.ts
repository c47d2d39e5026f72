// The host's keyboard: typing by symbol, joysticks by keys, and the page's own commands.
import { Emulator, type Keys } from "./machine.ts";

/** Frames that a console key or a stick counts at least: programs look at them once a frame or less. */
const HELD = 3;
/** Events of keys that wait for a frame at most: it may not come while the page is paused. */
const MOST = 64;

export const SHIFT = 0x40;
export const CONTROL = 0x80;

/** Bits of a joystick. */
export const UP = 1;
export const DOWN = 2;
export const LEFT = 4;
export const RIGHT = 8;
export const TRIGGER = 16;

/** Bits of the console keys. */
export const START = 1;
export const SELECT = 2;
export const OPTION = 4;
export const BREAK = 8;

/** The actions that the page has, with the names and keys of the window's (`host/src/config/actions.rs`, whose test reads this table). */
export type Command =
  | "help" | "reset" | "cold-start" | "debug" | "pause" | "screenshot" | "fullscreen" | "save-state" | "load-state" | "joystick-keys" | "menu"
  | "open" | "mute" | "paste" | "copy" | "rewind" | "slot-up" | "slot-down" | "frame-advance" | "artifacts" | "next-disk"
  | "mouse" | "other-tv" | "store-copy";

const COMMANDS: Record<string, Command> = {
  F1: "help", F5: "reset", "Shift+F5": "cold-start", F8: "debug", F9: "pause", "Shift+F9": "frame-advance", F10: "screenshot",
  "Alt+Enter": "fullscreen", "Alt+KeyS": "save-state", "Alt+KeyL": "load-state", "Alt+KeyJ": "joystick-keys", "Alt+KeyO": "menu",
  "Alt+KeyF": "open", "Alt+KeyM": "mute", "Alt+KeyV": "paste", "Alt+KeyC": "copy", "Alt+Backspace": "rewind",
  "Alt+BracketLeft": "slot-down", "Alt+BracketRight": "slot-up", "Alt+KeyA": "artifacts", "Alt+KeyD": "next-disk",
  "Alt+KeyP": "mouse", "Alt+KeyT": "other-tv", "Alt+KeyW": "store-copy",
};

const CONSOLE: Record<string, number> = { F2: OPTION, F3: SELECT, F4: START, F7: BREAK, Pause: BREAK };

/** Keys of the host that are keys of the Atari by their names, without and with Shift. */
const NAMED: Record<string, [string, string?]> = {
  Enter: ["return"], NumpadEnter: ["return"], Escape: ["esc"], Backspace: ["backspace", "delete-line"], ArrowUp: ["up"],
  ArrowDown: ["down"], ArrowLeft: ["left"], ArrowRight: ["right"], Home: ["clear"], Insert: ["insert", "insert-line"],
  Delete: ["delete", "delete-line"], End: ["inverse"], F6: ["help"],
};

const KEYPAD: Record<string, number> = {
  Numpad8: UP, Numpad2: DOWN, Numpad4: LEFT, Numpad6: RIGHT, Numpad7: UP | LEFT, Numpad9: UP | RIGHT, Numpad1: DOWN | LEFT,
  Numpad3: DOWN | RIGHT, Numpad0: TRIGGER, Numpad5: TRIGGER,
};
const FIRST: Record<string, number> = {
  ArrowUp: UP, ArrowDown: DOWN, ArrowLeft: LEFT, ArrowRight: RIGHT, ControlRight: TRIGGER, Space: TRIGGER,
};
const SECOND: Record<string, number> = {
  KeyW: UP, KeyS: DOWN, KeyA: LEFT, KeyD: RIGHT, ControlLeft: TRIGGER,
};

/** On a Mac, Option writes characters, and CapsLock has one event for each state of its lamp. */
const MAC = /^(Mac|iP)/.test(navigator.platform);

/**
 * The command that a key of the host is. Alt with a character runs one only where Alt writes nothing: not together with AltGr or as AltGr itself
 * (which some hosts report as Ctrl and Alt), not as a Mac's Option, and only with the plain letter, as the key shows it.
 */
export function commandOf(event: KeyboardEvent): Command | undefined {
  const { altKey, code, key } = event;
  if (!altKey) return COMMANDS[`${event.shiftKey && code.startsWith("F") ? "Shift+" : ""}${code}`];
  if (event.ctrlKey || event.getModifierState("AltGraph")) return undefined;
  if (key.length > 1) return COMMANDS[`Alt+${code}`];
  if (MAC) return undefined;
  if (/^[a-z]$/i.test(key)) return COMMANDS[`Alt+Key${key.toUpperCase()}`];
  // Keyboards of other scripts have the letters of commands at their places.
  const isOther = /\p{L}/u.test(key) && !/\p{Script=Latin}/u.test(key);
  return isOther || key === "[" || key === "]" ? COMMANDS[`Alt+${code}`] : undefined;
}


export class Keyboard {
  /** Role of arrows and Space. */
  private keys: Keys = "type";
  private readonly down = new Set<string>();
  /** Keys that went down as joysticks: they are joysticks until they are up. */
  private readonly asStick = new Map<string, [number, number]>();
  /** Keys that went down and up since the last frame, for the machine's queue. */
  private readonly events: ((emulator: Emulator) => void)[] = [];
  private readonly console = new Map<string, number>();
  private readonly touched = [0, 0];
  /** A tap counts for some frames, however short it was. */
  private readonly taps = new Map<string, number>();
  rewinding = false;
  /** A key, a stick or a console key has reached the machine since this was last cleared. */
  used = false;

  constructor(private readonly command: (command: Command) => void) {}

  /** Lets go of everything: the page has lost the keyboard. */
  clear(): void {
    this.down.clear();
    this.asStick.clear();
    this.events.length = 0;
    this.events.push((emulator) => emulator.clear_keys());
    this.console.clear();
    this.taps.clear();
    this.touched.fill(0);
    this.rewinding = false;
  }

  /** Takes a key of the host; true when the page has used it. */
  key(event: KeyboardEvent): boolean {
    const { code } = event;
    if (code === "CapsLock") return this.capsLock(event);
    if (event.type === "keyup") {
      this.down.delete(code);
      this.console.delete(code);
      if (code === "Backspace" || code === "AltLeft") this.rewinding = false;
      this.release(code);
      return false;
    }
    // Tab moves on to the page's controls; the browser's own keys stay the browser's.
    if (code === "Tab" || event.metaKey || code === "F11" || code === "F12") return false;
    // Also the repeats of a key that has closed a panel.
    if (this.down.has(code) || event.repeat) return true;
    const command = commandOf(event);
    if (command !== undefined) {
      if (command === "rewind") this.rewinding = true;
      this.down.add(code);
      this.command(command);
      return true;
    }
    if (event.altKey && event.key.length > 1) return false;
    this.down.add(code);
    this.taps.set(code, HELD);
    if (code in CONSOLE) {
      this.console.set(code, CONSOLE[code]);
      return true;
    }
    const stick = this.bits(code);
    if (stick !== null) {
      this.asStick.set(code, stick);
      if (code !== "Space" || this.keys !== "stick-and-space") return true;
    }
    const modifiers = (event.ctrlKey && !event.altKey ? CONTROL : 0) | 0;
    const named = NAMED[code];
    if (named !== undefined) {
      const atari = event.shiftKey ? (named[1] ?? named[0]) : named[0];
      this.press(code, Emulator.key_code(atari) | (event.shiftKey && named[1] === undefined && atari === "return" ? SHIFT : 0));
      return true;
    }
    if (event.key === "`") {
      this.press(code, Emulator.key_code("inverse"));
      return true;
    }
    // The Atari has a CAPS key of its own: the host's lock does not matter to it.
    const isLetter = /^[a-z]$/i.test(event.key);
    const symbol = !isLetter ? event.key : event.shiftKey && !event.ctrlKey ? event.key.toUpperCase() : event.key.toLowerCase();
    if (symbol.length !== 1) return false;
    const atari = Emulator.key_code(symbol);
    if (atari < 0) return false;
    this.press(code, atari | modifiers);
    return true;
  }

  /** CapsLock is a tap of CAPS each time, whatever the host makes of its lock. */
  private capsLock(event: KeyboardEvent): boolean {
    const isTap = event.type === "keydown" ? !event.repeat : MAC;
    if (isTap) {
      this.press("CapsLock", Emulator.key_code(event.shiftKey ? "shcaps" : "caps"));
      this.release("CapsLock");
    }
    return event.type === "keydown";
  }

  /** A key of the Atari goes down, from the host's keyboard or the one on the screen. */
  press(source: string, code: number): void {
    if (code < 0 || this.events.length > MOST) return;
    this.used = true;
    this.events.push((emulator) => emulator.press_key(source, code));
  }

  release(source: string): void {
    if (this.events.length > 2 * MOST) this.clear();
    else this.events.push((emulator) => emulator.release_key(source));
  }

  /** A console key from the screen. */
  hold(source: string, bit: number): void {
    if (bit === 0) {
      // A tap is over before the machine has seen it: it counts for some frames.
      const held = this.console.get(source);
      if (held !== undefined) this.taps.set(`console ${source} ${held}`, HELD);
      this.console.delete(source);
    } else this.console.set(source, bit);
  }

  /** The stick on the screen. */
  touch(port: number, bits: number): void {
    this.touched[port] = bits;
  }

  /** The joystick and bits that a key of the host is; null when it types. */
  private bits(code: string): [number, number] | null {
    if (code in KEYPAD) return [0, KEYPAD[code]];
    if (this.keys !== "type" && code in FIRST) return [0, FIRST[code]];
    if (this.keys === "sticks" && code in SECOND) return [1, SECOND[code]];
    return null;
  }

  /** Hands the controls of the next frame to the machine. */
  frame(emulator: Emulator, pads: { sticks: number[]; console: number }): void {
    const sticks = [this.touched[0] | (pads.sticks[0] ?? 0), this.touched[1] | (pads.sticks[1] ?? 0)];
    let console = pads.console;
    this.keys = emulator.host_keys();
    for (const [code, [port, bits]] of this.asStick) {
      if (this.down.has(code) || this.taps.has(code)) sticks[port] |= bits;
      else this.asStick.delete(code);
    }
    for (const code of [...this.down, ...this.taps.keys()]) {
      if (code in CONSOLE) console |= CONSOLE[code];
      if (code.startsWith("console ")) console |= Number(code.split(" ").pop());
    }
    for (const bit of this.console.values()) console |= bit;
    for (const [code, left] of this.taps) {
      if (left <= 1) this.taps.delete(code);
      else this.taps.set(code, left - 1);
    }
    if (console !== 0 || sticks.some((bits) => bits !== 0)) this.used = true;
    sticks.forEach((bits, port) => emulator.stick(port, bits));
    emulator.console(console);
    this.type(emulator);
  }

  private type(emulator: Emulator): void {
    for (const event of this.events.splice(0)) event(emulator);
    const shift = this.down.has("ShiftLeft") || this.down.has("ShiftRight");
    emulator.hold_key(shift);
  }
}
