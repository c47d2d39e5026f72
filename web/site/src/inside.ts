// Looking inside: the debugger's engine, in a second program that is loaded when this is first opened.
//
// The machine of the page is paused meanwhile, and its picture is what one points at. Its last seconds go over as a recording; when the page is
// left, the state comes back.
import type { App } from "./app.ts";
import { Emulator, type InitOutput, Inspector, engine } from "./engine.ts";
import { Cause } from "./inside/cause.ts";
import { Code, Processor } from "./inside/code.ts";
import { Interrupts } from "./inside/interrupts.ts";
import { KINDS, Overlay, type Pixel } from "./inside/overlay.ts";
import { STEPS, askedBy } from "./inside/steps.ts";
import { Tabs } from "./inside/tabs.ts";
import { momentLink, share, stateFile } from "./links.ts";
import { HEIGHT, WIDTH } from "./machine.ts";
import type { Around, Page } from "./panels.ts";
import { button, element, make, say, sentence } from "./ui.ts";

/** Frames of the past that go over. */
const BEFORE = 180;
/** Frames that are run at once on the way to a breakpoint, and at most: a minute. */
const SLICE = 4;
const MOST = 3600;
/** Frames of the running page after which both machines are compared, and how often this one may have to come over in a row. */
const CHECKED = 60;
const TRIES = 3;
/** Milliseconds between two looks at a pixel's cause: each is a frame run again. */
const LOOK = 120;
/** Milliseconds after a step until what takes long is shown. */
const REST = 60;
/** Room for the cause under the picture, instead of in the panel. */
const WIDE = "(min-width: 1000px) and (min-height: 700px)";

export async function inside(app: App, around: Around): Promise<Inside> {
  return new Inside(app, around, await engine());
}

class Inside implements Page {
  readonly body = make("div", "", { class: "page inside" });
  private readonly machine = new Emulator(48_000);
  private inspector: Inspector | null = null;
  /** The state as it was when the two machines were last the same. */
  private hash = "";
  /** The moment at which the machine came over, in the page's past and in this one's. */
  private begun = { page: 0, here: 0 };
  private isOpen = false;
  /** The page's machine has come to where this one is by itself. */
  private isOwn = true;
  /** The picture as it was last shown. */
  private pixels: Uint8ClampedArray<ArrayBuffer> | null = null;
  private readonly overlay = new Overlay();
  /** A pixel was clicked, or came by a link: its cause stays until another one is clicked, or it is again. */
  private isHeld = false;
  private looked = 0;
  private timer = 0;
  /** Runs to a breakpoint; false asks it to stop. */
  private isRunning = false;
  private program = "";
  /** Breakpoints and watches as they are stored for the program, once they were looked for. */
  private kept = "";
  /** Frames that were done here again as the page ran, and how often the machine has come over since the last comparison. */
  private shadowed = 0;
  private tries = 0;
  private isRestored = false;

  private readonly where = make("p", "", { class: "where", role: "status" });
  private readonly steps = make("div", "", { class: "steps", role: "group", "aria-label": "Steps, backwards and forwards" });
  private readonly run = button("Run to a breakpoint", () => void this.runOn(), { title: "F5" });
  private readonly map = button("Events", () => this.toggleMap(), { "aria-pressed": "false", title: "the event map of the last frame, over the picture" });
  private readonly legend = make("p", "", { class: "legend" });
  private readonly cause: Cause;
  private readonly processor: Processor;
  private readonly code: Code;
  private readonly interrupts: Interrupts;
  private readonly tabs: Tabs;
  private readonly wide = matchMedia(WIDE);
  /** The label of the canvas while the panel is closed. */
  private readonly label = element("picture").getAttribute("aria-label") ?? "";

