//! Many machines at once, for programs that learn and search: stepped together on all processors, each copied in microseconds.
//!
//! ```
//! use batch::{Batch, Options, Output, Task};
//!
//! let task = Task::named("tic-tac-toe")?.expect("one of ours");
//! let mut batch = Batch::new(&task, &task.prepare(None, None, 0)?, 2, Options::default())?;
//! let mut observations = vec![0; batch.observation_bytes()];
//! batch.reset(&[1, 2], &mut observations)?;
//! // One machine pushes its joystick to the left, the other waits.
//! let mut actions = [machine::Input::default(); 2];
//! actions[0].joystick(0).left();
//! let mut rewards = [0.0; 2];
//! let (mut terminated, mut truncated) = ([false; 2], [false; 2]);
//! batch.step(&actions, Output {
//!     observations: &mut observations,
//!     rewards: &mut rewards,
//!     terminated: &mut terminated,
//!     truncated: &mut truncated,
//! })?;
//! // What would have happened to the second one? A copy of it tries.
//! let saved = batch.save(1)?;
//! batch.fork(0, 1)?;
//! batch.restore(1, &saved)?;
//! # Ok::<(), batch::BatchError>(())
//! ```
//!
//! A machine in a batch has no host: its program finds no folder at H:. It runs exactly as a [`session::Session`] with the same controls does.
#![forbid(unsafe_code)]

mod task;
mod view;

pub use task::{Signal, Step, TASKS, Task, action};
pub use view::{Area, View, luminance};

use machine::host::{HostReply, status};
use machine::{Input, Machine, Pointer, PointerKind, SoundChange};
use rayon::ThreadPool;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use task::Read;
use view::{Painter, Work};

/// Machines of a batch, at most.
pub const MOST: usize = 65_536;

/// Reason why a batch refuses a request.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BatchError {
    /// A task's file is wrong.
    #[error("the task is not understood: {0}")]
    Task(String),
    /// The beginning of the task was not reached.
    #[error("{0}")]
    Start(String),
    /// A number out of its range.
    #[error("{name} is {value}, and must be {least} to {most}")]
    Range {
        /// The name of the number.
        name: &'static str,
        /// The value that was given.
        value: f64,
        /// Least possible value.
        least: f64,
        /// Greatest possible value.
        most: f64,
    },
    /// A buffer or list of another size.
    #[error("{name} has {found} elements, and must have {wanted}")]
    Size {
        /// The name of the buffer or list.
        name: &'static str,
        /// The number of elements that it must have.
        wanted: usize,
        /// The number of elements that it has.
        found: usize,
    },
    /// The brighter of two pixels is asked for in a view without pixels.
    #[error("max-pooling is for grey and RGB observations")]
    Pool,
    /// No threads.
    #[error("the threads cannot be started: {0}")]
    Threads(String),
}

/// The time at which a machine whose episode has ended begins the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Autoreset {
    /// In the next step, which does nothing else for it.
    #[default]
    NextStep,
    /// When the caller resets it.
    Disabled,
}

/// The way in which a batch runs its machines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The form of observations.
    pub view: View,
    /// Least and most frames of a step, 1 to 1,000; a machine's chance decides. The controls are held all the time.
    pub frame_skip: [u32; 2],
    /// Take the brighter of each pixel of the last two frames.
    pub max_pool: bool,
    /// Observations that are given together, oldest first, 1 to 16.
    pub stack: usize,
    /// Chance that a frame is run with the controls of the step before, 0 to 1 (ALE's sticky actions).
    pub repeat: f64,
    /// Frames without controls after a reset: 0 to this many, at most 10,000, by the machine's seed.
    pub noops: u32,
    /// Frames after which an episode is cut off, at the end of a step; 0 = never.
    pub most_frames: u32,
    /// See [`Autoreset`].
    pub autoreset: Autoreset,
    /// Draw the last frame of a step, for [`Batch::machine`]'s picture, even where the view does not need it.
    pub draw: bool,
    /// Threads; 1 = the caller's, 0 = one for each processor.
    pub threads: usize,
}

impl Default for Options {
    /// Grey 84 by 84, four frames a step, nothing left to chance, one thread.
    fn default() -> Self {
        Self {
            view: View::Grey84,
            frame_skip: [4, 4],
            max_pool: false,
            stack: 1,
            repeat: 0.0,
            noops: 0,
            most_frames: 0,
            autoreset: Autoreset::NextStep,
            draw: false,
            threads: 1,
        }
    }
}

