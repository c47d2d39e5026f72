//! Crazy Eights played from power-on to its end by a player who sees only the screen, every turn compared with the rules; its listing,
//! its size, its pictures.
use machine::{Model, Tv};
use session::keys::{code as keys, key_alone as key_for};
use tests::arena::Winner;
use tests::players::crazy_eights::{self, By, Player, press};
use tests::players::{
    asks_for_the_menu, escapes_to_the_menu, goes_on_after_escape, goes_on_from_a_state,
    press_start, push, second,
};
use tests::{Atari, golden};

fn crazy_eights(model: Model, tv: Tv, seed: u64, by: By) {
    let mut atari = Atari::with_game("crazy-eights", model, tv, seed);
    // The cards depend on how long the player looks at the title page.
    atari.run(300 + 37 * seed as u32);
    crazy_eights::start(&mut atari);
    let ending = crazy_eights::play(&mut atari, by, Player::Sensible, seed, 60 * 60 * 30)
        .unwrap_or_else(|fault| panic!("{model:?} {tv:?} seed {seed}: {fault}"));
    println!(
        "{model:?} {tv:?} seed {seed}: {:?}, {} turns, {} frames, {} refused, longest {:?}",
        ending.winner,
        ending.turns,
        ending.frames,
        ending.refused,
        ending.moves.iter().max()
    );
    assert!(ending.turns > 0);
    assert!(
        ending.moves.iter().all(|&frames| frames < 7 * second(tv)),
        "the computer's turns took {:?} frames with their messages",
        ending.moves
    );
}

#[test]
fn crazy_eights_is_played_to_its_end_on_an_800xl() {
    for seed in 1..4 {
        crazy_eights(Model::Xl800, Tv::Ntsc, seed, By::Keyboard);
    }
}

#[test]
fn crazy_eights_is_played_to_its_end_with_a_joystick() {
    crazy_eights(Model::Xl800, Tv::Ntsc, 11, By::Joystick);
    crazy_eights(Model::Atari800, Tv::Pal, 12, By::Joystick);
}

#[test]
fn crazy_eights_is_played_to_its_end_in_pal() {
    crazy_eights(Model::Xl800, Tv::Pal, 4, By::Keyboard);
}

#[test]
fn crazy_eights_is_played_to_its_end_on_a_130xe() {
    crazy_eights(Model::Xe130, Tv::Ntsc, 5, By::Keyboard);
}

#[test]
fn crazy_eights_is_played_to_its_end_on_an_800() {
    crazy_eights(Model::Atari800, Tv::Ntsc, 6, By::Keyboard);
}

/// "Any Atari of any memory size": the 400 has 16K.
#[test]
fn crazy_eights_is_played_to_its_end_on_a_400_with_16k() {
    crazy_eights(Model::Atari400, Tv::Ntsc, 7, By::Keyboard);
    crazy_eights(Model::Atari400, Tv::Pal, 8, By::Joystick);
}

fn letter(c: char) -> u8 {
    key_for(c).unwrap()
}

/// The page of rules comes, and then again what stood there before.
fn reads_the_rules(atari: &mut Atari, before: &str) {
    press(atari, letter('R'));
    atari.expect_text("An eight goes on any card", 300);
    atari.run(30);
    press(atari, keys::SPACE);
    atari.expect_text(before, 300);
    atari.run(30);
}

#[test]
fn every_way_out_of_crazy_eights_leads_where_it_should() {
    let mut atari = Atari::with_game("crazy-eights", Model::Xl800, Tv::Ntsc, 1);
    atari.expect_text("RETURN, START OR TRIGGER", 1500);
    atari.run(30);
    let mut left = atari.clone();
    press(&mut left, keys::ESC);
    assert!(asks_for_the_menu(&mut left, 600), "{}", left.text());
    reads_the_rules(&mut atari, "RETURN, START OR TRIGGER");
    // START and the trigger begin a game at once.
    let mut by_start = atari.clone();
    by_start.machine.input.start = true;
    by_start.expect_text("SHUFFLING", 90);
    atari.machine.input.joystick(0).trigger = true;
    atari.expect_text("SHUFFLING", 90);
    atari.machine.input.joystick(0).trigger = false;
    atari.expect_text("S  PASS", 3000);
    atari.run(30);
    reads_the_rules(&mut atari, "S  PASS");
    goes_on_after_escape(&mut atari, "S  PASS");
    escapes_to_the_menu(&mut atari, "RETURN, START OR TRIGGER");
}

