//! A small frontend: it opens the built core as RetroArch does, only by its functions, and plays.
#![allow(
    unsafe_code,
    reason = "the border to the core is libretro's interface in C"
)]

use anticlock_libretro::ffi::{
    self, DiskControl, GameInfo, KeyboardCallback, MemoryMap, Message, OptionsV2, SystemAvInfo,
    SystemInfo, Variable, env, pad,
};
use libloading::{Library, Symbol};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_uint, c_void};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tempfile::TempDir;

/// Messages and questions of a core to its frontend.
#[derive(Default)]
struct World {
    options: BTreeMap<String, CString>,
    options_changed: bool,
    folder: CString,
    picture: Vec<u32>,
    size: (u32, u32),
    audio: Vec<i16>,
    buttons: [u16; 4],
    turned: i16,
    /// X and Y of a mouse or gun, and its button.
    pointer: (i16, i16, bool),
    messages: Vec<String>,
    keyboard: Option<ffi::KeyboardEvent>,
    disks: Option<DiskControl>,
    ram: usize,
    without_content: bool,
}

thread_local! {
    /// The world of the core that is being called.
    static WORLD: RefCell<Rc<RefCell<World>>> = RefCell::default();
}

fn world<T>(act: impl FnOnce(&mut World) -> T) -> T {
    let world = WORLD.with_borrow(Rc::clone);
    let mut world = world.borrow_mut();
    act(&mut world)
}

unsafe extern "C" fn environment(command: c_uint, data: *mut c_void) -> bool {
    // SAFETY: each command has its own type of data, as libretro's header says.
    unsafe {
        match command {
            env::SET_SUPPORT_NO_GAME => world(|w| w.without_content = *data.cast::<bool>()),
            env::GET_CORE_OPTIONS_VERSION => *data.cast::<c_uint>() = 2,
            env::GET_DISK_CONTROL_INTERFACE_VERSION => *data.cast::<c_uint>() = 1,
            env::SET_CORE_OPTIONS_V2 => {
                let mut at = (*data.cast::<OptionsV2>()).definitions;
                while !(*at).key.is_null() {
                    let key = CStr::from_ptr((*at).key).to_str().expect("UTF-8");
                    let usual = CStr::from_ptr((*at).default_value).to_owned();
                    world(|w| {
                        w.options.entry(key.to_owned()).or_insert(usual);
                    });
                    at = at.add(1);
                }
            }
            env::GET_VARIABLE => {
                let variable = &mut *data.cast::<Variable>();
                let key = CStr::from_ptr(variable.key).to_str().expect("UTF-8");
                variable.value = world(|w| w.options[key].as_ptr());
            }
            env::GET_VARIABLE_UPDATE => {
                *data.cast::<bool>() = world(|w| std::mem::take(&mut w.options_changed));
            }
            env::SET_PIXEL_FORMAT => return *data.cast::<c_uint>() == ffi::PIXEL_XRGB8888,
            env::GET_SAVE_DIRECTORY | env::GET_SYSTEM_DIRECTORY => {
                *data.cast::<*const std::ffi::c_char>() = world(|w| w.folder.as_ptr());
            }
            env::SET_MESSAGE => {
                let text = CStr::from_ptr((*data.cast::<Message>()).msg);
                world(|w| w.messages.push(text.to_string_lossy().into_owned()));
            }
            env::SET_KEYBOARD_CALLBACK => {
                world(|w| w.keyboard = (*data.cast::<KeyboardCallback>()).callback);
            }
            env::SET_DISK_CONTROL_EXT_INTERFACE => {
                world(|w| w.disks = Some(data.cast::<DiskControl>().read()));
            }
            env::SET_MEMORY_MAPS => {
                let map = &*data.cast::<MemoryMap>();
                assert_eq!((map.num_descriptors, (*map.descriptors).len), (1, 0x10000));
                world(|w| w.ram = (*map.descriptors).ptr as usize);
            }
            env::SET_CONTROLLER_INFO | env::SET_INPUT_DESCRIPTORS | env::SET_GEOMETRY => {}
            _ => return false,
        }
    }
    true
}

