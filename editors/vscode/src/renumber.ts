// New numbers for the lines of a BASIC listing, and for what refers to them.

/** The highest number that a line may have. */
const LAST = 32767;

type Renumbered = { text: string; remarks: string[] } | { error: string };

/** Parts of a line's text: strings, and what is after REM and DATA, are not code. */
function* parts(text: string): Generator<[part: string, code: boolean]> {
  const other = /"[^"]*"?|(?<![A-Z0-9$])(?:REM(?![A-Z0-9$(=])|DATA(?![A-Z0-9$(=])|R\.|D\.).*/gi;
  let from = 0;
  for (const found of text.matchAll(other)) {
    yield [text.slice(from, found.index), true];
    yield [found[0], false];
    from = found.index + found[0].length;
  }
  yield [text.slice(from), true];
}

/** Words that line numbers stand after; lists of them after GOTO and GOSUB, which ON takes. */
const REFERENCE = /(?<![A-Z0-9$])(GOTO|GO\s*TO|G\.|GOSUB|GOS\.|THEN|TRAP|T\.|RESTORE|RES\.|LIST|L\.)(\s*)(\d+(?:\s*,\s*\d+)*)(?![\d.]|\s*[-+*/^])|(?<![A-Z0-9$])(GOTO|GO\s*TO|GOSUB|TRAP|RESTORE)(?=\s*[A-Z(\d])/gi;

/** The code of a listing's lines, with their numbers: without strings and what is after REM and DATA. */
export function* code(text: string): Generator<[line: number, code: string]> {
  for (const line of text.split(/\r\n|\n/)) {
    const found = /^\s*(\d+)/.exec(line);
    if (!found) continue;
    const all = [...parts(line.slice(found[0].length))];
    yield [Number(found[1]), all.map(([part, isCode]) => (isCode ? part : " ".repeat(part.length))).join("")];
  }
}

/** The lines that refer to a line by its number, in the order of the listing. */
export function referring(text: string, target: number): number[] {
  const found: number[] = [];
  for (const [line, part] of code(text)) {
    const lists = [...part.matchAll(REFERENCE)].map((reference) => reference[3] ?? "");
    if (lists.some((list) => list.split(",").some((number) => number.trim() !== "" && Number(number) === target))) found.push(line);
  }
  return found;
}

/**
 * Gives the lines numbers from `first` on, with `step` between them. References that are computed stay, with a remark.
 */
export function renumber(text: string, first: number, step: number): Renumbered {
  const lines = text.split(/\r\n|\n/);
  const number = /^\s*(\d+)/;
  const numbers = new Map<number, number>();
  let next = first;
  let before = -1;
  for (const line of lines) {
    const found = number.exec(line);
    if (!found) continue;
    const old = Number(found[1]);
    if (old <= before) return { error: `Line ${old} comes after line ${before}: the lines must ascend.` };
    if (next > LAST) return { error: `There would be a line ${next}; ${LAST} is the last.` };
    numbers.set(old, next);
    before = old;
    next += step;
  }
  const remarks: string[] = [];
  const refer = (line: string, code: string) =>
    code.replace(REFERENCE, (whole, word?: string, space?: string, list?: string) => {
      if (word === undefined || list === undefined) {
        remarks.push(`Line ${line} computes where it goes: ${whole} stays as it is.`);
        return whole;
      }
      // TRAP 32768 and above turn it off.
      const renamed = list.replace(/\d+/g, (target) => {
        const known = numbers.get(Number(target));
        if (known === undefined && Number(target) <= LAST) remarks.push(`Line ${line} refers to ${target}, which is not there.`);
        return String(known ?? target);
      });
      return `${word}${space}${renamed}`;
    });
  const changed = lines.map((line) => {
    const found = number.exec(line);
    if (!found) return line;
    const now = String(numbers.get(Number(found[1])));
    const rest = [...parts(line.slice(found[0].length))].map(([part, code]) => (code ? refer(now, part) : part));
    return now + rest.join("");
  });
  return { text: changed.join("\n"), remarks };
}
