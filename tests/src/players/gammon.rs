//! A player of Computer Gammon: reads the board's characters, the dice and the cursor from the picture, and moves the joystick. It
//! compares every move of both sides with the rules, and now and then tries one that they forbid.
use session::keys::code as keys;

use crate::Atari;
use crate::arena::{Record, Winner};
use crate::rules::Chance;
use crate::rules::gammon::{Position, Side};

use super::trigger;

/// Picture column of the first half of colour clock `clock`.
const fn x(clock: usize) -> usize {
    2 * (clock - 34)
}

/// First scan line of the board's pegs in the picture (line 8 is row 0): 24 blank lines, two lines of text, a gap, the frame.
const PEGS: usize = 24 + 16 + 2 + 8;
/// First row of the dice in the picture.
const DICE: usize = 188 - 8;
/// The board's ground as a colour index, on both televisions.
const GROUND: [u8; 2] = [0xF0, 0xD0];
/// One entry in this many is a wrong one.
const WRONG: usize = 6;

/// The player of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// The program.
    Computer,
    /// The bot, any play that the rules allow.
    Random,
    /// The bot, the play after which the other side has most pips to go more than it.
    Greedy,
    /// The bot, as the greedy player but with few lone tiles.
    Careful,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The winner.
    pub winner: Side,
    /// Turns of both sides.
    pub turns: u32,
    /// Frames of each turn of the program, from its dice to the next side's throw.
    pub moves: Vec<u32>,
    /// Wrong entries, all refused.
    pub refused: u32,
    /// Frames from power-on to the announcement.
    pub frames: u32,
}

/// Tiles on a peg as its characters show them: positive blue, negative green.
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

/// The position on the screen. A peg has room for five pictures, so of the bar the rest of the fifteen tiles count.
///
/// # Errors
/// When a side has not fifteen tiles.
pub fn position(atari: &Atari) -> Result<Position, String> {
    let rows = atari.machine.displayed_text().rows;
    let mut position = Position {
        pegs: std::array::from_fn(|n| peg(&rows, n)),
        off: [0; 2],
    };
    let text = atari.text();
    let number = |word: &str| {
        text.split_once(word)
            .and_then(|(_, rest)| rest.split_whitespace().next()?.parse::<u8>().ok())
    };
    let off = [number("BLUE OFF "), number("GREEN OFF ")];
    for side in [Side::Blue, Side::Green] {
        let on: i8 = (0..26).map(|n| position.tiles(side, n)).sum();
        let rest = 15 - on;
        // The line of the result hides the numbers.
        let off = off[side as usize].map_or(rest, |n| n as i8);
        let hidden = rest - off;
        if hidden != 0 {
            if hidden < 0 || position.tiles(side, side.bar()) != 5 {
                return Err(format!("{side:?} has {on} tiles and {off} off:\n{text}"));
            }
            position.pegs[side.bar()] += if side == Side::Blue { hidden } else { -hidden };
        }
        position.off[side as usize] = off as u8;
    }
    Ok(position)
}

/// The dice that are still to be played, read from the faces below the board: a face is bright, half bright (one half of a
/// double) or dim.
#[must_use]
pub fn dice(atari: &Atari) -> Vec<u8> {
    let frame = atari.machine.frame();
    let pixel = |column: usize, row: usize| frame.pixels()[row * machine::Frame::WIDTH + column];
    let mut faces = Vec::new();
    for left in [128, 146] {
        let mut pips = 0;
        for row in [6, 14, 22] {
            for clock in [left + 3, left + 7, left + 11] {
                pips += u8::from(pixel(x(clock), DICE + row) == 0);
            }
        }
        // A corner of the body that has no pip.
        faces.push((pips, pixel(x(left) + 2, DICE + 1) & 0x0F));
    }
    let double = faces[0].0 == faces[1].0;
    faces
        .into_iter()
        .flat_map(|(pips, light)| {
            let times = match light {
                14 if double => 2,
                14 | 8 => 1,
                _ => 0,
            };
            std::iter::repeat_n(pips, times)
        })
        .collect()
}

