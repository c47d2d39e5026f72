// The history: earlier versions of files, disks, listings and states, to be brought back.
import type { App } from "../app.ts";
import { type Kind, type Kinds, type Listing, OWN, type Saved, type Version, type Written } from "../store.ts";
import { download, make, say, sentence, when } from "../ui.ts";
import { fileOf, line } from "./files.ts";
import { placeOf } from "./projects.ts";

/** Versions that are shown. */
const MOST = 100;

/** A version in words, and its file. */
function shown(kind: Kind, value: Kinds[Kind]): { text: string; file: string; bytes: Blob } {
  switch (kind) {
    case "states": {
      const { title, slot, state } = value as Saved;
      return { text: `${title}, ${slot === "auto" ? "saved by itself" : `slot ${slot}`}`, file: `${title}.a8s`, bytes: new Blob([state]) };
    }
    case "disks": {
      const { name, bytes, drive, tape } = value as Written;
      const place = tape === true ? ", C:" : drive > 0 ? `, D${drive}:` : "";
      return { text: name + place, file: fileOf(value as Written), bytes: new Blob([bytes]) };
    }
    case "listings": {
      const { key, text } = value as Listing;
      const first = text.trimStart().split("\n")[0].slice(0, 40);
      const place = placeOf(key);
      const whose = place !== null ? `${place.project}, ${place.file}` : key === OWN ? "Your listing" : "Listing of a link";
      return { text: `${whose}: ${first}`, file: place?.file ?? "program.lst", bytes: new Blob([text]) };
    }
    default: {
      const { name, bytes } = value as Kinds["files"];
      const short = name.split("/").pop() ?? name;
      return { text: name === short ? `H:${name}` : `H:${short} of a link`, file: short, bytes: new Blob([bytes]) };
    }
  }
}

export function history(app: App): HTMLElement {
  const body = make("details");
  const list = make("ul", "", { class: "lines" });
  body.append(make("summary", "Earlier versions"), list);
  const wrong = (error: unknown) => say(sentence(error));
  const item = async (version: Version): Promise<HTMLElement | null> => {
    const { id, kind, time } = version;
    const value = await app.store.version(id);
    if (value === null) return null;
    const { text, file, bytes } = shown(kind, value);
    return line(`${text} · ${when(time)} · ${bytes.size} bytes`, [
      ["Bring back", () => {
        app.bringBack(kind, value).then(() => {
          say(`${text} is as it was ${when(time)}. What it was until now is here, too.`);
          show();
        }, wrong);
      }],
      ["Download", () => download(file, bytes)],
      ["Erase", () => void app.store.erase(id).then(show, wrong)],
    ]);
  };
  const show = () => {
    if (!body.open) return;
    void Promise.all(app.store.past().slice(0, MOST).map(item)).then((items) => {
      const found = items.filter((one) => one !== null);
      list.replaceChildren(...(found.length > 0 ? found : [make("li", "None yet. What is replaced or deleted comes here: the last ten to thirty of each.")]));
    }, wrong);
  };
  body.addEventListener("toggle", show);
  return body;
}

