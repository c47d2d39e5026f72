//! A player of Computer Gammon: reads the board's characters, the dice and the cursor from the picture, and moves the joystick.
use super::Ending;
use crate::Atari;

/// Picture column of the first half of colour clock `clock`.
const fn x(clock: usize) -> usize {
    2 * (clock - 34)
}

/// First scan line of the board's pegs in the picture (line 8 is row 0): 24 blank lines, two lines of text, a gap, the frame.
const PEGS: usize = 24 + 16 + 2 + 8;
/// First row of the dice in the picture.
const DICE: usize = 188 - 8;
/// The board's ground as a colour index.
const GROUND: u8 = 0xF0;

/// What is on a peg: positive blue, negative green.
fn peg(rows: &[Vec<u8>], number: usize) -> i8 {
    let place = if number > 12 {
        number - 13
    } else {
        12 - number
    };
    let column = if place == 12 {
        19
    } else {
        1 + 3 * place + if place > 5 { 2 } else { 0 }
    };
    let mut tiles = 0;
    let mut sign = 1;
    for r in 0..6 {
        let row = if number > 12 { 3 + r } else { 16 - r };
        let code = rows[row][column] & 0x7F;
        if (49..61).contains(&code) {
            tiles += 1;
            sign = if code < 55 { 1 } else { -1 };
        }
    }
    if tiles > 0 { sign * (tiles - 1) } else { 0 }
}

/// The board: pegs 1 to 24, 0 blue's bar, 25 green's.
#[must_use]
pub fn board(atari: &Atari) -> [i8; 26] {
    let rows = atari.machine.displayed_text().rows;
    std::array::from_fn(|n| peg(&rows, n))
}

/// The dice that are still to be played, read from the bright faces below the board.
#[must_use]
pub fn dice(atari: &Atari) -> Vec<u8> {
    let frame = atari.machine.frame();
    let pixel = |column: usize, row: usize| frame.pixels()[row * machine::Frame::WIDTH + column];
    let mut faces = Vec::new();
    for left in [128, 146] {
        // A corner of the body that has no pip: bright when the die can be played.
        if pixel(x(left) + 2, DICE + 1) & 0x0F < 8 {
            continue;
        }
        let mut pips = 0;
        for row in [6, 14, 22] {
            for clock in [left + 3, left + 7, left + 11] {
                pips += u8::from(pixel(x(clock), DICE + row) == 0);
            }
        }
        faces.push(pips);
    }
    faces
}

/// Where the cursor glows: place in the row of pegs, and whether in the lower row.
fn cursor(atari: &Atari) -> Option<(usize, bool)> {
    let frame = atari.machine.frame();
    for lower in [false, true] {
        let row = PEGS + if lower { 8 * 8 } else { 6 * 8 - 1 };
        for place in 0..12 {
            let clock = 52 + 12 * place + if place > 5 { 8 } else { 0 };
            if frame.pixels()[row * machine::Frame::WIDTH + x(clock)] != GROUND {
                return Some((place, lower));
            }
        }
    }
    None
}

fn tap(atari: &mut Atari, up: bool, down: bool, left: bool, right: bool) {
    atari.machine.input.joystick(0, up, down, left, right);
    atari.run(4);
    atari.machine.input.joystick(0, false, false, false, false);
    atari.run(12);
}

fn trigger(atari: &mut Atari) {
    atari.machine.input.trigger(0, true);
    atari.run(6);
    atari.machine.input.trigger(0, false);
    atari.run(6);
}

/// Moves the cursor to a peg (0 and 25: off the board) and presses the trigger.
fn point_at(atari: &mut Atari, number: usize) {
    let (place, lower) = match number {
        25 => (12, false),
        0 => (12, true),
        n if n > 12 => (n - 13, false),
        n => (12 - n, true),
    };
    for _ in 0..40 {
        let now = cursor(atari);
        match now {
            Some((at, row)) if at == place && row == lower => break,
            None if place == 12 => {
                tap(atari, !lower, lower, false, false);
                break;
            }
            None => tap(atari, false, false, true, false),
            Some((_, row)) if row != lower => tap(atari, !lower, lower, false, false),
            Some((at, _)) => tap(atari, false, false, at > place, at < place),
        }
    }
    trigger(atari);
}

