//! Somebody types into programs and plays games without a setting: keys of the host go through [`Keyboard`] to a session.
use super::keyboard::Keyboard;
use host::config::{ACTIONS, Chord, Config, KEY_NAMES};
use machine::Model;
use minifb::Key;
use session::{HostKeys, Session, Setup};
use ui::keys::Event;

/// Where the programs keep what has come.
const TAKEN: u16 = 0x3000;
/// How far the arrow to the right and the trigger have come.
const RIGHT: u16 = 0x3000;
const FIRE: u16 = 0x3001;

/// A machine and the host keyboard that types into it.
struct Hands {
    keyboard: Keyboard,
    session: Session,
}

impl Hands {
    fn on(setup: Setup) -> Self {
        let mut config = Config::default();
        for &(action, keys, _) in ACTIONS {
            let chords = keys.iter().map(|&key| Chord::try_from(key.to_owned()));
            config
                .keys
                .insert(action, chords.map(Result::unwrap).collect());
        }
        let mut session = Session::new(setup).unwrap();
        session.watch_host_keys(true);
        Self {
            keyboard: Keyboard::new(&config, session.host_keys()),
            session,
        }
    }

    fn on_file(name: &str, bytes: &[u8]) -> Self {
        Self::on(Setup::for_file(name, bytes).unwrap())
    }

    /// With machine code at $2000, after it has been loaded and started.
    fn on_code(code: &[u8]) -> Self {
        let mut hands = Self::on_file("x.xex", &binary(code));
        hands.wait(120);
        hands
    }

    fn wait(&mut self, frames: u32) {
        for _ in 0..frames {
            self.keyboard.keys = self.session.host_keys();
            self.keyboard.frame(self.session.controls());
            self.session.run_frame();
        }
    }

    /// Waits until there is this text on the screen.
    fn wait_for(&mut self, text: &str) {
        for _ in 0..60 {
            if self.session.text().contains(text) {
                return;
            }
            self.wait(20);
        }
        panic!("no {text:?} in\n{}", self.session.text());
    }

    /// Holds a key for some frames.
    fn hold(&mut self, key: Key, character: Option<char>, frames: u32) {
        self.keyboard.keys = self.session.host_keys();
        self.keyboard.event(Event::Key(key, true));
        if let Some(character) = character {
            self.keyboard.event(Event::Char(character));
        }
        self.wait(frames);
        self.keyboard.event(Event::Key(key, false));
    }

    /// Types ten characters a second.
    fn types(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '\n' => self.hold(Key::Enter, None, 4),
                '"' => {
                    self.keyboard.event(Event::Key(Key::LeftShift, true));
                    self.hold(Key::Apostrophe, Some('"'), 4);
                    self.keyboard.event(Event::Key(Key::LeftShift, false));
                }
                _ => self.hold(key_of(character), Some(character), 4),
            }
            self.wait(2);
        }
        self.wait(20);
    }

    fn peek(&self, address: u16) -> u8 {
        self.session.machine().peek(address)
    }

    fn bytes(&self, count: u16) -> Vec<u8> {
        (TAKEN..TAKEN + count).map(|at| self.peek(at)).collect()
    }

    /// Plays with arrow and space bar; both have to reach the program as a joystick.
    fn plays(&mut self) {
        let [right, fire] = [RIGHT, FIRE].map(|at| self.peek(at));
        for _ in 0..4 {
            self.hold(Key::Right, None, 30);
            self.hold(Key::Space, Some(' '), 30);
        }
        let keys = self.session.host_keys();
        assert_ne!(self.peek(RIGHT), right, "the stick does not move: {keys:?}");
        assert_ne!(self.peek(FIRE), fire, "the trigger does nothing: {keys:?}");
    }
}

fn key_of(character: char) -> Key {
    let name = match character {
        ' ' => "space".to_owned(),
        other => other.to_lowercase().collect(),
    };
    let all = ui::keys::key_named(&name);
    all.unwrap_or_else(|| panic!("no key {name} among {}", KEY_NAMES.len()))
}