unsafe extern "C" fn video(data: *const c_void, width: c_uint, height: c_uint, pitch: usize) {
    assert_eq!(pitch, width as usize * 4);
    // SAFETY: a picture of this size.
    let pixels =
        unsafe { std::slice::from_raw_parts(data.cast::<u32>(), (width * height) as usize) };
    world(|w| (w.picture, w.size) = (pixels.to_vec(), (width, height)));
}

unsafe extern "C" fn audio(data: *const i16, frames: usize) -> usize {
    // SAFETY: two numbers a sample.
    let samples = unsafe { std::slice::from_raw_parts(data, 2 * frames) };
    world(|w| w.audio.extend_from_slice(samples));
    frames
}

unsafe extern "C" fn poll() {}

unsafe extern "C" fn input(port: c_uint, device: c_uint, _: c_uint, id: c_uint) -> i16 {
    world(|w| match device {
        ffi::DEVICE_JOYPAD => i16::from(w.buttons[port as usize] >> id & 1 != 0),
        ffi::DEVICE_ANALOG => w.turned,
        ffi::DEVICE_MOUSE => [w.pointer.0, w.pointer.1, w.pointer.2.into()]
            .get(id as usize)
            .copied()
            .unwrap_or(0),
        ffi::DEVICE_LIGHTGUN => match id {
            ffi::LIGHTGUN_X => w.pointer.0,
            ffi::LIGHTGUN_Y => w.pointer.1,
            ffi::LIGHTGUN_TRIGGER => w.pointer.2.into(),
            _ => 0,
        },
        _ => 0,
    })
}

/// A core in a frontend.
struct Player {
    world: Rc<RefCell<World>>,
    folder: TempDir,
    library: Library,
}

impl Drop for Player {
    fn drop(&mut self) {
        self.enter();
        self.call::<extern "C" fn()>("retro_unload_game")();
        self.call::<extern "C" fn()>("retro_deinit")();
    }
}

