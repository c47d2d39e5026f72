//! The fonts of the window: packed, because the program inflates them faster than a disk reads the difference.
mod symbols;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::{Error, Write};
use std::path::PathBuf;

fn main() -> Result<(), Error> {
    println!("cargo::rerun-if-changed=build");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or(Error::other("OUT_DIR is not set"))?);
    let symbols = symbols::font();
    for (name, font) in [
        ("proportional", epaint_default_fonts::UBUNTU_LIGHT),
        ("monospace", epaint_default_fonts::HACK_REGULAR),
        ("symbols", &symbols),
    ] {
        let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
        packed.write_all(font)?;
        std::fs::write(out.join(name), packed.finish()?)?;
    }
    Ok(())
}
