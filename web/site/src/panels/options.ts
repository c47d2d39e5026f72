// Options of the machine, which begin with the next cold start, and of the page.
import type { App } from "../app.ts";
import { Emulator, rows } from "../machine.ts";
import type { Page } from "../panels.ts";
import { button, make, say, sentence } from "../ui.ts";

/** A choice: its option, its label, the text for no choice of one's own, and further values. What the machine knows comes from the machine. */
const CHOICES: [string, string, string, [string, string][]][] = [
  ["machine", "Model", "as the program needs (800XL)", []],
  ["ram", "Memory", "the model's own", []],
  ["tv", "Television", "as usual (NTSC)", []],
  ["basic", "BASIC", "when the program wants it", [["1", "always"], ["0", "never, as with OPTION held"]]],
  ["h", "Folder H:", "with BASIC", [["1", "always"], ["0", "never"]]],
  ["stereo", "Sound", "one POKEY", [["1", "two POKEYs"]]],
  ["fast", "Disk drives", "as fast as a 1050", [["1", "without mechanical times"]]],
];

export function options(app: App): Page {
  const body = make("div", "", { class: "page" });
  const known = rows(Emulator.choices());
  const form = make("div", "", { class: "form" });
  const selects = new Map<string, HTMLSelectElement>();
  for (const [name, label, usual, more] of CHOICES) {
    const select = make("select", "", { id: `option-${name}` });
    const offered = known.filter(([option]) => option === name).map(([, value, text]): [string, string] => [value, text]);
    for (const [value, text] of [["", usual], ...offered, ...more]) select.append(new Option(text, value));
    selects.set(name, select);
    form.append(make("label", label, { for: select.id }), select);
  }
  /** Only memory that there is for the chosen model. */
  const fit = () => {
    const model = selects.get("machine")?.value || "800xl";
    const ram = selects.get("ram");
    if (ram === undefined) return;
    for (const option of ram.options) {
      const models = known.find(([name, value]) => name === "ram" && value === option.value)?.[3];
      option.disabled = models !== undefined && !models.split(" ").includes(model);
      if (option.disabled && option.selected) ram.value = "";
    }
  };
  selects.get("machine")?.addEventListener("change", fit);

  const begin = button("Start again with these", () => {
    const before = app.options;
    const chosen = new URLSearchParams(app.options);
    for (const [name, select] of selects) {
      if (select.value === "") chosen.delete(name);
      else chosen.set(name, select.value);
    }
    app.options = chosen.toString();
    app.again().then(
      () => void app.store.put("settings", { key: "options", value: app.options }).catch(() => {}),
      (error) => {
        app.options = before;
        say(sentence(error));
      },
    );
  }, { class: "main" });
  const artifacts = make("input", "", { type: "checkbox", id: "option-artifacts" });
  artifacts.addEventListener("change", () => {
    app.emulator.set_artifacts(artifacts.checked);
    app.loop.draw();
  });
  const turbo = make("input", "", { type: "checkbox", id: "option-turbo" });
  turbo.addEventListener("change", () => {
    app.loop.turbo = turbo.checked;
    app.sound.clear();
  });
  const now = make("div", "", { class: "form" });
  now.append(
    make("label", "Artifact colours, as on a television", { for: artifacts.id }), artifacts,
    make("label", "As fast as it goes, without sound", { for: turbo.id }), turbo,
  );
  const cold = button("Off and on", () => {
    app.emulator.cold_start();
    app.loop.begin();
  });
  body.append(make("h3", "The machine"), form, begin, make("h3", "At once"), now, cold);
  const refresh = () => {
    const chosen = new URLSearchParams(app.options);
    for (const [name, select] of selects) select.value = chosen.get(name) ?? "";
    artifacts.checked = chosen.get("artifacts") === "1";
    fit();
  };
  return { body, refresh };
}
