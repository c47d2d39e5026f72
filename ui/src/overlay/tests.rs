use super::*;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use host::config::ACTIONS;
use session::mouse::MouseRole;

struct Desk {
    overlay: Overlay,
    config: Config,
    disks: Vec<Disk>,
    tape: Deck,
    folders: Vec<Shared>,
    library: Library,
    machine: ::machine::Config,
}

fn harness<'a>(page: Page, size: (f32, f32)) -> Harness<'a, Desk> {
    let mut overlay = Overlay::new(Path::new("/nowhere"));
    overlay.show(page);
    overlay.wishes.clear();
    let mut harness = Harness::builder()
        .with_size(vec2(size.0, size.1))
        .build_ui_state(
            |ui, desk: &mut Desk| {
                let facts = Facts {
                    config: &desk.config,
                    title: "Test",
                    states: &[],
                    machine: &desk.machine,
                    hardware: &Hardware::default(),
                    mute: false,
                    keys: HostKeys::Stick,
                    keys_choice: None,
                    mouse: MouseRole::Off,
                    paused: false,
                    turbo: false,
                    recording: false,
                    animation: false,
                    gif: false,
                    fullscreen: false,
                    slot: 2,
                    disks: &desk.disks,
                    tape: Some(&desk.tape),
                    printer: None,
                    slots: &[
                        Some(("game.car".to_owned(), "16K, CAR type 2".to_owned())),
                        None,
                    ],
                    basic: None,
                    folders: &desk.folders,
                    library: &desk.library,
                };
                desk.overlay.ui(ui, &facts);
            },
            Desk {
                overlay,
                config: Config::default(),
                disks: vec![Disk {
                    drive: 1,
                    name: "letters.atr".to_owned(),
                    protected: false,
                }],
                tape: Deck {
                    name: "songs.cas".to_owned(),
                    position: (2, 7),
                    records: false,
                },
                folders: vec![Shared {
                    path: "my files".into(),
                    chosen: true,
                }],
                library: Library::new("/nowhere/library.toml".into()),
                machine: session::Setup::default().config().unwrap(),
            },
        );
    theme::apply(&harness.ctx, true, 1.0);
    harness.run();
    harness
}

fn wishes(harness: &mut Harness<'_, Desk>) -> Vec<Wish> {
    harness.run();
    std::mem::take(&mut harness.state_mut().overlay.wishes)
}

#[test]
fn the_first_page_names_every_key_and_pages_turn() {
    let mut harness = harness(Page::Keys, (480.0, 360.0));
    harness.run();
    for (_, _, what) in ACTIONS {
        assert!(harness.query_by_label(what).is_some(), "{what}");
    }
    for _ in 0..3 {
        harness.key_press(Key::PageDown);
    }
    harness.run();
    assert_eq!(harness.state().overlay.page, Page::Drives);
    wishes(&mut harness);
    harness.key_press(Key::Escape);
    assert_eq!(wishes(&mut harness), [Wish::Close]);
}

#[test]
fn nothing_is_thrown_away_without_a_question() {
    for (page, button, wanted) in [
        (Page::Machine, "RESET", Wish::Sure(Action::Reset)),
        (Page::Machine, "Off and on", Wish::Sure(Action::ColdStart)),
        (Page::Machine, "Quit", Wish::Sure(Action::Quit)),
    ] {
        let mut harness = harness(page, (640.0, 480.0));
        harness.get_by_label(button).click();
        assert_eq!(wishes(&mut harness), []);
        harness.get_by_label("No").click();
        assert_eq!(wishes(&mut harness), []);
        harness.get_by_label(button).click();
        harness.run();
        harness.get_by_label("Yes").click();
        assert_eq!(wishes(&mut harness), [wanted]);
    }
}

#[test]
fn settings_leave_as_a_whole_configuration() {
    let mut harness = harness(Page::Sound, (640.0, 480.0));
    harness.get_by_label("start in silence").click();
    let mut expected = Config::default();
    expected.sound.mute = true;
    assert_eq!(wishes(&mut harness), [Wish::Settings(Box::new(expected))]);
}

#[test]
fn a_stick_takes_the_key_that_is_pressed() {
    let mut harness = harness(Page::Sticks, (640.0, 480.0));
    harness.get_by_label("rightctrl or space").click();
    harness.run();
    assert!(harness.query_by_label("press a key").is_some());
    harness.state_mut().overlay.key(HostKey::Z, true, || None);
    let found = wishes(&mut harness);
    let [Wish::Settings(config)] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!(config.joysticks.first.trigger, ["z"]);
    assert!(harness.query_by_label("press a key").is_none());
}

