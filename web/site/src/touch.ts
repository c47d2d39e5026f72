// The stick, the trigger and the keyboard on the screen.
import type { App } from "./app.ts";
import { CONTROL, DOWN, LEFT, RIGHT, SHIFT, TRIGGER, UP } from "./keyboard.ts";
import { Emulator } from "./machine.ts";
import { button, element, make } from "./ui.ts";

/** Part of the stick's radius within which it is at rest. */
const REST = 0.22;

/** Rows of the Atari's keyboard: what is on the key, the key's name, its width in quarters of a key, what SHIFT gives. */
type Key = [string, string, number, string?];
const ROWS: Key[][] = [
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

export class Touch {
  private readonly modifiers = { shift: false, control: false };

  constructor(private readonly app: App) {
    this.stick();
    this.trigger();
    this.keys();
    const toggle = element("do-keyboard");
    toggle.addEventListener("click", () => {
      const keys = element("keys");
      keys.hidden = !keys.hidden;
      toggle.setAttribute("aria-pressed", String(!keys.hidden));
      document.body.classList.toggle("with-keys", !keys.hidden);
    });
  }

  private bits = 0;

  private stick(): void {
    const stick = element("stick");
    const knob = element("knob");
    const move = (event: PointerEvent) => {
      const box = stick.getBoundingClientRect();
      const radius = box.width / 2;
      let x = (event.clientX - box.left - radius) / radius;
      let y = (event.clientY - box.top - radius) / radius;
      const far = Math.hypot(x, y);
      let bits = 0;
      if (far > REST) {
        // Eight directions, each an eighth of the circle.
        const eighth = (Math.round((Math.atan2(y, x) / Math.PI) * 4) + 8) % 8;
        bits = [RIGHT, RIGHT | DOWN, DOWN, DOWN | LEFT, LEFT, LEFT | UP, UP, UP | RIGHT][eighth];
      }
      if (far > 0.7) {
        x *= 0.7 / far;
        y *= 0.7 / far;
      }
      knob.style.transform = `translate(${x * radius}px, ${y * radius}px)`;
      this.set(this.bits & TRIGGER | bits);
    };
    const end = () => {
      knob.style.transform = "";
      this.set(this.bits & TRIGGER);
    };
    stick.addEventListener("pointerdown", (event) => {
      stick.setPointerCapture(event.pointerId);
      move(event);
    });
    stick.addEventListener("pointermove", (event) => {
      if (stick.hasPointerCapture(event.pointerId)) move(event);
    });
    stick.addEventListener("lostpointercapture", end);
  }

  private trigger(): void {
    const trigger = element("trigger");
    const hold = (held: boolean) => {
      trigger.classList.toggle("down", held);
      this.set((this.bits & ~TRIGGER) | (held ? TRIGGER : 0));
    };
    trigger.addEventListener("pointerdown", (event) => {
      trigger.setPointerCapture(event.pointerId);
      hold(true);
    });
    trigger.addEventListener("lostpointercapture", () => hold(false));
    trigger.addEventListener("keydown", (event) => {
      if (event.code === "Enter" || event.code === "Space") hold(true);
    });
    trigger.addEventListener("keyup", () => hold(false));
  }

  private release = 0;

  private set(bits: number): void {
    // A tap shorter than a frame is still a tap.
    clearTimeout(this.release);
    const lost = this.bits & ~bits;
    this.bits = bits;
    if (lost === 0) this.app.keyboard.touch(0, bits);
    else {
      this.release = window.setTimeout(() => this.app.keyboard.touch(0, this.bits), 50);
    }
  }

  private keys(): void {
    const board = element("keys");
    for (const row of ROWS) {
      const line = make("div", "", { class: "row" });
      for (const key of row) line.append(this.key(key));
      board.append(line);
    }
  }

  private key([label, name, width, shifted]: Key): HTMLElement {
    const key = button("", () => {}, { class: `w${width}`, "data-key": name });
    if (shifted !== undefined) key.append(make("small", shifted, { "aria-hidden": "true" }));
    key.append(make("span", label));
    key.setAttribute("aria-label", { "⌫": "Back space", "←": "Left", "→": "Right", "↑": "Up", "↓": "Down" }[label] ?? label);
    if (name === "shift" || name === "control") {
      key.setAttribute("aria-pressed", "false");
      key.addEventListener("click", () => this.modify(name, !this.modifiers[name]));
      return key;
    }
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
    return key;
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
    const key = element("keys").querySelector(`[data-key="${name}"]`);
    key?.setAttribute("aria-pressed", String(on));
  }
}
