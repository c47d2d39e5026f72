//! Keeping the machine's speed: absolute deadlines on the host's clock.
use std::time::{Duration, Instant};

/// Further than this from the schedule, late (the host was asleep) or early (frames ran without a wait), the schedule begins again.
const TOO_FAR: Duration = Duration::from_millis(100);

/// How far the machine's rate may be from the display's for the machine to follow it: the sound follows by half a percent.
const FOLLOWS: f64 = 0.005;

/// Frames a second for a machine of `rate` frames on a `display` of that many pictures a second. The machine follows the display where it
/// can: one frame to one picture, or to two, three and so on of a faster display. The clock of the machine is right elsewhere.
pub fn rate_beside(rate: f64, display: Option<f64>) -> f64 {
    let Some(display) = display else { return rate };
    let share = display / (display / rate).round().max(1.0);
    if (share / rate - 1.0).abs() <= FOLLOWS {
        share
    } else {
        rate
    }
}

/// Tells when the next frame is due.
#[derive(Debug)]
pub struct Pacer {
    origin: Instant,
    frames: u64,
    rate: f64,
}

impl Pacer {
    /// For `rate` frames a second, from now on.
    pub fn new(rate: f64, now: Instant) -> Self {
        Self {
            origin: now,
            frames: 0,
            rate,
        }
    }

    /// The next frame is due a frame from now, whatever was before.
    pub fn begin_anew(&mut self, now: Instant) {
        self.origin = now;
        self.frames = 0;
    }

    /// Other frames a second from the next frame on.
    pub fn set_rate(&mut self, rate: f64) {
        if rate.to_bits() != self.rate.to_bits() {
            self.origin += Duration::from_secs_f64(self.frames as f64 / self.rate);
            self.frames = 0;
            self.rate = rate;
        }
    }

    /// The time until the next frame is due; the deadlines do not drift, whatever is asked when.
    pub fn next(&mut self, now: Instant) -> Duration {
        self.frames += 1;
        let due = self.origin + Duration::from_secs_f64(self.frames as f64 / self.rate);
        if now > due + TOO_FAR || due > now + TOO_FAR {
            self.begin_anew(now);
            return Duration::ZERO;
        }
        due.saturating_duration_since(now)
    }
}

/// Frames a second, measured over the last second.
#[derive(Debug)]
pub struct Meter {
    since: Instant,
    frames: u32,
    rate: f64,
}

impl Meter {
    /// Begins to measure.
    pub fn new(now: Instant) -> Self {
        Self {
            since: now,
            frames: 0,
            rate: 0.0,
        }
    }

    /// Counts a frame; `true` when there is a new figure.
    pub fn frame(&mut self, now: Instant) -> bool {
        self.frames += 1;
        let passed = now.saturating_duration_since(self.since).as_secs_f64();
        if passed < 1.0 {
            return false;
        }
        self.rate = f64::from(self.frames) / passed;
        self.frames = 0;
        self.since = now;
        true
    }

    /// The last figure.
    pub fn rate(&self) -> f64 {
        self.rate
    }
}

/// How fast the machine runs.
#[derive(Debug)]
pub struct Pace {
    /// Counts frames.
    pub meter: Meter,
    /// As fast as it goes.
    pub turbo: bool,
    pacer: Pacer,
    /// The machine's own frames a second.
    rate: f64,
}

impl Pace {
    /// For a machine of `rate` frames a second on a display whose rate may be known.
    pub fn new(rate: f64, display: Option<f64>, now: Instant) -> Self {
        Self {
            meter: Meter::new(now),
            turbo: false,
            pacer: Pacer::new(rate_beside(rate, display), now),
            rate,
        }
    }

    /// How much faster than its own clock the machine runs on this display.
    pub fn speed(&self) -> f64 {
        self.pacer.rate / self.rate
    }

    /// The time until the next frame is due.
    pub fn next(&mut self, now: Instant) -> Duration {
        self.pacer.next(now)
    }

    /// The next frame is due a frame from now, whatever was before.
    pub fn begin_anew(&mut self, now: Instant) {
        self.pacer.begin_anew(now);
    }

    /// The window may be on another display.
    pub fn set_display(&mut self, display: Option<f64>) {
        self.pacer.set_rate(rate_beside(self.rate, display));
    }

    /// Another machine.
    pub fn restart(&mut self, rate: f64, display: Option<f64>) {
        self.rate = rate;
        self.set_display(display);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadlines_do_not_drift_however_late_the_frames_are() {
        let start = Instant::now();
        let mut pacer = Pacer::new(59.9227, start);
        let mut now = start;
        for i in 0..600 {
            now += pacer.next(now);
            // Each frame takes some of the time, and the sleep is up to a millisecond late.
            now += Duration::from_micros(300 + i % 700);
        }
        let passed = now.duration_since(start).as_secs_f64();
        assert!((passed - 600.0 / 59.9227).abs() < 0.002, "{passed}");
    }

    #[test]
    fn frames_run_in_advance_are_not_waited_for() {
        let now = Instant::now();
        let mut pacer = Pacer::new(59.9227, now);
        for _ in 0..10_000 {
            assert!(pacer.next(now) <= TOO_FAR);
        }
    }

    #[test]
    fn the_machine_follows_a_display_that_is_near_enough() {
        let (ntsc, pal) = (59.9227, 49.8607);
        for (rate, display, wanted) in [
            (ntsc, Some(60.0), 60.0),
            (ntsc, Some(59.94), 59.94),
            (ntsc, Some(119.88), 59.94),
            (ntsc, Some(144.0), ntsc),
            (ntsc, Some(60.3), ntsc),
            (ntsc, Some(75.0), ntsc),
            (ntsc, Some(29.97), ntsc),
            (ntsc, None, ntsc),
            (pal, Some(50.0), 50.0),
            (pal, Some(100.0), 50.0),
            (pal, Some(60.0), pal),
        ] {
            let found = rate_beside(rate, display);
            assert!(
                (found - wanted).abs() < 1e-9,
                "{rate} on {display:?}: {found}"
            );
        }
    }

    #[test]
    fn another_rate_begins_with_the_next_frame_and_loses_no_time() {
        let start = Instant::now();
        let mut pacer = Pacer::new(59.9227, start);
        let mut now = start;
        for rate in [60.0, 59.9227, 60.0] {
            for _ in 0..100 {
                now += pacer.next(now);
            }
            pacer.set_rate(rate);
        }
        let passed = now.duration_since(start).as_secs_f64();
        let wanted = 200.0 / 59.9227 + 100.0 / 60.0;
        assert!((passed - wanted).abs() < 0.001, "{passed} {wanted}");
    }

    #[test]
    fn lost_time_is_not_caught_up() {
        let start = Instant::now();
        let mut pacer = Pacer::new(50.0, start);
        let woken = start + Duration::from_secs(10);
        assert_eq!(pacer.next(woken), Duration::ZERO);
        assert!(pacer.next(woken) > Duration::from_millis(19));
    }
}