#[test]
fn slots_show_what_they_hold() {
    let mut harness = harness(Page::States, (640.0, 480.0));
    let slot = Saved {
        when: "today 12:00".to_owned(),
        name: "the boss".to_owned(),
        size: (4, 4),
        pixels: vec![0xFF_0000; 16],
    };
    harness
        .state_mut()
        .overlay
        .set_slots(vec![None, Some(slot)]);
    harness.run();
    assert!(harness.query_by_label("0  empty").is_some());
    assert!(harness.query_by_label("1  today 12:00").is_some());
    harness.get_all_by_label("Save").next().unwrap().click();
    assert_eq!(wishes(&mut harness), [Wish::Save(0)]);
    harness.get_all_by_label("Load").nth(1).unwrap().click();
    assert_eq!(wishes(&mut harness), [Wish::Load(1)]);
    // Its name is changed in its field, and it is deleted after a question.
    harness.get_all_by_value("the boss").next().unwrap().focus();
    harness.event(egui::Event::Text("!".to_owned()));
    let named = wishes(&mut harness);
    assert_eq!(named, [Wish::NameState(1, "the boss!".to_owned())]);
    harness.get_all_by_label("Delete").nth(1).unwrap().click();
    assert_eq!(wishes(&mut harness), []);
    harness.get_by_label("Yes").click();
    assert_eq!(wishes(&mut harness), [Wish::DeleteState(1)]);
}

#[test]
fn the_film_strip_leads_back() {
    let mut harness = harness(Page::States, (480.0, 360.0));
    assert!(
        harness
            .query_by_label("nothing is remembered yet")
            .is_some()
    );
    let still = |seconds: u64| {
        let label = format!("{seconds} s ago");
        Still::new(Moment(1000 - seconds), label, seconds == 5)
    };
    let overlay = &mut harness.state_mut().overlay;
    overlay.set_strip([300, 60, 30, 10, 5, 1].map(still).into());
    overlay.set_still(5, (4, 4), vec![0xFF; 16]);
    overlay.set_still(6, (4, 4), vec![0xFF; 16]);
    harness.run();
    harness.get_by_label("back: 1 s ago").click();
    assert_eq!(wishes(&mut harness), [Wish::Back(Moment(999))]);
    // By the keyboard the last one is reached from the first.
    for _ in 0..6 {
        harness.key_press(Key::Tab);
        harness.run();
    }
    harness.key_press(Key::Enter);
    let found = wishes(&mut harness);
    assert!(matches!(found[..], [Wish::Back(_)]), "{found:?}");
}

#[test]
fn a_question_alone_is_answered_by_enter_by_the_same_key_or_by_escape() {
    let ask = |harness: &mut Harness<'_, Desk>| {
        let overlay = &mut harness.state_mut().overlay;
        overlay.ask_alone("Press RESET?", Wish::Sure(Action::Reset));
        harness.run();
        assert!(harness.query_by_label("Press RESET?").is_some());
    };
    let mut harness = harness(Page::Keys, (480.0, 360.0));
    ask(&mut harness);
    assert_eq!(harness.state().overlay.asks_about(), Some(Action::Reset));
    let by_key = "Enter or the same key again: yes; Esc: no";
    assert!(harness.query_by_label(by_key).is_some());
    harness.key_press(Key::Enter);
    assert_eq!(wishes(&mut harness), [Wish::Sure(Action::Reset)]);
    ask(&mut harness);
    harness.key_press(Key::Escape);
    assert_eq!(wishes(&mut harness), [Wish::Close]);
    ask(&mut harness);
    harness.get_by_label("No").click();
    assert_eq!(wishes(&mut harness), [Wish::Close]);
    ask(&mut harness);
    harness.state_mut().overlay.say_yes();
    assert_eq!(wishes(&mut harness), [Wish::Sure(Action::Reset)]);
    // No key asks about a dropped file.
    let start = Wish::Start(Source::BuiltIn("gammon"));
    harness.state_mut().overlay.ask_alone("Start it?", start);
    harness.run();
    assert!(harness.query_by_label("Enter: yes; Esc: no").is_some());
}

#[test]
fn arrows_and_enter_reach_what_is_on_a_page() {
    let mut harness = harness(Page::Sound, (480.0, 360.0));
    harness.key_press(Key::ArrowDown);
    harness.run();
    assert!(harness.get_by_label("silence").is_focused());
    harness.key_press(Key::Enter);
    assert_eq!(wishes(&mut harness), [Wish::Switch(Action::Mute)]);
}

