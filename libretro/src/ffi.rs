//! Declarations of libretro's interface, version 1, as its published header `libretro.h` has them: types, numbers and functions that the core
//! uses, no more.
use std::ffi::{c_char, c_int, c_uint, c_void};

pub const API_VERSION: c_uint = 1;

pub const DEVICE_NONE: c_uint = 0;
pub const DEVICE_JOYPAD: c_uint = 1;
pub const DEVICE_MOUSE: c_uint = 2;
pub const DEVICE_LIGHTGUN: c_uint = 4;
pub const DEVICE_ANALOG: c_uint = 5;
/// The mouse of an ST, that of an Amiga, and a trak-ball: subclasses of the mouse.
pub const DEVICE_ST_MOUSE: c_uint = (1 << 8) | DEVICE_MOUSE;
pub const DEVICE_AMIGA_MOUSE: c_uint = (2 << 8) | DEVICE_MOUSE;
pub const DEVICE_TRAK_BALL: c_uint = (3 << 8) | DEVICE_MOUSE;
/// A light pen: a subclass of the light gun.
pub const DEVICE_LIGHT_PEN: c_uint = (1 << 8) | DEVICE_LIGHTGUN;
/// Two paddles: a subclass of the analogue device.
pub const DEVICE_PADDLES: c_uint = (1 << 8) | DEVICE_ANALOG;

/// Buttons of the pad.
pub mod pad {
    pub const B: u32 = 0;
    pub const Y: u32 = 1;
    pub const SELECT: u32 = 2;
    pub const START: u32 = 3;
    pub const UP: u32 = 4;
    pub const DOWN: u32 = 5;
    pub const LEFT: u32 = 6;
    pub const RIGHT: u32 = 7;
    pub const A: u32 = 8;
    pub const X: u32 = 9;
    pub const L: u32 = 10;
    pub const R: u32 = 11;
    pub const L2: u32 = 12;
    pub const R2: u32 = 13;
    pub const L3: u32 = 14;
    pub const R3: u32 = 15;
    /// Number of buttons.
    pub const COUNT: u32 = 16;
}

pub const ANALOG_LEFT: c_uint = 0;
pub const ANALOG_RIGHT: c_uint = 1;
pub const ANALOG_X: c_uint = 0;

/// What has moved since it was asked for last, in steps of the host.
pub const MOUSE_X: c_uint = 0;
pub const MOUSE_Y: c_uint = 1;
pub const MOUSE_LEFT: c_uint = 2;

pub const LIGHTGUN_TRIGGER: c_uint = 2;
/// From -0x7FFF to 0x7FFF over the picture.
pub const LIGHTGUN_X: c_uint = 13;
pub const LIGHTGUN_Y: c_uint = 14;
pub const LIGHTGUN_OFF_SCREEN: c_uint = 15;

pub const REGION_NTSC: c_uint = 0;
pub const REGION_PAL: c_uint = 1;

pub const MEMORY_SYSTEM_RAM: c_uint = 2;
pub const MEMDESC_SYSTEM_RAM: u64 = 1 << 2;

/// XRGB8888, native byte order.
pub const PIXEL_XRGB8888: c_uint = 1;

/// Commands of the environment callback.
pub mod env {
    use std::ffi::c_uint;

    const EXPERIMENTAL: c_uint = 0x10000;
    pub const SET_MESSAGE: c_uint = 6;
    pub const GET_SYSTEM_DIRECTORY: c_uint = 9;
    pub const SET_PIXEL_FORMAT: c_uint = 10;
    pub const SET_INPUT_DESCRIPTORS: c_uint = 11;
    pub const SET_KEYBOARD_CALLBACK: c_uint = 12;
    pub const SET_DISK_CONTROL_INTERFACE: c_uint = 13;
    pub const GET_VARIABLE: c_uint = 15;
    pub const SET_VARIABLES: c_uint = 16;
    pub const GET_VARIABLE_UPDATE: c_uint = 17;
    pub const SET_SUPPORT_NO_GAME: c_uint = 18;
    pub const GET_LOG_INTERFACE: c_uint = 27;
    pub const GET_SAVE_DIRECTORY: c_uint = 31;
    pub const SET_CONTROLLER_INFO: c_uint = 35;
    pub const SET_MEMORY_MAPS: c_uint = EXPERIMENTAL + 36;
    pub const SET_GEOMETRY: c_uint = 37;
    pub const GET_CORE_OPTIONS_VERSION: c_uint = 52;
    pub const GET_DISK_CONTROL_INTERFACE_VERSION: c_uint = 57;
    pub const SET_DISK_CONTROL_EXT_INTERFACE: c_uint = 58;
    pub const SET_CORE_OPTIONS_V2: c_uint = 67;
}

/// Bits of `retro_keyboard_callback`'s modifiers.
pub const MOD_SHIFT: u16 = 1;
pub const MOD_CTRL: u16 = 2;

