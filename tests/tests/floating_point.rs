//! The floating point package of the OS ROMs against a model on whole numbers, by calling the routines at their fixed
//! addresses.

use cpu6502::{Bus, Cpu, flags};
use roms::{OS_800, OS_XL};
use tests::fp_model::{Number, Overflow};
use tests::random::Random;

const AFP: u16 = 0xD800;
const FASC: u16 = 0xD8E6;
const IFP: u16 = 0xD9AA;
const FPI: u16 = 0xD9D2;
const FSUB: u16 = 0xDA60;
const FADD: u16 = 0xDA66;
const FMUL: u16 = 0xDADB;
const FDIV: u16 = 0xDB28;
const NORMALIZE: u16 = 0xDC00;
const PLYEVL: u16 = 0xDD40;
const EXP: u16 = 0xDDC0;
const EXP10: u16 = 0xDDCC;
const REDRNG: u16 = 0xDE95;
const LOG: u16 = 0xDECD;
const LOG10: u16 = 0xDED1;

const FR0: u16 = 0xD4;
const FR1: u16 = 0xE0;
const CIX: u16 = 0xF2;
const INBUFF: u16 = 0xF3;

/// Random cases of each routine.
const CASES: usize = 100_000;

struct Ram {
    bytes: Box<[u8; 0x10000]>,
    done: bool,
}

/// A write here ends a call.
const DONE: u16 = 0x0700;

impl Bus for Ram {
    fn read(&mut self, address: u16) -> u8 {
        self.bytes[usize::from(address)]
    }
    fn write(&mut self, address: u16, data: u8) {
        assert!(address < 0x2000, "wrote {address:04X}");
        self.bytes[usize::from(address)] = data;
        self.done |= address == DONE;
    }
    fn irq(&self) -> bool {
        false
    }
}

/// An OS ROM on a bare processor.
struct Package {
    cpu: Cpu,
    ram: Ram,
}

impl Package {
    fn new(rom: &[u8]) -> Self {
        let mut bytes: Box<[u8; 0x10000]> = vec![0x55; 0x10000].try_into().unwrap();
        bytes[0x10000 - rom.len()..].copy_from_slice(rom);
        // JSR routine, PHP, PLA, STA DONE
        bytes[0x0600..0x0608].copy_from_slice(&[0x20, 0, 0, 0x08, 0x68, 0x8D, 0x00, 0x07]);
        Self {
            cpu: Cpu::new(),
            ram: Ram { bytes, done: false },
        }
    }

    fn set(&mut self, address: u16, bytes: &[u8]) {
        self.ram.bytes[usize::from(address)..][..bytes.len()].copy_from_slice(bytes);
    }

    fn bytes<const N: usize>(&self, address: u16) -> [u8; N] {
        self.ram.bytes[usize::from(address)..][..N]
            .try_into()
            .unwrap()
    }

    /// Calls a routine with A, X and Y; the carry flag and the cycles.
    fn call(&mut self, routine: u16, registers: (u8, u8, u8)) -> (bool, u64) {
        self.set(0x0601, &routine.to_le_bytes());
        (self.cpu.a, self.cpu.x, self.cpu.y) = registers;
        self.cpu.s = 0xFF;
        self.cpu.set_pc(0x0600);
        self.ram.done = false;
        let mut cycles = 0;
        while !self.ram.done {
            self.cpu.step(&mut self.ram);
            cycles += 1;
            assert!(cycles < 200_000, "{routine:04X} does not end");
        }
        let p = self.ram.bytes[usize::from(DONE)];
        assert_eq!(p & flags::D, 0, "{routine:04X} leaves decimal mode on");
        assert_eq!(self.cpu.s, 0xFF, "{routine:04X} leaves the stack uneven");
        (p & flags::C != 0, cycles - 17)
    }

    /// FR0 after a routine on one or two numbers.
    fn result(&mut self, routine: u16, a: Number, b: Number) -> (Result<Number, Overflow>, u64) {
        self.set(FR0, &a.bytes());
        self.set(FR1, &b.bytes());
        let (carry, cycles) = self.call(routine, (0, 0, 0));
        let bytes = self.bytes(FR0);
        let number = Number::from_bytes(bytes);
        if !carry {
            assert_eq!(number.bytes(), bytes, "FR0 is not in normal form");
        }
        (if carry { Err(Overflow) } else { Ok(number) }, cycles)
    }
}

