//! From the program that Cargo has built to the program and the script that a page loads.
use std::fs;
use std::path::Path;
use walrus::ir::Value;
use walrus::{ConstExpr, Data, DataKind, Function, FunctionBuilder, FunctionKind, Module, ValType};
use wasm_bindgen_cli_support::Bindgen;

/// Parts of the names of functions that make the message of a panic and never return. A page shows no such message: the browser
/// reports the trap either way, so that the texts and the code that formats them are only bytes.
const PANICS: [&str; 9] = [
    "4core9panicking",
    "13unwrap_failed",
    "13expect_failed",
    "13assert_failed",
    "16slice_index_fail",
    "17len_mismatch_fail",
    "16slice_error_fail",
    "3std9panicking13panic_handler",
    "5alloc7raw_vec12handle_error",
];

/// Part of the names of the library's own `Debug` implementations, which only messages of panics call.
const DEBUG: &str = "5Debug3fmt";

/// Writes `web.js`, `web.d.ts` and `web_bg.wasm` into a folder.
pub fn generate(wasm: &Path, into: &Path, small: bool) -> Result<(), String> {
    fs::create_dir_all(into).map_err(|error| format!("{}: {error}", into.display()))?;
    let wrong = |error: &dyn std::fmt::Display| format!("{}: {error:#}", wasm.display());
    let mut module = Module::from_file(wasm).map_err(|error| wrong(&error))?;
    if small {
        let panics = |name: &str| PANICS.iter().any(|part| name.contains(part));
        for (what, found) in [
            ("function that reports panics", silence(&mut module, panics)),
            (
                "library's debugging text",
                silence(&mut module, |name| name.contains(DEBUG)),
            ),
            ("place of a panic", clear_locations(&mut module)),
        ] {
            if found == 0 {
                eprintln!("no {what} was found: the program is larger than need be");
            }
        }
    }
    let mut bindgen = Bindgen::new();
    bindgen
        .input_module("web", module)
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .web(true)
        .and_then(|bindgen| bindgen.generate(into))
        .map_err(|error| wrong(&error))
}

/// Makes functions by their names do nothing: those that give nothing back never return and trap at once, the others give 0, which is
/// success. Gives how many.
fn silence(module: &mut Module, wanted: impl Fn(&str) -> bool) -> usize {
    let is_local = |function: &&Function| matches!(function.kind, FunctionKind::Local(_));
    let found: Vec<_> = module
        .funcs
        .iter()
        .filter(|function| wanted(function.name.as_deref().unwrap_or("")))
        .filter(is_local)
        .filter(|function| {
            matches!(
                module.types.get(function.ty()).results(),
                [] | [ValType::I32]
            )
        })
        .map(Function::id)
        .collect();
    for &id in &found {
        let ty = module.types.get(module.funcs.get(id).ty());
        let (parameters, results) = (ty.params().to_vec(), ty.results().to_vec());
        let mut builder = FunctionBuilder::new(&mut module.types, &parameters, &results);
        if results.is_empty() {
            builder.func_body().unreachable();
        } else {
            builder.func_body().i32_const(0);
        }
        let arguments = parameters.iter().map(|&ty| module.locals.add(ty)).collect();
        module.funcs.get_mut(id).kind = FunctionKind::Local(builder.local_func(arguments));
    }
    found.len()
}

/// Clears the places in the source that panics name, and the names of their files. Gives how many places.
fn clear_locations(module: &mut Module) -> usize {
    /// Bytes of a `core::panic::Location`: where its file's name is, how long that is, line, column.
    const SIZE: usize = 16;
    let mut places = 0;
    let all: Vec<_> = module.data.iter().map(Data::id).collect();
    for id in all {
        let data = module.data.get_mut(id);
        let DataKind::Active {
            offset: ConstExpr::Value(Value::I32(begin)),
            ..
        } = data.kind
        else {
            continue;
        };
        let bytes = &mut data.value;
        let mut files = Vec::new();
        for at in (0..bytes.len().saturating_sub(SIZE - 1)).step_by(4) {
            let word = |n: usize| {
                let bytes = bytes[at + 4 * n..].first_chunk().copied();
                u32::from_le_bytes(bytes.unwrap_or_default()) as usize
            };
            let file = word(0).wrapping_sub(begin as usize);
            let file = file..file.saturating_add(word(1));
            let is_source = bytes.get(file.clone()).is_some_and(|name| {
                name.ends_with(b".rs") && name.iter().all(u8::is_ascii_graphic)
            });
            if is_source && (1..100_000).contains(&word(2)) && (1..1000).contains(&word(3)) {
                bytes[at..at + SIZE].fill(0);
                files.push(file);
                places += 1;
            }
        }
        for file in files {
            bytes[file].fill(0);
        }
    }
    places
}
