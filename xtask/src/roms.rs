//! Builds the ROM images from their ca65 sources: `cargo run -p xtask -- roms [--check]`.
//!
//! Every image is assembled from all `.s` files of one folder, linked by one ld65 configuration, and written to `roms/images` together
//! with its labels (`.sym`). The free bytes of each memory area are printed. Then the programs of devices, each of one source beside its
//! image. With `--check` nothing is written; differences are errors.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One image to build.
struct Image {
    /// File name in `roms/images`.
    file: &'static str,
    /// Folder below `roms` with the `.s` files.
    folder: &'static str,
    /// ld65 configuration in that folder.
    config: &'static str,
    /// Symbols given to the assembler.
    defines: &'static [&'static str],
    /// A source of the folder with the addresses of variables, which are labels, too.
    variables: Option<&'static str>,
    /// Exact size, or `None` where the linker decides.
    size: Option<usize>,
    /// A second file of the link, which runs at any page.
    relocatable: Option<Relocatable>,
}

/// A file that the linker writes beside the image, as `IMAGE.commands`. It is linked for two pages; the bytes that differ are the high
/// bytes of its own addresses, and a list of their distances follows its end.
struct Relocatable {
    /// File name in `roms/images`.
    file: &'static str,
    /// The symbol of the configuration that sets its address, and the address.
    page: (&'static str, u16),
    /// The memory that is kept for it.
    room: usize,
}

const IMAGES: &[Image] = &[
    Image {
        file: "os-xl.rom",
        folder: "os",
        config: "os-xl.cfg",
        defines: &["XL=1"],
        variables: Some("variables.inc"),
        size: Some(16384),
        relocatable: None,
    },
    Image {
        file: "os-800.rom",
        folder: "os",
        config: "os-800.cfg",
        defines: &["XL=0"],
        variables: Some("variables.inc"),
        size: Some(10240),
        relocatable: None,
    },
    Image {
        file: "basic.rom",
        folder: "basic",
        config: "basic.cfg",
        defines: &[],
        variables: Some("zeropage.inc"),
        size: Some(8192),
        relocatable: None,
    },
    Image {
        file: "blank.boot",
        folder: "blank",
        config: "blank.cfg",
        defines: &[],
        variables: None,
        size: Some(128),
        relocatable: None,
    },
    Image {
        file: "dos.sys",
        folder: "dos",
        config: "dos.cfg",
        defines: &[],
        variables: Some("equates.inc"),
        size: None,
        relocatable: Some(Relocatable {
            file: "command.sys",
            page: ("COMMANDPAGE", 0x3000),
            room: 10 * 256,
        }),
    },
];

/// Programs that a device of ours brings along: the source, and the extension of the image beside it.
const DEVICES: &[(&str, &str)] = &[
    ("media/boot/loader.s", "bin"),
    ("machine/parallel/handler.s", "rom"),
    ("machine/parallel/handler800.s", "rom"),
    ("machine/parallel/menu800.s", "rom"),
];

/// Programs that run at any page, each of one source: it, the image, and the page that the image is for.
const MOVABLE: &[(&str, &str, u8)] = &[("roms/sap/player.s", "roms/images/sap.bin", 0x40)];

/// Builds all images. `check` compares with the committed files instead of writing.
///
/// # Errors
/// One sentence when a tool is missing, a source does not assemble, an area overflows, or an image differs.
pub fn run(check: bool) -> Result<(), String> {
    let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let scratch = std::env::temp_dir().join(format!("roms-build-{}", std::process::id()));
    fs::create_dir_all(&scratch)
        .map_err(|e| format!("cannot create {}: {e}", scratch.display()))?;
    let built = build_all(&tree, &scratch);
    let _ = fs::remove_dir_all(&scratch);
    let mut stale = Vec::new();
    for (path, bytes) in built? {
        if fs::read(&path).ok().as_deref() == Some(&bytes[..]) {
            continue;
        }
        if check {
            let name = path.file_name().unwrap_or_default();
            stale.push(name.to_string_lossy().into_owned());
        } else {
            fs::write(&path, &bytes)
                .map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        }
    }
    if stale.is_empty() {
        Ok(())
    } else {
        Err(format!("not equal to their sources: {}", stale.join(", ")))
    }
}

/// All files with what they are to hold.
fn build_all(tree: &Path, scratch: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
    let mut files = Vec::new();
    for image in IMAGES {
        let built = build(&tree.join("roms"), scratch, image)?;
        let path = tree.join("roms/images").join(image.file);
        if let (Some(second), Some(bytes)) = (&image.relocatable, built.second) {
            files.push((path.with_file_name(second.file), bytes));
        }
        files.push((path.with_extension(symbols_of(image)), built.symbols));
        files.push((path, built.rom));
    }
    for (source, extension) in DEVICES {
        let source = tree.join(source);
        let image = build_program(&source, scratch, 0)?;
        files.push((source.with_extension(extension), image));
    }
    for &(source, image, page) in MOVABLE {
        let source = tree.join(source);
        let mut bytes = build_program(&source, scratch, page)?;
        let moved = build_program(&source, scratch, page + 1)?;
        let list = distances(&bytes, &moved, page)
            .ok_or_else(|| format!("{image} does not run at another page"))?;
        bytes.extend(list);
        files.push((tree.join(image), bytes));
    }
    Ok(files)
}

/// A program of one source that says itself where it lies; one that runs at any page is given `PAGE`.
fn build_program(source: &Path, scratch: &Path, page: u8) -> Result<Vec<u8>, String> {
    let (object, image) = (scratch.join("program.o"), scratch.join("program"));
    let page = format!("PAGE={page}");
    let mut ca65 = Command::new("ca65");
    tool(ca65.args(["-D", &page, "-o"]).arg(&object).arg(source))?;
    let mut ld65 = Command::new("ld65");
    tool(ld65.args(["-t", "none", "-o"]).arg(&image).arg(&object))?;
    read(&image)
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

/// The extension of an image's labels. The images of the DOS have the extension that their files have on a disk.
fn symbols_of(image: &Image) -> &'static str {
    if image.relocatable.is_some() {
        "labels"
    } else {
        "sym"
    }
}

/// Result of one link.
struct Built {
    rom: Vec<u8>,
    symbols: Vec<u8>,
    /// The relocatable file.
    second: Option<Vec<u8>>,
}

/// Assembles the sources of a folder; returns the object files.
fn objects(folder: &Path, scratch: &Path, image: &Image) -> Result<Vec<PathBuf>, String> {
    let mut sources: Vec<PathBuf> = fs::read_dir(folder)
        .map_err(|e| format!("cannot read {}: {e}", folder.display()))?
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "s"))
        .collect();
    sources.sort();
    let mut objects = Vec::new();
    for source in &sources {
        let stem = source.file_stem().unwrap_or_default().to_string_lossy();
        let object = scratch.join(format!("{}-{stem}.o", image.file));
        let mut ca65 = Command::new("ca65");
        ca65.arg("-g").arg("-I").arg(folder);
        for define in image.defines {
            ca65.arg("-D").arg(define);
        }
        tool(ca65.arg("-o").arg(&object).arg(source))?;
        objects.push(object);
    }
    Ok(objects)
}