/// Numbers that only a test would think of.
struct Dice(Random);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0.next() % bound
    }

    /// One to ten digits, often few, often with nines and zeros inside.
    fn digits(&mut self) -> u64 {
        let count = 1 + self.below(10) as u32;
        let mut digits = self.below(10u64.pow(count));
        match self.below(8) {
            0 => digits = 10u64.pow(count) - 1 - self.below(3),
            1 => digits = digits / 1000 * 1000 + self.below(2),
            _ => {}
        }
        digits
    }

    /// A number whose first pair has a power of 100 of `lowest` to `highest`.
    fn number(&mut self, lowest: i32, highest: i32) -> Number {
        let exponent = lowest + self.below((highest - lowest + 1) as u64) as i32;
        let negative = self.below(2) == 0;
        let mut number = Number::normal(negative, 0, self.digits()).unwrap();
        number.exponent = if number.digits == 0 { 0 } else { exponent };
        number
    }

    /// Pairs of numbers: near each other, far apart, at the ends of the range.
    fn pair(&mut self) -> (Number, Number) {
        match self.below(4) {
            0 => (self.number(-49, 48), self.number(-49, 48)),
            1 => (self.number(-49, -40), self.number(-49, -40)),
            2 => (self.number(40, 48), self.number(40, 48)),
            _ => (self.number(-3, 3), self.number(-3, 3)),
        }
    }
}

/// Runs one routine on both ROMs and compares every result; the mean and the largest cycles.
fn compare(
    name: &str,
    routine: u16,
    model: impl Fn(Number, Number) -> Result<Number, Overflow>,
    mut pairs: impl FnMut(&mut Dice) -> (Number, Number),
) {
    for (rom, cases) in [(OS_XL, CASES), (OS_800, CASES)] {
        let mut package = Package::new(rom);
        let mut dice = Dice(Random(routine.into()));
        let (mut total, mut most) = (0, 0);
        for _ in 0..cases {
            let (a, b) = pairs(&mut dice);
            let (got, cycles) = package.result(routine, a, b);
            assert_eq!(got, model(a, b), "{name} of {} and {}", a.text(), b.text());
            total += cycles;
            most = most.max(cycles);
        }
        println!(
            "{name}: {cases} cases, {} cycles on average, {most} at most",
            total / cases as u64
        );
    }
}

#[test]
fn fadd_is_exact_to_the_digits_of_the_larger_number() {
    compare("FADD", FADD, Number::plus, |dice| match dice.below(2) {
        0 => dice.pair(),
        _ => (dice.number(0, 4), dice.number(0, 4)),
    });
}

/// The range ends at 9.99999999E+97; BASIC's own checks hide what a program finds that adds by itself.
#[test]
fn a_number_beyond_the_range_plus_zero_is_an_error() {
    let beyond = [0x71, 0x01, 0, 0, 0, 0];
    let largest = [0x70, 0x99, 0x99, 0x99, 0x99, 0x99];
    for rom in [OS_XL, OS_800] {
        let mut package = Package::new(rom);
        for routine in [FADD, FSUB] {
            for (number, error) in [(beyond, true), (largest, false)] {
                for (first, second) in [(FR0, FR1), (FR1, FR0)] {
                    package.set(first, &number);
                    package.set(second, &[0; 6]);
                    assert_eq!(package.call(routine, (0, 0, 0)).0, error);
                }
            }
        }
        // A number too small to count changes nothing about it.
        package.set(FR0, &beyond);
        package.set(FR1, &[0x40, 0x01, 0, 0, 0, 0]);
        assert!(package.call(FADD, (0, 0, 0)).0);
    }
}

#[test]
fn fsub_is_exact_to_the_digits_of_the_larger_number() {
    compare(
        "FSUB",
        FSUB,
        |a, b| a.plus(b.negated()),
        |dice| match dice.below(2) {
            0 => dice.pair(),
            _ => (dice.number(0, 4), dice.number(0, 4)),
        },
    );
}

#[test]
fn fmul_is_the_cut_product() {
    compare("FMUL", FMUL, Number::times, Dice::pair);
}

#[test]
fn fdiv_is_the_cut_quotient() {
    compare("FDIV", FDIV, Number::over, Dice::pair);
}

