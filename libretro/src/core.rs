//! A session as a libretro core moves it: content, controls, picture, sound, states, disks.
use crate::ffi::{self, pad};
use crate::images::{self, Image};
use crate::keyboard::{self, Pressed};
use crate::options::Options;
use crate::screen_keyboard::ScreenKeyboard;
use host::hostfolder::HostFolder;
use host::{files, packed, playlist};
use machine::{Frame, Input, Pointer, PointerKind, Tv};
use media::atr::Disk;
use media::cartridge::Cartridge;
use media::cas::Tape;
use session::picture::Look;
use session::sound::{Heard, Mixer};
use session::timeline::Event;
use session::typist::Stroke;
use session::{Answer, Ask, HostKeys, Kind, Place, Refused, Session, Setup, keys};
use std::path::{Path, PathBuf};

/// Samples a second.
pub const RATE: f64 = 44_100.0;
/// Bytes of a state after the session's.
const EXTRA: usize = 16;
/// Bytes that cheats and achievements see: the RAM at the processor's addresses.
const RAM: usize = 0x10000;
/// Value of a paddle at its left end.
const PADDLE: i32 = 228;

/// The device in a controller port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Device {
    #[default]
    Stick,
    Paddles,
    /// A pen, gun, mouse or trak-ball. The machine has one: that of the first port with one counts.
    Pointing(PointerKind),
    Nothing,
}

/// A controller port as the frontend shows it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Port {
    pub device: Device,
    /// A bit for each button of the pad.
    pub buttons: u16,
    /// Paddles: X of the left and of the right analogue stick. A pen or gun: its place over the picture, from -0x7FFF to 0x7FFF. A mouse or
    /// trak-ball: the steps of this frame to the right and down.
    pub turned: [i16; 2],
    /// A pen or gun points beside the picture.
    pub is_away: bool,
    /// The button of a pointing device is down.
    pub is_pressed: bool,
}

impl Port {
    fn has(self, button: u32) -> bool {
        self.buttons >> button & 1 != 0
    }
}

/// Folders of the frontend.
#[derive(Clone, Debug, Default)]
pub struct Folders {
    /// The folder for the files that programs write.
    pub saves: PathBuf,
    /// The palette file is here.
    pub system: PathBuf,
}

/// A machine with everything that a frontend asks for.
pub struct Core {
    session: Session,
    mixer: Mixer,
    heard: Heard,
    samples: Vec<[f32; 2]>,
    look: Look,
    options: Options,
    folders: Folders,
    files: HostFolder,
    kept: PathBuf,
    images: Vec<Image>,
    image: usize,
    ejected: bool,
    held: Vec<(u32, Pressed)>,
    screen_keyboard: ScreenKeyboard,
    shift: bool,
    control: bool,
    wants_reset: bool,
    reset_was_down: bool,
    ram: Box<[u8]>,
    known_ram: Vec<u8>,
    snapshot: Vec<u8>,
    /// Sound of the last frame, left and right in turn.
    pub audio: Vec<i16>,
    /// Picture of the last frame, XRGB8888.
    pub video: Vec<u32>,
    /// Sentences for the user.
    pub messages: Vec<String>,
}

/// A content, opened.
#[derive(Default)]
struct Content {
    setup: Setup,
    images: Vec<Image>,
    /// The file for the output of programs to the medium of the content.
    kept: PathBuf,
}

