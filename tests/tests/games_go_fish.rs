//! Go Fish played by players who see only the screen, held to the rules after everything that is said, its honesty, its pictures.
use machine::{Machine, Model, Tv};
use tests::arena::Record;
use tests::players::go_fish::{Game, at_the_title, event, fresh, greedy, play, random, says};
use tests::players::{escapes_to_the_menu, goes_on_after_escape, goes_on_from_a_state, push};
use tests::rules::Chance;
use tests::rules::go_fish::Event;
use tests::{Atari, golden};

fn go_fish(model: Model, tv: Tv, seed: u64, computer_begins: bool) -> Record {
    let mut atari = at_the_title(model, tv, seed);
    atari.run(17 * seed as u32);
    let mut chance = Chance::new(seed);
    let game = Game::start(atari, computer_begins).unwrap();
    let record = play(game, &mut chance, 5, greedy).unwrap();
    println!("{model:?} {tv:?} seed {seed}: {record:?}");
    assert!(!record.moves.is_empty());
    record
}

#[test]
fn go_fish_is_played_to_its_end_on_an_800xl() {
    let mut refused = 0;
    for seed in 1..4 {
        refused += go_fish(Model::Xl800, Tv::Ntsc, seed, seed == 2).refused;
    }
    assert!(refused > 0, "no wrong entry was tried");
}

#[test]
fn go_fish_is_played_to_its_end_on_a_130xe_in_pal() {
    go_fish(Model::Xe130, Tv::Pal, 4, false);
}

#[test]
fn go_fish_is_played_to_its_end_on_an_800() {
    go_fish(Model::Atari800, Tv::Ntsc, 5, true);
}

#[test]
fn a_random_asker_mostly_loses() {
    // It wins three games of ten and loses more than five: a handful of games would be luck.
    let mut won = [0; 3];
    for seed in 1..21 {
        let mut chance = Chance::new(seed);
        let game = Game::start(fresh(50 + seed), false).unwrap();
        won[play(game, &mut chance, 20, random).unwrap().winner as usize] += 1;
    }
    println!("{won:?}");
    assert!(won[0] > won[1], "{won:?}");
}

#[test]
fn one_card_and_several_are_called_rightly() {
    assert_eq!(
        event(false, "YES: YOU GET 1 SIX"),
        Some(Event::Gets(true, 1, 6))
    );
    assert_eq!(
        event(false, "YES: YOU GET 2 SIXES"),
        Some(Event::Gets(true, 2, 6))
    );
    for wrong in [
        "YES: YOU GET 1 SIXES",
        "YES: YOU GET 2 SIXS",
        "YES: YOU GET 2 SIX",
    ] {
        assert_eq!(event(false, wrong), None);
    }
}

/// A numeric array of the program in memory: where element (row, column) is.
fn element(machine: &Machine, name: &str, row: u16, column: u16) -> u16 {
    let word = |at: u16| u16::from_le_bytes([machine.peek(at), machine.peek(at + 1)]);
    let (mut names, values, arrays) = (word(0x82), word(0x86), word(0x8C));
    let mut number = 0;
    loop {
        let mut text = String::new();
        loop {
            let byte = machine.peek(names);
            assert_ne!(byte, 0, "no variable {name}");
            names += 1;
            text.push(char::from(byte & 0x7F));
            if byte & 0x80 != 0 {
                break;
            }
        }
        if text == name {
            break;
        }
        number += 1;
    }
    let entry = values + 8 * number;
    let columns = word(entry + 6).max(1);
    arrays + word(entry + 2) + 6 * (row * columns + column)
}

/// The number in an element, which is a small one.
fn number(machine: &Machine, at: u16) -> u8 {
    if machine.peek(at) == 0 {
        0
    } else {
        machine.peek(at + 1)
    }
}

fn set(machine: &mut Machine, at: u16, value: u8) {
    machine.poke(at, if value == 0 { 0 } else { 0x40 });
    machine.poke(at + 1, value);
}

