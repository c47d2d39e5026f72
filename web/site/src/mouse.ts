// The mouse, or a finger, over the picture as a controller of the Atari: paddles, a light pen or gun, a mouse, a trak-ball.
import type { App } from "./app.ts";

export class Mouse {
  constructor(private readonly app: App) {
    const { canvas } = app.screen;
    canvas.addEventListener("pointerdown", (event) => {
      if (!this.isOn) return;
      // A button that is let go beside the picture is let go.
      canvas.setPointerCapture(event.pointerId);
      // A finger that comes down somewhere else has not moved there.
      if (event.pointerType === "touch" && event.isPrimary) app.emulator.mouse_away();
    });
    for (const kind of ["pointermove", "pointerdown", "pointerup"] as const) {
      // Beside the picture, too: a quick hand leaves it before a paddle is at its end.
      window.addEventListener(kind, (event) => {
        if (this.isOn && event.isPrimary) this.move(event);
      });
    }
    canvas.addEventListener("pointercancel", () => app.emulator.mouse_away());
    document.documentElement.addEventListener("pointerleave", () => app.emulator.mouse_away());
    canvas.addEventListener("contextmenu", (event) => {
      // The right button is a paddle's.
      if (this.isOn) event.preventDefault();
    });
  }

  /** While the machine stands still to be looked at, what is pointed at is its picture. */
  private get isOn(): boolean {
    return this.app.mouseRole !== "off" && !document.body.classList.contains("looking");
  }

  private move(event: PointerEvent): void {
    const { canvas } = this.app.screen;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    // A button pressed beside the picture is the page's.
    const buttons = event.target === canvas ? event.buttons : 0;
    this.app.emulator.mouse_at((event.clientX - left) / width, (event.clientY - top) / height, width / height, buttons);
  }
}
