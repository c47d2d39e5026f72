// The tools that build programs: their command lines, and the sources that are theirs.
import { extname } from "node:path";

export type Tool = "cl65" | "mads" | "madpascal" | "fastbasic" | "test";

/** The definition of a task. */
export interface Build {
  tool: Tool;
  source: string;
  more?: string[];
  output?: string;
  arguments?: string[];
}

interface Known {
  /** Extensions of sources. */
  sources: string[];
  /** The word before the source in the name of a task. */
  verb: string;
  /** Names of problem matchers. */
  matchers: string[];
  /** Command lines, run one after the other; `anticlock` is the program's own. */
  commands(build: Build, output: string, anticlock: string): string[][];
}

const without = (path: string) => path.slice(0, path.length - extname(path).length);

/** The program that is built from a source. */
export const programOf = (source: string): string => `${without(source)}.xex`;

export const TOOLS: Record<Tool, Known> = {
  cl65: {
    sources: [".s", ".c"],
    verb: "cl65",
    matchers: ["$anticlock-cc65", "$anticlock-ld65", "$anticlock-ld65-unresolved"],
    commands: (build, output) => {
      const sources = [build.source, ...(build.more ?? [])];
      // Without a C source there is no C library to start.
      const assembler = sources.every((source) => extname(source) !== ".c");
      const kind = assembler ? ["-C", "atari-asm-xex.cfg"] : [];
      return [["cl65", "-t", "atari", ...kind, "-g", "-o", output, "-Wl", `--dbgfile,${without(output)}.dbg`, ...(build.arguments ?? []), ...sources]];
    },
  },
  mads: {
    sources: [".asm", ".a65"],
    verb: "mads",
    matchers: ["$anticlock-mads"],
    commands: (build, output) => [
      ["mads", build.source, `-o:${output}`, `-l:${without(output)}.lst`, `-t:${without(output)}.lab`, ...(build.arguments ?? [])],
    ],
  },
  madpascal: {
    sources: [".pas"],
    verb: "mad pascal",
    matchers: ["$anticlock-madpascal", "$anticlock-mads"],
    commands: (build, output) => {
      const assembly = `${without(output)}.a65`;
      return [
        ["mp", build.source, `-o:${assembly}`, ...(build.arguments ?? [])],
        ["mads", assembly, "-x", `-o:${output}`, `-l:${without(output)}.lst`, `-t:${without(output)}.lab`],
      ];
    },
  },
  fastbasic: {
    sources: [".fb"],
    verb: "fastbasic",
    matchers: ["$anticlock-fastbasic"],
    commands: (build) => [["fastbasic", "-g", ...(build.arguments ?? []), build.source]],
  },
  test: {
    sources: [],
    verb: "test",
    matchers: [],
    commands: (build, _output, anticlock) => [[anticlock, "test", build.source, ...(build.arguments ?? [])]],
  },
};

/** The tool for a source, by its extension. */
export function toolOf(path: string): Tool | undefined {
  const extension = extname(path).toLowerCase();
  return (Object.keys(TOOLS) as Tool[]).find((tool) => TOOLS[tool].sources.includes(extension));
}