/// Cards that the player never showed are exchanged for cards of the deck without the computer's knowledge, while it thinks: all that has been said
/// and seen is the same, and so must be its question.
#[test]
fn the_computer_does_not_look_at_the_players_cards() {
    let question = |mut atari: Atari| {
        for _ in 0..900 {
            let text = says(&atari.machine.displayed_text(), false);
            if let Some(Event::Asks(false, rank)) = event(false, &text) {
                return (rank, atari.frames);
            }
            atari.run(1);
        }
        panic!("no question:\n{}", atari.text());
    };
    let mut compared = 0;
    let mut different = std::collections::BTreeSet::new();
    for seed in 1..6 {
        // The computer begins: nothing was asked, all seven cards of the player are hidden.
        let mut atari = fresh(seed);
        atari.machine.input.option = true;
        atari.run(10);
        atari.machine.input.option = false;
        atari.run(20);
        atari.type_text("\n");
        atari.expect_text("I THINK", 2000);
        let (honest, frames) = question(atari.clone());
        different.insert(honest);
        let place = |m: &Machine, suit, rank| number(m, element(m, "DECK(", suit, rank));
        let cards = |owner: u8| -> Vec<(u16, u16)> {
            let all = (1..=4).flat_map(|suit| (1..=13).map(move |rank| (suit, rank)));
            all.filter(|&(suit, rank)| place(&atari.machine, suit, rank) == owner)
                .collect()
        };
        let (hand, deck) = (cards(1), cards(0));
        assert_eq!((hand.len(), deck.len()), (7, 38));
        for (index, &(suit, rank)) in hand.iter().enumerate() {
            for &(other_suit, other_rank) in deck.iter().skip(index).step_by(9) {
                let mut changed = atari.clone();
                let machine = &mut changed.machine;
                let mine = element(machine, "DECK(", suit, rank);
                let theirs = element(machine, "DECK(", other_suit, other_rank);
                set(machine, mine, 0);
                set(machine, theirs, 1);
                for (rank, add) in [(rank, 255u8), (other_rank, 1)] {
                    let at = element(machine, "HIS(", rank, 0);
                    let count = number(machine, at).wrapping_add(add);
                    set(machine, at, count);
                }
                assert_eq!(question(changed), (honest, frames));
                compared += 1;
            }
        }
    }
    println!("{compared} exchanges, questions {different:?}");
    assert!(compared > 100 && different.len() > 1);
}

#[test]
fn escape_ends_a_game_and_the_title_page_returns_to_the_menu() {
    let mut game = Game::start(fresh(5), false).unwrap();
    goes_on_after_escape(&mut game.atari, "WHAT DO YOU ASK FOR?");
    escapes_to_the_menu(&mut game.atari, "OPTION  YOU BEGIN");
}

#[test]
fn a_state_saved_in_the_middle_of_go_fish_goes_on() {
    let mut game = Game::start(fresh(7), false).unwrap();
    let rank = game.play.table.hand[0].rank;
    game.ask(rank).unwrap();
    game.atari.type_text("\n");
    game.atari.run(25);
    goes_on_from_a_state(game.atari);
}

/// The display list interrupts count on whatever BASIC is calculating, in decimal mode or not.
#[test]
fn the_sea_stands_still_while_the_fish_swims() {
    let mut atari = at_the_title(Model::Xl800, Tv::Ntsc, 2);
    let edge = |atari: &Atari| -> Vec<u8> {
        let pixels = atari.machine.frame().pixels();
        (0..240).map(|row| pixels[row * 376 + 4]).collect()
    };
    let still = edge(&atari);
    for frame in 0..400 {
        atari.run(1);
        assert_eq!(edge(&atari), still, "frame {frame}");
    }
}

/// Deals these cards instead of those that chance dealt: seven to the player, seven to the computer.
fn deal(machine: &mut Machine, hand: &[(u16, u16)], computer: &[(u16, u16)]) {
    for rank in 1..=13 {
        let count = |cards: &[(u16, u16)]| cards.iter().filter(|c| c.1 == rank).count() as u8;
        for suit in 1..=4 {
            let at = element(machine, "DECK(", suit, rank);
            let owner = u8::from(hand.contains(&(suit, rank)))
                + 2 * u8::from(computer.contains(&(suit, rank)));
            set(machine, at, owner);
        }
        for (name, cards) in [("HIS(", hand), ("MINE(", computer)] {
            let at = element(machine, name, rank, 0);
            set(machine, at, count(cards));
        }
    }
}