impl Options {
    /// True if a step draws its last frame.
    fn draws(&self) -> bool {
        self.draw || self.view.is_picture()
    }

    fn check(&self) -> Result<(), BatchError> {
        let range = |name, value: f64, least: f64, most: f64| {
            let error = BatchError::Range {
                name,
                value,
                least,
                most,
            };
            (least..=most).contains(&value).then_some(()).ok_or(error)
        };
        let [least, most] = self.frame_skip.map(f64::from);
        range("frame_skip", least, 1.0, 1000.0)?;
        range("the most of frame_skip", most, least, 1000.0)?;
        range("stack", self.stack as f64, 1.0, 16.0)?;
        range("repeat", self.repeat, 0.0, 1.0)?;
        range("noops", self.noops.into(), 0.0, 10_000.0)?;
        range("threads", self.threads as f64, 0.0, 1024.0)?;
        if self.max_pool && !self.view.can_pool() {
            return Err(BatchError::Pool);
        }
        Ok(())
    }
}

/// The buffers that a step writes to: observations one after the other, and an element for each machine.
#[derive(Debug)]
pub struct Output<'a> {
    /// [`Batch::observation_bytes`] bytes.
    pub observations: &'a mut [u8],
    /// The sum of the task's rewards.
    pub rewards: &'a mut [f32],
    /// The episode has ended.
    pub terminated: &'a mut [bool],
    /// The episode was cut off.
    pub truncated: &'a mut [bool],
}

/// A machine of a batch with its episode, kept outside of it; it can be put into any place of this batch.
#[derive(Clone, Debug)]
pub struct Saved(Slot);

/// Machines that are stepped together. See the [crate](self).
#[derive(Debug)]
pub struct Batch {
    slots: Vec<Slot>,
    shared: Shared,
    pool: Option<ThreadPool>,
}

/// The part that all machines of a batch share.
#[derive(Debug)]
struct Shared {
    options: Options,
    start: Machine,
    /// The controls at the beginning of an episode: nothing is held; a pen points at nothing.
    rest: Input,
    rewards: Vec<(Read, f64)>,
    ends: Vec<Read>,
    painter: Painter,
}

/// A machine and its episode.
#[derive(Debug)]
struct Slot {
    machine: Machine,
    /// State of SplitMix64.
    chance: u64,
    held: Input,
    /// Values of the rewards' signals after the last step, and of the ends' at the beginning.
    rewards: Vec<f64>,
    ends: Vec<f64>,
    /// Frames of the episode.
    frames: u32,
    over: bool,
    /// The last observations, oldest first.
    seen: Vec<u8>,
    work: Work,
    sound: Vec<SoundChange>,
}

impl Clone for Slot {
    fn clone(&self) -> Self {
        Self {
            machine: self.machine.clone(),
            held: self.held,
            rewards: self.rewards.clone(),
            ends: self.ends.clone(),
            seen: self.seen.clone(),
            work: self.work.clone(),
            sound: Vec::new(),
            ..*self
        }
    }

    /// The scratch memory stays.
    fn clone_from(&mut self, source: &Self) {
        self.machine.clone_from(&source.machine);
        self.chance = source.chance;
        self.held = source.held;
        self.rewards.clone_from(&source.rewards);
        self.ends.clone_from(&source.ends);
        self.frames = source.frames;
        self.over = source.over;
        self.seen.clone_from(&source.seen);
        self.work.forget();
    }
}

impl Slot {
    fn new(shared: &Shared) -> Self {
        let Shared { options, .. } = shared;
        Self {
            machine: shared.start.clone(),
            chance: 0,
            held: shared.rest,
            rewards: vec![0.0; shared.rewards.len()],
            ends: vec![0.0; shared.ends.len()],
            frames: 0,
            over: false,
            seen: vec![0; options.view.bytes() * options.stack],
            work: Work::new(options.view, options.max_pool),
            sound: Vec::new(),
        }
    }

