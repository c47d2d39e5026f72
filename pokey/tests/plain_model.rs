//! Timers, noise and sound against a plain model that takes one machine cycle after the other: counters that count, shift
//! registers that shift, and delays that are delay lines. It is made from the hardware manual's description and shares nothing with
//! the chip. Registers are written at random, also in the middle of everything; the serial port stays out of it.
use pokey::{Pokey, SoundChange};

/// Cycles after which things happen, from a timer's underflow.
const RELOAD: u32 = 2;
const PULSE: u32 = 3;
const OUTPUT: u32 = 2; // from the pulse
/// From STIMER.
const STROBE_RELOAD: u32 = 3;
const STROBE_PRESET: u32 = 4;

/// One bit for each of the next cycles; bit 0 is the current one.
#[derive(Clone, Copy, Default)]
struct DelayLine(u16);

impl DelayLine {
    fn put(&mut self, cycles: u32) {
        self.0 |= 1 << cycles;
    }
    fn advance(&mut self) {
        self.0 >>= 1;
    }
    fn now(self) -> bool {
        self.0 & 1 != 0
    }
}

#[derive(Clone, Copy, Default)]
struct Timer {
    count: u8,
    /// Cycles in which it does not count.
    blocked: u32,
    reload: DelayLine,
    /// The high half of a pair: its underflow comes some cycles after the low half's.
    underflow: DelayLine,
    pulse: DelayLine,
    output: DelayLine,
    flip_flop: bool,
    /// The next output; `None` for the opposite of the present one then.
    next: Option<bool>,
}

struct Plain {
    now: u64,
    audf: [u8; 4],
    audc: [u8; 4],
    audctl: u8,
    skctl: u8,
    irqen: u8,
    irqst: u8,
    timers: [Timer; 4],
    preset: DelayLine,
    high_pass: [bool; 2],
    /// Cycles since initialization mode was left.
    running: u64,
    long: u32,
    /// Bit 8 of the long register in this cycle and before.
    long_seen: u8,
    level: u8,
    changes: Vec<(u64, u8)>,
}

const FOUR_BITS: &[u8] = b"000011101100101";
const FIVE_BITS: &[u8] = b"0000011100100010101111011010011";

impl Plain {
    fn new() -> Self {
        let mut timers = [Timer::default(); 4];
        for timer in &mut timers {
            timer.flip_flop = true;
            timer.reload.put(STROBE_RELOAD);
        }
        let mut preset = DelayLine::default();
        preset.put(STROBE_PRESET);
        Self {
            now: 0,
            audf: [0; 4],
            audc: [0; 4],
            audctl: 0,
            skctl: 0,
            irqen: 0,
            irqst: 0,
            timers,
            preset,
            high_pass: [true; 2],
            running: 0,
            long: 0,
            long_seen: 0,
            level: 0,
            changes: Vec::new(),
        }
    }

    fn in_init(&self) -> bool {
        self.skctl & 3 == 0
    }

    fn is_fast(&self, i: usize) -> bool {
        i == 0 && self.audctl & 0x40 != 0 || i == 2 && self.audctl & 0x20 != 0
    }

    fn is_linked(&self, pair: usize) -> bool {
        self.audctl & [0x10, 0x08][pair] != 0
    }

    fn filters(&self, i: usize) -> bool {
        self.audctl & (4 >> i) != 0 && !self.in_init()
    }

    fn slow_clock(&self) -> bool {
        let (first, period) = if self.audctl & 1 != 0 {
            (81, 114)
        } else {
            (22, 28)
        };
        !self.in_init() && self.running >= first && (self.running - first).is_multiple_of(period)
    }

    /// A bit of a short counter, `back` cycles ago.
    fn short(&self, bits: &[u8], back: u64, held: bool) -> bool {
        if self.in_init() || self.running < back {
            held
        } else {
            bits[((self.running - back) % bits.len() as u64) as usize] == b'1'
        }
    }

