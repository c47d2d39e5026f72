//! Rollback: a session that returns to a snapshot in every frame shows and sounds as one that never does.
use machine::{Frame, Input};
use session::sound::{Heard, Mixer};
use session::{Session, Setup, SnapshotError};

/// Frames of a run: a game loads, shows its title and begins.
const FRAMES: u32 = 1500;

/// A session with what makes samples of its sound.
struct Player {
    session: Session,
    mixer: Mixer,
    heard: Heard,
    samples: Vec<[f32; 2]>,
}

impl Player {
    fn new(setup: Setup) -> Self {
        let session = Session::new(setup).expect("a session");
        Self {
            mixer: Mixer::new(session.machine(), 44_100.0),
            heard: Heard::default(),
            samples: Vec::new(),
            session,
        }
    }

    /// Runs a frame with these controls, and renders its sound.
    fn frame(&mut self, input: Input) {
        *self.session.controls() = input;
        let outcome = self.session.run_frame();
        if self
            .session
            .after_frame(outcome)
            .expect("a program of ours")
        {
            self.mixer = Mixer::new(self.session.machine(), 44_100.0);
        }
        self.heard.take(&mut self.session);
        self.samples.clear();
        let now = self.session.machine().now();
        self.mixer.render(&self.heard, now, &mut self.samples);
    }

    fn save(&mut self, into: &mut Vec<u8>) {
        let saved = self.session.save_snapshot(Some(&self.mixer), into);
        saved.expect("a snapshot");
    }

    fn load(&mut self, snapshot: &[u8]) {
        let loaded = self.session.load_snapshot(snapshot, Some(&mut self.mixer));
        loaded.expect("its own snapshot");
    }
}

/// The controls of a player: every key of the joystick and the console in turn.
fn held(frame: u32) -> Input {
    let mut input = Input::default();
    if frame < 300 {
        return input;
    }
    let stick = input.joystick(0);
    match frame / 12 % 16 {
        0 | 6 => stick.trigger = true,
        2 => stick.right = true,
        4 => stick.down = true,
        8 => input.start = true,
        10 => input.key = Some(0x0C),
        12 => input.key = Some(0x1F),
        14 => input.option = true,
        _ => {}
    }
    input
}

/// Runs the setup once without a snapshot, and once with one in every frame, from the first on, and some frames that never count.
fn returns_in_every_frame(setup: &Setup) {
    let (mut plain, mut rolled) = (Player::new(setup.clone()), Player::new(setup.clone()));
    let mut snapshot = Vec::new();
    let size = rolled.session.snapshot_size();
    let mut heard = 0;
    for frame in 0..FRAMES {
        rolled.save(&mut snapshot);
        assert_eq!(snapshot.len(), size, "frame {frame}");
        // Run-ahead sees frames that have not come yet; netplay guesses wrong.
        for ahead in 0..=frame % 3 {
            let guess = if frame % 2 == 0 {
                held(frame + ahead)
            } else {
                held(frame + 12)
            };
            rolled.frame(guess);
        }
        rolled.load(&snapshot);
        plain.frame(held(frame));
        rolled.frame(held(frame));
        assert!(
            plain.session.picture() == rolled.session.picture(),
            "the picture of frame {frame}"
        );
        assert!(
            plain.samples == rolled.samples,
            "the sound of frame {frame}"
        );
        heard += plain
            .samples
            .iter()
            .filter(|sample| sample[0].abs() > 0.01)
            .count();
    }
    let machines = [&plain, &rolled].map(|player| player.session.machine().state_hash());
    assert_eq!(machines[0], machines[1]);
    assert!(plain.session.is_idle(), "the program is loaded and started");
    assert!(heard > 1000, "there was something to hear");
    assert_eq!(plain.session.title(), rolled.session.title());
}

fn built_in(name: &str) -> Setup {
    Setup::built_in(name).expect("sound").expect("a program")
}

#[test]
fn a_listing() {
    let listing =
        "10 FOR I=0 TO 255:SOUND 0,I,10,10:SETCOLOR 4,I/16,4:PRINT I;\" \";:NEXT I:GOTO 10\n";
    returns_in_every_frame(&Setup::for_file("a.lst", listing.as_bytes()).expect("a listing"));
}

#[test]
fn a_listing_that_is_entered() {
    // Lines without numbers: BASIC reads it from H5:, by what is typed.
    let listing = "10 FOR I=0 TO 255:SOUND 0,I,10,10:NEXT I:GOTO 10\nPRINT \"HELLO\"\nRUN\n";
    let setup = Setup::for_file("a.lst", listing.as_bytes()).expect("a listing");
    assert!(setup.program.source.is_some());
    returns_in_every_frame(&setup);
}

#[test]
fn stereo_and_covox() {
    let listing = "10 FOR I=0 TO 255:POKE 53776,I:POKE 53777,168:POKE 53888,I:SOUND 0,I,10,10:NEXT I:GOTO 10\n";
    let mut setup = Setup::for_file("a.lst", listing.as_bytes()).expect("a listing");
    (setup.stereo, setup.covox) = (true, true);
    returns_in_every_frame(&setup);
}

