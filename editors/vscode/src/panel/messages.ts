// The messages between the panel and the extension, and the adapter's answers that it shows (docs/editors.md).

export interface Place {
  address: number;
  name: string;
  source?: { name: string; path?: string; sourceReference?: number };
  line?: number;
}

export interface Picture {
  width: number;
  height: number;
  /** Colour numbers, in base 64. */
  pixels: string;
  /** Red, green and blue of 256 colours, in base 64. */
  palette: string;
  beam: { line: number; cycle: number; x: number | null; y: number | null };
  frame: number;
  moment: number;
  oldest: number;
  newest: number;
}

export interface Store {
  register: string;
  value: number;
  line: number;
  cycle: number;
  by: Place;
}

export interface Why {
  sentence: string;
  lines: string[];
  stores: Store[];
}

export interface Happening {
  line: number;
  cycle: number;
  kind: "read" | "write" | "edit" | "interrupt" | "other";
  text: string;
  by?: Place;
  pixel?: [number, number];
}

export interface Interrupt {
  number: number;
  line: number;
  request: [number, number];
  routine: [number, number] | null;
  end: [number, number] | null;
  cycles: number;
  dma: number;
  stalled: number;
  left: number | null;
  at: Place;
  stores: Happening[];
}

export interface Interrupts {
  interrupts: Interrupt[];
  remarks: string[];
}

/** From the extension to the panel. */
export type Shown =
  | { type: "picture"; picture: Picture; running: boolean }
  | { type: "why"; x: number; y: number; why?: Why; error?: string }
  | { type: "interrupts"; interrupts?: Interrupts; error?: string }
  | { type: "events"; events: Happening[]; error?: string }
  | { type: "memory"; address: number; data: string }
  | { type: "none"; text: string };

/** From the panel to the extension. */
export type Asked =
  | { type: "ready" }
  | { type: "why"; x: number; y: number }
  | { type: "open"; place: Place }
  | { type: "goTo"; moment: number }
  | { type: "memory"; address: string };