/// The deck's card swims to the hand on players 1 to 3, which the sea does not show before and afterwards.
#[test]
fn the_fish_brings_the_card_that_the_player_draws() {
    let mut game = Game::start(fresh(5), false).unwrap();
    let hand = [(1, 1), (2, 1), (4, 1), (1, 10), (3, 10), (4, 10), (2, 13)];
    let computer = [(3, 2), (2, 3), (1, 4), (3, 5), (4, 6), (1, 7), (2, 8)];
    deal(&mut game.atari.machine, &hand, &computer);
    game.atari.type_text("A");
    game.atari.expect_text("NO. GO FISH!", 200);
    // The colours of card and fish in the rows between deck and hand, at the left and in the middle.
    let swims = |atari: &Atari, columns: std::ops::Range<usize>| {
        let pixels = atari.machine.frame().pixels();
        let seen = |row: usize| columns.clone().any(|x| pixels[row * 376 + x] == 0x28);
        (70..130).any(seen)
    };
    assert!(!swims(&game.atari, 0..376));
    let mut seen = [None; 2];
    for frame in 0..300 {
        game.atari.run(1);
        for (seen, columns) in seen.iter_mut().zip([60..110, 200..260]) {
            if seen.is_none() && swims(&game.atari, columns) {
                *seen = Some(frame);
            }
        }
    }
    let [Some(deck), Some(middle)] = seen else {
        panic!("{seen:?}");
    };
    assert!(deck + 10 < middle, "{seen:?}");
    assert!(!swims(&game.atari, 0..376));
}

/// The pictures do not depend on chance: the cards are exchanged before the first question, and the last three questions end the game.
#[test]
fn go_fish_looks_right() {
    let atari = at_the_title(Model::Xl800, Tv::Ntsc, 1);
    // Without the rows in which the fish swims.
    golden::check("go-fish-title", atari.machine.frame(), 0..64);
    golden::check("go-fish-title", atari.machine.frame(), 100..240);
    // A deal without four of a kind: the numbers below the table are then the same for every deal.
    let mut atari = (0..20)
        .map(|wait| {
            let mut atari = atari.clone();
            atari.run(7 * wait);
            atari.type_text("\n");
            atari.expect_text("WHAT DO YOU ASK FOR?", 1500);
            atari
        })
        .find(|atari| atari.text().contains("MY CARDS 7  BOOKS YOU 0 ME 0"))
        .expect("such a deal");
    atari.run(30);
    let hand = [(1, 1), (2, 1), (4, 1), (1, 10), (3, 10), (4, 10), (2, 13)];
    let computer = [(3, 1), (2, 10), (1, 13), (3, 13), (4, 13), (1, 7), (2, 7)];
    deal(&mut atari.machine, &hand, &computer);
    // The rules can be read in the middle of a game; the table is drawn again after them.
    atari.type_text("R");
    atari.expect_text("ANY KEY TO GO BACK", 200);
    atari.run(10);
    golden::check("go-fish-rules", atari.machine.frame(), 0..240);
    atari.type_text(" ");
    atari.expect_text("WHAT DO YOU ASK FOR?", 300);
    // The arrow stands over a rank of the hand that was dealt first: to one of this hand.
    push(&mut atari, 0, [false, false, false, true], 4, 30);
    atari.type_text("3");
    atari.expect_text("YOU HOLD NO THREES", 120);
    // Without the rows of the arrow, which swells and fades.
    atari.run(20);
    golden::check("go-fish-play", atari.machine.frame(), 0..118);
    golden::check("go-fish-play", atari.machine.frame(), 130..240);
    for (key, words) in [("A", "1 ACE"), ("T", "1 TEN"), ("K", "3 KINGS")] {
        atari.type_text(key);
        atari.expect_text(words, 300);
        if key != "K" {
            atari.expect_text("WHAT DO YOU", 600);
        }
    }
    atari.expect_text("YOU WIN, 3 TO 0. ANOTHER GAME?", 600);
    atari.run(30);
    golden::check("go-fish-end", atari.machine.frame(), 0..240);
}

