// The processor's registers, which can be changed, and the code that runs: instructions, or the lines of the page's own program.
import { button, make } from "../ui.ts";

/** The actions that the lists of code may ask for. */
export interface Ways {
  toggle: (address: number) => void;
  toggleBasic: (line: number) => void;
  toggleSource: (file: number, line: number) => void;
}

/** Registers and the number of their digits. */
const REGISTERS: [string, number][] = [["PC", 4], ["A", 2], ["X", 2], ["Y", 2], ["S", 2], ["P", 2]];

export class Processor {
  readonly body = make("section", "", { class: "cpu", "aria-label": "Processor" });
  private readonly fields = new Map<string, HTMLInputElement>();
  private readonly text = make("pre", "", { tabindex: "0", "aria-label": "Processor" });
  private typed: HTMLInputElement | null = null;

  constructor(ask: (command: string) => string) {
    const row = make("div", "", { class: "registers" });
    for (const [name, digits] of REGISTERS) {
      const field = make("input", "", { type: "text", size: String(digits), maxlength: String(digits), spellcheck: "false", autocomplete: "off", title: `change ${name}` });
      // Text that is being typed stays until it is taken.
      field.addEventListener("input", () => (this.typed = field));
      field.addEventListener("blur", () => (this.typed = null));
      field.addEventListener("change", () => {
        this.typed = null;
        ask(`set reg.${name} $${field.value}`);
      });
      const label = make("label", name);
      label.append(field);
      row.append(label);
      this.fields.set(name, field);
    }
    this.body.append(row, this.text);
  }

  /** `text` are the debugger's lines on the processor. */
  show(text: string): void {
    const [first, ...rest] = text.split("\n");
    const flags = /\S+$/.exec(first)?.[0] ?? "";
    // A flag that is set is a capital letter; bit 5 has none and is always set.
    const p = [...flags].reduce((sum, letter) => 2 * sum + (/[A-Z-]/.test(letter) ? 1 : 0), 0);
    for (const [name, field] of this.fields) {
      const found = name === "P" ? p.toString(16).toUpperCase().padStart(2, "0") : (new RegExp(`\\b${name} ([0-9A-F]+)`).exec(first)?.[1] ?? "");
      if (field !== this.typed) field.value = found;
    }
    this.text.textContent = [flags, ...rest].join("   ");
  }
}

export class Code {
  readonly body = make("section", "", { class: "code", "aria-label": "Code" });
  private readonly list = make("div", "", { class: "list", role: "group", "aria-label": "Disassembly" });
  private readonly swap = button("BASIC lines", () => {
    this.isLines = !this.isLines;
    this.again();
  }, { "aria-pressed": "false" });
  /** Shows the lines of BASIC or of a source where there are any. */
  isLines = false;
  /** Shows it again, as it is now. */
  again: () => void = () => {};

  constructor(private readonly ways: Ways) {
    const head = make("div", "", { class: "buttons" });
    head.append(make("h3", "Code"), make("span", "a click on a line sets a breakpoint, F9 at this one", { class: "hint" }), this.swap);
    this.body.append(head, this.list);
    this.list.addEventListener("keydown", (event) => this.move(event));
  }

  /** The button that swaps instructions and lines; hidden without a text. */
  private showSwap(text: string, isLines: boolean, label: string): void {
    this.swap.hidden = text === "";
    if (text !== "") this.swap.textContent = text;
    this.swap.setAttribute("aria-pressed", String(isLines));
    this.list.setAttribute("aria-label", label);
  }

  /** Instructions as the debugger writes them; `lines` is on the button for the lines that there are instead. */
  showCode(text: string, lines: string): void {
    this.showSwap(lines, false, "Disassembly");
    const rows = text.split("\n").map((line) => {
      const found = /^(.)(.) ([0-9A-F]{4}) /.exec(line);
      if (found === null) return make("div", line, { class: "source" });
      const [, stop, here, address] = found;
      return this.row(`${stop === "*" ? "●" : " "}${here === ">" ? "▶" : " "} ${line.slice(3)}`, stop === "*", here === ">", () => this.ways.toggle(Number.parseInt(address, 16)));
    });
    this.fill(rows);
  }

  /** Lines of a BASIC program: those at which breakpoints are, and the one that runs. */
  showBasic(listing: string, stops: Uint16Array, current: number | null): void {
    this.showSwap("BASIC lines", true, "Program in BASIC");
    const rows = listing.split("\n").filter((line) => line !== "").map((line) => {
      const number = Number.parseInt(line, 10);
      const isStop = stops.includes(number);
      return this.row(`${isStop ? "●" : " "}${number === current ? "▶" : " "} ${line}`, isStop, number === current, () => this.ways.toggleBasic(number));
    });
    this.fill(rows);
  }

  /** Lines of a source: of each the number of its file, its own, marks, and its text, with tabs between. */
  showSource(text: string): void {
    this.showSwap("Source lines", true, "Source");
    const rows = text.split("\n").slice(0, -1).map((row) => {
      const [file, line, marks, ...rest] = row.split("\t");
      const [isStop, isHere] = [marks.includes("*"), marks.includes(">")];
      const shown = `${isStop ? "●" : " "}${isHere ? "▶" : " "}${line.padStart(4)} ${rest.join("\t")}`;
      if (!marks.includes("+")) return make("div", shown, { class: "source" });
      return this.row(shown, isStop, isHere, () => this.ways.toggleSource(Number(file), Number(line)));
    });
    this.fill(rows);
  }

  private row(text: string, isStop: boolean, isHere: boolean, act: () => void): HTMLElement {
    const row = button(text, act, { class: isHere ? "row current" : "row", "aria-pressed": String(isStop), tabindex: "-1" });
    if (isHere) row.setAttribute("aria-current", "true");
    return row;
  }

  private fill(rows: HTMLElement[]): void {
    const at = [...this.list.children].indexOf(document.activeElement as Element);
    this.list.replaceChildren(...rows);
    const current = rows.find((row) => row.hasAttribute("aria-current"));
    const first = current ?? rows.find((row) => row.tagName === "BUTTON");
    first?.setAttribute("tabindex", "0");
    current?.scrollIntoView({ block: "nearest" });
    if (at >= 0) rows[at]?.focus();
  }

  /** Arrows go from line to line. */
  private move(event: KeyboardEvent): void {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.code];
    if (by === undefined) return;
    event.preventDefault();
    const rows = [...this.list.querySelectorAll("button")];
    rows[rows.indexOf(document.activeElement as HTMLButtonElement) + by]?.focus();
  }
}
