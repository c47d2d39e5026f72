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
    for (const kind of ["pointermove", "pointerdown", "pointerup"] as const) {
      canvas.addEventListener(kind, (event) => {
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
    const box = this.app.screen.canvas.getBoundingClientRect();
    const turned = (part: number) => Math.round(LEFT + (RIGHT - LEFT) * Math.min(1, Math.max(0, part)));
    const { emulator } = this.app;
    emulator.paddle(0, turned((event.clientX - box.left) / (box.width - 1)), (event.buttons & 1) !== 0);
    emulator.paddle(1, turned((event.clientY - box.top) / (box.height - 1)), (event.buttons & 2) !== 0);
  }
}
