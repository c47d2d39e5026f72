//! Samples to the sound card, through a ring that the machine fills once a frame and the sound system empties.
//!
//! The machine runs by the clock; the sound card has a clock of its own. Slow drift is made up by making a
//! little more or fewer samples: half a percent at most, which is inaudible.
use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{BufferSize, FromSample, SampleFormat, SizedSample, StreamConfig};
use machine::Machine;
use rtrb::{Consumer, Producer, RingBuffer};
use session::sound::{Heard, Mixer};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Samples that wait in the ring, in seconds: one frame and the unevenness of two clocks.
const WAITING: f64 = 0.028;
/// On a busy host the ring runs dry; each time it does, this many seconds more wait from then on, ...
const MORE: f64 = 0.004;
/// ... but no more than this.
const MOST: f64 = 0.040;
/// With more than this waiting the rest is dropped.
const TOO_MUCH: f64 = 0.120;
/// The largest correction of the rate.
const CORRECTION: f64 = 0.005;
/// Samples that the sound system asks for at once, where it lets us choose.
const BLOCK: u32 = 512;

/// Frames after which a stream that takes no samples has stopped, where it has reported an error, ...
const STOPPED: u32 = 30;
/// ... and where it has not: a slow device may take seconds to start.
const SILENT: u32 = 600;

/// The reports of the sound system's thread.
#[derive(Debug, Default)]
struct Heartbeat {
    /// Samples it has taken.
    taken: AtomicU64,
    /// Times that it found the ring empty while it was playing.
    dry: AtomicU64,
    /// It has reported an error.
    failed: AtomicBool,
}

/// A playing sound card.
pub struct Output {
    // Dropping the stream ends the sound.
    stream: cpal::Stream,
    /// The stream is stopped until there is something to play.
    resting: bool,
    ring: Producer<[f32; 2]>,
    heartbeat: Arc<Heartbeat>,
    rate: f64,
    clock: f64,
    mixer: Mixer,
    samples: Vec<[f32; 2]>,
    /// Smoothed number of waiting samples.
    fill: f64,
    dropped: u64,
    /// Samples that were taken until a frame ago, and the frames in which none were.
    taken: (u64, u32),
    /// The ratio of the machine's speed to its own clock.
    pub speed: f64,
    /// 0 to 1.
    pub volume: f32,
    /// No sound.
    pub mute: bool,
}

impl std::fmt::Debug for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Output")
            .field("rate", &self.rate)
            .field("heartbeat", &self.heartbeat)
            .finish_non_exhaustive()
    }
}

/// Plays what is in the ring.
struct Player {
    ring: Consumer<[f32; 2]>,
    heartbeat: Arc<Heartbeat>,
    channels: usize,
    /// Samples that must wait before it begins.
    enough: usize,
    playing: bool,
    last: [f32; 2],
}

impl Player {
    fn fill<T: SizedSample + FromSample<f32>>(&mut self, block: &mut [T]) {
        self.heartbeat
            .taken
            .fetch_add((block.len() / self.channels) as u64, Ordering::Relaxed);
        if !self.playing && self.ring.slots() >= self.enough {
            self.playing = true;
            // What has gathered while the sound system was starting would only be late.
            let late = self.ring.slots() - self.enough;
            if let Ok(chunk) = self.ring.read_chunk(late) {
                chunk.commit_all();
            }
        }
        for frame in block.chunks_mut(self.channels) {
            if !self.playing {
                // Fading out instead of stopping does not click.
                self.last = self.last.map(|sample| sample * 0.995);
            } else if let Ok(sample) = self.ring.pop() {
                self.last = sample;
            } else {
                self.playing = false;
                self.heartbeat.dry.fetch_add(1, Ordering::Relaxed);
            }
            let [left, right] = self.last;
            if let [mono] = frame {
                *mono = T::from_sample(left.midpoint(right));
            } else {
                for (channel, to) in frame.iter_mut().enumerate() {
                    *to = T::from_sample(if channel & 1 == 0 { left } else { right });
                }
            }
        }
    }
}

impl Output {
    /// Opens the sound card for a machine of `clock` cycles a second that is now at cycle `now`.
    ///
    /// # Errors
    /// The reason why no sound can be played.
    pub fn open(machine: &Machine) -> Result<Self, String> {
        // ALSA's library writes a dozen lines to stderr without a card; the error that comes back says it in one.
        #[cfg(target_os = "linux")]
        let _quiet = alsa::Output::local_error_handler();
        // `default_host` panics where the system has no sound library; the list of hosts does not.
        let mut problem = "the system has no sound".to_owned();
        for host in cpal::available_hosts()
            .into_iter()
            .filter_map(|id| cpal::host_from_id(id).ok())
        {
            match Self::open_on(&host, machine) {
                Ok(output) => return Ok(output),
                Err(error) => problem = error,
            }
        }
        Err(problem)
    }

    fn open_on(host: &cpal::Host, machine: &Machine) -> Result<Self, String> {
        let device = host
            .default_output_device()
            .ok_or("there is no sound device")?;
        let supported = device
            .default_output_config()
            .map_err(|error| error.to_string())?;
        let format = supported.sample_format();
        let mut config: StreamConfig = supported.into();
        config.buffer_size = BufferSize::Fixed(BLOCK);
        Self::build(&device, format, config, machine).or_else(|_| {
            config.buffer_size = BufferSize::Default;
            Self::build(&device, format, config, machine)
        })
    }

