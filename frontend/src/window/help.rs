//! The list of keys over the picture.
use super::canvas::Canvas;
use crate::config::{ACTIONS, Config, FIXED};

const WHITE: u32 = 0xFF_FFFF;
const GOLD: u32 = 0xF0_C040;

/// Draws the list over the whole canvas.
pub fn draw(canvas: &mut Canvas, config: &Config) {
    let (width, height) = (canvas.width, canvas.height);
    canvas.shade(0, 0, width, height, 0x00_1020, 216);
    let lines: Vec<(String, &str)> = ACTIONS
        .iter()
        .map(|&(action, _, what)| (config.keys_of(action), what))
        .chain(FIXED.iter().map(|&(keys, what)| (keys.to_owned(), what)))
        .collect();
    let rows = lines.len().div_ceil(2);
    let scale = (height / ((rows + 6) * 10)).min(width / (90 * 8)).max(1);
    let line = (height / (rows + 6)).clamp(10 * scale, 20 * scale);
    let left = 2 * 8 * scale;
    canvas.text(
        left,
        line,
        scale,
        GOLD,
        "Anticlock: keys (F1 closes this list; the Atari runs on)",
    );
    for (i, (keys, what)) in lines.iter().enumerate() {
        let (column, row) = (i / rows, i % rows);
        let x = left + column * width / 2;
        let y = (row + 3) * line;
        canvas.text(x, y, scale, GOLD, keys);
        // The second column's texts are short, its keys long.
        let indent = if column == 0 {
            20
        } else {
            22.max(keys.chars().count() + 1)
        };
        canvas.text(x + indent * 8 * scale, y, scale, WHITE, what);
    }
    let last = (rows + 4) * line;
    canvas.text(left, last, scale, WHITE, "Everything else types what the key shows. Change keys in the file that `anticlock config` prints.");
}
