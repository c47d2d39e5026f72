//! A device on the parallel bus that gives the Atari a folder of the host as H:.
//!
//! The device holds the open files; the host is asked only to open, to close, and for commands on the folder, and answers when
//! it likes: the handler in the device's ROM waits. So the machine stays deterministic: it depends on its inputs, and the
//! answers are inputs. Programs see nothing of the device but its select bit at $D1FF, its registers while selected, and the ROM.
//!
//! The parallel bus is that of the XL and XE. A 400 or 800 has the same registers at $D1E0 and the handler in a ROM at $D600, where
//! nothing else is. Its OS does not look for devices; so this one enters as the 850 interface does (Altirra Hardware Reference Manual 9.2,
//! type 0 poll): it answers the first request for sector 1 of D1:, and the boot sector it gives enters H: and then boots the drive.
//! After a cold start by program (COLDSV) it stays silent, until RESET or power comes.
use alloc::vec::Vec;
use media::pages::Pages;

use crate::Machine;

/// The handler and the file menu, seen at $D800-$DFFF while the device is selected.
pub(crate) const ROM: &[u8; 0x800] = include_bytes!("../parallel/handler.rom");

/// The file menu's doors, the last bytes of [`ROM`], at $D1B0-$D1DF: seen whether the device is selected or not.
const DOORS: core::ops::Range<usize> = 0xB0..0xE0;

/// The byte that the device shows at an address of the page $D1 while it is not selected.
pub(crate) fn door(address: u16) -> Option<u8> {
    let low = usize::from(address as u8);
    DOORS
        .contains(&low)
        .then(|| ROM[ROM.len() - DOORS.end + low])
}

/// The handler of a 400 or 800, seen at $D600-$D7FF; its last 128 bytes are the boot sector.
pub(crate) const ROM_800: &[u8; 0x200] = include_bytes!("../parallel/handler800.rom");

/// The file menu of a 400 or 800 at $C000-$C7FF, where there is no RAM.
pub(crate) const MENU_800: &[u8; 0x800] = include_bytes!("../parallel/menu800.rom");

/// Register of a 400 or 800: a write says that the device has been booted.
pub(crate) const BOOTED: u16 = 0xD1EA;

/// The sector 1 of D1 that the device sends: it is booted.
pub(crate) fn boot_sector() -> &'static [u8] {
    &ROM_800[0x180..]
}

/// Our bit of the device select register.
pub(crate) const SELECT: u8 = 0x01;

/// CIO status codes.
pub mod status {
    #![allow(missing_docs)]
    pub const OK: u8 = 1;
    pub const LAST: u8 = 3;
    /// Statuses from here on are errors.
    pub const ERROR: u8 = 128;
    pub const NO_DEVICE: u8 = 130;
    pub const NOT_OPEN: u8 = 133;
    pub const READ_ONLY: u8 = 135;
    pub const END: u8 = 136;
    pub const NOT_IMPLEMENTED: u8 = 146;
    /// As with SpartaDOS: the folder does not exist.
    pub const PATH: u8 = 150;
    /// As with SpartaDOS: the file exists already.
    pub const EXISTS: u8 = 151;
    pub const DISK_FULL: u8 = 162;
    pub const FATAL: u8 = 163;
    pub const NAME: u8 = 165;
    pub const LOCKED: u8 = 167;
    pub const NOT_FOUND: u8 = 170;
    pub const POINT: u8 = 171;
}

/// The longest file that can be open, 8 MB: an OPEN that the host answers with more fails with [`status::FATAL`], and writing to a file ends there. A host
/// should look at a file's length before it reads it.
pub const LONGEST: usize = 8 << 20;
/// The OS's table of handlers: a letter and the address of a handler's vectors. Later entries win.
const HATABS: u16 = 0x031A;
const HANDLERS: u16 = 11;

/// A request of the Atari to the host.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum HostRequest {
    /// Open a file: the answer's data is its contents (for reading, appending and update), or a directory's text.
    Open {
        /// The name as the program gave it, with the device: "H:NAME.EXT".
        name: Vec<u8>,
        /// ICAX1: 4 read, 6 directory, 8 write, 9 append, 12 update.
        mode: u8,
    },
    /// The file was closed: write it.
    Write {
        /// The name as it was opened.
        name: Vec<u8>,
        /// All of its bytes.
        data: Vec<u8>,
    },
    /// A command on the folder: 13 status, 32 rename ("H:OLD,NEW"), 33 delete, 35 lock, 36 unlock, 42 make a folder, 43 remove a folder.
    Command {
        /// Its number.
        command: u8,
        /// The name.
        name: Vec<u8>,
    },
}

impl HostRequest {
    /// The device's number in the name: 2 for "H2:NAME", and 1 for "H:NAME".
    #[must_use]
    pub fn unit(&self) -> usize {
        let (Self::Open { name, .. } | Self::Write { name, .. } | Self::Command { name, .. }) =
            self;
        match name[..] {
            [_, digit @ b'1'..=b'9', b':', ..] => usize::from(digit - b'0'),
            _ => 1,
        }
    }
}

