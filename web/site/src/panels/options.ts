// Options of the machine, which begin with the next cold start, and of the page.
import type { App } from "../app.ts";
import type { Page } from "../panels.ts";
import { button, make, say, sentence } from "../ui.ts";

const CHOICES: [string, string, [string, string][]][] = [
  ["machine", "Model", [["", "as usual (800XL)"], ["400", "400, 16K"], ["800", "800, 48K"], ["800xl", "800XL, 64K"], ["130xe", "130XE, 128K"]]],
  ["tv", "Television", [["", "NTSC, 60 frames a second"], ["pal", "PAL, 50 frames a second"]]],
  ["basic", "BASIC", [["", "when the program wants it"], ["0", "off, as with OPTION held"]]],
  ["h", "Folder H:", [["", "with BASIC"], ["1", "always"], ["0", "never"]]],
];

export function options(app: App): Page {
  const body = make("div", "", { class: "page" });
  const chosen = new Map(new URLSearchParams(app.options));
  const form = make("div", "", { class: "form" });
  for (const [name, label, values] of CHOICES) {
    const select = make("select", "", { id: `option-${name}` });
    for (const [value, text] of values) select.append(new Option(text, value, false, chosen.get(name) === value));
    select.addEventListener("change", () => {
      if (select.value === "") chosen.delete(name);
      else chosen.set(name, select.value);
    });
    form.append(make("label", label, { for: select.id }), select);
  }
  const begin = button("Start again with these", () => {
    const before = app.options;
    app.options = new URLSearchParams([...chosen]).toString();
    app.again().then(
      () => void app.store.put("settings", { key: "options", value: app.options }).catch(() => {}),
      (error) => {
        app.options = before;
        say(sentence(error));
      },
    );
  });
  const artifacts = make("input", "", { type: "checkbox", id: "option-artifacts" });
  artifacts.addEventListener("change", () => app.emulator.set_artifacts(artifacts.checked));
  const label = make("label", "Artifact colours, as on a television", { for: artifacts.id });
  const turbo = make("input", "", { type: "checkbox", id: "option-turbo" });
  turbo.addEventListener("change", () => {
    app.loop.turbo = turbo.checked;
    app.sound.clear();
  });
  const turboLabel = make("label", "As fast as it goes, without sound", { for: turbo.id });
  const now = make("div", "", { class: "form" });
  now.append(label, artifacts, turboLabel, turbo);
  const cold = button("Off and on", () => {
    app.emulator.cold_start();
    app.loop.begin();
  });
  body.append(make("h3", "The machine"), form, begin, make("h3", "At once"), now, cold);
  return { body };
}
