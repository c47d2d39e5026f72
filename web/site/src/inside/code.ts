// The processor's registers, which can be changed, and the code that runs: instructions, or the lines of the page's own program.
import type { BasicRow, CodeRow, Processor as Registers, SourceRow } from "../engine.ts";
import { button, make } from "../ui.ts";

/** The actions that the lists of code may ask for. */
export interface Ways {
  toggle: (address: number) => void;
  toggleBasic: (line: number) => void;
  toggleSource: (file: number, line: number) => void;
}

/** Registers and the number of their digits. */
const REGISTERS: ["pc" | "a" | "x" | "y" | "s" | "p", number][] = [["pc", 4], ["a", 2], ["x", 2], ["y", 2], ["s", 2], ["p", 2]];

/** A number in hexadecimal. */
const hex = (number: number, digits: number): string => number.toString(16).toUpperCase().padStart(digits, "0");
/** The marks of a line: a breakpoint, and what runs. */
const marks = (isStop: boolean, isHere: boolean): string => `${isStop ? "●" : " "}${isHere ? "▶" : " "}`;

export class Processor {
  readonly body = make("section", "", { class: "cpu", "aria-label": "Processor" });
  private readonly fields: HTMLInputElement[] = [];
  private readonly text = make("pre", "", { tabindex: "0", "aria-label": "Processor" });
  private typed: HTMLInputElement | null = null;

  constructor(ask: (command: string) => string) {
    const row = make("div", "", { class: "registers" });
    for (const [register, digits] of REGISTERS) {
      const name = register.toUpperCase();
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
      this.fields.push(field);
    }
    this.body.append(row, this.text);
  }

  show(cpu: Registers): void {
    REGISTERS.forEach(([register, digits], i) => {
      const field = this.fields[i];
      if (field !== this.typed) field.value = hex(cpu[register], digits);
    });
    this.text.textContent = cpu.about;
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

  /** Instructions; `lines` is on the button for the lines that there are instead. */
  showCode(code: CodeRow[], lines: string): void {
    this.showSwap(lines, false, "Disassembly");
    this.fill(code.map(({ address, stop, here, text }) => {
      if (address === undefined) return make("div", text, { class: "source" });
      return this.row(`${marks(stop, here)} ${text}`, stop, here, () => this.ways.toggle(address));
    }));
  }

  /** Lines of a BASIC program. */
  showBasic(listing: BasicRow[]): void {
    this.showSwap("BASIC lines", true, "Program in BASIC");
    this.fill(listing.map(({ number, stop, here, text }) =>
      this.row(`${marks(stop, here)} ${number} ${text}`, stop, here, () => this.ways.toggleBasic(number))));
  }

  /** Lines of a source. */
  showSource(source: SourceRow[]): void {
    this.showSwap("Source lines", true, "Source");
    this.fill(source.map(({ file, line, stop, here, code, text }) => {
      const shown = `${marks(stop, here)}${String(line).padStart(4)} ${text}`;
      if (!code) return make("div", shown, { class: "source" });
      return this.row(shown, stop, here, () => this.ways.toggleSource(file, line));
    }));
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
