// Projects: programs of several files, each with its history. The first file is run; the others are on H: then.
import type { App } from "../app.ts";
import { MAIN as MAIN_SOURCE, isSource } from "../assembly.ts";
import { OWN } from "../store.ts";
import { button, bytesOf, choose, download, encoded, make, say, sentence, when } from "../ui.ts";

/** Begins the keys of projects' files: then the project's name, a slash, the file's name. */
const PROJECT = "project/";
/** The file that is run, in a project in BASIC. */
const MAIN = "MAIN.BAS";
/** The first source of a project in assembly. */
const FIRST_SOURCE = `; Colour of a line: its number + clock
clock = $14

start:  lda VCOUNT
        clc
        adc clock
        sta WSYNC
        sta COLBK
        jmp start
`;
/** Files of a project. */
const FILES = 50;
/** Names that files of H: have. */
const NAME = /^[A-Z][A-Z0-9]{0,7}(\.[A-Z0-9]{1,3})?$/;

/** The functions of the editor for its projects. */
interface Editor {
  /** Shows a listing by its key. */
  show: (key: string) => Promise<void>;
  /** Stores what is shown. */
  keep: () => void;
  /** Takes a text in place of the one that is shown, which stays in the history. */
  replace: (text: string) => void;
}

/** The file of a project that is run: a program in BASIC, or the one that is assembled. */
export const mainOf = (names: string[]): string => (names.includes(MAIN) || !names.includes(MAIN_SOURCE) ? MAIN : MAIN_SOURCE);

export const keyOf = (project: string, file: string): string => `${PROJECT}${project}/${file}`;

/** The project and the file of a listing's key; null for a listing that is in no project. */
export function placeOf(key: string): { project: string; file: string } | null {
  if (!key.startsWith(PROJECT)) return null;
  const [project, file] = key.slice(PROJECT.length).split("/");
  return { project, file };
}

/** A name of a project: short, without what separates keys. */
const cleaned = (name: string): string => name.replaceAll(/[/\u0000-\u001f]/g, " ").trim().slice(0, 40);

/** Asks for a name in the line above the picture. */
function ask(question: string, label: string, before: string, act: (name: string) => void): void {
  const field = make("input", "", { type: "text", "aria-label": question, class: "link", spellcheck: "false", autocomplete: "off" });
  field.value = before;
  const done = () => {
    if (field.value.trim() !== "") act(field.value.trim());
  };
  say(question, [[label, done]], field);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    (field.nextElementSibling as HTMLElement | null)?.click();
  });
  field.select();
}

export class Projects {
  readonly body = make("div", "", { class: "projects" });
  private readonly select = make("select", "", { "aria-label": "Project" });
  private readonly files = make("div", "", { class: "buttons files", role: "group", "aria-label": "Files of the project" });
  private readonly versions = make("ul", "", { class: "lines", "aria-label": "Earlier versions of this file" });
  private readonly past = button("History", () => {
    this.versions.hidden = !this.versions.hidden;
    this.past.setAttribute("aria-pressed", String(!this.versions.hidden));
    void this.showPast();
  }, { "aria-pressed": "false" });
  /** The key of the listing that is shown. */
  private key = OWN;

  constructor(
    private readonly app: App,
    private readonly editor: Editor,
  ) {
    this.versions.hidden = true;
    const row = make("div", "", { class: "buttons" });
    row.append(
      this.select,
      button("New project", () => ask("Name of the project", "Make it", "", (name) => void this.make(cleaned(name), MAIN))),
      button("New in assembly", () => ask("Name of the project", "Make it", "", (name) => void this.make(cleaned(name), MAIN_SOURCE))),
      button("Import ZIP…", () => void this.take().catch((error) => say(sentence(error)))),
      this.past,
    );
    this.select.addEventListener("change", () => void this.showMain(this.select.value));
    this.body.append(row, this.files, this.versions);
  }

