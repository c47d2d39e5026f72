//! The page: builds it, serves it, measures and tests it.
#[cfg(feature = "web")]
mod bindings;
#[cfg(feature = "web")]
mod build;
#[cfg(feature = "web")]
mod native;
#[cfg(feature = "web")]
mod serve;

const USAGE: &str = "usage: xtask web [--serve [PORT]] | --test [quick] | --report";

/// Builds the page into `web/dist`, and what the options say.
#[cfg(feature = "web")]
pub fn run(options: &[&str]) -> Result<(), String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .ok_or("xtask has no parent folder")?;
    match options {
        [] => build::site(root).map(|site| println!("the page is in {}", site.display())),
        ["--serve"] => serve::forever(&build::site(root)?, 8080),
        ["--serve", port] => {
            let number = port.parse();
            let number = number.map_err(|_| format!("{port} is no number of a port"))?;
            serve::forever(&build::site(root)?, number)
        }
        ["--test"] => build::node(root, &build::site(root)?, &["test.mjs"]),
        ["--test", "quick"] => build::node(root, &build::site(root)?, &["test.mjs", "quick"]),
        ["--report"] => build::node(root, &build::site(root)?, &["report.mjs"]),
        _ => Err(USAGE.to_owned()),
    }
}

/// The generator of the glue is a heavy package that nothing else needs: this program builds itself anew with it.
#[cfg(not(feature = "web"))]
pub fn run(options: &[&str]) -> Result<(), String> {
    if options.contains(&"--help") {
        return Err(USAGE.to_owned());
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = std::process::Command::new(cargo)
        .args(["run", "--quiet", "--locked", "--package", "xtask"])
        .args(["--features", "web", "--", "web"])
        .args(options)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .status()
        .map_err(|error| format!("cargo cannot be run: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err("the page was not made; see above".to_owned())
    }
}
