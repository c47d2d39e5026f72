//! Games that the Python package's environments played (`python/tests/games`): boards, legal actions and results are held to the rules. The
//! package's own tests show that the environments still play exactly these.
use std::collections::HashSet;
use std::path::Path;
use tests::rules::{checkers, crazy_eights, gammon, hexapawn, tic_tac_toe};

/// A turn: the agent, its board, its legal actions, and what it did.
struct Turn {
    agent: String,
    board: String,
    legal: Vec<usize>,
    action: usize,
}

impl Turn {
    /// Planes of the observation, `.` for an empty square.
    fn squares(&self) -> Vec<Option<u8>> {
        let plane = |c: u8| (c != b'.').then(|| c - b'0');
        self.board.bytes().map(plane).collect()
    }

    /// The numbers of a board without squares.
    fn numbers(&self) -> Vec<i8> {
        let numbers = self.board.split(':');
        numbers.map(|number| number.parse().unwrap()).collect()
    }
}

/// A game: its turns, and the rewards by the agents' names if it was played to its end.
#[derive(Default)]
struct Game {
    turns: Vec<Turn>,
    rewards: Option<Vec<(String, i32)>>,
}

fn games(name: &str) -> Vec<Game> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../python/tests/games");
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    let mut games: Vec<Game> = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        if words[0] == "#" {
            games.push(Game::default());
            continue;
        }
        let game = games.last_mut().unwrap();
        if words[0] == "end" {
            let pairs = words[1..].chunks(2);
            let rewards = pairs.map(|pair| (pair[0].to_owned(), pair[1].parse().unwrap()));
            game.rewards = Some(rewards.collect());
            continue;
        }
        game.turns.push(Turn {
            agent: words[0].to_owned(),
            board: words[1].to_owned(),
            legal: words[2].split(',').map(|n| n.parse().unwrap()).collect(),
            action: words[3].parse().unwrap(),
        });
    }
    games
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort();
    list
}

#[test]
fn tic_tac_toe_is_played_by_the_rules() {
    use tic_tac_toe::{Mark, moves, winner};
    let mut finished = 0;
    for game in games("tic-tac-toe.txt") {
        let (mut board, mut side) = ([None; 9], Mark::X);
        for turn in &game.turns {
            assert_eq!(turn.agent, if side == Mark::X { "x" } else { "o" });
            let mine = |mark: Mark| u8::from(mark != side);
            let seen: Vec<_> = board.iter().map(|mark| mark.map(mine)).collect();
            assert_eq!(turn.squares(), seen);
            assert_eq!(turn.legal, moves(&board));
            board[turn.action] = Some(side);
            side = side.other();
        }
        let won = |mark| match winner(&board) {
            None => 0,
            Some(winner) => 2 * i32::from(winner == mark) - 1,
        };
        let rewards = [
            ("o".to_owned(), won(Mark::O)),
            ("x".to_owned(), won(Mark::X)),
        ];
        assert_eq!(game.rewards.unwrap(), rewards);
        assert!(moves(&board).is_empty());
        finished += 1;
    }
    assert!(finished >= 6);
}

#[test]
fn hexapawn_is_played_by_the_rules() {
    use hexapawn::{Board, START, Side, after, moves, winner};
    let mut finished = 0;
    for game in games("hexapawn.txt") {
        // Boards that the program's answer can have made.
        let mut possible: Vec<Board> = vec![START];
        let mut last = START;
        for turn in &game.turns {
            let mut board: Board = [None; 9];
            for (to, plane) in board.iter_mut().zip(turn.squares()) {
                *to = plane.map(|plane| match plane {
                    0 => Side::Player,
                    _ => Side::Computer,
                });
            }
            assert!(possible.contains(&board), "{board:?}");
            let step = |action: usize| (action / 3 + 1, action / 3 + action % 3 - 3);
            let legal: Vec<_> = turn.legal.iter().map(|&action| step(action)).collect();
            assert_eq!(sorted(legal), sorted(moves(&board, Side::Player)));
            last = after(&board, step(turn.action));
            let answers = moves(&last, Side::Computer).into_iter();
            possible = answers.map(|step| after(&last, step)).collect();
        }
        let won = game.rewards.unwrap()[0].1;
        let ends = match won {
            1 => winner(&last, Side::Player).is_some(),
            _ => possible
                .iter()
                .any(|board| winner(board, Side::Computer).is_some()),
        };
        // The program resigns with an empty matchbox, which a first game has not got.
        assert!(ends && won.abs() == 1, "{won} {last:?}");
        finished += 1;
    }
    assert!(finished >= 6);
}