/// The built core.
fn core() -> PathBuf {
    let name = format!(
        "{}anticlock_libretro{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    );
    let test = std::env::current_exe().expect("a path");
    let folders = test
        .ancestors()
        .skip(1)
        .take(2)
        .map(|folder| folder.join(&name));
    folders
        .into_iter()
        .find(|path| path.is_file())
        .expect("cargo has built the core beside its tests")
}

impl Player {
    /// Opens a copy of the core of its own: a process has each library once.
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let copy = folder.path().join("core.so");
        fs::copy(core(), &copy).expect("a copy");
        // SAFETY: our own library, which does nothing when it is opened.
        let library = unsafe { Library::new(copy) }.expect("the core opens");
        let world = World {
            folder: CString::new(folder.path().join("saves").to_str().expect("UTF-8"))
                .expect("no zero"),
            ..World::default()
        };
        let player = Self {
            world: Rc::new(RefCell::new(world)),
            folder,
            library,
        };
        player.enter();
        player.call::<extern "C" fn(ffi::Environment)>("retro_set_environment")(environment);
        player.call::<extern "C" fn(ffi::VideoRefresh)>("retro_set_video_refresh")(video);
        player.call::<extern "C" fn(ffi::AudioSampleBatch)>("retro_set_audio_sample_batch")(audio);
        player.call::<extern "C" fn(ffi::InputPoll)>("retro_set_input_poll")(poll);
        player.call::<extern "C" fn(ffi::InputState)>("retro_set_input_state")(input);
        player.call::<extern "C" fn()>("retro_init")();
        player
    }

    /// The core's calls reach this player's world.
    fn enter(&self) {
        WORLD.set(Rc::clone(&self.world));
    }

    fn call<F: Copy>(&self, name: &str) -> F {
        // SAFETY: libretro's header has these functions with these types.
        let symbol: Symbol<F> = unsafe { self.library.get(name.as_bytes()) }.expect(name);
        *symbol
    }

    fn load(&self, path: Option<&Path>) -> bool {
        self.enter();
        let path = path.map(|path| CString::new(path.to_str().expect("UTF-8")).expect("no zero"));
        let info = path.as_ref().map(|path| GameInfo {
            path: path.as_ptr(),
            data: std::ptr::null(),
            size: 0,
            meta: std::ptr::null(),
        });
        let at = info.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
        self.call::<extern "C" fn(*const GameInfo) -> bool>("retro_load_game")(at)
    }

    /// A core that plays this content.
    fn playing(name: &str, bytes: &[u8]) -> Self {
        let player = Self::new();
        assert!(
            player.load(Some(&player.file(name, bytes))),
            "{:?}",
            player.world.borrow().messages
        );
        player
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, bytes).expect("a file");
        path
    }

    /// Runs a frame with these buttons in port 1; its picture and sound.
    fn frame(&self, buttons: u16) -> (Vec<u32>, Vec<i16>) {
        self.enter();
        world(|w| {
            w.buttons[0] = buttons;
            w.audio.clear();
        });
        self.call::<extern "C" fn()>("retro_run")();
        world(|w| (w.picture.clone(), w.audio.clone()))
    }

    fn run(&self, frames: u32) {
        (0..frames).for_each(|_| drop(self.frame(0)));
    }

    fn peek(&self, address: usize) -> u8 {
        let ram = self.world.borrow().ram;
        // SAFETY: 64K that the core shows for as long as its content is loaded.
        unsafe { *std::ptr::with_exposed_provenance::<u8>(ram + address) }
    }

    fn poke(&self, address: usize, data: u8) {
        let ram = self.world.borrow().ram;
        // SAFETY: as in `peek`; cheats write there.
        unsafe { *std::ptr::with_exposed_provenance_mut::<u8>(ram + address) = data };
    }

    fn save(&self) -> Vec<u8> {
        self.enter();
        let mut state = vec![0xEE; self.call::<extern "C" fn() -> usize>("retro_serialize_size")()];
        let save = self.call::<extern "C" fn(*mut c_void, usize) -> bool>("retro_serialize");
        assert!(save(state.as_mut_ptr().cast(), state.len()));
        state
    }

    fn restore(&self, state: &[u8]) -> bool {
        self.enter();
        let load = self.call::<extern "C" fn(*const c_void, usize) -> bool>("retro_unserialize");
        load(state.as_ptr().cast(), state.len())
    }

    fn key(&self, down: bool, number: u32, character: char) {
        self.enter();
        let call = self.world.borrow().keyboard.expect("a keyboard callback");
        // SAFETY: the core's function.
        unsafe { call(down, number, character.into(), 0) };
    }

    /// Runs until a program has put this into memory.
    fn wait_for(&self, address: usize, data: u8) {
        for _ in 0..2000 {
            self.run(1);
            if self.peek(address) == data {
                return;
            }
        }
        panic!(
            "{address:04X} is {:02X}, not {data:02X}; {:?}",
            self.peek(address),
            self.world.borrow().messages
        );
    }
}

/// A binary file that says so in page 6.
const XEX: &[u8] = &[
    0xFF, 0xFF, 0x00, 0x20, 0x07, 0x20, 0xA9, 0x58, 0x8D, 0x00, 0x06, 0x4C, 0x05, 0x20, 0xE0, 0x02,
    0xE1, 0x02, 0x00, 0x20,
];