    fn step(&mut self) {
        self.now += 1;
        if !self.in_init() {
            self.running += 1;
        }
        self.shift_long();
        self.preset.advance();
        if self.preset.now() {
            self.timers.iter_mut().for_each(|t| t.flip_flop = true);
        }
        for timer in &mut self.timers {
            timer.reload.advance();
            timer.underflow.advance();
            timer.pulse.advance();
            timer.output.advance();
            if timer.output.now() {
                timer.flip_flop = timer.next.unwrap_or(!timer.flip_flop);
            }
        }
        self.mix(2 * self.now);
        for i in 0..4 {
            if self.timers[i].pulse.now() {
                self.pulse(i);
            }
        }
        self.mix(2 * self.now + 1);
        for i in 0..4 {
            let audf = self.audf[i];
            let timer = &mut self.timers[i];
            timer.blocked = timer.blocked.saturating_sub(1);
            if timer.reload.now() {
                timer.count = audf;
                // Not in this cycle and the next.
                timer.blocked = 2;
            }
        }
        for pair in 0..2 {
            self.count(2 * pair, pair);
            self.count(2 * pair + 1, pair);
        }
    }

    fn shift_long(&mut self) {
        let r = self.long;
        let new = if self.in_init() {
            0
        } else if self.audctl & 0x80 != 0 {
            !(r >> 8 ^ r >> 13) & 1
        } else {
            !(r ^ r >> 5) & 1
        };
        self.long = r >> 1 | new << 16;
        self.long_seen = self.long_seen << 1 | (self.long >> 8 & 1) as u8;
    }

    fn count(&mut self, i: usize, pair: usize) {
        let is_high = i == 2 * pair + 1 && self.is_linked(pair);
        if self.timers[i].underflow.now() {
            self.timers[i].pulse.put(PULSE);
            self.timers[i].reload.put(RELOAD);
            if is_high {
                self.timers[i - 1].reload.put(RELOAD);
            }
        }
        if is_high {
            return;
        }
        let clock = self.is_fast(i) || self.slow_clock();
        if !clock || self.timers[i].blocked > 0 {
            return;
        }
        let linked = i == 2 * pair && self.is_linked(pair);
        let timer = &mut self.timers[i];
        let underflow = timer.count == 0;
        timer.count = timer.count.wrapping_sub(1);
        if !underflow {
            return;
        }
        timer.pulse.put(PULSE);
        if linked {
            let high = &mut self.timers[i + 1];
            if high.count == 0 {
                high.underflow.put(3);
            }
            high.count = high.count.wrapping_sub(1);
        } else {
            timer.reload.put(RELOAD);
        }
    }

    fn pulse(&mut self, i: usize) {
        self.irqst |= [1, 2, 0, 4][i] & self.irqen;
        // Initialization mode holds the filters' flip-flops for eight cycles more.
        if i >= 2 && self.filters(i - 2) && self.running >= 8 {
            self.high_pass[i - 2] = self.timers[i - 2].flip_flop;
        }
        let back = i as u64;
        let audc = self.audc[i];
        let passes = audc & 0x80 != 0 || self.short(FIVE_BITS, back + 1, true);
        if passes {
            self.timers[i].next = if audc & 0x20 != 0 {
                None
            } else if audc & 0x40 != 0 {
                Some(self.short(FOUR_BITS, back, false))
            } else {
                Some(self.long_seen >> i & 1 != 0)
            };
            self.timers[i].output.put(OUTPUT);
        }
        // Two-tone mode; the serial output is at 1.
        if self.skctl & 8 != 0 && (i == 1 || i == 0 && self.skctl & 0x80 == 0) {
            for timer in &mut self.timers[..2] {
                // What fires in the next cycle still does.
                timer.pulse.0 &= 3;
                timer.underflow.0 = 0;
                timer.reload.0 &= !2;
                timer.reload.put(1);
                // No count in between.
                timer.blocked = 2;
            }
        }
    }

    fn mix(&mut self, at: u64) {
        for i in 0..2 {
            if !self.filters(i) {
                self.high_pass[i] = true;
            }
        }
        let level = (0..4)
            .map(|i| {
                let mut on = self.timers[i].flip_flop;
                if i < 2 {
                    on ^= self.high_pass[i];
                }
                if on || self.audc[i] & 0x10 != 0 {
                    self.audc[i] & 15
                } else {
                    0
                }
            })
            .sum();
        if level != self.level {
            self.level = level;
            self.changes.push((at, level));
        }
    }

