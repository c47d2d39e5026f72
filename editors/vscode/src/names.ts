// Names of the hardware and of the operating system, as `xtask registers --json` writes them.

export interface Name {
  name: string;
  address: number;
  /** The chip, or "OS". */
  kind: string;
  /** One sentence, or empty. */
  text: string;
  /** True for the meaning of reads, where writes do something else. */
  read?: boolean;
}

/** The value of a number as assembler, C or BASIC write it; undefined for anything else. */
export function numberOf(word: string): number | undefined {
  const hexadecimal = /^(?:\$|0x)([0-9a-f]+)$/i.exec(word);
  const value = hexadecimal ? Number.parseInt(hexadecimal[1], 16) : /^\d+$/.test(word) ? Number(word) : undefined;
  return value !== undefined && value <= 0xffff ? value : undefined;
}

/** The text of a hover, as Markdown. */
export function describe({ name, address, kind, text, read }: Name): string {
  const place = `$${address.toString(16).toUpperCase().padStart(4, "0")} (${address})`;
  return `**${name}** ${place}, ${kind}${read ? ", when read" : ""}${text === "" ? "" : `\n\n${text}`}`;
}