#[test]
fn full_length_factors_take_their_time_but_stay_exact() {
    let full = |dice: &mut Dice| {
        let mut one = || Number {
            negative: false,
            exponent: 0,
            digits: 100_000_000 + dice.below(9_900_000_000),
        };
        (one(), one())
    };
    compare("FMUL, ten digits", FMUL, Number::times, full);
    compare("FDIV, ten digits", FDIV, Number::over, full);
}

#[test]
fn normalize_moves_the_first_pair_up() {
    for rom in [OS_XL, OS_800] {
        let mut package = Package::new(rom);
        let mut dice = Dice(Random(1));
        for entry in [NORMALIZE, NORMALIZE - 1] {
            for _ in 0..CASES / 10 {
                let number = dice.number(-40, 48);
                let zeros = dice.below(6) as u32;
                let mut raw = number;
                raw.digits /= 100u64.pow(zeros);
                let mut bytes = raw.bytes();
                bytes[0] = number.bytes()[0];
                package.set(FR0, &bytes);
                let (carry, _) = package.call(entry, (0, 0, 0));
                let expected = Number::normal(raw.negative, raw.exponent, raw.digits).unwrap();
                assert_eq!((package.bytes(FR0), carry), (expected.bytes(), false));
            }
        }
    }
}

#[test]
fn every_word_becomes_its_number_and_comes_back() {
    for rom in [OS_XL, OS_800] {
        let mut package = Package::new(rom);
        let mut total = 0;
        for word in 0..=u16::MAX {
            package.set(FR0, &word.to_le_bytes());
            let (carry, cycles) = package.call(IFP, (0, 0, 0));
            let bytes = package.bytes(FR0);
            assert_eq!((bytes, carry), (Number::from_word(word).bytes(), false));
            let (carry, back) = package.call(FPI, (0, 0, 0));
            assert_eq!((package.bytes(FR0), carry), (word.to_le_bytes(), false));
            total += cycles + back;
        }
        println!("IFP and FPI: {} cycles on average", total / 65536);
    }
}

#[test]
fn fpi_rounds_halves_up_and_refuses_what_is_no_word() {
    for rom in [OS_XL, OS_800] {
        let mut package = Package::new(rom);
        let mut dice = Dice(Random(2));
        let mut total = 0;
        for case in 0..CASES {
            let mut number = dice.number(-3, 3);
            if case % 2 == 0 {
                number.negative = false;
            }
            package.set(FR0, &number.bytes());
            let (carry, cycles) = package.call(FPI, (0, 0, 0));
            total += cycles;
            let got = u16::from_le_bytes(package.bytes(FR0));
            let expected = number.to_word();
            assert_eq!(
                if carry { Err(Overflow) } else { Ok(got) },
                expected,
                "FPI of {}",
                number.text()
            );
        }
        println!("FPI: {} cycles on average", total / CASES as u64);
        for (text, word) in [
            ("65535.49", Ok(65535)),
            ("65535.5", Ok(0)),
            ("65536", Err(Overflow)),
            ("-0.1", Err(Overflow)),
            ("0.5", Ok(1)),
            ("0.4999999999", Ok(0)),
        ] {
            let number = Number::parse(text).unwrap().0;
            package.set(FR0, &number.bytes());
            let (carry, _) = package.call(FPI, (0, 0, 0));
            let got = u16::from_le_bytes(package.bytes(FR0));
            assert_eq!(if carry { Err(Overflow) } else { Ok(got) }, word, "{text}");
        }
    }
}

/// The text that FASC leaves.
fn printed(package: &Package) -> String {
    let start = u16::from_le_bytes(package.bytes(INBUFF));
    assert!((0x057E..=0x0581).contains(&start), "INBUFF = {start:04X}");
    let mut text = String::new();
    for address in start..start + 20 {
        let [byte] = package.bytes(address);
        text.push((byte & 0x7F).into());
        if byte & 0x80 != 0 {
            return text;
        }
    }
    panic!("no end after {text}");
}

#[test]
fn fasc_prints_every_number_as_documented() {
    for (rom, cases) in [(OS_XL, CASES), (OS_800, CASES)] {
        let mut package = Package::new(rom);
        let mut dice = Dice(Random(3));
        let mut total = 0;
        for case in 0..cases {
            let number = if case % 2 == 0 {
                dice.number(-2, 5)
            } else {
                dice.number(-49, 48)
            };
            package.set(FR0, &number.bytes());
            let (carry, cycles) = package.call(FASC, (0, 0, 0));
            total += cycles;
            assert_eq!((printed(&package), carry), (number.text(), false));
        }
        println!("FASC: {} cycles on average", total / cases as u64);
    }
}

