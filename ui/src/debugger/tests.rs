use super::*;
use crate::theme;
use debugger::{Limits, Track};
use egui::{Key, Modifiers, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use machine::{Config, Model, Tv};

/// A page of a test, and its requests.
struct Desk {
    view: View,
    track: Track,
    debugger: Debugger,
    running: bool,
    requests: Vec<Request>,
}

/// A routine for a display list interrupt: a colour in the next line.
const ROUTINE: [u8; 11] = [
    0x48, 0xA9, 0x34, 0x8D, 0x0A, 0xD4, 0x8D, 0x1A, 0xD0, 0x68, 0x40,
];

/// BASIC's READY, with an interrupt in the third of its lines that turns the background red.
fn desk(layout: &str) -> Desk {
    desk_with(layout, machine::Extras::default())
}

fn desk_with(layout: &str, extras: machine::Extras) -> Desk {
    let config = Config {
        model: Model::Xl800,
        tv: Tv::Ntsc,
        os: roms::OS_XL.to_vec().into(),
        basic: Some(roms::BASIC.to_vec().into()),
        cartridge: None,
        second: None,
        seed: 1,
        extras,
    };
    let mut machine = Machine::new(&config).unwrap();
    for _ in 0..200 {
        machine.run_frame();
    }
    for (n, byte) in ROUTINE.into_iter().enumerate() {
        machine.poke(0x600 + n as u16, byte);
    }
    machine.poke(0x200, 0x00);
    machine.poke(0x201, 0x06);
    let list = machine.peek_word(0x230);
    let third = list.wrapping_add(7);
    machine.poke(third, machine.peek(third) | 0x80);
    machine.pins().write(0xD40E, 0xC0);
    let mut debugger = Debugger::default();
    debugger.symbols.add_hardware();
    let mut track = Track::new(machine, Limits::debugger());
    for _ in 0..3 {
        debugger.run_frame(&mut track);
    }
    Desk {
        view: View::with_layout(layout),
        track,
        debugger,
        running: false,
        requests: Vec::new(),
    }
}

fn harness<'a>(layout: &str) -> Harness<'a, Desk> {
    harness_of(desk(layout))
}

fn harness_of<'a>(desk: Desk) -> Harness<'a, Desk> {
    let palette = Box::new(std::array::from_fn::<u32, 256, _>(|n| n as u32 * 0x01_0101));
    let mut harness = Harness::builder()
        .with_size(vec2(1000.0, 700.0))
        .build_ui_state(
            move |ui, desk: &mut Desk| {
                let scene = Scene {
                    track: &desk.track,
                    debugger: &desk.debugger,
                    palette: &palette,
                    running: desk.running,
                    oldest: Moment(0),
                    status: "testing",
                };
                desk.requests.extend(desk.view.ui(ui, &scene));
            },
            desk,
        );
    theme::apply(&harness.ctx, true, 1.0);
    harness.run();
    harness
}

const BREAK: &str = "break at: NAME, write D01A, beam 100 20, dli if a == 3 once";

fn asked(harness: &mut Harness<'_, Desk>) -> Vec<Request> {
    harness.run();
    std::mem::take(&mut harness.state_mut().requests)
}

#[test]
fn keys_step_both_ways_and_letters_do_not_while_text_is_typed() {
    let mut harness = harness("h 0.5 [Code*] [Breakpoints*]");
    for (modifiers, key, request) in [
        (Modifiers::NONE, Key::F5, Request::Run),
        (Modifiers::ALT, Key::F5, Request::RunBack),
        (Modifiers::NONE, Key::F10, Request::Step(Step::Over)),
        (Modifiers::ALT, Key::F11, Request::Back(Step::Instruction)),
        (Modifiers::SHIFT, Key::F11, Request::Step(Step::Out)),
        (Modifiers::NONE, Key::C, Request::Step(Step::Cycle)),
        (Modifiers::ALT, Key::D, Request::Back(Step::Dli)),
        (Modifiers::NONE, Key::Escape, Request::Close),
    ] {
        harness.key_press_modifiers(modifiers, key);
        assert_eq!(asked(&mut harness), [request]);
    }
    harness.get_by_label(BREAK).click();
    harness.run();
    harness.key_press(Key::C);
    assert_eq!(asked(&mut harness), []);
}

#[test]
fn a_click_on_code_asks_for_a_breakpoint() {
    let mut harness = harness("[Code*]");
    harness.state_mut().view.panels.code.show(0x600);
    harness.run();
    harness.get_by_label_contains("STA COLBK").click();
    assert_eq!(asked(&mut harness), [Request::ToggleStop(0x606)]);
}

#[test]
fn breakpoints_are_added_by_typing_and_listed_with_what_they_have() {
    let mut harness = harness("[Breakpoints*]");
    harness.get_by_label(BREAK).click();
    harness.run();
    harness
        .get_by_label(BREAK)
        .type_text("write COLBK if value == 52 once");
    harness.run();
    harness.key_press(Key::Enter);
    let command = Request::Command("break write COLBK if value == 52 once".to_owned());
    assert_eq!(asked(&mut harness), std::slice::from_ref(&command));
    let desk = harness.state_mut();
    let done = perform::perform(&mut desk.debugger, &mut desk.track, &command).unwrap();
    assert!(done.stopped.is_none() && !done.jumped);
    harness.run();
    assert!(
        harness
            .query_by_label_contains("write $D01A  COLBK if value == 52 once")
            .is_some()
    );
    let wrong = Request::Command("break nowhere".to_owned());
    let desk = harness.state_mut();
    let done = perform::perform(&mut desk.debugger, &mut desk.track, &wrong).unwrap();
    assert!(done.status.contains("nowhere") && done.lines == [done.status.clone()]);
    assert_eq!(desk.debugger.breakpoints.list().len(), 1);
}

#[test]
fn a_byte_of_memory_is_changed_by_clicking_and_typing() {
    let mut harness = harness("[Memory*]");
    harness.get_by_label_contains("0600  48 A9 34").click();
    harness.run();
    let (address, _) = harness.state().view.panels.memory.cursor.unwrap();
    assert!((0x600..0x610).contains(&address));
    for digit in ["4", "f"] {
        harness.event(egui::Event::Text(digit.to_owned()));
    }
    // F is also the key for a frame.
    harness.key_press(Key::F);
    assert_eq!(asked(&mut harness), [Request::Poke(address, vec![0x4F])]);
    harness.key_press(Key::Escape);
    assert_eq!(asked(&mut harness), []);
    harness.key_press(Key::F);
    assert_eq!(asked(&mut harness), [Request::Step(Step::Frame)]);
}

#[test]
fn a_register_is_changed_by_clicking_and_typing() {
    let mut harness = harness("[6502*]");
    harness.get_by_label("change A").click();
    harness.run();
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.event(egui::Event::Text("7f".to_owned()));
    harness.run();
    harness.key_press(Key::Enter);
    assert_eq!(asked(&mut harness), [Request::Load(Register::A, 0x7F)]);
}

#[test]
fn the_interrupt_and_its_stores_are_listed() {
    let mut harness = harness("[DLI*]");
    // 8 lines of border, 16 blank lines and two and a half mode lines lead to the third one's last line.
    let row = harness.get_by_label_contains("$0600");
    row.click();
    harness.run();
    assert!(harness.query_by_label_contains("WSYNC   ").is_some());
    // A is stored in WSYNC, too.
    assert_eq!(harness.get_all_by_label_contains("-> 34").count(), 2);
}

#[test]
fn a_pixel_says_why_and_leads_to_the_store_of_its_colour() {
    let mut harness = harness("h 0.5 [Picture*] [Why*]");
    {
        let desk = harness.state_mut();
        // To the end of the frame: all of it is drawn.
        desk.debugger.step(&mut desk.track, Step::Beam(250, 0));
    }
    harness.run();
    let picture = harness.get_by_label("the picture").rect();
    // The border in the middle of the picture's height, after the interrupt has made it $34.
    harness.hover_at(picture.left_center() + vec2(8.0, 0.0));
    harness.run();
    harness.run();
    assert!(harness.query_all_by_label_contains("border").count() > 0);
    let link = harness.get_by_label_contains("its colour: stored $34");
    link.click();
    let found = asked(&mut harness);
    let [Request::Back(Step::Beam(line, _))] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert!((30..120).contains(line), "{line}");
}

#[test]
fn the_strip_counts_the_cycles_of_a_line() {
    let harness = harness("h 0.7 [Bus*] [Picture*]");
    // Line 0 is in vertical blank: nine cycles of refresh, the rest is the processor's.
    harness.get_by_label("line 0");
    harness.get_by_label("105 processor");
    harness.get_by_label("9 refresh");
}

#[test]
fn panels_close_and_come_back_as_they_were() {
    let mut harness = harness("h 0.500 [Code*] [Memory*, Trace]");
    harness
        .state_mut()
        .view
        .perform(&Request::Toggle(Panel::Trace));
    harness.run();
    let layout = harness.state().view.layout();
    assert!(layout.contains("[Memory*]"), "{layout}");
    assert_eq!(View::with_layout(&layout).layout(), layout);
    harness
        .state_mut()
        .view
        .perform(&Request::ShowMemory(0xE000));
    harness.run();
    assert!(harness.query_by_label_contains("E000  ").is_some());
}

#[test]
fn the_command_line_answers_completes_and_asks() {
    let mut harness = harness("[Command*]");
    let type_in = |harness: &mut Harness<'_, Desk>, text: &str, tab: bool| {
        harness.get_by_label("command").click();
        harness.run();
        harness.get_by_label("command").type_text(text);
        harness.run();
        if tab {
            harness.key_press(Key::Tab);
            harness.run();
        }
        harness.key_press(Key::Enter);
        asked(harness)
    };
    for (text, tab, request) in [
        ("g", false, Request::Run),
        ("stop", false, Request::Break),
        ("quit", false, Request::Close),
        ("ove", true, Request::Command("over".to_owned())),
        ("who COLB", true, Request::Command("who COLBK".to_owned())),
    ] {
        assert_eq!(type_in(&mut harness, text, tab), [request], "{text}");
    }
    let desk = harness.state_mut();
    for (text, wanted) in [
        ("mem 0600 2", "0600"),
        ("nonsense", "nonsense"),
        ("back into", "line"),
    ] {
        let request = Request::Command(text.to_owned());
        let done = perform::perform(&mut desk.debugger, &mut desk.track, &request).unwrap();
        assert!(done.lines[0].contains(wanted), "{text}: {:?}", done.lines);
        desk.view.answer(&done.lines);
    }
    harness.run();
    assert!(harness.query_by_label_contains("0600 ").is_some());
}

