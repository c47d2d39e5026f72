// Gamepads: the first is joystick 1, the second joystick 2.
import { DOWN, LEFT, OPTION, RIGHT, SELECT, START, TRIGGER, UP } from "./keyboard.ts";

/** Half way out counts as pushed. */
const PUSHED = 0.5;
/** Buttons of the standard layout. */
const TRIGGERS = [0, 1, 2, 5, 7];
const CROSS: [number, number][] = [[12, UP], [13, DOWN], [14, LEFT], [15, RIGHT]];

export interface Pads {
  sticks: number[];
  console: number;
}

export function pads(): Pads {
  const found: Pads = { sticks: [0, 0], console: 0 };
  const all = typeof navigator.getGamepads === "function" ? navigator.getGamepads() : [];
  let port = 0;
  for (const pad of all) {
    if (pad === null || !pad.connected || port > 1) continue;
    const pressed = (button: number) => pad.buttons[button]?.pressed === true;
    const [x = 0, y = 0] = pad.axes;
    let bits = 0;
    if (y < -PUSHED) bits |= UP;
    if (y > PUSHED) bits |= DOWN;
    if (x < -PUSHED) bits |= LEFT;
    if (x > PUSHED) bits |= RIGHT;
    for (const [button, bit] of CROSS) if (pressed(button)) bits |= bit;
    if (TRIGGERS.some(pressed)) bits |= TRIGGER;
    found.sticks[port++] = bits;
    if (pressed(9)) found.console |= START;
    if (pressed(8)) found.console |= SELECT;
    if (pressed(3)) found.console |= OPTION;
  }
  return found;
}