/// A text that is often a number.
fn scribble(dice: &mut Dice) -> String {
    let mut text = " ".repeat(dice.below(3) as usize);
    text.push_str(["", "", "", "-", "+", "--"][dice.below(6) as usize]);
    let digits = |dice: &mut Dice, most| {
        let count = dice.below(most);
        (0..count)
            .map(|_| {
                if dice.below(3) == 0 {
                    '0'
                } else {
                    char::from(b'0' + dice.below(10) as u8)
                }
            })
            .collect::<String>()
    };
    text += &digits(dice, 14);
    if dice.below(2) == 0 {
        text.push('.');
        text += &digits(dice, 14);
    }
    if dice.below(3) == 0 {
        text += ["E", "E+", "E-", "EX"][dice.below(4) as usize];
        text += &digits(dice, 4);
    }
    text += ["", "", " ", ",", ".5", "X", "/", ":", "E"][dice.below(9) as usize];
    text
}

#[test]
fn afp_reads_numbers_and_stops_behind_them() {
    for (rom, cases) in [(OS_XL, CASES), (OS_800, CASES)] {
        let mut package = Package::new(rom);
        let mut dice = Dice(Random(4));
        let mut total = 0;
        let mut texts: Vec<String> = (0..cases).map(|_| scribble(&mut dice)).collect();
        texts.extend(
            [
                "", "-", ".", "-.", "1E+00", "1E0", "9E99", "1E98", "1E97", "1E-98", "1E-99",
            ]
            .map(String::from),
        );
        texts.push("1".repeat(140));
        texts.push(format!("0.{}1", "0".repeat(140)));
        texts.push(format!("{}1E-9", "0".repeat(100)));
        for text in texts {
            let offset = dice.below(100) as u8;
            package.set(0x0400 + u16::from(offset), text.as_bytes());
            package.set(0x0400 + u16::from(offset) + text.len() as u16, &[0x9B]);
            package.set(CIX, &[offset, 0x00, 0x04]);
            let (carry, cycles) = package.call(AFP, (0, 0, 0));
            total += cycles;
            let [end] = package.bytes(CIX);
            let got = Number::from_bytes(package.bytes(FR0));
            let end = usize::from(end - offset);
            let result = if carry { Err(end) } else { Ok((got, end)) };
            assert_eq!(result, Number::parse(&text), "AFP of {text:?}");
        }
        println!("AFP: {} cycles on average", total / cases as u64);
    }
}

#[test]
fn afp_ends_in_a_page_of_digits() {
    for rom in [OS_XL, OS_800] {
        let mut package = Package::new(rom);
        package.set(0x0400, &[b'7'; 0x200]);
        for offset in [0, 100] {
            package.set(CIX, &[offset, 0x00, 0x04]);
            assert!(package.call(AFP, (0, 0, 0)).0, "7 x 10^156 and more");
            assert_eq!(package.bytes(CIX), [0]);
        }
    }
}

// An array that a program has dimensioned but not filled holds whatever was in memory.
#[test]
fn routines_end_whatever_the_bytes_are() {
    for rom in [OS_XL, OS_800] {
        let mut package = Package::new(rom);
        let mut dice = Dice(Random(7));
        for case in 0..CASES {
            let routines = [
                FADD, FSUB, FMUL, FDIV, FPI, FASC, NORMALIZE, LOG, EXP, EXP10,
            ];
            let count = if case % 50 == 0 { 10 } else { 7 };
            let routine = routines[dice.below(count) as usize];
            let bytes: Vec<u8> = (0..12)
                .map(|_| [0, 0x99, 0xFF, dice.0.byte()][dice.below(4) as usize])
                .collect();
            package.set(FR0, &bytes[..6]);
            package.set(FR1, &bytes[6..]);
            let kept: [u8; 0x54] = package.bytes(0x80);
            package.call(routine, (0, 0, 0));
            assert_eq!(package.bytes(0x80), kept, "{routine:04X} of {bytes:02X?}");
        }
    }
}

