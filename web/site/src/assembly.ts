// Programs in assembly: their files, and the assembler, which comes with the debugger's program.
import type { Source } from "./app.ts";

/** The file of a program that is assembled, and the name of what is made of it. */
export const MAIN = "MAIN.S";
const ENDINGS = /\.(S|ASM|INC)$/;
/** A line that takes in another file: what is before the name, and the name. */
const INCLUDE = /^\s*(?:\.include|icl)\s+["'](.*)["']/i;
/** Files that include one another. */
const DEPTH = 8;

/** True for the name of a source of the assembler. */
export const isSource = (name: string): boolean => ENDINGS.test(name);

/** A line that the assembler does not take. */
export class Unassembled extends Error {
  constructor(
    readonly file: string,
    readonly line: number,
    readonly why: string,
  ) {
    super(`${file}, line ${line}: ${why}`);
  }
}

/** The program of these sources, the first of which is assembled; rejects with the line that is wrong. */
export async function assembled(files: Source[]): Promise<Uint8Array<ArrayBuffer>> {
  const { WrongLine, assemble, engine } = await import("./engine.ts");
  await engine();
  try {
    return assemble(files.map(([name]) => name), files.map(([, text]) => text)) as Uint8Array<ArrayBuffer>;
  } catch (error) {
    if (!(error instanceof WrongLine)) throw error;
    throw new Unassembled(files[error.file][0], error.line, error.why);
  }
}

/** The first of these sources, with the others where it includes them. */
export function joined(files: Source[], [, text] = files[0], depth = 0): string {
  const lines = text.split("\n").map((line) => {
    const name = INCLUDE.exec(line)?.[1].toUpperCase();
    const file = files.find(([known]) => known === name);
    return file === undefined || depth >= DEPTH ? line : joined(files, file, depth + 1).replace(/\n$/, "");
  });
  return lines.join("\n");
}
