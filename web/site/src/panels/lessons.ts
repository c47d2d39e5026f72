// Lessons: a list, and one at a time with its steps: a text, a listing that is run and checked, a solution. Progress is kept.
import { type App, hashOf } from "../app.ts";
import { elements } from "../lessons/markdown.ts";
import { LONGEST, type Lesson, type Step, read } from "../lessons/lesson.ts";
import { hosted, lessonLink, share } from "../links.ts";
import { Emulator } from "../machine.ts";
import type { Around, Page } from "../panels.ts";
import { button, bytesOf, choose, encoded, make, say, sentence } from "../ui.ts";

/** The progress of a learner: the step that is shown, and of each step its listing and whether its checks were met. */
interface Progress {
  at: number;
  steps: { text: string; isDone: boolean }[];
}

/** A lesson of ours, as the page's build lists them. */
interface Listed {
  name: string;
  title: string;
  steps: number;
}

/** A lesson that is open. */
interface Open {
  /** Its name, its address on this host, or a hash of its text. */
  key: string;
  lesson: Lesson;
  progress: Progress;
  /** The address of a lesson of others, whose programs run as guests; null for ours. */
  source: string | null;
}

const isOurs = (key: string): boolean => /^[a-z-]+$/.test(key);

async function fetched(address: string): Promise<string> {
  return new TextDecoder().decode((await hosted(address, "lesson", LONGEST)).bytes);
}

export class Lessons implements Page {
  readonly body = make("div", "", { class: "page lessons" });
  private now: Open | null = null;

  constructor(
    private readonly app: App,
    private readonly around: Around,
  ) {
    void this.list();
  }

  /** Opens a lesson: one of ours by its name, or a file on the page's host by its address. */
  async lesson(key: string): Promise<void> {
    const source = await fetched(isOurs(key) ? `lesson-${key}.md` : key);
    await this.open(key, source, !isOurs(key));
  }

  private async open(key: string, source: string, isGuest: boolean): Promise<void> {
    const lesson = read(source);
    const kept = await this.kept(key);
    const steps = lesson.steps.map(({ listing }, n) => kept?.steps[n] ?? { text: listing, isDone: false });
    const at = Math.min(kept?.at ?? 0, steps.length - 1);
    this.now = { key, lesson, progress: { at, steps }, source: isGuest ? source : null };
    this.step();
  }

  private async kept(key: string): Promise<Progress | null> {
    const kept = await this.app.store.get("settings", `lesson ${key}`).catch(() => undefined);
    try {
      return kept === undefined ? null : (JSON.parse(kept.value) as Progress);
    } catch {
      return null;
    }
  }

  private keep(): void {
    if (this.now === null) return;
    const { key, progress } = this.now;
    void this.app.store.put("settings", { key: `lesson ${key}`, value: JSON.stringify(progress) }).catch((error) => say(`The browser did not store it: ${sentence(error)}`));
  }

  /** The list of lessons, and how far one is. */
  private async list(): Promise<void> {
    const listed = JSON.parse(await fetched("lessons.json")) as Listed[];
    const items = await Promise.all(listed.map(async ({ name, title, steps }) => {
      const done = (await this.kept(name))?.steps.filter(({ isDone }) => isDone).length ?? 0;
      const item = make("li");
      const key = button(title, () => void this.lesson(name).catch((error) => say(sentence(error))));
      key.append(make("small", done === steps ? "done" : `${done} of ${steps} steps done`));
      item.append(key);
      return item;
    }));
    // A lesson may have been opened meanwhile, by a link.
    if (this.now !== null) return;
    const list = make("ul", "", { class: "games" });
    list.append(...items);
    const other = button("Open a lesson from a file…", () => {
      void choose(".md").then(async (file) => {
        if (file === null) return;
        const bytes = await bytesOf(file);
        await this.open(await hashOf(bytes), new TextDecoder().decode(bytes), true);
      }).catch((error) => say(sentence(error)));
    });
    this.body.replaceChildren(make("p", "Each step has a program that you change, and a check that runs it."), list, other);
  }

