// The drawing over the picture in the inspector: the beam, the pixel that is pointed at, the event map.
import type { Beam } from "../engine.ts";
import { HEIGHT, WIDTH } from "../machine.ts";

export interface Pixel {
  x: number;
  y: number;
}

/** Colours of the map: ANTIC, GTIA, POKEY, PIA, interrupts. */
export const KINDS: [string, string][] = [
  ["ANTIC", "#62d0ff"],
  ["GTIA", "#ffb347"],
  ["POKEY", "#9be06a"],
  ["PIA", "#d0a0ff"],
  ["NMI, IRQ", "#ff5f7a"],
];

export class Overlay {
  pixel: Pixel | null = null;
  /** The position of the beam. */
  beam: Pick<Beam, "line" | "cycle"> = { line: 0, cycle: 0 };
  /** The column, row and kind of each event. Nothing while the map is off. */
  events: Int16Array<ArrayBufferLike> = new Int16Array();

  draw(pen: CanvasRenderingContext2D, times: number): void {
    const { line, cycle } = this.beam;
    pen.fillStyle = "rgb(255 255 255 / 0.35)";
    pen.fillRect(0, (line - 8) * times, WIDTH * times, times);
    pen.fillStyle = "#fff";
    pen.fillRect((cycle * 4 - 68) * times, (line - 10) * times, 4 * times, 5 * times);
    for (let i = 0; i < this.events.length; i += 3) {
      const [x, y] = this.at(i);
      pen.fillStyle = "#000";
      pen.fillRect((x - 1) * times, (y - 1) * times, 5 * times, 3 * times);
      pen.fillStyle = KINDS[this.events[i + 2]][1];
      pen.fillRect(x * times, y * times, 3 * times, times);
    }
    const { pixel } = this;
    if (pixel === null) return;
    for (const [colour, apart] of [["#000", 3], ["#fff", 2]] as const) {
      pen.strokeStyle = colour;
      pen.lineWidth = times;
      pen.strokeRect((pixel.x - apart) * times, (pixel.y - apart) * times, (2 * apart + 1) * times, (2 * apart + 1) * times);
    }
  }

  /** Where an event is drawn: those beside the picture at its edge. */
  private at(i: number): [number, number] {
    return [Math.min(WIDTH - 4, Math.max(1, this.events[i])), Math.min(HEIGHT - 2, Math.max(1, this.events[i + 1]))];
  }

  /** The number of the event that is nearest to a pixel, if one is near. */
  near({ x, y }: Pixel): number | null {
    let [best, found] = [7, -1];
    for (let i = 0; i < this.events.length; i += 3) {
      const [ex, ey] = this.at(i);
      const apart = Math.abs(ex + 1 - x) / 2 + Math.abs(ey - y);
      if (apart < best) [best, found] = [apart, i / 3];
    }
    return found < 0 ? null : found;
  }
}
