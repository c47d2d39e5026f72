// The parts of Inside that share one place: breakpoints and watches, memory, display list, chips, BASIC, a scan line, commands.
import type { BreakpointRow, WatchRow } from "../engine.ts";
import { button, make } from "../ui.ts";

/** The commands that the parts may give to the debugger. */
export interface Ways {
  /** Does a command of the prompt that may change something, and gives its text. */
  ask: (command: string) => string;
  /** Does a command that only looks. */
  look: (command: string) => string;
  breakpoints: () => BreakpointRow[];
  enable: (id: number, on: boolean) => void;
  remove: (id: number) => void;
  watches: () => WatchRow[];
  unwatch: (number: number) => void;
  /** The address of a name or an expression. */
  address: (place: string) => number | undefined;
  memory: (address: number) => string;
  displayList: () => string;
  chips: () => string;
  /** The scan line that is pointed at, or the beam's. */
  line: () => number;
}

interface Part {
  body: HTMLElement;
  show: () => void;
}

let ids = 0;

/** A field to type into; `act` gets the text at Enter, and true empties it. */
function field(label: string, hint: string, act: (text: string) => boolean): HTMLElement {
  const id = `inside-${++ids}`;
  const row = make("div", "", { class: "field" });
  const input = make("input", "", { type: "text", id, placeholder: hint, spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && input.value.trim() !== "" && act(input.value.trim())) input.value = "";
  });
  row.append(make("label", label, { for: id }), input);
  return row;
}

const pre = (label: string) => make("pre", "", { tabindex: "0", "aria-label": label });

export class Tabs {
  readonly body = make("section", "", { class: "tabs", "aria-label": "More" });
  private readonly room = make("div", "", { class: "room" });
  private readonly parts: Record<string, Part>;
  private readonly keys = new Map<string, HTMLElement>();
  private open = "Stops";
  private address = 0x600;

  constructor(private readonly ways: Ways) {
    this.parts = {
      Stops: this.stops(),
      Memory: this.memory(),
      List: this.text("Display list", () => ways.displayList()),
      Chips: this.text("Chips", () => ways.chips()),
      BASIC: this.basic(),
      Line: this.text("A scan line", () => {
        const line = ways.line();
        return `line ${line}\n${ways.look(`strip ${line}`)}\n${ways.look(`map ${line}`)}`;
      }),
      Command: this.command(),
    };
    const bar = make("div", "", { class: "buttons", role: "group", "aria-label": "Parts" });
    for (const name of Object.keys(this.parts)) {
      const key = button(name, () => this.turn(name), { "aria-pressed": "false" });
      this.keys.set(name, key);
      bar.append(key);
    }
    this.body.append(bar, this.room);
    this.turn("Stops");
  }

  private turn(name: string): void {
    this.keys.get(this.open)?.setAttribute("aria-pressed", "false");
    this.open = name;
    this.keys.get(name)?.setAttribute("aria-pressed", "true");
    this.room.replaceChildren(this.parts[name].body);
    this.show();
  }

  show(): void {
    this.parts[this.open].show();
  }

  private text(label: string, text: () => string): Part {
    const body = pre(label);
    return { body, show: () => void (body.textContent = text()) };
  }

  /** Breakpoints and watches: lists, and one more by typing. */
  private stops(): Part {
    const body = make("div");
    const stops = make("ul", "", { class: "lines", "aria-label": "Breakpoints" });
    const watches = make("ul", "", { class: "lines", "aria-label": "Watches" });
    const add = (command: string) => (text: string) => {
      this.ways.ask(`${command} ${text}`);
      return true;
    };
    body.append(
      field("Break at", "NAME, write D01A, beam 100 20, dli if a == 3 once, basic 40", add("break")), stops,
      field("Watch", "address, name, or expression as [$80+x] & 15", add("watch")), watches,
    );
    const show = () => {
      stops.replaceChildren(...this.ways.breakpoints().map(({ id, on, text }) => {
        const item = make("li");
        const check = make("input", "", { type: "checkbox", "aria-label": `breakpoint ${id}: ${text}` });
        check.checked = on;
        check.addEventListener("change", () => this.ways.enable(id, check.checked));
        item.append(check, make("span", text), button("×", () => this.ways.remove(id), { "aria-label": `Remove breakpoint ${id}` }));
        return item;
      }));
      watches.replaceChildren(...this.ways.watches().map(({ name, value }, number) => {
        const item = make("li");
        item.append(make("span", `${name} = ${value}`), button("×", () => this.ways.unwatch(number), { "aria-label": `Watch ${name} no more` }));
        return item;
      }));
    };
    return { body, show };
  }

  private memory(): Part {
    const body = make("div");
    const text = pre("Memory");
    const show = () => void (text.textContent = this.ways.memory(this.address));
    const at = () => `$${this.address.toString(16).padStart(4, "0")}`;
    const answer = make("p", "", { class: "hint", role: "status" });
    const change = (command: string) => (typed: string) => {
      answer.textContent = this.ways.ask(`${command} ${at()} ${typed}`).split("\n")[0];
      show();
      return false;
    };
    body.append(
      field("Address", "0600, or a name", (typed) => {
        const digits = /^\$?([0-9A-Fa-f]{1,4})$/.exec(typed)?.[1];
        const found = digits === undefined ? this.ways.address(typed) : Number.parseInt(digits, 16);
        if (found === undefined) answer.textContent = `no such address or name: ${typed}`;
        else this.address = found;
        show();
        return false;
      }),
      text,
      field("Write bytes there", "A9 00 8D 1A D0", change("poke")),
      field("Assemble there", "LDA #$0E", change("asm")),
      answer,
    );
    return { body, show };
  }

  private basic(): Part {
    const body = make("div");
    const text = pre("BASIC: line, stack, variables");
    const answer = make("p", "", { class: "hint", role: "status" });
    const set = field("Change a variable", "SCORE 100", (typed) => {
      answer.textContent = this.ways.ask(`set ${typed}`).split("\n")[0];
      return true;
    });
    body.append(text, set, answer);
    return { body, show: () => void (text.textContent = this.ways.look("basic")) };
  }

  private command(): Part {
    const body = make("div");
    const answer = make("pre", "", { tabindex: "0", "aria-label": "What the command said", "aria-live": "polite" });
    answer.hidden = true;
    body.append(
      field("Command", "who $D01A, stores 0600, dlis, map 40, help …", (typed) => {
        answer.hidden = false;
        answer.textContent = this.ways.ask(typed);
        return false;
      }),
      answer,
    );
    return { body, show: () => {} };
  }
}
