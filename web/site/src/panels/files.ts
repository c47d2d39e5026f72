// Files: programs to open, disks in the drives, the folder H:, written disks, links.
import type { App } from "../app.ts";
import { linkTo, share } from "../links.ts";
import { rows } from "../machine.ts";
import type { Around, Page } from "../panels.ts";
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
  const link = button("Copy a link to this", () => share(linkTo(app), "Everything is in the link; nothing was sent anywhere."));
  const row = make("div", "", { class: "buttons" });
  row.append(open, link);
  body.append(row, lists, earlier);

  const put = () => {
    void choose("").then(async (file) => {
      if (file === null) return;
      const bytes = await bytesOf(file);
      const name = file.name.toUpperCase();
      if (!app.emulator.put_file(name, bytes, false)) {
        say(`${file.name.slice(0, 60)} is no name for H:: eight letters or digits, a point and three more`);
        return;
      }
      await app.putFile({ name: app.space + name, bytes, locked: false });
    }).catch((error) => say(sentence(error)));
  };

  const refresh = () => {
    void show().catch((error) => say(sentence(error)));
  };
  /** The first four drives, and those that have a disk besides. */
  const drives = () => {
    const disks = new Map(rows(app.emulator.drives()).map(([drive, ...disk]) => [Number(drive), disk]));
    const numbers = [...new Set([1, 2, 3, 4, ...disks.keys()])];
    return numbers.map((drive) => {
      const insert = (name: string, bytes: Uint8Array<ArrayBuffer>) => {
        app.insert(name, bytes, drive);
        refresh();
      };
      const actions: [string, () => void][] = [
        ["Disk…", () => void choose("").then((file) => file !== null && app.unpack(file, insert))],
      ];
      const disk = disks.get(drive);
      if (disk === undefined) return line(`D${drive}: empty`, [...actions, ["Blank disk", () => {
        app.insertBlank(drive);
        refresh();
      }]]);
      const [name, written] = disk;
      return line(`D${drive}: ${name}${written === "1" ? " (written)" : ""}`, [
        ...actions,
        ["Download", () => void app.storeDisk(drive)],
        ["Take out", () => {
          app.emulator.eject_disk(drive);
          refresh();
        }],
      ]);
    });
  };
  const show = async () => {
    const { space } = app;
    const stored = app.files().map((file) => {
      const name = file.name.slice(space.length);
      const mine: [string, () => void][] = space === "" ? [] : [["Copy to my H:", () => {
        void app.putFile({ ...file, name }).then(() => say(`${name} is on your own H:, too`), (error) => say(sentence(error)));
      }]];
      return line(`${name} · ${file.bytes.length} bytes`, [
        ["Download", () => download(name, file.bytes)],
        ...mine,
        ["Delete", () => void app.removeFile(file.name).catch((error) => say(sentence(error)))],
      ]);
    });
    const written = (await app.store.all("disks")).sort((a, b) => b.time - a.time).map((disk) =>
      line(`${disk.name} · ${when(disk.time)}`, [
        ...(disk.drive > 0 ? [[`Into D${disk.drive}:`, () => {
          app.insert(disk.name, disk.bytes, disk.drive, disk.key);
          refresh();
        }] as [string, () => void]] : []),
        ["Download", () => download(disk.drive > 0 ? ending(disk.name, ".atr") : disk.name, disk.bytes)],
        ["Delete", () => void app.store.remove("disks", disk.key).then(refresh)],
      ]),
    );
    const paper = app.printed === "" ? [] : [line(`${app.printed.length} characters`, [["Download", () => download("printed.txt", new Blob([app.printed]))]])];
    lists.replaceChildren(
      ...part("In the drives", drives(), ""),
      ...part("Disks that programs have written to", written, "None yet."),
      ...part(space === "" ? "H: in this browser" : "H: of this link; your own is out of its reach", stored, "Empty. BASIC programs write here: SAVE \"H:NAME\"."),
      button("Add a file to H:…", put),
      ...part("Printed", paper, ""),
    );
  };
  return { body, refresh };
}

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