#[test]
fn after_a_game_of_crazy_eights_comes_another_or_the_menu() {
    let mut atari = Atari::with_game("crazy-eights", Model::Xl800, Tv::Ntsc, 9);
    crazy_eights::start(&mut atari);
    crazy_eights::play(&mut atari, By::Keyboard, Player::Random, 9, 60 * 60 * 30).unwrap();
    atari.run(20);
    let mut again = atari.clone();
    press(&mut again, letter('Y'));
    again.expect_text("S  PASS", 3000);
    press(&mut atari, letter('N'));
    assert!(asks_for_the_menu(&mut atari, 600), "{}", atari.text());
}

#[test]
fn a_state_saved_in_the_middle_of_crazy_eights_goes_on() {
    let mut atari = Atari::with_game("crazy-eights", Model::Xl800, Tv::Ntsc, 8);
    crazy_eights::start(&mut atari);
    atari.run(100);
    goes_on_from_a_state(atari);
}

#[test]
fn the_title_page_of_crazy_eights_looks_right() {
    let mut atari = Atari::with_game("crazy-eights", Model::Xl800, Tv::Ntsc, 1);
    atari.expect_text("RETURN, START OR TRIGGER", 1500);
    atari.run(10);
    // The title itself changes its colour with the tune.
    golden::check("crazy-eights-title", atari.machine.frame(), 40..240);
}

#[test]
fn crazy_eights_looks_right_in_play_and_at_its_end() {
    let mut atari = Atari::with_game("crazy-eights", Model::Xl800, Tv::Ntsc, 1);
    crazy_eights::start(&mut atari);
    atari.expect_text("> P  PUT DOWN", 3000);
    atari.run(30);
    golden::check("crazy-eights-play", atari.machine.frame(), 0..240);
    crazy_eights::play(&mut atari, By::Keyboard, Player::Sensible, 1, 60 * 60 * 30).unwrap();
    atari.run(60);
    golden::check("crazy-eights-end", atari.machine.frame(), 0..240);
}

/// The lines of the listing from `first` to `last`, in one text.
fn lines(first: u32, last: u32) -> String {
    let listing = tests::game_listing("crazy-eights", 16).unwrap();
    let mut text = String::new();
    for line in listing.lines() {
        let (number, statements) = line.split_once(' ').unwrap();
        if (first..=last).contains(&number.parse().unwrap()) {
            text.push_str(statements);
            text.push('\n');
        }
    }
    text
}

