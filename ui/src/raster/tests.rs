use super::*;
use egui::epaint::{ColorImage, ImageDelta, Mesh};
use egui::{Pos2, Rect, TextureOptions, pos2};
use proptest::prelude::*;

const SIZE: (usize, usize) = (90, 70);
const BACKGROUND: u32 = 0x10_2030;
const ATLAS: [usize; 2] = [32, 16];
const PICTURE: TextureId = TextureId::User(7);

/// The shapes of a test: positions in pixels.
#[derive(Clone, Debug)]
enum Item {
    /// A rectangle without a picture, anywhere.
    Plain(Rect, Color32),
    /// Texels of the atlas one to one, or of the picture enlarged, on whole pixels.
    Texels {
        picture: bool,
        at: (i32, i32),
        from: (usize, usize),
        size: (usize, usize),
        zoom: usize,
        colour: Color32,
    },
    /// A triangle with three colours.
    Shaded([Pos2; 3], [Color32; 3]),
    /// A triangle of the atlas' texels.
    Textured([Pos2; 3], [Pos2; 3], Color32),
}

fn colour() -> impl Strategy<Value = Color32> {
    prop_oneof![
        Just(Color32::WHITE),
        any::<u8>().prop_map(Color32::from_gray),
        any::<[u8; 3]>().prop_map(|[r, g, b]| Color32::from_rgb(r, g, b)),
        any::<[u8; 4]>().prop_map(|[r, g, b, a]| Color32::from_rgba_unmultiplied(r, g, b, a)),
        any::<[u8; 3]>().prop_map(|[r, g, b]| Color32::from_rgba_premultiplied(r, g, b, 0)),
    ]
}

fn point() -> impl Strategy<Value = Pos2> {
    prop_oneof![
        (-20.0..110.0_f32, -20.0..90.0_f32).prop_map(|(x, y)| pos2(x, y)),
        (-20..110, -20..90).prop_map(|(x, y)| pos2(x as f32 + 0.5, y as f32 + 0.5)),
        (-20..110, -20..90).prop_map(|(x, y)| pos2(x as f32, y as f32)),
    ]
}

fn item() -> impl Strategy<Value = Item> {
    let uv = || (0.0..1.0_f32, 0.0..1.0_f32).prop_map(|(u, v)| pos2(u, v));
    prop_oneof![
        (point(), point(), colour()).prop_map(|(a, b, c)| Item::Plain(Rect::from_two_pos(a, b), c)),
        (
            any::<bool>(),
            (-9..95, -9..75),
            (0..24_usize, 0..8_usize),
            (1..9_usize, 1..9_usize),
            1..5_usize,
            colour()
        )
            .prop_map(|(picture, at, from, size, zoom, colour)| Item::Texels {
                picture,
                at,
                from,
                size,
                zoom,
                colour
            }),
        ([point(), point(), point()], [colour(), colour(), colour()])
            .prop_map(|(p, c)| Item::Shaded(p, c)),
        ([point(), point(), point()], [uv(), uv(), uv()], colour())
            .prop_map(|(p, t, c)| Item::Textured(p, t, c)),
    ]
}

fn clip() -> impl Strategy<Value = Rect> {
    prop_oneof![
        Just(Rect::EVERYTHING),
        (point(), point()).prop_map(|(a, b)| Rect::from_two_pos(a, b)),
    ]
}

type Page = Vec<(Rect, Item)>;

fn page() -> impl Strategy<Value = Page> {
    prop::collection::vec((clip(), item()), 0..24)
}

fn primitives(page: &[(Rect, Item)]) -> Vec<ClippedPrimitive> {
    page.iter()
        .map(|(clip_rect, item)| ClippedPrimitive {
            clip_rect: *clip_rect,
            primitive: Primitive::Mesh(mesh(item)),
        })
        .collect()
}