#[test]
fn the_time_bar_goes_where_it_is_clicked() {
    let mut harness = harness("[Code*]");
    let desk = harness.state();
    let timeline = desk.track.timeline();
    let (oldest, newest) = (timeline.oldest(), timeline.newest());
    assert!(newest > oldest);
    let bar = harness.get_by_label("time bar").rect();
    let at = bar.left_center() + vec2(bar.width() / 2.0, 0.0);
    harness.hover_at(at);
    harness.run();
    for pressed in [true, false] {
        harness.event(egui::Event::PointerButton {
            pos: at,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        });
    }
    let found = asked(&mut harness);
    let Some(Request::GoTo(moment)) = found.last() else {
        panic!("{found:?}");
    };
    let middle = u64::midpoint(oldest.0, newest.0);
    assert!(moment.0.abs_diff(middle) < (newest.0 - oldest.0) / 50);
    let moment = *moment;
    let desk = harness.state_mut();
    let done = perform::perform(&mut desk.debugger, &mut desk.track, &Request::GoTo(moment));
    assert_eq!(done.unwrap().stopped, Some(true));
    assert_eq!(desk.track.moment(), moment);
    // A bookmark leads back to where it was set.
    harness.get_by_label("mark").click();
    harness.run();
    assert_eq!(harness.state().view.panels.time.marks[0].at, moment);
}

