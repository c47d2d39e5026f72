//! From bytes and choices to a machine: model, ROMs, media.
use crate::built_in;
use crate::host_keys::HostKeys;
use crate::media::{Line, Mount, Mounts, Place};
use crate::needs::{Choice, Finding, Needs, TableError};
use crate::program::{Kind, Origin, Program, ProgramError};
use crate::timeline::Moment;
use machine::{
    Config, ConfigError, Extras, Machine, Model, Named, Ram, RamFill, Rom, StateError, Tv,
};
use media::atr::Disk;
use media::cartridge::Cartridge;
use media::cas::{Load, Tape};

/// Drives that disks can be put into.
pub const DRIVES: usize = 8;

/// ROM images that are known by their CRC-32.
const KNOWN: &[(u32, &str)] = &[
    (0xC1B3BB02, "400/800 OS revision A (NTSC)"),
    (0x72B3FED4, "400/800 OS revision A (PAL)"),
    (0x0E86D61D, "400/800 OS revision B (NTSC)"),
    (0xC5C11546, "1200XL OS revision 10"),
    (0x1A1D7B1B, "1200XL OS revision 11"),
    (0x643BCC98, "600XL OS revision 1"),
    (0x1F9CD270, "XL OS revision 2"),
    (0x29F133F7, "XE OS revision 3"),
    (0x1EAF4002, "XEGS OS revision 4"),
    (0x4BEC4DE2, "BASIC revision A"),
    (0xF0202FB3, "BASIC revision B"),
    (0x7D684184, "BASIC revision C"),
];

/// The name of a ROM image, when it is one that is known.
pub fn rom_name(image: &[u8]) -> Option<&'static str> {
    if image == roms::os_xl() {
        return Some("Anticlock's own XL OS");
    }
    if image == roms::os_800() {
        return Some("Anticlock's own 400/800 OS");
    }
    if image == roms::basic() {
        return Some("Anticlock's own BASIC");
    }
    let crc = machine::codec::crc32(image);
    KNOWN
        .iter()
        .find(|(known, _)| *known == crc)
        .map(|(_, name)| *name)
}

/// Everything a session begins with: bytes and choices, no files. The default is an NTSC 800XL at the READY prompt.
///
/// ```
/// use session::{Session, Setup};
/// let setup = Setup { tv: Some(machine::Tv::Pal), ..Setup::default() };
/// let session = Session::new(setup).unwrap();
/// assert_eq!(session.machine().config().tv, machine::Tv::Pal);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The program to play.
    pub program: Program,
    /// The file that the program's disk, tape or cartridge is written back to.
    pub program_file: Option<MediumFile>,
    /// The model; `None` is an 800XL, or that of the OS ROM or the saved state.
    pub model: Option<Model>,
    /// The television system; `None` is NTSC, or that of the saved state.
    pub tv: Option<Tv>,
    /// An OS ROM in place of our own.
    pub os: Option<Vec<u8>>,
    /// A BASIC ROM in place of our own.
    pub basic: Option<Vec<u8>>,
    /// Start without BASIC, as with OPTION held down.
    pub no_basic: bool,
    /// Start with BASIC, whatever the program needs.
    pub with_basic: bool,
    /// The user's table of the needs of files, see [`crate::Needs`].
    pub needs_table: String,
    /// Put a BASIC program into memory and do not RUN it.
    pub no_run: bool,
    /// Decides the contents of RAM and free-running counters at power-on.
    pub seed: u64,
    /// The contents of RAM at power-on.
    pub fill: RamFill,
    /// RAM in place of the model's own.
    pub ram: Option<Ram>,
    /// A second POKEY at $D210.
    pub stereo: bool,
    /// A Covox at $D280.
    pub covox: bool,
    /// An R-Time 8, whether or not the cartridge is a SpartaDOS X.
    pub clock: bool,
    /// The time at power-on for an R-Time 8: seconds since the beginning of 2000.
    pub time: u64,
    /// Drives answer without mechanical times.
    pub fast_drives: bool,
    /// Disks for the next free drives.
    pub disks: Vec<Mount<Disk>>,
    /// The tape in the program recorder.
    pub tape: Option<Mount<Tape>>,
    /// RECORD is pressed, and that tape wound to its end.
    pub record: bool,
    /// The printer, whose paper comes as [`crate::Ask::Print`]; `None` while it is off.
    pub printer: Option<crate::Columns>,
    /// The host answers [`crate::Ask::Folder`]: H:, and D: too while no disk is in the drive.
    pub folder: bool,
    /// The host answers it for BASIC, too: the user's programs have a place to be saved. Not for games, disks and binary files.
    pub home: bool,
    /// A cartridge.
    pub cartridge: Option<Cartridge>,
    /// Its file, when it is one that a program can write to.
    pub cartridge_file: Option<MediumFile>,
    /// A cartridge for the second slot.
    pub second: Option<Cartridge>,
    /// The names of these two cartridges.
    pub slot_names: [String; 2],
}