/// A disk whose boot sector puts `mark` into page 6, and writes itself to sector 700.
fn boot_disk(mark: u8) -> Vec<u8> {
    let mut disk = media::atr::Disk::blank(media::atr::Blank::Single);
    let mut sector = vec![0, 1, 0x00, 0x07, 0x00, 0x07, 0xA9, mark, 0x8D, 0x00, 0x06];
    // DUNIT, DCOMND, DBUF, DAUX; JSR DSKINV.
    for (address, data) in [
        (0x301, 1),
        (0x302, 0x57),
        (0x304, 0),
        (0x305, 7),
        (0x30A, 0xBC),
        (0x30B, 2),
    ] {
        let [low, high] = u16::to_le_bytes(address);
        sector.extend([0xA9, data, 0x8D, low, high]);
    }
    sector.extend([0x20, 0x53, 0xE4, 0xA9, 0x77, 0x8D, 0x01, 0x06]);
    // For ever.
    let here = 0x700 + sector.len() as u16;
    let [low, high] = here.to_le_bytes();
    sector.extend([0x4C, low, high]);
    sector.resize(128, 0);
    assert!(disk.write_sector(1, &sector));
    disk.to_bytes()
}

/// A ZIP whose entries are stored as they are.
fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut out, mut list) = (Vec::new(), Vec::new());
    for (name, bytes) in entries {
        let mut about = Vec::new();
        about.extend([20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0]);
        about.extend(machine::codec::crc32(bytes).to_le_bytes());
        about.extend((bytes.len() as u32).to_le_bytes());
        about.extend((bytes.len() as u32).to_le_bytes());
        about.extend((name.len() as u16).to_le_bytes());
        about.extend([0, 0]);
        list.extend(*b"PK\x01\x02\x14\0");
        list.extend(&about);
        list.extend([0; 10]);
        list.extend((out.len() as u32).to_le_bytes());
        list.extend(name.as_bytes());
        out.extend(*b"PK\x03\x04");
        out.extend(&about);
        out.extend(name.as_bytes());
        out.extend(*bytes);
    }
    let (count, at, length) = (
        (entries.len() as u16).to_le_bytes(),
        (out.len() as u32).to_le_bytes(),
        (list.len() as u32).to_le_bytes(),
    );
    out.extend(&list);
    out.extend(*b"PK\x05\x06\0\0\0\0");
    out.extend(count);
    out.extend(count);
    out.extend(length);
    out.extend(at);
    out.extend([0, 0]);
    out
}

#[test]
fn the_core_says_what_it_is_and_starts_its_games_without_content() {
    let player = Player::new();
    assert_eq!(
        player.call::<extern "C" fn() -> c_uint>("retro_api_version")(),
        1
    );
    assert!(player.world.borrow().without_content);
    let mut info = std::mem::MaybeUninit::<SystemInfo>::uninit();
    player.call::<extern "C" fn(*mut SystemInfo)>("retro_get_system_info")(info.as_mut_ptr());
    // SAFETY: the core has filled it.
    let endings = unsafe { CStr::from_ptr(info.assume_init().valid_extensions) };
    assert!(
        endings
            .to_str()
            .expect("UTF-8")
            .split('|')
            .any(|ending| ending == "atr")
    );
    assert!(player.load(None));
    let mut about = SystemAvInfo::default();
    player.call::<extern "C" fn(*mut SystemAvInfo)>("retro_get_system_av_info")(&raw mut about);
    assert!(
        (about.timing.fps - 59.92).abs() < 0.01
            && (about.timing.sample_rate - 44_100.0).abs() < 0.1
    );
    assert!((about.geometry.aspect_ratio - 336.0 / 224.0 * 6.0 / 7.0).abs() < 0.01);
    player.run(400);
    let world = player.world.borrow();
    assert_eq!((world.size, world.picture.len()), ((336, 224), 336 * 224));
    let colours: std::collections::BTreeSet<_> = world.picture.iter().collect();
    assert!(
        colours.len() > 8,
        "the menu has pictures: {}",
        colours.len()
    );
    // A sixtieth of a second.
    assert!(
        (700..780).contains(&(world.audio.len() / 2)),
        "{}",
        world.audio.len()
    );
}

