// Looking inside: the debugger's engine, in a second program that is loaded when this is first opened.
//
// The machine of the page is paused meanwhile. Its last seconds go over as a recording; when the page is left, the state comes back.
import type { App } from "./app.ts";
import init, { Emulator, Inspector } from "../pkg-inside/web.js";
import { momentLink, share } from "./links.ts";
import { HEIGHT, WIDTH, roms } from "./machine.ts";
import type { Around, Page } from "./panels.ts";
import { button, make, say, sentence } from "./ui.ts";

/** Frames of the past that go over. */
const BEFORE = 180;

const STEPS: [string, string, string][] = [
  ["cycle", "Cycle", "one machine cycle"],
  ["instruction", "Instr.", "one instruction"],
  ["over", "Over", "one instruction, calls as a whole"],
  ["out", "Out", "out of the routine"],
  ["line", "Line", "one scan line"],
  ["frame", "Frame", "one frame"],
  ["dli", "DLI", "to the display list interrupt"],
  ["vbi", "VBI", "to the vertical blank interrupt"],
];

export async function inside(app: App, around: Around): Promise<Page & { pixel: (x: number, y: number) => void }> {
  const wasm = await init({ module_or_path: fetch(new URL("inside.wasm", import.meta.url)) });
  Emulator.supply_roms(await roms());
  const machine = new Emulator(48_000);
  let inspector: Inspector | null = null;
  let hash = "";
  /** The moment at which the machine came over, in the page's past and in this one's. */
  const begun = { page: 0, here: 0 };
  let isOpen = false;
  /** The page's machine has come to where this one is by itself. */
  let isOwn = true;
  /** The picture as it was last shown, without the beam. */
  let pixels: Uint8ClampedArray<ArrayBuffer> | null = null;

  const body = make("div", "", { class: "page inside" });
  const where = make("p", "", { role: "status" });
  const canvas = make("canvas", "", { width: String(WIDTH), height: String(HEIGHT), role: "img", "aria-label": "The picture as the beam has drawn it; click a pixel to learn its cause" });
  const pen = canvas.getContext("2d", { alpha: false });
  const why = make("pre", "Point at a pixel of the picture, here or on the page's own; a click holds it.", { "aria-live": "polite", tabindex: "0", "aria-label": "Why the pixel is as it is", class: "why" });
  const steps = make("div", "", { class: "steps", role: "group", "aria-label": "Steps forwards" });
  const backs = make("div", "", { class: "steps", role: "group", "aria-label": "Steps backwards" });
  const pixel = { x: -1, y: -1 };

  const act = (what: (inspector: Inspector) => string) => {
    if (inspector === null) return;
    try {
      where.textContent = what(inspector);
    } catch (error) {
      say(sentence(error));
    }
    show();
  };
  for (const [name, label, about] of STEPS) {
    steps.append(button(`${label} ›`, () => act((i) => i.step(machine, name, false)), { title: about, "aria-label": `${label} ›: ${about}, forwards` }));
    backs.append(button(`‹ ${label}`, () => act((i) => i.step(machine, name, true)), { title: `back: ${about}`, "aria-label": `‹ ${label}: ${about}, backwards` }));
  }

  const boxes = new Map<string, HTMLElement>();
  const box = (name: string, title: string, open: boolean) => {
    const details = make("details");
    details.open = open;
    const pre = make("pre", "", { tabindex: "0", "aria-label": title });
    details.append(make("summary", title), pre);
    details.addEventListener("toggle", () => {
      if (details.open) show();
    });
    boxes.set(name, pre);
    return details;
  };
  const address = make("input", "", { type: "text", id: "address", value: "0600", size: "6" });
  address.addEventListener("change", () => show());
  const prompt = make("input", "", { type: "text", id: "prompt", placeholder: "who $D01A, stores 0600, dlis, map 40, help …", autocomplete: "off", spellcheck: "false" });
  const answer = make("pre", "", { tabindex: "0", "aria-label": "What the command said", "aria-live": "polite" });
  answer.hidden = true;
  prompt.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || inspector === null) return;
    answer.hidden = false;
    answer.textContent = inspector.command(machine, prompt.value);
    prompt.select();
    show();
  });
  const memory = box("memory", "Memory", false);
  memory.insertBefore(make("label", "Address ", { for: "address" }), memory.lastChild);
  memory.insertBefore(address, memory.lastChild);

  const row = make("div", "", { class: "buttons" });
  row.append(
    button("Go on", () => {
      around.close();
      around.setPaused(false);
    }, { class: "main" }),
    button("To the pixel", () => act((i) => {
      if (pixel.x < 0) return "no pixel was clicked";
      i.to_pixel(machine, pixel.x, pixel.y);
      return `where the beam draws ${pixel.x}, ${pixel.y}`;
    })),
    button("Link to this", () => {
      // After an edit only this machine knows how it came to be what it is.
      const isPage = back();
      share(momentLink(app, pixel.x < 0 ? undefined : pixel, isPage ? undefined : machine), "This very cycle is in the link.");
    }),
  );
  body.append(
    row, where, canvas, why, make("h3", "Forwards"), steps, make("h3", "Backwards"), backs,
    box("cpu", "Processor", true), box("code", "Disassembly", true), box("list", "Display list", false),
    box("interrupts", "Display list interrupts of the frame", false), memory, box("chips", "Chips", false),
    make("h3", "Command"), make("label", "Command of the debugger", { for: "prompt", class: "unseen" }), prompt, answer,
  );

  const at = (event: PointerEvent) => {
    const area = canvas.getBoundingClientRect();
    const x = Math.floor(((event.clientX - area.left) / area.width) * WIDTH);
    const y = Math.floor(((event.clientY - area.top) / area.height) * HEIGHT);
    if (x >= 0 && y >= 0 && x < WIDTH && y < HEIGHT) tell(x, y);
  };
  /** Within the small picture here, or the page's own, which is the larger one. */
  const onPage = (event: PointerEvent) => {
    const found = isOpen ? app.screen.pixelAt(event.clientX, event.clientY) : null;
    if (found !== null) tell(found.x, found.y);
  };
  let last = 0;
  /** A pixel was clicked, or came by a link: its cause stays until another one is clicked, or the same one again. */
  let isHeld = false;
  for (const [target, look] of [[canvas, at], [app.screen.canvas, onPage]] as const) {
    target.addEventListener("pointermove", (event) => {
      // A pixel's cause is a frame run again: not more often than one can read.
      if (isHeld || event.timeStamp - last <= 120) return;
      last = event.timeStamp;
      look(event);
    });
    target.addEventListener("pointerdown", (event) => {
      const before = `${pixel.x} ${pixel.y}`;
      const wasHeld = isHeld;
      look(event);
      isHeld = !(wasHeld && before === `${pixel.x} ${pixel.y}`);
    });
  }
  const tell = (x: number, y: number) => {
    pixel.x = x;
    pixel.y = y;
    if (inspector === null) return;
    why.textContent = inspector.why(machine, x, y);
    app.screen.point(pixel);
  };

  const picture = () => {
    if (inspector === null || pen === null) return;
    const at = inspector.picture_rgba(machine);
    pixels = new Uint8ClampedArray(new Uint8ClampedArray(wasm.memory.buffer as ArrayBuffer, at, WIDTH * HEIGHT * 4));
    pen.putImageData(new ImageData(pixels, WIDTH, HEIGHT), 0, 0);
    const [line, cycle] = inspector.beam(machine);
    pen.fillStyle = "#fff";
    pen.fillRect(cycle * 4 - 68, line - 8, 4, 1);
    pen.fillStyle = "rgb(255 255 255 / 0.35)";
    pen.fillRect(0, line - 8, WIDTH, 1);
  };
  const show = () => {
    if (inspector === null) return;
    picture();
    const fill = (name: string, text: () => string) => {
      const pre = boxes.get(name);
      if (pre !== undefined && (pre.parentElement as HTMLDetailsElement).open) pre.textContent = text();
    };
    const i = inspector;
    fill("cpu", () => i.cpu(machine));
    fill("list", () => i.display_list(machine));
    fill("interrupts", () => i.interrupts(machine));
    fill("chips", () => i.chips(machine));
    fill("memory", () => i.memory(machine, Number.parseInt(address.value.replace("$", ""), 16) & 0xffff, 16));
    const code = boxes.get("code");
    if (code !== undefined && (code.parentElement as HTMLDetailsElement).open) {
      code.replaceChildren(
        ...i.code(machine, 15).split("\n").map((line) => make("div", line, line.startsWith(">") ? { class: "current" } : {})),
      );
    }
  };

  /**
   * The page's machine becomes what this one is now, if it has moved: it goes to the same moment of its own past or future. True when it comes to
   * the same state by itself; where something was changed here, it takes the state.
   */
  const back = (): boolean => {
    if (inspector === null) return true;
    const now = machine.state_hash();
    if (now !== hash) {
      hash = now;
      isOwn = app.emulator.run_to(begun.page + machine.moment() - begun.here) && app.emulator.state_hash() === now;
      if (!isOwn) app.returnTo(machine.save_state());
      // The picture as it stands here: the page shows it until it draws its own.
      if (pixels !== null) app.screen.show(pixels);
    }
    return isOwn;
  };

  const closed = () => {
    isOpen = false;
    app.screen.point(null);
    back();
    if (around.held) around.setPaused(false);
  };

  const refresh = () => {
    isOpen = true;
    if (!app.loop.paused) {
      around.setPaused(true);
      around.held = true;
    }
    const now = app.emulator.state_hash();
    if (inspector !== null && now === hash) return show();
    try {
      machine.open_moment(app.emulator.save_moment(BEFORE), now);
      inspector?.free();
      inspector = new Inspector(machine);
      hash = now;
      isOwn = true;
      begun.page = app.emulator.moment();
      begun.here = machine.moment();
      where.textContent = "The machine stands still.";
      show();
      if (pixel.x >= 0) tell(pixel.x, pixel.y);
    } catch (error) {
      where.textContent = sentence(error);
    }
  };
  return {
    body,
    refresh,
    closed,
    pixel: (x, y) => {
      refresh();
      tell(x, y);
      isHeld = true;
    },
  };
}
