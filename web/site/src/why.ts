// The cause of a pixel for a page that asks by message: the debugger's program, loaded with the first question.
import type { App } from "./app.ts";
import { Emulator, Inspector, engine } from "./engine.ts";
import { later } from "./ui.ts";

/** Frames of the past that the cause is looked for in. */
const BEFORE = 180;

const machine = later(async () => {
  await engine();
  return new Emulator(48_000);
});

/** Why a pixel of the last picture is as it is. The machine runs on. */
export async function why(app: App, x: number, y: number): Promise<string> {
  const other = await machine();
  other.open_moment(app.emulator.save_moment(BEFORE), app.emulator.state_hash());
  const inspector = new Inspector(other);
  try {
    const { sentence, lines } = inspector.why(other, x, y);
    return [sentence, ...lines].join("\n");
  } finally {
    inspector.free();
  }
}
