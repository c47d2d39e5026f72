// The panel in the real editor: picture, causes with their source lines, interrupts, events, memory, time.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { editor, until } from "./editor.mjs";

let code;
before(async () => {
  code = await editor();
});
after(() => code.close());

/** The panel's page, which is in a frame within a frame. */
function panel(window) {
  return until("the panel", async () => {
    for (const frame of window.page.frames()) {
      if (await frame.locator("#picture").count()) return frame;
    }
    return undefined;
  });
}

/** Colours of the canvas that is shown, by how many points have them. */
const colours = (frame) => frame.locator("#picture").evaluate((canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const found = {};
  for (let at = 0; at < data.length; at += 4) {
    const colour = data.slice(at, at + 3).join();
    found[colour] = (found[colour] ?? 0) + 1;
  }
  return found;
});

/** Points at a place of the picture, in its own pixels. */
async function point(frame, x, y) {
  const box = await frame.locator("#picture").boundingBox();
  await frame.locator("#picture").hover({ position: { x: ((x + 0.5) * box.width) / 376, y: ((y + 0.5) * box.height) / 240 } });
}

test("the panel shows why a point is as it is, and where", async () => {
  const window = await code.open(code.project("ca65"));
  try {
    await window.file("main.s");
    await window.breakpoint(34);
    await window.key("F5");
    await window.stands("main.s:34");
    await window.command("Atari: Show the machine");
    const frame = await panel(window);
    await until("the picture", () => colours(frame), (found) => Object.keys(found).length >= 4);
    assert.match(await frame.locator("#where").innerText(), /^frame \d+, line \d+, cycle \d+$/);
    // The second line of text is on the colour that the interrupt sets.
    await point(frame, 300, 44);
    const sentence = await until("the sentence", () => frame.locator("#sentence").innerText(), (text) => text.includes("This point"));
    assert.match(sentence, /playfield colour 2 because .*COLPF2 was set to \$34 by line 41 of main\.s/);
    await window.picture("panel");
    await frame.locator("#stores button").first().click();
    await until("the source line", () => window.page.locator(".statusbar").innerText(), (text) => text.includes("Ln 41,"));
    assert.match(await frame.locator("#interrupts summary").first().innerText(), /^0: line \d+, routine .* band \(main\.s:38\)$/);
    await frame.locator("#address").fill("text");
    await frame.locator("#address").press("Enter");
    await until("the memory", () => frame.locator("#memory").innerText(), (text) => text.includes("28 25 2C 2C 2F"));
    // Back to the middle of the recorded time.
    const before = await frame.locator("#where").innerText();
    await frame.locator("#time").evaluate((time) => {
      time.value = (Number(time.min) + Number(time.max)) / 2;
      time.dispatchEvent(new Event("change"));
    });
    await until("an earlier frame", () => frame.locator("#where").innerText(), (text) => text !== before);
  } catch (error) {
    await window.picture("failed-panel");
    throw error;
  } finally {
    await window.close();
  }
});
