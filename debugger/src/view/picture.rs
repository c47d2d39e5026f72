//! The picture as far as the beam has drawn it.

use machine::{Frame, Machine};

/// First scan line of the picture.
const TOP: usize = 8;

/// Colour indexes, 240 rows of 376 hires pixels: up to the beam those of this frame, after it those of the frame before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The pixels, row by row.
    pub pixels: Vec<u8>,
    /// Rows that this frame has drawn completely.
    pub rows: usize,
    /// Pixels of the next row that it has drawn.
    pub columns: usize,
    /// The beam in pixels of the picture: column (may be outside to the left or right) and row; `None` in vertical blank.
    pub beam: Option<(i32, usize)>,
}

impl Picture {
    /// Pixels of a row.
    pub const WIDTH: usize = Frame::WIDTH;
    /// Rows.
    pub const HEIGHT: usize = Frame::HEIGHT;

    /// The picture of a stopped machine.
    pub fn of(machine: &Machine) -> Self {
        // GTIA draws late; drawing in a copy leaves the machine as it is.
        let mut copy = machine.clone();
        copy.draw_to_beam();
        let beam = machine.beam();
        let line = usize::from(beam.line);
        let mut pixels = machine.frame().pixels().to_vec();
        let (rows, columns) = if line < TOP {
            (0, 0)
        } else if line >= TOP + Self::HEIGHT {
            (Self::HEIGHT, 0)
        } else {
            (line - TOP, copy.bus().video.drawing_line().1)
        };
        let done = rows * Self::WIDTH;
        let rows_above = copy.bus().video.drawing().get(TOP * Self::WIDTH..);
        for (to, from) in pixels.iter_mut().zip(rows_above.unwrap_or_default()) {
            *to = *from;
        }
        if rows < Self::HEIGHT {
            pixels[done..done + columns]
                .copy_from_slice(&copy.bus().video.drawing_line().0[..columns]);
        }
        // A machine cycle is four pixels, and the picture begins with colour clock 34.
        let column = i32::from(beam.cycle) * 4 - 34 * 2;
        let visible = (TOP..TOP + Self::HEIGHT).contains(&line);
        Self {
            pixels,
            rows,
            columns,
            beam: visible.then_some((column, line.wrapping_sub(TOP))),
        }
    }

    /// A row.
    pub fn row(&self, y: usize) -> &[u8] {
        self.pixels
            .get(y * Self::WIDTH..(y + 1) * Self::WIDTH)
            .unwrap_or(&[])
    }
}
