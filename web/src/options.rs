//! Machine options as text, `machine=130xe&tv=pal`: the form that links and the options panel share.
use machine::{Model, Named, Ram, Tv};
use session::picture::Composite;
use session::{Columns, Kind, Origin, Setup};
use wasm_bindgen::prelude::wasm_bindgen;

/// A value that an option may have.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug)]
pub struct Choice {
    /// The option's name.
    #[wasm_bindgen(readonly)]
    pub option: String,
    /// The value.
    #[wasm_bindgen(readonly)]
    pub value: String,
    /// The words for it.
    #[wasm_bindgen(readonly)]
    pub text: String,
    /// For RAM: the models that it fits.
    #[wasm_bindgen(readonly)]
    pub models: Vec<String>,
}

/// The options of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `machine=`: a model by its name.
    pub model: Option<Model>,
    /// `ram=`: RAM in place of the model's own.
    pub ram: Option<Ram>,
    /// `tv=`: ntsc, pal.
    pub tv: Option<Tv>,
    /// `basic=`: 0 without, 1 with BASIC. Without a choice, as the program needs.
    pub basic: Option<bool>,
    /// `run=0`: put a BASIC program into memory and do not RUN it.
    pub no_run: bool,
    /// `artifacts=`: off, on, ntsc, pal.
    pub composite: Composite,
    /// `h=`: 0 without, 1 with the folder H:. Without a choice, BASIC has it.
    pub folder: Option<bool>,
    /// `stereo=1`: a second POKEY.
    pub stereo: bool,
    /// `covox=1`: a Covox.
    pub covox: bool,
    /// `fast=1`: drives answer without mechanical times.
    pub fast_drives: bool,
    /// `printer=`: off, 40, 80 columns.
    pub printer: Printer,
    /// `seed=`: the contents of RAM at power-on.
    pub seed: u64,
}

/// The printer; its output is kept unless it is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Printer(pub Option<Columns>);

impl Default for Printer {
    fn default() -> Self {
        Self(Some(Columns::Forty))
    }
}

/// The printer by its name in a link.
pub(crate) fn printer(value: &str) -> Result<Printer, String> {
    match value {
        "off" | "0" => Ok(Printer(None)),
        _ => value
            .parse()
            .ok()
            .and_then(Columns::from_count)
            .map(|columns| Printer(Some(columns)))
            .ok_or_else(|| refusal("printer", value, &["off", "40", "80"])),
    }
}

/// The names of the options, for errors and for the page.
pub(crate) const NAMES: [&str; 12] = [
    "machine",
    "ram",
    "tv",
    "basic",
    "run",
    "h",
    "artifacts",
    "stereo",
    "covox",
    "fast",
    "printer",
    "seed",
];

/// Number of characters of a text that was not understood which an error repeats at most.
const ECHO: usize = 60;

