//! The search of Checkers in 6502 code against plain minimax over the rules of the tests, with the values that its source says.
use std::fmt::Write;

use machine::{Model, Tv};
use tests::players::checkers::random;
use tests::rules::Chance;
use tests::rules::checkers::{Position, Side, Step};
use tests::{Atari, config};

/// The values of black's pieces on the dark squares, four to a row, from G1 to the left and from H2 to the left and so on.
const MAN: [[i32; 4]; 8] = [
    [6, 5, 6, 5],
    [5, 5, 5, 5],
    [5, 6, 6, 5],
    [5, 6, 6, 5],
    [6, 6, 6, 6],
    [6, 7, 7, 6],
    [7, 7, 7, 7],
    [8, 8, 8, 8],
];
const KING: [[i32; 4]; 8] = [
    [8, 8, 8, 8],
    [8, 9, 9, 9],
    [9, 10, 10, 8],
    [8, 10, 10, 9],
    [9, 10, 10, 8],
    [8, 10, 10, 9],
    [9, 9, 9, 8],
    [8, 8, 8, 8],
];

fn leaf(position: &Position) -> i32 {
    let mut score = 0;
    let mut squares = [Vec::new(), Vec::new()];
    for square in 0..64 {
        let Some(piece) = position.board[square] else {
            continue;
        };
        squares[piece.side as usize].push(square);
        let turned = if piece.side == Side::Black {
            square
        } else {
            63 - square
        };
        let table = if piece.king { &KING } else { &MAN };
        let worth = table[turned / 8][(7 - turned % 8) / 2];
        score += if piece.side == Side::Black {
            worth
        } else {
            -worth
        };
    }
    let pieces = (squares[0].len() + squares[1].len()) as i32;
    let ahead = score.signum();
    let mut value = score;
    if !(-5..6).contains(&score) {
        value += ahead * ((24 - pieces) / 4);
    }
    if pieces < 7 && !(-4..5).contains(&score) {
        let mut sum = 0;
        for &a in &squares[0] {
            for &b in &squares[1] {
                let rows = (a / 8).abs_diff(b / 8);
                sum += rows.max((a % 8).abs_diff(b % 8)) as i32;
            }
        }
        value -= ahead * (sum / 4);
    }
    if position.turn == Side::Black {
        value
    } else {
        -value
    }
}

/// The value for the side to move; `depth` counts moves, not the jumps of one, and does not stop before captures.
fn minimax(position: &Position, depth: u32, ply: i32, best: &mut Vec<Step>) -> i32 {
    let steps = position.steps();
    let is_jump = steps.first().is_some_and(|s| s.0.abs_diff(s.1) > 9);
    if depth == 0 && !is_jump {
        return leaf(position);
    }
    if steps.is_empty() {
        return ply + 1 - 128;
    }
    let mut value = i32::MIN;
    for step in steps {
        let mut after = position.clone();
        after.play(step).unwrap();
        let of_step = if after.hop.is_some() {
            minimax(&after, depth, ply + 1, &mut Vec::new())
        } else {
            -minimax(&after, depth.saturating_sub(1), ply + 1, &mut Vec::new())
        };
        if of_step > value {
            value = of_step;
            best.clear();
        }
        if of_step == value {
            best.push(step);
        }
    }
    value
}

/// Asks the Atari, whose clock stands still because its interrupts are off: its step and what it thinks that is worth, from a program that has the machine language of the listing.
fn ask(position: &Position, depth: u32) -> (Step, i32) {
    let mut listing = String::new();
    for line in tests::game_listing("checkers", 48).unwrap().lines() {
        let number: u32 = line.split(' ').next().unwrap().parse().unwrap();
        if number < 200 || (950..1000).contains(&number) || number >= 7000 {
            let _ = writeln!(listing, "{line}");
        }
    }
    // The place of a square on the board of the search, and the codes of the pieces, as the source says.
    let mut pokes = String::new();
    for square in (0..64).filter(|s| (s / 8 + s % 8) % 2 == 0) {
        let (row, index) = (square / 8, (7 - square % 8) / 2);
        let code = position.board[square].map_or(0, |piece| match (piece.side, piece.king) {
            (Side::Black, false) => 0x01,
            (Side::White, false) => 0x42,
            (Side::Black, true) => 0x85,
            (Side::White, true) => 0xC6,
        });
        let _ = write!(pokes, "{},{code},", 5 + 4 * row + row / 2 + index);
    }
    let side = 1 + position.turn as u8;
    let hop = position.hop.map_or(0, |square| square + 1);
    let _ = write!(
        listing,
        "200 A=USR(SETUP):RESTORE 300:FOR I=1 TO 32:READ D,L:POKE 33104+D,L:NEXT I\n\
         210 D=USR(37915):A=USR(THINK,{side},{hop},{depth},255):D=PEEK(35396)\n\
         220 GRAPHICS 0:? \"A\";A;\" W\";PEEK(35396);\" E\"\n230 GOTO 230\n"
    );
    let numbers: Vec<&str> = pokes.trim_end_matches(',').split(',').collect();
    for (line, part) in numbers.chunks(16).enumerate() {
        let _ = writeln!(listing, "{} DATA {}", 300 + line, part.join(","));
    }
    let mut atari = Atari::with_basic(&config(Model::Xl800, Tv::Ntsc, true), listing.as_bytes());
    atari.type_text("RUN\n");
    assert!(atari.wait_for_text(" E", 9000), "{}", atari.text());
    let text = atari.text();
    let number = |letter: char| -> usize {
        let rest = &text[text.find(letter).unwrap() + 1..];
        rest.split_whitespace().next().unwrap().parse().unwrap()
    };
    let step = number('A');
    ((step / 64, step % 64), number('W') as i32 - 128)
}

#[test]
fn the_search_finds_what_minimax_finds() {
    let mut chance = Chance::new(5);
    let mut compared = 0;
    for game in 0..24 {
        let mut position = Position::start(Side::Black);
        for _ in 0..5 + 3 * game {
            if position.outcome().is_none() {
                position.play(random(&position, &mut chance)).unwrap();
            }
        }
        if position.outcome().is_some() || position.steps().len() < 2 {
            continue;
        }
        for depth in [2, 4, 5] {
            let mut best = Vec::new();
            let value = minimax(&position, depth, 0, &mut best);
            let (step, worth) = ask(&position, depth);
            assert_eq!(worth, value, "depth {depth} of {position:?}");
            assert!(best.contains(&step), "{step:?} instead of {best:?}");
            compared += 1;
        }
    }
    assert!(compared > 12, "only {compared} positions");
}
