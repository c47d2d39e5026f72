// Runs in the audio thread: a queue of samples between the machine and the sound card.
declare const currentFrame: number;
declare const sampleRate: number;
declare function registerProcessor(name: string, processor: unknown): void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

/** Samples that the queue holds at most: half a second. */
const SIZE = Math.ceil(sampleRate / 2);
/** Blocks of 128 samples between two reports. */
const EVERY = 8;

class Queue extends AudioWorkletProcessor {
  private readonly ring = new Float32Array(SIZE);
  private read = 0;
  private filled = 0;
  private consumed = 0;
  private gaps = 0;
  /** Samples that are missing in the gap that has not ended, and those that were missing in the others. */
  private gap = 0;
  private missed = 0;
  private blocks = 0;
  private last = 0;
  private playing = false;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<Float32Array | null>) => {
      if (data === null) {
        this.consumed += this.filled;
        this.filled = 0;
        this.playing = false;
        this.gap = 0;
        return;
      }
      for (const sample of data) {
        if (this.filled === SIZE) {
          // The page sends faster than it is played: the oldest goes.
          this.read = (this.read + 1) % SIZE;
          this.filled--;
          this.consumed++;
        }
        this.ring[(this.read + this.filled++) % SIZE] = sample;
      }
    };
  }

  process(_inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
    const [output] = outputs;
    const [first] = output;
    if (this.filled > 0) {
      this.missed += this.gap;
      this.gap = 0;
    }
    let missing = 0;
    for (let i = 0; i < first.length; i++) {
      if (this.filled > 0) {
        this.last = this.ring[this.read];
        this.read = (this.read + 1) % SIZE;
        this.filled--;
        this.consumed++;
        this.playing = true;
      } else {
        // A gap fades out: a step to silence would click.
        this.last *= 0.97;
        missing++;
      }
      first[i] = this.last;
    }
    if (missing > 0 && (this.playing || this.gap > 0)) {
      if (this.playing) this.gaps++;
      this.gap += missing;
      this.playing = false;
    }
    for (const channel of output.slice(1)) channel.set(first);
    if (++this.blocks % EVERY === 0) {
      this.port.postMessage({ consumed: this.consumed, at: currentFrame + first.length, gaps: this.gaps, missed: this.missed });
    }
    return true;
  }
}

registerProcessor("queue", Queue);