#[test]
fn plyevl_is_horners_rule() {
    for rom in [OS_XL, OS_800] {
        let mut package = Package::new(rom);
        let mut dice = Dice(Random(5));
        for _ in 0..CASES / 20 {
            let count = 1 + dice.below(11) as u8;
            let x = dice.number(-1, 0);
            let coefficients: Vec<Number> = (0..count).map(|_| dice.number(-2, 1)).collect();
            for (address, number) in (0x3000..).step_by(6).zip(&coefficients) {
                package.set(address, &number.bytes());
            }
            package.set(FR0, &x.bytes());
            let (carry, _) = package.call(PLYEVL, (count, 0x00, 0x30));
            let expected = coefficients[1..]
                .iter()
                .try_fold(coefficients[0], |sum, next| sum.times(x)?.plus(*next));
            let got = Number::from_bytes(package.bytes(FR0));
            assert_eq!(if carry { Err(Overflow) } else { Ok(got) }, expected);
        }
    }
}

#[test]
fn redrng_is_the_quotient_of_difference_and_sum() {
    for rom in [OS_XL, OS_800] {
        let mut package = Package::new(rom);
        let mut dice = Dice(Random(6));
        for _ in 0..CASES / 20 {
            let mut x = dice.number(-2, 2);
            x.negative = false;
            let c = Number::from_bytes([0x40, 0x03, 0x16, 0x22, 0x77, 0x66]);
            package.set(FR0, &x.bytes());
            // The square root of 10 at $DF66.
            let (carry, _) = package.call(REDRNG, (0, 0x66, 0xDF));
            let expected = x.plus(c.negated()).unwrap().over(x.plus(c).unwrap());
            let got = Number::from_bytes(package.bytes(FR0));
            assert_eq!(if carry { Err(Overflow) } else { Ok(got) }, expected);
        }
    }
}

#[test]
fn loads_and_stores_move_six_bytes() {
    for rom in [OS_XL, OS_800] {
        let mut package = Package::new(rom);
        let number = [0x41, 0x12, 0x34, 0x56, 0x78, 0x90];
        let other = [0xC0, 0x98, 0x76, 0x54, 0x32, 0x10];
        package.set(0x3000, &number);
        package.call(0xDD89, (0, 0x00, 0x30));
        assert_eq!(package.bytes(FR0), number, "FLD0R");
        package.call(0xDDB6, (0, 0, 0));
        assert_eq!(package.bytes(FR1), number, "FMOVE");
        package.set(0x1000, &other);
        package.call(0xDD98, (0, 0x00, 0x10));
        assert_eq!(package.bytes(FR1), other, "FLD1R");
        package.call(0xDDA7, (0, 0x06, 0x10));
        assert_eq!(package.bytes(0x1006), number, "FSTOR");
        package.set(0xFC, &[0x00, 0x10]);
        package.call(0xDD8D, (0, 0, 0));
        assert_eq!(package.bytes(FR0), other, "FLD0P");
        package.set(0xFC, &[0x06, 0x10]);
        package.call(0xDD9C, (0, 0, 0));
        assert_eq!(package.bytes(FR1), number, "FLD1P");
        package.call(0xDDAB, (0, 0, 0));
        assert_eq!(package.bytes(0x1006), other, "FSTOP");
        package.call(0xDA44, (0, 0, 0));
        assert_eq!(package.bytes(FR0), [0; 6], "ZFR0");
        package.call(0xDA46, (0, 0xE0, 0));
        assert_eq!(package.bytes(FR1), [0; 6], "ZF1");
        package.set(FR0, &[1; 12]);
        package.call(0xDA48, (0, 0xD5, 3));
        assert_eq!(package.bytes(FR0), [1, 0, 0, 0, 1, 1], "ZFL");
        package.call(0xDA51, (0, 0, 0));
        assert_eq!(package.bytes(INBUFF), [0x80, 0x05], "LDBUFA");
        package.set(0xF7, &[0x81, 0x40]);
        assert!(!package.call(0xDA5A, (0, 0, 0)).0);
        assert_eq!(package.bytes(0xF7), [0x02, 0x81], "double ZTEMP4");
    }
}

#[test]
fn character_helpers_look_at_the_text() {
    for rom in [OS_XL, OS_800] {
        let mut package = Package::new(rom);
        package.set(0x0400, b"    7/:");
        package.set(CIX, &[1, 0x00, 0x04]);
        package.call(0xDBA1, (0, 0, 0));
        assert_eq!(package.bytes(CIX), [4], "SKPSPC");
        assert!(!package.call(0xDBAF, (0, 0, 0)).0, "ISDIGT of 7");
        for not_digit in [5, 6, 0] {
            package.set(CIX, &[not_digit]);
            assert!(package.call(0xDBAF, (0, 0, 0)).0, "ISDIGT");
        }
    }
}

