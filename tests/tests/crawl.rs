//! The crawler's short way through every game and the menu; `cargo xtask crawl` goes all of it.
use machine::{Model, Tv};
use tests::crawl::{crawl, subjects};

/// Frames for each game: with all of them some 90 seconds on one core.
const FRAMES: u32 = 9000;

fn crawls(name: &str, model: Model, tv: Tv) {
    let subject = subjects().into_iter().find(|s| s.name == name).unwrap();
    let report = crawl(subject, model, tv, FRAMES, 1);
    println!(
        "{name} {model:?} {tv:?}: {} kinds of screen, {} looks, {} detours, {} frames",
        report.screens.len(),
        report.looks,
        report.detours,
        report.frames
    );
    assert!(report.looks > 20 && !report.screens.is_empty());
    assert!(report.faults.is_empty(), "{}", report.faults.join("\n"));
}

macro_rules! crawls {
    ($($test:ident $name:literal $model:ident $tv:ident;)*) => {
        $(#[test]
        fn $test() {
            crawls($name, Model::$model, Tv::$tv);
        })*
    };
}

crawls! {
    crazy_eights_shows_no_wrong_picture "crazy-eights" Xl800 Ntsc;
    crazy_eights_shows_no_wrong_picture_on_an_800_in_pal "crazy-eights" Atari800 Pal;
    crazy_eights_shows_no_wrong_picture_with_16k "crazy-eights" Atari400 Ntsc;
    crazy_eights_shows_no_wrong_picture_with_24k "crazy-eights-24k" Atari800 Ntsc;
    gammon_shows_no_wrong_picture "gammon" Xl800 Ntsc;
    gammon_shows_no_wrong_picture_with_24k "gammon-24k" Atari800 Ntsc;
    gammon_shows_no_wrong_picture_on_an_800_in_pal "gammon" Atari800 Pal;
    go_fish_shows_no_wrong_picture_with_32k "go-fish-32k" Atari800 Ntsc;
    tic_tac_toe_shows_no_wrong_picture "tic-tac-toe" Xl800 Pal;
    checkers_shows_no_wrong_picture "checkers" Xl800 Ntsc;
    checkers_shows_no_wrong_picture_with_40k "checkers-40k" Atari800 Pal;
    focal_checkers_shows_no_wrong_picture_with_24k "focal-24k" Atari800 Pal;
    hexapawn_shows_no_wrong_picture_with_40k "hexapawn-40k" Atari800 Ntsc;
    the_menu_shows_no_wrong_picture "menu" Xl800 Ntsc;
}