/// A binary load file with this machine code at $2000.
fn binary(code: &[u8]) -> Vec<u8> {
    let end = 0x2000 + code.len() as u16 - 1;
    let [low, high] = end.to_le_bytes();
    let head = [0xFF, 0xFF, 0x00, 0x20, low, high];
    [&head, code, &[0xE0, 0x02, 0xE1, 0x02, 0x00, 0x20]].concat()
}

/// Asks E: for a line at [`TAKEN`] for ever.
const ASKS: [u8; 33] = [
    0xA9, 0x05, 0x8D, 0x42, 0x03, // LDA #5 (GET RECORD), STA ICCOM
    0xA9, 0x00, 0x8D, 0x44, 0x03, // LDA #<TAKEN, STA ICBAL
    0xA9, 0x30, 0x8D, 0x45, 0x03, // LDA #>TAKEN, STA ICBAH
    0xA9, 0x28, 0x8D, 0x48, 0x03, // LDA #40, STA ICBLL
    0xA9, 0x00, 0x8D, 0x49, 0x03, // LDA #0, STA ICBLH
    0xAA, // TAX
    0x20, 0x56, 0xE4, // JSR CIOV
    0x4C, 0x00, 0x20, // JMP $2000
    0xEA,
];

/// Plays: counts the frames' worth of looks with the stick to the right, and with the trigger pressed. Reads the registers.
const READS_REGISTERS: [u8; 23] = [
    0xAD, 0x00, 0xD3, 0x29, 0x08, // LDA PORTA, AND #8
    0xD0, 0x03, 0xEE, 0x00, 0x30, // BNE +3, INC RIGHT
    0xAD, 0x10, 0xD0, // LDA TRIG0
    0xD0, 0x03, 0xEE, 0x01, 0x30, // BNE +3, INC FIRE
    0xA2, 0x00, // LDX #0
    0x4C, 0x00, 0x20, // JMP $2000
];

/// A game that reads STICK0 and STRIG0 once a frame.
const READS_SHADOWS: [u8; 28] = [
    0xA5, 0x14, 0xC5, 0x14, 0xF0, 0xFC, // LDA RTCLOK+2, wait for the next
    0xAD, 0x78, 0x02, 0x29, 0x08, // LDA STICK0, AND #8
    0xD0, 0x03, 0xEE, 0x00, 0x30, // BNE +3, INC RIGHT
    0xAD, 0x84, 0x02, // LDA STRIG0
    0xD0, 0x03, 0xEE, 0x01, 0x30, // BNE +3, INC FIRE
    0x4C, 0x00, 0x20, 0xEA, // JMP $2000
];

/// From here on the same at $2100, as a deferred vertical-blank routine; the main program is `main`.
fn in_the_vertical_blank(main: &[u8]) -> Vec<u8> {
    let install = [
        0xA9, 0x07, 0xA2, 0x20, 0xA0, 0x40, 0x20, 0x5C, 0xE4, // SETVBV: 7, $2040
        0x4C, 0x80, 0x20, // JMP $2080
    ];
    let plays = [
        0xAD, 0x78, 0x02, 0x29, 0x08, // LDA STICK0, AND #8
        0xD0, 0x03, 0xEE, 0x00, 0x30, // BNE +3, INC RIGHT
        0xAD, 0x84, 0x02, // LDA STRIG0
        0xD0, 0x03, 0xEE, 0x01, 0x30, // BNE +3, INC FIRE
        0x4C, 0x62, 0xE4, // JMP XITVBV
    ];
    let mut code = vec![0xEA; 0x80];
    code[..install.len()].copy_from_slice(&install);
    code[0x40..0x40 + plays.len()].copy_from_slice(&plays);
    code.extend_from_slice(main);
    code
}

/// Codes of the keys of "A B" in CH.
const A_SPACE_B: [u8; 3] = [0x3F, 0x21, 0x15];

/// Polls CH, and stores what comes.
const POLLS: [u8; 22] = [
    0xA2, 0x00, // LDX #0
    0xAD, 0xFC, 0x02, 0xC9, 0xFF, 0xF0, 0xF9, // LDA CH, CMP #$FF, BEQ
    0x9D, 0x00, 0x30, 0xE8, // STA TAKEN,X, INX
    0xA9, 0xFF, 0x8D, 0xFC, 0x02, // LDA #$FF, STA CH
    0x4C, 0x02, 0x20, 0xEA, // JMP
];