#[test]
fn routines_leave_alone_what_programs_keep_in_the_zero_page() {
    for rom in [OS_XL, OS_800] {
        let mut package = Package::new(rom);
        let three = Number::parse("3.25").unwrap().0;
        let lists: [(u16, &[u16]); 12] = [
            (FADD, &[0xDE, 0xDF, 0xFB]),
            (FSUB, &[0xDE, 0xDF, 0xFB]),
            (FMUL, &[0xFB, 0xFC, 0xFD, 0xFE, 0xFF]),
            (FDIV, &[0xFB, 0xFC, 0xFD, 0xFE, 0xFF]),
            (IFP, &[0xDE, 0xDF, 0xFB]),
            (FPI, &[0xE0, 0xE1, 0xE2, 0xE3, 0xE4, 0xE5, 0xFB]),
            (FASC, &[0xE6, 0xE7, 0xE8, 0xFB]),
            (EXP, &[0xFB]),
            (EXP10, &[0xFB]),
            (LOG, &[0xFB]),
            (LOG10, &[0xFB]),
            (
                AFP,
                &[
                    0xDA, 0xDB, 0xDC, 0xDD, 0xDE, 0xDF, 0xE0, 0xE1, 0xE2, 0xE3, 0xE4, 0xE5, 0xFB,
                ],
            ),
        ];
        for (routine, kept) in lists {
            package.set(0x0400, b"12.5E3");
            package.set(0x80, &[0x55; 0x80]);
            package.set(CIX, &[0, 0x00, 0x04]);
            package.set(FR0, &three.bytes());
            if routine != FPI && routine != AFP {
                package.set(FR1, &three.bytes());
            }
            let before: Vec<[u8; 1]> = kept.iter().map(|address| package.bytes(*address)).collect();
            package.call(routine, (0, 0, 0));
            let after: Vec<[u8; 1]> = kept.iter().map(|address| package.bytes(*address)).collect();
            assert_eq!(before, after, "{routine:04X}");
            for address in 0x80..0xD4 {
                assert_eq!(
                    package.bytes(address),
                    [0x55],
                    "{routine:04X} {address:02X}"
                );
            }
        }
    }
}

/// A table of coefficients in the ROM as a function.
fn polynomial(address: usize, count: usize) -> impl Fn(f64) -> f64 {
    let bytes = &OS_XL[address - 0xC000..][..6 * count];
    let coefficients: Vec<f64> = bytes
        .chunks(6)
        .map(|six| Number::from_bytes(six.try_into().unwrap()).value())
        .collect();
    move |x| coefficients.iter().fold(0.0, |sum, next| sum * x + next)
}

#[test]
fn tables_compute_what_programs_use_them_for() {
    let exp10 = polynomial(0xDE4D, 10);
    let log10 = polynomial(0xDF72, 10);
    let atan = polynomial(0xDFAE, 11);
    for step in -5_000..=10_000 {
        let x = f64::from(step) / 10_000.0;
        let power = exp10(x) * exp10(x);
        assert!((power / 10f64.powf(x) - 1.0).abs() < 6e-10, "10^{x}");
        if step <= 0 {
            continue;
        }
        assert!((x * atan(x * x) - x.atan()).abs() < 5e-10, "atan {x}");
        let m = 1.0 + 9.0 * x;
        let y = (m - 10f64.sqrt()) / (m + 10f64.sqrt());
        assert!(
            (0.5 + y * log10(y * y) - m.log10()).abs() < 2e-11,
            "log10 {m}"
        );
    }
    for (address, value) in [
        (0xDE89, std::f64::consts::LOG10_E),
        (0xDE8F, 1.0),
        (0xDF66, 10f64.sqrt()),
        (0xDF6C, 0.5),
        (0xDFEA, 1.0),
        (0xDFF0, std::f64::consts::FRAC_PI_4),
    ] {
        assert!(
            (polynomial(address, 1)(0.0) / value - 1.0).abs() < 1e-9,
            "{address:04X}"
        );
    }
}