  constructor(
    private readonly app: App,
    private readonly around: Around,
    private readonly wasm: InitOutput,
  ) {
    const ask = (command: string) => this.ask(command);
    const look = (command: string) => this.inspector?.command(this.machine, command) ?? "";
    const on = (act: (inspector: Inspector) => string) => () => (this.inspector === null ? "" : act(this.inspector));
    const change = (act: (inspector: Inspector) => void) => {
      if (this.inspector !== null) act(this.inspector);
      this.keep();
      this.show();
    };
    this.cause = new Cause({
      ask: look,
      go: (pixel, line, cycle) => this.act((i) => {
        // First into the frame in which the pixel was drawn.
        i.to_pixel(this.machine, pixel.x, pixel.y);
        return i.command(this.machine, `back beam ${line} ${cycle}`);
      }),
    });
    this.processor = new Processor(ask);
    this.code = new Code({
      toggle: (address) => change((i) => i.toggle(address)),
      toggleBasic: (line) => change((i) => i.toggle_basic(line)),
      toggleSource: (file, line) => change((i) => i.toggle_source(file, line)),
    });
    this.code.again = () => this.show();
    this.interrupts = new Interrupts((number) => void ask(`back nth ${number}`));
    this.tabs = new Tabs({
      ask,
      look,
      breakpoints: () => this.inspector?.breakpoints() ?? [],
      enable: (id, isOn) => change((i) => i.enable(id, isOn)),
      remove: (id) => change((i) => i.remove(id)),
      watches: () => this.inspector?.watches(this.machine) ?? [],
      unwatch: (number) => change((i) => i.unwatch(number)),
      address: (place) => this.inspector?.address_of(this.machine, place),
      memory: (address) => on((i) => i.memory(this.machine, address, 8))(),
      displayList: on((i) => i.display_list(this.machine)),
      chips: on((i) => i.chips(this.machine)),
      line: () => (this.overlay.pixel === null ? this.overlay.beam.line : this.overlay.pixel.y + 8),
    });
    this.build();
    this.listen();
  }

  private build(): void {
    const row = make("div", "", { class: "buttons" });
    row.append(
      button("Go on", () => {
        this.around.close();
        this.around.setPaused(false);
      }, { class: "main" }),
      this.run,
      button("Back to one", () => void this.ask("back"), { title: "Alt+F5" }),
      button("To the pixel", () => this.act((i) => {
        const { pixel } = this.overlay;
        return pixel === null ? "no pixel was pointed at" : i.to_pixel(this.machine, pixel.x, pixel.y);
      })),
      this.map,
      button("Link to this", () => {
        // Where the page's machine could not follow, only this one knows how it came to be what it is.
        const isPage = this.back();
        const link = momentLink(this.app, this.overlay.pixel ?? undefined, isPage ? undefined : this.machine);
        share(this.app, link, "This very cycle is in the link.", () => stateFile(this.app, this.machine));
      }),
    );
    this.legend.append(...KINDS.map(([name, colour]) => {
      const item = make("span", name);
      item.style.setProperty("--kind", colour);
      return item;
    }));
    this.legend.hidden = true;
    this.body.append(row, this.where, this.legend, this.steps, this.processor.body, this.code.body, this.interrupts.body, this.tabs.body);
  }

  /** The buttons of the steps, named by the debugger's own help. */
  private makeSteps(hasBasic: boolean): void {
    if (this.steps.childElementCount > 0 && this.steps.dataset.basic === String(hasBasic)) return;
    this.steps.dataset.basic = String(hasBasic);
    const all = STEPS.filter(({ basic }) => hasBasic || basic !== true);
    this.steps.replaceChildren(...all.map(({ command, label, keys }) => {
      const about = this.inspector?.about(command) ?? label;
      const pair = make("span");
      pair.append(
        button("‹", () => void this.ask(`back ${command}`), { title: `back: ${about} (Alt+${keys})`, "aria-label": `${about}, backwards` }),
        button(label, () => void this.ask(command), { title: `${about} (${keys})`, "aria-label": `${label}: ${about}, forwards` }),
      );
      return pair;
    }));
  }