impl Options {
    /// Reads the text.
    ///
    /// # Errors
    /// One sentence on the first part that is not understood.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut options = Self::default();
        for part in text.split('&').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let switch = || match value {
                "0" | "off" => Ok(false),
                "1" | "on" => Ok(true),
                _ => Err(refusal(name, value, &["0", "1"])),
            };
            match name {
                "machine" => options.model = Some(one_of(name, value)?),
                "ram" => options.ram = Some(one_of(name, value)?),
                "tv" => options.tv = Some(one_of(name, value)?),
                "basic" => options.basic = Some(switch()?),
                "run" => options.no_run = !switch()?,
                "h" => options.folder = Some(switch()?),
                "artifacts" => options.composite = artifacts(value)?,
                "stereo" => options.stereo = switch()?,
                "covox" => options.covox = switch()?,
                "fast" => options.fast_drives = switch()?,
                "printer" => options.printer = printer(value)?,
                "seed" => {
                    let number = value.parse();
                    options.seed = number.map_err(|_| refusal(name, value, &["a number"]))?;
                }
                _ => {
                    return Err(format!(
                        "there is no option called \"{}\"; there are {}",
                        clip(name),
                        NAMES.join(", ")
                    ));
                }
            }
        }
        Ok(options)
    }

    /// Puts the choices into a setup.
    pub fn apply(&self, setup: &mut Setup) {
        setup.model = self.model;
        setup.ram = self.ram;
        setup.tv = self.tv;
        setup.no_basic = self.basic == Some(false);
        setup.with_basic = self.basic == Some(true);
        setup.no_run = self.no_run;
        setup.stereo = self.stereo;
        setup.covox = self.covox;
        setup.fast_drives = self.fast_drives;
        setup.printer = self.printer.0;
        setup.seed = self.seed;
        let own_listing = matches!(setup.program.kind, Kind::Prompt | Kind::Basic(_))
            && setup.program.origin == Origin::User;
        setup.folder = self.folder.unwrap_or(own_listing);
    }

    /// The choices of the panel.
    pub fn choices() -> Vec<Choice> {
        let choice = |option: &str, value: &str, text: String| Choice {
            option: option.to_owned(),
            value: value.to_owned(),
            text,
            models: Vec::new(),
        };
        let model = |model: &Model| choice("machine", model.name(), model.about());
        let ram = |ram: &Ram| {
            let models = Model::ALL.iter().filter(|model| ram.fits(**model));
            Choice {
                models: models.map(|model| model.name().to_owned()).collect(),
                ..choice("ram", ram.name(), ram.about())
            }
        };
        let tv = |tv: &Tv| {
            let title = tv.name().to_ascii_uppercase();
            choice("tv", tv.name(), format!("{title}: {}", tv.about()))
        };
        let models = Model::ALL.iter().map(model);
        let all = models.chain(Ram::ALL.iter().map(ram));
        all.chain(Tv::ALL.iter().map(tv)).collect()
    }
}

/// The effects of a composite signal, by name; 0 and 1 are off and on.
pub(crate) fn artifacts(value: &str) -> Result<Composite, String> {
    match value {
        "0" => Ok(Composite::Off),
        "1" => Ok(Composite::On),
        _ => one_of("artifacts", value),
    }
}

/// The choice with this word.
fn one_of<T: Named>(option: &str, value: &str) -> Result<T, String> {
    let names = || T::ALL.iter().map(|one| one.name()).collect::<Vec<_>>();
    T::find(value).ok_or_else(|| refusal(option, value, &names()))
}

fn clip(text: &str) -> String {
    text.chars().take(ECHO).collect()
}

fn refusal(name: &str, value: &str, known: &[&str]) -> String {
    let known = known.join(", ");
    format!(
        "the option {name} cannot be \"{}\"; it takes {known}",
        clip(value)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_mistakes_are_named() {
        let options = Options::parse("machine=130xe&tv=pal&basic=0&h=0&seed=7&ram=320k").unwrap();
        assert_eq!(options.model, Some(Model::Xe130));
        assert_eq!(
            (options.tv, options.ram),
            (Some(Tv::Pal), Some(Ram::K320Rambo))
        );
        assert!(options.basic == Some(false) && !options.no_run);
        assert_eq!((options.folder, options.seed), (Some(false), 7));
        assert_eq!(Options::parse("").unwrap(), Options::default());
        for (text, wanted) in [
            (
                "machine=520st",
                "it takes 400, 800, 1200xl, 600xl, 800xl, 65xe, 130xe, xegs",
            ),
            ("ram=512m", "it takes 8k, 16k"),
            ("tv", "it takes ntsc, pal"),
            ("basic=maybe", "it takes 0, 1"),
            ("artifacts=green", "it takes off, on, ntsc, pal"),
            ("seed=x", "it takes a number"),
            ("speed=2", "there is no option called \"speed\""),
        ] {
            let error = Options::parse(text).unwrap_err();
            assert!(error.contains(wanted), "{error}");
        }
        let long = "y".repeat(5000);
        assert!(Options::parse(&long).unwrap_err().len() < 240);
    }

    #[test]
    fn every_choice_of_the_panel_is_understood_and_starts() {
        for Choice {
            option,
            value,
            text,
            mut models,
        } in Options::choices()
        {
            assert!(!text.is_empty());
            if models.is_empty() {
                models.push("800xl".to_owned());
            }
            for model in &models {
                let model = if option == "machine" { &value } else { model };
                let options = Options::parse(&format!("machine={model}&{option}={value}"));
                let mut setup = Setup::default();
                options.unwrap().apply(&mut setup);
                session::Session::new(setup).unwrap();
            }
        }
    }
}
