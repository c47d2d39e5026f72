//! Everything that reaches a machine from outside.
use machine::host::HostReply;
use machine::{InjectError, Input, Machine, Media, Snapshot, StateError};
use media::atr::Disk;
use media::cas::Tape;
use media::xex::BootProgram;
use serde::{Deserialize, Serialize};

/// An action on a machine from outside, between two of its cycles. Together with its configuration the events are all
/// that a machine depends on.
///
/// ```
/// # let config = machine::Config { model: machine::Model::Xl800, tv: machine::Tv::Ntsc, os: machine::Rom::own(roms::OS_XL),
/// #     basic: Some(machine::Rom::own(roms::BASIC)), cartridge: None, second: None, seed: 0, extras: machine::Extras::default() };
/// use session::timeline::Event;
///
/// let mut machine = machine::Machine::new(&config)?;
/// let mut input = machine.input;
/// input.start = true;
/// Event::Controls(input).apply(&mut machine)?;
/// assert!(machine.input.start);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// The controls from now on.
    Controls(Input),
    /// The RESET key.
    Reset,
    /// Power off and on.
    PowerCycle,
    /// See [`Machine::hold_option`].
    HoldOption,
    /// A disk goes into a drive (0 = D1:).
    InsertDisk {
        /// The drive.
        drive: u8,
        /// The disk.
        disk: Box<Disk>,
    },
    /// The disk is taken out of a drive.
    EjectDisk {
        /// The drive.
        drive: u8,
    },
    /// The notch of the disk in a drive is covered, or not.
    ProtectDisk {
        /// The drive.
        drive: u8,
        /// Covered: the drive writes nothing.
        protected: bool,
    },
    /// See [`Machine::set_fast_drives`].
    FastDrives(bool),
    /// A tape goes into the recorder.
    InsertTape(Box<Tape>),
    /// The tape is taken out.
    EjectTape,
    /// The tape is wound to its beginning.
    RewindTape,
    /// RECORD is pressed together with PLAY, or only PLAY.
    PressRecord(bool),
    /// A binary file goes into the program port, its boot disk into D1:.
    InsertProgram(Box<BootProgram>),
    /// The host-folder device is put on the bus.
    AttachHost {
        /// It answers for D: too.
        as_disk: bool,
    },
    /// True connects a host to that device, false disconnects it.
    ConnectHost(bool),
    /// The host answers a request of that device.
    HostReply(HostReply),
    /// A BASIC program (a SAVE file's bytes) goes into memory as LOAD would put it there.
    LoadBasic(#[serde(with = "serde_bytes")] Vec<u8>),
    /// Memory is written from outside.
    Poke {
        /// The address.
        address: u16,
        /// The byte.
        data: u8,
    },
    /// A chip's register is written from outside.
    WriteRegister {
        /// The address.
        address: u16,
        /// The byte.
        data: u8,
    },
    /// A register of the processor is loaded from outside.
    LoadRegister {
        /// The register.
        register: Register,
        /// The value: a byte, but for PC.
        value: u16,
    },
    /// The tape is wound to the beginning of a block, see [`Machine::wind_tape`].
    WindTape(u32),
    /// The machine is replaced: a saved state was loaded, or another machine takes its place. A recording stores it in a form of its own.
    #[serde(skip)]
    Replace(Box<Snapshot>),
}

/// A register of the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Register {
    /// The accumulator.
    A,
    /// Index register X.
    X,
    /// Index register Y.
    Y,
    /// The stack pointer.
    S,
    /// The flags.
    P,
    /// The program counter; between two instructions only.
    Pc,
}