fn build(root: &Path, scratch: &Path, image: &Image) -> Result<Built, String> {
    let folder = root.join(image.folder);
    let objects = objects(&folder, scratch, image)?;
    let rom = scratch.join(image.file);
    let labels = scratch.join(format!("{}.lbl", image.file));
    let map = scratch.join(format!("{}.map", image.file));
    let mut ld65 = Command::new("ld65");
    ld65.arg("-C")
        .arg(folder.join(image.config))
        .arg("-o")
        .arg(&rom)
        .arg("-Ln")
        .arg(&labels)
        .arg("-m")
        .arg(&map);
    tool(ld65.args(&objects))?;
    let mut bytes = read(&rom)?;
    let second = image
        .relocatable
        .as_ref()
        .map(|second| relocatable(second, &folder.join(image.config), &objects, &rom))
        .transpose()?;
    if image.defines.contains(&"XL=1") {
        checksums(&mut bytes);
    }
    if image.size.is_some_and(|size| size != bytes.len()) {
        return Err(format!(
            "{} has {} bytes instead of {}",
            image.file,
            bytes.len(),
            image.size.unwrap_or(0)
        ));
    }
    let config = String::from_utf8_lossy(&read(&folder.join(image.config))?).into_owned();
    let map = String::from_utf8_lossy(&read(&map)?).into_owned();
    println!("{}:\n{}", image.file, free_bytes(&config, &map));
    let mut labels = String::from_utf8_lossy(&read(&labels)?).into_owned();
    if let Some(file) = image.variables {
        let text = String::from_utf8_lossy(&read(&folder.join(file))?).into_owned();
        labels.push_str(&variables(&text, image.defines.contains(&"XL=1")));
    }
    Ok(Built {
        rom: bytes,
        symbols: symbols(&labels).into_bytes(),
        second,
    })
}