/// The article takes the listing apart by line numbers: each part stands where it says, and the names mean what it says.
#[test]
fn the_listing_of_crazy_eights_is_laid_out_as_the_article_says() {
    // Part, its lines, what must stand there.
    let parts: &[(&str, u32, u32, &[&str])] = &[
        (
            "arrays",
            60,
            60,
            &[
                "DIM CARD(52),CARD1(52),HAND1(18),TYPE1(18),HAND2(18),TYPE2(18),CHOICE$(",
                "CHAR$(",
            ],
        ),
        (
            "display list interrupt",
            70,
            80,
            &["POKE 560,", "A=USR(1536)", "CHBASE=PEEK(106)", "DL="],
        ),
        (
            "player/missile graphics",
            90,
            110,
            &["POKE 54279,PMBASE", "POKE 53277,"],
        ),
        ("character set", 120, 180, &["CHBASE*256", "CHAR$("]),
        (
            "title page",
            190,
            200,
            &["crazy eights", "RETURN, START OR TRIGGER"],
        ),
        (
            "deck and start",
            210,
            320,
            &[
                "SHUFFLING",
                "CARD(A)=",
                "CARD1(A)=",
                "DECK=52",
                "RND(",
                "YOU BEGIN",
            ],
        ),
        (
            "main menu",
            330,
            366,
            &["YOUR TURN", "DRAW A CARD", "PUT DOWN A CARD", "PASS"],
        ),
        (
            "player draws",
            370,
            410,
            &[
                "DECK=N0",
                "COUNT1=N18",
                "HAND1(COUNT1)=PILE:TYPE1(COUNT1)=PILE1",
                "YOU DRAW",
            ],
        ),
        (
            "player puts a card down",
            420,
            710,
            &[
                "WHICH CARD",
                "WHICH TYPE",
                "IT DOES NOT MATCH",
                "NAME THE TYPE",
                "PILE1=VALUE1",
            ],
        ),
        (
            "player passes",
            720,
            725,
            &["YOU CAN STILL DRAW", "YOU PASS"],
        ),
        (
            "computer's turn",
            730,
            830,
            &[
                "THE COMPUTER'S TURN",
                "HAND2(L)=TOP OR TYPE2(L)=TOP1 OR HAND2(L)=N8",
                "RND(N0)<0.5",
                "PILE1=INT(RND(N0)*N4)+N1",
                "HAND2(A)=PILE:TYPE2(A)=PILE1",
                "IT DRAWS",
            ],
        ),
        (
            "draw and place cards",
            850,
            1410,
            &[
                "DECK=DECK-N1",
                "USR(ADR(CHAR$),X,N12,HAND1(A),TYPE1(A))",
                "TOP=PILE:TOP1=PILE1",
            ],
        ),
        ("clear the bottom", 1420, 1420, &["POSITION", "RETURN"]),
        ("pauses", 1430, 1455, &["PEEK(N20)<D"]),
        ("wait for RETURN", 1460, 1461, &["A<>155"]),
        (
            "check input",
            1470,
            1515,
            &["CHOICE$=\"\"", "L=LEN(CHOICE$)", "VALUE=A", "VALUE1=A"],
        ),
        (
            "end of game",
            1530,
            1590,
            &[
                "YOU WIN!",
                "THE COMPUTER WINS",
                "A TIE",
                "ANOTHER GAME",
                "POKE 1538,N0:POKE 1536,77:POKE 1537,69:END",
            ],
        ),
    ];
    for (part, first, last, contents) in parts {
        let text = lines(*first, *last);
        for wanted in *contents {
            assert!(
                text.contains(wanted),
                "{part} (lines {first} to {last}) lacks {wanted}:\n{text}"
            );
        }
    }
    let program = media::basic::Program::tokenize(
        tests::game_listing("crazy-eights", 16).unwrap().as_bytes(),
    )
    .unwrap();
    let names: Vec<String> = program
        .variable_names()
        .iter()
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect();
    for name in [
        "CARD(", "CARD1(", "HAND1(", "TYPE1(", "HAND2(", "TYPE2(", "CHOICE$", "CHAR$", "DL",
        "PMBASE", "CHBASE", "COUNT1", "COUNT2", "DECK", "TOP", "TOP1", "PILE", "PILE1", "X", "Y",
        "L", "L1", "D", "A", "COUNT", "VALUE", "VALUE1", "NMB", "NMB1",
    ] {
        assert!(
            names.iter().any(|n| n == name),
            "no variable {name}: {names:?}"
        );
    }
}

/// The cards, and the numbers above them, once the menu is there.
fn cards(atari: &mut Atari) -> Vec<Vec<u8>> {
    atari.expect_text("> P  PUT DOWN", 3000);
    atari.run(30);
    atari.machine.displayed_text().rows[..19].to_vec()
}

/// Picks from the menu, and waits until it goes: a message stands in it until then.
fn option(atari: &mut Atari, letter: &str) {
    atari.type_text(letter);
    for _ in 0..300 {
        if !atari.text().contains("YOUR TURN") {
            return;
        }
        atari.run(1);
    }
    panic!("the menu stays after {letter}:\n{}", atari.text());
}

/// Plays the card that the hint names, after as many draws as it takes.
fn plays_by_hints(atari: &mut Atari) {
    loop {
        cards(atari);
        option(atari, "H");
        atari.run(20);
        let text = atari.text();
        let Some((_, card)) = text.split_once("TRY THE ") else {
            assert!(text.contains("DRAW A CARD"), "{text}");
            cards(atari);
            option(atari, "D");
            atari.expect_text("YOU DRAW THE", 300);
            cards(atari);
            continue;
        };
        let (rank, rest) = card.split_at(2);
        let suit = rest.split_once(" OF ").unwrap().1[..1].to_owned();
        let rank = rank.to_owned();
        cards(atari);
        option(atari, "P");
        atari.expect_text("WHICH CARD", 300);
        atari.type_text(&format!("{rank}\n"));
        for _ in 0..1500 {
            if atari.text().contains("THE COMPUTER'S TURN") {
                return;
            }
            let asks = ["WHICH TYPE", "NAME THE TYPE"];
            if asks.iter().any(|words| atari.text().contains(words)) {
                atari.run(12);
                atari.type_text(&suit);
                atari.run(30);
            }
            atari.run(1);
        }
        panic!("the card is not played:\n{}", atari.text());
    }
}

