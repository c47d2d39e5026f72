// Options of the machine, which begin with the next cold start, and of the page.
import type { App } from "../app.ts";
import { Emulator, type MouseRole } from "../machine.ts";
import type { Page } from "../panels.ts";
import { button, bytesOf, choose, make, say, sentence } from "../ui.ts";

/** A choice: its option, its label, the text for no choice of one's own, and further values. What the machine knows comes from the machine. */
const CHOICES: [string, string, string, [string, string][]][] = [
  ["machine", "Model", "as the program needs (800XL)", []],
  ["ram", "Memory", "the model's own", []],
  ["tv", "Television", "as usual (NTSC)", []],
  ["basic", "BASIC", "when the program wants it", [["1", "always"], ["0", "never, as with OPTION held"]]],
  ["h", "Folder H:", "with BASIC", [["1", "always"], ["0", "never"]]],
  ["stereo", "Sound", "one POKEY", [["1", "two POKEYs"]]],
  ["covox", "Covox", "none", [["1", "at $D280"]]],
  ["fast", "Disk drives", "as fast as a 1050", [["1", "without mechanical times"]]],
];

/** The effects of a composite signal. */
const ARTIFACTS: [string, string][] = [["", "off"], ["on", "as the television"], ["ntsc", "NTSC patterns"], ["pal", "PAL blending"]];
/** The numbers of the colours in their order: name, least, most, step. */
const COLOURS: [string, number, number, number][] = [
  ["Hue", -60, 60, 1], ["Colour", 0, 0.4, 0.01], ["Black", 0, 0.5, 0.01], ["White", 0.5, 1, 0.01], ["Gamma", 0.4, 2.5, 0.05],
];
/** A palette file has 768 bytes, or 256 lines. */
const LARGEST_PALETTE = 65536;

function slider(name: string, least: number, most: number, step: number): HTMLInputElement {
  return make("input", "", { type: "range", id: `option-${name}`, min: String(least), max: String(most), step: String(step) });
}

function keep(app: App, key: string, value: string): void {
  void app.store.put("settings", { key, value }).catch(() => {});
}

export function options(app: App): Page {
  const body = make("div", "", { class: "page" });
  const known = Emulator.choices();
  const form = make("div", "", { class: "form" });
  const selects = new Map<string, HTMLSelectElement>();
  for (const [name, label, usual, more] of CHOICES) {
    const select = make("select", "", { id: `option-${name}` });
    const offered = known.filter(({ option }) => option === name).map(({ value, text }): [string, string] => [value, text]);
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
      const models = known.find((choice) => choice.option === "ram" && choice.value === option.value)?.models;
      option.disabled = models !== undefined && !models.includes(model);
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
  const turbo = make("input", "", { type: "checkbox", id: "option-turbo" });
  turbo.addEventListener("change", () => {
    app.loop.turbo = turbo.checked;
    app.sound.clear();
  });
  const volume = slider("volume", 0, 100, 1);
  volume.addEventListener("input", () => {
    app.sound.setVolume(Number(volume.value) / 100);
    keep(app, "volume", String(app.sound.volume));
  });
  const artifacts = make("select", "", { id: "option-artifacts" });
  for (const [value, text] of ARTIFACTS) artifacts.append(new Option(text, value));
  artifacts.addEventListener("change", () => app.choose("artifacts", artifacts.value));

  const mouse = make("select", "", { id: "option-mouse" });
  for (const { value, text } of Emulator.mouse_roles()) mouse.append(new Option(text, value));
  mouse.addEventListener("change", () => app.chooseMouse(mouse.value as MouseRole));

  const stick = make("select", "", { id: "option-stick" });
  stick.append(new Option("at the left", ""), new Option("at the right", "right"));
  stick.addEventListener("change", () => {
    app.placeStick(stick.value);
    keep(app, "stick", stick.value);
  });

  const now = make("div", "", { class: "form" });
  now.append(
    make("label", "Loudness", { for: volume.id }), volume,
    make("label", "Artifacts", { for: artifacts.id }), artifacts,
    make("label", "The mouse, or a finger on the picture,", { for: mouse.id }), mouse,
    make("label", "Stick on the screen", { for: stick.id }), stick,
  );
  const sliders = COLOURS.map(([name, least, most, step]) => slider(name.toLowerCase(), least, most, step));
  const recolour = (colours: number[]) => {
    app.setColours(colours);
    app.loop.draw();
    keep(app, "colours", colours.join(" "));
  };
  sliders.forEach((one, i) => {
    one.addEventListener("input", () => recolour(sliders.map((each) => Number(each.value))));
    now.append(make("label", COLOURS[i][0], { for: one.id }), one);
  });
  const speed = make("div", "", { class: "form" });
  speed.append(make("label", "As fast as it goes, without sound", { for: turbo.id }), turbo);

  const palette = (bytes: Uint8Array<ArrayBuffer>) => {
    app.emulator.set_palette(bytes);
    app.loop.draw();
    keep(app, "palette", Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  };
  const buttons = make("div", "", { class: "buttons" });
  buttons.append(
    button("Palette file…", () => {
      void choose("").then(async (file) => {
        if (file === null) return;
        if (file.size > LARGEST_PALETTE) throw new Error("this is no palette: it is far too large");
        palette(await bytesOf(file));
        say(`The colours are those of ${file.name.slice(0, 80)}`);
      }).catch((error) => say(sentence(error)));
    }),
    button("Usual colours", () => {
      palette(new Uint8Array());
      recolour([...Emulator.usual_colours()]);
      refresh();
    }),
    button("Off and on", () => {
      app.emulator.cold_start();
      app.loop.begin();
    }),
  );
  body.append(make("h3", "The machine"), form, begin, make("h3", "At once"), now, speed, buttons);
  const refresh = () => {
    const chosen = new URLSearchParams(app.options);
    for (const [name, select] of selects) select.value = chosen.get(name) ?? "";
    const artifact = chosen.get("artifacts") ?? "";
    artifacts.value = { "0": "", off: "", "1": "on" }[artifact] ?? artifact;
    stick.value = document.body.classList.contains("stick-right") ? "right" : "";
    mouse.value = app.mouseRole;
    volume.value = String(Math.round(app.sound.volume * 100));
    sliders.forEach((one, i) => {
      one.value = String(app.colours[i]);
    });
    fit();
  };
  return { body, refresh };
}
