// Keys.
import type { Page } from "../panels.ts";
import { install, whenInstallable } from "../install.ts";
import { button, make } from "../ui.ts";

/** The page's version and build, and the address of its source or nothing, put in when the page is made. */
declare const VERSION: string;
declare const BUILD: string;
declare const SOURCE: string;

const KEYS: [string, string][] = [
  ["F2 F3 F4", "OPTION, SELECT, START"],
  ["F5, Shift+F5", "RESET, off and on"],
  ["F6, F7", "HELP, BREAK"],
  ["F8", "look inside"],
  ["F9, Shift+F9", "pause, one frame"],
  ["F10", "screenshot"],
  ["Alt+Enter", "full screen"],
  ["Alt+S, Alt+L", "save, load the slot"],
  ["Alt+[, Alt+]", "slot down, slot up"],
  ["Alt+Backspace", "back in time while held"],
  ["Alt+J", "which keys are joysticks"],
  ["Alt+V, Alt+C", "type the clipboard (Esc stops), copy the screen's text"],
  ["Alt+F, Alt+D", "files, next disk into D1:"],
  ["Alt+W", "D1:'s disk as a file"],
  ["Alt+P", "next role of the mouse: paddles, pen, gun, mouse, trak-ball"],
  ["Alt+A, Alt+T", "artifact colours; again on PAL or NTSC"],
  ["Alt+M", "sound off and on"],
  ["Alt+O", "menu of games"],
  ["arrows; right Ctrl or Space", "joystick 1 and its trigger, as soon as a program reads a joystick"],
  ["keypad, 0 or 5", "joystick 1 and its trigger, always"],
  ["W A S D; left Ctrl", "joystick 2 and its trigger, after Alt+J"],
  ["` or End, CapsLock", "inverse video, CAPS"],
  ["Home, Insert, Delete", "CLEAR, insert, delete"],
  ["Tab", "out of the screen, to the page's buttons; TAB is on the screen's keyboard"],
];

export function help(): Page {
  const body = make("div", "", { class: "page" });
  body.append(
    make("p", "The keyboard types by symbol: what your key shows is what the Atari gets. Gamepads are joysticks 1 and 2."),
  );
  const table = make("table");
  for (const [key, act] of KEYS) {
    const row = make("tr");
    row.append(make("th", key, { scope: "row" }), make("td", act));
    table.append(row);
  }
  body.append(
    table,
    make("p", "Drop a file onto the page, or choose one under Files: .xex .com .atr .atx .car .rom .bin .bas .lst and saved states."),
    make("p", "Everything stays in this browser: the page sends nothing anywhere."),
  );
  const about = make("p", `Anticlock ${VERSION}, build ${BUILD}.`, { id: "about" });
  if (SOURCE !== "") about.append(" ", make("a", "Its source", { href: SOURCE, rel: "noopener" }));
  body.append(about);
  const installing = button("Install Anticlock", install, { class: "main" });
  whenInstallable((can) => {
    installing.hidden = !can;
  });
  body.append(installing);
  return { body };
}
