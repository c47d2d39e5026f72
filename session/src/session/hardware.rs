//! The machine that programs are started on, as the user has chosen it.
use super::Session;
use machine::{Model, Ram, RamFill, Tv};

/// Choices for the machines that [`Session::start`] makes. `None` is what the program needs, or the usual.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hardware {
    /// The model.
    pub model: Option<Model>,
    /// The television system.
    pub tv: Option<Tv>,
    /// RAM in place of the model's own.
    pub ram: Option<Ram>,
    /// The contents of RAM at power-on.
    pub fill: RamFill,
    /// Decides what is by chance at power-on.
    pub seed: u64,
    /// A second POKEY at $D210.
    pub stereo: bool,
    /// A Covox at $D280.
    pub covox: bool,
    /// An R-Time 8.
    pub clock: bool,
    /// An OS ROM in place of our own.
    pub os: Option<Vec<u8>>,
    /// A BASIC ROM in place of our own.
    pub basic: Option<Vec<u8>>,
}

impl Session {
    /// The choices in force for the next start.
    pub fn hardware(&self) -> Hardware {
        let setup = &self.setup;
        Hardware {
            model: setup.model,
            tv: setup.tv,
            ram: setup.ram,
            fill: setup.fill,
            seed: setup.seed,
            stereo: setup.stereo,
            covox: setup.covox,
            clock: setup.clock,
            os: setup.os.clone(),
            basic: setup.basic.clone(),
        }
    }

    /// Choices for the machines that [`Self::start`] makes from now on; returns the old ones.
    pub fn set_hardware(&mut self, hardware: Hardware) -> Hardware {
        let old = self.hardware();
        let setup = &mut self.setup;
        setup.model = hardware.model;
        setup.tv = hardware.tv;
        setup.ram = hardware.ram;
        setup.fill = hardware.fill;
        setup.seed = hardware.seed;
        setup.stereo = hardware.stereo;
        setup.covox = hardware.covox;
        setup.clock = hardware.clock;
        setup.os = hardware.os;
        setup.basic = hardware.basic;
        old
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Program, Setup};

    #[test]
    fn choices_are_taken_by_the_next_start_and_given_back() {
        let mut session = Session::new(Setup::default()).unwrap();
        let wanted = Hardware {
            model: Some(Model::Xe130),
            tv: Some(Tv::Pal),
            ram: Some(Ram::K320Rambo),
            fill: RamFill::Zero,
            seed: 7,
            stereo: true,
            covox: true,
            clock: true,
            os: None,
            basic: Some(roms::basic().to_vec()),
        };
        let old = session.set_hardware(wanted.clone());
        assert_eq!(old, Hardware::default());
        assert_eq!(session.hardware(), wanted);
        assert_eq!(
            session.machine().config().model,
            Model::Xl800,
            "not before the start"
        );
        session.start(Program::default()).unwrap();
        let config = session.machine().config();
        assert_eq!(
            (config.model, config.tv, config.seed),
            (Model::Xe130, Tv::Pal, 7)
        );
        let extras = &config.extras;
        assert_eq!(
            (extras.ram, extras.fill),
            (Some(Ram::K320Rambo), RamFill::Zero)
        );
        assert!(extras.stereo && extras.covox && extras.clock.is_some());
        // An OS of the wrong size is refused, and the machine runs on.
        let wrong = Hardware {
            os: Some(vec![0; 100]),
            ..wanted
        };
        session.set_hardware(wrong);
        assert!(session.start(Program::default()).is_err());
        assert_eq!(session.machine().config().model, Model::Xe130);
    }
}
