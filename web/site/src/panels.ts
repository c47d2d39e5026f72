// The panel beside the screen, and which of its pages is open.
import type { App } from "./app.ts";
import { button, download, element, make, say, sentence, styles } from "./ui.ts";

export type PageName = "games" | "files" | "drives" | "saves" | "program" | "lessons" | "inside" | "options" | "help";

const TITLES: Record<PageName, string> = {
  games: "Games",
  files: "Files",
  drives: "Drives, tape",
  saves: "Saves and the past",
  program: "Program",
  lessons: "Lessons",
  inside: "Look inside",
  options: "Options",
  help: "Keys and help",
};

/** The button of a page: lessons are opened from beside the program. */
const keyOf = (name: PageName): HTMLElement => element(`open-${name === "lessons" ? "program" : name}`);

/** A page of the panel. */
export interface Page {
  body: HTMLElement;
  /** When something has changed that it may show. */
  refresh?: () => void;
  closed?: () => void;
}

/** The functions of the panel for its pages. */
export interface Around {
  close: () => void;
  setPaused: (paused: boolean) => void;
  /** The machine was paused by a page of the panel, which lets it run again when it is left. */
  held: boolean;
  open: (name: PageName) => void;
}

export class Panels implements Around {
  setPaused: (paused: boolean) => void = () => {};
  held = false;
  private readonly panel = element("panel");
  private readonly made = new Map<PageName, Page>();
  /** Pages that are being made: asked for twice, a page is made once. */
  private readonly making = new Map<PageName, Promise<Page>>();
  private now: PageName | null = null;

  constructor(private readonly app: App) {
    for (const name of Object.keys(TITLES) as PageName[]) {
      if (name !== "lessons") keyOf(name).addEventListener("click", () => this.toggle(name));
    }
    this.panel.addEventListener("keydown", (event) => {
      if (event.code !== "Escape") return;
      event.preventDefault();
      this.close();
    });
    const refresh = () => {
      if (this.now !== null) this.made.get(this.now)?.refresh?.();
    };
    app.changed = refresh;
    app.stored = refresh;
  }

  toggle(name: PageName): void {
    if (this.now === name) this.close();
    else this.open(name);
  }

  close(): void {
    const { now } = this;
    if (now === null) return;
    this.now = null;
    this.panel.hidden = true;
    document.body.classList.remove("with-panel");
    keyOf(now).setAttribute("aria-expanded", "false");
    this.made.get(now)?.closed?.();
    this.app.focus();
  }

  open(name: PageName): void {
    if (this.now !== null) {
      const before = this.now;
      this.now = null;
      keyOf(before).setAttribute("aria-expanded", "false");
      this.made.get(before)?.closed?.();
    }
    this.now = name;
    keyOf(name).setAttribute("aria-expanded", "true");
    const title = make("h2", TITLES[name], { tabindex: "-1" });
    const head = make("div", "", { class: "head" });
    head.append(title, button("Close", () => this.close()));
    this.panel.setAttribute("aria-label", TITLES[name]);
    this.panel.replaceChildren(head);
    this.panel.hidden = false;
    document.body.classList.add("with-panel");
    Promise.all([this.page(name), styles()])
      .then(([page]) => {
        if (this.now !== name) return;
        this.panel.replaceChildren(head, page.body);
        page.refresh?.();
        title.focus();
      })
      .catch((error) => say(`This part of the page was not loaded: ${sentence(error)}`));
  }

  private page(name: PageName): Promise<Page> {
    let page = this.making.get(name);
    if (page === undefined) {
      page = this.make(name).then((page) => {
        this.made.set(name, page);
        return page;
      });
      // A page that was not loaded is tried again.
      page.catch(() => this.making.delete(name));
      this.making.set(name, page);
    }
    return page;
  }

  /** A page of the panel, which is loaded when it is first opened. */
  loaded(name: PageName): Promise<Page> {
    return this.page(name);
  }

  private async make(name: PageName): Promise<Page> {
    const { app } = this;
    switch (name) {
      case "games":
        return (await import("./panels/games.ts")).games(app, this);
      case "files":
        return (await import("./panels/files.ts")).files(app, this);
      case "drives":
        return (await import("./panels/drives.ts")).drives(app);
      case "saves":
        return (await import("./panels/saves.ts")).saves(app, this);
      case "program":
        return (await import("./panels/program.ts")).program(app, this);
      case "lessons":
        return new (await import("./panels/lessons.ts")).Lessons(app, this);
      case "options":
        return (await import("./panels/options.ts")).options(app);
      case "help":
        return (await import("./panels/help.ts")).help();
      case "inside":
        return (await import("./inside.ts")).inside(app, this);
    }
  }

  async screenshot(): Promise<void> {
    try {
      download(`${this.app.emulator.title() || "basic"}.png`, await this.app.screen.png());
    } catch (error) {
      say(sentence(error));
    }
  }
}
