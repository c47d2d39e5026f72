//! From the program that Cargo has built to the program and the script that a page loads.
use std::fs;
use std::path::Path;
use walrus::{FunctionBuilder, FunctionKind, Module, ValType};
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

/// Writes `web.js`, `web.d.ts` and `web_bg.wasm` into a folder.
pub fn generate(wasm: &Path, into: &Path, small: bool) -> Result<(), String> {
    fs::create_dir_all(into).map_err(|error| format!("{}: {error}", into.display()))?;
    let wrong = |error: &dyn std::fmt::Display| format!("{}: {error:#}", wasm.display());
    let mut module = Module::from_file(wasm).map_err(|error| wrong(&error))?;
    if small {
        let silenced = silence(&mut module);
        if silenced == 0 {
            eprintln!(
                "no function that reports panics was found: the program is larger than need be"
            );
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

/// Makes functions that report a panic trap at once. Gives how many.
fn silence(module: &mut Module) -> usize {
    let found: Vec<_> = module
        .funcs
        .iter()
        .filter(|function| {
            let name = function.name.as_deref().unwrap_or("");
            PANICS.iter().any(|part| name.contains(part))
        })
        .filter(|function| matches!(function.kind, FunctionKind::Local(_)))
        // Those that give nothing back, as what never returns does.
        .filter(|function| module.types.get(function.ty()).results().is_empty())
        .map(walrus::Function::id)
        .collect();
    for &id in &found {
        let ty = module.types.get(module.funcs.get(id).ty());
        let parameters: Vec<ValType> = ty.params().to_vec();
        let mut builder = FunctionBuilder::new(&mut module.types, &parameters, &[]);
        builder.func_body().unreachable();
        let arguments = parameters.iter().map(|&ty| module.locals.add(ty)).collect();
        module.funcs.get_mut(id).kind = FunctionKind::Local(builder.local_func(arguments));
    }
    found.len()
}
