//! Any input of the user gets an answer, never a panic.
use host::config::{Config, PictureConfig};
use proptest::prelude::*;
use session::picture::{Look, load_palette};
use session::{Program, script, typist};

const ENDINGS: [&str; 12] = [
    "xex", "com", "atr", "car", "rom", "bin", "bas", "lst", "txt", "state", "cas", "",
];

/// Beginnings by which files are known.
const BEGINNINGS: [&[u8]; 8] = [
    b"",
    &[0xFF, 0xFF],
    &[0x96, 0x02],
    b"CART",
    &[0, 0, 0, 1],
    b"10 ",
    b"FUJI",
    b"ANTICLOCK",
];

proptest! {
    #[test]
    fn any_file_is_a_program_or_gets_a_sentence(
        beginning in 0..BEGINNINGS.len(),
        rest in proptest::collection::vec(any::<u8>(), 0..600),
        ending in 0..ENDINGS.len(),
    ) {
        let bytes = [BEGINNINGS[beginning], &rest].concat();
        let name = format!("x.{}", ENDINGS[ending]);
        if let Err(error) = Program::of_file(&name, &bytes) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn any_script_text_and_configuration_is_read_or_refused(text in "[ -~\n\\\\{}]{0,200}") {
        let _ = script::parse(&text);
        let _ = typist::strokes(&text);
        let _ = Config::parse(&text);
    }

    #[test]
    fn any_palette_and_any_number_of_the_picture_is_taken_or_refused(
        bytes in proptest::collection::vec(any::<u8>(), 0..1600),
        text in "JASC-PAL\n0100\n256\n([0-9 -]{0,12}\n){0,300}",
        picture in "[a-z_-]{0,12}=?[0-9.eE+-]{0,12},?[a-zA-Z=0-9]{0,8}",
    ) {
        let _ = load_palette(&bytes);
        let _ = load_palette(text.as_bytes());
        let mut config = PictureConfig::default();
        if config.set(&picture).is_ok() {
            prop_assert!(Look::new(machine::Tv::Pal, &config, None).is_ok());
        }
    }

    #[test]
    fn any_text_can_be_pasted(text in "\\PC{0,60}[ -~\n\r\t]{0,60}", caps in any::<bool>()) {
        let (strokes, unknown) = typist::pasted(&text, caps);
        prop_assert!(unknown <= text.chars().count());
        prop_assert!(strokes.len() <= text.chars().count() + 2);
    }

    #[test]
    fn lines_that_look_like_a_script_are_read_or_refused(
        frame in "[0-9+]{1,25}",
        verb in "(type|key|joystick|start|select|option|break|reset|screenshot|expect-text|wait-text)",
        rest in "[ -~]{0,30}",
    ) {
        let _ = script::parse(&format!("{frame} {verb} {rest}"));
    }
}