    /// A number from 0 up to 1.
    fn draw(&mut self) -> f64 {
        self.chance = self.chance.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.chance;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number from `least` to `most`; without a choice, chance stays as it is.
    fn whole(&mut self, [least, most]: [u32; 2]) -> u32 {
        if least == most {
            return least;
        }
        least + (self.draw() * f64::from(most - least + 1)) as u32
    }

    /// The controls of an action. A pointing device that is plugged in stays so; a mouse or trak-ball is moved from where it is.
    fn controls(&self, shared: &Shared, action: Input) -> Input {
        let plugged = shared.rest.pointer;
        let Pointer { x, y, button, .. } = action.pointer;
        let pointer = match plugged.kind {
            PointerKind::None => return action,
            _ if plugged.is_pen() => plugged.at(x, y),
            _ => plugged
                .at(self.held.pointer.x, self.held.pointer.y)
                .moved(x, y),
        };
        let pointer = Pointer { button, ..pointer };
        Input { pointer, ..action }
    }

    /// A frame with these controls.
    fn frame(&mut self, input: Input, drawing: bool) {
        if self.machine.host_request().is_some() {
            self.machine
                .answer_host(HostReply::status(status::NO_DEVICE));
        }
        self.machine.set_drawing(drawing);
        self.machine.input = input;
        self.machine.run_frame();
        self.machine.take_sound(&mut self.sound);
        self.sound.clear();
    }

    /// Begins an episode; `seed` decides all that is left to chance from here on.
    fn begin(&mut self, shared: &Shared, seed: Option<u64>) {
        self.machine.clone_from(&shared.start);
        if let Some(seed) = seed {
            self.chance = seed;
        }
        self.held = shared.rest;
        self.frames = 0;
        self.over = false;
        let frames = self.whole([0, shared.options.noops]);
        for frame in 1..=frames {
            self.frame(shared.rest, frame == frames && shared.options.draws());
        }
        for (value, (read, _)) in self.rewards.iter_mut().zip(&shared.rewards) {
            *value = read.value(&self.machine);
        }
        for (value, read) in self.ends.iter_mut().zip(&shared.ends) {
            *value = read.value(&self.machine);
        }
        self.work.keep(self.machine.frame());
        let last = self.paint(shared);
        let (rest, last) = self.seen.split_at_mut(last);
        for next in rest.chunks_exact_mut(last.len()) {
            next.copy_from_slice(last);
        }
    }

    /// Writes the last observation, which begins at the index that it gives.
    fn paint(&mut self, shared: &Shared) -> usize {
        let last = self.seen.len() - shared.options.view.bytes();
        let out = &mut self.seen[last..];
        shared.painter.paint(&self.machine, &mut self.work, out);
        last
    }

    /// A step: reward, end, cut.
    fn step(&mut self, shared: &Shared, input: Input) -> (f32, bool, bool) {
        let Shared { options, .. } = shared;
        if self.over {
            match options.autoreset {
                Autoreset::NextStep => {
                    self.begin(shared, None);
                    return (0.0, false, false);
                }
                Autoreset::Disabled => return (0.0, true, false),
            }
        }
        let draws = options.draws();
        let input = self.controls(shared, input);
        let frames = self.whole(options.frame_skip);
        for left in (0..frames).rev() {
            if options.repeat == 0.0 || self.draw() >= options.repeat {
                self.held = input;
            }
            let pooled = options.max_pool && left == 1.min(frames - 1);
            self.frame(self.held, draws && (left == 0 || pooled));
            if pooled {
                self.work.keep(self.machine.frame());
            }
        }
        self.frames = self.frames.saturating_add(frames);
        let mut reward = 0.0;
        for (value, (read, weight)) in self.rewards.iter_mut().zip(&shared.rewards) {
            let now = read.value(&self.machine);
            reward += (now - *value) * weight;
            *value = now;
        }
        let mut ends = self.ends.iter().zip(&shared.ends);
        let ended = ends.any(|(then, read)| read.value(&self.machine).total_cmp(then).is_ne());
        let cut = !ended && options.most_frames > 0 && self.frames >= options.most_frames;
        self.over = ended || cut;
        let one = options.view.bytes();
        self.seen.copy_within(one.., 0);
        self.paint(shared);
        (reward as f32, ended, cut)
    }
}

impl Batch {
    /// A batch of `count` machines that begin as `start` does, see [`Task::prepare`]. [`Self::reset`] comes before the first step. The pointing device of
    /// `start` is plugged into all of them.
    ///
    /// # Errors
    /// A number out of its range, or no threads.
    pub fn new(
        task: &Task,
        start: &Machine,
        count: usize,
        options: Options,
    ) -> Result<Self, BatchError> {
        options.check()?;
        if count == 0 || count > MOST {
            return Err(BatchError::Range {
                name: "the number of machines",
                value: count as f64,
                least: 1.0,
                most: MOST as f64,
            });
        }
        let mut start = start.clone();
        start.take_sound(&mut Vec::new());
        let rest = Input {
            pointer: released(start.input.pointer),
            ..Input::default()
        };
        let shared = Shared {
            rewards: task
                .reward
                .iter()
                .map(|signal| (Read::new(signal, &start), signal.weight))
                .collect(),
            ends: task
                .end
                .iter()
                .map(|signal| Read::new(signal, &start))
                .collect(),
            painter: Painter::new(options.view, start.config().tv),
            start,
            rest,
            options,
        };
        let pool = (options.threads != 1)
            .then(|| {
                rayon::ThreadPoolBuilder::new()
                    .num_threads(options.threads)
                    .build()
            })
            .transpose()
            .map_err(|error| BatchError::Threads(error.to_string()))?;
        let slots = vec![Slot::new(&shared); count];
        Ok(Self {
            slots,
            shared,
            pool,
        })
    }

