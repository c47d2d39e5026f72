// A lesson: a Markdown file with a title, and steps with a text, a listing to begin with, checks, and a solution. docs/lessons.md has the format.

/** A line of a step's checks: what is done or looked at, and what it means to the learner. */
export interface Check {
  word: string;
  rest: string;
  meaning: string;
}

export interface Step {
  title: string;
  /** The Markdown text, without the blocks that are the listing, the checks and the solution. */
  text: string;
  listing: string;
  checks: Check[];
  solution: string;
}

export interface Lesson {
  title: string;
  about: string;
  steps: Step[];
}

/** Longest lesson, and most steps. */
export const LONGEST = 200_000;
const MOST = 50;

const WORDS = ["within", "frames", "text", "no", "type", "stick", "restart", "peek", "colour", "tone", "silence", "listing"];

/** Reads a lesson; throws one sentence on what is wrong, with the line. */
export function read(file: string): Lesson {
  if (file.length > LONGEST) throw new Error("this lesson is longer than 200 KB");
  const lines = file.replaceAll("\r", "").split("\n");
  const title = /^# +(.+)$/.exec(lines[0] ?? "")?.[1];
  if (title === undefined) throw new Error("this is not a lesson: its first line is not a title, as in \"# A first program\"");
  const lesson: Lesson = { title, about: "", steps: [] };
  for (let at = 1; at < lines.length; at++) {
    const step = lesson.steps.at(-1);
    const begins = /^## +(.+)$/.exec(lines[at])?.[1];
    const fence = /^```(\w*) *$/.exec(lines[at])?.[1];
    if (begins !== undefined) lesson.steps.push({ title: begins, text: "", listing: "", checks: [], solution: "" });
    else if (fence !== undefined) {
      const end = lines.indexOf("```", at + 1);
      if (end < 0) throw new Error(`line ${at + 1} of the lesson begins a block that does not end`);
      const inside = lines.slice(at + 1, end);
      if (step !== undefined && fence === "basic" && step.listing === "") step.listing = `${inside.join("\n")}\n`;
      else if (step !== undefined && fence === "check") step.checks = inside.map((line, n) => check(line, at + 2 + n)).filter((one) => one !== null);
      else if (step !== undefined && fence === "solution") step.solution = `${inside.join("\n")}\n`;
      else if (step !== undefined) step.text += `${lines.slice(at, end + 1).join("\n")}\n`;
      at = end;
    } else if (step !== undefined) step.text += `${lines[at]}\n`;
    else lesson.about += `${lines[at]}\n`;
  }
  if (lesson.steps.length === 0) throw new Error("this lesson has no steps: lines as \"## Say something\"");
  if (lesson.steps.length > MOST) throw new Error(`this lesson has more than ${MOST} steps`);
  return lesson;
}

function check(line: string, number: number): Check | null {
  const plain = line.trim();
  if (plain === "") return null;
  const [what, ...meaning] = plain.split(" : ");
  const [word, ...rest] = what.trim().split(" ");
  if (!WORDS.includes(word)) throw new Error(`line ${number} of the lesson: there is no check "${word.slice(0, 40)}"`);
  return { word, rest: rest.join(" ").trim(), meaning: meaning.join(" : ").trim() };
}