  private listen(): void {
    const { canvas } = this.app.screen;
    const at = (event: PointerEvent) => (this.isOpen ? this.app.screen.pixelAt(event.clientX, event.clientY) : null);
    const same = (pixel: Pixel) => this.overlay.pixel?.x === pixel.x && this.overlay.pixel.y === pixel.y;
    let finger = -1;
    canvas.addEventListener("pointermove", (event) => {
      const found = at(event);
      if (found === null || (this.isHeld && finger < 0) || event.timeStamp - this.looked <= LOOK || same(found)) return;
      this.looked = event.timeStamp;
      this.point(found);
    });
    canvas.addEventListener("pointerdown", (event) => {
      const found = at(event);
      if (found === null) return;
      const wasHeld = this.isHeld && same(found);
      if (!same(found)) this.point(found);
      this.isHeld = !wasHeld;
      // A finger that moves keeps looking, and holds where it is lifted.
      if (event.pointerType !== "mouse") finger = event.pointerId;
    });
    for (const kind of ["pointerup", "pointercancel"] as const) {
      canvas.addEventListener(kind, (event) => {
        if (event.pointerId === finger) finger = -1;
      });
    }
    // Before the page hands keys to the Atari, which stands still.
    window.addEventListener("keydown", (event) => this.key(event), { capture: true });
    this.wide.addEventListener("change", () => this.place());
  }

  private key(event: KeyboardEvent): void {
    if (!this.isOpen) return;
    const target = event.target as HTMLElement;
    const isField = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
    if (document.querySelector("dialog[open]") !== null || (isField && !/^F\d+$/.test(event.code))) return;
    const isPicture = target === this.app.screen.canvas || target === document.body;
    const done = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (isPicture && event.code === "Escape") {
      done();
      this.around.close();
      return;
    }
    if (isPicture && this.arrow(event)) return done();
    const asked = askedBy(event);
    if (asked === null) {
      // No key reaches the Atari, but the page's commands do.
      if (isPicture && event.key.length === 1 && !event.ctrlKey && !event.altKey && !event.metaKey) done();
      return;
    }
    done();
    if (asked.command === "stop here") this.stopHere();
    else if (asked.command === "run") void (asked.back ? this.ask("back") : this.runOn());
    else this.ask(asked.back ? `back ${asked.command}` : asked.command);
  }

