//! Sine and cosine for angles of a few turns. The library's are exact for any angle, for which they bring 8 KB into the page.
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Terms of the series: up to a quarter turn the rest is below 1e-15.
const TERMS: u32 = 10;

/// The sine of an angle in radians.
pub(crate) const fn sin(angle: f64) -> f64 {
    let angle = angle - (angle / TAU).round_ties_even() * TAU;
    // The same sine within a quarter turn.
    let angle = if angle.abs() > FRAC_PI_2 {
        PI.copysign(angle) - angle
    } else {
        angle
    };
    let square = angle * angle;
    let mut series = 1.0;
    let mut k = TERMS - 1;
    while k != 0 {
        series = 1.0 - series * square / (2 * k * (2 * k + 1)) as f64;
        k -= 1;
    }
    angle * series
}

/// The cosine of an angle in radians.
pub(crate) fn cos(angle: f64) -> f64 {
    sin(angle + FRAC_PI_2)
}

#[cfg(test)]
mod tests {
    #[test]
    fn sine_and_cosine_are_the_librarys() {
        for step in -100_000..100_000 {
            let angle = f64::from(step) / 1000.0;
            assert!((super::sin(angle) - angle.sin()).abs() < 1e-13, "{angle}");
            assert!((super::cos(angle) - angle.cos()).abs() < 1e-13, "{angle}");
        }
    }
}
