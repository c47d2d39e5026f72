// An editor for BASIC and assembly: the user's own listing, the files of a project, or what a link has brought.
import { type App, type Guest, PROJECT, type Source, isGuest } from "../app.ts";
import { MAIN as MAIN_SOURCE, Unassembled, assembled, isSource, joined } from "../assembly.ts";
import { linkToListing, linkToSource, share } from "../links.ts";
import { Emulator, to_atascii } from "../machine.ts";
import type { Around, Page } from "../panels.ts";
import { aids, askNumbers } from "./aids.ts";
import { Projects, keyOf, mainOf, placeOf } from "./projects.ts";
import { OWN } from "../store.ts";
import { button, download, make, say, sentence } from "../ui.ts";

const FIRST = `10 REM A NIGHT SKY
20 GRAPHICS 7+16:SETCOLOR 0,0,14
30 FOR I=1 TO 200
40 COLOR 1+INT(RND(0)*3)
50 PLOT RND(0)*159,RND(0)*95
60 NEXT I
70 GOTO 30
`;
/** Milliseconds after a key until the listing is stored. */
const REST = 300;

export function program(app: App, around: Around): Page {
  const body = make("div", "", { class: "page editor" });
  const text = make("textarea", "", { id: "listing", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off" });
  const marks = make("ul", "", { class: "errors", id: "errors" });
  text.setAttribute("aria-describedby", "errors");
  text.value = FIRST;
  /** The owner of this listing: the user, or a link by its key. Each is stored for itself. */
  let key = OWN;
  /** The text as it is in the store. */
  let stored = FIRST;
  /** A link's listing as the link has it. */
  let original = "";
  let timer = 0;
  /** The text is a source of the assembler. */
  let isAssembly = false;

  const place = (line: number, column: number) => {
    const lines = text.value.split("\n");
    const at = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
    text.focus();
    text.setSelectionRange(at, at + 1);
    text.scrollTop = (line - 3) * (text.scrollHeight / Math.max(1, lines.length));
  };
  const isListing = () => !isAssembly && /^$|\.(BAS|LST)$/.test(placeOf(key)?.file ?? "");
  const check = (): boolean => {
    const errors = isListing() ? Emulator.check_listing(text.value) : [];
    marks.replaceChildren(
      ...errors.slice(0, 20).map(({ line, column, wanted }) => {
        const number = /^\s*(\d+)/.exec(text.value.split("\n")[line - 1] ?? "")?.[1];
        const where = number === undefined ? `Row ${line}` : `Line ${number}`;
        const item = make("li");
        const named = /^\W+$/.test(wanted) ? `"${wanted}"` : wanted;
        item.append(button(`${where}, column ${column}: expected ${named}`, () => place(line, column)));
        return item;
      }),
    );
    if (errors.length > 20) marks.append(make("li", `and ${errors.length - 20} more`));
    text.setAttribute("aria-invalid", String(errors.length > 0));
    return errors.length === 0;
  };
  /** Shows the line that the assembler does not take. */
  const markLine = (line: number, why: string) => {
    const item = make("li");
    item.append(button(`Line ${line}: ${why}`, () => place(line, 1)));
    marks.replaceChildren(item);
    text.setAttribute("aria-invalid", "true");
  };
  /** Stores the listing, if it has changed. The page may be about to be closed. */
  const keep = () => {
    clearTimeout(timer);
    if (text.value === stored) return;
    stored = text.value;
    app.store.put("listings", { key, time: Date.now(), text: stored }).catch((error) => say(`The browser did not store the listing: ${sentence(error)}`));
  };
  /** Another text takes the place of this one, which stays in the history. */
  const replace = (other: string) => {
    keep();
    app.store.close("listings", key);
    text.value = other;
    check();
    keep();
  };
  text.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      check();
      describe();
      keep();
    }, REST);
  });
  for (const kind of ["beforeunload", "pagehide"]) window.addEventListener(kind, keep);
  document.addEventListener("visibilitychange", keep);

  const projects = new Projects(app, { show: (wanted) => show(wanted, ""), keep, replace });

  const note = make("p");
  const whose = make("span");
  note.hidden = true;
  note.append(
    whose,
    button("Keep as mine", () => {
      const { value } = text;
      const kept = isAssembly ? projects.keepSource(value) : show(OWN, "").then(() => replace(value));
      const told = isAssembly ? "This is a project of yours now." : "This is your own listing now. The one that you had is under Files, Earlier versions.";
      void kept.then(() => say(told));
    }),
    button("My own listing", () => void show(OWN, "")),
  );
  const describe = () => {
    note.hidden = !isGuest(key);
    const [what, own] = isAssembly ? ["source", "what is yours"] : ["listing", "your own"];
    const changed = text.value === original ? "" : ", with your changes";
    whose.textContent = `This ${what} came by a link${changed}; ${own} is kept apart. `;
    taking.hidden = isAssembly;
    numbering.hidden = !isListing();
  };
  /** Shows the user's own listing or a link's: as it was last left here, or else as the link has it. */
  let asked = 0;
  const show = async (wanted: string, linked: string, isLinkedSource = false): Promise<void> => {
    keep();
    const number = ++asked;
    const kept = await app.store.get("listings", wanted).catch(() => undefined);
    // Another one was asked for meanwhile.
    if (number !== asked) return;
    key = wanted;
    original = linked;
    isAssembly = isLinkedSource || isSource(placeOf(wanted)?.file ?? "");
    stored = kept?.text ?? (wanted === OWN ? FIRST : linked);
    text.value = stored;
    describe();
    check();
    // A file that is not a listing may hold anything.
    await projects.shown(key);
  };
  /** The listing that is in the machine, when it is not the one that is shown. */
  let seen: unknown = null;
  const follow = () => {
    const { loaded } = app;
    if ((loaded.kind !== "listing" && loaded.kind !== "source") || loaded === seen) return;
    seen = loaded;
    if (!isGuest(app.program) || key === app.program) return;
    if (loaded.kind === "listing") void show(app.program, loaded.text);
    else void show(app.program, joined(loaded.files), true);
  };
  app.heard = (kind, changed) => {
    // Another window has stored this listing: both show the same one, unless something was typed here meanwhile.
    if (kind === "listings" && changed === key && text.value === stored) void show(key, original, isAssembly);
  };

  /** The sources of the program that is shown, the one that is assembled first. */
  const sources = async (): Promise<Source[]> => {
    const project = placeOf(key)?.project;
    if (project === undefined) return [[MAIN_SOURCE, text.value]];
    const files = (await projects.texts(project)).filter(({ name }) => isSource(name));
    const first = ({ name }: { name: string }) => (name === MAIN_SOURCE ? 0 : 1);
    return files.sort((a, b) => first(a) - first(b)).map(({ name, text }) => [name, text]);
  };
  /** Assembles the program that is shown and runs it; a line that is wrong is shown. */
  const runSources = async (guest: Guest | undefined): Promise<void> => {
    const { project = "" } = placeOf(key) ?? {};
    const files = await sources();
    const bytes = await assembled(files).catch(async (error) => {
      if (!(error instanceof Unassembled)) throw error;
      if (project !== "") await show(keyOf(project, error.file), "");
      markLine(error.line, error.why);
      say(error.message);
      return null;
    });
    if (bytes === null) return;
    app.openSource(files, bytes, guest, PROJECT + project);
    around.setPaused(false);
    app.focus();
  };
  /** Puts the other files of a project on H:, and runs its first one. */
  const runProject = async (project: string): Promise<void> => {
    const files = await projects.texts(project);
    const main = mainOf(files.map(({ name }) => name));
    const program = files.find(({ name }) => name === main)?.text ?? "";
    if (!isSource(main) && Emulator.check_listing(program).length > 0) {
      await show(keyOf(project, main), "");
      say(`${main} has errors; each names its line.`);
      return;
    }
    const others = files.filter(({ name }) => name !== main && !(isSource(main) && isSource(name)));
    for (const { name, text } of others) await app.putFile({ name, bytes: to_atascii(text) as Uint8Array<ArrayBuffer>, locked: false });
    if (isSource(main)) return runSources(undefined);
    app.openListing(program, undefined, PROJECT + project);
    around.setPaused(false);
    app.focus();
  };
  const run = () => {
    if (!check()) {
      say("The listing has errors; each names its line.");
      return;
    }
    keep();
    const start = async (guest?: Guest): Promise<void> => {
      if (isAssembly) return runSources(guest);
      app.openListing(text.value, guest);
      around.setPaused(false);
      app.focus();
    };
    const place = placeOf(key);
    const begun = place !== null ? runProject(place.project) : key === OWN ? start() : app.guestOf(key).then(start);
    begun.catch((error) => say(sentence(error)));
  };
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
  });
  const take = () => {
    try {
      const taken = app.emulator.take_listing();
      const before = text.value;
      replace(taken);
      say("This is the program in the machine's memory.", before === taken ? [] : [["Undo", () => replace(before)]]);
    } catch (error) {
      say(sentence(error));
    }
  };
  const link = async (): Promise<string> => {
    keep();
    return isAssembly ? linkToSource(app, joined(await sources())) : linkToListing(app, text.value);
  };
  const taking = button("Take from the machine", take);
  const numbering = button("Renumber…", () => askNumbers(text, replace));
  const row = make("div", "", { class: "buttons" });
  row.append(
    button("Run", run, { class: "main", title: "Ctrl+Enter" }),
    taking,
    numbering,
    button("Download", () => download(placeOf(key)?.file ?? (isAssembly ? "main.s" : "program.lst"), new Blob([text.value], { type: "text/plain" }))),
    button("Copy a link", () => share(app, link(), "The program is in the link.")),
    button("Lessons", () => around.open("lessons")),
  );
  body.append(projects.body, note, make("label", "Listing", { for: "listing", class: "unseen" }), text, aids(text, isListing), row, marks);
  void show(OWN, "").then(follow);
  return { body, refresh: follow, closed: keep };
}