  private step(): void {
    const { now } = this;
    if (now === null) return;
    const { lesson, progress } = now;
    const step = lesson.steps[progress.at];
    const own = progress.steps[progress.at];
    const go = (at: number) => () => {
      progress.at = at;
      this.keep();
      this.step();
    };
    const bar = make("div", "", { class: "buttons" });
    const back = button("‹ Back", go(progress.at - 1));
    const next = button("Next ›", go(progress.at + 1));
    back.disabled = progress.at === 0;
    next.disabled = progress.at === lesson.steps.length - 1;
    bar.append(back, make("span", `Step ${progress.at + 1} of ${lesson.steps.length}${own.isDone ? ", done" : ""}`), next);
    bar.append(button("All lessons", () => {
      this.now = null;
      void this.list().catch((error) => say(sentence(error)));
    }));
    if (now.source === null) bar.append(button("Copy a link", () => share(this.app, Promise.resolve(lessonLink(now.key)), "The link opens this lesson.")));
    const head: HTMLElement[] = progress.at === 0 ? elements(lesson.about) : [];
    const title = make("h3", `${lesson.title}: ${step.title}`, { tabindex: "-1" });
    this.body.replaceChildren(title, ...head, ...elements(step.text), ...this.work(now, step, own), bar);
    this.body.scrollIntoView({ block: "start" });
  }

  /** The listing of a step, and what is done with it. */
  private work(now: Open, step: Step, own: { text: string; isDone: boolean }): HTMLElement[] {
    if (step.listing === "") return [];
    const id = "lesson-listing";
    const text = make("textarea", "", { id, spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", rows: String(Math.max(6, own.text.split("\n").length + 2)) });
    text.value = own.text;
    text.addEventListener("input", () => {
      own.text = text.value;
    });
    text.addEventListener("change", () => this.keep());
    text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void this.run(now, own.text);
    });
    const results = make("ul", "", { class: "results", "aria-label": "What the check found", role: "status" });
    const solution = button("Show a solution", () => {
      text.value = own.text = step.solution;
      this.keep();
    });
    solution.hidden = step.solution === "" || !own.isDone;
    const test = button("Check", () => {
      test.disabled = true;
      results.replaceChildren(make("li", "The machine runs it…"));
      void this.check(step, own.text).then((found) => {
        results.replaceChildren(...found.map(({ isGood, text }) => make("li", `${isGood ? "✓" : "✗"} ${text}`, { class: isGood ? "good" : "bad" })));
        const isDone = found.every(({ isGood }) => isGood);
        solution.hidden = step.solution === "";
        if (isDone) results.append(make("li", now.progress.steps.every((one) => one === own || one.isDone) ? "Done; and with it the lesson." : "Done.", { class: "good" }));
        own.isDone ||= isDone;
        this.keep();
      }).catch((error) => results.replaceChildren(make("li", `✗ ${sentence(error)}`, { class: "bad" }))).finally(() => {
        test.disabled = false;
      });
    }, { class: "main" });
    const bar = make("div", "", { class: "buttons" });
    bar.append(button("Run", () => void this.run(now, own.text), { title: "Ctrl+Enter" }));
    if (step.checks.length > 0) bar.append(test);
    bar.append(button("Begin again", () => {
      text.value = own.text = step.listing;
      this.keep();
    }), solution);
    return [make("label", "Program", { for: id, class: "unseen" }), text, bar, results];
  }

  /** The lines of the listing that are not BASIC; else what the step's checks find. */
  private async check(step: Step, text: string): Promise<{ isGood: boolean; text: string }[]> {
    const wrong = Emulator.check_listing(text);
    if (wrong.length > 0) return wrong.slice(0, 5).map(({ line, column, wanted }) => ({ isGood: false, text: `Row ${line}, column ${column}: expected ${wanted}` }));
    return (await import("../lessons/check.ts")).run(text, step.checks, "");
  }

  private async run(now: Open, text: string): Promise<void> {
    try {
      const guest = now.source === null ? undefined : await this.app.guest(encoded(now.source));
      this.app.openListing(text, guest);
      this.around.setPaused(false);
      this.app.focus();
    } catch (error) {
      say(sentence(error));
    }
  }

  closed(): void {
    this.keep();
  }
}
