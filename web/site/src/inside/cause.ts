// Why a pixel is as it is: in plain words, and on demand with registers, cycles, and ways to the stores that made it.
import type { Explanation, WhyLine } from "../engine.ts";
import { button, make } from "../ui.ts";
import type { Pixel } from "./overlay.ts";

/** The actions that the lines of a cause may ask for. */
export interface Ways {
  /** Does a command and gives its text. */
  ask: (command: string) => string;
  /** Goes to the beam's place in the frame in which a pixel was drawn. */
  go: (pixel: Pixel, line: number, cycle: number) => void;
}

export class Cause {
  readonly body = make("section", "", { class: "cause", "aria-label": "Why the pixel is as it is" });
  private readonly plain = make("p", "Point at a pixel of the picture; a click holds it.", { class: "plain", "aria-live": "polite" });
  private readonly hint = make("p", "On the picture: arrows point, with Shift by eight; Enter holds.", { class: "hint" });
  private readonly lines = make("div", "", { class: "why" });
  private readonly further = make("pre", "", { class: "further", tabindex: "0", "aria-label": "Where the colour comes from", "aria-live": "polite" });
  private readonly actions = make("div", "", { class: "buttons" });

  constructor(private readonly ways: Ways) {
    const details = make("details");
    details.append(make("summary", "Registers and cycles"), this.lines);
    this.further.hidden = true;
    this.body.append(this.plain, this.hint, this.actions, details, this.further);
  }

  /** Shows a pixel's explanation, and the event beside it. */
  show(pixel: Pixel, { sentence, lines, register, store }: Explanation, event: string | null): void {
    this.plain.textContent = sentence;
    this.hint.textContent = event === null ? "" : `Event: ${event}`;
    this.further.hidden = true;
    this.lines.replaceChildren(...lines.map((line) => this.line(pixel, line)));
    this.actions.replaceChildren();
    if (register === undefined) return;
    if (store !== undefined) this.actions.append(button("Go to its store", () => this.ways.go(pixel, store.line, store.cycle)));
    this.actions.append(button("Where is the colour from?", () => {
      this.further.hidden = false;
      this.further.textContent = this.ways.ask(`origin ${register}`);
    }));
  }

  /** A line; a place of the beam in it goes there. */
  private line(pixel: Pixel, { parts }: WhyLine): HTMLElement {
    const line = make("div");
    line.append(...parts.map(({ text, beam }) => {
      if (beam === undefined) return text;
      return button(text, () => this.ways.go(pixel, beam.line, beam.cycle), { class: "way", title: "go there in time" });
    }));
    return line;
  }
}