/// The place of the glowing cursor: place in the row of pegs, and true in the lower row.
fn cursor(atari: &Atari) -> Option<(usize, bool)> {
    let frame = atari.machine.frame();
    for lower in [false, true] {
        let row = PEGS + if lower { 8 * 8 } else { 6 * 8 - 1 };
        for place in 0..12 {
            let clock = 52 + 12 * place + if place > 5 { 8 } else { 0 };
            if !GROUND.contains(&frame.pixels()[row * machine::Frame::WIDTH + x(clock)]) {
                return Some((place, lower));
            }
        }
    }
    None
}

/// Pushes a stick until the cursor has moved or `frames` have passed.
fn push(atari: &mut Atari, port: usize, [up, down, left, right]: [bool; 4], frames: u32) {
    let before = cursor(atari);
    atari
        .machine
        .input
        .joystick(port)
        .push(up, down, left, right);
    for _ in 0..frames {
        atari.run(1);
        if cursor(atari) != before {
            break;
        }
    }
    atari.machine.input.joystick(port).centre();
    // Where the glow is as dark as the ground nothing shows that the program has seen the push: it gets the time for it.
    let dark = before.is_none() || cursor(atari).is_none();
    atari.run(if dark { 12 } else { 3 });
}

/// Moves the cursor to a peg (0 and 25: off the board) and presses the trigger.
fn point_at(atari: &mut Atari, port: usize, number: usize) -> Result<(), String> {
    let (place, lower) = match number {
        25 => (12, false),
        0 => (12, true),
        n if n > 12 => (n - 13, false),
        n => (12 - n, true),
    };
    for _ in 0..60 {
        match cursor(atari) {
            Some((at, row)) if at == place && row == lower => break,
            None if place == 12 => {
                // It glows beside the board, where no peg is: either row says "off".
                break;
            }
            None => push(atari, port, [false, false, true, false], 20),
            Some((_, row)) if row != lower => push(atari, port, [!lower, lower, false, false], 20),
            Some((at, _)) => push(atari, port, [false, false, at > place, at < place], 20),
        }
    }
    let there = cursor(atari);
    if there != (place < 12).then_some((place, lower)) {
        return Err(format!("the cursor does not go to {number}: {there:?}"));
    }
    trigger(atari, port, 8, 3);
    Ok(())
}

fn message(atari: &Atari) -> String {
    atari
        .text()
        .lines()
        .last()
        .unwrap_or_default()
        .trim()
        .to_owned()
}

/// Goes through the title page with RETURN, types the two names and waits for the board.
///
/// # Panics
/// When a page does not come.
pub fn start(atari: &mut Atari, blue: &str, green: &str, quick: bool) {
    assert!(
        atari.wait_for_text("RETURN, START OR TRIGGER", 3000),
        "no title page:\n{}",
        atari.text()
    );
    atari.run(30);
    if quick {
        atari.machine.input.select = true;
        atari.run(10);
        atari.machine.input.select = false;
        assert!(atari.wait_for_text("QUICK", 60), "{}", atari.text());
        atari.run(10);
    }
    atari.machine.input.key = Some(keys::RETURN);
    atari.run(3);
    atari.machine.input.key = None;
    assert!(
        atari.wait_for_text("TYPE THE NAMES", 300),
        "nobody asks for the names:\n{}",
        atari.text()
    );
    atari.run(30);
    atari.type_text(&format!("{blue}\n"));
    atari.run(20);
    atari.type_text(&format!("{green}\n"));
    assert!(
        atari.wait_for_text("BLUE OFF", 600),
        "no board:\n{}",
        atari.text()
    );
}

