//! Words over the Atari's picture: a message at the lower edge, and unusual settings in the upper right corner.
use super::surface::{Surface, scale_over};
use super::theme;
use egui::{Align2, FontId, Rect, Stroke, StrokeKind, Ui, pos2, vec2};

/// Between a text and the edge of its field, and between fields and the window's edge.
const MARGIN: f32 = 8.0;

/// The words over the picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// A sentence.
    pub message: Option<String>,
    /// Words for states.
    pub states: Vec<String>,
}

impl Words {
    /// True if there is nothing to read.
    pub fn is_empty(&self) -> bool {
        self.message.is_none() && self.states.is_empty()
    }
}

/// Draws them. Words that stay are laid out once.
#[derive(Debug, Default)]
pub struct Banner {
    /// `None` before the first words.
    surface: Option<Surface>,
    drawn: Option<((usize, usize), Words)>,
}

impl Banner {
    /// Draws words over the pixels of a window of this size.
    pub fn draw(&mut self, pixels: &mut [u32], size: (usize, usize), words: &Words) {
        if words.is_empty() {
            return;
        }
        let surface = self.surface.get_or_insert_with(|| Surface::new(true));
        surface.resize(size, scale_over(size));
        let same = |(then, drawn): &((usize, usize), Words)| *then == size && drawn == words;
        if self.drawn.as_ref().is_some_and(same) {
            surface.repeat_over(pixels);
            return;
        }
        surface.run_over(pixels, Vec::new(), false, |ui| lay_out(ui, words));
        self.drawn = Some((size, words.clone()));
    }
}

fn lay_out(ui: &Ui, words: &Words) {
    let colours = theme::colours(ui);
    let painter = ui.painter();
    let area = ui.max_rect().shrink(MARGIN);
    let field = |inside: Rect| {
        let fill = colours.panel.gamma_multiply(0.92);
        let stroke = Stroke::new(1.0, colours.line);
        painter.rect(
            inside.expand2(vec2(MARGIN, 4.0)),
            4.0,
            fill,
            stroke,
            StrokeKind::Inside,
        );
    };
    if let Some(message) = &words.message {
        let width = area.width() - 2.0 * MARGIN;
        let galley = painter.layout(
            message.clone(),
            FontId::proportional(14.0),
            colours.text,
            width,
        );
        let at = pos2(area.left() + MARGIN, area.bottom() - galley.size().y - 4.0);
        field(Rect::from_min_size(at, galley.size()));
        painter.galley(at, galley, colours.text);
    }
    let mut right = area.right();
    for state in words.states.iter().rev() {
        let galley =
            painter.layout_no_wrap(state.clone(), FontId::proportional(12.0), colours.accent);
        let size = galley.size();
        let at = Align2::RIGHT_TOP
            .anchor_size(pos2(right - MARGIN, area.top() + 4.0), size)
            .min;
        field(Rect::from_min_size(at, size));
        painter.galley(at, galley, colours.accent);
        right -= size.x + 2.0 * MARGIN + 4.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: (usize, usize) = (480, 360);

    fn drawn(banner: &mut Banner, message: Option<&str>, states: &[&str]) -> Vec<u32> {
        let mut pixels = vec![0x12_3456; SIZE.0 * SIZE.1];
        let words = Words {
            message: message.map(str::to_owned),
            states: states.iter().map(|&state| state.to_owned()).collect(),
        };
        banner.draw(&mut pixels, SIZE, &words);
        pixels
    }

    /// The rows and columns that are not as before, as a box: left, top, right, bottom.
    fn touched(pixels: &[u32]) -> Option<[usize; 4]> {
        let changed = pixels.iter().enumerate().filter(|(_, p)| **p != 0x12_3456);
        let places = changed.map(|(at, _)| (at % SIZE.0, at / SIZE.0));
        places.fold(None, |found: Option<[usize; 4]>, (x, y)| {
            let [l, t, r, b] = found.unwrap_or([x, y, x, y]);
            Some([l.min(x), t.min(y), r.max(x), b.max(y)])
        })
    }

    #[test]
    fn a_long_message_is_wrapped_and_stays_in_the_window() {
        let mut banner = Banner::default();
        assert_eq!(touched(&drawn(&mut banner, None, &[])), None);
        let short = touched(&drawn(&mut banner, Some("paused"), &[])).unwrap();
        let long = "picture: /a/rather/long/path/".repeat(8);
        let long = touched(&drawn(&mut banner, Some(&long), &[])).unwrap();
        assert!(short[1] > 300 && long[1] < short[1], "{short:?} {long:?}");
        assert!(long[2] < SIZE.0 - 4 && long[3] < SIZE.1 - 4, "{long:?}");
    }

    #[test]
    fn the_same_words_look_the_same_every_time() {
        let mut banner = Banner::default();
        let states = ["PAL", "muted", "D1: copy"];
        let first = drawn(&mut banner, Some("x"), &states);
        assert_eq!(drawn(&mut banner, Some("x"), &states), first);
        let other = drawn(&mut banner, Some("x"), &states[..2]);
        assert_ne!(other, first);
        assert_eq!(drawn(&mut banner, Some("x"), &states), first);
    }
}