fn mesh(item: &Item) -> Mesh {
    let mut mesh = Mesh::default();
    match *item {
        Item::Plain(rect, colour) => mesh.add_colored_rect(rect, colour),
        Item::Texels {
            picture,
            at,
            from,
            size,
            zoom,
            colour,
        } => {
            if picture {
                mesh.texture_id = PICTURE;
            }
            let zoom = if picture { zoom } else { 1 };
            let place = pos2(at.0 as f32, at.1 as f32);
            let extent = egui::vec2((size.0 * zoom) as f32, (size.1 * zoom) as f32);
            let texel =
                |x: usize, y: usize| pos2(x as f32 / ATLAS[0] as f32, y as f32 / ATLAS[1] as f32);
            let uv = Rect::from_min_max(
                texel(from.0, from.1),
                texel(from.0 + size.0, from.1 + size.1),
            );
            mesh.add_rect_with_uv(Rect::from_min_size(place, extent), uv, colour);
        }
        Item::Shaded(places, colours) => {
            for (place, colour) in places.into_iter().zip(colours) {
                mesh.colored_vertex(place, colour);
            }
            mesh.add_triangle(0, 1, 2);
        }
        Item::Textured(places, texels, color) => {
            mesh.vertices
                .extend(
                    places
                        .into_iter()
                        .zip(texels)
                        .map(|(pos, uv)| Vertex { pos, uv, color }),
                );
            mesh.add_triangle(0, 2, 1);
        }
    }
    mesh
}

/// A texture whose first texel is white, as egui's atlas has it.
fn texels(seed: u32) -> ColorImage {
    let pixels = (0..ATLAS[0] * ATLAS[1]).map(|n| {
        let n = (n as u32 ^ seed << 12).wrapping_mul(0x9E37_79B1);
        match n >> 29 {
            0 => Color32::TRANSPARENT,
            1 => Color32::from_white_alpha((n >> 8) as u8),
            2 => Color32::WHITE,
            _ => Color32::from_rgba_unmultiplied(
                n as u8,
                (n >> 8) as u8,
                (n >> 16) as u8,
                (n >> 20) as u8,
            ),
        }
    });
    let mut image = ColorImage::new(ATLAS, pixels.collect());
    image.pixels[0] = Color32::WHITE;
    image
}

fn textures(seed: u32) -> TexturesDelta {
    let whole = |id, seed| (id, ImageDelta::full(texels(seed), TextureOptions::NEAREST));
    TexturesDelta {
        set: vec![whole(TextureId::default(), 0), whole(PICTURE, seed)],
        free: Vec::new(),
    }
}

fn drawn(raster: &mut Raster, pixels: &mut [u32], page: &Page, delta: &TexturesDelta) -> usize {
    raster.draw(pixels, SIZE, BACKGROUND, &primitives(page), delta, 1.0)
}

/// The definition: every triangle, every pixel of its clip rectangle, no short cut.
fn slow(page: &Page, seed: u32) -> Vec<u32> {
    let mut pixels = vec![BACKGROUND; SIZE.0 * SIZE.1];
    let (atlas, picture) = (texels(0), texels(seed));
    for (clip, item) in page {
        let mesh = mesh(item);
        let image = if mesh.texture_id == PICTURE {
            &picture
        } else {
            &atlas
        };
        for triangle in mesh.triangles() {
            let v = triangle.map(|index| mesh.vertices[index as usize]);
            for (n, pixel) in pixels.iter_mut().enumerate() {
                let (x, y) = ((n % SIZE.0) as i32, (n / SIZE.0) as i32);
                let inside = |at: i32, low: f32, high: f32| {
                    at >= low.round().clamp(-1e6, 1e6) as i32
                        && at < high.round().clamp(-1e6, 1e6) as i32
                };
                if inside(x, clip.min.x, clip.max.x) && inside(y, clip.min.y, clip.max.y) {
                    slow_pixel(pixel, (x, y), v, image);
                }
            }
        }
    }
    pixels
}