  /** Arrows point at the next pixel; Enter holds it. */
  private arrow(event: KeyboardEvent): boolean {
    const to = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.code];
    if (event.code === "Enter" && this.overlay.pixel !== null) this.isHeld = !this.isHeld;
    else if (to === undefined || event.altKey || event.ctrlKey) return false;
    else {
      const far = event.shiftKey ? 8 : 1;
      const { x, y } = this.overlay.pixel ?? { x: WIDTH / 2, y: HEIGHT / 2 };
      this.point({ x: Math.min(WIDTH - 1, Math.max(0, x + to[0] * far)), y: Math.min(HEIGHT - 1, Math.max(0, y + to[1] * far)) });
      this.isHeld = true;
    }
    return true;
  }

  private stopHere(): void {
    if (this.inspector === null) return;
    this.inspector.toggle(this.inspector.cpu(this.machine).pc);
    this.keep();
    this.show();
  }

  /** Does a command that may move or change the machine; its first lines say where that has led. */
  private ask(command: string): string {
    let text = "";
    this.act((i) => (text = i.command(this.machine, command)));
    return text;
  }

  private act(what: (inspector: Inspector) => string): void {
    if (this.inspector === null || this.isRunning) return;
    try {
      this.where.textContent = what(this.inspector).split("\n").slice(0, 3).join("\n");
    } catch (error) {
      say(sentence(error));
    }
    this.keep();
    this.show();
  }

  /** Runs until a breakpoint comes, by slices, and shows the picture meanwhile. */
  private async runOn(): Promise<void> {
    const { inspector } = this;
    if (this.isRunning || inspector === null) {
      this.isRunning = false;
      return;
    }
    this.isRunning = true;
    this.run.textContent = "Stop";
    let stopped: string | undefined;
    let frames = 0;
    for (; frames < MOST && this.isRunning && this.isOpen && stopped === undefined; frames += SLICE) {
      stopped = inspector.run(this.machine, SLICE);
      this.picture();
      this.where.textContent = `${frames + SLICE} frames have run`;
      await new Promise((done) => requestAnimationFrame(done));
    }
    this.isRunning = false;
    this.run.textContent = "Run to a breakpoint";
    this.where.textContent = stopped ?? `no breakpoint in ${frames} frames\n${inspector.command(this.machine, "where")}`;
    if (this.isOpen) this.show();
  }

  private toggleMap(): void {
    const isOn = this.map.getAttribute("aria-pressed") !== "true";
    this.map.setAttribute("aria-pressed", String(isOn));
    this.legend.hidden = !isOn;
    this.showLate();
  }

  private point(pixel: Pixel): void {
    const { overlay, inspector } = this;
    overlay.pixel = pixel;
    if (inspector === null) return;
    const event = overlay.near(pixel);
    const about = event === null ? undefined : inspector.event(event);
    this.cause.show(pixel, inspector.why(this.machine, pixel.x, pixel.y), about ?? null);
    this.app.screen.enlarge();
    this.tabs.show();
  }

  private picture(): void {
    const { inspector, machine } = this;
    if (inspector === null) return;
    const at = inspector.picture_rgba(machine);
    this.pixels = new Uint8ClampedArray(new Uint8ClampedArray(this.wasm.memory.buffer as ArrayBuffer, at, WIDTH * HEIGHT * 4));
    this.overlay.beam = inspector.beam(machine);
    this.app.screen.show(this.pixels);
  }

  private show(): void {
    const { inspector, machine } = this;
    if (inspector === null || !this.isOpen) return;
    this.picture();
    const basic = inspector.basic(machine);
    const hasBasic = basic.length > 0;
    this.makeSteps(hasBasic);
    this.processor.show(inspector.cpu(machine));
    const source = inspector.source(machine);
    if (this.code.isLines && source.length > 0) this.code.showSource(source);
    else if (this.code.isLines && hasBasic) this.code.showBasic(basic);
    else this.code.showCode(inspector.code(machine, 5, 14), source.length > 0 ? "Source lines" : hasBasic ? "BASIC lines" : "");
    this.tabs.show();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.showLate(), REST);
  }

  /** Shows the parts for which a frame is run again. */
  private showLate(): void {
    const { inspector, machine, overlay } = this;
    if (inspector === null || !this.isOpen) return;
    this.interrupts.show(inspector.interrupts(machine), overlay.beam.line);
    overlay.events = this.map.getAttribute("aria-pressed") === "true" ? inspector.events(machine) : new Int16Array();
    this.app.screen.enlarge();
  }

  /** Breakpoints and watches stay with the program in this browser. */
  private keep(): void {
    if (!this.isRestored) return;
    const now = this.inspector?.settings() ?? "";
    if (now === this.kept) return;
    this.kept = now;
    void this.app.store.put("settings", { key: `inside ${this.program}`, value: now }).catch(() => {});
  }

  /** Sets again what was set before for the program. */
  private async restore(): Promise<void> {
    const { inspector } = this;
    const { program } = this.app;
    if (program !== this.program) {
      this.isRestored = false;
      const kept = await this.app.store.get("settings", `inside ${program}`).catch(() => undefined);
      if (this.inspector !== inspector) return;
      this.program = program;
      this.kept = kept?.value ?? "";
    }
    this.isRestored = true;
    if (this.kept === "" || inspector === null) return;
    inspector.restore(this.machine, this.kept);
    this.show();
  }

  /**
   * The page's machine becomes what this one is now, if it has moved: it goes to the same moment of its own past or future, and what was changed
   * here is changed there. True when it comes to the same state in this way; else it takes the state.
   */
  private back(): boolean {
    if (this.inspector === null) return true;
    const { app, machine } = this;
    const now = machine.state_hash();
    if (now !== this.hash) {
      this.hash = now;
      this.isOwn = app.emulator.follow(this.begun.page, machine.way_since(this.begun.here)) && app.emulator.state_hash() === now;
      if (!this.isOwn) app.returnTo(machine.save_state());
      // The picture as it stands here: the page shows it until it draws its own.
      if (this.pixels !== null) app.screen.show(this.pixels);
    }
    return this.isOwn;
  }

  closed(): void {
    this.isOpen = false;
    this.isRunning = false;
    clearTimeout(this.timer);
    document.body.classList.remove("looking");
    this.cause.body.remove();
    const { screen } = this.app;
    screen.decorate = null;
    screen.canvas.setAttribute("aria-label", this.label);
    this.back();
    this.watchPage();
    screen.enlarge();
    if (this.around.held) this.around.setPaused(false);
  }

  /** The page's own running stops at the breakpoints, too: by itself at plain ones, else this machine does each of its frames again. */
  private watchPage(): void {
    const { app, inspector } = this;
    if (inspector === null) return;
    const isShadow = inspector.needs_shadow();
    const none = new Uint16Array();
    app.emulator.set_stops(isShadow ? none : inspector.stops(), isShadow ? none : inspector.write_stops());
    this.tries = 0;
    if (isShadow && this.begin()) app.loop.after = () => this.shadow();
  }

  /** Does the page's last frame here; at a breakpoint the page pauses, and opens this panel. */
  private shadow(): void {
    const { app, machine } = this;
    try {
      const stopped = this.inspector?.shadow(machine, app.emulator.take_events());
      if (stopped !== undefined) {
        app.loop.after = () => {};
        this.hash = app.emulator.state_hash();
        this.where.textContent = stopped;
        app.stopped(app.emulator.pc());
        return;
      }
      this.begun = { page: app.emulator.moment(), here: machine.moment() };
      if (++this.shadowed % CHECKED !== 0) return;
      if (machine.state_hash() !== app.emulator.state_hash()) throw new Error();
      this.tries = 0;
    } catch {
      // A state was loaded, or the page went back: the machine comes over again.
      if (this.tries++ < TRIES && this.begin()) return;
      app.loop.after = () => {};
      say("Breakpoints with conditions, at lines, reads or the beam now stop in Inside only.");
    }
  }

  /** The machine comes over with the breakpoints that are set. */
  private begin(): boolean {
    try {
      this.bring(this.app.emulator.state_hash());
      this.inspector?.restore(this.machine, this.kept);
      return true;
    } catch {
      return false;
    }
  }

  /** The page's machine comes over with its last seconds; its state has this hash. */
  private bring(now: string): void {
    const { app, machine } = this;
    machine.open_moment(app.emulator.save_moment(BEFORE), now);
    this.inspector?.free();
    this.inspector = new Inspector(machine);
    this.hash = now;
    this.isOwn = true;
    this.begun = { page: app.emulator.moment(), here: machine.moment() };
    app.emulator.take_events();
    const { loaded } = app;
    if (loaded.kind === "source") this.inspector.add_sources(loaded.files.map(([name]) => name), loaded.files.map(([, text]) => text));
  }

  /** The cause stands under the picture where there is room, else above all else in the panel. */
  private place(): void {
    if (!this.isOpen) return;
    if (this.wide.matches) element("room").after(this.cause.body);
    else this.body.prepend(this.cause.body);
  }

  refresh(): void {
    this.isOpen = true;
    this.app.loop.after = () => {};
    document.body.classList.add("looking");
    this.place();
    const { app, machine } = this;
    app.screen.decorate = (pen, times) => this.overlay.draw(pen, times);
    app.screen.canvas.setAttribute("aria-label", "The picture as the beam has drawn it. Arrows point at a pixel, Enter holds it.");
    if (!app.loop.paused) {
      this.around.setPaused(true);
      this.around.held = true;
    }
    const now = app.emulator.state_hash();
    if (this.inspector !== null && now === this.hash) return this.show();
    try {
      this.bring(now);
      this.where.textContent = `The machine stands still.\n${this.inspector?.command(machine, "where") ?? ""}`;
      const { loaded } = app;
      if (this.program !== app.program) this.code.isLines = loaded.kind === "listing" || loaded.kind === "source";
      this.show();
      void this.restore();
      if (this.overlay.pixel !== null) this.point(this.overlay.pixel);
    } catch (error) {
      this.where.textContent = sentence(error);
    }
  }

  /** Shows a pixel's cause, held. */
  pixel(x: number, y: number): void {
    this.refresh();
    this.point({ x, y });
    this.isHeld = true;
  }
}
