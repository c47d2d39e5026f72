// The steps, and the keys that do them: those of the window's debug view.

/** A step: its command, what is on its button, its keys. */
export interface Step {
  command: string;
  label: string;
  keys: string;
  /** Only where BASIC runs. */
  basic?: true;
}

export const STEPS: Step[] = [
  { command: "cycle", label: "Cycle", keys: "C" },
  { command: "into", label: "Instruction", keys: "I or F11" },
  { command: "over", label: "Over", keys: "F10" },
  { command: "out", label: "Out", keys: "O or Shift+F11" },
  { command: "line", label: "Scan line", keys: "L" },
  { command: "frame", label: "Frame", keys: "F" },
  { command: "list", label: "List", keys: "M" },
  { command: "dli", label: "DLI", keys: "D" },
  { command: "routine", label: "Routine", keys: "R" },
  { command: "vbi", label: "VBI", keys: "V" },
  { command: "statement", label: "Statement", keys: "T", basic: true },
  { command: "basicline", label: "BASIC line", keys: "N", basic: true },
];

/** The command of a key, perhaps backwards. */
export interface Asked {
  command: string;
  back: boolean;
}

/** The command of a key; null for a key without one. `F9` is a breakpoint here, `F5` to run to one. */
export function askedBy(event: KeyboardEvent): Asked | null {
  if (event.ctrlKey || event.metaKey) return null;
  const { code, altKey, shiftKey } = event;
  if (code === "F5") return { command: "run", back: altKey };
  if (code === "F9") return { command: "stop here", back: false };
  if (code === "F10") return { command: "over", back: altKey };
  if (code === "F11") return { command: shiftKey ? "out" : "into", back: altKey };
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  const step = STEPS.find(({ keys }) => letter !== undefined && keys.split(" ")[0] === letter);
  return step === undefined ? null : { command: step.command, back: altKey || shiftKey };
}
