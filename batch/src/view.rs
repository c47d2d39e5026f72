//! Observations: the forms in which a machine's output is written into a buffer.
use machine::screen::atascii;
use machine::{Frame, Machine, Tv};

/// Bytes of the main memory's address space.
const RAM: usize = 0x1_0000;
/// Cells of a GRAPHICS 0 screen.
const TEXT: [usize; 2] = [24, 40];
/// SAVMSC: address of the text screen.
const SAVMSC: u16 = 0x58;

/// The form of an observation. All values are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Luminance of the playfield, 84 by 84: see [`Area`].
    Grey84,
    /// Luminance of the playfield, 192 rows of 320.
    Grey,
    /// Red, green and blue of the playfield: 192 rows of 320 by 3.
    Rgb,
    /// Colour numbers (hue * 16 + luminance) of the playfield: 192 rows of 320.
    Indexed,
    /// ATASCII codes of the GRAPHICS 0 screen at SAVMSC, 24 rows of 40; bit 7 is inverse video.
    Text,
    /// The 65,536 bytes that the processor would read, without side effects.
    Ram,
}

/// The playfield of normal width within the picture of 376 by 240: first column, first row, width, height.
pub const PLAYFIELD: [usize; 4] = [28, 24, 320, 192];

impl View {
    /// The dimensions of one observation, slowest first.
    pub fn shape(self) -> &'static [usize] {
        const WIDTH: usize = PLAYFIELD[2];
        const HEIGHT: usize = PLAYFIELD[3];
        match self {
            Self::Grey84 => &[84, 84],
            Self::Grey | Self::Indexed => &[HEIGHT, WIDTH],
            Self::Rgb => &[HEIGHT, WIDTH, 3],
            Self::Text => &TEXT,
            Self::Ram => &[RAM],
        }
    }

    /// Bytes of one observation.
    pub fn bytes(self) -> usize {
        self.shape().iter().product()
    }

    /// True if it is made of the picture, so that frames must be drawn.
    pub fn is_picture(self) -> bool {
        !matches!(self, Self::Text | Self::Ram)
    }

    /// True if the brighter of two frames' pixels can be taken. Colour numbers and text have no order.
    pub fn can_pool(self) -> bool {
        matches!(self, Self::Grey84 | Self::Grey | Self::Rgb)
    }
}

/// Rows of the playfield, as colour numbers.
pub(crate) fn rows(frame: &Frame) -> impl Iterator<Item = &[u8]> {
    let [x, y, width, height] = PLAYFIELD;
    (y..y + height).map(move |row| &frame.row(row)[x..x + width])
}

/// Colour tables and scratch for one thread's observations.
#[derive(Clone, Debug)]
pub(crate) struct Painter {
    view: View,
    rgb: Box<[[u8; 3]; 256]>,
    grey: [u8; 256],
    area: Area,
}

/// Luminance by ITU-R BT.601 in 14-bit fixed point, as OpenCV's `cvtColor(..., COLOR_RGB2GRAY)` has it.
pub fn luminance([r, g, b]: [u8; 3]) -> u8 {
    ((u32::from(r) * 4899 + u32::from(g) * 9617 + u32::from(b) * 1868 + 8192) >> 14) as u8
}

impl Painter {
    pub fn new(view: View, tv: Tv) -> Self {
        let rgb = session::picture::palette(tv);
        Self {
            view,
            grey: std::array::from_fn(|colour| luminance(rgb[colour])),
            rgb,
            area: Area::new([PLAYFIELD[2], PLAYFIELD[3]], [84, 84]),
        }
    }

