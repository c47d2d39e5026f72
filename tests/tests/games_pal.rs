//! The games' pictures on a PAL machine: each asks the television and takes the hues that look like those of an NTSC machine.
use machine::{Model, Tv};
use tests::players::{crazy_eights, gammon};
use tests::{Atari, golden};

/// RTCLOK's last byte; what swells and fades goes by it.
const CLOCK: u16 = 0x14;

fn at_the_title(game: &str) -> Atari {
    let mut atari = Atari::with_game(game, Model::Xl800, Tv::Pal, 1);
    atari.expect_text("RETURN, START OR TRIGGER", 3000);
    atari.run(30);
    while atari.machine.peek(CLOCK) & 0x1F != 8 {
        atari.run(1);
    }
    atari
}

#[test]
fn the_titles_look_right_in_pal() {
    // Rows with what moves, or changes its colour by chance, are left out.
    for (game, rows) in [
        ("crazy-eights", [40, 240, 240, 240]),
        ("gammon", [0, 240, 240, 240]),
        ("go-fish", [0, 64, 100, 240]),
        ("tic-tac-toe", [0, 60, 160, 240]),
        ("checkers", [0, 240, 240, 240]),
        ("focal", [0, 240, 240, 240]),
        ("hexapawn", [0, 240, 240, 240]),
    ] {
        let atari = at_the_title(game);
        let [first, second, third, last] = rows;
        let name = format!("{game}-title-pal");
        golden::check(&name, atari.machine.frame(), first..second);
        golden::check(&name, atari.machine.frame(), third..last);
    }
}

#[test]
fn the_tables_look_right_in_pal() {
    let mut atari = at_the_title("crazy-eights");
    crazy_eights::start(&mut atari);
    atari.expect_text("> P  PUT DOWN", 3000);
    atari.run(30);
    golden::check("crazy-eights-play-pal", atari.machine.frame(), 0..240);
    let mut atari = at_the_title("gammon");
    gammon::start(&mut atari, "ANNA", "ATARI", false);
    atari.expect_text("PRESS THE TRIGGER", 3000);
    atari.run(20);
    golden::check("gammon-board-pal", atari.machine.frame(), 0..240);
    let mut atari = at_the_title("checkers");
    atari.type_text("3\n");
    atari.expect_text("MOVE:", 600);
    while atari.machine.peek(CLOCK) & 0x1F != 15 {
        atari.run(1);
    }
    golden::check("checkers-board-pal", atari.machine.frame(), 0..240);
    // By a key on the title page, and the prompt that comes.
    for (game, prompt) in [
        ("go-fish", "WHAT DO YOU ASK FOR?"),
        ("tic-tac-toe", "ROW 1-3"),
        ("focal", "YOUR MOVE"),
        ("hexapawn", "YOUR MOVE"),
    ] {
        let mut atari = at_the_title(game);
        atari.type_text("\n");
        atari.expect_text(prompt, 3000);
        atari.run(30);
        while atari.machine.peek(CLOCK) & 0x1F != 8 {
            atari.run(1);
        }
        golden::check(&format!("{game}-play-pal"), atari.machine.frame(), 0..240);
    }
}
