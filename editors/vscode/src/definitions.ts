// Where names are defined: in the text of sources, in cc65's debug information, and in listings of MADS.

export interface Definition {
  name: string;
  /** From 0, in its file. */
  line: number;
  column: number;
  kind: "label" | "procedure" | "macro" | "constant" | "scope";
}

/** A definition in a file that debug information names, which is relative to where the tool was called. */
export interface Recorded {
  name: string;
  file: string;
  /** From 0. */
  line: number;
}

const KINDS: Record<string, Definition["kind"]> = {
  proc: "procedure", macro: "macro", mac: "macro", scope: "scope", struct: "scope", enum: "scope", union: "scope", local: "scope", array: "label",
};

const CA65: RegExp[] = [
  /^\s*\.(?<what>proc|macro|mac|scope|struct|union|enum)\s+(?<name>[A-Za-z_]\w*)/i,
  /^\s*(?<name>[@A-Za-z_]\w*)\s*:(?![:=])/,
  /^\s*(?<name>[A-Za-z_]\w*)\s*(?<equal>:?=)(?!=)/,
];
const MADS: RegExp[] = [
  /^\s*\.(?<what>proc|macro|local|struct|enum|array)\s+(?<name>[A-Za-z_?@]\w*)/i,
  /^(?<name>[A-Za-z_?@]\w*)\s+\.(?<what>proc|macro|local|struct|enum|array)\b/i,
  /^(?<name>[A-Za-z_?@]\w*)\s*(?:(?<equal>=)|(?<word>equ)\b)/i,
  /^(?<name>[A-Za-z_?@][\w?]*)/,
];
/** Words that no label of MADS is called: the listing does not say where in its line a source's text begins. */
const OPERATIONS = new Set(
  ("org icl ins run ini end opt dta ert if else eli els eif ift rmb nmb lmb add sub adb sbb adw sbw inw dew mva mvx mvy mwa mwx mwy cpb cpw phr plr " +
    "req rne rpl rmi rcc rcs rvc rvs seq sne spl smi scc scs svc svs jeq jne jpl jmi jcc jcs jvc jvs " +
    "adc and asl bcc bcs beq bit bmi bne bpl brk bvc bvs clc cld cli clv cmp cpx cpy dec dex dey eor inc inx iny jmp jsr lda ldx ldy lsr nop ora pha " +
    "php pla plp rol ror rti rts sbc sec sed sei sta stx sty tax tay tsx txa txs tya").split(" "),
);

/** Definitions in a source of an assembler, in order. */
export function ofAssembler(text: string, language: "ca65" | "mads"): Definition[] {
  const found: Definition[] = [];
  for (const [line, whole] of text.split(/\r?\n/).entries()) {
    const code = whole.replace(/;.*$/, "");
    for (const pattern of language === "ca65" ? CA65 : MADS) {
      const groups = pattern.exec(code)?.groups;
      if (groups === undefined || OPERATIONS.has(groups.name.toLowerCase())) continue;
      const constant = groups.equal !== undefined || groups.word !== undefined;
      const kind = groups.what ? (KINDS[groups.what.toLowerCase()] ?? "label") : constant ? "constant" : "label";
      found.push({ name: groups.name, line, column: code.indexOf(groups.name), kind });
      break;
    }
  }
  return found;
}

/** The fields of a line of cc65's debug information. */
function fields(line: string): Map<string, string> {
  const found = line.matchAll(/([a-z]+)=("(?:[^"\\]|\\.)*"|[^,]*)/g);
  return new Map([...found].map(([, name, value]) => [name, value.startsWith("\"") ? value.slice(1, -1) : value]));
}

/** The names in cc65's debug information (`ld65 --dbgfile`). */
export function ofDebugInformation(text: string): Recorded[] {
  const files = new Map<string, string>();
  const lines = new Map<string, [file: string, line: number]>();
  const names: [name: string, line: string][] = [];
  for (const each of text.split("\n")) {
    const kind = /^(file|line|sym)\t/.exec(each)?.[1];
    if (kind === undefined) continue;
    const read = fields(each);
    const id = read.get("id") ?? "";
    if (kind === "file") files.set(id, read.get("name") ?? "");
    else if (kind === "line") lines.set(id, [read.get("file") ?? "", Number(read.get("line"))]);
    else if (read.get("type") !== "imp") names.push([read.get("name") ?? "", (read.get("def") ?? "").split("+")[0]]);
  }
  return names.flatMap(([name, at]) => {
    const [file, line] = lines.get(at) ?? [];
    const path = file === undefined ? undefined : files.get(file);
    return path === undefined || line === undefined ? [] : [{ name, file: path, line: line - 1 }];
  });
}

/** The names in a listing of MADS: lines with a number, an address, bytes, and after TABs or a plus sign the source. */
export function ofListing(text: string): Recorded[] {
  let file = "";
  const found: Recorded[] = [];
  for (const each of text.split(/\r?\n/)) {
    file = /^Source: (.+)$/.exec(each)?.[1].trim() ?? file;
    const numbered = /^ *(\d+) [ 0-9A-F=,>-]*?(?:\t+| \+ )(.*)$/.exec(each);
    const [definition] = numbered ? ofAssembler(numbered[2], "mads") : [];
    if (numbered && definition) found.push({ name: definition.name, file, line: Number(numbered[1]) - 1 });
  }
  return found;
}

/** Lines of a BASIC listing by their numbers: the line in the file, from 0. */
export function ofBasic(text: string): Map<number, number> {
  const lines = text.split(/\r?\n/).map((line, at) => [/^\s*(\d+)/.exec(line)?.[1], at] as const);
  return new Map(lines.flatMap(([number, at]) => (number === undefined ? [] : [[Number(number), at]])));
}