/// The file that the link of `rom` has written beside it, with the list of its high bytes.
fn relocatable(
    second: &Relocatable,
    config: &Path,
    objects: &[PathBuf],
    rom: &Path,
) -> Result<Vec<u8>, String> {
    let written = |rom: &Path| {
        let mut name = rom.as_os_str().to_owned();
        name.push(".commands");
        read(Path::new(&name))
    };
    let mut bytes = written(rom)?;
    let moved = rom.with_extension("moved");
    let (symbol, address) = second.page;
    let mut ld65 = Command::new("ld65");
    ld65.arg("-D").arg(format!("{symbol}={}", address + 0x100));
    tool(
        ld65.arg("-C")
            .arg(config)
            .arg("-o")
            .arg(&moved)
            .args(objects),
    )?;
    let list = distances(&bytes, &written(&moved)?, (address >> 8) as u8)
        .ok_or_else(|| format!("{} does not run at another page", second.file))?;
    bytes.extend(list);
    println!("{}: {} bytes of {}", second.file, bytes.len(), second.room);
    if bytes.len() > second.room {
        return Err(format!("{} does not fit into its memory", second.file));
    }
    Ok(bytes)
}

/// The distances between the bytes in which two links differ, by one page each: 255 only skips, 0 is the end. `None` when the files differ in
/// another way.
fn distances(one: &[u8], other: &[u8], page: u8) -> Option<Vec<u8>> {
    let mut list = Vec::new();
    let mut last = 0;
    for (at, (low, high)) in one.iter().zip(other).enumerate() {
        if low == high {
            continue;
        }
        if *high != low.wrapping_add(1) || *low < page || at == 0 {
            return None;
        }
        let mut distance = at - last;
        while distance >= 255 {
            list.push(255);
            distance -= 255;
        }
        if distance == 0 {
            return None;
        }
        list.push(distance as u8);
        last = at;
    }
    list.push(0);
    (one.len() == other.len()).then_some(list)
}

/// The lines `NAME = $ADDRESS` of a source as ld65 writes labels; of `.if XL`, one half.
fn variables(source: &str, xl: bool) -> String {
    let mut wanted = true;
    let mut labels = String::new();
    for line in source.lines() {
        match line.trim() {
            ".if XL" => wanted = xl,
            ".else" => wanted = !wanted,
            ".endif" => wanted = true,
            line => {
                let words: Vec<&str> = line.split_whitespace().collect();
                if let [name, "=", address, ..] = words[..]
                    && let Some(address) = address.strip_prefix('$')
                    && wanted
                {
                    let _ = writeln!(labels, "al {address} .{name}");
                }
            }
        }
    }
    labels
}

/// The checksums of the XL's two ROM halves: the sum of the bytes of $C000-$DFFF (with the self-test) in the word at $C000, of $E000-$FFFF
/// in the word at $FFF8. The words themselves do not count.
fn checksums(rom: &mut [u8]) {
    for (half, word) in [(0..0x2000, 0), (0x2000..0x4000, 0x3FF8)] {
        if rom.len() < half.end {
            return;
        }
        rom[word..word + 2].fill(0);
        let sum = rom[half]
            .iter()
            .fold(0u16, |sum, byte| sum.wrapping_add((*byte).into()));
        rom[word..word + 2].copy_from_slice(&sum.to_le_bytes());
    }
}

fn tool(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .map_err(|e| format!("cannot run {name} ({e}); it is part of the package cc65"))?;
    if output.status.success() {
        print!("{}", String::from_utf8_lossy(&output.stderr));
        return Ok(());
    }
    Err(format!(
        "{name} failed:\n{}",
        String::from_utf8_lossy(&output.stderr)
    ))
}