#[test]
fn arrows_turn_the_list_of_keys_where_it_is_too_long() {
    let mut harness = harness(Page::Keys, (480.0, 360.0));
    let top = |harness: &Harness<'_, Desk>| harness.get_by_label("OPTION").rect().top();
    let before = top(&harness);
    for _ in 0..3 {
        harness.key_press(Key::ArrowDown);
        harness.run();
    }
    assert!(top(&harness) < before - 60.0);
    for _ in 0..5 {
        harness.key_press(Key::ArrowUp);
        harness.run();
    }
    assert!((top(&harness) - before).abs() < 1.0);
}

#[test]
fn drives_are_named_and_their_disks_taken_out() {
    let mut harness = harness(Page::Drives, (640.0, 900.0));
    assert!(harness.query_by_label("letters.atr").is_some());
    let drive = Medium::Drive(1);
    for (button, wish) in [
        ("protect D2:", Wish::Protect(1, true)),
        ("take out of D2:", Wish::Eject(1)),
        ("change D2: with D1:", Wish::Swap(1)),
        ("save a copy of D2:", Wish::SaveCopy(drive)),
        ("take out of C:", Wish::EjectTape),
        ("save a copy of C:", Wish::SaveCopy(Medium::Recorder)),
        ("RECORD", Wish::Record(true)),
        ("to the beginning", Wish::Wind(0)),
        ("to the end", Wish::Wind(7)),
        ("40 columns", Wish::Printer(Some(Columns::Forty))),
        ("80 columns", Wish::Printer(Some(Columns::Eighty))),
        ("take out of slot 1", Wish::Plug(0, None)),
        ("never", Wish::Basic(Some(false))),
    ] {
        harness.get_by_label(button).click();
        assert_eq!(wishes(&mut harness), [wish]);
    }
    assert!(harness.query_by_label("block 2 of 7").is_some());
    assert!(
        harness
            .query_by_label("game.car, 16K, CAR type 2")
            .is_some()
    );
    assert!(harness.query_by_label("take out of slot 2").is_none());
    assert!(harness.query_by_label("take out of D1:").is_none());
    harness.get_by_label("double, 180K").click();
    for (button, new) in [("new in D3:", "disk-1.atr"), ("new in C:", "tape-1.cas")] {
        harness.get_by_label(button).click();
        let found = wishes(&mut harness);
        let [Wish::New(_, path, Blank::Double)] = found.as_slice() else {
            panic!("{found:?}");
        };
        assert!(path.ends_with(new));
    }
    // A file is chosen for that drive on the page of files.
    harness.get_by_label("insert into D3:").click();
    harness.run();
    assert_eq!(harness.state().overlay.page, Page::Files);
    assert_eq!(
        harness.state().overlay.files.target,
        files::Target::Medium(Medium::Drive(2))
    );
    harness.state_mut().overlay.show(Page::Drives);
    harness.run();
    harness.get_by_label("insert into slot 2").click();
    harness.run();
    assert_eq!(harness.state().overlay.files.target, files::Target::Slot(1));
}

#[test]
fn drives_are_reached_by_the_keyboard() {
    let mut harness = harness(Page::Drives, (640.0, 900.0));
    harness.key_press(Key::ArrowDown);
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(harness.state().overlay.page, Page::Files);
    assert_eq!(
        harness.state().overlay.files.target,
        files::Target::Medium(Medium::Drive(0))
    );
}

#[test]
fn arrows_walk_past_sliders_and_change_nothing() {
    let mut harness = harness(Page::Picture, (640.0, 480.0));
    for _ in 0..20 {
        harness.key_press(Key::ArrowDown);
        assert_eq!(wishes(&mut harness), []);
    }
}

#[test]
fn folders_of_the_host_are_named_chosen_and_taken_away() {
    let mut harness = harness(Page::Files, (640.0, 480.0));
    assert!(harness.query_by_label("my files").is_some());
    harness.get_by_label("take away H1:").click();
    assert_eq!(wishes(&mut harness), [Wish::Unshare(0)]);
    let folder = harness.state().overlay.folder().to_owned();
    harness.get_by_label("Folder as H:").click();
    assert_eq!(wishes(&mut harness), [Wish::Share(folder)]);
}

