// Drives, cassette deck and printer, in the words and the order of the window's menu. Loaded when it is first opened.
import type { App } from "../app.ts";
import type { Density } from "../machine.ts";
import type { Page } from "../panels.ts";
import { button, choose, download, ending, make, say } from "../ui.ts";

const DRIVES = 8;
/** Milliseconds between two looks at the tape. */
const LOOK = 250;
/** Densities of new disks, and the words for them. */
const DENSITIES: [Density, string][] = [["single", "single density, 90K"], ["enhanced", "enhanced density, 130K"], ["double", "double density, 180K"]];
const PRINTERS: [string, string][] = [["off", "off"], ["40", "40 columns"], ["80", "80 columns"]];

/** A checkbox or radio button in its label. */
function choice(type: string, text: string, name: string, act: (input: HTMLInputElement) => void): [HTMLElement, HTMLInputElement] {
  const input = make("input", "", { type, name });
  input.addEventListener("change", () => act(input));
  const label = make("label");
  label.append(input, text);
  return [label, input];
}

/** A drive or the recorder: a name over its buttons. Gives how to show what is in it. */
function slot(list: HTMLElement, place: string, always: HTMLElement[], filled: HTMLElement[]): (name: string | undefined) => void {
  const name = make("span");
  const buttons = make("div", "", { class: "buttons" });
  buttons.append(...always, ...filled);
  const item = make("li");
  item.append(make("b", place), name, buttons);
  list.append(item);
  return (found) => {
    const text = found ?? "empty";
    if (name.textContent !== text) name.textContent = text;
    for (const one of filled) one.hidden = found === undefined;
  };
}

export function drives(app: App): Page {
  const body = make("div", "", { class: "page drives" });
  const { emulator } = app;

  const density = make("select", "", { id: "density" });
  for (const [value, text] of DENSITIES) density.append(new Option(text, value));
  const form = make("div", "", { class: "form" });
  form.append(make("label", "New disks", { for: density.id }), density);

  const list = make("ul", "", { class: "lines" });
  const insert = (drive: number) => () => void choose("").then((file) => file !== null && app.unpack(file, (name, bytes) => app.insert(name, bytes, drive)));
  const shown = Array.from({ length: DRIVES }, (_, i) => {
    const drive = i + 1;
    const place = `D${drive}:`;
    const [protect, notch] = choice("checkbox", `Protect ${place}`, place, (input) => {
      emulator.protect_disk(drive, input.checked);
      app.stored();
    });
    const swap = button(`Change ${place} with D1:`, () => {
      emulator.swap_disks(drive);
      say(`D1: and ${place} have changed their disks`);
      app.stored();
    });
    const show = slot(list, place, [
      button(`Insert into ${place}`, insert(drive)),
      button(`New in ${place}`, () => app.insertBlank(drive, density.value as Density)),
    ], [
      button(`Take out of ${place}`, () => {
        emulator.eject_disk(drive);
        app.stored();
      }),
      ...(drive > 1 ? [swap] : []),
      button(`Save a copy of ${place}`, () => void app.storeDisk(drive)),
      protect,
    ]);
    return { show, notch };
  });

  // The cassette deck.
  const deckList = make("ul", "", { class: "lines" });
  const showTape = slot(deckList, "C:", [
    button("Insert into C:", insert(0)),
    button("New in C:", () => app.insertBlank(0, "single")),
  ], [
    button("Take out of C:", () => {
      emulator.eject_tape();
      app.stored();
    }),
    button("Save a copy of C:", () => {
      const bytes = emulator.tape_bytes();
      if (bytes !== undefined) download(ending(emulator.tape()?.name || "tape", ".cas"), bytes as Uint8Array<ArrayBuffer>);
    }),
  ]);
  const [play, isPlay] = choice("radio", "PLAY", "deck", () => emulator.press_record(false));
  const [record, isRecord] = choice("radio", "RECORD", "deck", () => emulator.press_record(true));
  const bar = make("input", "", { type: "range", min: "0", "aria-label": "Position of the tape" });
  const counter = make("output");
  bar.addEventListener("input", () => {
    emulator.wind_tape(Number(bar.value));
    look();
  });
  const wind = (text: string, to: () => number) => button(text, () => {
    emulator.wind_tape(to());
    look();
  });
  const keys = make("div", "", { class: "buttons" });
  keys.append(play, record, wind("To the beginning", () => 0), wind("To the end", () => Number(bar.max)));
  const position = make("div", "", { class: "past" });
  position.append(bar, counter);
  const deck = make("div");
  deck.append(keys, position);

  // The printer.
  const printers = make("div", "", { class: "buttons", role: "group", "aria-label": "Printer" });
  const inputs = PRINTERS.map(([value, text]) => {
    const [label, input] = choice("radio", text, "printer", () => app.choose("printer", value));
    printers.append(label);
    return input;
  });
  const paper = make("pre", "", { tabindex: "0", "aria-label": "What was printed" });
  const papers = make("div", "", { class: "buttons" });
  papers.append(
    button("Save as text", () => download("printed.txt", new Blob([app.printed], { type: "text/plain;charset=utf-8" }))),
    button("Save as it was sent (ATASCII)", () => download("printed.prn", new Blob(app.sent))),
    button("New paper", () => {
      app.printed = "";
      app.sent = [];
      refresh();
    }),
  );
  // Cartridges.
  const slotList = make("ul", "", { class: "lines" });
  const plug = (number: number, name: string, bytes?: Uint8Array) => {
    app.plug(number, name, bytes);
    refresh();
  };
  const showSlots = [1, 2].map((number) => slot(slotList, `Slot ${number}`, [
    button(`Insert into slot ${number}`, () => void choose("").then((file) => file !== null && app.unpack(file, (name, bytes) => plug(number, name, bytes)))),
  ], [button(`Take out of slot ${number}`, () => plug(number, ""))]));
  body.append(
    list, form, make("h3", "Cassette deck"), deckList, deck, make("h3", "Printer"), printers, paper, papers,
    make("h3", "Cartridges"), make("p", "What is put in or taken out switches the Atari off and on. BASIC is switched under Options."), slotList,
  );

  /** Parts that change by themselves. */
  const look = () => {
    const tape = emulator.tape();
    showTape(tape?.name);
    deck.hidden = tape === undefined;
    if (tape === undefined) return;
    const { at, blocks, records } = tape;
    bar.max = String(blocks);
    bar.value = String(at);
    const text = `block ${at} of ${blocks}`;
    if (counter.textContent !== text) counter.textContent = text;
    isPlay.checked = !records;
    isRecord.checked = records;
  };
  const refresh = () => {
    shown.forEach(({ show, notch }, i) => {
      const disk = emulator.disk(i + 1);
      show(disk && `${disk.name}${disk.written ? " (written)" : ""}`);
      notch.checked = disk?.protected === true;
    });
    showSlots.forEach((show, i) => {
      const cartridge = emulator.cartridge(i + 1);
      show(cartridge && `${cartridge.name}, ${cartridge.about}`);
    });
    look();
    const columns = emulator.printer();
    inputs.forEach((input, i) => {
      input.checked = PRINTERS[i][0] === (columns === 0 ? "off" : String(columns));
    });
    paper.hidden = papers.hidden = app.printed === "";
    if (paper.textContent !== app.printed) {
      paper.textContent = app.printed;
      paper.scrollTop = paper.scrollHeight;
    }
    timer ||= window.setInterval(look, LOOK);
  };
  let timer = 0;
  const closed = () => {
    clearInterval(timer);
    timer = 0;
  };
  return { body, refresh, closed };
}