#[test]
fn keys_ask() {
    // keys/ask.c, whose library asks E: for lines like this.
    let mut hands = Hands::on_code(&ASKS);
    for _ in 0..3 {
        hands.types("take the lamp\n");
        assert_eq!(hands.bytes(14), b"TAKE THE LAMP\x9B");
    }
    assert!(hands.session.text().contains("TAKE THE LAMP"));
}

#[test]
fn a_line_is_edited_with_the_arrows() {
    let mut hands = Hands::on_code(&ASKS);
    hands.types("tako");
    hands.hold(Key::Left, None, 4);
    hands.wait(4);
    hands.types("e\n");
    assert_eq!(hands.bytes(5), b"TAKE\x9B");
}

#[test]
fn a_program_on_an_800_asks_and_takes_every_space() {
    let mut setup = Setup::for_file("x.xex", &binary(&ASKS)).unwrap();
    setup.model = Some(Model::Atari800);
    let mut hands = Hands::on(setup);
    hands.wait(200);
    hands.types("take the lamp\n");
    assert_eq!(hands.bytes(14), b"TAKE THE LAMP\x9B");
}

#[test]
fn a_reader_that_polls_ch_takes_every_space() {
    let mut hands = Hands::on_code(&POLLS);
    hands.types("a b");
    assert_eq!(hands.bytes(3), A_SPACE_B);
}

#[test]
fn a_reader_that_polls_joystick_and_keyboard_takes_every_space() {
    // A look at TRIG0 in the loop: "press a key or the trigger".
    let mut code = POLLS.to_vec();
    code.splice(2..2, [0xAD, 0x10, 0xD0]);
    code[11] = 0xF6;
    let mut hands = Hands::on_code(&code);
    hands.wait(100);
    assert_eq!(hands.session.host_keys(), HostKeys::StickAndSpace);
    hands.types("a b");
    assert_eq!(hands.bytes(3), A_SPACE_B);
}

#[test]
fn ready_prompts_of_disks_and_listings_take_spaces() {
    let disk = session::dos_disk(media::atr::Blank::Single).to_bytes();
    let mut setup = Setup::for_file("d.atr", &disk).unwrap();
    setup.with_basic = true;
    let listing = Setup::for_file("x.lst", b"10 REM\n").unwrap();
    for setup in [setup, listing, Setup::default()] {
        let mut hands = Hands::on(setup);
        hands.wait_for("READY");
        hands.wait(60);
        hands.types("print \"a b\"\n");
        hands.wait_for("\n  A B");
    }
}

#[test]
fn a_cartridge_that_asks_takes_every_space() {
    let mut rom = [0xFF; 0x2000];
    rom[..ASKS.len()].copy_from_slice(&ASKS);
    rom[31] = 0xA0; // JMP $A000
    rom[0x40] = 0x60; // RTS, for the initialisation at $A040
    rom[0x1FFA..].copy_from_slice(&[0x00, 0xA0, 0x00, 0x04, 0x40, 0xA0]);
    let mut hands = Hands::on_file("ask.rom", &rom);
    hands.wait(120);
    hands.types("take the lamp\n");
    assert_eq!(hands.bytes(14), b"TAKE THE LAMP\x9B");
}

#[test]
fn an_adventure_in_basic_takes_every_space() {
    let listing = b"10 DIM A$(40)\n20 PRINT \"WHAT NOW\":INPUT A$\n30 FOR I=1 TO 200:NEXT I\n40 PRINT \"[\";A$;\"]\":GOTO 20\n";
    let mut hands = Hands::on_file("adventure.lst", listing);
    hands.wait_for("WHAT NOW");
    for _ in 0..2 {
        hands.types("take the lamp\n");
        hands.wait_for("[TAKE THE LAMP]");
        hands.wait(60);
    }
}

#[test]
fn get_from_the_keyboard_takes_every_space() {
    let listing = b"10 OPEN #1,4,0,\"K:\"\n20 GET #1,K:PRINT K:GOTO 20\n";
    let mut hands = Hands::on_file("get.lst", listing);
    hands.wait(400);
    hands.types("a b");
    hands.wait_for("65\n  32\n  66");
}

