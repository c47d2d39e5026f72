// The loop: the machine runs as fast as its sound is played, or by the clock without sound.
import { type Emulator, type News, picture, samples } from "./machine.ts";
import type { Keyboard } from "./keyboard.ts";
import { pads } from "./pads.ts";
import type { Screen } from "./screen.ts";
import type { Sound } from "./sound.ts";

/** Frames that are made up for at most after the page came late. */
const MOST = 4;
/** Frames to skip at most until a program shows something. */
const START = 900;

/** Milliseconds of a turn that may be spent while there is nothing to see. */
const DARK = 40;

/** The measurements of the loop. */
export interface Measured {
  frames: number;
  /** Milliseconds in the machine, and in drawing. */
  machine: number;
  drawing: number;
  since: number;
}

export class Loop {
  private request = 0;
  private due = 0;
  private skipping = 0;
  paused = false;
  turbo = false;
  measured: Measured = { frames: 0, machine: 0, drawing: 0, since: performance.now() };
  /** Before each frame. */
  before: () => void = () => {};
  /** After a frame with news: another program, a message. */
  news: (news: News) => void = () => {};
  /** After each frame, until another program begins. */
  after: () => void = () => {};
  /** The first picture of the session is there. */
  readonly seen: Promise<void>;
  private isSeen: () => void = () => {};
  private isShown = false;
  /** Frames were made for the sound since the picture was drawn. */
  private isFed = false;
  /** A program that has begun shows something. */
  began: () => void = () => {};
  /** After the picture was shown. */
  shown: () => void = () => {};

  constructor(
    private readonly emulator: Emulator,
    private readonly screen: Screen,
    private readonly sound: Sound,
    private readonly keyboard: Keyboard,
  ) {
    this.seen = new Promise((done) => {
      this.isSeen = done;
    });
    // Between two turns, too: a page that draws slowly keeps its sound.
    sound.asks = () => {
      if (this.running && !this.paused && !this.turbo && this.skipping === 0 && !this.keyboard.rewinding && this.feed() > 0) this.isFed = true;
    };
  }

  get running(): boolean {
    return this.request !== 0;
  }

  start(): void {
    if (this.request === 0) {
      this.due = performance.now();
      this.request = requestAnimationFrame(this.turn);
    }
  }

  stop(): void {
    cancelAnimationFrame(this.request);
    this.request = 0;
  }

  /** Another program begins: what prepares its picture in the dark is not waited for. */
  begin(): void {
    this.skipping = START;
    this.after = () => {};
    this.sound.clear();
  }

  private readonly turn = (now: number): void => {
    this.request = requestAnimationFrame(this.turn);
    if (this.keyboard.rewinding) {
      this.emulator.back(2);
      this.due = now;
      this.draw();
      return;
    }
    if (this.paused) {
      this.due = now;
      return;
    }
    let ran = 0;
    if (this.skipping > 0) {
      const started = performance.now();
      while (!this.paused && this.skipping > 0 && this.emulator.is_starting() && performance.now() - started < DARK) {
        this.frame();
        this.skipping--;
      }
      if (this.paused || (this.emulator.is_starting() && this.skipping > 0)) return;
      this.skipping = 0;
      this.began();
      // The loaded program has no picture yet.
      this.frame();
      ran = 1;
    }
    if (this.turbo) {
      const started = performance.now();
      while (!this.paused && performance.now() - started < 11) this.frame();
      ran = 1;
    } else if (this.sound.running) {
      ran += this.feed();
      this.due = now;
    } else {
      const length = 1000 / this.emulator.frame_rate();
      if (now - this.due > MOST * length) this.due = now - length;
      while (!this.paused && this.due <= now) {
        this.frame();
        this.due += length;
        ran++;
      }
    }
    if (ran > 0 || this.isFed) this.draw();
    this.isFed = false;
  };

  /** Makes the frames that the sound wants, and gives how many. */
  private feed(): number {
    let ran = 0;
    while (!this.paused && ran < MOST && this.sound.wants) {
      this.frame();
      this.sound.push(samples(this.emulator));
      ran++;
    }
    return ran;
  }

  /** One frame, whatever the clock says. */
  frame(): void {
    const started = performance.now();
    this.before();
    this.keyboard.frame(this.emulator, pads());
    const news = this.emulator.frame();
    this.measured.machine += performance.now() - started;
    this.measured.frames++;
    if (news !== undefined) {
      this.news(news);
      news.free();
    }
    this.after();
  }

  draw(): void {
    const started = performance.now();
    this.screen.show(picture(this.emulator));
    this.measured.drawing += performance.now() - started;
    if (!this.isShown) {
      this.isShown = true;
      performance.mark("picture");
      this.isSeen();
    }
    this.shown();
  }
}
