//! Draws egui's triangles into a buffer of pixels, on the CPU, and draws again only what has changed.
//!
//! What a pixel shows follows from the shapes that cover it, in their order. Two frames are therefore compared as sequences of shapes: a
//! pixel that no unmatched shape of either frame covers has kept its colour. Unmatched shapes mark tiles, and marked tiles are drawn again.
use egui::epaint::{ClippedPrimitive, ImageData, Primitive, Vertex};
use egui::{Color32, TextureId, TexturesDelta};
use std::collections::HashMap;

/// Positions are kept in this many parts of a pixel.
const PARTS: i32 = 256;
/// Tiles that are drawn again as a whole.
const TILE: (usize, usize) = (32, 16);
/// How far a shape is looked for in the other frame when the sequences part.
const WINDOW: usize = 48;
/// How often the sequences are aligned again; a page that scrolls differs everywhere, and matching there finds nothing.
const ALIGNMENTS: usize = 96;

/// A rectangle of pixels, right and lower edge outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Area {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
}

impl Area {
    fn intersect(self, other: Self) -> Self {
        Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    fn is_empty(self) -> bool {
        self.left >= self.right || self.top >= self.bottom
    }
}

/// A corner in parts of a pixel, with its place in the texture and its colour (premultiplied, 0xAARRGGBB).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Corner {
    x: i32,
    y: i32,
    u: f32,
    v: f32,
    colour: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    /// An axis-parallel rectangle of one colour: upper left and lower right corner.
    Quad(Corner, Corner),
    /// Any triangle, its corners clockwise on the screen.
    Triangle([Corner; 3]),
}

/// Shapes that are drawn in one go.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shape {
    /// The pixels it may touch.
    area: Area,
    texture: TextureId,
    form: Form,
}

#[derive(Debug, Default)]
struct Texture {
    width: usize,
    height: usize,
    texels: Vec<u32>,
    /// Its pictures on the screen have to be drawn again.
    stale: bool,
}

impl Texture {
    fn texel(&self, u: f32, v: f32) -> u32 {
        self.at(column(u, self.width), column(v, self.height))
    }

    fn at(&self, x: usize, y: usize) -> u32 {
        self.texels.get(y * self.width + x).copied().unwrap_or(0)
    }
}

/// The texel that a coordinate of 0 to 1 falls into.
fn column(at: f32, size: usize) -> usize {
    ((at * size as f32).max(0.0) as usize).min(size.saturating_sub(1))
}

/// Draws frames of egui; keeps the textures and what the last frame showed.
#[derive(Debug, Default)]
pub struct Raster {
    textures: HashMap<TextureId, Texture>,
    shapes: Vec<Shape>,
    old: Vec<Shape>,
    tiles: Vec<bool>,
    bands: Vec<Vec<u32>>,
    columns: Vec<usize>,
    size: (usize, usize),
    stale: bool,
}

impl Raster {
    /// Draws everything again with the next frame.
    pub fn forget(&mut self) {
        self.stale = true;
    }

    /// Draws a frame into `pixels` (0x00RRGGBB, `size` of them) where it differs from the last one; `background` shows where nothing is
    /// drawn. Returns the number of pixels that were drawn again.
    pub fn draw(
        &mut self,
        pixels: &mut [u32],
        size: (usize, usize),
        background: u32,
        frame: &[ClippedPrimitive],
        textures: &TexturesDelta,
        pixels_per_point: f32,
    ) -> usize {
        self.take_textures(textures);
        std::mem::swap(&mut self.shapes, &mut self.old);
        self.take_shapes(frame, size, pixels_per_point);
        let across = size.0.div_ceil(TILE.0);
        let down = size.1.div_ceil(TILE.1);
        self.tiles.clear();
        self.tiles
            .resize(across * down, self.stale || self.size != size);
        if !self.stale && self.size == size {
            let tiles = &mut self.tiles;
            differences(&self.old, &self.shapes, |shape| {
                mark(tiles, across, shape.area);
            });
            for shape in &self.shapes {
                if self
                    .textures
                    .get(&shape.texture)
                    .is_some_and(|texture| texture.stale)
                {
                    mark(tiles, across, shape.area);
                }
            }
        }
        self.stale = false;
        self.size = size;
        let drawn = self.draw_tiles(pixels, across, background);
        self.release(textures);
        drawn
    }