    fn write(&mut self, register: u8, data: u8) {
        match register {
            0 | 2 | 4 | 6 => self.audf[usize::from(register / 2)] = data,
            1 | 3 | 5 | 7 => self.audc[usize::from(register / 2)] = data,
            8 => self.audctl = data,
            9 => {
                self.preset = DelayLine::default();
                self.preset.put(STROBE_PRESET);
                for timer in &mut self.timers {
                    timer.underflow.0 = 0;
                    timer.reload.0 = 0;
                    timer.reload.put(STROBE_RELOAD);
                    // Nothing counts until then.
                    timer.blocked = STROBE_RELOAD + 2;
                }
            }
            14 => {
                self.irqen = data;
                self.irqst &= data;
            }
            15 => {
                if self.in_init() {
                    self.running = 0;
                }
                self.skctl = data;
            }
            _ => {}
        }
    }

    fn random(&self) -> u8 {
        !(self.long >> 8) as u8
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    fn write(&mut self) -> (u8, u8) {
        let channel = self.below(4) as u8;
        let any = self.below(256) as u8;
        match self.below(16) {
            0..=4 => {
                let small = self.below(12) as u8;
                (2 * channel, self.pick(&[any, small, small, 255, 254]))
            }
            5..=9 => (
                2 * channel + 1,
                self.pick(&[any, any | 0xA0, 0xA0, any & 0xEF]),
            ),
            10 | 11 => {
                let mode = self.pick(&[
                    0, 0x01, 0x40, 0x20, 0x60, 0x50, 0x28, 0x78, 0x10, 0x08, 0x18, 0x04, 0x02,
                    0x06, 0x64, 0x66, 0x80,
                ]);
                (8, self.pick(&[mode, mode, any]))
            }
            12 => (9, 0),
            13 => (14, self.pick(&[0, 1, 2, 4, 7])),
            _ => (15, self.pick(&[3, 3, 3, 2, 1, 0, 0x0B, 0x8B, 0x83])),
        }
    }
}

fn compare(seed: u64, writes: usize) -> Result<(), String> {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut plain = Plain::new();
    let mut pokey = Pokey::new(0);
    let mut log = Vec::new();
    let mut changes: Vec<SoundChange> = Vec::new();
    for _ in 0..writes {
        let gap = random.pick(&[1, 2, 3, 6, 20, 100, 400, 2500]);
        // An instruction that writes takes four cycles.
        for _ in 0..4 + random.below(gap) {
            plain.step();
        }
        let now = plain.now;
        let irqst = !(plain.irqst | 8);
        let found = (pokey.read(14, now), pokey.read(10, now));
        if found != (irqst, plain.random()) {
            return Err(format!(
                "seed {seed} cycle {now}: IRQST, RANDOM {found:02X?}, wanted {:02X?}\n{}",
                (irqst, plain.random()),
                tail(&log)
            ));
        }
        changes.clear();
        pokey.sync_to(now);
        pokey.take_sound(&mut changes);
        let found: Vec<(u64, u8)> = changes.iter().map(|c| (c.at, c.level)).collect();
        if found != plain.changes {
            let i = (0..=found.len())
                .find(|&i| found.get(i) != plain.changes.get(i))
                .unwrap_or(0);
            return Err(format!(
                "seed {seed} cycle {now}: {:?}, wanted {:?} (half cycles)\n{}",
                found.get(i),
                plain.changes.get(i),
                tail(&log)
            ));
        }
        plain.changes.clear();
        let (register, data) = random.write();
        log.push((now, register, data));
        pokey.write(register, data, now);
        plain.write(register, data);
    }
    Ok(())
}

/// The writes before a difference.
fn tail(log: &[(u64, u8, u8)]) -> String {
    log[log.len().saturating_sub(24)..]
        .iter()
        .map(|(at, register, data)| format!("{at}: {register:X} = {data:02X}"))
        .collect::<Vec<_>>()
        .join(", ")
}

#[test]
fn registers_written_at_any_cycle_do_what_the_plain_model_does() {
    // Short runs from power-on and long ones. `ROUNDS` asks for more of them.
    let rounds = std::env::var("ROUNDS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1);
    for (seeds, writes) in [(2000, 30), (100, 400)] {
        let wrong: Vec<String> = (0..rounds * seeds)
            .filter_map(|seed| compare(seed, writes).err())
            .collect();
        let shown = &wrong[..wrong.len().min(5)];
        assert!(
            wrong.is_empty(),
            "{} differ:\n{}",
            wrong.len(),
            shown.join("\n")
        );
    }
}
