//! From the program that Cargo has built to the program and the script that a page loads.
use std::fs;
use std::path::Path;
use wasm_bindgen_cli_support::Bindgen;

/// Writes `web.js`, `web.d.ts` and `web_bg.wasm` into a folder.
pub fn generate(wasm: &Path, into: &Path) -> Result<(), String> {
    fs::create_dir_all(into).map_err(|error| format!("{}: {error}", into.display()))?;
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(wasm)
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .web(true)
        .and_then(|bindgen| bindgen.generate(into))
        .map_err(|error| format!("{}: {error:#}", wasm.display()))
}
