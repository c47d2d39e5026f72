//! One sample of each reference picture: every link of its explanation is changed, and what is predicted happens. All groups:
//! `cargo run --release -p xtask -- why`.
use tests::pictures;
use tests::why::{Random, Tally, prove};

#[test]
fn links_of_explanations_do_what_they_say() {
    let Some(oracle) = tests::outside("ORACLE", "the folder with the reference pictures") else {
        return;
    };
    let folder = oracle.join("pictures");
    let only = std::env::var("PICTURE").ok();
    let number = |name: &str, normal| {
        std::env::var(name).map_or(normal, |text| text.parse().expect("a number"))
    };
    let mut random = Random(number("SEED", 20_261_122));
    let samples = number("SAMPLES", 1) as usize;
    let mut all = Tally::default();
    for picture in pictures::index(&folder) {
        if only.as_ref().is_some_and(|o| !picture.name.starts_with(o)) {
            continue;
        }
        all.add(
            prove(&folder, &picture, Some(samples), &mut random).expect("the picture can be read"),
        );
    }
    println!(
        "{} groups, links {:?}, not predicted {:?}, {} controls",
        all.groups, all.links, all.unpredicted, all.controls
    );
    for failure in &all.failures {
        println!("{failure}");
    }
    assert!(all.groups > 0);
    // Stores of the frame that an explanation does not name, changed by chance: they leave its pixel.
    assert!(only.is_some() || all.controls >= 1000, "{}", all.controls);
    assert!(all.failures.is_empty(), "{} failures", all.failures.len());
}