#[test]
fn layers_are_hidden_in_the_picture_alone() {
    let mut harness = harness("[Picture*]");
    let before = harness.state().track.machine().clone();
    harness.get_by_label("layers").click();
    harness.run();
    harness.get_by_label("playfield").click();
    harness.run();
    harness.run();
    assert!(*harness.state().track.machine() == before);
    harness.get_by_label("background").click();
    harness.run();
    harness.get_by_label("all").click();
    harness.run();
    assert_eq!(asked(&mut harness), []);
}

#[test]
fn a_muted_voice_is_not_heard_and_the_others_are() {
    let mut machine = desk("[Code*]").track.machine().clone();
    for (register, data) in [(0, 100), (1, 0xA8), (2, 77), (3, 0xA5), (8, 0)] {
        machine.pins().write(0xD200 + register, data);
    }
    let levels = |muted: u8| {
        let start = machine.clone();
        let mut after = machine.clone();
        after.run_frame();
        let mut double = voices::Double::new(&start, muted);
        let [changes, second] = double.run(start, after.now());
        assert!(second.is_empty());
        let mut levels: Vec<u8> = changes.iter().map(|change| change.level & 0x3F).collect();
        levels.sort_unstable();
        levels.dedup();
        (levels, changes)
    };
    assert_eq!(levels(0).0, [0, 5, 8, 13]);
    assert_eq!(levels(1).0, [0, 5]);
    assert_eq!(levels(2).0, [0, 8]);
    assert_eq!(levels(3).0, [0]);
    // With all voices it is the machine's own sound.
    let mut own = machine.clone();
    let mut sound = Vec::new();
    own.take_sound(&mut sound);
    sound.clear();
    own.run_frame();
    own.take_sound(&mut sound);
    assert_eq!(levels(0).1[1..], sound);
}

