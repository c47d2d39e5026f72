//! The options in the frontend's menu.
use crate::ffi;
use machine::{Model, Named, Ram, Tv};
use session::Setup;
use session::picture::{Composite, Settings};
use std::ffi::{CString, c_char};
use std::ptr;

/// An option: key, name, description, its values with their labels in the menu, the default first.
struct Choice {
    key: &'static str,
    name: &'static str,
    info: &'static str,
    values: Vec<(String, String)>,
}

fn values(of: &[(&str, &str)]) -> Vec<(String, String)> {
    let texts = of.iter();
    texts
        .map(|(value, shown)| ((*value).to_owned(), (*shown).to_owned()))
        .collect()
}

fn choice(
    key: &'static str,
    name: &'static str,
    info: &'static str,
    of: &[(&str, &str)],
) -> Choice {
    Choice {
        key,
        name,
        info,
        values: values(of),
    }
}

/// All options, in the order of the menu.
fn choices() -> Vec<Choice> {
    let mut all = machine_choices();
    all.extend(picture_choices());
    all
}

/// The options of the machine.
fn machine_choices() -> Vec<Choice> {
    let mut model = values(&[("auto", "as the program needs")]);
    model.extend(Model::ALL.iter().map(|model| {
        let name = model.name();
        (name.to_owned(), name.to_ascii_uppercase())
    }));
    let mut ram = values(&[("auto", "the model's own")]);
    ram.extend(
        Ram::ALL
            .iter()
            .map(|ram| (ram.name().to_owned(), ram.about())),
    );
    vec![
        Choice {
            key: "anticlock_model",
            name: "Model",
            info: "The computer. Acts when the core is restarted.",
            values: model,
        },
        Choice {
            key: "anticlock_ram",
            name: "Memory",
            info: "RAM in place of the model's own. Acts when the core is restarted.",
            values: ram,
        },
        choice(
            "anticlock_tv",
            "Television system",
            "Acts when the core is restarted.",
            &[
                ("auto", "as the program needs"),
                ("ntsc", "NTSC, 59.92 Hz"),
                ("pal", "PAL, 49.86 Hz"),
            ],
        ),
        choice(
            "anticlock_basic",
            "BASIC",
            "Whether the machine starts with BASIC. Acts when the core is restarted.",
            &[
                ("auto", "as the program needs"),
                ("on", "on"),
                ("off", "off"),
            ],
        ),
        choice(
            "anticlock_stereo",
            "Second POKEY",
            "A second sound chip at $D210, on the right. Acts when the core is restarted.",
            &[("auto", "as the program needs"), ("on", "on")],
        ),
        choice(
            "anticlock_fast_drives",
            "Fast disk drives",
            "Disk drives answer without mechanical times. Acts when the core is restarted.",
            &[("off", "off"), ("on", "on")],
        ),
    ]
}

/// The options of the picture.
fn picture_choices() -> [Choice; 3] {
    [
        choice(
            "anticlock_overscan",
            "Picture",
            "How much of the border is shown.",
            &[
                ("television", "as on a television, 336 x 224"),
                ("full", "all, 376 x 240"),
                ("playfield", "no border, 320 x 192"),
            ],
        ),
        choice(
            "anticlock_artifacts",
            "Composite colours",
            "Colours that hires patterns have on NTSC, or lines that blend on PAL.",
            &[
                ("off", "off"),
                ("on", "of the television system"),
                ("ntsc", "NTSC"),
                ("pal", "PAL"),
            ],
        ),
        choice(
            "anticlock_palette",
            "Palette",
            "Generated colours, or the file anticlock.pal in the system folder.",
            &[("generated", "generated"), ("file", "anticlock.pal")],
        ),
    ]
}

/// The user's choices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    pub model: Option<Model>,
    pub ram: Option<Ram>,
    pub tv: Option<Tv>,
    pub basic: Option<bool>,
    pub stereo: bool,
    pub fast_drives: bool,
    pub overscan: Overscan,
    pub artifacts: Composite,
    pub palette_file: bool,
}

/// The part of the border that is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overscan {
    #[default]
    Television,
    Full,
    Playfield,
}

impl Overscan {
    /// First column and row in the machine's picture, width and height.
    pub fn window(self) -> [usize; 4] {
        match self {
            // The playfield begins at colour clock 48 and line 32, the picture at 34 and 8.
            Self::Television => [20, 8, 336, 224],
            Self::Full => [0, 0, 376, 240],
            Self::Playfield => [28, 24, 320, 192],
        }
    }
}

