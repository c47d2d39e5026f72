// Aids of the BASIC editor: words that fit what is being typed, what the place under the cursor refers to, and new line numbers.
import { code, referring, renumber } from "../../../../editors/vscode/src/renumber.ts";
import { basic_words } from "../machine.ts";
import { button, make, say } from "../ui.ts";

/** Buttons of a row of aids at most. */
const MOST = 8;
/** A name of a variable or a word of BASIC. */
const NAME = /[A-Z][A-Z0-9]*\$?/gi;

/** The name, or the number, at or before a place of a line; what of it is before the place. */
function under(line: string, at: number): { name: string; before: string; from: number } | null {
  for (const found of line.matchAll(/[A-Z][A-Z0-9]*\$?|\d+/gi)) {
    const from = found.index;
    if (from <= at && at <= from + found[0].length) return { name: found[0], before: found[0].slice(0, at - from), from };
  }
  return null;
}

/** The row of aids under an editor. `isOn`: the text is a listing; `go` shows a line by its number. */
export function aids(text: HTMLTextAreaElement, isOn: () => boolean): HTMLElement {
  const row = make("div", "", { class: "aids", role: "group", "aria-label": "At the cursor" });
  const words = [...new Set(basic_words())];
  const isWord = (name: string) => words.includes(name.toUpperCase());

  /** The caret's line, what is before it in the text, and the place in it. */
  const here = () => {
    const caret = text.selectionStart;
    const from = text.value.lastIndexOf("\n", caret - 1) + 1;
    const end = text.value.indexOf("\n", caret);
    return { from, line: text.value.slice(from, end < 0 ? undefined : end), at: caret - from };
  };
  const go = (number: number) => {
    const found = new RegExp(`^[ \\t]*${number}(?!\\d)`, "m").exec(text.value);
    if (found === null) return;
    text.focus();
    text.setSelectionRange(found.index, found.index + found[0].length);
    const rows = text.value.split("\n").length;
    text.scrollTop = (text.value.slice(0, found.index).split("\n").length - 3) * (text.scrollHeight / Math.max(1, rows));
    show();
  };
  /** Words and variables that begin as what is before the caret. */
  const fitting = (before: string): string[] => {
    if (!/^[A-Z][A-Z0-9]*$/i.test(before)) return [];
    const begin = before.toUpperCase();
    const names = new Set(words);
    for (const [, part] of code(text.value)) for (const [name] of part.matchAll(NAME)) names.add(name.toUpperCase());
    return [...names].filter((name) => name.length > begin.length && name.startsWith(begin)).slice(0, MOST);
  };
  const complete = (word: string) => {
    const { at, line } = here();
    const place = under(line, at);
    const caret = text.selectionStart;
    text.focus();
    text.setSelectionRange(caret - (place?.before.length ?? 0), caret);
    // The browser's own undo takes it back.
    if (!document.execCommand("insertText", false, word)) text.setRangeText(word, text.selectionStart, text.selectionEnd, "end");
    text.dispatchEvent(new Event("input"));
    show();
  };
  const lines = (about: string, numbers: number[]) => {
    const rest = numbers.length > MOST ? [make("span", `and ${numbers.length - MOST} more`)] : [];
    row.append(make("span", about), ...numbers.slice(0, MOST).map((number) => button(String(number), () => go(number), { "aria-label": `Go to line ${number}` })), ...rest);
  };
  const show = () => {
    row.replaceChildren();
    if (!isOn()) return;
    const { line, at } = here();
    const place = under(line, at);
    if (place === null) return;
    const begins = /^\s*/.exec(line)?.[0].length ?? 0;
    if (/^\d/.test(place.name)) {
      const number = Number(place.name);
      const from = referring(text.value, number);
      const own = Number(/^\s*(\d+)/.exec(line)?.[1] ?? -1);
      // The line's own number, or one that this line refers to.
      if (place.from === begins) lines(from.length > 0 ? `Line ${number} is reached from` : `No line refers to ${number}`, from);
      else if (from.includes(own)) lines(`To line ${number}, as from ${from.join(", ")}:`, [number]);
      return;
    }
    const isTyped = place.before === place.name;
    const choices = isTyped && !isWord(place.name) ? fitting(place.before) : [];
    if (choices.length > 0 && document.activeElement === text && isTyping) {
      row.append(...choices.map((word) => button(word, () => complete(word), { "aria-label": `Complete ${word}` })));
      return;
    }
    const name = place.name.toUpperCase();
    if (isWord(name)) return;
    const used = [...code(text.value)].filter(([, part]) => [...part.matchAll(NAME)].some(([other]) => other.toUpperCase() === name)).map(([number]) => number);
    if (used.length > 0) lines(`${name} is in`, used);
  };
  /** The last thing that was done is a key that writes. */
  let isTyping = false;
  text.addEventListener("input", () => {
    isTyping = true;
    show();
  });
  for (const kind of ["click", "keyup"] as const) {
    text.addEventListener(kind, (event) => {
      if (event instanceof KeyboardEvent && !/^(Arrow|Home|End|Page)/.test(event.key)) return;
      isTyping = false;
      show();
    });
  }
  text.addEventListener("keydown", (event) => {
    if (!event.ctrlKey || event.code !== "Space") return;
    const first = isOn() ? fitting(under(here().line, here().at)?.before ?? "")[0] : undefined;
    if (first === undefined) return;
    event.preventDefault();
    complete(first);
  });
  return row;
}

/** Asks for the first number and the step, and gives the listing's lines new numbers. `replace` takes the text. */
export function askNumbers(text: HTMLTextAreaElement, replace: (other: string) => void): void {
  const field = make("input", "", { type: "text", value: "10 10", "aria-label": "First line and step", class: "link", spellcheck: "false", autocomplete: "off" });
  const act = () => {
    const found = /^\s*(\d{1,5})[\s,]+([1-9]\d{0,4})\s*$/.exec(field.value);
    if (found === null) {
      say("Two numbers are wanted, the first line and the step: 10 10");
      return;
    }
    const before = text.value;
    const result = renumber(before, Number(found[1]), Number(found[2]));
    if ("error" in result) {
      say(result.error);
      return;
    }
    replace(result.text);
    say(["The lines have new numbers.", ...result.remarks.slice(0, 5)].join(" "), [["Undo", () => replace(before)]]);
  };
  say("First line and step of the new numbers:", [["Renumber", act]], field);
  field.focus();
}
