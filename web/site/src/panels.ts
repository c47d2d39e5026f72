// The panel beside the screen, and which of its pages is open.
import type { App } from "./app.ts";
import { files } from "./panels/files.ts";
import { games } from "./panels/games.ts";
import { help } from "./panels/help.ts";
import { options } from "./panels/options.ts";
import { program } from "./panels/program.ts";
import { saves } from "./panels/saves.ts";
import { button, download, element, make, say, sentence } from "./ui.ts";

export type PageName = "games" | "files" | "drives" | "saves" | "program" | "inside" | "options" | "help";

const TITLES: Record<PageName, string> = {
  games: "Games",
  files: "Files",
  drives: "Drives, tape",
  saves: "Saves and the past",
  program: "Program in BASIC",
  inside: "Look inside",
  options: "Options",
  help: "Keys and help",
};

/** A page of the panel. */
export interface Page {
  body: HTMLElement;
  /** When something has changed that it may show. */
  refresh?: () => void;
  closed?: () => void;
}

/** What pages may do with the panel. */
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
      element(`open-${name}`).addEventListener("click", () => this.toggle(name));
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
    element(`open-${now}`).setAttribute("aria-expanded", "false");
    this.made.get(now)?.closed?.();
    this.app.focus();
  }

  open(name: PageName): void {
    if (this.now !== null) {
      const before = this.now;
      this.now = null;
      element(`open-${before}`).setAttribute("aria-expanded", "false");
      this.made.get(before)?.closed?.();
    }
    this.now = name;
    element(`open-${name}`).setAttribute("aria-expanded", "true");
    const title = make("h2", TITLES[name], { tabindex: "-1" });
    const head = make("div", "", { class: "head" });
    head.append(title, button("Close", () => this.close()));
    this.panel.setAttribute("aria-label", TITLES[name]);
    this.panel.replaceChildren(head);
    this.panel.hidden = false;
    document.body.classList.add("with-panel");
    this.page(name)
      .then((page) => {
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
      // What was not loaded is tried again.
      page.catch(() => this.making.delete(name));
      this.making.set(name, page);
    }
    return page;
  }

  /** The page that looks inside, which is loaded when it is first opened. */
  async inside(): Promise<Page> {
    return this.page("inside");
  }

  private async make(name: PageName): Promise<Page> {
    const { app } = this;
    switch (name) {
      case "games":
        return games(app, this);
      case "files":
        return files(app, this);
      case "drives":
        return (await import("./panels/drives.ts")).drives(app);
      case "saves":
        return saves(app, this);
      case "program":
        return program(app, this);
      case "options":
        return options(app);
      case "help":
        return help();
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
