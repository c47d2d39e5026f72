//! The requests of the machine to the page.
use crate::folder::Change;
use wasm_bindgen::prelude::wasm_bindgen;

/// Something that the page is to do, and to answer with [`crate::Emulator::answer`] when it is done.
#[wasm_bindgen]
#[derive(Clone, Debug)]
pub struct HostRequest {
    pub(crate) id: u32,
    pub(crate) copy: u32,
    pub(crate) drive: usize,
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    pub(crate) tape: bool,
    pub(crate) text: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) changes: Vec<Change>,
}

#[wasm_bindgen]
impl HostRequest {
    /// Its number, for the answer.
    #[wasm_bindgen(getter)]
    pub fn id(&self) -> u32 {
        self.id
    }

    /// The number of the written disk in this session: a disk that is written again keeps its number.
    #[wasm_bindgen(getter)]
    pub fn copy(&self) -> u32 {
        self.copy
    }

    /// The drive (1 is D1:) of a written disk; 0 when it is in none: a tape, or a disk that was taken out.
    #[wasm_bindgen(getter)]
    pub fn drive(&self) -> usize {
        self.drive
    }

    /// `keep`: a written disk; `folder`: changes of H:; `print`: printed text.
    #[wasm_bindgen(getter)]
    pub fn kind(&self) -> String {
        self.kind.to_owned()
    }

    /// True for a written tape.
    #[wasm_bindgen(getter)]
    pub fn tape(&self) -> bool {
        self.tape
    }

    /// The text on the printer's paper.
    #[wasm_bindgen(getter)]
    pub fn text(&self) -> String {
        self.text.clone()
    }

    /// The name of a written disk.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// The bytes of a written disk, or what the printer was sent, in ATASCII.
    #[wasm_bindgen(getter)]
    pub fn bytes(&self) -> Vec<u8> {
        self.bytes.clone()
    }

    /// Number of changes of H:.
    #[wasm_bindgen(getter)]
    pub fn changes(&self) -> usize {
        self.changes.len()
    }

    /// The name of the file that a change concerns.
    pub fn changed_name(&self, index: usize) -> String {
        let change = self.changes.get(index);
        change.map(|c| c.name.clone()).unwrap_or_default()
    }

    /// The new contents of a changed file; nothing when it is removed.
    pub fn changed_bytes(&self, index: usize) -> Option<Vec<u8>> {
        self.changes.get(index)?.data.clone()
    }

    /// True if a changed file is locked from now on.
    pub fn changed_locked(&self, index: usize) -> bool {
        self.changes.get(index).is_some_and(|c| c.locked)
    }
}