/// The role of the mouse and its key stay on the page of sticks, however narrow its sheet.
#[test]
fn the_mouse_on_the_page_of_sticks_fits_its_sheet() {
    for width in [480.0, 577.0] {
        let mut harness = harness(Page::Sticks, (width, 1000.0));
        let keys = &mut harness.state_mut().config.keys;
        keys.insert(Action::Mouse, vec!["alt+p".to_owned().try_into().unwrap()]);
        harness.run();
        let right = harness.get_by_label("Alt+P").rect().right();
        assert!(right <= width, "it ends at {right} of {width}");
    }
}

/// Tab goes to the buttons above the list of files, left and right along them, Enter presses one; up and down come back to the list.
#[test]
fn the_buttons_of_the_files_are_reached_by_the_keyboard() {
    let mut harness = harness(Page::Files, (640.0, 480.0));
    let folder = harness.state().overlay.folder().to_owned();
    harness.key_press(Key::Tab);
    harness.run();
    assert!(harness.get_by_label("Up").is_focused());
    harness.key_press(Key::ArrowRight);
    harness.run();
    harness.key_press(Key::Enter);
    let found = wishes(&mut harness);
    assert!(matches!(found[..], [Wish::New(..)]), "{found:?}");
    harness.key_press(Key::ArrowDown);
    harness.run();
    assert!(!harness.get_by_label("New disk").is_focused());
    harness.key_press(Key::Backspace);
    harness.run();
    assert_eq!(Some(harness.state().overlay.folder()), folder.parent());
}

#[test]
fn the_sheet_leaves_some_of_the_picture_where_there_is_room() {
    for (page, window, sheet) in [
        (Page::Keys, 480, 480),
        (Page::Keys, 645, 480),
        (Page::Picture, 480, 262),
        (Page::Picture, 645, 262),
        (Page::Files, 1600, 960),
    ] {
        let mut overlay = Overlay::new(Path::new("/nowhere"));
        overlay.show(page);
        let height = window * 3 / 4;
        assert_eq!(overlay.covers((window, height)), sheet, "{page:?} {window}");
        assert_eq!(overlay.stops(), page != Page::Picture);
    }
}

#[test]
fn the_page_of_the_picture_fits_its_narrow_sheet() {
    for (page, size) in [
        (Page::Picture, (480.0, 360.0)),
        (Page::Picture, (645.0, 480.0)),
    ] {
        let harness = harness(page, size);
        for label in ["hue", "gamma", "dark gaps between scan lines"] {
            let right = harness.get_by_label(label).rect().right();
            assert!(right <= size.0, "{label} ends at {right}");
        }
    }
}

#[test]
fn the_library_is_searched_as_one_types_and_started_by_enter() {
    let mut harness = harness(Page::Library, (640.0, 480.0));
    let marked = wishes(&mut harness);
    assert!(marked.contains(&Wish::Library(Deed::Show(Source::BuiltIn("gammon")))));
    assert!(harness.query_by_label("favourite: Crazy Eights").is_some());
    assert!(harness.query_by_label("9 titles").is_some());
    for letter in ["h", "e", "x", "a"] {
        harness.event(egui::Event::Text(letter.to_owned()));
    }
    harness.run();
    assert!(harness.query_by_label("favourite: Crazy Eights").is_none());
    assert!(harness.query_by_label("1 title").is_some());
    wishes(&mut harness);
    harness.key_press(Key::Insert);
    harness.key_press(Key::Enter);
    let hexapawn = Source::BuiltIn("hexapawn");
    assert_eq!(
        wishes(&mut harness),
        [
            Wish::Library(Deed::Favour(hexapawn.clone())),
            Wish::Library(Deed::Play(hexapawn.clone()))
        ]
    );
    // Esc ends the search first.
    harness.key_press(Key::Escape);
    harness.run();
    assert!(harness.query_by_label("favourite: Crazy Eights").is_some());
    wishes(&mut harness);
    harness.key_press(Key::ArrowRight);
    harness.run();
    assert!(harness.query_by_label("nothing was played yet").is_some());
    assert!(harness.query_by_label("0 titles").is_some());
    harness.key_press(Key::ArrowRight);
    harness.run();
    assert!(
        harness
            .query_by_label("no favourites yet: Insert, or the star")
            .is_some()
    );
    harness.state_mut().library.favour(&hexapawn);
    harness.run();
    harness.get_by_label("favourite: Hexapawn").click();
    assert!(wishes(&mut harness).contains(&Wish::Library(Deed::Favour(hexapawn))));
    harness.key_press(Key::Escape);
    assert_eq!(wishes(&mut harness), [Wish::Close]);
}