    /// Number of machines.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// False: there is at least one machine.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The options with which it runs.
    pub fn options(&self) -> &Options {
        &self.shared.options
    }

    /// Bytes of all observations.
    pub fn observation_bytes(&self) -> usize {
        self.len() * self.one()
    }

    fn one(&self) -> usize {
        self.shared.options.view.bytes() * self.shared.options.stack
    }

    /// The machine in a place.
    ///
    /// # Errors
    /// No such place.
    pub fn machine(&self, index: usize) -> Result<&Machine, BatchError> {
        self.slot(index).map(|slot| &slot.machine)
    }

    /// Frames of a machine's episode, those of [`Options::noops`] left out.
    ///
    /// # Errors
    /// No such place.
    pub fn frames(&self, index: usize) -> Result<u32, BatchError> {
        self.slot(index).map(|slot| slot.frames)
    }

    fn slot(&self, index: usize) -> Result<&Slot, BatchError> {
        self.slots.get(index).ok_or(self.no_place(index))
    }

    fn no_place(&self, index: usize) -> BatchError {
        BatchError::Range {
            name: "the machine's number",
            value: index as f64,
            least: 0.0,
            most: self.len() as f64 - 1.0,
        }
    }

    /// Begins an episode in every machine, each with its seed, and writes the first observations.
    ///
    /// # Errors
    /// A list or buffer of another size.
    pub fn reset(&mut self, seeds: &[u64], observations: &mut [u8]) -> Result<(), BatchError> {
        size("seeds", seeds.len(), self.len())?;
        size("observations", observations.len(), self.observation_bytes())?;
        let one = self.one();
        let shared = &self.shared;
        let each = |slot: &mut Slot, seed: u64, out: &mut [u8]| {
            slot.begin(shared, Some(seed));
            out.copy_from_slice(&slot.seen);
        };
        match &self.pool {
            None => {
                let parts = observations.chunks_exact_mut(one);
                for ((slot, &seed), out) in self.slots.iter_mut().zip(seeds).zip(parts) {
                    each(slot, seed, out);
                }
            }
            Some(pool) => pool.install(|| {
                let slots = self.slots.par_iter_mut().zip(seeds);
                let parts = slots.zip(observations.par_chunks_exact_mut(one));
                parts.for_each(|((slot, &seed), out)| each(slot, seed, out));
            }),
        }
        Ok(())
    }

    /// Begins an episode in one machine; without a seed its random numbers continue.
    ///
    /// # Errors
    /// No such place, or a buffer of another size.
    pub fn reset_one(
        &mut self,
        index: usize,
        seed: Option<u64>,
        observation: &mut [u8],
    ) -> Result<(), BatchError> {
        size("the observation", observation.len(), self.one())?;
        let error = self.no_place(index);
        let slot = self.slots.get_mut(index).ok_or(error)?;
        slot.begin(&self.shared, seed);
        observation.copy_from_slice(&slot.seen);
        Ok(())
    }

