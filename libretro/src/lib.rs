//! Anticlock as a core for RetroArch and other libretro frontends: a [`Session`](session::Session) with libretro's functions.
//!
//! | file | subject |
//! | --- | --- |
//! | `ffi.rs` | libretro's types and numbers |
//! | `core.rs` | what a frontend asks for, without a pointer: tests work it as it is |
//! | `images.rs` | the disks of the disk control, and where what programs write is kept |
//! | `keyboard.rs` | the frontend's keys |
//! | `options.rs` | what can be chosen in the frontend's menu |
//! | `screen_keyboard.rs` | the keyboard on the screen, worked by the pad |
//!
//! A frontend calls these functions from one thread. It may call the keyboard callback from within [`InputPoll`](ffi::InputPoll), so no lock is
//! held while one of its functions runs.
// The border to C: pointers come from the frontend, as its interface defines them.
#![allow(unsafe_code)]
#![allow(clippy::missing_safety_doc, missing_docs)]

mod core;
#[allow(missing_debug_implementations)]
pub mod ffi;
mod images;
mod keyboard;
mod options;
mod screen_keyboard;

use self::core::{Core, Device, Folders, Port};
use ffi::{GameInfo, SystemAvInfo, SystemInfo, env};
use machine::PointerKind;
use options::Options;
use std::ffi::{CStr, CString, c_char, c_uint, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The frontend's functions.
#[derive(Clone, Copy)]
struct Frontend {
    environment: Option<ffi::Environment>,
    video: Option<ffi::VideoRefresh>,
    audio: Option<ffi::AudioSampleBatch>,
    poll: Option<ffi::InputPoll>,
    input: Option<ffi::InputState>,
    log: Option<ffi::LogPrintf>,
    devices: [Device; 4],
}

static FRONTEND: Mutex<Frontend> = Mutex::new(Frontend {
    environment: None,
    video: None,
    audio: None,
    poll: None,
    input: None,
    log: None,
    devices: [Device::Stick; 4],
});

static CORE: Mutex<Option<Core>> = Mutex::new(None);

fn frontend() -> MutexGuard<'static, Frontend> {
    FRONTEND.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does something with the core; the default where no content is loaded, or where it panics.
fn with_core<T: Default>(act: impl FnOnce(&mut Core) -> T) -> T {
    guarded(|| {
        let mut core = CORE.lock().unwrap_or_else(PoisonError::into_inner);
        core.as_mut().map(act).unwrap_or_default()
    })
}

/// No panic leaves the core.
fn guarded<T: Default>(act: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_default()
}

/// Gives the frontend a command; false where it does not know it.
fn command<T>(number: c_uint, data: *mut T) -> bool {
    let environment = frontend().environment;
    // SAFETY: `data` is what libretro.h names for this command, and lives as long as it says: until the call returns, or for ever.
    environment.is_some_and(|call| unsafe { call(number, data.cast::<c_void>()) })
}

/// A folder of the frontend.
fn folder(number: c_uint) -> Option<PathBuf> {
    let mut text: *const c_char = ptr::null();
    let known = command(number, &raw mut text);
    // SAFETY: the frontend's text ends with a zero.
    (known && !text.is_null()).then(|| PathBuf::from(unsafe { text_of(text) }))
}

/// # Safety
/// The text ends with a zero.
unsafe fn text_of(text: *const c_char) -> String {
    // SAFETY: as the caller says.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}

/// The user's choices.
fn chosen() -> Options {
    Options::read(|key| {
        let key = CString::new(key).ok()?;
        let mut variable = ffi::Variable {
            key: key.as_ptr(),
            value: ptr::null(),
        };
        let known = command(env::GET_VARIABLE, &raw mut variable);
        // SAFETY: the frontend's text ends with a zero.
        (known && !variable.value.is_null()).then(|| unsafe { text_of(variable.value) })
    })
}

/// Shows the user a sentence, and writes it to the log.
fn tell(message: &str) {
    let Ok(text) = CString::new(message.replace('\0', "")) else {
        return;
    };
    if let Some(log) = frontend().log {
        // SAFETY: a printf whose format takes one text.
        unsafe { log(2, c"[Anticlock] %s\n".as_ptr(), text.as_ptr()) };
    }
    let mut shown = ffi::Message {
        msg: text.as_ptr(),
        frames: 300,
    };
    command(env::SET_MESSAGE, &raw mut shown);
}

fn tell_all() {
    for message in with_core(|core| std::mem::take(&mut core.messages)) {
        tell(&message);
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn retro_api_version() -> c_uint {
    ffi::API_VERSION
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn retro_set_environment(call: Option<ffi::Environment>) {
    frontend().environment = call;
    guarded(|| {
        let mut without_content = true;
        command(env::SET_SUPPORT_NO_GAME, &raw mut without_content);
        let mut version: c_uint = 0;
        if command(env::GET_CORE_OPTIONS_VERSION, &raw mut version) && version >= 2 {
            let mut all = options::definitions();
            command(env::SET_CORE_OPTIONS_V2, &raw mut all);
        } else {
            command(env::SET_VARIABLES, options::variables().cast_mut());
        }
        let mut log = ffi::LogCallback { log: None };
        if command(env::GET_LOG_INTERFACE, &raw mut log) {
            frontend().log = log.log;
        }
        set_controllers();
    });
}

/// Tells the frontend the controllers of each port.
fn set_controllers() {
    // The frontend keeps the pointers.
    let kinds: &'static [ffi::ControllerDescription] = Box::leak(Box::new([
        ffi::ControllerDescription {
            desc: c"Joystick".as_ptr(),
            id: ffi::DEVICE_JOYPAD,
        },
        ffi::ControllerDescription {
            desc: c"Paddles".as_ptr(),
            id: ffi::DEVICE_PADDLES,
        },
        ffi::ControllerDescription {
            desc: c"Light Gun (XG-1)".as_ptr(),
            id: ffi::DEVICE_LIGHTGUN,
        },
        ffi::ControllerDescription {
            desc: c"Light Pen".as_ptr(),
            id: ffi::DEVICE_LIGHT_PEN,
        },
        ffi::ControllerDescription {
            desc: c"Mouse (Atari ST)".as_ptr(),
            id: ffi::DEVICE_ST_MOUSE,
        },
        ffi::ControllerDescription {
            desc: c"Mouse (Amiga)".as_ptr(),
            id: ffi::DEVICE_AMIGA_MOUSE,
        },
        ffi::ControllerDescription {
            desc: c"Trak-Ball".as_ptr(),
            id: ffi::DEVICE_TRAK_BALL,
        },
        ffi::ControllerDescription {
            desc: c"None".as_ptr(),
            id: ffi::DEVICE_NONE,
        },
    ]));
    let port = || ffi::ControllerInfo {
        types: kinds.as_ptr(),
        num_types: kinds.len() as c_uint,
    };
    let end = ffi::ControllerInfo {
        types: ptr::null(),
        num_types: 0,
    };
    let ports = Box::leak(Box::new([port(), port(), port(), port(), end]));
    command(env::SET_CONTROLLER_INFO, ports.as_mut_ptr());
}

/// Actions of the pad's buttons.
fn set_descriptions() {
    use ffi::pad;
    let stick = [
        (pad::UP, c"Up"),
        (pad::DOWN, c"Down"),
        (pad::LEFT, c"Left"),
        (pad::RIGHT, c"Right"),
        (pad::B, c"Trigger"),
    ];
    let first = [
        (pad::START, c"START"),
        (pad::SELECT, c"SELECT"),
        (pad::L, c"OPTION"),
        (pad::L3, c"RESET"),
        (pad::A, c"Key RETURN"),
        (pad::Y, c"Key SPACE"),
        (pad::R, c"Key ESC"),
        (pad::R2, c"Key BREAK"),
        (pad::R3, c"Key HELP"),
        (pad::X, c"Keyboard on the screen"),
        (pad::L2, c"Keyboard: other edge"),
    ];
    let describe = |port, (id, text): (c_uint, &CStr)| ffi::InputDescriptor {
        port,
        device: ffi::DEVICE_JOYPAD,
        index: 0,
        id,
        description: text.as_ptr(),
    };
    let sticks = (0..4).flat_map(|port| stick.map(|button| describe(port, button)));
    let mut all: Vec<_> = sticks.collect();
    all.extend(first.map(|button| describe(0, button)));
    all.push(ffi::InputDescriptor {
        port: 0,
        device: 0,
        index: 0,
        id: 0,
        description: ptr::null(),
    });
    // The frontend may keep the pointer.
    let all = Box::leak(all.into_boxed_slice());
    command(env::SET_INPUT_DESCRIPTORS, all.as_mut_ptr());
}

#[unsafe(no_mangle)]
pub extern "C" fn retro_set_video_refresh(call: Option<ffi::VideoRefresh>) {
    frontend().video = call;
}

#[unsafe(no_mangle)]
pub extern "C" fn retro_set_audio_sample(_: Option<ffi::AudioSample>) {}

#[unsafe(no_mangle)]
pub extern "C" fn retro_set_audio_sample_batch(call: Option<ffi::AudioSampleBatch>) {
    frontend().audio = call;
}

#[unsafe(no_mangle)]
pub extern "C" fn retro_set_input_poll(call: Option<ffi::InputPoll>) {
    frontend().poll = call;
}

#[unsafe(no_mangle)]
pub extern "C" fn retro_set_input_state(call: Option<ffi::InputState>) {
    frontend().input = call;
}

#[unsafe(no_mangle)]
pub extern "C" fn retro_init() {}

#[unsafe(no_mangle)]
pub extern "C" fn retro_deinit() {
    retro_unload_game();
    frontend().devices = [Device::Stick; 4];
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn retro_get_system_info(info: *mut SystemInfo) {
    let told = SystemInfo {
        library_name: c"Anticlock".as_ptr(),
        library_version: concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast(),
        valid_extensions: EXTENSIONS.as_ptr(),
        need_fullpath: true,
        block_extract: true,
    };
    if !info.is_null() {
        // SAFETY: the frontend's structure.
        unsafe { info.write(told) };
    }
}

/// Endings of names of content, of archives and lists too.
const EXTENSIONS: &CStr =
    c"atr|atx|xfd|atz|xfz|xex|com|exe|obj|bin|rom|car|cas|bas|lst|txt|sap|gz|zip|m3u";

#[unsafe(no_mangle)]
pub unsafe extern "C" fn retro_get_system_av_info(info: *mut SystemAvInfo) {
    if !info.is_null() {
        // SAFETY: the frontend's structure.
        unsafe { info.write(with_core(|core| core.av_info())) };
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn retro_set_controller_port_device(port: c_uint, device: c_uint) {
    if let Some(place) = frontend().devices.get_mut(port as usize) {
        *place = match device {
            ffi::DEVICE_PADDLES | ffi::DEVICE_ANALOG => Device::Paddles,
            ffi::DEVICE_LIGHTGUN => Device::Pointing(PointerKind::LightGun),
            ffi::DEVICE_LIGHT_PEN => Device::Pointing(PointerKind::LightPen),
            ffi::DEVICE_MOUSE | ffi::DEVICE_ST_MOUSE => Device::Pointing(PointerKind::StMouse),
            ffi::DEVICE_AMIGA_MOUSE => Device::Pointing(PointerKind::AmigaMouse),
            ffi::DEVICE_TRAK_BALL => Device::Pointing(PointerKind::TrakBall),
            ffi::DEVICE_NONE => Device::Nothing,
            _ => Device::Stick,
        };
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn retro_reset() {
    with_core(Core::power_cycle);
}

/// The controllers as they are now.
fn ports(frontend: &Frontend) -> [Port; 4] {
    let mut ports = frontend.devices.map(|device| Port {
        device,
        ..Port::default()
    });
    if let Some(poll) = frontend.poll {
        // SAFETY: the frontend's function.
        unsafe { poll() };
    }
    let Some(input) = frontend.input else {
        return ports;
    };
    for (number, port) in (0..).zip(&mut ports) {
        // SAFETY: the frontend's function.
        let ask = |device, index, id| unsafe { input(number, device, index, id) };
        for button in 0..ffi::pad::COUNT {
            let down = ask(ffi::DEVICE_JOYPAD, 0, button) != 0;
            port.buttons |= u16::from(down) << button;
        }
        match port.device {
            Device::Paddles => {
                let sides = [ffi::ANALOG_LEFT, ffi::ANALOG_RIGHT];
                port.turned = sides.map(|side| ask(ffi::DEVICE_ANALOG, side, ffi::ANALOG_X));
            }
            Device::Pointing(PointerKind::LightGun | PointerKind::LightPen) => {
                let ask = |id| ask(ffi::DEVICE_LIGHTGUN, 0, id);
                port.turned = [ask(ffi::LIGHTGUN_X), ask(ffi::LIGHTGUN_Y)];
                port.is_away = ask(ffi::LIGHTGUN_OFF_SCREEN) != 0;
                port.is_pressed = ask(ffi::LIGHTGUN_TRIGGER) != 0;
            }
            Device::Pointing(_) => {
                let ask = |id| ask(ffi::DEVICE_MOUSE, 0, id);
                port.turned = [ask(ffi::MOUSE_X), ask(ffi::MOUSE_Y)];
                port.is_pressed = ask(ffi::MOUSE_LEFT) != 0;
            }
            Device::Stick | Device::Nothing => {}
        }
    }
    ports
}

#[unsafe(no_mangle)]
pub extern "C" fn retro_run() {
    guarded(|| {
        let mut changed = false;
        if command(env::GET_VARIABLE_UPDATE, &raw mut changed) && changed {
            let options = chosen();
            let other_size = with_core(|core| core.set_options(options).then(|| core.geometry()));
            if let Some(mut geometry) = other_size {
                command(env::SET_GEOMETRY, &raw mut geometry);
            }
        }
        let calls = *frontend();
        let ports = ports(&calls);
        let (video, audio, width) = with_core(|core| {
            core.frame(&ports);
            let width = core.geometry().base_width;
            (
                std::mem::take(&mut core.video),
                std::mem::take(&mut core.audio),
                width,
            )
        });
        if let Some(call) = calls.video
            && width > 0
        {
            let height = video.len() as c_uint / width;
            // SAFETY: the picture lives until the call has returned.
            unsafe { call(video.as_ptr().cast(), width, height, width as usize * 4) };
        }
        if let Some(call) = calls.audio {
            let mut rest = &audio[..];
            while !rest.is_empty() {
                // SAFETY: two numbers a sample.
                let taken = unsafe { call(rest.as_ptr(), rest.len() / 2) };
                if taken == 0 {
                    break;
                }
                rest = rest.get(2 * taken..).unwrap_or(&[]);
            }
        }
        with_core(|core| (core.video, core.audio) = (video, audio));
        tell_all();
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn retro_serialize_size() -> usize {
    with_core(|core| core.state_size())
}

/// Tells the user why something failed; false for the frontend.
fn succeeded(result: Result<(), String>) -> bool {
    match result {
        Ok(()) => true,
        Err(message) => {
            tell(&message);
            false
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn retro_serialize(data: *mut c_void, size: usize) -> bool {
    if data.is_null() {
        return false;
    }
    // SAFETY: the frontend's buffer of this size. A frontend need not have filled it, so it is filled before it is looked at.
    let into = unsafe {
        ptr::write_bytes(data.cast::<u8>(), 0, size);
        std::slice::from_raw_parts_mut(data.cast::<u8>(), size)
    };
    succeeded(with_core(|core| Some(core.save(into))).unwrap_or_else(no_content))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn retro_unserialize(data: *const c_void, size: usize) -> bool {
    if data.is_null() {
        return false;
    }
    // SAFETY: the frontend's buffer of this size.
    let from = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), size) };
    succeeded(with_core(|core| Some(core.load(from))).unwrap_or_else(no_content))
}

fn no_content() -> Result<(), String> {
    Err("no content is loaded".to_owned())
}

#[unsafe(no_mangle)]
pub extern "C" fn retro_cheat_reset() {}

#[unsafe(no_mangle)]
pub extern "C" fn retro_cheat_set(_: c_uint, _: bool, _: *const c_char) {}

/// The content's path.
///
/// # Safety
/// The frontend's structure, or null.
unsafe fn path_of(info: *const GameInfo) -> Option<PathBuf> {
    if info.is_null() {
        return None;
    }
    // SAFETY: as the caller says; the path ends with a zero.
    let path = unsafe { (*info).path };
    (!path.is_null()).then(|| PathBuf::from(unsafe { text_of(path) }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn retro_load_game(info: *const GameInfo) -> bool {
    // SAFETY: the frontend's structure, or null for none.
    let path = unsafe { path_of(info) };
    guarded(|| {
        let mut format = ffi::PIXEL_XRGB8888;
        if !command(env::SET_PIXEL_FORMAT, &raw mut format) {
            tell("this frontend does not take pictures in XRGB8888");
            return false;
        }
        let here = || {
            let beside = path.as_deref().and_then(Path::parent);
            beside.unwrap_or(Path::new(".")).to_owned()
        };
        let folders = Folders {
            saves: folder(env::GET_SAVE_DIRECTORY).unwrap_or_else(here),
            system: folder(env::GET_SYSTEM_DIRECTORY).unwrap_or_else(here),
        };
        match Core::new(path.as_deref(), chosen(), folders) {
            Ok(core) => *CORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(core),
            Err(message) => {
                tell(&message);
                return false;
            }
        }
        set_descriptions();
        let mut keyboard = ffi::KeyboardCallback {
            callback: Some(key_event),
        };
        command(env::SET_KEYBOARD_CALLBACK, &raw mut keyboard);
        set_disk_control();
        set_memory();
        tell_all();
        true
    })
}

unsafe extern "C" fn key_event(down: bool, keycode: c_uint, character: u32, modifiers: u16) {
    with_core(|core| core.key(down, keycode, character, modifiers));
}

/// Shows the RAM for cheats and achievements. It stays where it is for as long as the content is loaded.
fn set_memory() {
    let Some((at, length)) = with_core(|core| {
        let ram = core.ram();
        Some((ram.as_mut_ptr() as usize, ram.len()))
    }) else {
        return;
    };
    let descriptor = Box::leak(Box::new(ffi::MemoryDescriptor {
        flags: ffi::MEMDESC_SYSTEM_RAM,
        ptr: ptr::with_exposed_provenance_mut(at),
        offset: 0,
        start: 0,
        select: 0,
        disconnect: 0,
        len: length,
        addrspace: ptr::null(),
    }));
    let mut map = ffi::MemoryMap {
        descriptors: descriptor,
        num_descriptors: 1,
    };
    command(env::SET_MEMORY_MAPS, &raw mut map);
}

#[unsafe(no_mangle)]
pub extern "C" fn retro_load_game_special(_: c_uint, _: *const GameInfo, _: usize) -> bool {
    false
}

#[unsafe(no_mangle)]
pub extern "C" fn retro_unload_game() {
    with_core(Core::close);
    tell_all();
    *CORE.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

#[unsafe(no_mangle)]
pub extern "C" fn retro_get_region() -> c_uint {
    if with_core(|core| core.is_pal()) {
        ffi::REGION_PAL
    } else {
        ffi::REGION_NTSC
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn retro_get_memory_data(id: c_uint) -> *mut c_void {
    if id != ffi::MEMORY_SYSTEM_RAM {
        return ptr::null_mut();
    }
    let at = with_core(|core| core.ram().as_mut_ptr().expose_provenance());
    ptr::with_exposed_provenance_mut(at)
}

#[unsafe(no_mangle)]
pub extern "C" fn retro_get_memory_size(id: c_uint) -> usize {
    if id == ffi::MEMORY_SYSTEM_RAM {
        with_core(|core| core.ram().len())
    } else {
        0
    }
}

/// Disk control.
fn set_disk_control() {
    let mut control = ffi::DiskControl {
        set_eject_state: Some(set_eject_state),
        get_eject_state: Some(get_eject_state),
        get_image_index: Some(get_image_index),
        set_image_index: Some(set_image_index),
        get_num_images: Some(get_num_images),
        replace_image_index: Some(replace_image_index),
        add_image_index: Some(add_image_index),
        set_initial_image: None,
        get_image_path: Some(get_image_path),
        get_image_label: Some(get_image_label),
    };
    let mut version: c_uint = 0;
    let extended = command(env::GET_DISK_CONTROL_INTERFACE_VERSION, &raw mut version);
    if extended && version >= 1 {
        command(env::SET_DISK_CONTROL_EXT_INTERFACE, &raw mut control);
    } else {
        command(env::SET_DISK_CONTROL_INTERFACE, &raw mut control);
    }
}

unsafe extern "C" fn set_eject_state(ejected: bool) -> bool {
    with_core(|core| core.eject(ejected))
}

unsafe extern "C" fn get_eject_state() -> bool {
    with_core(|core| core.is_ejected())
}

unsafe extern "C" fn get_image_index() -> c_uint {
    with_core(|core| core.image() as c_uint)
}

unsafe extern "C" fn set_image_index(index: c_uint) -> bool {
    with_core(|core| core.choose(index as usize))
}

unsafe extern "C" fn get_num_images() -> c_uint {
    with_core(|core| core.images().len() as c_uint)
}

unsafe extern "C" fn replace_image_index(index: c_uint, info: *const GameInfo) -> bool {
    // SAFETY: the frontend's structure, or null for none.
    let path = unsafe { path_of(info) };
    with_core(|core| core.replace_image(index as usize, path.as_deref()))
}

unsafe extern "C" fn add_image_index() -> bool {
    with_core(|core| {
        core.add_image();
        true
    })
}

unsafe extern "C" fn get_image_path(index: c_uint, path: *mut c_char, length: usize) -> bool {
    let text = with_core(|core| {
        let image = core.images().get(index as usize)?;
        Some(image.path.to_string_lossy().into_owned())
    });
    // SAFETY: the frontend's buffer of this length.
    unsafe { put(text, path, length) }
}

unsafe extern "C" fn get_image_label(index: c_uint, label: *mut c_char, length: usize) -> bool {
    let text = with_core(|core| Some(core.images().get(index as usize)?.name.clone()));
    // SAFETY: the frontend's buffer of this length.
    unsafe { put(text, label, length) }
}

/// Puts a text with its zero into a buffer, as much of it as there is room for.
///
/// # Safety
/// The buffer has this length.
unsafe fn put(text: Option<String>, into: *mut c_char, length: usize) -> bool {
    let Some(text) = text.filter(|text| !text.is_empty()) else {
        return false;
    };
    if into.is_null() || length == 0 {
        return false;
    }
    let mut end = text.len().min(length - 1);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    // SAFETY: `end` bytes and a zero fit.
    unsafe {
        ptr::copy_nonoverlapping(text.as_ptr(), into.cast::<u8>(), end);
        into.add(end).write(0);
    }
    true
}
