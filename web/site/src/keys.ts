// The Atari's keyboard on the screen, made when it is first opened: as it is on the machine, or on phones in two parts with keys of 40 px.
import type { App } from "./app.ts";
import { CONTROL, SHIFT } from "./keyboard.ts";
import { Emulator } from "./machine.ts";
import { button, element, make } from "./ui.ts";

/** The text on the key, the key's name, its width in quarters of a key, the text with SHIFT, and a class. */
type Key = [string, string, number, string?, string?];

const FULL: Key[][] = [
  [
    ["ESC", "esc", 4], ["1", "1", 4, "!"], ["2", "2", 4, '"'], ["3", "3", 4, "#"], ["4", "4", 4, "$"], ["5", "5", 4, "%"],
    ["6", "6", 4, "&"], ["7", "7", 4, "'"], ["8", "8", 4, "@"], ["9", "9", 4, "("], ["0", "0", 4, ")"], ["<", "<", 4, "⌧"],
    [">", ">", 4, "ins"], ["⌫", "backspace", 4],
  ],
  [
    ["TAB", "tab", 5], ["Q", "q", 4], ["W", "w", 4], ["E", "e", 4], ["R", "r", 4], ["T", "t", 4], ["Y", "y", 4], ["U", "u", 4],
    ["I", "i", 4], ["O", "o", 4], ["P", "p", 4], ["-", "-", 4, "_"], ["=", "=", 4, "|"], ["RET", "return", 5],
  ],
  [
    ["CTRL", "control", 6], ["A", "a", 4], ["S", "s", 4], ["D", "d", 4], ["F", "f", 4], ["G", "g", 4], ["H", "h", 4],
    ["J", "j", 4], ["K", "k", 4], ["L", "l", 4], [";", ";", 4, ":"], ["+", "+", 4, "\\"], ["*", "*", 4, "^"], ["CAPS", "caps", 4],
  ],
  [
    ["SHIFT", "shift", 7], ["Z", "z", 4], ["X", "x", 4], ["C", "c", 4], ["V", "v", 4], ["B", "b", 4], ["N", "n", 4],
    ["M", "m", 4], [",", ",", 4, "["], [".", ".", 4, "]"], ["/", "/", 4, "?"], ["INV", "inverse", 4], ["HELP", "help", 5],
  ],
  [
    ["BREAK", "break", 6], ["←", "left", 4], ["↑", "up", 4], ["SPACE", "space", 24], ["↓", "down", 4], ["→", "right", 4],
    ["CLEAR", "clear", 6],
  ],
];

const letters = (row: string): Key[] => [...row].map((letter): Key => [letter.toUpperCase(), letter, 4]);

/** Nine keys a row where ten have no room: then P stands beside M. */
const LETTERS: Key[][] = [
  [...letters("qwertyuio"), ["P", "p", 4, undefined, "ten"]],
  letters("asdfghjkl"),
  [...letters("zxcvbnm"), ["P", "p", 4, undefined, "nine"], ["⌫", "backspace", 4]],
  [
    ["123", "other", 4], ["CTRL", "control", 4], ["SHIFT", "shift", 4], ["BREAK", "break", 4], ["SPACE", "space", 8], [".", ".", 4, "]"],
    ["RET", "return", 8],
  ],
];
const SIGNS: Key[][] = [
  [
    ["1", "1", 4, "!"], ["2", "2", 4, '"'], ["3", "3", 4, "#"], ["4", "4", 4, "$"], ["5", "5", 4, "%"], ["6", "6", 4, "&"], ["7", "7", 4, "'"],
    ["8", "8", 4, "@"], ["9", "9", 4, "("],
  ],
  [
    ["0", "0", 4, ")"], ["-", "-", 4, "_"], ["=", "=", 4, "|"], [";", ";", 4, ":"], ["+", "+", 4, "\\"], ["*", "*", 4, "^"], ["<", "<", 4, "⌧"],
    [">", ">", 4, "ins"], ["⌫", "backspace", 4],
  ],
  [
    [",", ",", 4, "["], [".", ".", 4, "]"], ["/", "/", 4, "?"], ["ESC", "esc", 4], ["TAB", "tab", 4], ["CAPS", "caps", 4], ["INV", "inverse", 4],
    ["HELP", "help", 4], ["CLEAR", "clear", 4],
  ],
  [
    ["ABC", "other", 4], ["CTRL", "control", 4], ["SHIFT", "shift", 4], ["BREAK", "break", 4], ["←", "left", 4], ["↑", "up", 4], ["↓", "down", 4],
    ["→", "right", 4], ["RET", "return", 4],
  ],
];

