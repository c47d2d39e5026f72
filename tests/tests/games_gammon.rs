//! Computer Gammon played from power-on to its end by players who see only the picture, every move compared with the rules, and its
//! pictures.
use machine::{Model, Tv};
use session::keys::code as keys;
use tests::players::gammon::{self, Player};
use tests::players::{
    asks_for_the_menu, escapes_to_the_menu, goes_on_after_escape, goes_on_from_a_state, second,
    trigger,
};
use tests::rules::gammon::Side;
use tests::{Atari, config, golden};

use Player::{Careful, Computer, Greedy, Random};

const fn name(player: Player, side: Side) -> &'static str {
    match (player, side) {
        (Computer, _) => "ATARI",
        (_, Side::Blue) => "ANNA",
        (_, Side::Green) => "BEN",
    }
}

fn gammon(atari: &mut Atari, players: [Player; 2], ports: [usize; 2], seed: u64, quick: bool) {
    let names = [name(players[0], Side::Blue), name(players[1], Side::Green)];
    gammon::start(atari, names[0], names[1], quick);
    let ending = gammon::play(atari, players, ports, seed, 60 * 60 * 60)
        .unwrap_or_else(|fault| panic!("seed {seed}: {fault}"));
    println!(
        "{players:?} seed {seed}: {:?} won after {} turns and {} frames; {} wrong entries; longest turn {:?}",
        ending.winner,
        ending.turns,
        ending.frames,
        ending.refused,
        ending.moves.iter().max()
    );
    if players.contains(&Computer) && players != [Computer; 2] {
        assert!(ending.refused > 0, "no wrong entry was tried");
    }
}

fn fresh(model: Model, tv: Tv, seed: u64) -> Atari {
    Atari::with_game("gammon", model, tv, seed)
}

#[test]
fn gammon_plays_against_itself_on_an_800xl() {
    let mut atari = fresh(Model::Xl800, Tv::Ntsc, 1);
    gammon(&mut atari, [Computer; 2], [0, 1], 1, false);
}

#[test]
fn gammon_is_played_with_a_joystick_on_an_800xl() {
    let mut atari = fresh(Model::Xl800, Tv::Ntsc, 2);
    gammon(&mut atari, [Greedy, Computer], [0, 1], 2, false);
}

#[test]
fn gammon_is_played_with_a_joystick_in_pal_on_a_130xe() {
    let mut atari = fresh(Model::Xe130, Tv::Pal, 3);
    gammon(&mut atari, [Computer, Random], [0, 1], 3, true);
}

#[test]
fn gammon_is_played_with_a_joystick_on_an_800() {
    let mut atari = fresh(Model::Atari800, Tv::Ntsc, 4);
    gammon(&mut atari, [Random, Computer], [0, 1], 4, true);
}

#[test]
fn two_people_with_two_joysticks_play_gammon() {
    let mut atari = fresh(Model::Atari800, Tv::Pal, 5);
    gammon(&mut atari, [Careful, Careful], [0, 1], 5, true);
}

/// On an 800 that is told to have 24K: the memory above stays as it was, and BASIC does not run out of what is below.
#[test]
fn gammon_is_played_to_its_end_in_24k() {
    const TOP: u16 = 0x6000;
    let mut atari = told_to_have(TOP, 10);
    let above =
        |atari: &Atari| -> Vec<u8> { (TOP..0xC000).map(|at| atari.machine.peek(at)).collect() };
    let before = above(&atari);
    atari.type_text("RUN\n");
    gammon(&mut atari, [Random, Computer], [0, 1], 10, false);
    assert!(
        above(&atari) == before,
        "the game writes above ${:04X}",
        TOP - 1
    );
    atari.expect_text("ANOTHER GAME? (Y/N)", 1200);
    key(&mut atari, tests_key('N'));
    assert!(asks_for_the_menu(&mut atari, 600), "{}", atari.text());
    assert_eq!(atari.machine.peek(0x6A), (TOP >> 8) as u8, "RAMTOP");
    // What is free with the whole memory for the screen; the game takes 16 pages of that.
    atari.type_text("? FRE(0)\n");
    assert!(atari.wait_for_key(60));
    let text = atari.text();
    let free = text
        .split_once("FRE(0)")
        .and_then(|(_, rest)| rest.split_whitespace().next()?.parse::<u32>().ok());
    assert!(free.is_some_and(|free| free > 16 * 256 + 200), "{text}");
}