#[test]
fn voices_of_a_second_pokey_are_shown_and_muted_by_themselves() {
    let extras = machine::Extras {
        stereo: true,
        ..machine::Extras::default()
    };
    let mut desk = desk_with("[Voices*]", extras);
    // A volume without a tone on each side.
    debugger::poke(&mut desk.track, 0xD201, &[0x18]);
    debugger::poke(&mut desk.track, 0xD211, &[0x15]);
    let levels = |muted: u8| {
        let start = desk.track.machine().clone();
        let mut after = desk.track.machine().clone();
        after.run_frame();
        let changes = voices::Double::new(&start, muted).run(start, after.now());
        changes.map(|changes| changes.last().map(|change| change.level & 0x3F))
    };
    assert_eq!(levels(0), [Some(8), Some(5)]);
    assert_eq!(levels(0x01), [Some(0), Some(5)]);
    assert_eq!(levels(0x10), [Some(8), Some(0)]);
    let mut harness = harness_of(desk);
    assert_eq!(harness.get_all_by_label_contains("voice ").count(), 8);
    let fifth = harness.get_all_by_label("voice 1").nth(1).unwrap();
    fifth.click();
    harness.run();
    assert_eq!(harness.state().view.muted(), 0x10);
}

#[test]
fn a_register_of_a_chip_is_written_and_the_other_future_is_kept() {
    let mut harness = harness("[Chips*]");
    let desk = harness.state_mut();
    assert!(desk.debugger.step_back(&mut desk.track, Step::Line));
    harness.run();
    // The button, not the heading.
    let chip = harness.get_all_by_label("GTIA").next().unwrap();
    chip.click();
    harness.run();
    harness.get_by_label_contains("D01A COLBK").click();
    harness.run();
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.event(egui::Event::Text("5a".to_owned()));
    harness.run();
    harness.key_press(Key::Enter);
    let request = Request::Poke(0xD01A, vec![0x5A]);
    assert_eq!(asked(&mut harness), std::slice::from_ref(&request));
    let desk = harness.state_mut();
    let done = perform::perform(&mut desk.debugger, &mut desk.track, &request).unwrap();
    assert!(done.status.contains("see Futures"), "{}", done.status);
    assert_eq!(desk.track.machine().bus().video.gtia.written(0x1A), 0x5A);
    // It is part of the recorded time: a cycle on and back it is still so.
    desk.debugger.step(&mut desk.track, Step::Line);
    assert!(desk.debugger.step_back(&mut desk.track, Step::Cycle));
    assert_eq!(desk.track.machine().bus().video.gtia.written(0x1A), 0x5A);
    harness.run();
    harness.get_by_label("Futures 1").click();
    harness.run();
    harness
        .get_by_label_contains("Switch to the other future")
        .click();
    assert_eq!(
        asked(&mut harness),
        [Request::Command("switch 0".to_owned())]
    );
}

#[test]
fn the_source_is_shown_and_takes_breakpoints() {
    let mut desk = desk("[Code*]");
    let listing = "mads 2.1.5\nSource: dli.asm\n     1 \t\torg $600\n     2 0600 48\t\tdli\tpha\n     3 0601 A9 34\t\tlda #$34\n     4 0603 8D 0A D4\tsta $d40a\n";
    let symbols = &mut desk.debugger.symbols;
    desk.debugger.sources.add_file(listing, symbols).unwrap();
    let mut harness = harness_of(desk);
    let desk = harness.state_mut();
    let stop = desk.debugger.step(&mut desk.track, Step::To(0x601));
    assert_eq!(stop, debugger::Stop::Done);
    harness.run();
    assert!(harness.query_by_label_contains("dli.asm").is_some());
    harness.get_by_label_contains("sta $d40a").click();
    assert_eq!(asked(&mut harness), [Request::ToggleStop(0x603)]);
    harness.key_press(Key::S);
    assert_eq!(asked(&mut harness), [Request::Step(Step::Source)]);
    harness.get_by_label("source").click();
    harness.run();
    // Disassembly with the lines between the instructions.
    assert!(harness.query_by_label_contains("dli.asm:3").is_some());
    assert!(harness.query_by_label_contains("LDA #$34").is_some());
}

