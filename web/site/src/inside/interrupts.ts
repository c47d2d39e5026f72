// The display list interrupts of the last frame: a line of time, and what each one costs and stores.
import type { InterruptRow } from "../engine.ts";
import { button, make } from "../ui.ts";

/** Scan lines of the longest frame. */
const LINES = 312;

export class Interrupts {
  readonly body = make("section", "", { class: "interrupts", "aria-label": "Display list interrupts" });
  private readonly bar = make("canvas", "", { width: "624", height: "18", role: "img", "aria-label": "The frame's scan lines from left to right, with its interrupts" });
  private readonly list = make("div", "", { class: "list", tabindex: "0", role: "group", "aria-label": "Display list interrupts of the last frame" });

  /** `go` goes to the interrupt with a number. */
  constructor(private readonly go: (number: number) => void) {
    this.body.append(make("h3", "Display list interrupts"), this.bar, this.list);
  }

  /** The last frame's rows, if it is recorded, and the beam's line. */
  show(list: InterruptRow[] | undefined, beam: number): void {
    const pen = this.bar.getContext("2d");
    pen?.clearRect(0, 0, 624, 18);
    const rows: HTMLElement[] = [];
    const fill = (colour: string, from: number, to: number) => {
      if (pen === null) return;
      pen.fillStyle = colour;
      pen.fillRect((from * 624) / LINES, 2, Math.max(2, ((to - from) * 624) / LINES), 14);
    };
    fill("#3a414d", 0, LINES);
    for (const { kind, number, first, last, text } of list ?? []) {
      if (first !== undefined && kind === "store") fill("#fff", first, first);
      else if (first !== undefined) fill(kind === "dli" ? "#ff9d5c" : "#7fd1a0", first, (last ?? first) + 1);
      if (number !== undefined) rows.push(button(text, () => this.go(number), { class: "row", title: "go to its first instruction" }));
      else rows.push(make("div", text, { class: kind === "finding" ? kind : "" }));
    }
    fill("#62d0ff", beam, beam);
    if (list === undefined) rows.push(make("div", "the last frame is not recorded"));
    else if (!list.some(({ kind }) => kind === "dli")) rows.unshift(make("div", "the last frame has no display list interrupt"));
    this.list.replaceChildren(...rows);
  }
}
