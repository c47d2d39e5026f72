// Markdown as elements: headings, paragraphs, lists, tables, code, emphasis, links. Text is only ever text: a lesson may come from anywhere.
import { make } from "../ui.ts";

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

/** A line with its code, emphasis and links, appended to an element. */
function inline(into: HTMLElement, text: string): HTMLElement {
  let from = 0;
  for (const found of text.matchAll(INLINE)) {
    into.append(text.slice(from, found.index));
    from = found.index + found[0].length;
    const [whole, code, strong, soft, label, address] = found;
    if (code !== undefined) into.append(make("code", code));
    else if (strong !== undefined) into.append(make("strong", strong));
    else if (soft !== undefined) into.append(make("em", soft));
    else if (/^https:\/\//.test(address)) into.append(make("a", label, { href: address, target: "_blank", rel: "noopener noreferrer" }));
    else into.append(whole);
  }
  into.append(text.slice(from));
  return into;
}

const cells = (line: string): string[] => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

function table(lines: string[]): HTMLElement {
  const body = make("table");
  for (const [n, line] of lines.entries()) {
    if (n === 1 && /^[|\s:-]+$/.test(line)) continue;
    const row = make("tr");
    row.append(...cells(line).map((cell) => inline(make(n === 0 ? "th" : "td"), cell)));
    body.append(row);
  }
  return body;
}

/** The elements of a text. */
export function elements(text: string): HTMLElement[] {
  const lines = text.split("\n");
  const made: HTMLElement[] = [];
  /** Lines from `at` on for which something holds; the next one is `at` then. */
  let at = 0;
  const take = (holds: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && holds(lines[at])) at++;
    return lines.slice(from, at);
  };
  const isItem = (line: string) => /^(-|\d+\.) /.test(line);
  while (at < lines.length) {
    const line = lines[at];
    if (line.startsWith("```")) {
      at++;
      const inside = take((one) => one !== "```");
      at++;
      made.push(make("pre", inside.join("\n"), { tabindex: "0" }));
    } else if (line.startsWith("|")) made.push(table(take((one) => one.startsWith("|"))));
    else if (/^### /.test(line)) {
      made.push(inline(make("h4"), line.slice(4)));
      at++;
    } else if (isItem(line)) {
      const list = make(line.startsWith("-") ? "ul" : "ol", "", { class: "items" });
      list.append(...take(isItem).map((item) => inline(make("li"), item.replace(/^(-|\d+\.) /, ""))));
      made.push(list);
    } else if (line.trim() === "") at++;
    else made.push(inline(make("p"), take((one) => one.trim() !== "" && !isItem(one) && !/^(```|\||### )/.test(one)).join(" ")));
  }
  return made;
}
