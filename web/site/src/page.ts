// Where the page begins.
import { App, isEmbedded } from "./app.ts";
import { openLink, showAddress } from "./links.ts";
import { listenForInstall } from "./install.ts";
import { commandOf } from "./keyboard.ts";
import { load, loadRest, memory, memoryBytes } from "./machine.ts";
import { Panels } from "./panels.ts";
import { Store } from "./store.ts";
import { Touch } from "./touch.ts";
import { element, hush, say, sentence } from "./ui.ts";

declare global {
  interface Window {
    /** For tests and measurements. */
    anticlock?: { app: App; memory: () => ArrayBuffer; memoryBytes: () => number };
  }
}

/** Milliseconds after which a page that was about to be left, and is still there, stays. */
const STAYS = 5000;

async function main(): Promise<void> {
  performance.mark("script");
  listenForInstall();
  const opening = Store.open();
  // Minutes of play are run until the link's moment is there.
  await load(/[#&]play=/.test(location.hash));
  performance.mark("program");
  // A page around the frame may ask for anything; on later visits the rest is kept in the browser.
  if (isEmbedded() || navigator.serviceWorker?.controller) await loadRest().catch(() => {});
  const app = new App(await opening);
  window.anticlock = { app, memory, memoryBytes };
  await Promise.all([app.begin(), app.recall().catch(() => {}), app.loadMenu()]);
  const panels = new Panels(app);
  new Touch(app);
  wire(app, panels);
  app.readdress = () => void showAddress(app);
  await openLink(app, panels);
  performance.mark("machine");
  element("loading").remove();
  app.loop.start();
  // The page around a frame keeps the keyboard until it gives it away.
  if (!isEmbedded()) app.focus();
  // The games and the rest of the program come with the first key, click, touch or file. Until they are there, the menu waits with what was chosen.
  const used = new AbortController();
  for (const kind of ["keydown", "pointerdown", "touchstart", "gamepadconnected", "dragenter"]) {
    window.addEventListener(kind, () => {
      used.abort();
      app.loadGames().catch((error) => say(sentence(error)));
    }, { signal: used.signal, passive: true, capture: true });
  }
  if (app.store.trouble !== "") say(app.store.trouble);
  if (isEmbedded()) (await import("./embed.ts")).listen(app, panels);
  else if ("serviceWorker" in navigator && location.protocol.startsWith("http")) {
    // The files for visits without a network must not delay this one.
    await app.loop.seen;
    (await import("./offline.ts")).offer();
  }
}

function wire(app: App, panels: Panels): void {
  const { keyboard, loop, sound } = app;
  const typing = () => {
    const active = document.activeElement;
    return active === null || active === document.body || active === app.screen.canvas;
  };
  const key = (event: KeyboardEvent) => {
    // A panel has taken it: Escape that closes one is not a key of the Atari.
    if (event.defaultPrevented) return;
    if (event.type === "keydown" && event.code === "Escape" && typing() && app.emulator.is_typing()) {
      app.emulator.stop_pasting();
      event.preventDefault();
      return;
    }
    // Commands work everywhere; the Atari's keys only while its screen has the keyboard.
    if (event.type === "keydown" && !typing() && commandOf(event) === undefined && !/^F\d+$/.test(event.code)) return;
    if (keyboard.key(event)) event.preventDefault();
  };
  window.addEventListener("keydown", key);
  window.addEventListener("keyup", key);
  window.addEventListener("blur", () => keyboard.clear());

  const first = () => {
    if (!sound.running && sound.trouble === "" && !loop.paused) {
      void sound.start().then(() => {
        if (sound.trouble !== "") say(sound.trouble);
      });
    }
  };
  for (const kind of ["pointerdown", "keydown", "touchend"]) window.addEventListener(kind, first);

  const pause = element("do-pause");
  const setPaused = (paused: boolean) => {
    loop.paused = paused;
    panels.held = false;
    app.showStatus();
    pause.setAttribute("aria-pressed", String(paused));
    pause.textContent = paused ? "Go on" : "Pause";
    void (paused ? sound.pause() : sound.resume());
  };
  panels.setPaused = setPaused;
  app.stopped = () => {
    setPaused(true);
    loop.draw();
    panels.open("inside");
  };
  let staying = 0;
  /** Until the page is gone what is stored is written down beside the database, too; or for these milliseconds, when the user may still stay. */
  const leave = (isLeaving: boolean, limit?: number) => {
    clearTimeout(staying);
    app.store.isLeaving = isLeaving;
    if (limit !== undefined) staying = window.setTimeout(() => leave(document.hidden), limit);
  };
  document.addEventListener("visibilitychange", () => {
    leave(document.hidden);
    if (document.hidden) {
      loop.stop();
      void sound.pause();
      void app.automatic(true);
    } else {
      loop.start();
      if (!loop.paused) void sound.resume();
    }
  });
  // Firefox 153 loses some of what is written while the page is hidden: all is on its way before.
  for (const kind of ["beforeunload", "pagehide"]) {
    window.addEventListener(kind, () => {
      // A leaving may be cancelled, or be a download. The time runs from when the browser has asked, as its question holds the page up.
      leave(true, kind === "beforeunload" ? STAYS : undefined);
      void app.automatic(true);
    });
  }
  window.addEventListener("pageshow", () => leave(document.hidden));
  setInterval(() => void app.automatic(), 5000);

  const soundKey = element("do-sound");
  const mute = () => {
    sound.setMuted(!sound.muted);
    soundKey.setAttribute("aria-pressed", String(!sound.muted));
  };
  const full = () => {
    const stage = element("stage");
    if (typeof stage.requestFullscreen !== "function") {
      // An iPhone has it for films only: the picture fills the page's window.
      const isFull = document.body.classList.toggle("full-window");
      element("do-full").setAttribute("aria-pressed", String(isFull));
      if (isFull) say("This browser has no full screen: the Atari fills its window. \"Full screen\" ends it; on an iPhone, \"Add to Home Screen\" hides the browser's bars.");
      return;
    }
    const done = document.fullscreenElement === null ? stage.requestFullscreen() : document.exitFullscreen();
    done.catch((error) => say(`No full screen: ${sentence(error)}`));
  };
  const sticks = () => app.nextKeys();
  const tell = (text: string) => (done: Promise<unknown>) => done.then(() => say(text), (error) => say(sentence(error)));
  pause.addEventListener("click", () => setPaused(!loop.paused));
  soundKey.addEventListener("click", mute);
  element("do-full").addEventListener("click", full);
  element("do-sticks").addEventListener("click", sticks);
  const reset = () => {
    app.emulator.reset();
    app.focus();
  };
  element("key-reset").addEventListener("click", reset);
  for (const [id, bit] of [["key-start", 1], ["key-select", 2], ["key-option", 4]] as [string, number][]) {
    const console = element(id);
    const hold = (held: boolean) => () => keyboard.hold(id, held ? bit : 0);
    console.addEventListener("pointerdown", hold(true));
    for (const kind of ["pointerup", "pointercancel", "pointerleave"]) console.addEventListener(kind, hold(false));
    console.addEventListener("keydown", (event) => {
      if (event.code === "Enter" || event.code === "Space") keyboard.hold(id, bit);
    });
    console.addEventListener("keyup", hold(false));
  }
  // A button that was clicked gives the keyboard back to the Atari; one that was reached by Tab keeps it.
  element("bar").addEventListener("pointerup", () => app.focus());

  app.commands = {
    help: () => panels.toggle("help"),
    open: () => panels.toggle("files"),
    debug: () => panels.toggle("inside"),
    menu: () => {
      try {
        app.openBuiltIn("menu");
      } catch (error) {
        say(sentence(error));
      }
    },
    reset,
    "cold-start": () => app.emulator.cold_start(),
    pause: () => setPaused(!loop.paused),
    "frame-advance": () => {
      setPaused(true);
      loop.frame();
      loop.draw();
    },
    fullscreen: full,
    mute,
    "joystick-keys": sticks,
    "save-state": () => void tell(`Saved in slot ${app.slot}`)(app.save(String(app.slot))),
    "load-state": () => void tell(`Loaded slot ${app.slot}`)(app.load(String(app.slot))),
    "slot-up": () => say(`Slot ${(app.slot = (app.slot % 10) + 1)}`),
    "slot-down": () => say(`Slot ${(app.slot = ((app.slot + 8) % 10) + 1)}`),
    screenshot: () => void panels.screenshot(),
    paste: () => {
      navigator.clipboard.readText().then((text) => app.emulator.paste(text), (error) => say(`Nothing pasted: ${sentence(error)}`));
    },
    copy: () => {
      tell("The screen's text is in the clipboard")(navigator.clipboard.writeText(app.emulator.text()));
    },
  };

  Object.assign(app.commands, {
    mouse: () => app.nextMouse(),
    artifacts: () => {
      const on = new URLSearchParams(app.options).get("artifacts") === "on";
      app.choose("artifacts", on ? "off" : "on");
      say(on ? "Every pixel has its own colour" : "Artifact colours, as on a television");
    },
    "other-tv": () => {
      const pal = app.emulator.machine_name().endsWith("PAL");
      app.choose("tv", pal ? "ntsc" : "pal");
      app.again().catch((error) => say(sentence(error)));
    },
    "next-disk": () => {
      const name = app.emulator.next_disk();
      say(name === undefined ? "There is no other disk" : `${name} is in D1:`);
      app.stored();
    },
    "store-copy": () => {
      if (!app.storeDisk(1)) say("There is no disk in D1:");
    },
  });

  const drop = element("drop");
  window.addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.hidden = false;
  });
  window.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) drop.hidden = true;
  });
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.hidden = true;
    void app.take([...(event.dataTransfer?.files ?? [])]);
  });
  window.addEventListener("hashchange", () => void openLink(app, panels).catch((error) => say(sentence(error))));
  window.addEventListener("error", (event) => {
    if (event.error instanceof WebAssembly.RuntimeError) {
      loop.stop();
      hush();
      say("The emulator has stopped by a fault of its own. What was saved is safe.", [["Start again", () => location.reload()]]);
    }
  });
}

main().catch((error) => {
  element("loading").textContent = `The computer did not start: ${sentence(error)}`;
});