#[test]
fn every_kind_of_content_starts() {
    let listing = b"10 POKE 1536,88\n20 GOTO 20\n";
    let basic = media::basic::Program::tokenize(listing)
        .expect("a listing")
        .to_save();
    let boot = boot_disk(0x58);
    // An 8K cartridge: it runs at $A000.
    let mut rom = vec![0; 0x2000];
    rom[..8].copy_from_slice(&[0xA9, 0x58, 0x8D, 0x00, 0x06, 0x4C, 0x05, 0xA0]);
    rom[0x1FFA..].copy_from_slice(&[0x00, 0xA0, 0x00, 0x04, 0x00, 0xA0]);
    let cartridge = media::cartridge::Cartridge::from_rom(&rom)
        .expect("8K")
        .to_car()
        .expect("a CAR file");
    let all: [(&str, &[u8]); 7] = [
        ("a.lst", listing),
        ("a.bas", &basic),
        ("a.xex", XEX),
        ("a.atr", &boot),
        ("a.car", &cartridge),
        ("a.rom", &rom),
        (
            "a.zip",
            &zip(&[("READ.ME", b"a text"), ("folder/a.xex", XEX)]),
        ),
    ];
    for (name, bytes) in all {
        let player = Player::playing(name, bytes);
        player.wait_for(0x600, 0x58);
        assert!(
            player.world.borrow().messages.is_empty(),
            "{name}: {:?}",
            player.world.borrow().messages
        );
    }
}

#[test]
fn a_cassette_is_loaded_by_what_is_typed() {
    // One file that BASIC loads with CLOAD, as our own recorder writes it.
    let mut setup =
        session::Setup::for_file("a.lst", b"10 POKE 1536,88\n20 GOTO 20\n").expect("a listing");
    setup.no_run = true;
    setup.tape = Some(session::Mount {
        file: session::MediumFile {
            id: session::MediumId(0),
            name: "a.cas".to_owned(),
        },
        medium: media::cas::Tape::default(),
    });
    setup.record = true;
    let mut session = session::Session::new(setup).expect("a session");
    session.type_text("CSAVE\\n\\n").expect("keys");
    (0..3000).for_each(|_| drop(session.run_frame()));
    let tape = session.machine().tape().expect("a tape").to_bytes();
    let player = Player::playing("a.cas", &tape);
    for _ in 0..3 {
        // States while it loads.
        player.run(100);
        assert!(player.restore(&player.save()));
    }
    player.wait_for(0x600, 0x58);
}

#[test]
fn what_cannot_be_played_is_refused_with_a_sentence() {
    for (name, bytes) in [
        ("a.atr", &b"nonsense"[..]),
        ("a.zip", b"PK\x03\x04"),
        ("a.lst", b"10 PRINT (\n"),
        ("a.xex", b""),
    ] {
        let player = Player::new();
        let path = player.file(name, bytes);
        assert!(!player.load(Some(&path)), "{name}");
        assert!(!player.load(Some(&player.folder.path().join("missing.xex"))));
        let messages = player.world.borrow().messages.clone();
        assert!(
            messages.len() == 2 && messages.iter().all(|message| message.len() > 10),
            "{messages:?}"
        );
        // Nothing is loaded, and nothing breaks.
        player.run(2);
        assert_eq!(
            player.call::<extern "C" fn() -> usize>("retro_serialize_size")(),
            0
        );
        assert!(!player.restore(&[0; 100]));
    }
}

const NOISY: &[u8] =
    b"10 FOR I=0 TO 255:SOUND 0,I,10,10:SETCOLOR 4,I/16,STICK(0):PRINT I;\" \";:NEXT I:GOTO 10\n";

fn held(frame: u32) -> u16 {
    match frame / 7 % 5 {
        // START at power-on boots a cassette.
        _ if frame < 200 => 0,
        0 => 1 << pad::LEFT,
        1 => 1 << pad::UP | 1 << pad::B,
        2 => 1 << pad::START,
        _ => 0,
    }
}

