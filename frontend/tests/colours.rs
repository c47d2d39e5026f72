//! Colours of pictures: palettes from files, and the effects of a composite signal.
mod common;

use common::{Folder, anticlock, coloured};
use std::process::Output;

/// Hires stripes: even pixels bright on the left half, odd ones on the right.
const STRIPES: &[u8] = b"10 GRAPHICS 8+16:POKE 710,0:POKE 709,14:COLOR 1\n\
20 FOR X=0 TO 158 STEP 2:PLOT X,0:DRAWTO X,80:PLOT X+161,0:DRAWTO X+161,80:NEXT X\n\
30 GOTO 30\n";

fn run(folder: &Folder, arguments: &[&str]) -> Output {
    let output = anticlock(&folder.0)
        .arg("headless")
        .args(arguments)
        .output();
    output.unwrap()
}

/// The pixels of a picture with red, green and blue.
fn pixels(folder: &Folder, name: &str) -> Vec<[u8; 3]> {
    let file = std::fs::File::open(folder.0.join(name)).unwrap();
    let mut reader = png::Decoder::new(std::io::BufReader::new(file))
        .read_info()
        .unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    assert_eq!((info.width, info.height), (376, 240));
    bytes.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect()
}

/// The stripes' colours, left and right, by this signal.
fn stripes(arguments: &[&str]) -> [[u8; 3]; 2] {
    let folder = Folder::new(&format!("stripes{}", arguments.concat()));
    folder.file("s.lst", STRIPES);
    let common = ["s.lst", "--frames", "900", "--screenshot-rgb", "s.png"];
    let output = run(&folder, &[&common, arguments].concat());
    assert!(output.status.success(), "{output:?}");
    let pixels = pixels(&folder, "s.png");
    // Line 40 of the screen, which begins at line 24 of the picture and pixel 28.
    [80, 280].map(|x| pixels[64 * 376 + 28 + x])
}

#[test]
fn hires_stripes_are_purple_and_green_on_an_ntsc_set_only() {
    let is_purple = |[red, green, blue]: [u8; 3]| red > green + 60 && blue > green + 60;
    let is_green = |[red, green, blue]: [u8; 3]| green > red + 60 && green > blue + 60;
    let [even, odd] = stripes(&["--artifacts", "on"]);
    assert!(is_purple(even) && is_green(odd), "{even:?} {odd:?}");
    let half_turn = ["--artifacts", "ntsc", "--picture", "artifact-phase=240"];
    let [even, odd] = stripes(&half_turn);
    assert!(is_green(even) && is_purple(odd), "{even:?} {odd:?}");
    for plain in [
        &["--artifacts", "off"][..],
        &["--artifacts", "on", "--tv", "pal"],
    ] {
        for [red, green, blue] in stripes(plain) {
            assert!(red == green && green == blue, "{plain:?}");
        }
    }
}

#[test]
fn a_palette_file_gives_the_colours() {
    let folder = Folder::new("palette");
    folder.file("c.xex", &coloured());
    let mut palette: Vec<u8> = (0..768).map(|i| (i % 251) as u8).collect();
    folder.file("x.act", &palette);
    let arguments = ["c.xex", "--frames", "300", "--screenshot-rgb", "c.png"];
    let output = run(&folder, &[&arguments[..], &["--palette", "x.act"]].concat());
    assert!(output.status.success(), "{output:?}");
    let wanted = &palette[3 * 0x34..][..3];
    assert!(pixels(&folder, "c.png").iter().all(|p| p == wanted));

    palette.pop();
    folder.file("x.act", &palette);
    for (bad, sentence) in [
        (["--palette", "x.act"], "767 bytes are no palette"),
        (["--palette", "none.act"], "there is no such file"),
        (["--picture", "tint=3"], "one of the names hue"),
        (["--picture", "gamma=99"], "must be 0.1 to 10"),
    ] {
        let output = run(&folder, &[&arguments[..], &bad].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(
            stderr.contains(sentence) && stderr.lines().count() == 1,
            "{stderr}"
        );
    }
}

#[test]
fn a_script_takes_pictures_of_both_kinds() {
    let folder = Folder::new("kinds");
    folder.file("c.xex", &coloured());
    folder.file("s.txt", b"300 screenshot a.rgb.png\n300 screenshot a.png\n");
    let output = run(&folder, &["c.xex", "--script", "s.txt", "--frames", "310"]);
    assert!(output.status.success(), "{output:?}");
    let wanted = session::picture::palette(machine::Tv::Ntsc)[0x34];
    assert!(pixels(&folder, "a.rgb.png").iter().all(|&p| p == wanted));
    let indexed = std::fs::read(folder.0.join("a.png")).unwrap();
    assert_eq!(indexed[25], 3, "not an indexed picture");
}

#[test]
fn the_menus_panels_have_straight_shades() {
    let folder = Folder::new("panels");
    let output = anticlock(&folder.0)
        .args(["headless", "menu", "--frames", "1000"])
        .args(["--screenshot-rgb", "menu.png"])
        .output();
    assert!(output.unwrap().status.success());
    let picture = pixels(&folder, "menu.png");
    for top in [60, 128] {
        for panel in 0..4 {
            let edge = |y: usize, x: usize| picture[y * 376 + 36 + 80 * panel + x];
            let shades: Vec<_> = (top..top + 36).map(|y| edge(y, 1)).collect();
            assert!(
                shades.first() != shades.last(),
                "panel {panel} has one shade"
            );
            let right: Vec<_> = (top..top + 36).map(|y| edge(y, 62)).collect();
            assert_eq!(shades, right, "panel {panel} below line {top}");
        }
    }
}
