// Saved states, the past with a bar to drag, and everything as one file.
import { type App, isGuest } from "../app.ts";
import { momentLink, share, stateFile } from "../links.ts";
import type { Around, Page } from "../panels.ts";
import { pack, unpack } from "../pack.ts";
import type { Saved } from "../store.ts";
import { button, bytesOf, choose, download, make, say, sentence, when } from "../ui.ts";

export function saves(app: App, around: Around): Page {
  const body = make("div", "", { class: "page" });
  const wrong = (error: unknown) => say(sentence(error));

  const slots = make("select", "", { id: "slot" });
  for (let slot = 1; slot <= 10; slot++) slots.append(new Option(`slot ${slot}`, String(slot)));
  slots.addEventListener("change", () => {
    app.slot = Number(slots.value);
  });
  const save = button("Save", () => {
    app.save(String(app.slot)).then(() => say(`Saved in slot ${app.slot}`), wrong);
  }, { class: "main" });
  const row = make("div", "", { class: "buttons" });
  row.append(make("label", "Into", { for: "slot" }), slots, save);

  // The past.
  const past = make("input", "", { type: "range", id: "past", min: "0", max: "1000", value: "1000" });
  const ago = make("output", "now", { for: "past" });
  const begin = { oldest: 0, newest: 0 };
  let dragging = false;
  const rate = () => app.emulator.frame_rate() * (app.emulator.pixel_aspect() > 1 ? 312 : 262) * 114;
  const grab = () => {
    if (dragging) return;
    dragging = true;
    around.setPaused(true);
    begin.oldest = app.emulator.oldest();
    begin.newest = app.emulator.newest();
  };
  const drag = () => {
    grab();
    const part = Number(past.value) / 1000;
    const moment = Math.round(begin.oldest + (begin.newest - begin.oldest) * part);
    if (!app.emulator.go_to(moment)) say("the past does not reach back so far");
    app.loop.draw();
    const seconds = (begin.newest - moment) / rate();
    ago.textContent = seconds < 0.05 ? "now" : `${seconds.toFixed(1)} s ago`;
  };
  past.addEventListener("input", drag);
  const goOn = button("Go on from here", () => {
    dragging = false;
    around.setPaused(false);
    past.value = "1000";
    ago.textContent = "now";
    app.focus();
  });
  const pastRow = make("div", "", { class: "past" });
  pastRow.append(make("label", "Drag into the past", { for: "past" }), past, ago, goOn);

  const list = make("ul", "", { class: "lines saved" });
  const all = make("div", "", { class: "buttons" });
  all.append(
    button("Link to this moment", () => share(app, momentLink(app), "This very moment is in the link.", () => stateFile(app))),
    button("State as a file", () => stateFile(app)),
    button("Export everything", () => {
      pack(app.store).then((bytes) => download("anticlock-everything.bin", bytes), wrong);
    }),
    button("Import…", () => {
      void choose("").then(async (file) => {
        if (file === null) return;
        const count = await unpack(app.store, await bytesOf(file));
        await app.takeFiles();
        refresh();
        say(`${count} things imported`);
      }).catch(wrong);
    }),
  );
  body.append(row, make("h3", "The past"), pastRow, make("h3", "Saved"), list, make("h3", "Elsewhere"), all);

  const refresh = () => {
    void app.store.all("states").then((states) => {
      states.sort((a, b) => Number(b.program === app.program) - Number(a.program === app.program) || b.time - a.time);
      list.replaceChildren(...states.map(item));
      if (states.length === 0) list.replaceChildren(make("li", "Nothing yet. What you play is also saved by itself, twice a minute and when you leave."));
    }, wrong);
  };
  const item = (saved: Saved) => {
    const own = saved.program === app.program;
    const text = `${saved.title}, ${saved.slot === "auto" ? "saved by itself" : `slot ${saved.slot}`} · ${when(saved.time)}`;
    const entry = make("li");
    const picture = make("img", "", { alt: "", width: "80", height: "60" });
    if (saved.picture !== null) {
      const url = URL.createObjectURL(new Blob([saved.picture], { type: "image/png" }));
      picture.src = url;
      picture.onload = () => URL.revokeObjectURL(url);
    }
    const load = () => {
      const guest = isGuest(saved.program) ? app.guestOf(saved.program) : Promise.resolve(undefined);
      const done = own ? Promise.resolve(app.loadState(saved.state)) : guest.then((guest) => app.openFile(`${saved.title}.a8s`, saved.state, guest));
      done.then(() => {
        around.close();
        around.setPaused(false);
      }, wrong);
    };
    entry.append(picture, make("span", text), button("Load", () => {
      try {
        load();
      } catch (error) {
        wrong(error);
      }
    }, { "aria-label": `Load ${text}` }), button("Delete", () => void app.store.remove("states", saved.key).then(refresh, wrong), { "aria-label": `Delete ${text}` }));
    return entry;
  };
  const closed = () => {
    dragging = false;
  };
  return { body, refresh, closed };
}
