// The panel's page: draws what the extension sends, and asks for what is pointed at.
import type { Asked, Happening, Interrupt, Interrupts, Picture, Place, Shown, Why } from "./messages.ts";

declare function acquireVsCodeApi(): { postMessage(asked: Asked): void };

const editor = acquireVsCodeApi();
const ask = (asked: Asked) => editor.postMessage(asked);

function element<K extends HTMLElement>(id: string): K {
  return document.getElementById(id) as K;
}

function bytes(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

const hexadecimal = (value: number, digits: number) => `$${value.toString(16).toUpperCase().padStart(digits, "0")}`;

/** A button that shows the source of a place; plain text without a source. */
function link(text: string, place?: Place): HTMLElement {
  if (place?.source === undefined) return Object.assign(document.createElement("span"), { textContent: text });
  const button = Object.assign(document.createElement("button"), { textContent: text, className: "link" });
  button.addEventListener("click", () => ask({ type: "open", place }));
  return button;
}

const picture = element<HTMLCanvasElement>("picture");
const time = element<HTMLInputElement>("time");
/** The point that was asked about. */
let marked: [x: number, y: number] | undefined;
let last: Picture | undefined;

function drawPicture(shown: Picture): void {
  last = shown;
  const context = picture.getContext("2d")!;
  const image = context.createImageData(shown.width, shown.height);
  const [pixels, colours] = [bytes(shown.pixels), bytes(shown.palette)];
  pixels.forEach((colour, at) => {
    image.data.set(colours.subarray(3 * colour, 3 * colour + 3), 4 * at);
    image.data[4 * at + 3] = 255;
  });
  context.putImageData(image, 0, 0);
  const { x, y } = shown.beam;
  if (x !== null && y !== null) {
    context.fillStyle = "#ff0";
    context.fillRect(0, y, shown.width, 1);
    context.fillRect(x - 2, y - 3, 4, 7);
  }
  if (marked) {
    context.strokeStyle = "#f0f";
    context.strokeRect(marked[0] - 3.5, marked[1] - 3.5, 8, 8);
  }
}

function showPicture(shown: Picture, running: boolean): void {
  element("none").hidden = true;
  document.querySelector("main")!.hidden = false;
  if (running) marked = undefined;
  drawPicture(shown);
  const { line, cycle } = shown.beam;
  element("where").textContent = running ? `frame ${shown.frame}, running` : `frame ${shown.frame}, line ${line}, cycle ${cycle}`;
  [time.min, time.max, time.value] = [shown.oldest, shown.newest, shown.moment].map(String);
  time.disabled = running;
}

function point(event: MouseEvent): [number, number] {
  const box = picture.getBoundingClientRect();
  const within = (value: number, size: number, end: number) => Math.min(Math.max(Math.floor((value / size) * end), 0), end - 1);
  return [within(event.clientX - box.left, box.width, picture.width), within(event.clientY - box.top, box.height, picture.height)];
}

function showWhy(x: number, y: number, why: Why | undefined, error: string | undefined): void {
  marked = [x, y];
  if (last) drawPicture(last);
  element("sentence").textContent = why?.sentence ?? error ?? "";
  element("lines").textContent = why?.lines.join("\n") ?? "";
  const items = (why?.stores ?? []).map(({ register, value, line, cycle, by }) => {
    const item = document.createElement("li");
    item.append(`${register} = ${hexadecimal(value, 2)} in line ${line} cycle ${cycle} by `, link(by.name, by));
    return item;
  });
  element("stores").replaceChildren(...items);
}

/** Where in the frame something runs, from left to right. */
function bar([line]: [number, number], end: [number, number] | null): HTMLElement {
  const frame = Object.assign(document.createElement("div"), { className: "bar" });
  const part = document.createElement("div");
  const lines = 312;
  part.style.left = `${(100 * line) / lines}%`;
  part.style.width = `${(100 * Math.max((end?.[0] ?? line) - line + 1, 2)) / lines}%`;
  frame.append(part);
  return frame;
}

function showInterrupt(interrupt: Interrupt): HTMLElement {
  const { number, line, request, routine, end, cycles, dma, stalled, left, at, stores } = interrupt;
  const box = document.createElement("details");
  const head = document.createElement("summary");
  const place = (beam: [number, number] | null) => (beam ? beam.join(".") : "-");
  head.append(`${number}: line ${line}, routine ${place(routine)} to ${place(end)}, ${cycles} cycles (${dma} DMA, ${stalled} WSYNC)`);
  if (left !== null) head.append(`, ${left} left`);
  head.append(" ", link(at.name, at));
  box.append(head, bar(request, end));
  const list = document.createElement("ul");
  list.append(...stores.map((store) => {
    const item = document.createElement("li");
    item.append(link(store.text, store.by));
    return item;
  }));
  box.append(list);
  return box;
}

function showInterrupts(interrupts: Interrupts | undefined, error: string | undefined): void {
  const remarks = (interrupts?.remarks ?? (error ? [error] : [])).map((text) => Object.assign(document.createElement("p"), { textContent: text, className: "remark" }));
  const all = interrupts?.interrupts.map(showInterrupt) ?? [];
  const none = all.length === 0 && remarks.length === 0 ? ["none in this frame"] : [];
  element("interrupts").replaceChildren(...all, ...remarks, ...none);
}

const map = element<HTMLCanvasElement>("events");
const SIZE = [4, 1];
const COLOURS: Record<Happening["kind"], string> = { read: "#4aa3ff", write: "#ff9a3c", edit: "#ff5cc8", interrupt: "#5fe05f", other: "#888" };
let events: Happening[] = [];

function showEvents(all: Happening[]): void {
  events = all;
  const context = map.getContext("2d")!;
  context.fillStyle = "#111";
  context.fillRect(0, 0, map.width, map.height);
  for (const { line, cycle, kind } of all) {
    context.fillStyle = COLOURS[kind];
    context.fillRect(cycle * SIZE[0], line * SIZE[1], SIZE[0], Math.max(SIZE[1], 2));
  }
}

/** The event nearest to the mouse, if any is near. */
function nearest(event: MouseEvent): Happening | undefined {
  const box = map.getBoundingClientRect();
  const [x, y] = [((event.clientX - box.left) / box.width) * 114, ((event.clientY - box.top) / box.height) * 312];
  const far = ({ line, cycle }: Happening) => Math.hypot(cycle - x, line - y);
  const [first] = [...events].sort((a, b) => far(a) - far(b));
  return first !== undefined && far(first) < 6 ? first : undefined;
}

function showMemory(address: number, data: string): void {
  const all = [...bytes(data)];
  const rows = Array.from({ length: Math.ceil(all.length / 16) }, (_, row) => {
    const part = all.slice(16 * row, 16 * row + 16);
    const text = part.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".")).join("");
    const digits = part.map((byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");
    return `${hexadecimal((address + 16 * row) & 0xffff, 4)}  ${digits.padEnd(47)}  ${text}`;
  });
  element("memory").textContent = rows.join("\n");
}

function show(shown: Shown): void {
  if (shown.type === "picture") showPicture(shown.picture, shown.running);
  else if (shown.type === "why") showWhy(shown.x, shown.y, shown.why, shown.error);
  else if (shown.type === "interrupts") showInterrupts(shown.interrupts, shown.error);
  else if (shown.type === "events") showEvents(shown.events);
  else if (shown.type === "memory") showMemory(shown.address, shown.data);
  else {
    document.querySelector("main")!.hidden = true;
    Object.assign(element("none"), { hidden: false, textContent: shown.text });
  }
}

let asked = 0;
picture.addEventListener("mousemove", (event) => {
  const [x, y] = point(event);
  // Not at each pixel on the way: a cause takes some milliseconds.
  clearTimeout(asked);
  asked = window.setTimeout(() => ask({ type: "why", x, y }), 120);
});
picture.addEventListener("mouseleave", () => clearTimeout(asked));
picture.addEventListener("click", () => element("stores").querySelector<HTMLButtonElement>("button")?.click());
time.addEventListener("change", () => ask({ type: "goTo", moment: Number(time.value) }));
map.addEventListener("mousemove", (event) => {
  element("event").textContent = nearest(event)?.text ?? "";
});
map.addEventListener("click", (event) => {
  const place = nearest(event)?.by;
  if (place) ask({ type: "open", place });
});
const address = element<HTMLInputElement>("address");
address.addEventListener("change", () => ask({ type: "memory", address: address.value }));
window.addEventListener("message", ({ data }: MessageEvent<Shown>) => show(data));
ask({ type: "ready" });