  /** The files of a project and of all of them: keys of listings. */
  private async keys(project = ""): Promise<string[]> {
    const all = await this.app.store.all("listings");
    return all.map(({ key }) => key).filter((key) => key.startsWith(project === "" ? PROJECT : `${PROJECT}${project}/`)).sort();
  }

  /** The names of a project's files. */
  private async names(project: string): Promise<string[]> {
    return (await this.keys(project)).map((one) => placeOf(one)?.file ?? "");
  }

  /** Shows the main file of a project, or the user's own listing. */
  private async showMain(project: string): Promise<void> {
    await this.editor.show(project === "" ? OWN : keyOf(project, mainOf(await this.names(project))));
  }

  /** The listing with this key is shown. */
  async shown(key: string): Promise<void> {
    this.key = key;
    const place = placeOf(key);
    const names = [...new Set((await this.keys()).map((one) => placeOf(one)?.project ?? ""))];
    if (place !== null && !names.includes(place.project)) names.push(place.project);
    if (key !== this.key) return;
    this.select.replaceChildren(...["", ...names].map((name) => make("option", name === "" ? "My listing" : name, { value: name })));
    this.select.value = place?.project ?? "";
    await this.showFiles();
    await this.showPast();
  }

  private async showFiles(): Promise<void> {
    const place = placeOf(this.key);
    if (place === null) return this.files.replaceChildren();
    const { project, file } = place;
    const all = await this.names(project);
    const main = mainOf(all);
    const sorted = [main, ...all.filter((one) => one !== main)];
    this.files.replaceChildren(
      ...sorted.map((one) => button(one, () => void this.editor.show(keyOf(project, one)), { "aria-pressed": String(one === file) })),
      button("+ File", () => ask("Name of the file, as on H:", "Make it", isSource(main) ? "PART.S" : "PART.LST", (name) => void this.add(project, name.toUpperCase()))),
      ...(file === main ? [] : [
        button("Rename", () => ask("New name of the file", "Rename it", file, (name) => void this.rename(project, file, name.toUpperCase()))),
        button("Delete file", () => void this.remove([this.key], keyOf(project, main))),
      ]),
      button("Export ZIP", () => void this.give(project).catch((error) => say(sentence(error)))),
      button("Delete project", () => say(`Delete the project ${project}? Its files stay under Files, Earlier versions.`, [["Delete it", () => {
        void this.keys(project).then((keys) => this.remove(keys, OWN));
      }]])),
    );
  }

  /** The earlier versions of the file that is shown. */
  private async showPast(): Promise<void> {
    if (this.versions.hidden) return;
    const { store } = this.app;
    const past = store.past().filter(({ kind, key }) => kind === "listings" && key === this.key).slice(0, 30);
    const items = await Promise.all(past.map(async ({ id, time }) => {
      const value = (await store.version(id)) as { text?: string } | null;
      if (value?.text === undefined) return null;
      const { text } = value;
      const item = make("li");
      item.append(make("span", `${when(time)} · ${text.split("\n").length - 1} lines`), button("Bring back", () => {
        this.editor.replace(text);
        void this.showPast();
      }, { "aria-label": `Bring back the version of ${when(time)}` }));
      return item;
    }));
    const found = items.filter((item) => item !== null);
    this.versions.replaceChildren(...(found.length > 0 ? found : [make("li", "There is no earlier version yet.")]));
  }

  private async make(project: string, main: string): Promise<void> {
    if (project === "") return;
    if ((await this.keys(project)).length > 0) return say(`There is a project ${project} already.`);
    await this.put(project, main, main === MAIN ? `10 REM ${project.toUpperCase()}\n` : FIRST_SOURCE);
    await this.editor.show(keyOf(project, main));
  }

  /** A new project with a source that came by a link. */
  async keepSource(text: string): Promise<void> {
    const project = await this.free("From a link");
    await this.put(project, MAIN_SOURCE, text);
    await this.editor.show(keyOf(project, MAIN_SOURCE));
  }