    /// Draws a frame over what `pixels` hold.
    pub(crate) fn draw_over(
        &mut self,
        pixels: &mut [u32],
        size: (usize, usize),
        frame: &[ClippedPrimitive],
        textures: &TexturesDelta,
        pixels_per_point: f32,
    ) {
        self.take_textures(textures);
        self.take_shapes(frame, size, pixels_per_point);
        for shape in &self.shapes {
            if let Some(texture) = self.textures.get(&shape.texture) {
                shape.draw(pixels, size.0, shape.area, texture, &mut self.columns);
            }
        }
        self.stale = true;
        self.release(textures);
    }

    fn take_textures(&mut self, delta: &TexturesDelta) {
        for (id, change) in &delta.set {
            let ImageData::Color(image) = &change.image;
            let [width, height] = image.size;
            let texels = image.pixels.iter().map(|&colour| packed(colour));
            let texture = self.textures.entry(*id).or_default();
            // The atlas of glyphs only grows: what it held before stays where it was.
            let fonts = *id == TextureId::default();
            if let Some([left, top]) = change.pos {
                let mut changed = false;
                for (at, texel) in texels.enumerate() {
                    let place = (top + at / width) * texture.width + left + at % width;
                    if let Some(old) = texture.texels.get_mut(place) {
                        changed |= *old != texel;
                        *old = texel;
                    }
                }
                texture.stale |= changed && !fonts;
            } else {
                let texels: Vec<u32> = texels.collect();
                let same = (texture.width, texture.height) == (width, height);
                texture.stale |= !same || texture.texels != texels;
                (texture.width, texture.height) = (width, height);
                texture.texels = texels;
            }
        }
    }

    fn release(&mut self, delta: &TexturesDelta) {
        for id in &delta.free {
            self.textures.remove(id);
        }
        for texture in self.textures.values_mut() {
            texture.stale = false;
        }
    }

    fn take_shapes(&mut self, frame: &[ClippedPrimitive], size: (usize, usize), scale: f32) {
        self.shapes.clear();
        for primitive in frame {
            let Primitive::Mesh(mesh) = &primitive.primitive else {
                continue;
            };
            let pixel = |at: f32| (at * scale).round().clamp(-1e6, 1e6) as i32;
            let clip = Area {
                left: pixel(primitive.clip_rect.min.x).max(0),
                top: pixel(primitive.clip_rect.min.y).max(0),
                right: pixel(primitive.clip_rect.max.x).min(size.0 as i32),
                bottom: pixel(primitive.clip_rect.max.y).min(size.1 as i32),
            };
            if clip.is_empty() {
                continue;
            }
            let corner = |&index: &u32| {
                mesh.vertices
                    .get(index as usize)
                    .map(|v| Corner::new(v, scale))
            };
            let mut triangles = mesh.indices.chunks_exact(3).filter_map(|indices| {
                Some([
                    corner(&indices[0])?,
                    corner(&indices[1])?,
                    corner(&indices[2])?,
                ])
            });
            let mut next = triangles.next();
            while let Some(first) = next {
                next = triangles.next();
                let pair = next.and_then(|second| quad(first, second));
                let (form, bounds) = if let Some((low, high)) = pair {
                    next = triangles.next();
                    (Form::Quad(low, high), bounds(&[low, high]))
                } else if let Some(turned) = clockwise(first) {
                    (Form::Triangle(turned), bounds(&turned))
                } else {
                    continue;
                };
                let area = bounds.intersect(clip);
                if !area.is_empty() {
                    self.shapes.push(Shape {
                        area,
                        texture: mesh.texture_id,
                        form,
                    });
                }
            }
        }
    }