#[test]
fn a_step_back_in_crazy_eights_undoes_a_draw_or_a_card_and_its_answer() {
    let mut atari = Atari::with_game("crazy-eights", Model::Xl800, Tv::Ntsc, 3);
    crazy_eights::start(&mut atari);
    let before = cards(&mut atari);
    option(&mut atari, "U");
    atari.expect_text("NOTHING TO TAKE BACK", 300);
    assert_eq!(cards(&mut atari), before);
    option(&mut atari, "D");
    atari.expect_text("YOU DRAW THE", 300);
    assert_ne!(cards(&mut atari), before);
    option(&mut atari, "U");
    atari.expect_text("TAKEN BACK", 600);
    assert_eq!(cards(&mut atari), before);
    for _ in 0..3 {
        // Draws that it takes are no part of the step.
        plays_by_hints(&mut atari);
        let after = cards(&mut atari);
        option(&mut atari, "U");
        atari.expect_text("TAKEN BACK", 600);
        let before = cards(&mut atari);
        assert_ne!(before, after);
        plays_by_hints(&mut atari);
        cards(&mut atari);
        option(&mut atari, "U");
        atari.expect_text("TAKEN BACK", 600);
        assert_eq!(cards(&mut atari), before);
        plays_by_hints(&mut atari);
    }
}

/// From 32K on a message stays below the question until the next input.
#[test]
fn messages_of_crazy_eights_stay_until_the_next_input() {
    let mut atari = Atari::with_game("crazy-eights", Model::Xl800, Tv::Ntsc, 3);
    crazy_eights::start(&mut atari);
    cards(&mut atari);
    option(&mut atari, "S");
    atari.expect_text("YOU CAN STILL DRAW A CARD", 300);
    cards(&mut atari);
    atari.run(600);
    atari.expect_text("YOU CAN STILL DRAW A CARD", 1);
    push(&mut atari, 0, [true, false, false, false], 4, 16);
    assert!(!atari.text().contains("YOU CAN STILL"), "{}", atari.text());
}

/// Screen code of the dot (CTRL-T).
const DOT: u8 = 84;

/// From 32K on the two letters below each card that may be put down are lit, and with more than twelve cards a dot stands there, also
/// after the pointer has passed it. The pointer begins at the first card that fits, and RETURN puts that one down.
#[test]
fn the_cards_of_crazy_eights_that_fit_are_lit() {
    let mut atari = Atari::with_game("crazy-eights", Model::Xl800, Tv::Ntsc, 3);
    crazy_eights::start(&mut atari);
    let signs = |atari: &Atari| {
        let row = &atari.machine.displayed_text().rows[19];
        let count = |lit: &dyn Fn(u8) -> bool| row.iter().filter(|&&code| lit(code)).count();
        (count(&|code| code > 127), count(&|code| code == DOT))
    };
    for held in 5..15 {
        cards(&mut atari);
        let fits = crazy_eights::fits(&atari);
        option(&mut atari, "P");
        atari.expect_text("WHICH CARD?", 300);
        atari.run(60);
        let expected = if held > 12 { (0, fits) } else { (2 * fits, 0) };
        assert_eq!(signs(&atari), expected, "{}", atari.text());
        let pointer = |atari: &Atari| atari.text().lines().any(|line| line.trim() == "^");
        assert_eq!(pointer(&atari), fits > 0, "{}", atari.text());
        if fits > 0 {
            let mut plays = atari.clone();
            press(&mut plays, keys::RETURN);
            plays.expect_text(&format!("YOU {}", held - 1), 300);
        }
        for _ in 0..3 {
            push(&mut atari, 0, [false, false, false, true], 4, 16);
        }
        push(&mut atari, 0, [false, false, true, false], 4, 16);
        assert_eq!(signs(&atari), expected, "{}", atari.text());
        press(&mut atari, keys::ESC);
        cards(&mut atari);
        option(&mut atari, "D");
        cards(&mut atari);
    }
}