    fn build(
        device: &cpal::Device,
        format: SampleFormat,
        config: StreamConfig,
        machine: &Machine,
    ) -> Result<Self, String> {
        let rate = f64::from(config.sample_rate);
        let (ring, consumer) = RingBuffer::new((rate / 2.0) as usize);
        let heartbeat = Arc::new(Heartbeat::default());
        let player = Player {
            ring: consumer,
            heartbeat: Arc::clone(&heartbeat),
            channels: usize::from(config.channels).max(1),
            // Half a frame more, because the control looks before it adds a frame.
            enough: (rate * (WAITING + 0.008)) as usize,
            playing: false,
            last: [0.0; 2],
        };
        let stream = match format {
            SampleFormat::I16 => stream::<i16>(device, config, player),
            SampleFormat::U16 => stream::<u16>(device, config, player),
            SampleFormat::I32 => stream::<i32>(device, config, player),
            SampleFormat::U8 => stream::<u8>(device, config, player),
            SampleFormat::F32 => stream::<f32>(device, config, player),
            other => Err(format!(
                "the sound device wants samples of the kind {other}"
            )),
        }?;
        stream.play().map_err(|error| error.to_string())?;
        Ok(Self {
            stream,
            resting: false,
            ring,
            heartbeat,
            rate,
            clock: machine.config().tv.clock(),
            mixer: Mixer::new(machine, rate),
            samples: Vec::new(),
            fill: rate * WAITING,
            dropped: 0,
            taken: (0, 0),
            speed: 1.0,
            volume: 1.0,
            mute: false,
        })
    }

    /// Stops the stream while the machine stands still: an open one costs about two hundredths of a core. [`Self::frame`] continues.
    pub fn rest(&mut self) {
        if !self.resting {
            self.resting = self.stream.pause().is_ok();
        }
    }

    /// After each frame: turns the changes of the machine's sound up to cycle `now` into samples and hands them on.
    pub fn frame(&mut self, heard: &Heard, now: u64) {
        if self.resting {
            self.resting = false;
            if self.stream.play().is_err() {
                self.heartbeat.failed.store(true, Ordering::Relaxed);
            }
        }
        let taken = self.heartbeat.taken.load(Ordering::Relaxed);
        let idle = if taken == self.taken.0 {
            self.taken.1 + 1
        } else {
            0
        };
        self.taken = (taken, idle);
        let waiting = (self.ring.buffer().capacity() - self.ring.slots()) as f64;
        let dry = self.heartbeat.dry.load(Ordering::Relaxed);
        let wanted = self.rate * (WAITING + dry as f64 * MORE).min(MOST);
        self.fill += (waiting - self.fill) * 0.05;
        let error = (wanted - self.fill) / wanted;
        self.mixer.stretch(
            self.clock * self.speed,
            self.rate,
            1.0 + error.clamp(-1.0, 1.0) * CORRECTION,
        );
        self.samples.clear();
        self.mixer.render(heard, now, &mut self.samples);
        let gain = if self.mute { 0.0 } else { self.volume };
        let room = (self.rate * TOO_MUCH - waiting).max(0.0) as usize;
        let kept = self.samples.len().min(room);
        self.dropped += (self.samples.len() - kept) as u64;
        for sample in &self.samples[..kept] {
            if self.ring.push(sample.map(|s| s * gain)).is_err() {
                break;
            }
        }
    }

    /// True if the sound card takes nothing any more: it was unplugged, or the sound server has ended.
    pub fn has_stopped(&self) -> bool {
        let failed = self.heartbeat.failed.load(Ordering::Relaxed);
        self.taken.1 >= if failed { STOPPED } else { SILENT }
    }

    /// The machine's clock has jumped: another machine, a loaded state, time spent in pause or at full speed.
    pub fn restart(&mut self, machine: &Machine) {
        self.clock = machine.config().tv.clock();
        self.mixer = Mixer::new(machine, self.rate);
    }

    /// One line on how it goes, for the debug view and for tests.
    pub fn describe(&self) -> String {
        format!(
            "{} Hz, {:.0} ms waiting, {} taken, {} times dry, {} dropped{}",
            self.rate,
            self.fill / self.rate * 1000.0,
            self.heartbeat.taken.load(Ordering::Relaxed),
            self.heartbeat.dry.load(Ordering::Relaxed),
            self.dropped,
            if self.heartbeat.failed.load(Ordering::Relaxed) {
                ", errors reported"
            } else {
                ""
            }
        )
    }
}

fn stream<T: SizedSample + FromSample<f32>>(
    device: &cpal::Device,
    config: StreamConfig,
    mut player: Player,
) -> Result<cpal::Stream, String> {
    let heartbeat = Arc::clone(&player.heartbeat);
    device
        .build_output_stream(
            config,
            move |block: &mut [T], _: &cpal::OutputCallbackInfo| player.fill(block),
            // Servers report errors while they start and then run: note it and continue.
            move |_error| heartbeat.failed.store(true, Ordering::Relaxed),
            None,
        )
        .map_err(|error| error.to_string())
}