#[test]
fn checkers_is_played_by_the_rules() {
    use checkers::{Outcome, Position, Side};
    let mut turns = 0;
    for game in games("checkers.txt") {
        let mut position = Position::start(Side::Black);
        for turn in &game.turns {
            let name = |side| {
                if side == Side::Black {
                    "black"
                } else {
                    "white"
                }
            };
            assert_eq!(turn.agent, name(position.turn));
            let seen: Vec<_> = position
                .board
                .iter()
                .map(|piece| {
                    let side = |side| 2 * u8::from(side != position.turn);
                    piece.map(|piece| side(piece.side) + u8::from(piece.king))
                })
                .collect();
            assert_eq!(turn.squares(), seen);
            let action = |(from, to): (usize, usize)| {
                let way = match (to > from, to % 8 > from % 8) {
                    (true, false) => 0,
                    (true, true) => 1,
                    (false, false) => 2,
                    (false, true) => 3,
                };
                4 * from + way
            };
            let steps = position.steps();
            let legal = steps.iter().map(|&step| action(step)).collect();
            assert_eq!(turn.legal, sorted(legal));
            let played = steps.into_iter().find(|&step| action(step) == turn.action);
            position.play(played.unwrap()).unwrap();
            turns += 1;
        }
        if let Some(rewards) = game.rewards {
            let won = match position.outcome().unwrap() {
                Outcome::Draw => [0, 0],
                Outcome::Won(Side::Black) => [1, -1],
                Outcome::Won(Side::White) => [-1, 1],
            };
            assert_eq!(rewards.iter().map(|(_, won)| *won).collect::<Vec<_>>(), won);
        }
    }
    assert!(turns >= 60, "{turns}");
}

#[test]
fn crazy_eights_is_played_by_the_rules() {
    use crazy_eights::{Card, MOST, Table};
    let card = |number: &i8| Card {
        rank: (number % 13) as u8 + 1,
        suit: (number / 13) as u8 + 1,
    };
    let (mut turns, mut named, mut drawn) = (0, 0, 0);
    for game in games("crazy-eights.txt") {
        let mut before: Option<(Table, usize)> = None;
        for turn in &game.turns {
            let numbers = turn.numbers();
            let table = Table {
                computer: numbers[0] as usize,
                deck: numbers[1] as usize,
                wanted: numbers[2] as u8 + 1,
                top: card(&numbers[3]),
                hand: numbers[4..].iter().map(card).collect(),
            };
            table.check(&HashSet::new()).unwrap();
            if let Some((before, 52)) = &before {
                // A draw gives a card, and the turn stays.
                assert_eq!(
                    (table.deck, table.hand.len()),
                    (before.deck - 1, before.hand.len() + 1)
                );
                assert_eq!((table.computer, table.top), (before.computer, before.top));
                drawn += 1;
            }
            let names = before
                .as_ref()
                .is_some_and(|(_, action)| *action < 52 && action % 13 == 7);
            let mut legal: Vec<usize> = if names {
                named += 1;
                (54..58).collect()
            } else {
                let fits = |number: &&i8| table.fits(card(number));
                numbers[4..]
                    .iter()
                    .filter(fits)
                    .map(|number| *number as usize)
                    .collect()
            };
            if !names && table.deck > 0 && table.hand.len() < MOST {
                legal.push(52);
            }
            if !names && table.may_pass(table.hand.len()) {
                legal.push(53);
            }
            assert_eq!(turn.legal, sorted(legal), "{table:?}");
            before = Some((table, turn.action));
            turns += 1;
        }
    }
    assert!(
        turns >= 40 && named > 0 && drawn > 0,
        "{turns} {named} {drawn}"
    );
}

#[test]
fn gammon_is_played_by_the_rules() {
    use gammon::{Position, Side};
    let mut turns = 0;
    for game in games("gammon.txt") {
        let mut possible = vec![Position::start()];
        for turn in &game.turns {
            let side = if turn.agent == "blue" {
                Side::Blue
            } else {
                Side::Green
            };
            let numbers = turn.numbers();
            let sign = if side == Side::Blue { 1 } else { -1 };
            let mut off = [numbers[26] as u8, numbers[27] as u8];
            if side == Side::Green {
                off.reverse();
            }
            let position = Position {
                pegs: std::array::from_fn(|peg| sign * numbers[peg]),
                off,
            };
            assert!(possible.contains(&position), "{position:?}");
            let dice: Vec<u8> = numbers[28..].iter().map(|&die| die as u8).collect();
            let pairs = (0..26).flat_map(|from| (0..26).map(move |to| (from, to)));
            let legal =
                pairs.filter(|&(from, to)| !position.ways(side, &dice, from, to).is_empty());
            let legal: Vec<usize> = legal.map(|(from, to)| 26 * from + to).collect();
            assert_eq!(turn.legal, sorted(legal), "{side:?} {dice:?} {position:?}");
            let ways = position.ways(side, &dice, turn.action / 26, turn.action % 26);
            possible = ways.into_iter().map(|(after, _)| after).collect();
            turns += 1;
        }
    }
    assert!(turns >= 50, "{turns}");
}

#[test]
fn go_fish_is_played_by_the_rules() {
    let mut turns = 0;
    for game in games("go-fish.txt") {
        for turn in &game.turns {
            let numbers = turn.numbers();
            let hand = &numbers[4..];
            let cards: i8 = hand.iter().sum();
            assert_eq!(
                numbers[0] + numbers[1] + 4 * (numbers[2] + numbers[3]) + cards,
                52
            );
            // Four of a rank lie as a book.
            assert!(hand.iter().all(|count| (0..4).contains(count)), "{hand:?}");
            let held: Vec<usize> = (0..13).filter(|&rank| hand[rank] > 0).collect();
            assert_eq!(turn.legal, held);
            turns += 1;
        }
        if let Some(rewards) = game.rewards {
            assert!(rewards[0].1.abs() <= 1);
        }
    }
    assert!(turns >= 20, "{turns}");
}