fn slow_pixel(pixel: &mut u32, (x, y): (i32, i32), mut v: [Vertex; 3], image: &ColorImage) {
    let place = |v: Vertex| {
        (
            (v.pos.x * 256.0).round() as i128,
            (v.pos.y * 256.0).round() as i128,
        )
    };
    let side = |a: (i128, i128), b: (i128, i128), p: (i128, i128)| {
        (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0)
    };
    let whole = |v: [Vertex; 3]| side(place(v[0]), place(v[1]), place(v[2]));
    if whole(v) < 0 {
        v.swap(1, 2);
    }
    let p = (i128::from(x) * 256 + 128, i128::from(y) * 256 + 128);
    let mut weights = [0.0; 3];
    for (i, weight) in weights.iter_mut().enumerate() {
        let (a, b) = (place(v[(i + 1) % 3]), place(v[(i + 2) % 3]));
        let at = side(a, b, p);
        let upper_or_left = b.1 < a.1 || b.1 == a.1 && b.0 > a.0;
        if whole(v) == 0 || at < 0 || at == 0 && !upper_or_left {
            return;
        }
        *weight = at as f32 / whole(v) as f32;
    }
    let sum =
        |f: &dyn Fn(&Vertex) -> f32| v.iter().zip(weights).map(|(v, w)| f(v) * w).sum::<f32>();
    let texel = |at: f32, size: usize| ((at * size as f32) as usize).min(size - 1);
    let texel = image[(
        texel(sum(&|v| v.uv.x), ATLAS[0]),
        texel(sum(&|v| v.uv.y), ATLAS[1]),
    )]
        .to_array();
    let round = |a: u32, b: u32| (a * b + 127) / 255;
    let source: [u32; 4] = std::array::from_fn(|i| {
        let one = v.iter().all(|other| other.color == v[0].color);
        let tint = if one {
            u32::from(v[0].color[i])
        } else {
            (sum(&|v| f32::from(v.color[i])) + 0.5) as u32
        };
        round(u32::from(texel[i]), tint.min(255))
    });
    let old = pixel.to_be_bytes();
    let new: [u32; 3] = std::array::from_fn(|i| {
        (source[i] + round(u32::from(old[i + 1]), 255 - source[3])).min(255)
    });
    *pixel = new[0] << 16 | new[1] << 8 | new[2];
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_mesh_is_drawn_as_the_slow_definition_says(page in page(), seed in 1..9_u32) {
        let mut pixels = vec![0; SIZE.0 * SIZE.1];
        drawn(&mut Raster::default(), &mut pixels, &page, &textures(seed));
        let expected = slow(&page, seed);
        let wrong = pixels.iter().zip(&expected).position(|(a, b)| a != b);
        prop_assert_eq!(wrong.map(|n| (n % SIZE.0, n / SIZE.0, pixels[n], expected[n])), None);
    }

    #[test]
    fn what_is_drawn_anew_equals_a_whole_redraw(
        first in page(),
        changes in prop::collection::vec((0..3_u8, any::<prop::sample::Index>(), clip(), item()), 0..6),
        seeds in (1..3_u32, 1..3_u32),
    ) {
        let mut raster = Raster::default();
        let mut pixels = vec![0; SIZE.0 * SIZE.1];
        drawn(&mut raster, &mut pixels, &first, &textures(seeds.0));
        let mut page = first;
        for (kind, at, clip, item) in changes {
            match kind {
                0 => page.insert(at.index(page.len() + 1), (clip, item)),
                1 if !page.is_empty() => drop(page.remove(at.index(page.len()))),
                2 if !page.is_empty() => { let n = at.index(page.len()); page[n] = (clip, item); }
                _ => {}
            }
            // A change at a time, and all of them at once below.
            drawn(&mut raster, &mut pixels, &page, &TexturesDelta::default());
        }
        drawn(&mut raster, &mut pixels, &page, &textures(seeds.1));
        let mut fresh = vec![0; SIZE.0 * SIZE.1];
        drawn(&mut Raster::default(), &mut fresh, &page, &textures(seeds.1));
        prop_assert!(pixels == fresh);
    }

    #[test]
    fn two_pages_that_share_nothing_but_a_part_differ_only_there(a in page(), b in page(), shared in page()) {
        let mut raster = Raster::default();
        let mut pixels = vec![0; SIZE.0 * SIZE.1];
        let join = |parts: [&Page; 3]| parts.into_iter().flatten().cloned().collect::<Page>();
        drawn(&mut raster, &mut pixels, &join([&a, &shared, &b]), &textures(1));
        let last = join([&b, &shared, &a]);
        drawn(&mut raster, &mut pixels, &last, &TexturesDelta::default());
        let mut fresh = vec![0; SIZE.0 * SIZE.1];
        drawn(&mut Raster::default(), &mut fresh, &last, &textures(1));
        prop_assert!(pixels == fresh);
    }
}