    fn draw_tiles(&mut self, pixels: &mut [u32], across: usize, background: u32) -> usize {
        let (width, height) = self.size;
        for band in &mut self.bands {
            band.clear();
        }
        self.bands.resize_with(height.div_ceil(TILE.1), Vec::new);
        for (index, shape) in self.shapes.iter().enumerate() {
            let bands =
                shape.area.top as usize / TILE.1..(shape.area.bottom as usize).div_ceil(TILE.1);
            for band in &mut self.bands[bands] {
                band.push(index as u32);
            }
        }
        let mut drawn = 0;
        for (y, band) in self.bands.iter().enumerate() {
            let row = &self.tiles[y * across..(y + 1) * across];
            let mut x = 0;
            while x < across {
                let end = row[x..]
                    .iter()
                    .position(|&dirty| !dirty)
                    .map_or(across, |n| x + n);
                if end == x {
                    x += 1;
                    continue;
                }
                let area = Area {
                    left: (x * TILE.0) as i32,
                    top: (y * TILE.1) as i32,
                    right: (end * TILE.0).min(width) as i32,
                    bottom: ((y + 1) * TILE.1).min(height) as i32,
                };
                for line in area.top..area.bottom {
                    line_of(pixels, width, area, line).fill(background);
                }
                drawn += (area.right - area.left) as usize * (area.bottom - area.top) as usize;
                for shape in band.iter().map(|&index| &self.shapes[index as usize]) {
                    let part = shape.area.intersect(area);
                    if let Some(texture) = self.textures.get(&shape.texture)
                        && !part.is_empty()
                    {
                        shape.draw(pixels, width, part, texture, &mut self.columns);
                    }
                }
                x = end;
            }
        }
        drawn
    }
}

/// Calls `unmatched` for shapes of both frames that have no partner in the other one.
fn differences(old: &[Shape], new: &[Shape], mut unmatched: impl FnMut(&Shape)) {
    let (mut i, mut j, mut alignments) = (0, 0, 0);
    while i < old.len() && j < new.len() {
        if old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
            continue;
        }
        // Four in a row are no accident.
        let alike = |a: usize, b: usize| {
            let run = 4.min(old.len() - a).min(new.len() - b);
            run > 0 && old[a..a + run] == new[b..b + run]
        };
        let window = if alignments < ALIGNMENTS { WINDOW } else { 2 };
        let resume = (1..window).find_map(|n| {
            [(n, n), (n, 0), (0, n)]
                .into_iter()
                .find(|&(a, b)| i + a < old.len() && j + b < new.len() && alike(i + a, j + b))
        });
        alignments += usize::from(resume.is_none());
        let (a, b) = resume.unwrap_or((1, 1));
        old[i..i + a]
            .iter()
            .chain(&new[j..j + b])
            .for_each(&mut unmatched);
        (i, j) = (i + a, j + b);
    }
    old[i..].iter().chain(&new[j..]).for_each(unmatched);
}

fn mark(tiles: &mut [bool], across: usize, area: Area) {
    for y in area.top as usize / TILE.1..(area.bottom as usize).div_ceil(TILE.1) {
        let row = area.left as usize / TILE.0..(area.right as usize).div_ceil(TILE.0);
        tiles[y * across + row.start..y * across + row.end].fill(true);
    }
}

fn line_of(pixels: &mut [u32], width: usize, area: Area, line: i32) -> &mut [u32] {
    let start = line as usize * width;
    &mut pixels[start + area.left as usize..start + area.right as usize]
}

impl Corner {
    fn new(vertex: &Vertex, scale: f32) -> Self {
        let part = |at: f32| (at * scale * PARTS as f32).round().clamp(-2e8, 2e8) as i32;
        Self {
            x: part(vertex.pos.x),
            y: part(vertex.pos.y),
            u: vertex.uv.x,
            v: vertex.uv.y,
            colour: packed(vertex.color),
        }
    }
}

fn packed(colour: Color32) -> u32 {
    let [red, green, blue, alpha] = colour.to_array();
    u32::from_be_bytes([alpha, red, green, blue])
}

/// The first pixel whose centre is not before this position.
fn first_pixel(at: i32) -> i32 {
    (at + PARTS / 2 - 1).div_euclid(PARTS)
}

fn bounds(corners: &[Corner]) -> Area {
    let low = |at: fn(&Corner) -> i32| first_pixel(corners.iter().map(at).min().unwrap_or(0));
    let high = |at: fn(&Corner) -> i32| first_pixel(corners.iter().map(at).max().unwrap_or(0));
    Area {
        left: low(|c| c.x),
        top: low(|c| c.y),
        // A centre exactly on the right or lower edge belongs to what follows, but a triangle's lies beyond its rule anyway.
        right: high(|c| c.x),
        bottom: high(|c| c.y),
    }
}