/// A file of the host by the number and the name that the host has for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediumFile {
    /// The host's number for it.
    pub id: crate::MediumId,
    /// Its name, for messages and titles.
    pub name: String,
}

/// Reason why a machine cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// An OS ROM for another machine.
    #[error("the OS ROM of the {model} has {wanted} bytes, this file has {found}")]
    OsSize {
        /// The model.
        model: &'static str,
        /// Bytes that its OS has.
        wanted: usize,
        /// Bytes that were given.
        found: usize,
    },
    /// An OS ROM for no machine.
    #[error("an OS ROM has 16384 bytes (XL, XE) or 10240 (400, 800), this file has {0}")]
    Os(usize),
    /// No BASIC ROM.
    #[error("a BASIC ROM has 8192 bytes, this file has {0}")]
    Basic(usize),
    /// A BASIC program and no BASIC.
    #[error("a BASIC program does not run without BASIC")]
    WithoutBasic,
    /// A built-in game and too little memory.
    #[error("{title} needs {wanted}K of memory, this machine has {found}K")]
    Memory {
        /// The game's title.
        title: &'static str,
        /// The kilobytes that it needs.
        wanted: u32,
        /// The kilobytes of the machine.
        found: u32,
    },
    /// More disks than drives.
    #[error("there are only eight disk drives")]
    Drives,
    /// A table of needs that is not understood.
    #[error("{0}")]
    Needs(#[from] TableError),
    /// A saved state of another machine than the one asked for.
    #[error("the saved state is of another machine")]
    OtherMachine,
    /// A saved state that cannot be used.
    #[error("{0}")]
    State(#[from] StateError),
    /// ROMs that make no machine.
    #[error("{0}")]
    Config(#[from] ConfigError),
}

/// A ROM image: one of our own, which saved states carry, or foreign.
fn rom(image: &[u8]) -> Rom {
    if [roms::os_xl(), roms::os_800(), roms::basic()].contains(&image) {
        Rom::own(image)
    } else {
        Rom::foreign(image)
    }
}

impl Setup {
    /// The setup for a file by its name and bytes.
    ///
    /// # Errors
    /// The flaw of the file.
    pub fn for_file(name: &str, bytes: &[u8]) -> Result<Self, ProgramError> {
        Program::of_file(name, bytes).map(Self::for_program)
    }

    /// The setup for a built-in program, `menu` included; `None` for other names.
    ///
    /// # Errors
    /// When the program is damaged; a test shows that no program is.
    pub fn built_in(name: &str) -> Result<Option<Self>, ProgramError> {
        Ok(built_in::find(name)?.map(Self::for_program))
    }

    /// The setup for a program, everything else as usual.
    #[must_use]
    pub fn for_program(program: Program) -> Self {
        Self {
            program,
            ..Self::default()
        }
    }

    /// The needs of the program where the user asks for nothing: found out from its bytes and from the tables.
    ///
    /// # Errors
    /// A table that is not understood.
    pub fn needs(&self) -> Result<Needs, TableError> {
        Needs::of(&self.program, &self.needs_table)
    }

    /// Role of the host's arrow keys and space bar from the start; `None`: as the program wants them. Programs of our own say it
    /// themselves, for files the tables do.
    pub(crate) fn keys_choice(&self) -> Option<HostKeys> {
        match (self.program.origin, self.program.joystick) {
            (Origin::User, _) => self.needs().ok()?.keys,
            (_, true) => Some(HostKeys::Stick),
            (_, false) => Some(HostKeys::Typing),
        }
    }

    /// The findings about the program, for the user: each with what follows from it, unless the user has chosen otherwise.
    ///
    /// # Errors
    /// A line of the table of needs that is not understood.
    pub fn findings(&self) -> Result<Vec<Finding>, TableError> {
        let needs = self.needs()?;
        let taken = |choice: &Choice| match *choice {
            Choice::Basic(basic) => basic == self.basic_wanted(&needs),
            Choice::Model(model) => self.model.is_none_or(|asked| asked == model),
            Choice::Tv(tv) => self.tv.is_none_or(|asked| asked == tv),
            Choice::Ram(ram) => self.ram.is_none_or(|asked| asked == ram),
            Choice::Stereo => true,
        };
        let findings = needs.found.iter().map(|finding| Finding {
            choice: finding.choice.filter(taken),
            ..*finding
        });
        Ok(findings.collect())
    }

    /// The machine's configuration.
    ///
    /// # Errors
    /// The parts of the setup that do not fit together.
    pub fn config(&self) -> Result<Config, SetupError> {
        let needs = self.needs()?;
        let (mut tv, mut asked) = (
            self.tv.or(needs.tv).unwrap_or(Tv::Ntsc),
            // An OS ROM says itself which machine it is for.
            self.model.or(needs.model.filter(|_| self.os.is_none())),
        );
        if let Kind::State(state) = &self.program.kind {
            let info = machine::state_info(state)?;
            if asked.is_some_and(|model| model != info.model)
                || self.tv.is_some_and(|tv| tv != info.tv)
            {
                return Err(SetupError::OtherMachine);
            }
            (tv, asked) = (info.tv, Some(info.model));
        }
        let (model, os) = self.model_and_os(asked)?;
        let cartridge = match &self.program.kind {
            Kind::Cartridge(cartridge) => Some(cartridge.clone()),
            _ => self.cartridge.clone(),
        };
        let basic = self.basic_rom(model, &needs)?;
        let reads_clock = cartridge
            .as_ref()
            .is_some_and(|c| machine::wiring(c.kind).has_slot());
        Ok(Config {
            model,
            tv,
            os,
            basic,
            cartridge,
            second: self.second.clone(),
            seed: self.seed,
            extras: Extras {
                ram: self.ram.or(needs.ram.filter(|ram| ram.fits(model))),
                fill: self.fill,
                stereo: self.stereo || needs.stereo,
                covox: self.covox,
                boots_tape: self.boots_tape(&needs),
                clock: (self.clock || reads_clock).then_some(self.time),
            },
        })
    }

    /// The model, and our OS for it or the one that was given.
    fn model_and_os(&self, asked: Option<Model>) -> Result<(Model, Rom), SetupError> {
        let Some(image) = &self.os else {
            let model = asked.unwrap_or(Model::Xl800);
            let own = if model.is_xl() {
                roms::os_xl()
            } else {
                roms::os_800()
            };
            return Ok((model, Rom::own(own)));
        };
        // The ROM says which machine it is for, unless the user does.
        let fitting = asked.or(match image.len() {
            0x4000 => Some(Model::Xl800),
            0x2800 => Some(Model::Atari800),
            _ => None,
        });
        let model = fitting.ok_or(SetupError::Os(image.len()))?;
        if image.len() != model.os_size() {
            return Err(SetupError::OsSize {
                model: model.name(),
                wanted: model.os_size(),
                found: image.len(),
            });
        }
        Ok((model, rom(image)))
    }

    /// The BASIC of most XLs is always in the machine; that of a 400, 800 or 1200XL is a cartridge.
    fn basic_rom(&self, model: Model, needs: &Needs) -> Result<Option<Rom>, SetupError> {
        if !model.has_basic() && !self.basic_wanted(needs) {
            return Ok(None);
        }
        let image = self.basic.as_deref().unwrap_or(roms::basic());
        if image.len() != 0x2000 {
            return Err(SetupError::Basic(image.len()));
        }
        Ok(Some(rom(image)))
    }

    /// True if the machine starts with BASIC. A BASIC ROM that was given only replaces our BASIC.
    fn basic_wanted(&self, needs: &Needs) -> bool {
        let usual = match self.program.kind {
            Kind::Prompt | Kind::Basic(_) | Kind::State(_) => true,
            Kind::Disk(_) => needs.basic.unwrap_or(true),
            Kind::Binary(_) => needs.basic.unwrap_or(false),
            Kind::Tape(ref tape) => tape.load() != Load::Boot,
            Kind::Cartridge(_) => false,
        };
        (usual || self.with_basic) && !self.no_basic
    }

    /// True if the OS is to boot the cassette.
    fn boots_tape(&self, needs: &Needs) -> bool {
        matches!(self.program.kind, Kind::Tape(_)) && !self.basic_wanted(needs)
    }

    /// True if the program may ask for files of a folder.
    pub(crate) fn wants_folder(&self) -> bool {
        let saves = self.program.origin == (Origin::Game { saves: true });
        let source = self.program.source.is_some();
        self.folder || saves || source || self.home && self.is_home()
    }

    /// True for programs of the user that BASIC runs.
    fn is_home(&self) -> bool {
        self.program.origin == Origin::User
            && matches!(
                self.program.kind,
                Kind::Prompt | Kind::Basic(_) | Kind::State(_)
            )
    }

    /// A built-in game has more lines, or others, where there is memory for them.
    fn fit(&mut self, ram: Ram) -> Result<(), SetupError> {
        let found = u32::try_from(ram.main() / 1024).unwrap_or(u32::MAX);
        if self.program.origin == Origin::Menu {
            if let Some(menu) = built_in::menu_with_tune(&self.program.kind, found) {
                self.program.kind = menu;
            }
            return Ok(());
        }
        let is_this = |game: &&roms::games::Game| game.title == self.program.title;
        if !matches!(self.program.origin, Origin::Game { .. }) {
            return Ok(());
        }
        let Some(game) = roms::games::ALL.iter().find(is_this) else {
            return Ok(());
        };
        let Some(file) = game.for_memory(found) else {
            return Err(SetupError::Memory {
                title: game.title,
                wanted: game.needs,
                found,
            });
        };
        if let Ok(program) = media::basic::Program::parse_save(file) {
            self.program.kind = Kind::Basic(program);
        }
        Ok(())
    }

    /// A machine with the media in it, just switched on, and the files of these media. Disks are taken out of the setup.
    pub(crate) fn power_on(&mut self) -> Result<(Machine, Mounts), SetupError> {
        if matches!(self.program.kind, Kind::Basic(_)) && self.no_basic {
            return Err(SetupError::WithoutBasic);
        }
        let config = self.config()?;
        self.fit(config.ram())?;
        let mut machine = Machine::new(&config)?;
        // A cartridge switches the BASIC of an XL off by itself; OPTION means something else to it.
        if config.model.has_basic()
            && config.cartridge.is_none()
            && !self.basic_wanted(&self.needs()?)
        {
            machine.hold_option();
        }
        machine.set_fast_drives(self.fast_drives);
        if self.wants_folder() {
            let disk = matches!(self.program.kind, Kind::Disk(_)) || !self.disks.is_empty();
            let user = self.folder || self.program.origin == Origin::User;
            machine.attach_host(user && !disk);
        }
        let mut mounts = Mounts::default();
        self.insert_program(&mut machine, &mut mounts);
        self.mount_cartridge(&mut machine, &mut mounts);
        // A program on a disk is in the first drive.
        let first = usize::from(matches!(self.program.kind, Kind::Disk(_)));
        if self.disks.len() > DRIVES - first {
            return Err(SetupError::Drives);
        }
        if let Some(tape) = self.tape.take() {
            machine.insert_tape(tape.medium);
            if self.record {
                machine.wind_tape(usize::MAX);
            }
            machine.press_record(self.record);
            mounts.insert(&mut machine, Place::Recorder, tape.file);
        }
        for (drive, disk) in (first..).zip(self.disks.drain(..)) {
            machine.insert_disk(drive, disk.medium);
            mounts.insert(&mut machine, Place::Drive(drive), disk.file);
        }
        if let Kind::State(state) = &self.program.kind {
            // The disks that were given are in the drives when the state comes, which brings its own: docs/media.md.
            mounts.put_aside(&mut machine, None, Line::Foreign, Moment::default());
            mounts.load();
            machine.load_state(state)?;
        }
        Ok((machine, mounts))
    }

    /// Inserts a program that is a file, a disk or a tape.
    fn insert_program(&self, machine: &mut Machine, mounts: &mut Mounts) {
        match &self.program.kind {
            Kind::Binary(xex) => {
                machine.insert_program(xex.boot());
                // Without another disk in D1: the one that boots the file stays there.
                if self.disks.is_empty() {
                    self.mount(machine, mounts, Place::Drive(0), None);
                }
            }
            Kind::Disk(disk) => {
                machine.insert_disk(0, disk.clone());
                let file = self.program_file.as_ref();
                self.mount(machine, mounts, Place::Drive(0), file);
            }
            Kind::Tape(tape) => {
                machine.insert_tape(tape.clone());
                let file = self.program_file.as_ref();
                self.mount(machine, mounts, Place::Recorder, file);
            }
            _ => {}
        }
    }

    /// Notes the file of the cartridge that is in the machine.
    fn mount_cartridge(&self, machine: &mut Machine, mounts: &mut Mounts) {
        if machine.cartridge_identity().is_some() {
            let file = match self.program.kind {
                Kind::Cartridge(_) => self.program_file.as_ref(),
                _ => self.cartridge_file.as_ref(),
            };
            self.mount(machine, mounts, Place::Cartridge, file);
        }
    }

    /// Notes the file of a medium; without a file, the medium is a copy with the program's title.
    fn mount(
        &self,
        machine: &mut Machine,
        mounts: &mut Mounts,
        place: Place,
        file: Option<&MediumFile>,
    ) {
        if let Some(file) = file {
            mounts.insert(machine, place, file.clone());
        } else {
            let name = self.program.title.clone();
            mounts.insert_copy(machine, place, name, None, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_is_an_800xl_with_basic_unless_told_otherwise() {
        let config = Setup::default().config().unwrap();
        assert_eq!(config.model, Model::Xl800);
        assert_eq!(config.tv, Tv::Ntsc);
        assert!(config.basic.is_some());
        assert_eq!(rom_name(&config.os), Some("Anticlock's own XL OS"));
    }

    #[test]
    fn binary_files_start_without_basic_unless_it_is_asked_for() {
        let bytes = [0xFF, 0xFF, 0, 0x20, 0, 0x20, 0x60];
        let setup = Setup::for_file("x.xex", &bytes).unwrap();
        let wanted = |setup: &Setup| setup.basic_wanted(&setup.needs().unwrap());
        assert!(!wanted(&setup));
        let own_rom = Setup {
            basic: Some(roms::BASIC.to_vec()),
            ..setup.clone()
        };
        assert!(!wanted(&own_rom));
        let with_basic = Setup {
            with_basic: true,
            ..own_rom
        };
        assert!(wanted(&with_basic));
        // A user's binary files have a 130XE.
        assert_eq!(with_basic.config().unwrap().model, Model::Xe130);
        let banks = [0xFF, 0xFF, 0, 0x20, 4, 0x20, 0xA9, 0xE3, 0x8D, 0x01, 0xD3];
        let mut setup = Setup::for_file("x.xex", &banks).unwrap();
        assert_eq!(setup.config().unwrap().model, Model::Xe130);
        setup.model = Some(Model::Xl800);
        assert_eq!(setup.config().unwrap().model, Model::Xl800);
    }

    #[test]
    fn a_disk_beside_a_binary_file_is_in_d1_and_the_file_is_booted_all_the_same() {
        let bytes = [0xFF, 0xFF, 0, 0x20, 2, 0x20, 0x4C, 0, 0x20];
        let mut setup = Setup::for_file("x.xex", &bytes).unwrap();
        let id = crate::MediumId(0);
        let name = "a.atr".to_owned();
        setup.disks.push(Mount {
            file: MediumFile { id, name },
            medium: crate::blank_disk(media::atr::Blank::Single),
        });
        let mut session = crate::Session::new(setup).unwrap();
        let start = |session: &mut crate::Session| {
            for _ in 0..600 {
                session.run_frame();
                if session.machine().program_started() {
                    return;
                }
            }
            panic!("the file is not started");
        };
        start(&mut session);
        let name = |session: &crate::Session| {
            let file = session.file_at(Place::Drive(0));
            file.map(|file| file.name.clone())
        };
        assert_eq!(name(&session).as_deref(), Some("a.atr"));
        let sector = session
            .machine()
            .disk(0)
            .unwrap()
            .sector(1)
            .unwrap()
            .to_vec();
        assert_ne!(sector, media::xex::boot_sector());
        session.cold_start();
        assert!(!session.machine().program_started());
        start(&mut session);
        // Another program has the disk in D1:, too.
        session.start(Program::default()).unwrap();
        assert_eq!(name(&session).as_deref(), Some("a.atr"));
    }

    #[test]
    fn what_was_found_is_said_without_a_choice_that_the_user_has_made() {
        let said = |setup: &Setup| {
            let findings = setup.findings().unwrap();
            findings.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let disk = crate::blank_disk(media::atr::Blank::Single).to_bytes();
        let mut setup = Setup::for_file("d.atr", &disk).unwrap();
        assert_eq!(said(&setup), ["the disk is blank: with BASIC"]);
        setup.no_basic = true;
        assert_eq!(said(&setup), ["the disk is blank"]);
        let old = [0xFF, 0xFF, 0, 0x20, 3, 0x20, 0xAD, 0x14, 0xD0, 0x60];
        let mut setup = Setup::for_file("x.xex", &old).unwrap();
        let asks = "it asks whether the machine is a PAL one";
        assert_eq!(said(&setup), [format!("{asks}: PAL")]);
        setup.tv = Some(Tv::Ntsc);
        assert_eq!(said(&setup), [asks]);
        let banks = [0xFF, 0xFF, 0, 0x20, 4, 0x20, 0xA9, 0xE3, 0x8D, 0x01, 0xD3];
        let mut setup = Setup::for_file("x.xex", &banks).unwrap();
        let chooses = "it chooses banks of extended RAM";
        assert_eq!(said(&setup), [format!("{chooses}: a 130XE")]);
        setup.model = Some(Model::Xl800);
        assert_eq!(said(&setup), [chooses]);
        let calls = [0xFF, 0xFF, 0, 0x20, 2, 0x20, 0x20, 0xB7, 0xF5];
        let setup = Setup::for_file("x.xex", &calls).unwrap();
        let old = "it calls the OS of the 400 and 800: an 800";
        assert_eq!(said(&setup), [old]);
        let mut many = vec![0xFF, 0xFF];
        for _ in 0..6 {
            many.extend([0x00, 0x40, 0xFF, 0x7F]);
            many.extend([0; 0x4000]);
        }
        let mut setup = Setup::for_file("x.xex", &many).unwrap();
        let fills = "it fills more than four banks of extended RAM";
        assert_eq!(said(&setup), [format!("{fills}: 1088K")]);
        setup.ram = Some(Ram::K320Rambo);
        assert_eq!(said(&setup), [fills]);
    }

    #[test]
    fn an_os_rom_chooses_the_machine_and_a_wrong_size_is_named() {
        let with = |size: usize| Setup {
            os: Some(vec![0; size]),
            ..Setup::default()
        };
        assert_eq!(with(0x2800).config().unwrap().model, Model::Atari800);
        let error = with(0x3000).config().unwrap_err();
        assert!(error.to_string().ends_with("this file has 12288"));
    }
}