/// Calls a function of one number; the largest error in units of the last digit of the true value.
fn worst(
    name: &str,
    routine: u16,
    function: impl Fn(Number) -> f64,
    mut arguments: impl FnMut(&mut Dice) -> Number,
) -> f64 {
    let mut package = Package::new(OS_XL);
    let mut dice = Dice(Random(routine.into()));
    let (mut worst, mut at, mut sum, mut total) = (0.0, Number::ZERO, 0.0, 0);
    for _ in 0..CASES {
        let x = arguments(&mut dice);
        let (got, cycles) = package.result(routine, x, Number::ZERO);
        let got = got.unwrap_or_else(|Overflow| panic!("{name} of {}", x.text()));
        total += cycles;
        let want = function(x);
        if want == 0.0 {
            assert_eq!(got, Number::ZERO, "{name} of {}", x.text());
            continue;
        }
        let unit = 100f64.powf((want.abs().log10() / 2.0).floor() - 4.0);
        let error = (got.value() - want).abs() / unit;
        sum += error;
        if error > worst {
            (worst, at) = (error, x);
        }
    }
    println!(
        "{name}: error {:.1} units on average, {worst:.1} at most (at {}), {} cycles",
        sum / CASES as f64,
        at.text(),
        total / CASES as u64
    );
    worst
}

/// Natural logarithm, accurate near 1 too.
fn ln(x: Number) -> f64 {
    let above = match x.exponent {
        0 => (x.digits as i64 - 100_000_000) as f64 / 1e8,
        -1 => (x.digits as i64 - 10_000_000_000) as f64 / 1e10,
        _ => return x.value().ln(),
    };
    above.ln_1p()
}

/// Positive numbers in a range of powers of 100.
fn positive(lowest: i32, highest: i32) -> impl FnMut(&mut Dice) -> Number {
    move |dice| loop {
        let mut number = dice.number(lowest, highest);
        number.negative = false;
        if number.digits != 0 {
            return number;
        }
    }
}

// Nine to ten digits are shown, so an error of 100 units (of ten digits) is one in the eighth or ninth digit shown.
#[test]
fn log10_is_good_to_the_last_digits() {
    let log10 = |x| ln(x) * std::f64::consts::LOG10_E;
    assert!(worst("LOG10", LOG10, log10, positive(-49, 48)) < 100.0);
}

#[test]
fn log_is_good_to_the_last_digits_near_1() {
    assert!(worst("LOG", LOG, ln, positive(-1, 1)) < 100.0);
}

fn within(bound: f64) -> impl FnMut(&mut Dice) -> Number {
    move |dice| loop {
        let number = dice.number(-3, 0);
        if number.value().abs() < bound {
            return number;
        }
    }
}

#[test]
fn exp10_is_good_to_the_last_digits() {
    let power = |x: Number| 10f64.powf(x.value());
    assert!(worst("EXP10", EXP10, power, within(10.0)) < 20.0);
}

#[test]
fn exp_is_good_to_the_last_digits() {
    assert!(worst("EXP", EXP, |x| x.value().exp(), within(90.0)) < 30.0);
}

#[test]
fn logarithms_and_powers_of_ten_are_exact() {
    for rom in [OS_XL, OS_800] {
        let mut package = Package::new(rom);
        for n in -98..=97 {
            let power =
                Number::parse(&format!("1E{n}")).map_or(Number::from_word(1), |(number, _)| number);
            let n = Number::parse(&format!("{n}")).unwrap().0;
            assert_eq!(package.result(LOG10, power, Number::ZERO).0, Ok(n));
            assert_eq!(package.result(EXP10, n, Number::ZERO).0, Ok(power));
        }
    }
}

#[test]
fn what_has_no_logarithm_or_is_too_large_is_an_error() {
    for rom in [OS_XL, OS_800] {
        let mut package = Package::new(rom);
        for text in ["0", "-1", "-1E-98", "-9.99999999E97"] {
            let number = Number::parse(text).unwrap().0;
            assert_eq!(package.result(LOG, number, Number::ZERO).0, Err(Overflow));
            assert_eq!(package.result(LOG10, number, Number::ZERO).0, Err(Overflow));
        }
        for text in ["98", "99.9", "100", "1E97"] {
            let number = Number::parse(text).unwrap().0;
            assert_eq!(package.result(EXP10, number, Number::ZERO).0, Err(Overflow));
            let negative = package.result(EXP10, number.negated(), Number::ZERO).0;
            let expected = if text == "98" {
                Number::parse("1E-98").unwrap().0
            } else {
                Number::ZERO
            };
            assert_eq!(negative, Ok(expected), "10^-{text}");
        }
    }
}
