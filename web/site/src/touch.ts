// The stick and the trigger on the screen, and when its keyboard is shown.
import type { App } from "./app.ts";
import { DOWN, LEFT, RIGHT, TRIGGER, UP } from "./keyboard.ts";
import { element, later, say, sentence, styles } from "./ui.ts";

/** Part of the stick's radius within which it is at rest. */
const REST = 0.22;

/** Milliseconds for which a device vibrates when a switch closes. */
const FELT = 10;
/** Milliseconds of the longest tap. */
const TAP = 400;

export class Touch {
  private readonly keys = later(async () => {
    const [{ Keys }] = await Promise.all([import("./keys.ts"), styles()]);
    return new Keys(this.app);
  });

  constructor(private readonly app: App) {
    this.stick();
    this.trigger();
    this.tap();
    element("do-keyboard").addEventListener("click", () => this.toggle(element("keys").hidden === true));
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
    // Felt, where the device can: another direction, or the trigger.
    if ((bits & ~this.bits) !== 0) navigator.vibrate?.(FELT);
    this.bits = bits;
    if (lost === 0) this.app.keyboard.touch(0, bits);
    else {
      this.release = window.setTimeout(() => this.app.keyboard.touch(0, this.bits), 50);
    }
  }

  /** Shows or hides the Atari's keyboard. */
  private toggle(isShown: boolean): void {
    this.keys().then(() => {
      element("keys").hidden = !isShown;
      element("do-keyboard").setAttribute("aria-pressed", String(isShown));
      document.body.classList.toggle("with-keys", isShown);
    }).catch((error) => say(sentence(error)));
  }

  /** A tap on the screen opens the keyboard where the program is one that is typed to. */
  private tap(): void {
    const { app } = this;
    const { canvas } = app.screen;
    let begun = 0;
    canvas.addEventListener("pointerdown", (event) => {
      begun = event.pointerType === "touch" ? event.timeStamp : 0;
    });
    canvas.addEventListener("pointerup", (event) => {
      if (begun === 0 || event.timeStamp - begun > TAP || document.body.classList.contains("looking")) return;
      const { loaded } = app;
      if (app.mouseRole !== "off") return;
      const isGame = loaded.kind === "built-in" && loaded.name !== "basic";
      if (!isGame && app.emulator.host_keys() === "type") this.toggle(true);
    });
  }
}