/// Reason why an event cannot happen; the machine is then unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EventError {
    /// A BASIC program that cannot be put into memory.
    #[error(transparent)]
    Basic(#[from] InjectError),
    /// Bytes that are not a BASIC program.
    #[error("the BASIC program is damaged: {0}")]
    Program(String),
    /// A machine that cannot be restored.
    #[error(transparent)]
    State(#[from] StateError),
    /// PC within an instruction.
    #[error("PC is loaded between two instructions only")]
    WithinInstruction,
}

impl Event {
    /// A BASIC program that is put into memory.
    #[must_use]
    pub fn load_basic(program: &media::basic::Program) -> Self {
        Self::LoadBasic(program.to_save())
    }

    /// Memory or a chip's register that is written, as the processor would in the coming cycle.
    #[must_use]
    pub fn poke(address: u16, data: u8) -> Self {
        if address & 0xF800 == 0xD000 {
            Self::WriteRegister { address, data }
        } else {
            Self::Poke { address, data }
        }
    }

    /// Applies it.
    ///
    /// # Errors
    /// When it cannot be done; the machine is then unchanged.
    pub fn apply(&self, machine: &mut Machine) -> Result<(), EventError> {
        match self {
            Self::Controls(input) => machine.input = *input,
            Self::Reset => machine.reset(),
            Self::PowerCycle => machine.power_cycle(),
            Self::HoldOption => machine.hold_option(),
            Self::InsertDisk { drive, disk } => {
                machine.insert_disk((*drive).into(), (**disk).clone());
            }
            Self::EjectDisk { drive } => drop(machine.eject_disk((*drive).into())),
            Self::ProtectDisk { drive, protected } => {
                if let Some(disk) = machine.disk_mut((*drive).into()) {
                    disk.set_write_protected(*protected);
                }
            }
            Self::FastDrives(fast) => machine.set_fast_drives(*fast),
            Self::InsertTape(tape) => machine.insert_tape((**tape).clone()),
            Self::EjectTape => drop(machine.eject_tape()),
            Self::RewindTape => machine.rewind_tape(),
            Self::PressRecord(pressed) => machine.press_record(*pressed),
            Self::InsertProgram(program) => machine.insert_program((**program).clone()),
            Self::AttachHost { as_disk } => machine.attach_host(*as_disk),
            Self::ConnectHost(connected) => machine.connect_host(*connected),
            Self::HostReply(reply) => machine.answer_host(reply.clone()),
            Self::LoadBasic(save) => {
                let program = media::basic::Program::parse_save(save)
                    .map_err(|error| EventError::Program(error.to_string()))?;
                machine.load_basic(&program)?;
            }
            Self::Poke { address, data } => machine.poke(*address, *data),
            Self::WriteRegister { address, data } => {
                // Memory is left to pokes.
                if address & 0xF800 == 0xD000 {
                    machine.pins().write(*address, *data);
                }
            }
            Self::LoadRegister { register, value } => {
                let cpu = &mut machine.cpu;
                let byte = *value as u8;
                match register {
                    Register::A => cpu.a = byte,
                    Register::X => cpu.x = byte,
                    Register::Y => cpu.y = byte,
                    Register::S => cpu.s = byte,
                    Register::P => cpu.set_p(byte),
                    Register::Pc if cpu.at_instruction_start() => cpu.set_pc(*value),
                    Register::Pc => return Err(EventError::WithinInstruction),
                }
            }
            Self::Replace(snapshot) => *machine = snapshot.machine()?,
            Self::WindTape(block) => {
                machine.wind_tape(usize::try_from(*block).unwrap_or(usize::MAX));
            }
        }
        Ok(())
    }

    /// True if the machine's clock starts again with it.
    pub fn begins_anew(&self) -> bool {
        matches!(self, Self::PowerCycle | Self::Replace(_))
    }

    /// Bytes of memory that it holds beside itself.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::InsertDisk { disk, .. } => size_of::<Disk>() + disk.memory_beside(None),
            Self::InsertTape(tape) => tape.memory(),
            Self::InsertProgram(program) => program.stream.len() + program.disk.to_bytes().len(),
            Self::HostReply(reply) => reply.data.len(),
            Self::LoadBasic(save) => save.len(),
            Self::Replace(snapshot) => {
                snapshot.bytes() + snapshot.media().bytes_beside(&Media::default())
            }
            _ => 0,
        }
    }
}
