//! Machine options as text, `machine=130xe&tv=pal`: the form that links and the options panel share.
use machine::{Model, Tv};
use session::picture::Composite;
use session::{Kind, Origin, Setup};

/// What can be chosen about a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `machine=`: 400, 800, 800xl, 130xe.
    pub model: Option<Model>,
    /// `tv=`: ntsc, pal.
    pub tv: Option<Tv>,
    /// `basic=0`: start without BASIC.
    pub no_basic: bool,
    /// `run=0`: put a BASIC program into memory and do not RUN it.
    pub no_run: bool,
    /// `artifacts=`: off, on.
    pub composite: Composite,
    /// `h=`: 0 without, 1 with the folder H:. Without a choice, BASIC has it.
    pub folder: Option<bool>,
    /// `seed=`: what RAM holds at power-on.
    pub seed: u64,
}

const MODELS: [Model; 4] = [Model::Atari400, Model::Atari800, Model::Xl800, Model::Xe130];

/// At most so many characters of what was not understood are repeated in an error.
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
                _ => Err(refusal(name, value, "0, 1")),
            };
            match name {
                "machine" => {
                    let found = MODELS.into_iter().find(|model| model.name() == value);
                    let names = MODELS.map(Model::name).join(", ");
                    options.model = Some(found.ok_or_else(|| refusal(name, value, &names))?);
                }
                "tv" => {
                    options.tv = Some(match value {
                        "ntsc" => Tv::Ntsc,
                        "pal" => Tv::Pal,
                        _ => return Err(refusal(name, value, "ntsc, pal")),
                    });
                }
                "basic" => options.no_basic = !switch()?,
                "run" => options.no_run = !switch()?,
                "h" => options.folder = Some(switch()?),
                "artifacts" => {
                    options.composite = if switch()? {
                        Composite::On
                    } else {
                        Composite::Off
                    };
                }
                "seed" => {
                    let number = value.parse();
                    options.seed = number.map_err(|_| refusal(name, value, "a number"))?;
                }
                _ => {
                    return Err(format!(
                        "there is no option called \"{}\"; there are machine, tv, basic, run, h, artifacts, seed",
                        clip(name)
                    ));
                }
            }
        }
        Ok(options)
    }

    /// Puts the choices into a setup.
    pub fn apply(&self, setup: &mut Setup) {
        setup.model = self.model;
        setup.tv = self.tv;
        setup.no_basic = self.no_basic;
        setup.no_run = self.no_run;
        setup.seed = self.seed;
        let own_listing = matches!(setup.program.kind, Kind::Prompt | Kind::Basic(_))
            && setup.program.origin == Origin::User;
        setup.folder = self.folder.unwrap_or(own_listing);
    }
}

fn clip(text: &str) -> String {
    text.chars().take(ECHO).collect()
}

fn refusal(name: &str, value: &str, known: &str) -> String {
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
        let options = Options::parse("machine=130xe&tv=pal&basic=0&h=0&seed=7").unwrap();
        assert_eq!(options.model, Some(Model::Xe130));
        assert_eq!(options.tv, Some(Tv::Pal));
        assert!(options.no_basic && !options.no_run);
        assert_eq!((options.folder, options.seed), (Some(false), 7));
        assert_eq!(Options::parse("").unwrap(), Options::default());
        for (text, wanted) in [
            ("machine=520st", "it takes 400, 800, 800xl, 130xe"),
            ("tv", "it takes ntsc, pal"),
            ("basic=maybe", "it takes 0, 1"),
            ("seed=x", "it takes a number"),
            ("speed=2", "there is no option called \"speed\""),
        ] {
            let error = Options::parse(text).unwrap_err();
            assert!(error.contains(wanted), "{error}");
        }
        let long = "y".repeat(5000);
        assert!(Options::parse(&long).unwrap_err().len() < 200);
    }
}
