// The canvas: whole pixels first, then the television's shape.
import { HEIGHT, WIDTH } from "./machine.ts";

/** The picture is multiplied by at most this before the browser scales it. */
const MOST = 4;

export class Screen {
  private readonly small: HTMLCanvasElement;
  private readonly pixels: CanvasRenderingContext2D;
  private readonly large: CanvasRenderingContext2D;
  private aspect = 6.136363 / 7.15909;
  private times = 0;
  /** The picture that was shown last. */
  private readonly last = new Uint32Array(WIDTH * HEIGHT);
  /** The canvas shows the last picture, with nothing over it. */
  private isPlain = false;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly room: HTMLElement,
  ) {
    this.small = document.createElement("canvas");
    this.small.width = WIDTH;
    this.small.height = HEIGHT;
    this.pixels = context(this.small);
    this.large = context(canvas);
    for (const one of [canvas, this.small]) {
      // A browser may throw away what was drawn.
      one.addEventListener("contextrestored", () => {
        this.isPlain = false;
      });
    }
    new ResizeObserver(() => this.fit()).observe(room);
    this.fit();
  }

  setAspect(aspect: number): void {
    if (aspect !== this.aspect) {
      this.aspect = aspect;
      this.fit();
    }
  }

  /** As large as the room allows, in the television's shape. */
  fit(): void {
    const shape = (WIDTH * this.aspect) / HEIGHT;
    const { clientWidth, clientHeight } = this.room;
    const tall = Math.max(1, Math.min(clientHeight, clientWidth / shape));
    this.canvas.style.width = `${Math.round(tall * shape)}px`;
    this.canvas.style.height = `${Math.round(tall)}px`;
    const times = Math.min(MOST, Math.max(1, Math.ceil((tall * devicePixelRatio) / HEIGHT)));
    if (times !== this.times) {
      this.times = times;
      this.canvas.width = WIDTH * times;
      this.canvas.height = HEIGHT * times;
      this.enlarge();
    }
  }

  show(picture: Uint8ClampedArray<ArrayBuffer>): void {
    const pixels = new Uint32Array(picture.buffer, picture.byteOffset, WIDTH * HEIGHT);
    // Most pictures are the same as the one before: the browser would enlarge, send and compose them for nothing.
    if (this.isPlain && this.decorate === null && isSame(pixels, this.last)) return;
    this.last.set(pixels);
    this.pixels.putImageData(new ImageData(picture, WIDTH, HEIGHT), 0, 0);
    this.enlarge();
  }

  /** Draws over the enlarged picture, in which a pixel is `times` wide. */
  decorate: ((pen: CanvasRenderingContext2D, times: number) => void) | null = null;

  /** Draws the picture again, with what is over it. */
  enlarge(): void {
    const { large, times } = this;
    large.imageSmoothingEnabled = false;
    large.drawImage(this.small, 0, 0, this.canvas.width, this.canvas.height);
    this.decorate?.(large, times);
    this.isPlain = this.decorate === null;
  }

  /** The pixel of the picture under a place of the window. */
  pixelAt(x: number, y: number): { x: number; y: number } | null {
    const box = this.canvas.getBoundingClientRect();
    const column = Math.floor(((x - box.left) / box.width) * WIDTH);
    const row = Math.floor(((y - box.top) / box.height) * HEIGHT);
    return column >= 0 && column < WIDTH && row >= 0 && row < HEIGHT ? { x: column, y: row } : null;
  }

  /** The picture as a PNG file, whole pixels. */
  png(): Promise<Blob> {
    return blobOf(this.small);
  }

  /** A small picture for the list of saved states. */
  async thumbnail(): Promise<ArrayBuffer> {
    const canvas = document.createElement("canvas");
    canvas.width = 160;
    canvas.height = 120;
    const to = context(canvas);
    to.drawImage(this.small, 20, 0, WIDTH - 40, HEIGHT, 0, 0, 160, 120);
    return (await blobOf(canvas)).arrayBuffer();
  }
}

function isSame(a: Uint32Array, b: Uint32Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function blobOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob === null ? failed(new Error("no picture could be made")) : done(blob)), "image/png");
  });
}

function context(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const found = canvas.getContext("2d", { alpha: false });
  if (found === null) throw new Error("this browser draws no canvas");
  return found;
}
