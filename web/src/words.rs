//! Words that cross the boundary: in TypeScript each type is the union of its words, so that its compiler knows them.
//!
//! A word that is none of a type's comes as a variant of wasm-bindgen's own, which the last arm of a `match` takes.
#![expect(
    missing_docs,
    reason = "wasm-bindgen adds a variant and functions without documentation"
)]
use wasm_bindgen::prelude::wasm_bindgen;

/// Role of arrows and Space, or a choice of it.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// As the program wants: only as a choice.
    Auto = "auto",
    /// They type.
    Typing = "type",
    /// They are joystick 1.
    Stick = "stick",
    /// They are joystick 1, and Space types as well: never a choice.
    StickAndSpace = "stick-and-space",
    /// They are joystick 1, and W A S D joystick 2.
    Sticks = "sticks",
}

/// Role of the mouse.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseRole {
    /// It is no controller.
    Off = "off",
    /// Paddles 0 and 1.
    Paddles = "paddles",
    /// A light pen.
    LightPen = "light-pen",
    /// A light gun.
    LightGun = "light-gun",
    /// The mouse of an Atari ST.
    StMouse = "st-mouse",
    /// The mouse of an Amiga.
    AmigaMouse = "amiga-mouse",
    /// A trak-ball.
    TrakBall = "trak-ball",
}

/// The density of a new disk.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Density {
    /// 90K.
    Single = "single",
    /// 130K.
    Enhanced = "enhanced",
    /// 180K.
    Double = "double",
}

/// Kind of a file.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A disk.
    Disk = "disk",
    /// A tape.
    Tape = "tape",
    /// Anything else.
    Program = "program",
}

/// Kind of a program as a link names it.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramKind {
    /// A built-in program, by its name.
    Game = "game",
    /// A BASIC listing.
    Listing = "listing",
    /// A file.
    File = "file",
}

/// The subject of a row in the list of interrupts.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InterruptKind {
    /// A display list interrupt.
    Dli = "dli",
    /// The vertical blank interrupt.
    Vbi = "vbi",
    /// A store of the interrupt above it.
    Store = "store",
    /// A fault.
    Finding = "finding",
}

/// The kind of a request.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestKind {
    /// A written disk or tape.
    Keep = "keep",
    /// Changes of H:.
    Folder = "folder",
    /// Printed text.
    Print = "print",
}
