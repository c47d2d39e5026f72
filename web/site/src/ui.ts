// Small parts of the page: elements by their id, sentences that come and go, files to and from the user.

export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element ${id}`);
  return found as T;
}

/** A new element with text: never with markup, so that names of files are shown and not read. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  text = "",
  attributes: Record<string, string> = {},
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

export function button(text: string, act: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const made = make("button", text, { type: "button", ...attributes });
  made.addEventListener("click", act);
  return made;
}

let timer = 0;

/** A sentence for the user, with things to do about it, and perhaps a field. */
export function say(text: string, actions: [string, () => void][] = [], field: HTMLElement | null = null): void {
  const box = element("says");
  box.replaceChildren(make("span", text));
  if (field !== null) box.append(field);
  for (const [label, act] of actions) {
    box.append(
      button(label, () => {
        hush();
        act();
      }),
    );
  }
  box.append(button("×", hush, { "aria-label": "Close this message" }));
  box.hidden = false;
  clearTimeout(timer);
  if (actions.length === 0 && field === null) timer = window.setTimeout(hush, 8000);
}

/** The text of the sentence that was said last, until the next one takes its place. */
export const said = (): Element | null => element("says").firstElementChild;

export function hush(): void {
  element("says").hidden = true;
}

/** An error as one sentence. */
export function sentence(error: unknown): string {
  const text = typeof error === "string" ? error : error instanceof Error ? error.message : String(error);
  return text.slice(0, 400);
}

/** Gives the user a file. */
export function download(name: string, bytes: Uint8Array<ArrayBuffer> | Blob): void {
  const blob = bytes instanceof Blob ? bytes : new Blob([bytes]);
  const link = make("a", "", { download: name, href: URL.createObjectURL(blob) });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A name with the ending that its file has to have. */
export function ending(name: string, wanted: string): string {
  return name.toLowerCase().endsWith(wanted) ? name : `${name.replace(/\.[^.]*$/, "")}${wanted}`;
}

/** Lets the user choose a file. */
export async function choose(accept: string): Promise<File | null> {
  return (await chooseSeveral(accept, false))[0] ?? null;
}

/** Lets the user choose files. */
export function chooseSeveral(accept: string, multiple = true): Promise<File[]> {
  return new Promise((done) => {
    const input = element<HTMLInputElement>("chooser");
    input.accept = accept;
    input.multiple = multiple;
    input.value = "";
    input.onchange = () => done([...(input.files ?? [])]);
    input.oncancel = () => done([]);
    input.click();
  });
}

export async function bytesOf(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await file.arrayBuffer());
}

export function encoded(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
}

/** When something was, for a list. */
export function when(time: number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** A part of the page that is loaded when it is first wanted. */
export function later<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | null = null;
  return () => (loaded ??= load());
}

/** The styles of panels, keyboard and the forms of a link, which the first load is without. Where they cannot be loaded, all is there without them. */
export const styles = later(() => new Promise<void>((done) => {
  const link = make("link", "", { rel: "stylesheet", href: new URL("panels.css", import.meta.url).href });
  link.onload = link.onerror = () => done();
  document.head.append(link);
}));
