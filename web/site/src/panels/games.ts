// The built-in programs.
import type { App } from "../app.ts";
import { Emulator } from "../machine.ts";
import type { Around, Page } from "../panels.ts";
import { button, make, say, sentence } from "../ui.ts";

export function games(app: App, around: Around): Page {
  const body = make("div", "", { class: "page" });
  const list = make("ul", "", { class: "games" });
  const add = (name: string, title: string, about: string) => {
    const start = button(title, () => {
      try {
        app.openBuiltIn(name);
      } catch (error) {
        // It needs more memory than the machine of the options has.
        say(sentence(error));
        return;
      }
      around.close();
      void app.offer();
    });
    start.append(make("small", about));
    const item = make("li");
    item.append(start);
    list.append(item);
  };
  add("menu", "Menu of games", "Choose with stick or arrow keys");
  for (const known of Emulator.programs()) {
    add(known.name, known.title, known.about + (known.joystick ? " · stick or arrows" : ""));
  }
  body.append(list);
  return { body };
}
