//! 10,000 random steps of the debugger over whole programs. A million: `cargo run --release -p xtask -- soak`.
use tests::steps::{Place, walk};

const EACH: u64 = 2500;

fn number(name: &str, normal: u64) -> u64 {
    std::env::var(name).map_or(normal, |text| text.parse().expect("a number"))
}

fn check(place: &Place) {
    let mut report = walk(place, number("STEPS", EACH), number("SEED", 20_261_122))
        .unwrap_or_else(|error| panic!("{error}"));
    let late = report.percentile(95);
    println!(
        "{}: {:?} forward, back, branches; {} compared with the moments of their kind; back 95 % {late:?}",
        place.name, report.counts, report.placed
    );
    assert!(report.counts[0] > EACH / 4 && report.counts[1] > EACH / 4 && report.counts[2] > 0);
}

#[test]
fn random_steps_in_gammon() {
    check(&Place::game("gammon", 900));
}

#[test]
fn random_steps_in_crazy_eights() {
    check(&Place::game("crazy-eights", 900));
}

#[test]
fn random_steps_while_a_disk_is_read() {
    check(&Place::reads());
}

#[test]
fn random_steps_while_a_disk_is_written() {
    check(&Place::writes());
}

#[test]
fn random_steps_in_the_acid_test() {
    let Some(path) = tests::outside("ACID800_ATR", "the disk of the acid test") else {
        return;
    };
    let bytes = std::fs::read(path).expect("the disk can be read");
    check(&Place::acid(
        media::atr::Disk::parse(&bytes).expect("a disk"),
    ));
}
