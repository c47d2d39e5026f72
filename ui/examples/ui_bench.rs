//! CPU time of the user interface by parts: `cargo run --release -p ui --example ui_bench [PICTURE.png]`.
//!
//! The page is like the debugger's: forty rows of code, a page of memory, a picture of 376 x 240 enlarged, buttons and bars.
use egui::{Rect, RichText, Ui, pos2, vec2};
use ui::picture::{Picture, Place};
use ui::raster::Raster;
use ui::theme;

const ROUNDS: u32 = 60;

/// The part that changes from one frame to the next.
#[derive(Clone, Copy, PartialEq)]
enum Change {
    All,
    Picture,
    Nothing,
}

/// This thread's CPU time in milliseconds.
fn cpu() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

fn page(ui: &mut Ui, picture: &Picture, seed: u32) {
    let colours = theme::colours(ui);
    egui::Panel::top("bar").show_inside(ui, |ui| {
        ui.horizontal(|ui| {
            for name in ["Run", "Over", "Into", "Out", "Line", "Frame", "Back"] {
                let _ = ui.button(name);
            }
            ui.label("Anticlock 100 %");
        });
    });
    egui::Panel::right("code")
        .default_size(520.0)
        .show_inside(ui, |ui| {
            for row in 0..40_u32 {
                let n = row
                    .wrapping_mul(0x9E37_79B1)
                    .wrapping_add(seed.wrapping_mul(77));
                let text = format!(
                    "{:04X}  {:02X} {:02X} {:02X}  LDA ${:04X},X  ;{:08b}",
                    0x2000 + row * 3,
                    n & 255,
                    n >> 8 & 255,
                    n >> 16 & 255,
                    n & 0xFFFF,
                    n >> 24
                );
                let text = RichText::new(text).monospace();
                ui.label(if row % 7 == 0 {
                    text.color(colours.changed)
                } else {
                    text
                });
            }
        });
    egui::CentralPanel::default().show_inside(ui, |ui| {
        let available = ui.available_rect_before_wrap();
        let place = Place::fit(ui, available, picture.size(), (1, 1), 4);
        picture.paint(ui, place, picture.whole());
        ui.advance_cursor_after_rect(Rect::from_min_size(
            available.min,
            vec2(place.rect.width(), place.rect.height() + 6.0),
        ));
        for row in 0..14_u32 {
            let bytes: Vec<String> = (0..16)
                .map(|n| format!("{:02X}", (row * 31 + n * 7 + seed * 13) & 255))
                .collect();
            ui.label(RichText::new(format!("{:04X}  {}", row * 16, bytes.join(" "))).monospace());
        }
    });
}

fn measure(size: (usize, usize), scale: f32, change: Change) -> [f64; 4] {
    let context = egui::Context::default();
    theme::apply(&context, true, scale);
    let mut raster = Raster::default();
    let mut pixels = vec![0; size.0 * size.1];
    let mut picture = Picture::default();
    let mut sums = [0.0; 3];
    let mut drawn = 0;
    for round in 0..ROUNDS + 4 {
        let seed = if change == Change::All { round } else { 0 };
        if round == 0 || change != Change::Nothing {
            picture.set(
                &context,
                (376, 240),
                (0..376 * 240_u32)
                    .map(|n| (n / 7 + round * 1001).wrapping_mul(0x9E37_79B1) & 0xFF_FFFF),
            );
        }
        let mut input = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(
                pos2(0.0, 0.0),
                vec2(size.0 as f32, size.1 as f32) / scale,
            )),
            time: Some(f64::from(round) / 60.0),
            ..egui::RawInput::default()
        };
        input
            .viewports
            .entry(egui::ViewportId::ROOT)
            .or_default()
            .native_pixels_per_point = Some(scale);
        let times = [cpu(), {
            let output = context.run_ui(input, |ui| page(ui, &picture, seed));
            let after_ui = cpu();
            let frame = context.tessellate(output.shapes, output.pixels_per_point);
            let after_frame = cpu();
            let count = raster.draw(
                &mut pixels,
                size,
                0,
                &frame,
                &output.textures_delta,
                output.pixels_per_point,
            );
            // The first rounds fill the caches.
            if round >= 4 {
                drawn += count;
                sums[1] += after_frame - after_ui;
                sums[2] += cpu() - after_frame;
            }
            after_ui
        }];
        if round >= 4 {
            sums[0] += times[1] - times[0];
        }
    }
    let mean = |sum: f64| sum / f64::from(ROUNDS);
    if change == Change::All
        && let Some(path) = std::env::args().nth(1)
    {
        let bytes: Vec<u8> = pixels
            .iter()
            .flat_map(|p| p.to_be_bytes()[1..].to_vec())
            .collect();
        let file = std::fs::File::create(format!("{path}-{}x{}-{scale}.png", size.0, size.1))
            .expect("the picture's file");
        let mut encoder = png::Encoder::new(file, size.0 as u32, size.1 as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder
            .write_header()
            .and_then(|mut writer| writer.write_image_data(&bytes))
            .expect("the picture");
    }
    [
        mean(sums[0]),
        mean(sums[1]),
        mean(sums[2]),
        drawn as f64 / f64::from(ROUNDS),
    ]
}

fn main() {
    println!("CPU ms a frame          egui  tessellate  raster   pixels drawn");
    for (size, scale) in [((1280, 800), 1.0), ((1600, 1000), 1.0), ((2560, 1600), 2.0)] {
        for (change, name) in [
            (Change::All, "all"),
            (Change::Picture, "picture"),
            (Change::Nothing, "nothing"),
        ] {
            let [ui, tessellate, raster, drawn] = measure(size, scale, change);
            println!(
                "{:4}x{:<4} x{scale} {name:8} {ui:6.2} {tessellate:10.2} {raster:8.2} {drawn:12.0}",
                size.0, size.1
            );
        }
    }
}