#[test]
fn run_ahead_shows_and_sounds_as_a_run_without() {
    let (plain, ahead) = (
        Player::playing("a.lst", NOISY),
        Player::playing("a.lst", NOISY),
    );
    for frame in 0..900 {
        // As RetroArch does it: the frame, its state, frames that do not count, back.
        let shown = plain.frame(held(frame));
        assert!(shown == ahead.frame(held(frame)), "frame {frame}");
        let state = ahead.save();
        for _ in 0..=frame % 2 {
            ahead.frame(held(frame));
        }
        assert!(ahead.restore(&state));
    }
    assert_eq!(plain.save(), ahead.save());
}

#[test]
fn two_players_that_guess_each_others_controls_have_equal_states() {
    let (first, second) = (
        Player::playing("a.lst", NOISY),
        Player::playing("a.lst", NOISY),
    );
    // The second one begins from the state of the first, and hears of its controls three frames late.
    first.run(200);
    let state = first.save();
    assert!(second.restore(&state));
    let mut states = Vec::new();
    for frame in 0..600u32 {
        first.frame(held(frame));
        states.push((frame, second.save()));
        second.frame(held(frame.saturating_sub(3)));
        if frame % 4 == 3 {
            let (from, state) = states.remove(0);
            assert!(second.restore(&state));
            (from..=frame).for_each(|frame| drop(second.frame(held(frame))));
            states.clear();
            assert!(first.save() == second.save(), "frame {frame}");
        }
    }
}

#[test]
fn disks_are_changed_by_the_frontend_and_what_is_written_is_kept() {
    let player = Player::new();
    player.file("one.atr", &boot_disk(0x11));
    player.file("two.atr", &boot_disk(0x22));
    let list = player.file("game.m3u", b"# both sides\none.atr\ntwo.atr\n");
    assert!(
        player.load(Some(&list)),
        "{:?}",
        player.world.borrow().messages
    );
    player.wait_for(0x601, 0x77);
    assert_eq!(player.peek(0x600), 0x11);
    let disks = player
        .world
        .borrow_mut()
        .disks
        .take()
        .expect("disk control");
    // SAFETY: the core's functions.
    unsafe {
        assert_eq!((disks.get_num_images.unwrap())(), 2);
        let mut label = [0; 20];
        assert!((disks.get_image_label.unwrap())(
            1,
            label.as_mut_ptr(),
            label.len()
        ));
        assert_eq!(CStr::from_ptr(label.as_ptr()), c"two.atr");
        assert!(!(disks.set_image_index.unwrap())(1), "the drive is closed");
        assert!((disks.set_eject_state.unwrap())(true) && (disks.get_eject_state.unwrap())());
        assert!((disks.set_image_index.unwrap())(1));
        assert!((disks.set_eject_state.unwrap())(false));
    }
    player.call::<extern "C" fn()>("retro_reset")();
    player.wait_for(0x600, 0x22);
    player.wait_for(0x601, 0x77);
    // A state of the other disk brings that one back.
    let second = player.save();
    assert!(player.restore(&second));
    let saves = player.folder.path().join("saves");
    player.call::<extern "C" fn()>("retro_unload_game")();
    let mut kept: Vec<_> = fs::read_dir(&saves)
        .expect("saves")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    kept.sort();
    assert_eq!(kept.len(), 2, "{kept:?}");
    for path in &kept {
        let disk = media::atr::Disk::parse(&fs::read(path).expect("a file")).expect("a disk");
        assert_eq!(disk.sector(700), disk.sector(1), "{}", path.display());
    }
    // The content is as it was, and the next run has what was written.
    let one = fs::read(player.folder.path().join("one.atr")).expect("a file");
    assert_eq!(one, boot_disk(0x11));
    assert!(player.load(Some(&list)));
}