fn two_squares(colour: Color32) -> Page {
    let square = |x: f32, colour| {
        (
            Rect::EVERYTHING,
            Item::Plain(
                Rect::from_min_size(pos2(x, 5.0), egui::vec2(9.0, 9.0)),
                colour,
            ),
        )
    };
    vec![square(2.0, Color32::RED), square(70.0, colour)]
}

#[test]
fn an_unchanged_frame_draws_nothing_and_a_small_change_little() {
    let mut raster = Raster::default();
    let mut pixels = vec![0; SIZE.0 * SIZE.1];
    let none = TexturesDelta::default();
    assert_eq!(
        drawn(
            &mut raster,
            &mut pixels,
            &two_squares(Color32::GREEN),
            &textures(1)
        ),
        SIZE.0 * SIZE.1
    );
    assert_eq!(
        drawn(
            &mut raster,
            &mut pixels,
            &two_squares(Color32::GREEN),
            &none
        ),
        0
    );
    assert_eq!(
        drawn(&mut raster, &mut pixels, &two_squares(Color32::BLUE), &none),
        26 * 16
    );
    // The same texels once more are no change, and neither are new glyphs; another atlas is.
    assert_eq!(
        drawn(
            &mut raster,
            &mut pixels,
            &two_squares(Color32::BLUE),
            &textures(1)
        ),
        0
    );
    let glyph = ImageDelta::partial(
        [20, 9],
        ColorImage::filled([3, 2], Color32::WHITE),
        TextureOptions::LINEAR,
    );
    let glyph = TexturesDelta {
        set: vec![(TextureId::default(), glyph)],
        free: Vec::new(),
    };
    assert_eq!(
        drawn(
            &mut raster,
            &mut pixels,
            &two_squares(Color32::BLUE),
            &glyph
        ),
        0
    );
    assert_eq!(
        drawn(
            &mut raster,
            &mut pixels,
            &two_squares(Color32::BLUE),
            &textures(1)
        ),
        (32 + 26) * 16
    );
}

#[test]
fn a_freed_texture_is_drawn_a_last_time() {
    let item = Item::Texels {
        picture: true,
        at: (3, 3),
        from: (0, 0),
        size: (1, 1),
        zoom: 4,
        colour: Color32::WHITE,
    };
    let page = vec![(Rect::EVERYTHING, item)];
    let mut delta = textures(1);
    delta.free.push(PICTURE);
    let mut raster = Raster::default();
    let mut pixels = vec![0; SIZE.0 * SIZE.1];
    drawn(&mut raster, &mut pixels, &page, &delta);
    assert_eq!(pixels[4 * SIZE.0 + 4], 0xFF_FFFF);
    assert!(!raster.textures.contains_key(&PICTURE));
}

#[test]
fn neighbours_share_no_pixel_and_leave_none_out() {
    // Half transparent triangles around a point: twice drawn or left out would show.
    let centre = pos2(41.3, 33.7);
    let round: Vec<Pos2> = (0..12)
        .map(|n| {
            let angle = n as f32 * std::f32::consts::TAU / 12.0;
            centre + 200.0 * egui::vec2(angle.cos(), angle.sin())
        })
        .collect();
    let page = (0..12)
        .map(|n| {
            (
                Rect::EVERYTHING,
                Item::Shaded(
                    [centre, round[n], round[(n + 1) % 12]],
                    [Color32::from_white_alpha(100); 3],
                ),
            )
        })
        .collect();
    let mut pixels = vec![0; SIZE.0 * SIZE.1];
    drawn(&mut Raster::default(), &mut pixels, &page, &textures(1));
    assert!(pixels.iter().all(|&pixel| pixel == pixels[0]));
}