/// The content of a path: the program to start, and the disks that can be changed.
fn content(path: &Path, saves: &Path) -> Result<Content, String> {
    let told = |failure: host::failure::Failure| failure.to_string();
    let paths = if playlist::is_list(path) {
        playlist::read(path).map_err(told)?
    } else if let Some(names) = packed::programs(path).filter(|names| names.len() > 1) {
        names.iter().map(|name| path.join(name)).collect()
    } else {
        vec![path.to_owned()]
    };
    let first = paths.first().ok_or("there is nothing in this content")?;
    let opened = packed::open(first).map_err(told)?;
    let mut setup = Setup::for_file(&opened.name, &opened.bytes)
        .map_err(|error| format!("{}: {error}", opened.name))?;
    // The stored output of programs goes before the content itself; the needs are those of the content.
    let kept = images::kept(saves, &opened.name, &opened.bytes);
    if let Ok(bytes) = std::fs::read(&kept) {
        match &mut setup.program.kind {
            Kind::Disk(disk) => *disk = Disk::parse(&bytes).unwrap_or_else(|_| disk.clone()),
            Kind::Tape(tape) => *tape = Tape::parse(&bytes).unwrap_or_else(|_| tape.clone()),
            Kind::Cartridge(cartridge) => {
                *cartridge = Cartridge::parse(&bytes).unwrap_or_else(|_| cartridge.clone());
            }
            _ => {}
        }
    }
    let mut all = Vec::new();
    if matches!(setup.program.kind, Kind::Disk(_) | Kind::Tape(_)) {
        for path in &paths {
            all.push(Image::open(path, saves)?);
        }
    }
    Ok(Content {
        setup,
        images: all,
        kept,
    })
}

/// Starting.
impl Core {
    /// A machine with a content, or with the menu of the built-in games.
    ///
    /// # Errors
    /// One sentence on the content, or on options that do not fit it.
    pub fn new(path: Option<&Path>, options: Options, folders: Folders) -> Result<Self, String> {
        let Content {
            mut setup,
            images,
            kept,
        } = if let Some(path) = path {
            content(path, &folders.saves)?
        } else {
            let menu = Setup::built_in("menu").map_err(|error| error.to_string())?;
            Content {
                setup: menu.unwrap_or_default(),
                ..Content::default()
            }
        };
        options.apply(&mut setup);
        let flaw = setup.program.flaw();
        let title = setup.program.title.clone();
        let mut session = Session::new(setup).map_err(|error| error.to_string())?;
        session.watch_host_keys(true);
        let look = look(&session, &options, &folders)?;
        let mut core = Self {
            mixer: Mixer::new(session.machine(), RATE),
            heard: Heard::default(),
            samples: Vec::new(),
            look,
            options,
            files: HostFolder::on_demand(folders.saves.join("anticlock-files")),
            folders,
            kept,
            images,
            image: 0,
            ejected: false,
            held: Vec::new(),
            screen_keyboard: ScreenKeyboard::default(),
            shift: false,
            control: false,
            wants_reset: false,
            reset_was_down: false,
            ram: vec![0; RAM].into_boxed_slice(),
            known_ram: vec![0; RAM],
            snapshot: Vec::new(),
            audio: Vec::new(),
            video: Vec::new(),
            messages: flaw
                .map(|flaw| format!("{title}: {flaw}"))
                .into_iter()
                .collect(),
            session,
        };
        let booted = core.session.copies();
        let booted = booted.iter().find(|copy| copy.place != Place::Cartridge);
        if let (Some(first), Some(booted)) = (core.images.first_mut(), booted) {
            first.copy = Some(booted.id);
        }
        core.show_ram();
        Ok(core)
    }

    /// Sizes and times for the frontend.
    pub fn av_info(&self) -> ffi::SystemAvInfo {
        let tv = self.session.machine().config().tv;
        ffi::SystemAvInfo {
            geometry: self.geometry(),
            timing: ffi::SystemTiming {
                fps: tv.clock() / (114.0 * f64::from(tv.lines())),
                sample_rate: RATE,
            },
        }
    }

    /// The picture's size.
    pub fn geometry(&self) -> ffi::GameGeometry {
        let tv = self.session.machine().config().tv;
        let [_, _, width, height] = self.options.overscan.window();
        ffi::GameGeometry {
            base_width: width as u32,
            base_height: height as u32,
            max_width: Frame::WIDTH as u32,
            max_height: Frame::HEIGHT as u32,
            aspect_ratio: (width as f64 * tv.pixel_aspect() / height as f64) as f32,
        }
    }