  /** A name that no project has yet: this one, or with a number. */
  private async free(wanted: string): Promise<string> {
    let name = wanted;
    for (let n = 2; (await this.keys(name)).length > 0; n++) name = `${wanted} ${n}`;
    return name;
  }

  private put(project: string, file: string, text: string): Promise<void> {
    return this.app.store.put("listings", { key: keyOf(project, file), time: Date.now(), text });
  }

  private async add(project: string, file: string): Promise<void> {
    const files = await this.keys(project);
    if (!NAME.test(file)) return say(`${file.slice(0, 40)} is not a name for a file: it has up to eight letters and digits, a point, and up to three more`);
    if (files.includes(keyOf(project, file))) return say(`There is a file ${file} already.`);
    if (files.length >= FILES) return say(`A project has at most ${FILES} files.`);
    await this.put(project, file, "");
    await this.editor.show(keyOf(project, file));
  }

  private async rename(project: string, from: string, to: string): Promise<void> {
    this.editor.keep();
    const { text = "" } = (await this.app.store.get("listings", keyOf(project, from))) ?? {};
    await this.add(project, to);
    if (placeOf(this.key)?.file !== to) return;
    this.editor.replace(text);
    await this.remove([keyOf(project, from)], keyOf(project, to));
  }

  private async remove(keys: string[], then: string): Promise<void> {
    this.editor.keep();
    await this.editor.show(then);
    for (const key of keys) await this.app.store.remove("listings", key);
    await this.shown(then);
  }

  /** The files of a project, and their texts. */
  async texts(project: string): Promise<{ name: string; text: string }[]> {
    const found = await Promise.all((await this.keys(project)).map((key) => this.app.store.get("listings", key)));
    return found.filter((one) => one !== undefined).map(({ key, text }) => ({ name: placeOf(key)?.file ?? "", text }));
  }

  private async give(project: string): Promise<void> {
    this.editor.keep();
    const { zip } = await import("../archive.ts");
    const files = (await this.texts(project)).map(({ name, text }) => ({ name, bytes: encoded(text) }));
    download(`${project}.zip`, zip(files, new Date()));
  }

  /** A project out of a ZIP file with texts; one that has the name already is not replaced. */
  private async take(): Promise<void> {
    const file = await choose(".zip");
    if (file === null) return;
    const { texts } = await import("../archive.ts");
    const found = await texts(await bytesOf(file));
    const files = found.map(({ name, text }) => ({ name: name.toUpperCase(), text: text.replaceAll("\r\n", "\n") }));
    const wrong = files.find(({ name }) => !NAME.test(name));
    if (files.length === 0) throw new Error(`${file.name.slice(0, 60)} has no texts in it`);
    if (files.length > FILES) throw new Error(`${file.name.slice(0, 60)} has more than ${FILES} files`);
    if (wrong !== undefined) throw new Error(`${wrong.name.slice(0, 40)} is not a name for a file of the Atari: up to eight letters and digits, a point, and up to three more`);
    const named = (wanted: string) => files.find(({ name }) => name === wanted);
    const main = named(MAIN) ?? named(MAIN_SOURCE) ?? files.find(({ text }) => /^\s*\d+ /.test(text)) ?? files.find((one) => isSource(one.name));
    if (main === undefined) throw new Error(`${file.name.slice(0, 60)} has no program: no file ${MAIN} or ${MAIN_SOURCE}, no listing in BASIC, and no source`);
    main.name = isSource(main.name) ? MAIN_SOURCE : MAIN;
    const name = await this.free(cleaned(file.name.replace(/\.zip$/i, "")) || "Project");
    for (const one of files) await this.put(name, one.name, one.text);
    await this.showMain(name);
    say(`${files.length} files are in the project ${name}.`);
  }
}