/// H names a rank of the player's hand: at first the fullest, then not one that the computer has just denied, at last one that it has
/// asked for itself.
#[test]
fn the_hint_goes_by_what_was_said() {
    const NAMES: [&str; 13] = [
        "ACES", "TWOS", "THREES", "FOURS", "FIVES", "SIXES", "SEVENS", "EIGHTS", "NINES", "TENS",
        "JACKS", "QUEENS", "KINGS",
    ];
    let held = |atari: &Atari, rank: usize| {
        let machine = &atari.machine;
        number(machine, element(machine, "HIS(", rank as u16 + 1, 0))
    };
    let hint = |atari: &mut Atari| {
        atari.type_text("H");
        atari.expect_text("ASK FOR ", 200);
        atari.run(20);
        let text = atari.text();
        let words = text.split("ASK FOR ").nth(1).unwrap();
        let name = words.split([',', ' ', '\n']).next().unwrap();
        let rank = NAMES
            .iter()
            .position(|&known| known == name)
            .expect("a rank");
        (rank, words.contains("AS I DID"))
    };
    let mut game = Game::start(fresh(31), false).unwrap();
    let (first, asked) = hint(&mut game.atari);
    let most = (0..13).map(|rank| held(&game.atari, rank)).max().unwrap();
    assert!(held(&game.atari, first) == most && !asked);
    let mut known = false;
    let mut chance = Chance::new(31);
    for _ in 0..40 {
        let (rank, asked) = hint(&mut game.atari);
        assert!(held(&game.atari, rank) > 0, "{}", NAMES[rank]);
        if asked {
            // It asked for these and has them still: the question succeeds.
            let mine = element(&game.atari.machine, "MINE(", rank as u16 + 1, 0);
            assert!(number(&game.atari.machine, mine) > 0, "{}", NAMES[rank]);
            known = true;
            break;
        }
        let choice = random(&game, &mut chance);
        if matches!(game.ask(choice).unwrap(), tests::players::Next::Over(_)) {
            break;
        }
    }
    assert!(known, "the computer never asked for a rank of the player's");
}

/// The cards and the numbers, without the balloons, once the question is there.
fn cards(atari: &mut Atari) -> Vec<Vec<u8>> {
    for _ in 0..6000 {
        if atari.text().contains("WHAT DO YOU ASK FOR?") {
            break;
        }
        atari.run(1);
    }
    atari.expect_text("WHAT DO YOU ASK FOR?", 1);
    atari.run(10);
    shown(atari)
}

fn shown(atari: &Atari) -> Vec<Vec<u8>> {
    let rows = atari.machine.displayed_text().rows;
    [&rows[..2], &rows[4..10], &rows[12..22]].concat()
}

/// With 40K U takes the last question back, and all that came of it.
#[test]
fn a_step_back_in_go_fish_brings_the_cards_before_the_question() {
    let mut atari = Atari::with_game("go-fish", Model::Xl800, Tv::Ntsc, 5);
    atari.expect_text("RETURN, START OR TRIGGER", 3000);
    atari.run(60);
    atari.type_text("\n");
    let mut before = cards(&mut atari);
    atari.type_text("U");
    atari.expect_text("NOTHING TO TAKE BACK", 300);
    for _ in 0..4 {
        atari.type_text("\n");
        atari.expect_text("DO YOU HAVE ANY", 300);
        let after = cards(&mut atari);
        assert_ne!(after, before);
        atari.run(30);
        atari.type_text("U");
        atari.expect_text("TAKEN BACK", 600);
        atari.run(60);
        assert_eq!(shown(&atari), before, "{}", atari.text());
        atari.type_text("\n");
        atari.expect_text("DO YOU HAVE ANY", 300);
        before = cards(&mut atari);
    }
}
