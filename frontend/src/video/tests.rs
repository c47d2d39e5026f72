use super::*;
use host::config::PictureConfig;
use session::sound::{Heard, Mixer};
use session::{Outcome, Session, Setup};
use std::process::Command;

/// Records some seconds of a machine that beeps and scrolls; the file, its frames as the video has them, and its sound.
fn record(name: &str) -> (PathBuf, Vec<Vec<u32>>, Vec<i16>) {
    let path = std::env::temp_dir().join(format!("anticlock-{name}-{}.mp4", std::process::id()));
    let mut session = Session::new(Setup::default()).unwrap();
    let program = "10 SOUND 0,60,10,8:FOR I=1 TO 99:PRINT I,:NEXT I:SOUND 0,0,0,0\\nRUN\\n";
    session.type_text(program).unwrap();
    let tv = Tv::Ntsc;
    let look = host::config::look(tv, &PictureConfig::default()).unwrap();
    let mut mixer = Mixer::new(session.machine(), f64::from(RATE));
    let window = WindowConfig::default();
    let file = Growing::named(&path).unwrap();
    let mut video = Video::begin(file, tv, look, &window, false).unwrap();
    let mut heard = Heard::default();
    let (mut frames, mut sound) = (Vec::new(), Vec::new());
    for _ in 0..KEY_AND_MORE {
        assert!(matches!(session.run_frame(), Outcome::Done));
        let mut samples = Vec::new();
        heard.take(&mut session);
        mixer.render(&heard, session.machine().now(), &mut samples);
        video.frame(session.machine().frame(), &samples).unwrap();
        frames.push(video.picture.clone());
        sound.extend(samples.iter().map(|both| (both[0] * 32_767.0) as i16));
    }
    assert_eq!(video.end().unwrap(), path);
    (path, frames, sound)
}

/// Frames with a second key frame among them.
const KEY_AND_MORE: usize = 700;

/// The content of the box at a path of names.
fn find<'a>(mut bytes: &'a [u8], path: &[&[u8; 4]]) -> &'a [u8] {
    let mut content = bytes;
    for name in path {
        content = loop {
            let short = u32::from_be_bytes(bytes[..4].try_into().unwrap()) as usize;
            let (head, length) = if short == 1 {
                // The long form, of the data.
                (16, word(bytes, 12) as usize)
            } else {
                (8, short)
            };
            if &bytes[4..8] == *name {
                break &bytes[head..length];
            }
            bytes = &bytes[length..];
        };
        bytes = content;
    }
    content
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap())
}

#[test]
fn the_file_lasts_as_long_as_what_was_seen_and_heard() {
    let (path, frames, sound) = record("video");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let header = find(&bytes, &[b"moov", b"mvhd"]);
    let milliseconds = f64::from(word(header, 16));
    let wanted = frames.len() as f64 / Tv::Ntsc.frame_rate() * 1000.0;
    assert!(
        (milliseconds - wanted).abs() < 20.0,
        "{milliseconds} {wanted}"
    );
    let table: &[&[u8; 4]] = &[b"moov", b"trak", b"mdia", b"minf", b"stbl"];
    let lengths = find(&bytes, &[table, &[b"stsz"]].concat());
    assert_eq!(word(lengths, 8), frames.len() as u32);
    let keys = find(&bytes, &[table, &[b"stss"]].concat());
    assert_eq!((word(keys, 4), word(keys, 8), word(keys, 12)), (2, 1, 601));
    // Every picture begins with the length of its unit, and they are where the table says.
    let places = find(&bytes, &[table, &[b"co64"]].concat());
    for n in 0..frames.len() {
        let at = word(places, 12 + 8 * n) as usize;
        assert_eq!(word(&bytes, at) + 4, word(lengths, 12 + 4 * n), "{n}");
    }
    let seconds = sound.len() as f64 / f64::from(RATE);
    assert!((seconds * 1000.0 - wanted).abs() < 40.0, "{seconds}");
    // A picture that does not change costs next to nothing.
    let smallest = (0..frames.len()).map(|n| word(lengths, 12 + 4 * n)).min();
    assert!(smallest < Some(32), "{smallest:?}");
}

/// Another program's decoder gets back every pixel and every sample. It is not on every machine.
#[test]
fn a_decoder_gets_back_what_was_recorded() {
    if Command::new("ffmpeg").arg("-version").output().is_err() {
        return;
    }
    let (path, frames, sound) = record("decoded");
    let decode = |arguments: &[&str]| {
        let mut command = Command::new("ffmpeg");
        command
            .args(["-v", "error", "-i"])
            .arg(&path)
            .args(arguments);
        command.arg("-").output().unwrap().stdout
    };
    let samples = decode(&["-map", "0:a", "-f", "s16le"]);
    let wanted: Vec<u8> = sound
        .iter()
        .flat_map(|sample| sample.to_le_bytes())
        .collect();
    assert!(samples == wanted);
    let size = WIDTH * HEIGHT;
    let pictures = decode(&["-map", "0:v", "-f", "rawvideo", "-pix_fmt", "yuv420p"]);
    assert_eq!(pictures.len(), frames.len() * size * 6);
    for (n, (picture, frame)) in pictures.chunks(size * 6).zip(&frames).enumerate() {
        let (bright, colours) = picture.split_at(size * 4);
        for y in 0..HEIGHT {
            for x in 0..WIDTH {
                let [cb, cr] = [0, 1].map(|plane| colours[plane * size + y * WIDTH + x]);
                let corner = bright[2 * y * 2 * WIDTH + 2 * x + 1];
                let decoded = u32::from_le_bytes([corner, cb, cr, 0]);
                assert_eq!(decoded, frame[y * WIDTH + x], "frame {n}, {x} {y}");
            }
        }
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn colours_are_those_of_a_television() {
    for (colour, wanted) in [
        (0x00_0000, [16, 128, 128]),
        (0xFF_FFFF, [235, 128, 128]),
        (0xFF_0000, [81, 90, 240]),
        (0x00_00FF, [41, 240, 110]),
    ] {
        let [y, cb, cr] = wanted;
        assert_eq!(
            components(colour),
            u32::from_le_bytes([y, cb, cr, 0]),
            "{colour:06x}"
        );
    }
    assert_eq!(aspect(Tv::Ntsc, Shape::Television), (6, 7));
    assert_eq!(aspect(Tv::Pal, Shape::Television), (10_396, 10_000));
}
