//! The machine language of Computer Gammon against the rules: what can be played, what is refused, and that the computer's choice is
//! a play of the rules.
use cpu6502::{Bus, Cpu};
use tests::random::Random;
use tests::rules::gammon::{Position, Side};

/// The page of the program, and its parts (roms/games/gammon/engine.s).
const PAGE: u16 = 0x96;
const ENGINE: u16 = (PAGE << 8) + 128;
const BOARD: u16 = ENGINE + 1220;
const FROM: u16 = BOARD + 26;
const TO: u16 = FROM + 4;

/// Flat memory, and of POKEY its random numbers.
struct Memory(Vec<u8>, Random);

impl Bus for Memory {
    fn read(&mut self, address: u16) -> u8 {
        if address == 0xD20A {
            return self.1.below(256) as u8;
        }
        self.0[usize::from(address)]
    }
    fn write(&mut self, address: u16, data: u8) {
        self.0[usize::from(address)] = data;
    }
    fn irq(&self) -> bool {
        false
    }
}

/// The engine as the listing builds it.
struct Engine {
    memory: Memory,
    cpu: Cpu,
}

/// The bytes of six-bit DATA lines from `line` on.
fn data(listing: &str, line: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for text in listing.lines() {
        let (number, rest) = text.split_once(" DATA ").unwrap_or(("0", ""));
        if number.parse::<u32>().unwrap_or(0) < line {
            continue;
        }
        if rest == "*" {
            break;
        }
        for c in rest.bytes() {
            bits = bits << 6 | u32::from(if c == b'z' { 32 } else { c & 0x3F });
            count += 6;
            if count >= 8 {
                count -= 8;
                bytes.push((bits >> count) as u8);
            }
        }
    }
    bytes
}

impl Engine {
    fn new() -> Self {
        let listing = &tests::game_listing("gammon", 24).unwrap();
        let mut memory = Memory(vec![0; 65_536], Random(99));
        let mut put = |at: u16, bytes: &[u8]| {
            memory.0[usize::from(at)..usize::from(at) + bytes.len()].copy_from_slice(bytes);
        };
        put(PAGE << 8, &data(listing, 8020));
        put(0x5000, &data(listing, 8070));
        let mut engine = Self {
            memory,
            cpu: Cpu::new(),
        };
        engine.usr(ENGINE + 9, &[0x5000, PAGE]);
        engine
    }

    /// Calls as USR does, and returns the result and the cycles.
    fn usr(&mut self, address: u16, arguments: &[u16]) -> (u16, u32) {
        const STUB: u16 = 0x4000;
        let mut code = Vec::new();
        let back = STUB + 0x100;
        for byte in (back - 1).to_be_bytes() {
            code.extend([0xA9, byte, 0x48]);
        }
        for byte in arguments.iter().rev().flat_map(|a| {
            let [low, high] = a.to_le_bytes();
            [low, high]
        }) {
            code.extend([0xA9, byte, 0x48]);
        }
        code.extend([0xA9, arguments.len() as u8, 0x48, 0x4C]);
        code.extend(address.to_le_bytes());
        let at = usize::from(STUB);
        self.memory.0[at..at + code.len()].copy_from_slice(&code);
        self.cpu.set_pc(STUB);
        for cycles in 0..50_000_000 {
            if self.cpu.at_instruction_start() && self.cpu.next_address() == back {
                return (
                    u16::from_le_bytes([self.memory.0[0xD4], self.memory.0[0xD5]]),
                    cycles,
                );
            }
            self.cpu.step(&mut self.memory);
        }
        panic!("${address:04X} does not return");
    }

    fn put(&mut self, position: &Position) {
        for (peg, &tiles) in (BOARD..).zip(&position.pegs) {
            self.memory.0[usize::from(peg)] = tiles as u8;
        }
    }

    /// The steps that a call has left, as the rules number pegs.
    fn steps(&self, side: Side, count: u16) -> Vec<(usize, usize)> {
        let peg = |at: u16| {
            let peg = usize::from(self.memory.0[usize::from(at)]);
            if side == Side::Blue { peg } else { 25 - peg }
        };
        (0..count).map(|i| (peg(FROM + i), peg(TO + i))).collect()
    }
}