/// The pair of pegs that a player enters next.
fn choose(
    player: Player,
    position: &Position,
    side: Side,
    dice: &[u8],
    random: &mut Chance,
) -> (usize, usize) {
    let plays = position.plays(side, dice);
    let lead = |p: &Position| {
        let lone = (1..25).filter(|&peg| p.tiles(side, peg) == 1).count() as i32;
        let price = if player == Player::Careful { 8 } else { 0 };
        p.pips(side.other()) - p.pips(side) - price * lone
    };
    let best = plays.iter().map(|(_, p)| lead(p)).max().unwrap_or(0);
    let good: Vec<_> = plays
        .iter()
        .filter(|(_, p)| player == Player::Random || lead(p) == best)
        .collect();
    good[random.below(good.len())].0[0]
}

/// A pair of pegs that the rules forbid now.
fn wrong_pair(
    position: &Position,
    side: Side,
    dice: &[u8],
    random: &mut Chance,
) -> Option<(usize, usize)> {
    let bar = position.tiles(side, side.bar()) > 0;
    let pairs: Vec<_> = (0..26)
        .flat_map(|from| (0..26).map(move |to| (from, to)))
        .filter(|&(from, to)| {
            if bar {
                from == side.bar() && to != 25 - side.bar()
            } else {
                from != to && from % 25 != 0
            }
        })
        .filter(|&(_, to)| to % 25 != 0 || to == 25 - side.bar())
        .filter(|&(from, to)| position.ways(side, dice, from, to).is_empty())
        .collect();
    (!pairs.is_empty()).then(|| pairs[random.below(pairs.len())])
}

/// Everything a game needs to know.
struct Game<'a> {
    atari: &'a mut Atari,
    players: [Player; 2],
    ports: [usize; 2],
    random: Chance,
    position: Position,
    turns: u32,
    moves: Vec<u32>,
    refused: u32,
    limit: u32,
}

/// Plays a game that [`start`] has prepared, with the sticks in these ports, until one side wins.
///
/// # Errors
/// When the program breaks a rule, says something unknown, or the game does not end within `limit` frames.
pub fn play(
    atari: &mut Atari,
    players: [Player; 2],
    ports: [usize; 2],
    seed: u64,
    limit: u32,
) -> Result<Ending, String> {
    let mut game = Game {
        atari,
        players,
        ports,
        random: Chance::new(seed),
        position: Position::start(),
        turns: 0,
        moves: Vec::new(),
        refused: 0,
        limit,
    };
    let winner = game.whole()?;
    Ok(Ending {
        winner,
        turns: game.turns,
        moves: game.moves,
        refused: game.refused,
        frames: atari.frames,
    })
}