pub type Environment = unsafe extern "C" fn(cmd: c_uint, data: *mut c_void) -> bool;
pub type VideoRefresh =
    unsafe extern "C" fn(data: *const c_void, width: c_uint, height: c_uint, pitch: usize);
pub type AudioSample = unsafe extern "C" fn(left: i16, right: i16);
pub type AudioSampleBatch = unsafe extern "C" fn(data: *const i16, frames: usize) -> usize;
pub type InputPoll = unsafe extern "C" fn();
pub type InputState =
    unsafe extern "C" fn(port: c_uint, device: c_uint, index: c_uint, id: c_uint) -> i16;
pub type KeyboardEvent =
    unsafe extern "C" fn(down: bool, keycode: c_uint, character: u32, modifiers: u16);
pub type LogPrintf = unsafe extern "C" fn(level: c_int, format: *const c_char, ...);

#[repr(C)]
pub struct SystemInfo {
    pub library_name: *const c_char,
    pub library_version: *const c_char,
    pub valid_extensions: *const c_char,
    pub need_fullpath: bool,
    pub block_extract: bool,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GameGeometry {
    pub base_width: c_uint,
    pub base_height: c_uint,
    pub max_width: c_uint,
    pub max_height: c_uint,
    pub aspect_ratio: f32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SystemTiming {
    pub fps: f64,
    pub sample_rate: f64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SystemAvInfo {
    pub geometry: GameGeometry,
    pub timing: SystemTiming,
}

#[repr(C)]
pub struct GameInfo {
    pub path: *const c_char,
    pub data: *const c_void,
    pub size: usize,
    pub meta: *const c_char,
}

#[repr(C)]
pub struct Variable {
    pub key: *const c_char,
    pub value: *const c_char,
}

#[repr(C)]
pub struct Message {
    pub msg: *const c_char,
    pub frames: c_uint,
}

#[repr(C)]
pub struct LogCallback {
    pub log: Option<LogPrintf>,
}

#[repr(C)]
pub struct KeyboardCallback {
    pub callback: Option<KeyboardEvent>,
}

#[repr(C)]
pub struct InputDescriptor {
    pub port: c_uint,
    pub device: c_uint,
    pub index: c_uint,
    pub id: c_uint,
    pub description: *const c_char,
}

#[repr(C)]
pub struct ControllerDescription {
    pub desc: *const c_char,
    pub id: c_uint,
}

#[repr(C)]
pub struct ControllerInfo {
    pub types: *const ControllerDescription,
    pub num_types: c_uint,
}

#[repr(C)]
pub struct MemoryDescriptor {
    pub flags: u64,
    pub ptr: *mut c_void,
    pub offset: usize,
    pub start: usize,
    pub select: usize,
    pub disconnect: usize,
    pub len: usize,
    pub addrspace: *const c_char,
}

#[repr(C)]
pub struct MemoryMap {
    pub descriptors: *const MemoryDescriptor,
    pub num_descriptors: c_uint,
}

/// Most values of an option.
pub const OPTION_VALUES: usize = 128;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct OptionValue {
    pub value: *const c_char,
    pub label: *const c_char,
}

#[repr(C)]
pub struct OptionDefinition {
    pub key: *const c_char,
    pub desc: *const c_char,
    pub desc_categorized: *const c_char,
    pub info: *const c_char,
    pub info_categorized: *const c_char,
    pub category_key: *const c_char,
    pub values: [OptionValue; OPTION_VALUES],
    pub default_value: *const c_char,
}

#[repr(C)]
pub struct OptionCategory {
    pub key: *const c_char,
    pub desc: *const c_char,
    pub info: *const c_char,
}

#[repr(C)]
pub struct OptionsV2 {
    pub categories: *const OptionCategory,
    pub definitions: *const OptionDefinition,
}

/// `retro_disk_control_callback`, and after it what `retro_disk_control_ext_callback` adds.
#[repr(C)]
pub struct DiskControl {
    pub set_eject_state: Option<unsafe extern "C" fn(ejected: bool) -> bool>,
    pub get_eject_state: Option<unsafe extern "C" fn() -> bool>,
    pub get_image_index: Option<unsafe extern "C" fn() -> c_uint>,
    pub set_image_index: Option<unsafe extern "C" fn(index: c_uint) -> bool>,
    pub get_num_images: Option<unsafe extern "C" fn() -> c_uint>,
    pub replace_image_index:
        Option<unsafe extern "C" fn(index: c_uint, info: *const GameInfo) -> bool>,
    pub add_image_index: Option<unsafe extern "C" fn() -> bool>,
    pub set_initial_image: Option<unsafe extern "C" fn(index: c_uint, path: *const c_char) -> bool>,
    pub get_image_path:
        Option<unsafe extern "C" fn(index: c_uint, path: *mut c_char, len: usize) -> bool>,
    pub get_image_label:
        Option<unsafe extern "C" fn(index: c_uint, label: *mut c_char, len: usize) -> bool>,
}