#[test]
fn pictures_of_titles_come_and_folders_are_taken_out_after_a_question() {
    let mut harness = harness(Page::Library, (480.0, 360.0));
    let gammon = Source::BuiltIn("gammon");
    let portrait = Portrait {
        pixels: vec![0x12_3456; host::library::SIZE.0 * host::library::SIZE.1],
        machine: "Atari 800XL".to_owned(),
    };
    let context = harness.ctx.clone();
    let library = &mut harness.state_mut().overlay.library;
    library.set_portrait(&context, 1.0, gammon, Some(&portrait));
    harness
        .state_mut()
        .library
        .look(&["/nowhere/at all".into()]);
    while harness.state().library.is_looking() {
        harness.state_mut().library.poll();
    }
    harness.run();
    assert!(harness.query_by_label_contains("Atari 800XL").is_some());
    assert!(
        harness
            .query_by_label_contains("cannot be looked into")
            .is_some()
    );
    harness.key_press(Key::End);
    harness.key_press(Key::ArrowUp);
    harness.key_press(Key::Enter);
    harness.run();
    wishes(&mut harness);
    harness.get_by_label("Yes").click();
    assert_eq!(wishes(&mut harness)[0], Wish::Library(Deed::Leave(0)));
    harness.key_press(Key::End);
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(harness.state().overlay.page, Page::Files);
    harness.get_by_label("Into the library").click();
    let found = wishes(&mut harness);
    assert!(
        matches!(&found[..], [Wish::Library(Deed::Collect(_))]),
        "{found:?}"
    );
}

#[test]
fn the_machine_is_changed_in_one_step() {
    let mut harness = harness(Page::Machine, (640.0, 1400.0));
    assert!(harness.query_by_label("Restart on this machine").is_none());
    for button in ["130XE", "PAL", "320k", "noise", "Covox at $D280"] {
        harness.get_by_label(button).click();
        assert_eq!(wishes(&mut harness), [], "{button}");
    }
    harness
        .get_by_label("second POKEY at $D210 (stereo)")
        .click();
    harness.run();
    harness.get_by_label("Restart on this machine").click();
    let wanted = Hardware {
        model: Some(::machine::Model::Xe130),
        tv: Some(::machine::Tv::Pal),
        ram: Some(::machine::Ram::K320Rambo),
        fill: ::machine::RamFill::Random,
        stereo: true,
        covox: true,
        ..Hardware::default()
    };
    assert_eq!(wishes(&mut harness), [chosen(wanted.clone())]);
    // A 400 has no such memory.
    harness.get_by_label("400").click();
    harness.run();
    assert!(harness.query_by_label("320k").is_none());
    harness.get_by_label("Restart on this machine").click();
    let small = Hardware {
        model: Some(::machine::Model::Atari400),
        ram: None,
        ..wanted
    };
    assert_eq!(wishes(&mut harness), [chosen(small)]);
    harness.get_by_label("As it was").click();
    harness.run();
    assert!(harness.query_by_label("Restart on this machine").is_none());
    // A ROM is chosen on the page of files, and comes back with its name.
    harness.get_by_label("OS from a file").click();
    harness.run();
    assert_eq!(harness.state().overlay.page, Page::Files);
    assert_eq!(
        harness.state().overlay.files.target,
        files::Target::Rom(Rom::Os)
    );
    let os = roms::os_xl().to_vec();
    let overlay = &mut harness.state_mut().overlay;
    overlay.set_rom(Rom::Os, "os.rom".into(), os.clone(), &Hardware::default());
    harness.run();
    assert!(
        harness
            .query_by_label("OS: Anticlock's own XL OS")
            .is_some()
    );
    harness.get_by_label("Restart on this machine").click();
    let with_rom = Draft {
        hardware: Hardware {
            os: Some(os),
            ..Hardware::default()
        },
        files: host::config::RomFiles {
            os: Some("os.rom".into()),
            basic: None,
        },
    };
    assert!(wishes(&mut harness).contains(&Wish::Machine(Box::new(with_rom))));
    // Another model has no such OS.
    harness.get_by_label("800").click();
    harness.run();
    assert!(harness.query_by_label("OS: our own").is_some());
    // A seed that is to be the one of every start is kept at once.
    harness.get_by_label("at each start").click();
    let found = wishes(&mut harness);
    let [Wish::Settings(config)] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!(config.machine.seed, Some(0));
}

/// The wish for a machine without a ROM from a file.
fn chosen(hardware: Hardware) -> Wish {
    let draft = Draft {
        hardware,
        ..Draft::default()
    };
    Wish::Machine(Box::new(draft))
}