impl Game<'_> {
    fn fault<T>(&self, what: &str) -> Result<T, String> {
        Err(format!(
            "{what}\n{:?}, dice {:?}, turn {}, frame {}\n{}",
            self.position,
            dice(self.atari),
            self.turns,
            self.atari.frames,
            self.atari.text()
        ))
    }

    /// Runs until the message is not one of these, and written to its end.
    fn past(&mut self, messages: &[&str]) -> Result<String, String> {
        let mut last = String::new();
        loop {
            let now = message(self.atari);
            if !now.is_empty() && now == last && !messages.iter().any(|m| now.contains(m)) {
                return Ok(now);
            }
            if self.atari.frames > self.limit {
                return self.fault("no end");
            }
            last = now;
            self.atari.run(1);
        }
    }

    /// Runs until a pair of pegs is answered: the message changes, or (where the next tile enters from the bar at once) the box of
    /// the destination is empty again.
    fn answer(&mut self) -> Result<String, String> {
        let boxed = |atari: &Atari| {
            let text = atari.text();
            let line = text.lines().rev().nth(2).unwrap_or_default();
            line.chars()
                .skip(18)
                .any(|c| c.is_ascii_digit() || c == ':')
        };
        let asked = self.atari.frames;
        let mut filled = false;
        loop {
            let now = message(self.atari);
            if !now.contains("TO WHERE") {
                return self.past(&["TO WHERE."]);
            }
            match (filled, boxed(self.atari)) {
                (false, true) => filled = true,
                (true, false) => return Ok(now),
                _ => {}
            }
            if self.atari.frames > asked + 600 {
                return self.fault("no answer");
            }
            self.atari.run(1);
        }
    }

    /// Does the screen show this position?
    fn compare(&mut self, expected: &[Position], what: &str) -> Result<(), String> {
        let seen = position(self.atari)?;
        if !expected.contains(&seen) {
            return self.fault(&format!("{what}: the board shows {seen:?}"));
        }
        self.position = seen;
        Ok(())
    }

    fn whole(&mut self) -> Result<Side, String> {
        let mut turn = 0;
        loop {
            let text = self.atari.text();
            let now = message(self.atari);
            if now.contains("PRESS THE TRIGGER") {
                trigger(self.atari, self.ports[0], 8, 3);
                self.past(&["PRESS THE TRIGGER"])?;
                continue;
            }
            let number = text
                .split_once("TURN ")
                .and_then(|(_, rest)| rest.split_whitespace().next()?.parse::<u32>().ok());
            let begun = ["THINKS", "FROM WHERE", "TO WHERE", "MUST PASS", "NO MOVE"]
                .iter()
                .any(|m| now.contains(m));
            if let Some(number) = number.filter(|&n| n != turn && begun) {
                turn = number;
                self.turns += 1;
                let side = match text.lines().rev().nth(2).map(|l| l.contains('<')) {
                    Some(true) => Side::Blue,
                    _ => Side::Green,
                };
                self.compare(&[self.position], "before a turn")?;
                self.atari.run(1);
                let end = if self.players[side as usize] == Player::Computer {
                    self.computer(side)?
                } else {
                    self.person(side)?
                };
                if end.contains("WINS") {
                    return self.result(side);
                }
                continue;
            }
            if self.atari.frames > self.limit {
                return self.fault("no end");
            }
            self.atari.run(1);
        }
    }

    fn computer(&mut self, side: Side) -> Result<String, String> {
        let start = self.atari.frames;
        let dice = dice(self.atari);
        let plays = self.position.plays(side, &dice);
        let mut expected: Vec<Position> = plays.into_iter().map(|(_, after)| after).collect();
        if expected.is_empty() {
            expected.push(self.position);
        }
        // It also says each of its moves, as in "GREEN 24-21 HIT".
        let end = self.past(&["THINKS", "MUST PASS", "-"])?;
        self.moves.push(self.atari.frames - start);
        self.compare(&expected, &format!("the computer's play of {dice:?}"))?;
        Ok(end)
    }

    /// A message about a wrong entry stays for two seconds, and from then on until the next move of the cursor.
    fn ask_again(&mut self, port: usize) -> Result<(), String> {
        let refusal = message(self.atari);
        self.atari.run(90);
        push(self.atari, port, [false, false, true, false], 20);
        self.atari.run(12);
        if message(self.atari) != refusal {
            return self.fault("a message went before two seconds had passed");
        }
        for way in [3, 2, 3, 2] {
            self.atari.run(60);
            push(self.atari, port, std::array::from_fn(|n| n == way), 20);
            self.atari.run(12);
            if message(self.atari).contains("WHERE") {
                return Ok(());
            }
        }
        self.fault("the question does not come back")
    }

    fn person(&mut self, side: Side) -> Result<String, String> {
        let port = self.ports[side as usize];
        let mut rest = dice(self.atari);
        loop {
            let now = self.past(&["FROM WHERE."])?;
            let most = self.position.playable(side, &rest);
            if now.contains("NO MOVE IS") || now.contains("THROWS") || now.contains("WINS") {
                if most > 0 {
                    return self.fault("the turn ended too soon");
                }
                return self.past(&["NO MOVE IS"]);
            }
            if !now.contains("WHERE") {
                return self.fault("what does this mean?");
            }
            let seen = dice(self.atari);
            if seen != rest {
                return self.fault(&format!("the dice should be {rest:?}"));
            }
            if most == 0 {
                return self.fault("no move is possible");
            }
            let wrong = (self.random.below(WRONG) == 0)
                .then(|| wrong_pair(&self.position, side, &rest, &mut self.random))
                .flatten();
            let player = self.players[side as usize];
            let (from, to) = wrong
                .unwrap_or_else(|| choose(player, &self.position, side, &rest, &mut self.random));
            // The boxes are written after the message, and then the stick is looked at. With 32K a press in the first fifth of a
            // second of a turn picks nothing.
            if self.position.tiles(side, side.bar()) == 0 {
                self.atari.run(30);
                point_at(self.atari, port, from)?;
            }
            let now = self.past(&["FROM WHERE"])?;
            let answer = if now.contains("TO WHERE") {
                self.atari.run(12);
                point_at(self.atari, port, to)?;
                self.answer()?
            } else {
                now
            };
            let refused = ["THAT IS NO MOVE", "NOT YOUR TILE", "USE ALL YOUR DICE"]
                .iter()
                .any(|m| answer.contains(m));
            if refused != wrong.is_some() {
                return self.fault(&format!(
                    "{from}-{to} with {rest:?} was answered by {answer}"
                ));
            }
            if refused {
                self.refused += 1;
                self.compare(&[self.position], "after a wrong entry")?;
                self.ask_again(port)?;
                continue;
            }
            let ways = self.position.ways(side, &rest, from, to);
            let expected: Vec<Position> = ways.iter().map(|(after, _)| *after).collect();
            self.compare(&expected, &format!("{from}-{to}"))?;
            if self.position.winner().is_some() {
                return Ok(answer);
            }
            self.atari.run(1);
            let seen = dice(self.atari);
            let after = self.position;
            let left = ways
                .into_iter()
                .find(|(p, left)| *p == after && *left == seen);
            let Some((_, left)) = left else {
                return self.fault("the dice that are left");
            };
            rest = left;
            if rest.is_empty() {
                return Ok(answer);
            }
        }
    }

    /// Compares the line of the result.
    fn result(&mut self, side: Side) -> Result<Side, String> {
        let Some(winner) = self.position.winner().filter(|&w| w == side) else {
            return self.fault("nobody has won");
        };
        let loser = winner.other();
        let (mut tiles, mut score) = (0, 0);
        for peg in 0..26 {
            let way = if loser == Side::Blue { 25 - peg } else { peg };
            let count = u32::try_from(self.position.tiles(loser, peg)).unwrap_or(0);
            tiles += count;
            // One for a tile in the last quarter, up to four in the first, five on the bar.
            score += count * (way as u32).div_ceil(6);
        }
        let line = format!(
            "WON BY {tiles} TILES IN {} TURNS, SCORE {score}",
            self.turns.div_ceil(2)
        );
        if !self.atari.wait_for_text(&line, 600) {
            return self.fault(&format!("the result should be: {line}"));
        }
        Ok(winner)
    }
}

/// One game against a random legal player, for `xtask strength`.
///
/// # Errors
/// As [`play`].
pub fn against_random(seed: u64) -> Result<Record, String> {
    record(Player::Random, seed)
}

/// One game against a player that takes the play after which it is ahead by most pips.
///
/// # Errors
/// As [`play`].
pub fn against_greedy(seed: u64) -> Result<Record, String> {
    record(Player::Greedy, seed)
}

/// The program is green, and play is quick.
fn record(player: Player, seed: u64) -> Result<Record, String> {
    let mut atari = Atari::with_game("gammon", machine::Model::Xl800, machine::Tv::Ntsc, seed);
    start(&mut atari, "ANNA", "ATARI", true);
    let ending = play(
        &mut atari,
        [player, Player::Computer],
        [0, 1],
        seed,
        60 * 60 * 60,
    )?;
    Ok(Record {
        winner: match ending.winner {
            Side::Blue => Winner::Player,
            Side::Green => Winner::Computer,
        },
        moves: ending.moves,
        refused: ending.refused,
    })
}
