//! Runs the Acid800 disk on one machine.
use machine::{Model, Named, Tv};
use tests::acid800;

const USAGE: &str = "usage: xtask acid800 [--os FILE] [--model NAME] [--pal] [--seed N]   (ACID800_ATR names the disk)";

pub fn run(words: &[&str]) -> Result<(), String> {
    let mut config = tests::config(Model::Xl800, Tv::Ntsc, true);
    let mut os = None;
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        match word {
            "--os" => {
                let path = words.next().ok_or(USAGE)?;
                os = Some(std::fs::read(path).map_err(|e| format!("{path}: {e}"))?);
            }
            "--model" => {
                let model = words.next().and_then(|name| Model::find(name));
                config.model = model.ok_or(USAGE)?;
            }
            "--pal" => config.tv = Tv::Pal,
            "--seed" => config.seed = words.next().and_then(|s| s.parse().ok()).ok_or(USAGE)?,
            _ => return Err(USAGE.into()),
        }
    }
    config.os = os.map_or_else(
        || tests::config(config.model, config.tv, true).os,
        machine::Rom::from,
    );
    if !config.model.is_xl() {
        config.basic = None;
    }
    let path = std::env::var("ACID800_ATR").map_err(|_| "ACID800_ATR is not set")?;
    let bytes = std::fs::read(&path).map_err(|e| format!("{path}: {e}"))?;
    let disk = media::atr::Disk::parse(&bytes).map_err(|e| e.to_string())?;
    let outcomes = acid800::run(&config, &disk, acid800::TESTS)?;
    for o in &outcomes {
        println!(
            "{:<10} {:<40} {}",
            format!("{:?}", o.verdict),
            o.title,
            o.detail
        );
    }
    let count = |v| outcomes.iter().filter(|o| o.verdict == v).count();
    println!(
        "{} pass, {} fail, {} skipped",
        count(acid800::Verdict::Pass),
        count(acid800::Verdict::Fail),
        count(acid800::Verdict::Skip)
    );
    Ok(())
}
