//! The fonts of all text: Ubuntu Light, Hack for columns, and a few symbols that neither has.
use egui::{FontData, FontDefinitions, FontFamily};
use flate2::read::DeflateDecoder;
use std::io::Read;
use std::sync::{Arc, LazyLock};

/// What `build/main.rs` has packed.
const PACKED: [(&str, &[u8]); 3] = [
    (
        "proportional",
        include_bytes!(concat!(env!("OUT_DIR"), "/proportional")),
    ),
    (
        "monospace",
        include_bytes!(concat!(env!("OUT_DIR"), "/monospace")),
    ),
    (
        "symbols",
        include_bytes!(concat!(env!("OUT_DIR"), "/symbols")),
    ),
];

/// Inflated once, for all windows.
static DEFINITIONS: LazyLock<FontDefinitions> = LazyLock::new(|| {
    let mut definitions = FontDefinitions::empty();
    for (name, packed) in PACKED {
        let mut font = Vec::new();
        DeflateDecoder::new(packed)
            .read_to_end(&mut font)
            .expect("the fonts were packed when the program was built");
        let data = Arc::new(FontData::from_owned(font));
        definitions.font_data.insert(name.to_owned(), data);
    }
    // Each family falls back on the other's font.
    for (family, names) in [
        (
            FontFamily::Proportional,
            ["proportional", "monospace", "symbols"],
        ),
        (
            FontFamily::Monospace,
            ["monospace", "proportional", "symbols"],
        ),
    ] {
        let names = names.map(str::to_owned).to_vec();
        definitions.families.insert(family, names);
    }
    definitions
});

/// The fonts, for a context of egui.
pub fn definitions() -> FontDefinitions {
    DEFINITIONS.clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Context, FontId, RawInput};
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    /// The characters above U+007E that sources name outside of comments, as themselves or by escape.
    fn named(source: &str, characters: &mut BTreeSet<char>) {
        for line in source.lines() {
            let code = line.split("//").next().unwrap_or(line);
            let escaped = code.split("\\u{").skip(1).filter_map(|rest| {
                let (digits, _) = rest.split_once('}')?;
                char::from_u32(u32::from_str_radix(digits, 16).ok()?)
            });
            let shown = escaped.chain(code.chars()).filter(|c| *c > '~');
            characters.extend(shown.filter(|c| !c.is_control()));
        }
    }

    fn sources(folder: &Path, characters: &mut BTreeSet<char>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, characters);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                // Tests name characters of every kind; they are at the end of a file, or in one of their own.
                let text = fs::read_to_string(&path).unwrap();
                if path.file_name() != Some("tests.rs".as_ref()) {
                    named(text.split("#[cfg(test)]").next().unwrap(), characters);
                }
            }
        }
    }

    /// Characters that `family` has no glyph for.
    fn missing(family: &FontFamily, characters: &BTreeSet<char>) -> String {
        let context = Context::default();
        crate::theme::apply(&context, true, 1.0);
        let mut missing = String::new();
        let _ = context.run_ui(RawInput::default(), |ui| {
            let font = FontId::new(14.0, family.clone());
            missing = characters
                .iter()
                .filter(|c| !ui.fonts_mut(|fonts| fonts.has_glyph(&font, **c)))
                .collect();
        });
        missing
    }

    /// Every character of the Atari, and every one that a source of the window or below it names, has a glyph in both families.
    #[test]
    fn every_character_that_is_shown_has_a_glyph() {
        let mut characters: BTreeSet<char> = (0..=0x7F).map(media::atascii::glyph).collect();
        assert!(characters.contains(&'\u{2665}'));
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for name in ["ui", "debugger", "session", "frontend"] {
            sources(&root.join(name).join("src"), &mut characters);
        }
        assert!(characters.contains(&'\u{2605}') && characters.contains(&'\u{D7}'));
        // Those of egui itself: an ellipsis, the arrow of a menu within a menu.
        characters.extend(['\u{2026}', '\u{23F5}']);
        characters.extend(' '..='~');
        for family in [FontFamily::Proportional, FontFamily::Monospace] {
            assert_eq!(missing(&family, &characters), "", "{family}");
        }
        let unknown = BTreeSet::from(['\u{4E2D}', 'a']);
        assert_eq!(missing(&FontFamily::Proportional, &unknown), "\u{4E2D}");
    }
}
