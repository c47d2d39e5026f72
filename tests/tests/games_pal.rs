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

/// With 16K as well: the green of the felt, the brown of the wood, red types, blue backs.
#[test]
fn a_400_shows_crazy_eights_in_the_hues_of_its_television() {
    let colours = |tv: Tv| {
        let mut atari = Atari::with_game("crazy-eights", Model::Atari400, tv, 1);
        atari.expect_text("RETURN, START OR TRIGGER", 3000);
        atari.run(30);
        let mut seen = [false; 256];
        for row in 60..230 {
            for &colour in atari.machine.frame().row(row) {
                seen[usize::from(colour)] = true;
            }
        }
        (0..=255u8)
            .filter(|&colour| seen[usize::from(colour)])
            .collect::<Vec<_>>()
    };
    assert_eq!(
        colours(Tv::Ntsc),
        [0x00, 0x0E, 0x22, 0x2C, 0x44, 0x84, 0xC2, 0xC4, 0xC6]
    );
    assert_eq!(
        colours(Tv::Pal),
        [0x00, 0x0E, 0x34, 0x74, 0xA2, 0xA4, 0xA6, 0xE2, 0xEC]
    );
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
