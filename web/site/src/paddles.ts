// The mouse as paddles 0 and 1: across the picture and down it; its buttons are theirs.
import type { App } from "./app.ts";
import { say } from "./ui.ts";

/** A paddle turned to its left end, and to its right end. */
const LEFT = 228;
const RIGHT = 1;

export class Paddles {
  private on = false;

  constructor(private readonly app: App) {
    const { canvas } = app.screen;
    canvas.addEventListener("pointerdown", (event) => {
      // A button that is let go beside the picture is let go.
      if (this.on) canvas.setPointerCapture(event.pointerId);
    });
    for (const kind of ["pointermove", "pointerdown", "pointerup"] as const) {
      // Beside the picture, too: a quick hand leaves it before the paddle is at its end.
      window.addEventListener(kind, (event) => {
        if (this.on) this.turn(event);
      });
    }
    canvas.addEventListener("contextmenu", (event) => {
      // The right button is a paddle's.
      if (this.on) event.preventDefault();
    });
  }

  toggle(): void {
    this.on = !this.on;
    if (!this.on) for (const paddle of [0, 1]) this.app.emulator.paddle(paddle, LEFT, false);
    say(this.on ? "The mouse is paddles 0 and 1" : "The mouse is no paddle");
  }

  private turn(event: PointerEvent): void {
    const { canvas } = this.app.screen;
    const box = canvas.getBoundingClientRect();
    // A button pressed beside the picture is the page's.
    const buttons = event.target === canvas ? event.buttons : 0;
    const turned = (part: number) => Math.round(LEFT + (RIGHT - LEFT) * Math.min(1, Math.max(0, part)));
    const { emulator } = this.app;
    emulator.paddle(0, turned((event.clientX - box.left) / (box.width - 1)), (buttons & 1) !== 0);
    emulator.paddle(1, turned((event.clientY - box.top) / (box.height - 1)), (buttons & 2) !== 0);
  }
}