    /// A step of every machine with its controls. Where a pointing device is plugged in, `pointer` of an action is where a pen or gun points, or by how many
    /// steps a mouse or trak-ball is moved in this step, and the button; its device and port are of no account. A move is made once, with the first frame that
    /// takes the action.
    ///
    /// # Errors
    /// A list or buffer of another size.
    pub fn step(&mut self, actions: &[Input], output: Output<'_>) -> Result<(), BatchError> {
        let count = self.len();
        size("actions", actions.len(), count)?;
        size(
            "observations",
            output.observations.len(),
            self.observation_bytes(),
        )?;
        size("rewards", output.rewards.len(), count)?;
        size("terminated", output.terminated.len(), count)?;
        size("truncated", output.truncated.len(), count)?;
        let one = self.one();
        let shared = &self.shared;
        let each = |slot: &mut Slot, action: Input, out: &mut [u8]| {
            let result = slot.step(shared, action);
            out.copy_from_slice(&slot.seen);
            result
        };
        let Output {
            observations,
            rewards,
            terminated,
            truncated,
        } = output;
        match &self.pool {
            None => {
                let parts = observations.chunks_exact_mut(one);
                for (index, (slot, out)) in self.slots.iter_mut().zip(parts).enumerate() {
                    (rewards[index], terminated[index], truncated[index]) =
                        each(slot, actions[index], out);
                }
            }
            Some(pool) => pool.install(|| {
                let slots = self.slots.par_iter_mut().zip(actions);
                let parts = slots.zip(observations.par_chunks_exact_mut(one));
                let flags = terminated.par_iter_mut().zip(truncated.par_iter_mut());
                let results = rewards.par_iter_mut().zip(flags);
                parts
                    .zip(results)
                    .for_each(|(((slot, &action), out), results)| {
                        let (reward, (ended, cut)) = results;
                        (*reward, *ended, *cut) = each(slot, action, out);
                    });
            }),
        }
        Ok(())
    }

    /// The last observation of a machine.
    ///
    /// # Errors
    /// No such place.
    pub fn observation(&self, index: usize) -> Result<&[u8], BatchError> {
        self.slot(index).map(|slot| slot.seen.as_slice())
    }

    /// A copy of a machine with its episode.
    ///
    /// # Errors
    /// No such place.
    pub fn save(&self, index: usize) -> Result<Saved, BatchError> {
        self.slot(index).cloned().map(Saved)
    }

    /// Puts a copy back, into this or another place of the batch that it is from.
    ///
    /// # Errors
    /// No such place, or a copy of a batch with other observations or another task.
    pub fn restore(&mut self, index: usize, saved: &Saved) -> Result<(), BatchError> {
        let error = self.no_place(index);
        let slot = self.slots.get_mut(index).ok_or(error)?;
        let (now, then) = (&slot, &saved.0);
        size("the copy's observation", then.seen.len(), now.seen.len())?;
        size("the copy's rewards", then.rewards.len(), now.rewards.len())?;
        size("the copy's ends", then.ends.len(), now.ends.len())?;
        slot.clone_from(&saved.0);
        Ok(())
    }

    /// Makes the machine at `to` a copy of the one at `from`, episode and chance included.
    ///
    /// # Errors
    /// No such place.
    pub fn fork(&mut self, from: usize, to: usize) -> Result<(), BatchError> {
        self.slot(from)?;
        self.slot(to)?;
        if let Ok([source, target]) = self.slots.get_disjoint_mut([from, to]) {
            target.clone_from(source);
        }
        Ok(())
    }

    /// Gives a machine's chance another seed, from its next step on: forks go different ways by it.
    ///
    /// # Errors
    /// No such place.
    pub fn seed(&mut self, index: usize, seed: u64) -> Result<(), BatchError> {
        let error = self.no_place(index);
        self.slots.get_mut(index).ok_or(error)?.chance = seed;
        Ok(())
    }
}

/// A pointing device whose button is up; a pen points at nothing.
fn released(pointer: Pointer) -> Pointer {
    let pointer = if pointer.is_pen() {
        pointer.away()
    } else {
        pointer
    };
    Pointer {
        button: false,
        ..pointer
    }
}

fn size(name: &'static str, found: usize, wanted: usize) -> Result<(), BatchError> {
    let error = BatchError::Size {
        name,
        wanted,
        found,
    };
    (found == wanted).then_some(()).ok_or(error)
}