#[test]
fn keys_sticks_paddles_cheats_and_options_reach_the_program() {
    let listing = b"10 POKE 1536,STICK(0):POKE 1537,PADDLE(2):POKE 1538,PEEK(53279):POKE 1539,PEEK(764):POKE 1540,PTRIG(2):POKE 1541,STICK(1)\n20 GOTO 10\n";
    let player = Player::playing("a.lst", listing);
    player.wait_for(0x600, 15);
    let set = player.call::<extern "C" fn(c_uint, c_uint)>("retro_set_controller_port_device");
    set(1, ffi::DEVICE_PADDLES);
    let press = |buttons: u16| (0..30).for_each(|_| drop(player.frame(buttons)));
    press(1 << pad::LEFT);
    assert_eq!((player.peek(0x600), player.peek(0x602) & 7), (11, 7));
    press(1 << pad::START);
    assert_eq!(player.peek(0x602) & 7, 6);
    press(1 << pad::L);
    assert_eq!(player.peek(0x602) & 7, 3);
    for (turned, wanted) in [(i16::MIN, 228), (0, 114), (i16::MAX, 0)] {
        player.world.borrow_mut().turned = turned;
        press(0);
        let found = player.peek(0x601);
        assert!(found.abs_diff(wanted) <= 1, "{turned}: {found}");
    }
    player.key(true, 'a'.into(), 'a');
    press(0);
    assert_eq!(player.peek(0x603), 0x3F);
    player.key(false, 'a'.into(), 'a');
    // A cheat.
    player.poke(0x620, 0x99);
    player.run(2);
    let state = player.save();
    player.poke(0x620, 0x11);
    player.run(2);
    assert_eq!(player.peek(0x620), 0x11);
    assert!(player.restore(&state));
    assert_eq!(player.peek(0x620), 0x99);
    // All of the border.
    let mut world = player.world.borrow_mut();
    world
        .options
        .insert("anticlock_overscan".to_owned(), c"full".to_owned());
    world.options_changed = true;
    drop(world);
    player.run(1);
    assert_eq!(player.world.borrow().size, (376, 240));
}

#[test]
fn pens_and_mice_reach_the_program() {
    // LPENH, LPENV, the stick's lines and the trigger.
    let listing = b"10 POKE 1536,PEEK(564):POKE 1537,PEEK(565):POKE 1538,STICK(0):POKE 1539,STRIG(0)\n20 GOTO 10\n";
    let player = Player::playing("a.lst", listing);
    player.wait_for(0x602, 15);
    let set = player.call::<extern "C" fn(c_uint, c_uint)>("retro_set_controller_port_device");
    set(0, ffi::DEVICE_LIGHT_PEN);
    // The middle of the picture is colour clock 127 and line 127; PENH is ahead by $19.
    player.run(30);
    assert_eq!((player.peek(0x600), player.peek(0x601)), (127 + 0x19, 63));
    player.world.borrow_mut().pointer = (-0x7FFF, 0x7FFF, true);
    player.run(30);
    // Clock 44 and line 239, the tip on the line for up.
    assert_eq!((player.peek(0x600), player.peek(0x601)), (44 + 0x19, 119));
    assert_eq!(player.peek(0x602), 14);
    for device in [
        ffi::DEVICE_ST_MOUSE,
        ffi::DEVICE_AMIGA_MOUSE,
        ffi::DEVICE_TRAK_BALL,
    ] {
        set(0, device);
        player.world.borrow_mut().pointer = (0, 0, false);
        player.run(30);
        let rest = player.peek(0x602);
        assert_eq!(player.peek(0x603), 1);
        player.world.borrow_mut().pointer = (1, 0, true);
        player.run(10);
        let seen: std::collections::BTreeSet<_> = (0..40)
            .map(|_| {
                player.run(1);
                player.peek(0x602)
            })
            .collect();
        assert!(seen.len() > 1, "{device}: {rest} {seen:?}");
        assert_eq!(player.peek(0x603), 0);
    }
    // A key that is held is no reason to unplug the device.
    player.world.borrow_mut().pointer = (0, 0, false);
    player.run(30);
    let rest = player.peek(0x602);
    player.key(true, 'a'.into(), 'a');
    player.run(30);
    assert_eq!(player.peek(0x602), rest);
    player.key(false, 'a'.into(), 'a');
    // Without a device the pad is none: its buttons type nothing.
    set(0, ffi::DEVICE_NONE);
    player.poke(764, 255);
    (0..30).for_each(|_| drop(player.frame(1 << pad::A)));
    assert_eq!(player.peek(764), 255);
}

