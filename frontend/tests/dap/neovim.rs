//! The lines of the documents for Neovim, with nvim-dap: `NVIM_DAP` names a folder that has it, as Debian does not.

use super::{DBG, SOURCE, XEX, folder};
use std::path::Path;
use std::process::Command;

const PAGE: &str = include_str!("../../../docs/debugging.md");
const DRIVER: &str = include_str!("neovim.lua");

#[test]
fn the_lines_for_neovim_debug_a_program() {
    let Some(plugin) = std::env::var_os("NVIM_DAP") else {
        eprintln!("skipped: NVIM_DAP does not name a folder with nvim-dap");
        return;
    };
    let (_, lines) = PAGE.split_once("```lua\n").unwrap();
    let (lines, _) = lines.split_once("```").unwrap();
    let script = format!(
        "vim.opt.runtimepath:append('{}')\n{lines}\n{DRIVER}",
        plugin.to_str().unwrap()
    );
    let folder = folder(
        "neovim",
        &[
            ("main.xex", &XEX),
            ("main.dbg", DBG.as_bytes()),
            ("hello.s", SOURCE.as_bytes()),
            ("test.lua", script.as_bytes()),
        ],
    );
    let program = Path::new(env!("CARGO_BIN_EXE_anticlock")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-c", "luafile test.lua"])
        .env("PATH", format!("{}:{path}", program.display()))
        .current_dir(&folder)
        .output();
    let Ok(output) = output else {
        eprintln!("skipped: this test needs nvim");
        return;
    };
    let told = String::from_utf8_lossy(&output.stdout);
    let stands: Vec<&str> = told.lines().filter(|line| line.contains(": ")).collect();
    assert_eq!(
        stands,
        [
            "run: paint 14",
            "step over: paint+3 15",
            "step back: paint 14",
            "continue: paint 14",
            "reverse continue: paint 14",
            "paint = $200B: 142 ($8E)",
        ],
        "{told}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