/// The rectangle that two triangles make, when they do: of one colour, with a texture that is not turned.
fn quad(first: [Corner; 3], second: [Corner; 3]) -> Option<(Corner, Corner)> {
    let all = [first, second];
    let corners = || all.iter().flatten();
    let (left, right) = (corners().map(|c| c.x).min()?, corners().map(|c| c.x).max()?);
    let (top, bottom) = (corners().map(|c| c.y).min()?, corners().map(|c| c.y).max()?);
    let low = *corners().find(|c| c.x == left && c.y == top)?;
    let high = *corners().find(|c| c.x == right && c.y == bottom)?;
    let mut missing = [0b1111_u8; 2];
    for (triangle, missing) in all.iter().zip(&mut missing) {
        for c in triangle {
            let (at_right, at_bottom) = (c.x == right, c.y == bottom);
            let fits = (at_right || c.x == left)
                && (at_bottom || c.y == top)
                && c.u.to_bits() == if at_right { high.u } else { low.u }.to_bits()
                && c.v.to_bits() == if at_bottom { high.v } else { low.v }.to_bits()
                && c.colour == low.colour;
            if !fits {
                return None;
            }
            *missing &= !(1 << (usize::from(at_right) * 2 + usize::from(at_bottom)));
        }
    }
    // Each triangle lacks one corner, and the two that lack are opposite: 0 and 3, or 1 and 2.
    let opposite = matches!(missing, [1, 8] | [8, 1] | [2, 4] | [4, 2]);
    (opposite && left < right && top < bottom).then_some((low, high))
}

/// The corners so that the triangle's area is positive; none when it has none.
fn clockwise([a, b, c]: [Corner; 3]) -> Option<[Corner; 3]> {
    match edge(a, b, (c.x, c.y)) {
        0 => None,
        area if area > 0 => Some([a, b, c]),
        _ => Some([a, c, b]),
    }
}

/// Positive to the right of the line from `a` to `b`, as it is seen with y downwards.
fn edge(a: Corner, b: Corner, (x, y): (i32, i32)) -> i64 {
    i64::from(b.x - a.x) * i64::from(y - a.y) - i64::from(b.y - a.y) * i64::from(x - a.x)
}

/// Which sides own the pixels whose centres they cross: upper ones and left ones.
fn owns(a: Corner, b: Corner) -> bool {
    b.y < a.y || b.y == a.y && b.x > a.x
}

impl Shape {
    /// Draws the part of it that lies in `area`.
    fn draw(
        &self,
        pixels: &mut [u32],
        width: usize,
        area: Area,
        texture: &Texture,
        columns: &mut Vec<usize>,
    ) {
        match &self.form {
            Form::Quad(low, high) if (low.u, low.v) == (high.u, high.v) => {
                let colour = multiply(texture.texel(low.u, low.v), low.colour);
                for line in area.top..area.bottom {
                    let target = line_of(pixels, width, area, line);
                    match colour >> 24 {
                        0xFF => target.fill(colour & 0xFF_FFFF),
                        _ => target
                            .iter_mut()
                            .for_each(|pixel| *pixel = over(*pixel, colour)),
                    }
                }
            }
            Form::Quad(low, high) => {
                let place = |at: i32, from: i32, to: i32, start: f32, end: f32, size: usize| {
                    let part = (at * PARTS + PARTS / 2 - from) as f32 / (to - from) as f32;
                    column(start + part * (end - start), size)
                };
                columns.clear();
                columns.extend(
                    (area.left..area.right)
                        .map(|x| place(x, low.x, high.x, low.u, high.u, texture.width)),
                );
                for line in area.top..area.bottom {
                    let row =
                        place(line, low.y, high.y, low.v, high.v, texture.height) * texture.width;
                    let texels = texture.texels.get(row..row + texture.width).unwrap_or(&[0]);
                    let target = line_of(pixels, width, area, line);
                    for (pixel, &column) in target.iter_mut().zip(&*columns) {
                        let texel = texels[column];
                        if texel != 0 {
                            *pixel = over(*pixel, multiply(texel, low.colour));
                        }
                    }
                }
            }
            Form::Triangle(corners) => fill_triangle(pixels, width, area, texture, corners),
        }
    }
}