#[test]
fn gammon_says_so_where_memory_is_too_small() {
    let mut atari = told_to_have(0x5C00, 1);
    atari.type_text("RUN\n");
    atari.expect_text("THIS GAME NEEDS 24K", 300);
}

/// An 800 with the game in its memory, whose RAMTOP and RAMSIZ say that memory ends at `top`.
fn told_to_have(top: u16, seed: u64) -> Atari {
    let mut config = config(Model::Atari800, Tv::Ntsc, true);
    config.seed = seed;
    let listing = tests::game_listing("gammon", 24).unwrap();
    let mut atari = Atari::with_basic(&config, listing.as_bytes());
    let page = top >> 8;
    atari.type_text(&format!("POKE 106,{page}:POKE 740,{page}:GRAPHICS 0\n"));
    assert!(atari.wait_for_key(60));
    atari
}

/// The constant near line 400 makes both sides use the first stick.
#[test]
fn two_people_with_one_joystick_play_gammon() {
    let listing = tests::game_listing("gammon", 24).unwrap();
    assert!(listing.contains("400 PLR=1:"));
    let listing = listing.replace("400 PLR=1:", "400 PLR=0:");
    let mut config = config(Model::Xl800, Tv::Ntsc, true);
    config.seed = 6;
    let mut atari = Atari::with_basic(&config, listing.as_bytes());
    atari.type_text("RUN\n");
    gammon(&mut atari, [Careful, Careful], [0, 0], 6, true);
}

fn key(atari: &mut Atari, code: u8) {
    atari.machine.input.key = Some(code);
    atari.run(4);
    atari.machine.input.key = None;
    atari.run(6);
}

/// The rules come, and then again what stood there before.
fn reads_the_rules(atari: &mut Atari, before: &str) {
    key(atari, tests_key('R'));
    atari.expect_text("green tiles down from 24", 300);
    atari.run(30);
    key(atari, keys::SPACE);
    atari.expect_text(before, 600);
}

#[test]
fn every_way_out_of_gammon_leads_where_it_should() {
    // ESC on the title page.
    let mut atari = fresh(Model::Xl800, Tv::Ntsc, 1);
    atari.expect_text("RETURN, START OR TRIGGER", 3000);
    atari.run(30);
    reads_the_rules(&mut atari, "RETURN, START OR TRIGGER");
    atari.run(30);
    let mut escaped = atari.clone();
    key(&mut escaped, keys::ESC);
    assert!(asks_for_the_menu(&mut escaped, 600), "{}", escaped.text());

    // In a game: only the trigger gets there, and the names are those that stand on the page.
    for _ in 0..3 {
        trigger(&mut atari, 0, 10, 40);
    }
    atari.expect_text("PRESS THE TRIGGER", 600);
    for (start, select, option) in [
        (true, false, false),
        (false, true, false),
        (false, false, true),
    ] {
        let mut left = atari.clone();
        left.machine.input.start = start;
        left.machine.input.select = select;
        left.machine.input.option = option;
        left.run(30);
        left.machine.input.start = false;
        left.machine.input.select = false;
        left.machine.input.option = false;
        left.expect_text("END THIS GAME?", 60);
        let mut stays = left.clone();
        key(&mut stays, tests_key('N'));
        stays.expect_text("PRESS THE TRIGGER", 60);
        key(&mut left, tests_key('Y'));
        if start {
            left.expect_text("RETURN, START OR TRIGGER", 600);
        } else {
            assert!(asks_for_the_menu(&mut left, 600), "{}", left.text());
        }
    }
    // The rules, and ESC with both answers.
    reads_the_rules(&mut atari, "PRESS THE TRIGGER");
    goes_on_after_escape(&mut atari, "PRESS THE TRIGGER");
    escapes_to_the_menu(&mut atari, "RETURN, START OR TRIGGER");
}

fn tests_key(c: char) -> u8 {
    session::keys::key_alone(c).unwrap()
}