/// The shades of the table, top to bottom: the display list interrupts take them from here.
fn felt(atari: &Atari) -> Vec<u8> {
    (0x0607..0x0619).map(|at| atari.machine.peek(at)).collect()
}

/// After a loss, which darkens the table, the next round has the light of the first; START asks in it before it ends, and U does not
/// reach back into the round before.
#[test]
fn a_round_of_crazy_eights_after_a_loss_begins_as_the_first_one() {
    let mut atari = Atari::with_game("crazy-eights", Model::Xl800, Tv::Ntsc, 9);
    crazy_eights::start(&mut atari);
    cards(&mut atari);
    let light = felt(&atari);
    let lost = (0..8).any(|seed| {
        let ending =
            crazy_eights::play(&mut atari, By::Keyboard, Player::Random, seed, 60 * 60 * 30);
        atari.expect_text("ANOTHER GAME?", 600);
        atari.run(20);
        let dark = felt(&atari) != light;
        press(&mut atari, letter('Y'));
        atari.expect_text("SHUFFLING", 300);
        let winner = ending.unwrap().winner;
        assert_eq!(dark, winner != Winner::Player);
        winner == Winner::Computer
    });
    assert!(lost, "the computer never wins");
    cards(&mut atari);
    assert_eq!(felt(&atari), light);
    let mut ends = atari.clone();
    press_start(&mut ends, 4);
    ends.expect_text("END THIS GAME?", 60);
    option(&mut atari, "U");
    atari.expect_text("NOTHING TO TAKE BACK", 300);
}

/// RETURN, the space bar and the trigger hurry the computer, and what they hurried does not pick from the menu that follows.
#[test]
fn what_hurries_the_computer_in_crazy_eights_picks_nothing() {
    let mut atari = Atari::with_game("crazy-eights", Model::Xl800, Tv::Ntsc, 3);
    crazy_eights::start(&mut atari);
    plays_by_hints(&mut atari);
    for by_key in [true, false] {
        let mut atari = atari.clone();
        if by_key {
            for key in [keys::RETURN, keys::RETURN, keys::SPACE, keys::RETURN] {
                press(&mut atari, key);
            }
        } else {
            atari.machine.input.joystick(0).trigger = true;
            atari.run(400);
            atari.machine.input.joystick(0).trigger = false;
        }
        cards(&mut atari);
        atari.run(90);
        atari.expect_text("YOUR TURN", 1);
    }
}

/// A wrong rank shows the two letters of each, for four seconds or until a key; a wrong type is answered as long as any message. A
/// letter that is typed meanwhile counts, RETURN only ends the message.
#[test]
fn what_ends_a_message_of_crazy_eights_picks_nothing() {
    let mut atari = Atari::with_game("crazy-eights", Model::Xl800, Tv::Ntsc, 3);
    crazy_eights::start(&mut atari);
    cards(&mut atari);
    option(&mut atari, "P");
    atari.expect_text("WHICH CARD?", 300);
    atari.type_text("DDD\n");
    atari.expect_text("TWO LETTERS OF ITS RANK", 60);
    atari.run(30);
    let mut waits = atari.clone();
    waits.expect_text("WHICH CARD?", 300);
    atari.type_text("\n");
    atari.expect_text("WHICH CARD?", 60);
    atari.run(90);
    atari.expect_text("WHICH CARD?", 1);
    press(&mut atari, keys::ESC);
    loop {
        cards(&mut atari);
        option(&mut atari, "D");
        atari.expect_text("YOU DRAW THE", 300);
        if atari.text().contains("YOU DRAW THE EIGHT") {
            break;
        }
    }
    cards(&mut atari);
    option(&mut atari, "P");
    atari.expect_text("WHICH CARD?", 300);
    atari.type_text("EI\n");
    // Of two eights RETURN takes the one at which the pointer stands.
    if atari.wait_for_text("WHICH TYPE", 60) {
        atari.run(20);
        atari.type_text("\n");
    }
    atari.expect_text("NAME THE TYPE", 300);
    atari.run(60);
    atari.type_text("X");
    atari.expect_text("TYPE H, D, C OR S", 60);
    atari.run(20);
    let mut ended = atari.clone();
    ended.type_text("\n");
    ended.expect_text("NAME THE TYPE", 60);
    ended.run(90);
    ended.expect_text("NAME THE TYPE", 1);
    atari.type_text("S");
    atari.expect_text("THE COMPUTER'S TURN", 120);
}