fn fill_triangle(
    pixels: &mut [u32],
    width: usize,
    area: Area,
    texture: &Texture,
    corners: &[Corner; 3],
) {
    let [a, b, c] = *corners;
    let sides = [(b, c), (c, a), (a, b)];
    let least = sides.map(|(from, to)| i64::from(!owns(from, to)));
    let step = sides.map(|(from, to)| i64::from(from.y - to.y) * i64::from(PARTS));
    let whole = edge(a, b, (c.x, c.y)) as f32;
    let flat = [b, c].iter().all(|o| (o.u, o.v) == (a.u, a.v));
    let plain = flat && b.colour == a.colour && c.colour == a.colour;
    let texel = texture.texel(a.u, a.v);
    for line in area.top..area.bottom {
        let centre = (area.left * PARTS + PARTS / 2, line * PARTS + PARTS / 2);
        let mut at = sides.map(|(from, to)| edge(from, to, centre));
        let mut entered = false;
        for pixel in line_of(pixels, width, area, line) {
            if at[0] >= least[0] && at[1] >= least[1] && at[2] >= least[2] {
                entered = true;
                let colour = if plain {
                    multiply(texel, a.colour)
                } else {
                    let weights = at.map(|at| at as f32 / whole);
                    let texel = if flat {
                        texel
                    } else {
                        texture.texel(
                            mean(corners, weights, |c| c.u),
                            mean(corners, weights, |c| c.v),
                        )
                    };
                    multiply(texel, mixed(corners, weights))
                };
                *pixel = over(*pixel, colour);
            } else if entered {
                break;
            }
            for (at, step) in at.iter_mut().zip(step) {
                *at += step;
            }
        }
    }
}

fn mean(corners: &[Corner; 3], weights: [f32; 3], of: impl Fn(&Corner) -> f32) -> f32 {
    corners
        .iter()
        .zip(weights)
        .map(|(corner, weight)| of(corner) * weight)
        .sum()
}

fn mixed(corners: &[Corner; 3], weights: [f32; 3]) -> u32 {
    let channel = |shift: u32| {
        let value = mean(corners, weights, |corner| {
            (corner.colour >> shift & 0xFF) as f32
        });
        ((value + 0.5) as u32).min(255) << shift
    };
    channel(24) | channel(16) | channel(8) | channel(0)
}

/// Each of the four channels times `by` / 255, rounded.
#[inline]
fn scaled(colour: u32, by: u32) -> u32 {
    let half = 0x0080_0080;
    let low = (colour & 0x00FF_00FF) * by + half;
    let low = (low + (low >> 8 & 0x00FF_00FF)) >> 8 & 0x00FF_00FF;
    let high = (colour >> 8 & 0x00FF_00FF) * by + half;
    let high = (high + (high >> 8 & 0x00FF_00FF)) & 0xFF00_FF00;
    low | high
}

#[inline]
fn multiply(texel: u32, colour: u32) -> u32 {
    let alpha = texel >> 24;
    if texel == alpha * 0x0101_0101 {
        return if alpha == 255 {
            colour
        } else {
            scaled(colour, alpha)
        };
    }
    if colour == u32::MAX {
        return texel;
    }
    let tint = colour & 0xFF;
    if colour == 0xFF00_0000 | tint * 0x01_0101 {
        // A picture that is darkened.
        return texel & 0xFF00_0000 | scaled(texel & 0xFF_FFFF, tint);
    }
    let channel = |shift: u32| scaled(texel >> shift & 0xFF, colour >> shift & 0xFF) << shift;
    channel(24) | channel(16) | channel(8) | channel(0)
}

/// A premultiplied colour over a pixel.
#[inline]
fn over(pixel: u32, colour: u32) -> u32 {
    let alpha = colour >> 24;
    if alpha == 255 {
        return colour & 0xFF_FFFF;
    }
    let rest = scaled(pixel, 255 - alpha);
    // A colour without alpha adds light, so the sum may exceed its byte.
    let sum = |mask: u32| {
        let (a, b) = (rest & mask, colour & mask);
        let sum = u64::from(a) + u64::from(b);
        let carry = sum & u64::from(mask) << 1 & !u64::from(mask);
        ((sum | (carry - (carry >> 8))) & u64::from(mask)) as u32
    };
    sum(0x00FF_00FF) | sum(0x0000_FF00)
}

#[cfg(test)]
mod tests;