    /// Writes the observation of a machine; `before` are the colour numbers of an earlier frame's playfield, whose brighter pixels
    /// are taken. Empty: this frame only.
    pub fn paint(&self, machine: &Machine, before: &[u8], work: &mut Work, out: &mut [u8]) {
        let width = PLAYFIELD[2];
        let frame = machine.frame();
        let mut before = before.chunks_exact(width);
        match self.view {
            View::Grey84 => {
                let grey = &mut work.grey;
                for (row, to) in rows(frame).zip(grey.chunks_exact_mut(width)) {
                    self.grey_row(row, before.next(), to);
                }
                self.area.shrink(grey, &mut work.columns, out);
            }
            View::Grey => {
                for (row, to) in rows(frame).zip(out.chunks_exact_mut(width)) {
                    self.grey_row(row, before.next(), to);
                }
            }
            View::Indexed => {
                for (row, to) in rows(frame).zip(out.chunks_exact_mut(width)) {
                    to.copy_from_slice(row);
                }
            }
            View::Rgb => {
                for (row, to) in rows(frame).zip(out.chunks_exact_mut(3 * width)) {
                    let (pixels, _) = to.as_chunks_mut::<3>();
                    match before.next() {
                        None => {
                            for (pixel, &colour) in pixels.iter_mut().zip(row) {
                                *pixel = self.rgb[usize::from(colour)];
                            }
                        }
                        Some(before) => {
                            for ((pixel, &a), &b) in pixels.iter_mut().zip(row).zip(before) {
                                let (a, b) = (self.rgb[usize::from(a)], self.rgb[usize::from(b)]);
                                *pixel = std::array::from_fn(|part| a[part].max(b[part]));
                            }
                        }
                    }
                }
            }
            View::Text => {
                let screen = machine.peek_word(SAVMSC);
                for (offset, to) in (0u16..).zip(out) {
                    let code = machine.peek(screen.wrapping_add(offset));
                    *to = atascii(code) | code & 0x80;
                }
            }
            View::Ram => {
                for (address, to) in (0..=0xFFFF).zip(out) {
                    *to = machine.peek(address);
                }
            }
        }
    }

    fn grey_row(&self, row: &[u8], before: Option<&[u8]>, to: &mut [u8]) {
        match before {
            None => {
                for (to, &colour) in to.iter_mut().zip(row) {
                    *to = self.grey[usize::from(colour)];
                }
            }
            Some(before) => {
                for ((to, &a), &b) in to.iter_mut().zip(row).zip(before) {
                    *to = self.grey[usize::from(a)].max(self.grey[usize::from(b)]);
                }
            }
        }
    }
}

/// Scratch memory of an observation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    grey: Vec<u8>,
    columns: Vec<u32>,
}

impl Work {
    pub fn new(view: View) -> Self {
        let [_, _, width, height] = PLAYFIELD;
        let room = usize::from(view == View::Grey84);
        Self {
            grey: vec![0; room * width * height],
            columns: vec![0; room * width],
        }
    }
}

/// Shrinks a picture: each pixel is the mean of the area that it covers, rounded to the nearest number and from the middle to the even one.
/// OpenCV's `resize(..., interpolation=INTER_AREA)` has the same formula in 32-bit floating point; this one is exact.
#[derive(Clone, Debug)]
pub struct Area {
    from: [usize; 2],
    to: [usize; 2],
    across: Vec<Share>,
    down: Vec<Share>,
}

/// A source row's or column's share in a destination's, in units of which a source has `to` and a destination `from`.
#[derive(Clone, Copy, Debug)]
struct Share {
    from: usize,
    to: usize,
    weight: u32,
}

fn shares(from: usize, to: usize) -> Vec<Share> {
    let mut shares = Vec::new();
    for target in 0..to {
        let (begin, end) = (target * from, (target + 1) * from);
        for source in begin / to..end.div_ceil(to) {
            let overlap = end.min((source + 1) * to) - begin.max(source * to);
            shares.push(Share {
                from: source,
                to: target,
                weight: overlap as u32,
            });
        }
    }
    shares
}

impl Area {
    /// From `[width, height]` to a smaller one; both at most 2,000.
    pub fn new(from: [usize; 2], to: [usize; 2]) -> Self {
        Self {
            from,
            to,
            across: shares(from[0], to[0]),
            down: shares(from[1], to[1]),
        }
    }

    /// Shrinks `picture` into `out`; `columns` has room for a row's sums.
    pub fn shrink(&self, picture: &[u8], columns: &mut [u32], out: &mut [u8]) {
        let ([width, height], [to_width, _]) = (self.from, self.to);
        let whole = (width * height) as u32;
        let mut down = self.down.iter().peekable();
        for (number, out) in out.chunks_exact_mut(to_width).enumerate() {
            columns.fill(0);
            while let Some(share) = down.next_if(|share| share.to == number) {
                let row = &picture[share.from * width..][..width];
                for (sum, &pixel) in columns.iter_mut().zip(row) {
                    *sum += share.weight * u32::from(pixel);
                }
            }
            let mut across = self.across.iter().peekable();
            for (column, out) in out.iter_mut().enumerate() {
                let mut sum = 0;
                while let Some(share) = across.next_if(|share| share.to == column) {
                    sum += share.weight * columns[share.from];
                }
                let (mean, rest) = (sum / whole, sum % whole);
                let up = rest * 2 > whole || rest * 2 == whole && mean & 1 == 1;
                *out = (mean + u32::from(up)) as u8;
            }
        }
    }
}
