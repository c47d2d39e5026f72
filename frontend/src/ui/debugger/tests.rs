use super::*;
use crate::ui::theme;
use cpu6502::Bus;
use debugger::Entry;
use egui::{Key, Modifiers, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use machine::{Config, Model, Tv};

/// What a test's page shows, and what it has asked for.
struct Desk {
    view: View,
    machine: Machine,
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
    let config = Config {
        model: Model::Xl800,
        tv: Tv::Ntsc,
        os: roms::OS_XL.to_vec().into(),
        basic: Some(roms::BASIC.to_vec().into()),
        cartridge: None,
        seed: 1,
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
    machine.bus.write(0xD40E, 0xC0);
    let mut debugger = Debugger::default();
    debugger.symbols.add_hardware();
    debugger.history.record(&mut machine);
    for _ in 0..3 {
        debugger.run_frame(&mut machine);
    }
    Desk {
        view: View::with_layout(layout),
        machine,
        debugger,
        running: false,
        requests: Vec::new(),
    }
}

fn harness<'a>(layout: &str) -> Harness<'a, Desk> {
    let palette = Box::new(std::array::from_fn::<u32, 256, _>(|n| n as u32 * 0x01_0101));
    let mut harness = Harness::builder()
        .with_size(vec2(1000.0, 700.0))
        .build_ui_state(
            move |ui, desk: &mut Desk| {
                let scene = Scene {
                    machine: &desk.machine,
                    debugger: &desk.debugger,
                    palette: &palette,
                    running: desk.running,
                    status: "testing",
                };
                desk.requests.extend(desk.view.ui(ui, &scene));
            },
            desk(layout),
        );
    theme::apply(&harness.ctx, true, 1.0);
    harness.run();
    harness
}

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
    harness
        .get_by_label("break at: address, write D01A, beam 100 20, dli")
        .click();
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
fn breakpoints_are_added_by_typing() {
    let mut harness = harness("[Breakpoints*]");
    let hint = "break at: address, write D01A, beam 100 20, dli";
    for (typed, place) in [
        ("COLBK", Some(Place::Pc(0xD01A))),
        ("write 80-8F", Some(Place::Write(0x80..=0x8F))),
        ("r d40b", Some(Place::Read(0xD40B..=0xD40B))),
        ("beam 100 20", Some(Place::Beam(100, 20))),
        ("dli", Some(Place::Interrupt(Entry::Dli))),
        ("beam 900", None),
        ("nonsense", None),
        ("write 9-8", None),
    ] {
        harness.get_by_label(hint).click();
        harness.run();
        harness.state_mut().view.panels.stops = stops::State::default();
        harness.get_by_label(hint).type_text(typed);
        harness.run();
        harness.key_press(Key::Enter);
        match (asked(&mut harness).as_slice(), place) {
            ([Request::AddStop(found)], Some(place)) => assert_eq!(*found, place, "{typed}"),
            ([Request::Say(sentence)], None) => assert!(!sentence.is_empty()),
            (found, _) => panic!("{typed}: {found:?}"),
        }
    }
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
        desk.debugger.step(&mut desk.machine, Step::Beam(250, 0));
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
    let desk = harness.state();
    let palette = [0; 256];
    let scene = Scene {
        machine: &desk.machine,
        debugger: &desk.debugger,
        palette: &palette,
        running: false,
        status: "",
    };
    let say = |text: &str| console::command(text, &scene);
    assert_eq!(say("over").unwrap().0, [Request::Step(Step::Over)]);
    assert_eq!(say("back dli").unwrap().0, [Request::Back(Step::Dli)]);
    assert_eq!(
        say("beam 10 3").unwrap().0,
        [Request::Step(Step::Beam(10, 3))]
    );
    assert_eq!(
        say("set x 1f").unwrap().0,
        [Request::Load(Register::X, 0x1F)]
    );
    assert_eq!(
        say("poke 600 a9 $00").unwrap().0,
        [Request::Poke(0x600, vec![0xA9, 0])]
    );
    assert_eq!(say("who COLBK").unwrap().0, [Request::BackToWrite(0xD01A)]);
    assert_eq!(say("mem 600 2").unwrap().1.len(), 2);
    assert!(say("help").unwrap().1.len() > 20);
    for wrong in [
        "",
        "nonsense",
        "to nowhere",
        "set q 1",
        "set a 100",
        "poke 600",
        "poke 600 xyz",
        "clear x",
        "beam 1000",
    ] {
        let sentence = say(wrong).unwrap_err();
        assert!(
            !sentence.contains('\n') && sentence.len() < 120,
            "{sentence}"
        );
    }
    harness.get_by_label("command").click();
    harness.run();
    harness.get_by_label("command").type_text("ove");
    harness.run();
    harness.key_press(Key::Tab);
    harness.run();
    harness.key_press(Key::Enter);
    assert_eq!(asked(&mut harness), [Request::Step(Step::Over)]);
}

#[test]
fn requests_change_machine_and_debugger() {
    let Desk {
        mut machine,
        mut debugger,
        ..
    } = desk("[Code*]");
    let mut ask = |machine: &mut Machine, request: Request| {
        perform::perform(&mut debugger, machine, &request).unwrap()
    };
    let stepped = ask(&mut machine, Request::Step(Step::DliRoutine));
    assert_eq!((machine.cpu.pc, stepped.stopped), (0x600, Some(true)));
    ask(&mut machine, Request::Step(Step::Instruction));
    assert_eq!(machine.cpu.pc, 0x601);
    ask(&mut machine, Request::Back(Step::Instruction));
    assert_eq!(machine.cpu.pc, 0x600);
    ask(&mut machine, Request::Load(Register::Y, 0x77));
    ask(&mut machine, Request::Load(Register::Pc, 0x609));
    assert_eq!((machine.cpu.y, machine.cpu.pc), (0x77, 0x609));
    ask(&mut machine, Request::Poke(0xFFFF, vec![1, 2]));
    assert_eq!(machine.peek(0), 2);
    // The routine's store, found backwards; breakpoints that were set stay.
    ask(&mut machine, Request::AddStop(Place::Pc(0xE000)));
    ask(&mut machine, Request::Step(Step::Frame));
    let found = ask(&mut machine, Request::BackToWrite(0xD01A));
    assert!(
        found.status.contains("is about to be written"),
        "{}",
        found.status
    );
    assert!(machine.cpu.next_is_write() && machine.cpu.next_address() == 0xD01A);
    let nothing = ask(&mut machine, Request::BackToWrite(0xA123));
    assert!(
        nothing.status.starts_with("nothing has written"),
        "{}",
        nothing.status
    );
    assert_eq!(debugger.breakpoints.list().len(), 1);
}
