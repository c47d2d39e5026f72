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
pub(crate) const PLAYFIELD: [usize; 4] = [28, 24, 320, 192];

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
    pub(crate) fn is_picture(self) -> bool {
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

    /// Writes the observation of a machine. With pixels of an earlier frame (see [`Work::keep`]) the brighter ones are taken. `out` has the observation
    /// of the same machine before, of which parts may be left as they are.
    pub fn paint(&self, machine: &Machine, work: &mut Work, out: &mut [u8]) {
        let width = PLAYFIELD[2];
        let frame = machine.frame();
        let mut before = work.before.chunks_exact(width);
        match self.view {
            View::Grey84 => {
                work.look(frame);
                self.shrink(work, out);
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

    /// The rows of 84 pixels that are made of rows which have changed.
    fn shrink(&self, work: &mut Work, out: &mut [u8]) {
        let width = PLAYFIELD[2];
        let (columns, row) = (&mut work.columns, &mut work.row);
        for (number, out) in out.chunks_exact_mut(self.area.width()).enumerate() {
            let shares = self.area.shares(number);
            if !shares.iter().any(|share| work.changed[share.row]) {
                continue;
            }
            columns.fill(0);
            for share in shares {
                let place = share.row * width..(share.row + 1) * width;
                self.grey_row(&work.last[place.clone()], work.before.get(place), row);
                share.add(row, columns);
            }
            self.area.across(columns, out);
        }
        work.changed.fill(false);
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

/// Memory of a machine's observations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    /// Colour numbers of the frame before the last, if the brighter pixels of the two are taken.
    before: Vec<u8>,
    /// Colour numbers of the last frame that was looked at, for [`View::Grey84`].
    last: Vec<u8>,
    /// Rows of the two that have changed since the last observation.
    changed: Vec<bool>,
    row: Vec<u8>,
    columns: Vec<u32>,
}

impl Work {
    pub fn new(view: View, max_pool: bool) -> Self {
        let [_, _, width, height] = PLAYFIELD;
        let room = usize::from(view == View::Grey84);
        Self {
            before: vec![0; usize::from(max_pool) * width * height],
            last: vec![0; room * width * height],
            changed: vec![true; height],
            row: vec![0; room * width],
            columns: vec![0; room * Area::columns(width)],
        }
    }

    /// The next observation is made of all rows: the one before is not that of the same machine.
    pub fn forget(&mut self) {
        self.changed.fill(true);
    }

    /// Keeps a frame whose pixels are taken where they are brighter than those of the last one.
    pub fn keep(&mut self, frame: &Frame) {
        take_rows(frame, &mut self.before, &mut self.changed);
    }

    fn look(&mut self, frame: &Frame) {
        take_rows(frame, &mut self.last, &mut self.changed);
    }
}

/// Copies the rows of the playfield that are not as they were.
fn take_rows(frame: &Frame, to: &mut [u8], changed: &mut [bool]) {
    let to = to.chunks_exact_mut(PLAYFIELD[2]);
    for ((to, row), changed) in to.zip(rows(frame)).zip(changed) {
        if to != row {
            to.copy_from_slice(row);
            *changed = true;
        }
    }
}

/// Shrinks a picture: each pixel is the mean of the area that it covers, rounded to the nearest number and from the middle to the even one.
/// OpenCV's `resize(..., interpolation=INTER_AREA)` has the same formula in 32-bit floating point; this one is exact.
#[derive(Clone, Debug)]
pub struct Area {
    from_width: usize,
    /// Pixels of the picture's size, by which the sums are divided.
    whole: u32,
    /// For each row of the smaller picture, its shares of the picture's rows.
    down: Vec<Vec<Share>>,
    across: Vec<Edge>,
    /// Units of a column.
    unit: u32,
}

/// A row's share in a row of the smaller picture, in units of which it has as many as there are rows in the smaller picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    pub row: usize,
    weight: u32,
}

impl Share {
    /// Adds the share of a row of pixels to the sums of columns.
    fn add(self, row: &[u8], columns: &mut [u32]) {
        for (sum, &pixel) in columns[1..].iter_mut().zip(row) {
            *sum += self.weight * u32::from(pixel);
        }
    }
}

/// The left edge of a pixel of the smaller picture: in which column, and how many units from its beginning.
#[derive(Clone, Copy, Debug)]
struct Edge {
    column: usize,
    units: u32,
}

impl Area {
    /// From `[width, height]` to a smaller one; both at most 2,000.
    pub fn new([width, height]: [usize; 2], [to_width, to_height]: [usize; 2]) -> Self {
        let down = |target: usize| {
            let (begin, end) = (target * height, (target + 1) * height);
            let rows = begin / to_height..end.div_ceil(to_height);
            rows.map(|row| {
                let covered = end.min((row + 1) * to_height) - begin.max(row * to_height);
                let weight = covered as u32;
                Share { row, weight }
            })
            .collect()
        };
        let edge = |target: usize| Edge {
            column: target * width / to_width,
            units: (target * width % to_width) as u32,
        };
        Self {
            from_width: width,
            whole: (width * height) as u32,
            down: (0..to_height).map(down).collect(),
            across: (0..=to_width).map(edge).collect(),
            unit: to_width as u32,
        }
    }

    /// Sums that [`Self::across`] needs for a row of a width: one before the first column, and one after the last.
    fn columns(width: usize) -> usize {
        width + 2
    }

    fn width(&self) -> usize {
        self.across.len() - 1
    }

    /// The parts of a row of the smaller picture.
    fn shares(&self, number: usize) -> &[Share] {
        &self.down[number]
    }

    /// Writes a row of the smaller picture of the sums of its rows' columns, and uses them up. A pixel is the difference of what is to the left of its two
    /// edges; that these sums can overflow does not matter to it.
    fn across(&self, columns: &mut [u32], out: &mut [u8]) {
        let mut sum = 0u32;
        for column in columns.iter_mut() {
            sum = sum.wrapping_add(*column);
            *column = sum;
        }
        let to_the_left = |edge: &Edge| {
            let (before, after) = (columns[edge.column], columns[edge.column + 1]);
            let part = edge.units.wrapping_mul(after.wrapping_sub(before));
            self.unit.wrapping_mul(before).wrapping_add(part)
        };
        let mut begin = 0;
        for (out, edge) in out.iter_mut().zip(&self.across[1..]) {
            let end = to_the_left(edge);
            let sum = end.wrapping_sub(begin);
            begin = end;
            let (mean, rest) = (sum / self.whole, sum % self.whole);
            let up = rest * 2 > self.whole || rest * 2 == self.whole && mean & 1 == 1;
            *out = (mean + u32::from(up)) as u8;
        }
    }

    /// Shrinks `picture` into `out`.
    pub fn shrink(&self, picture: &[u8], out: &mut [u8]) {
        let mut columns = vec![0; Self::columns(self.from_width)];
        for (number, out) in out.chunks_exact_mut(self.width()).enumerate() {
            columns.fill(0);
            for share in self.shares(number) {
                let row = &picture[share.row * self.from_width..][..self.from_width];
                share.add(row, &mut columns);
            }
            self.across(&mut columns, out);
        }
    }
}
