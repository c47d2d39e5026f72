//! Keeping the machine's speed: absolute deadlines on the host's clock.
use std::time::{Duration, Instant};

/// When the host was away longer than this (asleep, stopped), the lost time is not caught up.
const TOO_LATE: Duration = Duration::from_millis(100);

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

    /// The time until the next frame is due; the deadlines do not drift, whatever is asked when.
    pub fn next(&mut self, now: Instant) -> Duration {
        self.frames += 1;
        let due = self.origin + Duration::from_secs_f64(self.frames as f64 / self.rate);
        if now > due + TOO_LATE {
            self.origin = now;
            self.frames = 0;
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
    fn lost_time_is_not_caught_up() {
        let start = Instant::now();
        let mut pacer = Pacer::new(50.0, start);
        let woken = start + Duration::from_secs(10);
        assert_eq!(pacer.next(woken), Duration::ZERO);
        assert!(pacer.next(woken) > Duration::from_millis(19));
    }
}