#[test]
fn games_that_read_registers_or_shadows_are_played() {
    for code in [
        READS_REGISTERS.to_vec(),
        READS_SHADOWS.to_vec(),
        in_the_vertical_blank(&[0x4C, 0x80, 0x20]),
    ] {
        let mut hands = Hands::on_code(&code);
        hands.plays();
        assert_eq!(hands.session.host_keys(), HostKeys::Stick);
        assert!(hands.session.host_keys_choice().is_none());
    }
}

#[test]
fn games_in_basic_are_played_fast_or_slow() {
    for pause in ["", "25 FOR I=1 TO 150:NEXT I\n"] {
        let listing = format!(
            "5 POKE 12288,0:POKE 12289,0\n10 IF STICK(0)=7 THEN POKE 12288,1+PEEK(12288)\n20 IF STRIG(0)=0 THEN POKE 12289,1+PEEK(12289)\n{pause}30 GOTO 10\n"
        );
        let mut hands = Hands::on_file("game.lst", listing.as_bytes());
        hands.wait(700);
        hands.plays();
    }
}

#[test]
fn a_slow_game_after_a_long_title_is_played() {
    let listing = b"4 IF PEEK(19)<10 THEN 4\n5 POKE 12288,0:POKE 12289,0\n10 IF STICK(0)=7 THEN POKE 12288,1+PEEK(12288)\n20 IF STRIG(0)=0 THEN POKE 12289,1+PEEK(12289)\n25 FOR I=1 TO 100:NEXT I\n30 GOTO 10\n";
    let mut hands = Hands::on_file("game.lst", listing);
    hands.wait(2400);
    assert_eq!(
        hands.session.host_keys(),
        HostKeys::Typing,
        "still the title"
    );
    hands.wait(1800);
    hands.plays();
}

#[test]
fn a_game_that_begins_with_space_is_begun_and_played() {
    // $2000: until CH is SPACE, with a look at TRIG0: press SPACE or the trigger.
    let mut code = vec![
        0xAD, 0x10, 0xD0, // LDA TRIG0
        0xAD, 0xFC, 0x02, 0xC9, 0x21, 0xD0, 0xF6, // LDA CH, CMP #SPACE, BNE
    ];
    let game = 0x2000 + code.len() as u16;
    code.extend(READS_REGISTERS);
    let [low, high] = game.to_le_bytes();
    let end = code.len();
    code[end - 2..].copy_from_slice(&[low, high]);
    let mut hands = Hands::on_code(&code);
    hands.wait(60);
    hands.hold(Key::Space, Some(' '), 6);
    hands.wait(60);
    hands.plays();
    assert_ne!(hands.peek(RIGHT), 0, "begun");
}

#[test]
fn a_game_with_a_menu_of_keys_is_chosen_and_played() {
    // A GET from K: (a byte of IOCB 0 would be E:'s), here a line of E:, then the game.
    let mut code = ASKS[..29].to_vec();
    let game = 0x2000 + code.len() as u16;
    code.extend(READS_SHADOWS);
    let [low, high] = game.to_le_bytes();
    let end = code.len();
    code[end - 3..end - 1].copy_from_slice(&[low, high]);
    let mut hands = Hands::on_code(&code);
    hands.types("two players\n");
    assert_eq!(hands.bytes(12), b"TWO PLAYERS\x9B");
    hands.wait(60);
    hands.plays();
}

#[test]
fn a_name_for_the_high_score_takes_its_space() {
    // The game continues in the vertical blank while the program asks for a line.
    let asks = &ASKS[..30];
    let mut main = asks.to_vec();
    main.extend([0x80, 0x20]);
    let mut hands = Hands::on_code(&in_the_vertical_blank(&main));
    hands.types("joe b\n");
    assert_eq!(hands.bytes(6), b"JOE B\x9B");
}