/// Turns ld65's label file into sorted lines `ADDR NAME`, without cheap local and generated labels.
fn symbols(labels: &str) -> String {
    let mut list: Vec<(u32, &str)> = labels
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace().skip(1);
            let address = u32::from_str_radix(words.next()?, 16).ok()?;
            let name = words.next()?.strip_prefix('.')?;
            (!name.starts_with(['@', '_']) && address < 0x10000).then_some((address, name))
        })
        .collect();
    list.sort_unstable();
    list.dedup();
    list.iter()
        .fold(String::new(), |mut text, (address, name)| {
            let _ = writeln!(text, "{address:04X} {name}");
            text
        })
}

/// A table of used and free bytes per memory area, from the configuration (areas) and the map (segments).
fn free_bytes(config: &str, map: &str) -> String {
    let number = |text: &str| -> Option<usize> {
        let text = text.trim();
        text.strip_prefix('$').map_or_else(
            || text.parse().ok(),
            |hex| usize::from_str_radix(hex, 16).ok(),
        )
    };
    let field = |line: &str, name: &str| -> Option<String> {
        let rest = line.split_once(&format!("{name} ="))?.1;
        Some(rest.split([',', ';']).next()?.trim().to_owned())
    };
    let used = |segment: &str| -> usize {
        let mut lines = map
            .lines()
            .skip_while(|line| !line.starts_with("Segment list"));
        lines
            .find(|line| line.split_whitespace().next() == Some(segment))
            .and_then(|line| usize::from_str_radix(line.split_whitespace().nth(3)?, 16).ok())
            .unwrap_or(0)
    };
    let name = |line: &str| line.split_once(':').map(|(name, _)| name.trim().to_owned());
    let mut text = String::new();
    for line in config.lines() {
        let (Some(area), Some(start), Some(size)) =
            (name(line), field(line, "start"), field(line, "size"))
        else {
            continue;
        };
        let (Some(start), Some(size)) = (number(&start), number(&size)) else {
            continue;
        };
        if size == 0 {
            continue;
        }
        let total: usize = config
            .lines()
            .filter(|line| field(line, "load").as_deref() == Some(area.as_str()))
            .filter_map(name)
            .map(|segment| used(&segment))
            .sum();
        let _ = writeln!(
            text,
            "  {area:<8} ${start:04X}-${:04X} {size:5} bytes, {total:5} used, {:5} free",
            start + size - 1,
            size.saturating_sub(total)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{distances, free_bytes, symbols};

    #[test]
    fn labels_become_sorted_lines_without_local_names() {
        let labels = "al 00E456 .CIOV\nal 00C00C .@loop\nal 000010 .POKMSK\nal 00E456 .CIOV\n";
        assert_eq!(symbols(labels), "0010 POKMSK\nE456 CIOV\n");
    }

    #[test]
    fn high_bytes_are_those_that_move_with_the_page() {
        let one = [0x4C, 0x03, 0x30, 0xA9, 0x30, 0x60];
        let other = [0x4C, 0x03, 0x31, 0xA9, 0x30, 0x60];
        assert_eq!(distances(&one, &other, 0x30), Some(vec![2, 0]));
        let mut far = [0; 600];
        far[599] = 0x30;
        let mut moved = far;
        moved[599] = 0x31;
        assert_eq!(distances(&far, &moved, 0x30), Some(vec![255, 255, 89, 0]));
        moved[599] = 0x35;
        assert_eq!(distances(&far, &moved, 0x30), None);
    }

    #[test]
    fn variables_of_the_other_machine_are_left_out() {
        let source = "; ---- page 0\nCASINI  = $02\n.if XL\nABUFPT  = $1C ; XL\n.else\nPTIMOT  = $1C\n.endif\nEOF = 136\n";
        let both = |xl| super::symbols(&super::variables(source, xl));
        assert_eq!(both(true), "0002 CASINI\n001C ABUFPT\n");
        assert_eq!(both(false), "0002 CASINI\n001C PTIMOT\n");
    }

    #[test]
    fn free_bytes_add_up_the_segments_of_an_area() {
        let config = "  LOW: start = $C000, size = $0100, fill = yes;\n  A: load = LOW, type = ro;\n  B: load = LOW, type = ro;\n";
        let map = "Segment list:\n-----\nA  00C000  00C00F  000010  00001\nB  00C010  00C010  000001  00001\n";
        assert!(
            free_bytes(config, map).contains("$C000-$C0FF   256 bytes,    17 used,   239 free")
        );
    }
}