/// The arguments of a call: side, number of dice, two of them.
fn call(side: Side, dice: &[u8]) -> [u16; 4] {
    // What stands for the second of one die must not matter.
    let second = dice.get(1).copied().unwrap_or(7 - dice[0]);
    [
        side as u16,
        dice.len() as u16,
        u16::from(dice[0]),
        u16::from(second),
    ]
}

#[test]
fn the_engine_finds_what_the_rules_find() {
    let mut engine = Engine::new();
    let mut random = Random(4711);
    let (mut turns, mut longest) = (0, 0);
    let mut times = Vec::new();
    for _ in 0..12 {
        let mut position = Position::start();
        let mut side = Side::Blue;
        while position.winner().is_none() {
            let (one, two) = (random.below(6) as u8 + 1, random.below(6) as u8 + 1);
            let mut dice = if one == two {
                vec![one; 4]
            } else {
                vec![one, two]
            };
            let plays = position.plays(side, &dice);
            let most = plays.first().map_or(0, |play| play.0.len());
            engine.put(&position);
            let (count, _) = engine.usr(ENGINE, &call(side, &dice));
            assert_eq!(
                usize::from(count),
                most,
                "{position:?} {side:?} {dice:?}: dice that can be played"
            );
            let (count, cycles) = engine.usr(ENGINE + 3, &call(side, &dice));
            longest = longest.max(cycles);
            times.push(cycles);
            assert_eq!(usize::from(count), most);
            let mut after = position;
            let mut rest = dice.clone();
            for (i, (from, to)) in engine.steps(side, count).into_iter().enumerate() {
                let die = engine.memory.0[usize::from(TO + 4 + i as u16)];
                let at = rest.iter().position(|&d| d == die).unwrap();
                rest.remove(at);
                let (reached, next) = after
                    .step(side, from, die)
                    .unwrap_or_else(|| panic!("{after:?} {side:?}: {from} by {die}"));
                assert_eq!(reached, to);
                after = next;
            }
            // The moves of a human player: every pair of pegs, with what is left of the dice after each.
            let mut now = position;
            while !dice.is_empty() {
                let most = now.playable(side, &dice);
                engine.put(&now);
                let mut allowed = Vec::new();
                for from in 0..26 {
                    for to in 0..26 {
                        let arguments = call(side, &dice);
                        let arguments: Vec<u16> = arguments
                            .into_iter()
                            .chain([from as u16, to as u16])
                            .collect();
                        if now.tiles(side, from) == 0 {
                            continue;
                        }
                        let (answer, _) = engine.usr(ENGINE + 6, &arguments);
                        let single = dice.iter().any(|&d| {
                            now.step(side, from, d).is_some_and(|(t, next)| {
                                let mut left = dice.clone();
                                left.remove(left.iter().position(|&x| x == d).unwrap());
                                t == to && 1 + next.playable(side, &left) == most
                            })
                        });
                        assert_eq!(
                            answer == 1,
                            single,
                            "{now:?} {side:?} {dice:?} {from}-{to}: {answer}"
                        );
                        if (1..=4).contains(&answer) {
                            let steps = engine.steps(side, answer);
                            assert_eq!((steps[0].0, steps[steps.len() - 1].1), (from, to));
                            let used: Vec<u8> = (0..answer)
                                .map(|i| engine.memory.0[usize::from(TO + 4 + i)])
                                .collect();
                            allowed.push((steps, used));
                        }
                    }
                }
                assert_eq!(allowed.is_empty(), most == 0);
                if allowed.is_empty() {
                    break;
                }
                let (steps, used) = allowed.swap_remove(random.below(allowed.len()));
                for (&(from, to), &die) in steps.iter().zip(&used) {
                    let (reached, next) = now.step(side, from, die).unwrap();
                    assert_eq!(reached, to);
                    now = next;
                    dice.remove(dice.iter().position(|&d| d == die).unwrap());
                }
            }
            // Random plays lead to odd positions, the engine's to an end.
            position = if random.below(3) == 0 { now } else { after };
            turns += 1;
            side = side.other();
        }
    }
    times.sort_unstable();
    println!(
        "{turns} turns; the best play took {} cycles in the middle, {longest} at most",
        times[times.len() / 2]
    );
}

