// Files: programs to open, the folder H:, written disks and tapes, links.
import type { App } from "../app.ts";
import { Emulator } from "../machine.ts";
import { linkTo, share } from "../links.ts";
import type { Around, Page } from "../panels.ts";
import type { Written } from "../store.ts";
import { history } from "./history.ts";
import { button, bytesOf, choose, download, ending, make, say, sentence, when } from "../ui.ts";

export function files(app: App, around: Around): Page {
  const body = make("div", "", { class: "page" });
  const lists = make("div");
  const earlier = history(app);
  const open = button("Open a file…", () => {
    void app.chooseFile().then((opened) => {
      if (opened) around.close();
    });
  }, { class: "main" });
  const link = button("Copy a link to this", () => share(app, linkTo(app), "Everything is in the link; nothing was sent anywhere."));
  const row = make("div", "", { class: "buttons" });
  row.append(open, link);
  body.append(row, lists, earlier);

  const put = () => {
    void choose("").then(async (file) => {
      if (file === null) return;
      const bytes = await bytesOf(file);
      const name = file.name.toUpperCase();
      if (!app.emulator.put_file(name, bytes, false)) {
        say(`${file.name.slice(0, 60)} has a name that H: cannot have: one that begins with a point, holds a slash, or is longer than 255 bytes`);
        return;
      }
      await app.putFile({ name: app.space + name, bytes, locked: false });
    }).catch((error) => say(sentence(error)));
  };

  const refresh = () => {
    void show().catch((error) => say(sentence(error)));
  };
  const show = async () => {
    const { space } = app;
    const stored = app.files().map((file) => {
      const name = file.name.slice(space.length);
      const mine: [string, () => void][] = space === "" ? [] : [["Copy to my H:", () => {
        void app.putFile({ ...file, name }).then(() => say(`${name} is on your own H:, too`), (error) => say(sentence(error)));
      }]];
      const alias = Emulator.name_in_h(name);
      return line(`${name}${alias === name ? "" : `, as H:${alias}`} · ${file.bytes.length} bytes`, [
        ["Download", () => download(name, file.bytes)],
        ...mine,
        ["Delete", () => void app.removeFile(file.name).catch((error) => say(sentence(error)))],
      ]);
    });
    const written = (await app.store.all("disks")).sort((a, b) => b.time - a.time).map((disk) =>
      line(`${disk.name} · ${when(disk.time)}`, [
        ...(disk.drive > 0 || disk.tape === true ? [[disk.tape === true ? "Into C:" : `Into D${disk.drive}:`, () => {
          app.insert(disk.name, disk.bytes, disk.drive, disk.key);
          refresh();
        }] as [string, () => void]] : []),
        ["Download", () => download(fileOf(disk), disk.bytes)],
        ["Delete", () => void app.store.remove("disks", disk.key).then(refresh)],
      ]),
    );
    lists.replaceChildren(
      ...part("Disks and tapes that programs have written to", written, "None yet."),
      ...part(space === "" ? "H: in this browser" : "H: of this link; your own is out of its reach", stored, "Empty. BASIC programs write here: SAVE \"H:NAME\"."),
      button("Add a file to H:…", put),
    );
  };
  return { body, refresh };
}

/** The name of the file that a written disk or tape is. */
export const fileOf = ({ name, drive, tape }: Written): string => (tape === true ? ending(name, ".cas") : drive > 0 ? ending(name, ".atr") : name);

/** A line of a list with its buttons. */
export function line(text: string, actions: [string, () => void][]): HTMLElement {
  const item = make("li");
  item.append(make("span", text));
  for (const [label, act] of actions) item.append(button(label, act, { "aria-label": `${label}: ${text}` }));
  return item;
}

export function part(title: string, items: HTMLElement[], empty: string): HTMLElement[] {
  if (items.length === 0) return empty === "" ? [] : [make("h3", title), make("p", empty)];
  const list = make("ul", "", { class: "lines" });
  list.append(...items);
  return [make("h3", title), list];
}
