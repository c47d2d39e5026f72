// The display list interrupts of the last frame: a line of time, and what each one costs and stores.
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

  /** The debugger's text on them, and the beam's line. */
  show(text: string, beam: number): void {
    const lines = text.split("\n");
    const pen = this.bar.getContext("2d");
    pen?.clearRect(0, 0, 624, 18);
    const rows: HTMLElement[] = [];
    const fill = (colour: string, from: number, to: number) => {
      if (pen === null) return;
      pen.fillStyle = colour;
      pen.fillRect((from * 624) / LINES, 2, Math.max(2, ((to - from) * 624) / LINES), 14);
    };
    fill("#3a414d", 0, LINES);
    for (const line of lines) {
      const asked = /^(DLI|VBI)( \d+)?.*asked (\d+)\.\d+ .*end (\d+)?/.exec(line);
      const store = /^ +line +(\d+) /.exec(line);
      if (asked !== null) fill(asked[1] === "DLI" ? "#ff9d5c" : "#7fd1a0", Number(asked[3]), Number(asked[4] ?? asked[3]) + 1);
      else if (store !== null) fill("#fff", Number(store[1]), Number(store[1]));
      if (asked?.[1] === "DLI") rows.push(button(line, () => this.go(Number(asked[2])), { class: "row", title: "go to its first instruction" }));
      else if (line !== "") rows.push(make("div", line, { class: store === null && asked === null ? "finding" : "" }));
    }
    fill("#62d0ff", beam, beam);
    if (!lines.some((line) => line.startsWith("DLI"))) rows.unshift(make("div", "the last frame has no display list interrupt"));
    this.list.replaceChildren(...rows);
  }
}