impl Options {
    /// The choices, by the value that `value` returns for each key. A value that is not known counts as the default.
    pub fn read(value: impl Fn(&str) -> Option<String>) -> Self {
        let text = |key: &str| value(key).unwrap_or_default();
        let on = |key: &str| text(key) == "on";
        let (model, ram) = (text("anticlock_model"), text("anticlock_ram"));
        Self {
            model: Model::find(&model),
            ram: Ram::find(&ram),
            tv: Tv::find(&text("anticlock_tv")),
            basic: match &text("anticlock_basic")[..] {
                "on" => Some(true),
                "off" => Some(false),
                _ => None,
            },
            stereo: on("anticlock_stereo"),
            fast_drives: on("anticlock_fast_drives"),
            overscan: match &text("anticlock_overscan")[..] {
                "full" => Overscan::Full,
                "playfield" => Overscan::Playfield,
                _ => Overscan::Television,
            },
            artifacts: Composite::find(&text("anticlock_artifacts")).unwrap_or_default(),
            palette_file: text("anticlock_palette") == "file",
        }
    }

    /// Puts what concerns the machine into a setup.
    pub fn apply(&self, setup: &mut Setup) {
        setup.model = self.model;
        // A size that the model does not have is ignored.
        let model = self.model.unwrap_or(Model::Xl800);
        setup.ram = self.ram.filter(|ram| ram.fits(model));
        setup.tv = self.tv;
        setup.with_basic = self.basic == Some(true);
        setup.no_basic = self.basic == Some(false);
        setup.stereo = self.stereo;
        setup.fast_drives = self.fast_drives;
    }

    /// The settings of the picture.
    pub fn settings(&self) -> Settings {
        Settings {
            artifacts: self.artifacts,
            ..Settings::default()
        }
    }
}

/// A text for the frontend, which may keep the pointer for as long as the core is loaded.
pub fn forever(text: &str) -> *const c_char {
    // A text with a zero in it cannot be passed; no text here has one.
    CString::new(text).map_or(ptr::null(), |text| text.into_raw().cast_const())
}

/// The options in the form of version 2. It is made once and never freed: a frontend may look at it later.
pub fn definitions() -> ffi::OptionsV2 {
    let none = ffi::OptionValue {
        value: ptr::null(),
        label: ptr::null(),
    };
    let mut all: Vec<_> = choices()
        .into_iter()
        .map(|choice| {
            let mut values = [none; ffi::OPTION_VALUES];
            for (place, (value, label)) in values.iter_mut().zip(&choice.values) {
                (place.value, place.label) = (forever(value), forever(label));
            }
            ffi::OptionDefinition {
                key: forever(choice.key),
                desc: forever(choice.name),
                desc_categorized: ptr::null(),
                info: forever(choice.info),
                info_categorized: ptr::null(),
                category_key: ptr::null(),
                default_value: values[0].value,
                values,
            }
        })
        .collect();
    all.push(ffi::OptionDefinition {
        key: ptr::null(),
        desc: ptr::null(),
        desc_categorized: ptr::null(),
        info: ptr::null(),
        info_categorized: ptr::null(),
        category_key: ptr::null(),
        values: [none; ffi::OPTION_VALUES],
        default_value: ptr::null(),
    });
    ffi::OptionsV2 {
        categories: ptr::null(),
        definitions: Box::leak(all.into_boxed_slice()).as_ptr(),
    }
}

/// The options in the form of the first frontends: `Name; default|value|value`.
pub fn variables() -> *const ffi::Variable {
    let mut all: Vec<_> = choices()
        .into_iter()
        .map(|choice| {
            let values: Vec<_> = choice.values.iter().map(|value| &value.0[..]).collect();
            ffi::Variable {
                key: forever(choice.key),
                value: forever(&format!("{}; {}", choice.name, values.join("|"))),
            }
        })
        .collect();
    all.push(ffi::Variable {
        key: ptr::null(),
        value: ptr::null(),
    });
    Box::leak(all.into_boxed_slice()).as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_of_the_menu_is_understood() {
        let usual = Options::read(|_| None);
        assert_eq!(usual, Options::default());
        for choice in choices() {
            assert!(choice.values.len() < ffi::OPTION_VALUES);
            for (number, (value, _)) in choice.values.iter().enumerate() {
                let read = Options::read(|key| (key == choice.key).then(|| value.clone()));
                assert_eq!(read == usual, number == 0, "{}={value}", choice.key);
            }
        }
        assert_eq!(Options::read(|_| Some("nonsense".to_owned())), usual);
    }

    #[test]
    fn windows_lie_in_the_picture() {
        for overscan in [Overscan::Television, Overscan::Full, Overscan::Playfield] {
            let [x, y, width, height] = overscan.window();
            assert!(x + width <= machine::Frame::WIDTH && y + height <= machine::Frame::HEIGHT);
        }
    }
}