#[test]
fn the_event_map_is_enlarged() {
    let mut harness = harness("[Events*]");
    let size = |harness: &Harness<'_, Desk>| harness.get_by_label("the event map").rect().size();
    let fitting = size(&harness);
    harness.get_by_label("x3").click();
    harness.run();
    harness.run();
    assert_eq!(size(&harness), vec2(3.0 * 456.0, 3.0 * 262.0));
    assert!(fitting.x < 3.0 * 456.0);
}

#[test]
fn tab_completes_what_commands_take() {
    let mut harness = harness("[Command*]");
    harness.get_by_label("command").click();
    harness.run();
    for (typed, shown) in [
        ("break unin", "break uninitialised "),
        ("back dlie", "back dliend "),
        ("set p", "set p"),
    ] {
        harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
        harness.event(egui::Event::Text(typed.to_owned()));
        harness.run();
        harness.key_press(Key::Tab);
        harness.run();
        let field = harness.get_by_label("command");
        assert_eq!(field.value().as_deref(), Some(shown), "{typed}");
    }
}

#[test]
fn addresses_and_expressions_are_watched() {
    let mut harness = harness("[Watches*]");
    let hint = "watch: address, name, or expression as [$80+x] & 15";
    for (typed, shown) in [
        ("0600", Some("48  72 %01001000  word A948")),
        ("[$600] & 15", Some("[$600] & 15 = 8 $8")),
        ("1 +", None),
    ] {
        harness.get_by_label(hint).click();
        harness.run();
        harness.get_by_label(hint).type_text(typed);
        harness.run();
        harness.key_press(Key::Enter);
        let found = asked(&mut harness);
        match shown {
            Some(text) => assert!(harness.query_by_label_contains(text).is_some(), "{typed}"),
            None => assert!(matches!(found[..], [Request::Say(_)]), "{found:?}"),
        }
    }
}

#[test]
fn basic_shows_its_variables() {
    let mut harness = harness("[BASIC*]");
    assert!(harness.query_by_label_contains("immediate").is_some());
    assert!(harness.query_by_label("no variables").is_some());
    harness.get_by_label_contains("statement \u{25B6}").click();
    assert_eq!(asked(&mut harness), [Request::Step(Step::Statement)]);
}

#[test]
fn requests_change_machine_and_debugger() {
    let Desk {
        mut track,
        mut debugger,
        ..
    } = desk("[Code*]");
    let mut ask = |track: &mut Track, request: Request| {
        perform::perform(&mut debugger, track, &request).unwrap()
    };
    let stepped = ask(&mut track, Request::Step(Step::DliRoutine));
    assert_eq!(
        (track.machine().cpu.pc, stepped.stopped),
        (0x600, Some(true))
    );
    ask(&mut track, Request::Step(Step::Instruction));
    assert_eq!(track.machine().cpu.pc, 0x601);
    ask(&mut track, Request::Back(Step::Instruction));
    assert_eq!(track.machine().cpu.pc, 0x600);
    ask(&mut track, Request::Load(Register::Y, 0x77));
    ask(&mut track, Request::Load(Register::Pc, 0x609));
    assert_eq!(
        (track.machine().cpu.y, track.machine().cpu.pc),
        (0x77, 0x609)
    );
    ask(&mut track, Request::Poke(0xFFFF, vec![1, 2]));
    assert_eq!(track.machine().peek(0), 2);
    // The routine's store, found backwards; breakpoints that were set stay.
    ask(&mut track, Request::AddStop(Place::Pc(0xE000)));
    ask(&mut track, Request::Step(Step::Frame));
    let found = ask(&mut track, Request::BackToWrite(0xD01A));
    assert!(
        found.status.contains("is about to become"),
        "{}",
        found.status
    );
    assert!(track.machine().cpu.next_is_write() && track.machine().cpu.next_address() == 0xD01A);
    let nothing = ask(&mut track, Request::BackToWrite(0xA123));
    assert!(
        nothing.status.starts_with("nothing has written"),
        "{}",
        nothing.status
    );
    assert_eq!(debugger.breakpoints.list().len(), 1);
}
