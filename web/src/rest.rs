//! The page's import that loads functions which are not in its first load (`web/build/src/split.rs`).
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = anticlockRest)]
    fn bring_rest();
}

/// Loads the rest at once. Keeps the import in the program, whose stubs call it.
#[wasm_bindgen]
pub fn complete() {
    bring_rest();
}
