// Sound: samples to an AudioWorklet, or to scheduled buffers without one. The queue's length paces the machine.

/** The state of the page's sound. */
export interface SoundState {
  kind: "off" | "worklet" | "buffers";
  queued: number;
  latency: number;
  gaps: number;
}

/** Seconds of sound that are kept in the queue before the next frame is made. */
const AHEAD = 0.02;
/** The most that is kept after gaps. One that is longer changes nothing: the page was busy once. */
const MOST_AHEAD = 0.25;
/** Seconds by which each gap deepens the queue, beside its own length. */
const MARGIN = 0.004;
/** Seconds of sound without a gap after which the queue becomes shorter again, and the part of them by which it does. */
const QUIET = 10;
const SHRINK = 0.02;

/** The worklet's report: samples played, its time, and what was missing in gaps that have ended, all in samples; and the number of gaps. */
interface Report {
  consumed: number;
  at: number;
  gaps: number;
  missed: number;
}

export class Sound {
  private context: AudioContext | null = null;
  private node: AudioWorkletNode | null = null;
  private gain: GainNode | null = null;
  private pushed = 0;
  private report: Report = { consumed: 0, at: 0, gaps: 0, missed: 0 };
  private nextBuffer = 0;
  private ahead = AHEAD;
  /** The time of the last gap, in samples. */
  private lastGap = 0;
  private starting = false;
  muted = false;
  /** Loudness, 0 to 1. */
  volume = 1;
  /** The worklet has told how much it has played: more may be wanted. */
  asks: () => void = () => {};
  /** The reason why no sound can be played; one sentence. */
  trouble = "";

  constructor(
    private readonly worklet: string,
    private readonly begun: (rate: number) => void,
  ) {}

  get running(): boolean {
    return this.context?.state === "running" && this.gain !== null;
  }

  /** Begins, after the user's first touch: browsers play nothing before. */
  async start(): Promise<void> {
    if (this.starting || this.running) return;
    this.starting = true;
    try {
      this.context ??= new AudioContext({ latencyHint: "interactive" });
      const context = this.context;
      await context.resume();
      if (this.gain === null) {
        this.gain = new GainNode(context, { gain: this.gainNow });
        this.gain.connect(context.destination);
        // Pages that are not from a secure place have no worklets.
        if (context.audioWorklet !== undefined) {
          await context.audioWorklet.addModule(this.worklet);
          this.node = new AudioWorkletNode(context, "queue", { numberOfInputs: 0, outputChannelCount: [2] });
          this.node.port.onmessage = ({ data }) => this.reported(data);
          this.node.connect(this.gain);
        }
      }
      this.trouble = "";
      this.begun(context.sampleRate);
    } catch (error) {
      this.gain = null;
      this.trouble = `this browser plays no sound (${error instanceof Error ? error.message : String(error)})`;
    } finally {
      this.starting = false;
    }
  }

  async pause(): Promise<void> {
    this.clear();
    if (this.context?.state === "running") await this.context.suspend();
  }

  async resume(): Promise<void> {
    if (this.gain !== null && this.context?.state === "suspended") await this.context.resume();
  }

  setMuted(muted: boolean): void {
    this.muted = muted;
    if (this.gain !== null) this.gain.gain.value = this.gainNow;
  }

  setVolume(volume: number): void {
    this.volume = volume;
    if (this.gain !== null) this.gain.gain.value = this.gainNow;
  }

  private get gainNow(): number {
    return this.muted ? 0 : this.volume;
  }

  /** The page comes too late now and then: the queue becomes longer by what was missing, and slowly shorter again. */
  private reported(report: Report): void {
    const old = this.report;
    this.report = report;
    const rate = this.context?.sampleRate ?? 1;
    const late = (report.missed - old.missed) / rate;
    if (late > 0) {
      if (late < MOST_AHEAD) this.ahead = Math.min(MOST_AHEAD, this.ahead + late + MARGIN);
      this.lastGap = report.at;
    } else if (report.at - this.lastGap > QUIET * rate) {
      this.ahead = Math.max(AHEAD, this.ahead - (SHRINK * (report.at - old.at)) / rate);
    }
    if (this.running) this.asks();
  }

  /** Forgets what was not played yet: the machine has jumped. */
  clear(): void {
    this.node?.port.postMessage(null);
    this.nextBuffer = 0;
  }

  /** Seconds in the queue. */
  get queued(): number {
    const context = this.context;
    if (context === null) return 0;
    if (this.node === null) return Math.max(0, this.nextBuffer - context.currentTime);
    const since = Math.max(0, context.currentTime * context.sampleRate - this.report.at);
    return Math.max(0, (this.pushed - this.report.consumed - since) / context.sampleRate);
  }

  /** True if the next frame is due. */
  get wants(): boolean {
    return this.queued < this.ahead;
  }

  push(samples: Float32Array): void {
    const context = this.context;
    if (context === null || this.gain === null || samples.length === 0) return;
    const copy = samples.slice();
    if (this.node !== null) {
      this.pushed += copy.length;
      this.node.port.postMessage(copy, [copy.buffer]);
      return;
    }
    const buffer = new AudioBuffer({ length: copy.length, sampleRate: context.sampleRate });
    buffer.copyToChannel(copy, 0);
    const source = new AudioBufferSourceNode(context, { buffer });
    source.connect(this.gain);
    this.nextBuffer = Math.max(this.nextBuffer, context.currentTime + 0.005);
    source.start(this.nextBuffer);
    this.nextBuffer += copy.length / context.sampleRate;
  }

  get state(): SoundState {
    const kind = this.gain === null ? "off" : this.node === null ? "buffers" : "worklet";
    return { kind, queued: this.queued, latency: this.context?.baseLatency ?? 0, gaps: this.report.gaps };
  }
}