/** Eight keys a row where nine have no room. */
const NARROW: Key[][] = [
  letters("qwertyui"),
  letters("asdfghjk"),
  [...letters("zxcvbnm"), ["⌫", "backspace", 4]],
  [...letters("opl"), [".", ".", 4, "]"], ["SPACE", "space", 8], ["RET", "return", 8]],
  [
    ["123", "other", 4], ["CTRL", "control", 4], ["SHIFT", "shift", 4], ["BREAK", "break", 4], ["←", "left", 4], ["↑", "up", 4], ["↓", "down", 4],
    ["→", "right", 4],
  ],
];
const EIGHT = 8;
const NARROW_SIGNS: Key[][] = Array.from({ length: Math.ceil(SIGNS.flat().length / EIGHT) }, (_, row) => SIGNS.flat().slice(row * EIGHT, (row + 1) * EIGHT));

const SPOKEN: Record<string, string> = {
  "⌫": "Back space", "←": "Left", "→": "Right", "↑": "Up", "↓": "Down", "123": "123, digits and signs", ABC: "ABC, letters",
};

export class Keys {
  private readonly modifiers = { shift: false, control: false };
  private readonly board = element("keys");
  private isSigns = false;
  private readonly phone = matchMedia("(pointer: coarse) and (max-width: 559px), (pointer: coarse) and (max-height: 560px)");

  private readonly narrow = matchMedia("(max-width: 359px)");

  constructor(private readonly app: App) {
    this.build();
    for (const kind of [this.phone, this.narrow]) kind.addEventListener("change", () => this.build());
  }

  private get rows(): Key[][] {
    if (!this.phone.matches) return FULL;
    if (this.narrow.matches) return this.isSigns ? NARROW_SIGNS : NARROW;
    return this.isSigns ? SIGNS : LETTERS;
  }

  private build(): void {
    this.board.classList.toggle("phone", this.phone.matches);
    this.board.replaceChildren(...this.rows.map((row) => {
      const line = make("div", "", { class: "row" });
      line.append(...row.map((key) => this.key(key)));
      return line;
    }));
  }

  private key([label, name, width, shifted, kind = ""]: Key): HTMLElement {
    const key = button("", () => {}, { class: `w${width} ${kind}`, "data-key": name });
    if (shifted !== undefined) key.append(make("small", shifted, { "aria-hidden": "true" }));
    key.append(make("span", label));
    key.setAttribute("aria-label", SPOKEN[label] ?? label);
    if (name === "other") {
      key.addEventListener("click", () => {
        this.isSigns = !this.isSigns;
        this.build();
        this.board.querySelector<HTMLElement>('[data-key="other"]')?.focus();
      });
      return key;
    }
    if (name === "shift" || name === "control") {
      key.setAttribute("aria-pressed", String(this.modifiers[name]));
      key.addEventListener("click", () => this.modify(name, !this.modifiers[name]));
      return key;
    }
    this.type(key, name);
    return key;
  }

  private type(key: HTMLElement, name: string): void {
    const source = `screen ${name}`;
    const down = () => {
      key.classList.add("down");
      if (name === "break") this.app.keyboard.hold(source, 8);
      else this.app.keyboard.press(source, this.code(name));
    };
    const up = () => {
      key.classList.remove("down");
      if (name === "break") this.app.keyboard.hold(source, 0);
      this.app.keyboard.release(source);
      this.modify("shift", false);
      this.modify("control", false);
    };
    key.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      key.setPointerCapture(event.pointerId);
      down();
    });
    key.addEventListener("lostpointercapture", up);
    key.addEventListener("keydown", (event) => {
      if ((event.code === "Enter" || event.code === "Space") && !event.repeat) down();
    });
    key.addEventListener("keyup", (event) => {
      if (event.code === "Enter" || event.code === "Space") up();
    });
  }

  private code(name: string): number {
    const { shift, control } = this.modifiers;
    const bare = Emulator.key_code(name);
    if (bare < 0) return bare;
    return bare | (shift ? SHIFT : 0) | (control ? CONTROL : 0);
  }

  private modify(name: "shift" | "control", on: boolean): void {
    if (this.modifiers[name] === on) return;
    this.modifiers[name] = on;
    this.board.querySelector(`[data-key="${name}"]`)?.setAttribute("aria-pressed", String(on));
  }
}