#[test]
fn an_os_copied_to_ram_is_no_player() {
    // Each page of the ROM by way of $3100 to the RAM under it, then the ROM is off, and E: is asked.
    let mut code = vec![
        0x78, 0xA9, 0x00, 0x8D, 0x0E, 0xD4, // SEI, LDA #0, STA NMIEN
        0x85, 0xCB, 0xA9, 0xC0, 0x85, 0xCC, // $CB = $C000
        0xA0, 0x00, 0xB1, 0xCB, 0x99, 0x00, 0x31, 0xC8, 0xD0, 0xF8, // $200C: out
        0xCE, 0x01, 0xD3, // DEC PORTB
        0xB9, 0x00, 0x31, 0x91, 0xCB, 0xC8, 0xD0, 0xF8, // in
        0xEE, 0x01, 0xD3, // INC PORTB
        0xE6, 0xCC, 0xF0, 0x0C, // INC $CC, BEQ on
        0xA5, 0xCC, 0xC9, 0xD0, 0xD0, 0x04, // not at the chips
        0xA9, 0xD8, 0x85, 0xCC, // LDA #$D8, STA $CC
        0xD0, 0xD6, // BNE $200C
        0xCE, 0x01, 0xD3, // DEC PORTB
        0xA9, 0x40, 0x8D, 0x0E, 0xD4, 0x58, // LDA #$40, STA NMIEN, CLI
    ];
    let asks = 0x2000 + code.len() as u16;
    code.extend(&ASKS[..30]);
    code.extend(asks.to_le_bytes());
    let mut hands = Hands::on_code(&code);
    assert_eq!(hands.peek(0xD301) & 1, 0, "the ROM is off");
    hands.types("take the lamp\n");
    assert_eq!(hands.bytes(14), b"TAKE THE LAMP\x9B");
    assert_eq!(hands.session.host_keys(), HostKeys::Typing);
}

#[test]
fn what_a_program_does_once_is_no_play() {
    // Clears GTIA and reads page 2, then waits.
    let code = [
        0xA2, 0x1F, 0xA9, 0x00, 0x9D, 0x00, 0xD0, 0xCA, 0x10, 0xFA, // STA $D000,X
        0xA2, 0x00, 0xBD, 0x00, 0x02, 0xCA, 0xD0, 0xFA, // LDA $0200,X
        0xA2, 0x00, 0x9D, 0x00, 0xD0, 0x4C, 0x14, 0x20, // for ever: STA $D000,X
    ];
    let mut hands = Hands::on_code(&code);
    hands.wait(200);
    assert_eq!(hands.session.host_keys(), HostKeys::Typing);
}

#[test]
fn the_choice_of_the_user_counts_more_than_what_the_program_does() {
    let mut hands = Hands::on_code(&READS_REGISTERS);
    hands.wait(60);
    assert_eq!(hands.session.host_keys(), HostKeys::Stick);
    let choose = |hands: &mut Hands| {
        let next = hands
            .session
            .host_keys()
            .next_choice(hands.session.host_keys_choice());
        hands.session.choose_host_keys(next);
        hands.wait(60);
        hands.session.host_keys()
    };
    let all: Vec<HostKeys> = (0..4).map(|_| choose(&mut hands)).collect();

    let wanted = [HostKeys::Typing, HostKeys::Stick, HostKeys::Sticks];
    assert_eq!(all[..3], wanted);
    assert_eq!(all[3], HostKeys::Stick, "as the program wants");
    assert!(hands.session.host_keys_choice().is_none());
    let mut setup = Setup::for_file("x.xex", &binary(&READS_REGISTERS)).unwrap();
    let content = setup.program.content.unwrap();
    setup.needs_table = format!("{content:08x} keys=type\n");
    let mut hands = Hands::on(setup);
    hands.wait(200);
    assert_eq!(hands.session.host_keys(), HostKeys::Typing);
}

#[test]
fn the_machine_is_the_same_whether_it_is_watched_or_not() {
    let state = |watch| {
        let mut session =
            Session::new(Setup::for_file("x.xex", &binary(&READS_SHADOWS)).unwrap()).unwrap();
        session.watch_host_keys(watch);
        for _ in 0..200 {
            session.run_frame();
        }
        session.machine().state_hash()
    };
    assert_eq!(state(true), state(false));
}