/// Types the two names on the title page and starts the game.
///
/// # Panics
/// When the title page does not come.
pub fn start(atari: &mut Atari, blue: &str, green: &str) {
    assert!(
        atari.wait_for_text("TYPE THE NAMES", 3000),
        "no title page:\n{}",
        atari.text()
    );
    assert!(
        atari.wait_for_key(600),
        "nobody asks for the names:\n{}",
        atari.text()
    );
    atari.type_text(&format!("{blue}\n"));
    atari.type_text(&format!("{green}\n"));
}

/// Plays blue with the first joystick (where it is not the computer's) until somebody wins.
///
/// # Panics
/// When there is no end within `limit` frames, or the picture makes no sense.
pub fn play(atari: &mut Atari, limit: u32) -> Ending {
    let mut turns = 0;
    let mut longest_turn = 0;
    let mut thinking: Option<u32> = None;
    let mut tried: Vec<(usize, usize)> = Vec::new();
    let mut before = [0; 26];
    loop {
        let text = atari.text();
        assert!(atari.frames < limit, "no end after {limit} frames:\n{text}");
        if text.contains(" THINKS") {
            thinking.get_or_insert(atari.frames);
            // The thinking ends when the first tile leaves its peg.
            let now = board(atari);
            if now == before {
                longest_turn = longest_turn.max(atari.frames - thinking.unwrap_or(atari.frames));
            }
            if before == [0; 26] {
                before = now;
            }
        } else {
            thinking = None;
            before = [0; 26];
        }
        if text.contains(" WINS") {
            let message = text
                .lines()
                .find(|l| l.contains(" WINS"))
                .unwrap_or_default()
                .trim()
                .to_owned();
            return Ending {
                message,
                frames: atari.frames,
                turns,
                longest_turn,
            };
        }
        if text.contains("PRESS THE TRIGGER") {
            trigger(atari);
        } else if text.contains("FROM WHERE") || text.contains("TO WHERE") {
            let board = board(atari);
            let dice = dice(atari);
            let mut moves = candidates(&board, &dice);
            moves.retain(|m| !tried.contains(m));
            let Some(&(from, to)) = moves.first() else {
                panic!("nothing left to try with {dice:?} on {board:?}:\n{text}");
            };
            if text.contains("FROM WHERE") {
                point_at(atari, from);
                atari.run(4);
            }
            assert!(
                atari.wait_for_text("TO WHERE", 120),
                "the source {from} was not taken:\n{}",
                atari.text()
            );
            point_at(atari, to);
            turns += 1;
            // The rules are looked up before the board answers.
            let mut answer = atari.text();
            for _ in 0..600 {
                if !answer.contains("TO WHERE") {
                    break;
                }
                atari.run(1);
                answer = atari.text();
            }
            if answer.contains("NO MOVE") || answer.contains("BOTH DICE") {
                tried.push((from, to));
            } else {
                tried.clear();
            }
            atari.run(50);
        } else {
            atari.run(1);
        }
    }
}

/// What blue may try: from the bar first, then single dice from the rear, the board being what the picture shows.
fn candidates(board: &[i8; 26], dice: &[u8]) -> Vec<(usize, usize)> {
    let sources: Vec<usize> = if board[0] > 0 {
        vec![0]
    } else {
        (1..25).filter(|&n| board[n] > 0).collect()
    };
    let mut out = Vec::new();
    for &from in &sources {
        for &die in dice {
            let to = (from + usize::from(die)).min(25);
            if to == 25 || (board[to] > -2 && board[to] < 5) {
                out.push((from, to));
            }
        }
    }
    out.dedup();
    out
}