/// Pushes a button of port 1 and lets it go.
fn push(player: &Player, button: u32) {
    (0..4).for_each(|_| drop(player.frame(1 << button)));
    player.run(4);
}

#[test]
fn the_keyboard_on_the_screen_types_by_the_pad() {
    let listing =
        b"10 OPEN #1,4,0,\"K:\":POKE 1536,1\n20 GET #1,A:POKE 1537,A:POKE 1538,STICK(0):GOTO 20\n";
    let player = Player::playing("a.lst", listing);
    player.wait_for(0x600, 1);
    player.run(30);
    let before = player.frame(0).0;
    push(&player, pad::X);
    let shown = player.frame(0).0;
    let changed = |row: usize| shown[row * 336..][..336] != before[row * 336..][..336];
    assert!(!(0..140).any(changed) && (144..220).all(changed));
    // From START down to ESC, right to 1.
    for button in [pad::DOWN, pad::RIGHT, pad::A] {
        push(&player, button);
    }
    assert_eq!((player.peek(0x601), player.peek(0x602)), (b'1', 15));
    // SHIFT, and 1 again: up from the row of SHIFT.
    for button in [pad::DOWN, pad::DOWN, pad::DOWN, pad::A] {
        push(&player, button);
    }
    for button in [pad::UP, pad::UP, pad::UP, pad::RIGHT, pad::A] {
        push(&player, button);
    }
    assert_eq!(player.peek(0x601), b'!');
    push(&player, pad::B);
    assert_eq!(player.peek(0x601), 126);
    push(&player, pad::L2);
    let above = player.frame(0).0;
    assert!(above[150 * 336..] == before[150 * 336..] && above[..80 * 336] != before[..80 * 336]);
    push(&player, pad::X);
    assert!(
        player.frame(0).0 == before,
        "it leaves nothing on the picture"
    );
    push(&player, pad::A);
    assert_eq!(player.peek(0x601), 155, "the pad's own keys are back");
}

/// Buttons that open the keyboard, wander over it and type.
fn typing(frame: u32) -> u16 {
    let walk = [pad::RIGHT, pad::A, pad::DOWN, pad::A, pad::LEFT, pad::B];
    match frame {
        0..200 => 0,
        200..205 => 1 << pad::X,
        // Held for a while, so that directions repeat.
        _ if frame % 47 < 30 => 1 << walk[frame as usize / 47 % walk.len()],
        _ => 0,
    }
}

#[test]
fn the_keyboard_on_the_screen_is_the_same_with_run_ahead() {
    let listing = b"10 OPEN #1,4,0,\"K:\"\n20 GET #1,A:PRINT CHR$(A);:GOTO 20\n";
    let (plain, ahead) = (
        Player::playing("a.lst", listing),
        Player::playing("a.lst", listing),
    );
    for frame in 0..900 {
        let shown = plain.frame(typing(frame));
        assert!(shown == ahead.frame(typing(frame)), "frame {frame}");
        let state = ahead.save();
        (0..=frame % 2).for_each(|_| drop(ahead.frame(typing(frame))));
        assert!(ahead.restore(&state));
    }
    assert_eq!(plain.save(), ahead.save());
}

#[test]
fn a_model_of_the_options_has_a_state_of_its_own_size() {
    let player = Player::new();
    player
        .world
        .borrow_mut()
        .options
        .insert("anticlock_model".to_owned(), c"130xe".to_owned());
    player
        .world
        .borrow_mut()
        .options
        .insert("anticlock_tv".to_owned(), c"pal".to_owned());
    assert!(player.load(None));
    assert_eq!(
        player.call::<extern "C" fn() -> c_uint>("retro_get_region")(),
        ffi::REGION_PAL
    );
    assert!(player.save().len() <= 150_000, "{}", player.save().len());
}