#[test]
fn after_a_game_of_gammon_comes_another_or_the_menu() {
    let mut atari = fresh(Model::Xl800, Tv::Ntsc, 7);
    gammon(&mut atari, [Computer; 2], [0, 1], 7, true);
    atari.expect_text("ANOTHER GAME? (Y/N)", 1200);
    atari.run(10);
    let mut again = atari.clone();
    key(&mut again, tests_key('Y'));
    again.expect_text("TURN 2", 1200);
    // The demonstration continues by itself.
    let mut waits = atari.clone();
    waits.expect_text("TURN 2", 2400);
    key(&mut atari, tests_key('N'));
    assert!(asks_for_the_menu(&mut atari, 600), "{}", atari.text());
}

/// Keys and the trigger hurry the computer's turn and the next throw; what hurried them enters no peg.
#[test]
fn what_hurries_the_computer_in_gammon_picks_nothing() {
    let mut atari = fresh(Model::Xl800, Tv::Ntsc, 1);
    gammon::start(&mut atari, "ATARI", "ANNA", false);
    atari.expect_text("PRESS THE TRIGGER", 3000);
    atari.run(20);
    key(&mut atari, keys::RETURN);
    atari.expect_text("ATARI THINKS", 3000);
    for by_key in [true, false] {
        let mut atari = atari.clone();
        if by_key {
            // The last press comes together with the question.
            for _ in 0..60 {
                if !atari.text().contains("FROM WHERE") {
                    key(&mut atari, keys::RETURN);
                }
            }
        } else {
            atari.machine.input.joystick(0).trigger = true;
            atari.run(900);
            atari.machine.input.joystick(0).trigger = false;
        }
        atari.expect_text("FROM WHERE", 1500);
        atari.run(90);
        atari.expect_text("FROM WHERE", 1);
        // H or T gives a hint once the cursor is on the board.
        key(&mut atari, keys::LEFT);
        atari.run(60);
        key(&mut atari, tests_key(if by_key { 'T' } else { 'H' }));
        atari.expect_text("TRY ", 300);
    }
}

#[test]
fn in_quick_play_the_program_of_gammon_takes_less_than_four_seconds_a_turn() {
    let mut atari = fresh(Model::Xl800, Tv::Pal, 8);
    gammon::start(&mut atari, "ATARI", "ATARI", true);
    let ending = gammon::play(&mut atari, [Computer; 2], [0, 1], 8, 60 * 60 * 60).unwrap();
    let longest = ending.moves.iter().max().unwrap();
    assert!(
        *longest < 4 * second(Tv::Pal),
        "{longest} frames for a turn"
    );
}

#[test]
fn a_state_saved_in_the_middle_of_gammon_goes_on() {
    let mut atari = fresh(Model::Xl800, Tv::Ntsc, 9);
    gammon::start(&mut atari, "ATARI", "ATARI", false);
    atari.expect_text("THINKS", 3000);
    goes_on_from_a_state(atari);
}

#[test]
fn the_title_page_of_gammon_looks_right() {
    let mut atari = fresh(Model::Xl800, Tv::Ntsc, 1);
    atari.expect_text("RETURN, START OR TRIGGER", 3000);
    while atari.machine.peek(0x022F) == 0 {
        atari.run(1);
    }
    // The ground pulses with the clock; a whole pulse later the picture is there for certain.
    atari.run(32);
    while atari.machine.peek(0x14) & 0x1F != 8 {
        atari.run(1);
    }
    golden::check("gammon-title", atari.machine.frame(), 0..240);
}

#[test]
fn the_board_of_gammon_looks_right() {
    let mut atari = fresh(Model::Xl800, Tv::Ntsc, 1);
    gammon::start(&mut atari, "ANNA", "ATARI", false);
    atari.expect_text("PRESS THE TRIGGER", 3000);
    atari.run(20);
    golden::check("gammon-board", atari.machine.frame(), 0..240);
}

#[test]
fn gammon_looks_right_in_play_and_at_its_end() {
    let mut atari = fresh(Model::Xl800, Tv::Ntsc, 5);
    gammon::start(&mut atari, "ATARI", "ATARI", false);
    atari.expect_text("TURN 12", 12_000);
    atari.expect_text("THINKS", 3000);
    atari.run(2);
    golden::check("gammon-play", atari.machine.frame(), 0..240);
    atari.expect_text("ANOTHER GAME", 40_000);
    atari.run(10);
    golden::check("gammon-end", atari.machine.frame(), 0..240);
}
