// The faults that `anticlock basic check` finds in a listing.

export interface Fault {
  /** In the file, from 1. */
  line: number;
  /** From 1. */
  column: number;
  message: string;
}

/** The error in what the program printed; undefined where it does not name a line. */
export function fault(output: string): Fault | undefined {
  const found = /: line (\d+)(?:, column (\d+))?: (.+)/.exec(output);
  return found ? { line: Number(found[1]), column: Number(found[2] ?? 1), message: found[3].trim() } : undefined;
}