#[test]
fn in_a_race_the_tiles_outside_come_home_first() {
    let mut engine = Engine::new();
    for (side, sign) in [(Side::Blue, 1), (Side::Green, -1)] {
        let mut position = Position {
            pegs: [0; 26],
            ..Position::start()
        };
        let peg = |n: usize| if side == Side::Blue { 25 - n } else { n };
        // Green stands as in a game that was lost by 6-2 and 4-1 while three tiles stood outside; the other side is past it.
        for (n, tiles) in [(9, 3), (6, 3), (5, 2), (4, 2), (2, 2), (1, 3)] {
            position.pegs[peg(n)] = sign * tiles;
        }
        for (n, tiles) in [(19, 5), (20, 5), (23, 5)] {
            position.pegs[peg(n)] = -sign * tiles;
        }
        for one in 1..=6 {
            for two in 1..=6 {
                engine.put(&position);
                let dice = [one, two];
                let dice = if one == two { &[one; 4][..] } else { &dice[..] };
                let (count, _) = engine.usr(ENGINE + 3, &call(side, dice));
                let steps = engine.steps(side, count);
                assert_eq!(steps.len(), dice.len());
                let home = |p: usize| if side == Side::Blue { p >= 19 } else { p <= 6 };
                let came = steps.iter().filter(|(from, to)| !home(*from) && home(*to));
                assert!(
                    came.count() == 3 || steps.iter().all(|(from, _)| !home(*from)),
                    "{side:?} {dice:?}: {steps:?}"
                );
            }
        }
    }
}

/// The move of an opponent with a throw.
fn opponent(
    greedy: bool,
    position: &Position,
    side: Side,
    dice: &[u8],
    random: &mut Random,
) -> Position {
    let plays = position.plays(side, dice);
    let lead = |p: &Position| p.pips(side.other()) - p.pips(side);
    let best = plays.iter().map(|(_, p)| lead(p)).max();
    let good: Vec<_> = plays
        .iter()
        .filter(|(_, p)| !greedy || Some(lead(p)) == best)
        .collect();
    if good.is_empty() {
        *position
    } else {
        good[random.below(good.len())].1
    }
}

/// Games that the engine wins of 500, sides and beginners by turns.
fn won(greedy: bool) -> u32 {
    let mut engine = Engine::new();
    let mut random = Random(271_828);
    let mut won = 0;
    for game in 0..500 {
        let engines = if game % 2 == 0 {
            Side::Blue
        } else {
            Side::Green
        };
        let mut side = if game % 4 < 2 {
            Side::Blue
        } else {
            Side::Green
        };
        let mut position = Position::start();
        while position.winner().is_none() {
            let (one, two) = (random.below(6) as u8 + 1, random.below(6) as u8 + 1);
            let dice = if one == two {
                vec![one; 4]
            } else {
                vec![one, two]
            };
            if side == engines {
                engine.put(&position);
                let (count, _) = engine.usr(ENGINE + 3, &call(side, &dice));
                for (i, (from, _)) in engine.steps(side, count).into_iter().enumerate() {
                    let die = engine.memory.0[usize::from(TO + 4 + i as u16)];
                    position = position.step(side, from, die).unwrap().1;
                }
            } else {
                position = opponent(greedy, &position, side, &dice, &mut random);
            }
            side = side.other();
        }
        won += u32::from(position.winner() == Some(engines));
    }
    println!(
        "won {won} of 500 against {}",
        if greedy { "greed" } else { "chance" }
    );
    won
}

#[test]
fn the_engine_wins_more_than_95_of_100_games_against_chance() {
    assert!(won(false) > 475);
}

#[test]
fn the_engine_wins_more_than_60_of_100_games_against_a_pip_count() {
    assert!(won(true) > 300);
}