#[test]
fn the_menu_and_what_it_starts() {
    returns_in_every_frame(&built_in("menu"));
}

macro_rules! games {
    ($($test:ident $name:literal)*) => {
        $(#[test]
        fn $test() {
            returns_in_every_frame(&built_in($name));
        })*

        #[test]
        fn each_game_has_a_test() {
            let tested = [$($name),*];
            let games = session::built_in::all()
                .into_iter()
                .filter(|known| known.origin != session::Origin::User);
            let games: Vec<_> = games.map(|game| game.name).collect();
            assert_eq!(games, tested);
        }
    };
}

games! {
    crazy_eights "crazy-eights"
    gammon "gammon"
    go_fish "go-fish"
    tic_tac_toe "tic-tac-toe"
    checkers "checkers"
    focal "focal"
    hexapawn "hexapawn"
}

/// A BASIC program that writes a file to the disk in D1: with our DOS, over and over.
fn writing() -> Setup {
    let listing = "10 OPEN #1,8,0,\"D:A.DAT\":FOR I=0 TO 200:PUT #1,I:NEXT I:CLOSE #1:SOUND 0,N,10,8:N=N+1-256*(N=255):GOTO 10\n";
    let mut setup = Setup::for_file("a.lst", listing.as_bytes()).expect("a listing");
    setup.fast_drives = true;
    setup.disks = vec![session::Mount {
        file: session::MediumFile {
            id: session::MediumId(1),
            name: "a.atr".to_owned(),
        },
        medium: session::dos_disk(media::atr::Blank::Single),
    }];
    setup
}

#[test]
fn a_disk_that_is_written_to() {
    let setup = writing();
    let before = setup.disks[0].medium.identity();
    returns_in_every_frame(&setup);
    let mut player = Player::new(setup);
    for frame in 0..FRAMES {
        player.frame(held(frame));
    }
    let after = player.session.machine().disk(0).expect("a disk");
    assert_ne!(after.identity(), before, "the program has written");
}

#[test]
fn a_disk_that_was_swapped_is_back_with_the_moment() {
    let mut player = Player::new(writing());
    let mut snapshot = Vec::new();
    for frame in 0..100 {
        player.frame(held(frame));
    }
    player.save(&mut snapshot);
    let first = player.session.machine().disk(0).expect("a disk").identity();
    let other = session::dos_disk(media::atr::Blank::Double);
    player
        .session
        .insert_copy(0, other, "b.atr".to_owned(), None);
    player.frame(Input::default());
    assert_ne!(
        player.session.machine().disk(0).expect("a disk").identity(),
        first
    );
    player.load(&snapshot);
    player.frame(Input::default());
    assert_eq!(
        player.session.machine().disk(0).expect("a disk").identity(),
        first
    );
    let file = player.session.file_at(session::Place::Drive(0));
    assert_eq!(file.map(|file| file.name.as_str()), Some("a.atr"));
}

#[test]
fn a_snapshot_is_small_and_says_why_it_cannot_be_used() {
    let setup = Setup {
        model: Some(machine::Model::Xe130),
        ..Setup::default()
    };
    let mut session = Session::new(setup).expect("a session");
    assert!(session.snapshot_size() <= 150_000);
    session.run_frame();
    let mut snapshot = Vec::new();
    session
        .save_snapshot(None, &mut snapshot)
        .expect("a snapshot");
    let before = session.machine().state_hash();
    for cut in [0, 7, 15, 16, 70_000, 135_000] {
        let failed = session.load_snapshot(&snapshot[..cut], None);
        assert_eq!(failed, Err(SnapshotError::Foreign), "{cut}");
    }
    let mut other = Session::new(Setup::default()).expect("a session");
    assert!(matches!(
        other.load_snapshot(&snapshot, None),
        Err(SnapshotError::State(_))
    ));
    let mut game = Session::new(built_in("gammon")).expect("a session");
    game.save_snapshot(None, &mut snapshot).expect("a snapshot");
    let mut listing = Setup::for_file("a.lst", b"10 GOTO 10\n").expect("a listing");
    listing.model = Some(machine::Model::Xl800);
    let mut listing = Session::new(listing).expect("a session");
    listing
        .save_snapshot(None, &mut snapshot)
        .expect("a snapshot");
    assert_eq!(
        game.load_snapshot(&snapshot, None),
        Err(SnapshotError::Program)
    );
    // More to type than a snapshot holds.
    session.type_text(&"{a*1000}".repeat(12)).expect("keys");
    let full = session.save_snapshot(None, &mut snapshot);
    assert!(
        matches!(full, Err(SnapshotError::TooLarge { .. })),
        "{full:?}"
    );
    // A frame that was stopped.
    session.run_to(session.moment(), &mut machine::NoProbe);
    let stopped = session.save_snapshot(None, &mut snapshot);
    assert_eq!(stopped, Err(SnapshotError::WithinFrame));
    assert_eq!(session.machine().state_hash(), before);
    assert_eq!(
        session.picture().pixels().len(),
        Frame::WIDTH * Frame::HEIGHT
    );
}
