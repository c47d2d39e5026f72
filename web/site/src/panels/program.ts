// An editor for BASIC.
import type { App } from "../app.ts";
import { linkToListing } from "../links.ts";
import { Emulator, rows } from "../machine.ts";
import type { Around, Page } from "../panels.ts";
import { button, download, make, say, sentence } from "../ui.ts";

const FIRST = `10 REM A NIGHT SKY
20 GRAPHICS 7+16:SETCOLOR 0,0,14
30 FOR I=1 TO 200
40 COLOR 1+INT(RND(0)*3)
50 PLOT RND(0)*159,RND(0)*95
60 NEXT I
70 GOTO 30
`;

export function program(app: App, around: Around): Page {
  const body = make("div", "", { class: "page editor" });
  const text = make("textarea", "", { id: "listing", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off" });
  const marks = make("ul", "", { class: "errors", id: "errors" });
  text.setAttribute("aria-describedby", "errors");
  text.value = FIRST;
  void app.store.get("settings", "listing").then((kept) => {
    if (kept !== undefined) text.value = kept.value;
    if (app.loaded.kind === "listing") text.value = app.loaded.text;
    check();
  }, () => {});

  const place = (line: number, column: number) => {
    const lines = text.value.split("\n");
    const at = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
    text.focus();
    text.setSelectionRange(at, at + 1);
    text.scrollTop = (line - 3) * (text.scrollHeight / Math.max(1, lines.length));
  };
  const check = (): boolean => {
    const errors = rows(Emulator.check_listing(text.value));
    marks.replaceChildren(
      ...errors.slice(0, 20).map(([line, column, wanted]) => {
        const number = /^\s*(\d+)/.exec(text.value.split("\n")[Number(line) - 1] ?? "")?.[1];
        const where = number === undefined ? `Row ${line}` : `Line ${number}`;
        const item = make("li");
        const named = /^\W+$/.test(wanted) ? `"${wanted}"` : wanted;
        item.append(button(`${where}, column ${column}: expected ${named}`, () => place(Number(line), Number(column))));
        return item;
      }),
    );
    if (errors.length > 20) marks.append(make("li", `and ${errors.length - 20} more`));
    text.setAttribute("aria-invalid", String(errors.length > 0));
    return errors.length === 0;
  };
  let timer = 0;
  text.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      check();
      void app.store.put("settings", { key: "listing", value: text.value }).catch(() => {});
    }, 300);
  });

  const run = () => {
    if (!check()) {
      say("The listing has errors; each names its line.");
      return;
    }
    try {
      app.openListing(text.value);
      around.setPaused(false);
      app.focus();
    } catch (error) {
      say(sentence(error));
    }
  };
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
  });
  const take = () => {
    try {
      text.value = app.emulator.take_listing();
      check();
      say("This is the program in the machine's memory.");
    } catch (error) {
      say(sentence(error));
    }
  };
  const row = make("div", "", { class: "buttons" });
  row.append(
    button("Run", run, { class: "main", title: "Ctrl+Enter" }),
    button("Take from the machine", take),
    button("Download", () => download("program.lst", new Blob([text.value], { type: "text/plain" }))),
    button("Copy a link", () => {
      linkToListing(app, text.value)
        .then((link) => navigator.clipboard.writeText(link))
        .then(() => say("The link is in the clipboard. The program is in it."), (error) => say(sentence(error)));
    }),
  );
  body.append(make("label", "Listing", { for: "listing", class: "unseen" }), text, row, marks);
  return { body };
}