/// The host's answer.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct HostReply {
    /// CIO status: 1 = done, 128 and above an error.
    pub status: u8,
    /// The file's bytes.
    #[serde(with = "serde_bytes")]
    pub data: Vec<u8>,
}

impl HostReply {
    /// An answer without data.
    #[must_use]
    pub fn status(status: u8) -> Self {
        Self {
            status,
            data: Vec::new(),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
struct Channel {
    open: bool,
    name: Vec<u8>,
    mode: u8,
    data: Pages,
    position: usize,
    /// POINT went beyond the end.
    beyond: bool,
}

impl Channel {
    /// Status of a PUT to this file.
    fn put_status(&self) -> u8 {
        if !self.open {
            status::NOT_OPEN
        } else if self.mode & 8 == 0 {
            status::READ_ONLY
        } else if self.position >= LONGEST {
            status::DISK_FULL
        } else {
            status::OK
        }
    }
}

/// The device.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct HostDevice {
    pub(crate) selected: bool,
    /// Be D: too.
    as_disk: bool,
    command: u8,
    text: Vec<u8>,
    aux: u8,
    status: u8,
    /// The channel of DATA and POS.
    channel: u8,
    channels: [Channel; 8],
    /// The request that waits for the host, and its channel.
    request: Option<(HostRequest, u8)>,
    /// True if a host is connected: a state may be loaded without one.
    #[serde(skip)]
    connected: bool,
    /// Two bytes that the handler of a 400 or 800 keeps here: the DOSINI of the disk that was booted after the device.
    chain: [u8; 2],
}

impl HostDevice {
    pub(crate) fn new(as_disk: bool) -> Self {
        Self {
            as_disk,
            connected: true,
            ..Self::default()
        }
    }

    /// True if the device can be in this state: for one that was read from a file.
    pub(crate) fn is_valid(&self) -> bool {
        self.text.len() <= 128
            && self
                .channels
                .iter()
                .all(|c| c.data.len() <= 2 * LONGEST && c.position < 1 << 25)
    }

    pub(crate) fn as_disk(&self) -> bool {
        self.as_disk
    }

    pub(crate) fn is_connected(&self) -> bool {
        self.connected
    }

    /// Connects or disconnects the host. Without one, the request that waits has failed.
    pub(crate) fn connect(&mut self, connected: bool) {
        self.connected = connected;
        if !connected && self.request.is_some() {
            self.answer(HostReply::status(status::NO_DEVICE));
        }
    }

    /// RESET: nothing is selected, and no file open.
    pub(crate) fn reset(&mut self) {
        *self = Self {
            connected: self.connected,
            ..Self::new(self.as_disk)
        };
    }

    /// Closes all files, as nothing refers to them any more: the handler of a 400 or 800 says that it has been entered again.
    pub(crate) fn start(&mut self) {
        *self = Self {
            selected: true,
            connected: self.connected,
            chain: self.chain,
            ..Self::new(self.as_disk)
        };
    }

    fn current(&self) -> &Channel {
        &self.channels[usize::from(self.channel & 7)]
    }

    /// A read of one of the device's registers, $D1E0-$D1EF.
    pub(crate) fn read(&mut self, register: u8) -> u8 {
        let value = self.peek(register);
        if register & 15 == 3 {
            let channel = &mut self.channels[usize::from(self.channel & 7)];
            channel.position = (channel.position + 1).min(channel.data.len());
        }
        value
    }

    /// The value of a read.
    pub(crate) fn peek(&self, register: u8) -> u8 {
        let channel = self.current();
        match register & 15 {
            2 => self.status,
            3 => channel.data.byte(channel.position).unwrap_or(0),
            4 if !channel.open => status::NOT_OPEN,
            4 if channel.beyond => status::POINT,
            4 => match channel.data.len().saturating_sub(channel.position) {
                0 => status::END,
                1 => status::LAST,
                _ => status::OK,
            },
            n @ 5..=7 => (channel.position >> (8 * (n - 5))) as u8,
            10 => channel.put_status(),
            9 => u8::from(self.as_disk),
            n @ 11..=12 => self.chain[usize::from(n - 11)],
            _ => 0xFF,
        }
    }

    pub(crate) fn write(&mut self, register: u8, data: u8) {
        let channel = &mut self.channels[usize::from(self.channel & 7)];
        match register & 15 {
            0 => {
                self.command = data;
                self.text.clear();
                self.aux = 0;
            }
            1 if self.text.len() < 128 => self.text.push(data),
            2 => self.go(data >> 4 & 7),
            3 if channel.put_status() == status::OK => {
                if channel.position < channel.data.len() {
                    channel.data.write(channel.position, &[data]);
                    channel.position += 1;
                } else {
                    channel.data.push(data);
                    channel.position = channel.data.len();
                }
            }
            4 => self.channel = data >> 4 & 7,
            n @ 5..=7 => {
                let shift = 8 * (n - 5);
                let position = channel.position & !(0xFF << shift) | usize::from(data) << shift;
                channel.beyond = position > channel.data.len();
                channel.position = position;
                if n == 7 && channel.beyond {
                    channel.position = channel.data.len();
                } else if n == 7 {
                    channel.beyond = false;
                }
            }
            8 => self.aux = data,
            n @ 11..=12 => self.chain[usize::from(n - 11)] = data,
            _ => {}
        }
    }

    /// Carries the command out, or asks the host to.
    fn go(&mut self, number: u8) {
        let channel = &mut self.channels[usize::from(number & 7)];
        let name = core::mem::take(&mut self.text);
        let request = match self.command {
            3 => HostRequest::Open {
                name,
                mode: self.aux,
            },
            12 => {
                let closed = core::mem::take(channel);
                if !closed.open || closed.mode & 8 == 0 {
                    self.status = status::OK;
                    return;
                }
                HostRequest::Write {
                    name: closed.name,
                    data: closed.data.to_vec(),
                }
            }
            command => HostRequest::Command { command, name },
        };
        self.status = 0;
        self.request = Some((request, number));
        if !self.connected {
            self.answer(HostReply::status(status::NO_DEVICE));
        }
    }

    fn answer(&mut self, HostReply { status, data }: HostReply) {
        let Some((request, number)) = self.request.take() else {
            return;
        };
        if data.len() > LONGEST {
            self.status = self::status::FATAL;
            return;
        }
        if let HostRequest::Open { name, mode } = request
            && status < 128
        {
            let position = if mode & 0x0D == 9 { data.len() } else { 0 };
            let kept = if mode & 0x0D == 8 && mode & 4 == 0 {
                Vec::new()
            } else {
                data
            };
            let data = Pages::from(&kept[..]);
            self.channels[usize::from(number & 7)] = Channel {
                open: true,
                name,
                mode,
                position: position.min(data.len()),
                data,
                beyond: false,
            };
        }
        // 0 would be "not yet".
        self.status = status.max(1);
    }
}

/// # A folder of the host as H:
impl Machine {
    /// Puts the host-folder device on the machine's bus; the OS finds it at the next start (of an XL or XE also at RESET). With
    /// `as_disk` it answers for D: too, until a DOS takes that name. A 400 or 800 enters it when it boots: not when a cartridge
    /// wants no boot.
    pub fn attach_host(&mut self, as_disk: bool) {
        let mut device = HostDevice::new(as_disk);
        if !self.bus.model.is_xl() {
            device.selected = true;
            self.bus.io.sio.offer_host(true);
        }
        self.bus.host = Some(device);
        self.bus.show_host();
    }

    /// Connects a host that answers the device, or disconnects it. After [`Self::attach_host`] one is connected; a state that was made with a host
    /// folder and is loaded into a machine without one has none: its program then gets error 130 at once instead of waiting for an answer.
    pub fn connect_host(&mut self, connected: bool) {
        if let Some(host) = &mut self.bus.host {
            host.connect(connected);
        }
    }

    /// True if the machine has a host-folder device, and a host that answers it.
    pub fn host_connected(&self) -> bool {
        self.bus.host.as_ref().is_some_and(HostDevice::is_connected)
    }

    /// True if D: is the folder: no DOS has taken the name, so a disk in the drive is out of BASIC's reach.
    pub fn host_is_disk(&self) -> bool {
        let handler = |letter: u8| {
            let entries = (0..HANDLERS).map(|entry| HATABS + 3 * entry);
            let entry = entries.rev().find(|&entry| self.peek(entry) == letter)?;
            Some([self.peek(entry + 1), self.peek(entry + 2)])
        };
        let disk = handler(b'D');
        self.host_connected() && disk.is_some() && disk == handler(b'H')
    }

    /// Files that are open for writing, as the request that CLOSE would make.
    pub fn host_open_files(&self) -> impl Iterator<Item = HostRequest> {
        let channels = self.bus.host.iter().flat_map(|host| &host.channels);
        let written = channels.filter(|channel| channel.open && channel.mode & 8 != 0);
        written.map(|channel| HostRequest::Write {
            name: channel.name.clone(),
            data: channel.data.to_vec(),
        })
    }

    /// The request that the device waits for.
    pub fn host_request(&self) -> Option<&HostRequest> {
        Some(&self.bus.host.as_ref()?.request.as_ref()?.0)
    }

    /// Answers [`Self::host_request`].
    pub fn answer_host(&mut self, reply: HostReply) {
        if let Some(host) = &mut self.bus.host {
            host.answer(reply);
        }
    }
}