    /// True for a PAL machine.
    pub fn is_pal(&self) -> bool {
        self.session.machine().config().tv == Tv::Pal
    }

    /// Takes other options; those of the machine act when the next content is loaded. True if the picture's size has changed.
    pub fn set_options(&mut self, options: Options) -> bool {
        let before = std::mem::replace(&mut self.options, options);
        match look(&self.session, &self.options, &self.folders) {
            Ok(look) => self.look = look,
            Err(message) => self.messages.push(message),
        }
        before.overscan != self.options.overscan
    }
}

fn look(session: &Session, options: &Options, folders: &Folders) -> Result<Look, String> {
    let tv = session.machine().config().tv;
    let path = folders.system.join("anticlock.pal");
    let file = options.palette_file.then(|| std::fs::read(&path));
    let file = file.transpose();
    let file = file.map_err(|error| format!("{}: {error}", path.display()))?;
    Look::new(tv, &options.settings(), file.as_deref())
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// Holds a key down in the controls of a frame.
fn press(pressed: Pressed, input: &mut Input) {
    match pressed {
        Pressed::Stroke(Stroke::Key(key)) => input.key = Some(key),
        Pressed::Stroke(Stroke::Start) => input.start = true,
        Pressed::Stroke(Stroke::Select) => input.select = true,
        Pressed::Stroke(Stroke::Option) => input.option = true,
        Pressed::Stroke(Stroke::Break) => input.break_key = true,
        Pressed::Stroke(Stroke::Pause(_)) | Pressed::Reset | Pressed::Modifier => {}
    }
}

/// Running.
impl Core {
    /// Runs a frame with these controllers, and makes its picture and its sound.
    pub fn frame(&mut self, ports: &[Port; 4]) {
        self.poke_cheats();
        let mut ports = *ports;
        self.show_keyboard(&mut ports[0]);
        let on_screen = self.screen_keyboard.pressed();
        let reset = ports[0].has(pad::L3) || on_screen == Some(Pressed::Reset);
        if std::mem::take(&mut self.wants_reset) || reset && !self.reset_was_down {
            self.session.reset();
        }
        self.reset_was_down = reset;
        let mut input = self.input(&ports);
        input.shift |= self.screen_keyboard.shift();
        if let Some(pressed) = on_screen {
            press(pressed, &mut input);
        }
        *self.session.controls() = input;
        self.serve();
        let outcome = self.session.run_frame();
        match self.session.after_frame(outcome) {
            Ok(false) => {}
            Ok(true) => self.mixer = Mixer::new(self.session.machine(), RATE),
            Err(sentence) => self.messages.push(sentence),
        }
        if let Some(notice) = self.session.take_notice() {
            self.messages.push(notice);
        }
        self.render();
        self.draw();
        let [.., width, _] = self.options.overscan.window();
        self.screen_keyboard.draw(&mut self.video, width);
        self.show_ram();
    }

    /// The keyboard on the screen takes the buttons that are its own. Most frontends make keys of the host's keyboard buttons of this pad as well: those are not meant
    /// for it.
    fn show_keyboard(&mut self, port: &mut Port) {
        let types = !self.held.is_empty();
        let buttons = if types { 0 } else { port.buttons };
        self.screen_keyboard.take(buttons);
        port.buttons = self.screen_keyboard.rest(port.buttons);
    }

    fn input(&self, ports: &[Port; 4]) -> Input {
        let mut input = Input::default();
        let role = self.session.host_keys();
        let mut ports = *ports;
        if role == HostKeys::Typing && !self.held.is_empty() {
            // A keyboard that types is the pad of port 1 as well, in most frontends.
            ports[0].buttons = 0;
        }
        for (number, port) in ports.iter().enumerate() {
            match port.device {
                Device::Stick => {
                    let stick = input.joystick(number);
                    stick.up = port.has(pad::UP);
                    stick.down = port.has(pad::DOWN);
                    stick.left = port.has(pad::LEFT);
                    stick.right = port.has(pad::RIGHT);
                    stick.trigger = port.has(pad::B);
                }
                Device::Paddles => {
                    for (side, turned) in port.turned.into_iter().enumerate() {
                        // Turned to the right, a paddle has the lower value.
                        let place = (i32::from(turned) + 0x8000) * PADDLE / 0xFFFF;
                        input.paddles[2 * number + side] = (PADDLE - place) as u8;
                    }
                    input.paddle_triggers[2 * number] = port.has(pad::B);
                    input.paddle_triggers[2 * number + 1] = port.has(pad::A);
                }
                Device::Pointing(kind) if input.pointer.kind == PointerKind::None => {
                    input.pointer = self.pointer(kind, number, port);
                }
                Device::Nothing | Device::Pointing(_) => {}
            }
        }
        let first = ports[0];
        input.start = first.has(pad::START);
        input.select = first.has(pad::SELECT);
        input.option = first.has(pad::L);
        input.break_key = first.has(pad::R2);
        let buttons = [
            (pad::A, keys::code::RETURN),
            (pad::Y, keys::code::SPACE),
            (pad::R, keys::code::ESC),
            (pad::R3, keys::code::HELP),
        ];
        let has_keys = !matches!(first.device, Device::Paddles | Device::Nothing);
        let mut pressed = buttons.into_iter().filter(|(button, _)| first.has(*button));
        input.key = pressed.next().filter(|_| has_keys).map(|(_, key)| key);
        self.add_keyboard(role, &mut input);
        input
    }

    /// A pointing device in a port. A mouse goes on from where the machine has it, which is in its state: a frontend that runs ahead may load one
    /// before each frame.
    fn pointer(&self, kind: PointerKind, number: usize, port: &Port) -> Pointer {
        let before = self.session.machine().input.pointer;
        let base = if before.kind == kind {
            before
        } else {
            Pointer::default()
        };
        let pointer = Pointer {
            kind,
            port: number as u8,
            button: port.is_pressed || port.has(pad::B),
            ..base
        };
        let [x, y] = port.turned;
        if pointer.is_mouse() {
            return pointer.moved(x, y);
        }
        if port.is_away {
            return pointer.away();
        }
        let [left, top, width, height] = self.options.overscan.window();
        let part = |at: i16, size: usize| {
            let at = (i32::from(at) + 0x7FFF).max(0) as usize;
            (at * size / 0xFFFF).min(size - 1)
        };
        pointer.at_pixel(left + part(x, width), top + part(y, height))
    }

    fn add_keyboard(&self, role: HostKeys, input: &mut Input) {
        input.shift = self.shift;
        for &(number, pressed) in &self.held {
            if role.has_stick() {
                let stick = &mut input.joysticks[0];
                let is_stick = match number {
                    273 => std::mem::replace(&mut stick.up, true) | true,
                    274 => std::mem::replace(&mut stick.down, true) | true,
                    275 => std::mem::replace(&mut stick.right, true) | true,
                    276 => std::mem::replace(&mut stick.left, true) | true,
                    32 => std::mem::replace(&mut stick.trigger, true) | true,
                    _ => false,
                };
                if is_stick && !(number == 32 && role == HostKeys::StickAndSpace) {
                    continue;
                }
            }
            press(pressed, input);
        }
    }

    /// A key of the frontend's keyboard goes down or up.
    pub fn key(&mut self, down: bool, number: u32, character: u32, modifiers: u16) {
        self.held.retain(|(held, _)| *held != number);
        let shift = modifiers & ffi::MOD_SHIFT != 0;
        let control = modifiers & ffi::MOD_CTRL != 0;
        match number {
            303 | 304 => self.shift = down,
            305 | 306 => self.control = down,
            _ => {}
        }
        let (shift, control) = (shift || self.shift, control || self.control);
        match keyboard::key(number, character, shift, control) {
            Some(Pressed::Reset) => self.wants_reset |= down,
            Some(pressed @ Pressed::Stroke(_)) if down => self.held.push((number, pressed)),
            _ => {}
        }
    }

    fn render(&mut self) {
        self.heard.take(&mut self.session);
        self.samples.clear();
        let now = self.session.machine().now();
        self.mixer.render(&self.heard, now, &mut self.samples);
        self.audio.clear();
        let samples = self.samples.as_flattened().iter();
        let wide = |sample: &f32| (sample * f32::from(i16::MAX)) as i16;
        self.audio.extend(samples.map(wide));
    }

    fn draw(&mut self) {
        let [left, top, width, height] = self.options.overscan.window();
        self.video.resize(width * height, 0);
        let colour = |[red, green, blue]: [u8; 3]| u32::from_be_bytes([0, red, green, blue]);
        let frame = self.session.picture();
        if self.look.is_plain() {
            let colours = self.look.rgb().map(colour);
            let rows = self.video.chunks_exact_mut(width).enumerate();
            for (y, row) in rows {
                let from = &frame.row(top + y)[left..left + width];
                for (pixel, &number) in row.iter_mut().zip(from) {
                    *pixel = colours[usize::from(number)];
                }
            }
            return;
        }
        let video = &mut self.video;
        self.look.picture(frame, |y, line| {
            let Some(y) = y.checked_sub(top).filter(|y| *y < height) else {
                return;
            };
            let row = &mut video[y * width..(y + 1) * width];
            for (pixel, &rgb) in row.iter_mut().zip(&line[left..left + width]) {
                *pixel = colour(rgb);
            }
        });
    }

    /// Off and on.
    pub fn power_cycle(&mut self) {
        self.session.cold_start();
        self.mixer = Mixer::new(self.session.machine(), RATE);
    }
}

/// Memory for cheats and achievements.
impl Core {
    /// The RAM as the frontend sees it; its writes are written to the machine before the next frame.
    pub fn ram(&mut self) -> &mut [u8] {
        &mut self.ram
    }

    fn show_ram(&mut self) {
        let ram = self.session.machine().bus().memory.ram();
        self.ram.copy_from_slice(&ram[..RAM]);
        self.known_ram.copy_from_slice(&self.ram);
    }

    fn poke_cheats(&mut self) {
        if *self.ram == self.known_ram[..] {
            return;
        }
        for address in 0..RAM {
            if self.ram[address] != self.known_ram[address] {
                let (address, data) = (address as u16, self.ram[usize::from(address as u16)]);
                // A cell of a chip or of ROM is not written.
                let _ = self.session.apply(Event::Poke { address, data });
            }
        }
    }
}

/// States.
impl Core {
    /// Bytes of a state; the same for as long as this content is loaded.
    pub fn state_size(&self) -> usize {
        self.session.snapshot_size() + EXTRA
    }

    /// Puts a state into `into`.
    ///
    /// # Errors
    /// One sentence.
    pub fn save(&mut self, into: &mut [u8]) -> Result<(), String> {
        let size = self.state_size();
        let into = into
            .get_mut(..size)
            .ok_or_else(|| format!("a state has {size} bytes"))?;
        self.session
            .save_snapshot(Some(&self.mixer), &mut self.snapshot)
            .map_err(|error| error.to_string())?;
        let (state, extra) = into.split_at_mut(size - EXTRA);
        state.copy_from_slice(&self.snapshot);
        extra.fill(0);
        extra[0] = u8::from(self.reset_was_down);
        extra[1..][..ScreenKeyboard::STATE].copy_from_slice(&self.screen_keyboard.state());
        Ok(())
    }

    /// Returns to a state.
    ///
    /// # Errors
    /// One sentence; the machine is then as it was.
    pub fn load(&mut self, from: &[u8]) -> Result<(), String> {
        let size = self.state_size();
        let from = from
            .get(..size)
            .ok_or_else(|| format!("a state has {size} bytes, this one has {}", from.len()))?;
        let (state, extra) = from.split_at(size - EXTRA);
        self.session
            .load_snapshot(state, Some(&mut self.mixer))
            .map_err(|error| error.to_string())?;
        self.reset_was_down = extra[0] != 0;
        if let Some(&state) = extra[1..].first_chunk() {
            self.screen_keyboard = ScreenKeyboard::from_state(state);
        }
        self.show_ram();
        Ok(())
    }
}

/// Disks and files.
impl Core {
    /// Does what the session asks for.
    fn serve(&mut self) {
        for request in self.session.requests() {
            let answer = match request.ask {
                Ask::Folder(asked) => Ok(Answer::Folder(self.files.answer(&asked, false))),
                Ask::Keep {
                    copy, name, bytes, ..
                } => {
                    let image = self.images.iter().find(|image| image.copy == Some(copy));
                    let path = if let Some(image) = image {
                        image.kept.clone()
                    } else {
                        self.kept_of(&name, &bytes)
                    };
                    let folder = &self.folders.saves;
                    let made = std::fs::create_dir_all(folder).is_ok();
                    if made && files::write(&path, &bytes).is_ok() {
                        Ok(Answer::Done)
                    } else {
                        self.messages.push(format!(
                            "{name}: what was written to it cannot be kept in {}",
                            folder.display()
                        ));
                        Err(Refused::Failed)
                    }
                }
                Ask::Print(_) => Ok(Answer::Done),
                Ask::Store { .. } => Err(Refused::Failed),
            };
            self.session.answer(request.id, answer);
        }
    }

    /// The file for output to the content itself, if it is a cartridge, or to a disk that is in no drive any more.
    fn kept_of(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let image = self.images.iter().find(|image| image.name == name);
        if let Some(image) = image {
            return image.kept.clone();
        }
        if matches!(self.session.setup().program.kind, Kind::Cartridge(_)) {
            return self.kept.clone();
        }
        images::kept(&self.folders.saves, name, bytes)
    }

    /// Keeps what programs have written, before the content is closed.
    pub fn close(&mut self) {
        self.session.store_open_files();
        self.session.flush();
        self.serve();
    }

    /// True while nothing is in the drive.
    pub fn is_ejected(&self) -> bool {
        self.ejected
    }

    /// Opens the drive, or closes it with the disk that was chosen.
    pub fn eject(&mut self, ejected: bool) -> bool {
        if ejected == self.ejected {
            return true;
        }
        self.ejected = ejected;
        if ejected {
            if let Some(image) = self.images.get_mut(self.image) {
                image.eject(&mut self.session);
            }
            self.serve();
            return true;
        }
        let Some(image) = self.images.get_mut(self.image) else {
            return true;
        };
        if image.bytes.is_empty() {
            return true;
        }
        let inserted = image.insert(&mut self.session);
        if let Err(message) = inserted {
            self.messages.push(message);
            return false;
        }
        true
    }

    /// The number of the disk that is in the drive, or will be.
    pub fn image(&self) -> usize {
        self.image
    }

    /// Chooses a disk, while the drive is open; a number beyond the last one is an empty drive.
    pub fn choose(&mut self, image: usize) -> bool {
        let chosen = self.ejected && image <= self.images.len();
        if chosen {
            self.image = image;
        }
        chosen
    }

    /// The disks that can be chosen.
    pub fn images(&self) -> &[Image] {
        &self.images
    }

    /// Adds a place for a disk.
    pub fn add_image(&mut self) {
        self.images.push(Image::default());
    }

    /// Puts a file into a place, or takes the place away.
    pub fn replace_image(&mut self, number: usize, path: Option<&Path>) -> bool {
        if number >= self.images.len() {
            return false;
        }
        let Some(path) = path else {
            self.images.remove(number);
            if self.image > number {
                self.image -= 1;
            }
            return true;
        };
        match Image::open(path, &self.folders.saves) {
            Ok(image) => {
                self.images[number] = image;
                true
            }
            Err(message) => {
                self.messages.push(message);
                false
            }
        }
    }
}
