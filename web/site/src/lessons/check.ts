// Checks of a lesson's step: the learner's listing runs in a machine of its own, beside the one that is shown.
import { Emulator, HEIGHT, WIDTH, samples } from "../machine.ts";
import type { Check } from "./lesson.ts";

/** Result of a check, for the learner. */
export interface Result {
  isGood: boolean;
  text: string;
}

/** Frames within which a check has to come true, and most frames of a whole step. */
const WITHIN = 600;
const MOST = 18_000;
/** Frames between two looks, and frames of sound that are listened to. */
const APART = 5;
const HEARD = 8;
/** Milliseconds of a turn after which the page is given time. */
const TURN = 40;
const RATE = 48_000;
const STICKS: Record<string, number> = { up: 1, down: 2, left: 4, right: 8, trigger: 16 };

/** Runs the checks of a step. Stops at the first one that is not met. */
export async function run(listing: string, checks: Check[], options: string): Promise<Result[]> {
  const bench = new Bench(listing, options);
  try {
    const results: Result[] = [];
    for (const check of checks) {
      const isGood = await bench.meets(check);
      if (!isGood || check.meaning !== "") results.push({ isGood, text: check.meaning !== "" ? check.meaning : `${check.word} ${check.rest}` });
      if (!isGood) break;
    }
    return results;
  } finally {
    bench.free();
  }
}

class Bench {
  private readonly machine = new Emulator(RATE);
  private within = WITHIN;
  private frames = 0;
  private turn = performance.now();
  private stick = 0;
  /** The sound of the last frames. */
  private heard: Float32Array[] = [];

  constructor(
    private readonly listing: string,
    private readonly options: string,
  ) {
    this.machine.open_listing(listing, options);
  }

  free(): void {
    this.machine.free();
  }

  /** Does or looks at what a check says. False where it is not met. */
  async meets({ word, rest }: Check): Promise<boolean> {
    switch (word) {
      case "within":
        this.within = Math.min(MOST, Number(rest) || WITHIN);
        return true;
      case "frames":
        await this.run(Number(rest) || 0);
        return true;
      case "restart":
        this.machine.open_listing(this.listing, this.options);
        return true;
      case "type":
        this.machine.type_text(rest.replaceAll("\\n", "\n"));
        return true;
      case "stick":
        return this.hold(rest);
      case "no":
        await this.run(APART);
        return !this.isTrue(rest);
      default:
        return this.until(() => this.isTrue(`${word} ${rest}`));
    }
  }

  private async hold(rest: string): Promise<boolean> {
    const [direction, frames] = rest.split(" ");
    this.stick = STICKS[direction] ?? 0;
    await this.run(Number(frames) || 10);
    this.stick = 0;
    return true;
  }

  private async until(test: () => boolean): Promise<boolean> {
    for (let ran = 0; ran <= this.within; ran += APART) {
      if (test()) return true;
      await this.run(APART);
    }
    return test();
  }

  private async run(frames: number): Promise<void> {
    for (let i = 0; i < frames; i++) {
      if (++this.frames > MOST) throw new Error("the checks took longer than five minutes of the machine's time");
      this.machine.stick(0, this.stick);
      this.machine.frame();
      this.heard.push(samples(this.machine).slice());
      if (this.heard.length > HEARD) this.heard.shift();
      if (performance.now() - this.turn > TURN) {
        await new Promise((done) => setTimeout(done));
        this.turn = performance.now();
      }
    }
  }

  private isTrue(check: string): boolean {
    const [word, ...more] = check.split(" ");
    const rest = more.join(" ").trim();
    switch (word) {
      case "text":
        return this.machine.text().toUpperCase().includes(rest.toUpperCase());
      case "listing":
        return this.listing.toUpperCase().includes(rest.toUpperCase());
      case "peek": {
        const [address, wanted] = rest.split(" is ");
        return this.machine.peek(this.value(address), 1)[0] === this.value(wanted);
      }
      case "colour": {
        const found = /^(\d+),(\d+) is (.+)$/.exec(rest);
        if (found === null) throw new Error(`the lesson's check "${check.slice(0, 60)}" is not understood`);
        const [x, y] = [Number(found[1]), Number(found[2])];
        if (x >= WIDTH || y >= HEIGHT) throw new Error(`the lesson's check "${check.slice(0, 60)}" is outside the picture`);
        return this.machine.colour_numbers()[y * WIDTH + x] === this.value(found[3]);
      }
      case "tone":
        return Math.abs(this.tone() / Number(rest) - 1) < 0.015;
      case "silence":
        return this.tone() === 0;
      default:
        throw new Error(`there is no check "${word.slice(0, 40)}"`);
    }
  }

  /** A number, `$` and a hexadecimal one, `word(ADDRESS)`, or a sum of these. */
  private value(text: string | undefined): number {
    const parts = (text ?? "").split("+").map((part) => {
      const plain = part.trim();
      const word = /^word\((.+)\)$/.exec(plain)?.[1];
      if (word !== undefined) {
        const [low, high] = this.machine.peek(this.value(word), 2);
        return low + 256 * high;
      }
      const number = plain.startsWith("$") ? Number.parseInt(plain.slice(1), 16) : Number.parseInt(plain, 10);
      if (!(number >= 0 && number < 0x10000)) throw new Error(`the lesson's number "${plain.slice(0, 40)}" is not understood`);
      return number;
    });
    return parts.reduce((sum, part) => sum + part, 0) & 0xffff;
  }

  /** The frequency of the tone that sounds, by its crossings of the mean; 0 for silence. */
  private tone(): number {
    if (this.heard.length < HEARD) return -1;
    const all = this.heard.flatMap((part) => [...part]);
    const mean = all.reduce((sum, one) => sum + one, 0) / all.length;
    const loud = all.reduce((most, one) => Math.max(most, Math.abs(one - mean)), 0);
    if (loud < 0.002) return 0;
    // Crossings count when the signal has gone to the other side by a part of its height.
    let [crossings, side, first, last] = [0, 0, 0, 0];
    for (const [n, one] of all.entries()) {
      const now = one - mean > loud * 0.3 ? 1 : one - mean < -loud * 0.3 ? -1 : side;
      if (now !== side && side !== 0) {
        if (crossings === 0) first = n;
        last = n;
        crossings++;
      }
      side = now;
    }
    return crossings < 4 ? -1 : ((crossings - 1) / 2) * (RATE / (last - first));
  }
}
