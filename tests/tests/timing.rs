//! Facts about WSYNC, NMIs, VSCROL and GTIA's write delays, each shown by a tiny program that begins at an exact cycle.
use machine::{Bus, Config, Machine, Model, Probe, Tv};

const COUNTER: u16 = 0x0080;

/// An OS that waits at $C000; its NMI handler at $C010 writes $90 and returns, its IRQ handler at $C020 writes $91.
fn os() -> Vec<u8> {
    let mut os = vec![0xEA; 0x4000];
    os[..3].copy_from_slice(&[0x4C, 0x00, 0xC0]);
    os[0x10..0x13].copy_from_slice(&[0x85, 0x90, 0x40]);
    os[0x20..0x23].copy_from_slice(&[0x85, 0x91, 0x40]);
    os[0x3FFA..].copy_from_slice(&[0x10, 0xC0, 0x00, 0xC0, 0x20, 0xC0]);
    os
}

fn machine() -> Machine {
    let mut machine = Machine::new(&Config {
        model: Model::Xl800,
        tv: Tv::Ntsc,
        os: os().into(),
        basic: None,
        cartridge: None,
        second: None,
        seed: 3,
        extras: machine::Extras::default(),
    })
    .unwrap();
    machine.run_frame();
    machine
}

/// Goes to a cycle of a line and lets `program` begin there.
fn start(machine: &mut Machine, line: u64, cycle: u64, program: &[u8]) {
    machine.run_frame();
    machine.run_cycles(line * 114 + cycle);
    for (i, &byte) in program.iter().enumerate() {
        machine.poke(0x2000 + i as u16, byte);
    }
    machine.cpu.set_pc(0x2000);
}

/// Notes when the processor writes to an address.
struct Writes(u16, Vec<(u16, u8)>);

impl Probe for Writes {
    fn cycle(&mut self, cpu: &cpu6502::Cpu, bus: &Bus) -> bool {
        if cpu.next_is_write() && cpu.next_address() == self.0 {
            // A write that DMA holds up is tried again.
            let beam = bus.beam();
            if self
                .1
                .last()
                .is_some_and(|l| l.0 == beam.line && l.1 + 1 == beam.cycle)
            {
                self.1.pop();
            }
            self.1.push((beam.line, beam.cycle));
        }
        false
    }
}

/// The time at which `program`, begun at that cycle, writes to `address` for the first time.
fn written(line: u64, cycle: u64, program: &[u8], address: u16) -> (u16, u8) {
    let mut machine = machine();
    start(&mut machine, line, cycle, program);
    let mut writes = Writes(address, Vec::new());
    machine.run_cycles_with(3 * 114, &mut writes);
    writes.1[0]
}

/// STA WSYNC, STA $80, JMP *: the write to $80 comes two cycles after the third cycle that follows WSYNC's write.
const STORE: [u8; 8] = [0x8D, 0x0A, 0xD4, 0x85, 0x80, 0x4C, 0x05, 0x20];
/// INC WSYNC instead.
const INCREMENT: [u8; 8] = [0xEE, 0x0A, 0xD4, 0x85, 0x80, 0x4C, 0x05, 0x20];

#[test]
fn wsync_lets_one_more_cycle_run_and_releases_at_105() {
    // The write at 63: the opcode fetch at 64 still runs, operand and write follow at 105 and 106.
    assert_eq!(written(38, 60, &STORE, COUNTER), (38, 106));
    // The write at 24; DMA takes the next cycle: it is lost, all three cycles follow the release.
    assert_eq!(written(38, 21, &STORE, COUNTER), (38, 107));
}

#[test]
fn wsync_written_at_103_stops_nothing_and_at_104_a_whole_line() {
    assert_eq!(written(38, 99, &STORE, COUNTER), (38, 106), "write at 102");
    assert_eq!(
        written(38, 100, &STORE, COUNTER),
        (38, 106),
        "write at 103: 104, 105, 106"
    );
    assert_eq!(
        written(38, 101, &STORE, COUNTER),
        (39, 106),
        "write at 104: 105, then 105 of the next line"
    );
}

#[test]
fn a_read_modify_write_on_wsync_leaves_the_next_instruction_whole() {
    // Writes at 65 and 66.
    assert_eq!(written(38, 61, &INCREMENT, COUNTER), (38, 107));
    // Writes at 103 and 104: one cycle at 105, the rest in the next line.
    assert_eq!(written(38, 99, &INCREMENT, COUNTER), (39, 106));
}

/// The NMIST that a read in `cycle` of line 248 gives, NMIST having been cleared before.
fn nmist_at(cycle: u64) -> u8 {
    let mut machine = machine();
    // LDA NMIST, STA $80, JMP *: the read is the fourth cycle.
    let program = [0xAD, 0x0F, 0xD4, 0x85, 0x80, 0x4C, 0x05, 0x20];
    start(
        &mut machine,
        247,
        100,
        &[0x8D, 0x0F, 0xD4, 0x4C, 0x03, 0x20],
    );
    machine.run_cycles(14 + cycle - 3);
    for (i, &byte) in program.iter().enumerate() {
        machine.poke(0x2000 + i as u16, byte);
    }
    machine.cpu.set_pc(0x2000);
    machine.run_cycles(40);
    machine.peek(COUNTER)
}

#[test]
fn nmist_shows_the_vertical_blank_from_cycle_7_on() {
    assert_eq!(nmist_at(6), 0x1F);
    assert_eq!(nmist_at(7), 0x5F);
}

#[test]
fn nmires_in_cycle_7_does_not_clear_what_is_being_set_and_in_cycle_8_does() {
    for (cycle, nmist) in [(7, 0x5F), (8, 0x1F)] {
        let mut machine = machine();
        start(
            &mut machine,
            248,
            cycle - 3,
            &[0x8D, 0x0F, 0xD4, 0x4C, 0x03, 0x20],
        );
        machine.run_cycles(60);
        assert_eq!(machine.peek(0xD40F), nmist, "cycle {cycle}");
    }
}

/// The NMI when NMIEN is written in that cycle of line 248, if it comes: when its handler writes.
fn nmi_after(before: u8, after: u8, cycle: u64) -> Option<(u16, u8)> {
    let mut machine = machine();
    start(
        &mut machine,
        246,
        100,
        &[0xA9, before, 0x8D, 0x0E, 0xD4, 0x4C, 0x05, 0x20],
    );
    machine.run_cycles(14 + 114 + cycle - 5);
    start_here(
        &mut machine,
        &[0xA9, after, 0x8D, 0x0E, 0xD4, 0x4C, 0x05, 0x20],
    );
    let mut writes = Writes(0x90, Vec::new());
    machine.run_cycles_with(100, &mut writes);
    writes.1.first().copied()
}

fn start_here(machine: &mut Machine, program: &[u8]) {
    for (i, &byte) in program.iter().enumerate() {
        machine.poke(0x2000 + i as u16, byte);
    }
    machine.cpu.set_pc(0x2000);
}

#[test]
fn nmien_enables_up_to_cycle_7() {
    assert!(nmi_after(0, 0x40, 7).is_some());
    assert!(nmi_after(0, 0x40, 8).is_none());
}

#[test]
fn nmien_disables_up_to_cycle_6() {
    assert!(nmi_after(0x40, 0, 6).is_none());
    assert!(nmi_after(0x40, 0, 7).is_some());
}

#[test]
fn the_nmi_sequence_begins_at_cycle_10_at_the_earliest() {
    for (begin, write) in [
        // Two-cycle instructions: one ends with cycle 9.
        (4, 10 + 7 + 2),
        // One ends with cycle 8, which is too early: the next ends with 10.
        (5, 11 + 7 + 2),
    ] {
        let mut machine = machine();
        start(
            &mut machine,
            246,
            60,
            &[0xA9, 0x40, 0x8D, 0x0E, 0xD4, 0x4C, 0x05, 0x20],
        );
        machine.run_cycles(54 + 114 + begin);
        start_here(&mut machine, &[0xEA; 40]);
        let mut writes = Writes(0x90, Vec::new());
        machine.run_cycles_with(30, &mut writes);
        assert_eq!(writes.1, [(248, write)], "NOPs from cycle {begin}");
    }
}

#[test]
fn an_nmi_during_the_wsync_stop_waits_for_one_instruction() {
    let mut machine = machine();
    start(
        &mut machine,
        246,
        60,
        &[0xA9, 0x40, 0x8D, 0x0E, 0xD4, 0x4C, 0x05, 0x20],
    );
    machine.run_cycles(54 + 60);
    // The write of WSYNC at 106 of line 247: stopped until 105 of line 248.
    machine.run_cycles(43);
    start_here(&mut machine, &STORE);
    let mut store = Writes(COUNTER, Vec::new());
    let mut copy = machine.clone();
    machine.run_cycles_with(150, &mut store);
    assert_eq!(store.1[0], (248, 106));
    let mut handler = Writes(0x90, Vec::new());
    copy.run_cycles_with(150, &mut handler);
    assert_eq!(handler.1, [(249, (107 + 7 + 2 - 114) as u8)]);
}

#[test]
fn vcount_of_the_last_line_is_seen_for_one_cycle_after_it() {
    for (cycle, value) in [(110, 0x82), (111, 0x83), (112, 0x00)] {
        let mut machine = machine();
        start(
            &mut machine,
            261,
            cycle - 3,
            &[0xAD, 0x0B, 0xD4, 0x85, 0x80, 0x4C, 0x05, 0x20],
        );
        machine.run_cycles(20);
        assert_eq!(machine.peek(COUNTER), value, "cycle {cycle}");
    }
}

#[test]
fn registers_repeat_every_16_and_every_32_bytes() {
    let machine = machine();
    assert_eq!(machine.peek(0xD42B), machine.peek(0xD40B));
    assert_eq!(machine.peek(0xD406), 0xFF);
    assert_eq!(machine.peek(0xD015), 0x0F);
    assert_eq!(machine.peek(0xD055), 0x0F);
}

#[test]
fn consol_outputs_pull_their_lines_low() {
    for value in 0..16 {
        let mut machine = machine();
        start(
            &mut machine,
            20,
            0,
            &[0xA9, value, 0x8D, 0x1F, 0xD0, 0x4C, 0x05, 0x20],
        );
        machine.run_cycles(20);
        // Without BASIC, OPTION (bit 2) is held down after power-on.
        assert_eq!(machine.peek(0xD01F) & 0x0B, !value & 0x0B);
    }
}

/// The first colour clock of line 60 that differs after `register` is written with `data` in cycle `cycle`.
fn first_change(set_up: &[(u16, u8)], register: u16, data: u8, cycle: u64) -> usize {
    let mut machine = machine();
    let mut program = Vec::new();
    for &(address, value) in set_up {
        program.extend([0xA9, value, 0x8D, address as u8, (address >> 8) as u8]);
    }
    program.extend([0x4C, program.len() as u8, 0x20]);
    start(&mut machine, 10, 0, &program);
    machine.run_cycles(50 * 114 + cycle - 5);
    let mut plain = machine.clone();
    start_here(
        &mut machine,
        &[
            0xA9,
            data,
            0x8D,
            register as u8,
            (register >> 8) as u8,
            0x4C,
            0x05,
            0x20,
        ],
    );
    start_here(&mut plain, &[0x4C, 0x00, 0x20]);
    machine.run_frame();
    plain.run_frame();
    let (a, b) = (machine.frame().line(60), plain.frame().line(60));
    let x = (0..376).find(|&x| a[x] != b[x]).unwrap();
    34 + x / 2
}

#[test]
fn a_colour_register_shows_one_colour_clock_after_its_cycle_began() {
    for cycle in [66, 80, 99] {
        assert_eq!(
            first_change(&[(0xD01A, 0x04)], 0xD01A, 0x1E, cycle),
            2 * cycle as usize + 1
        );
    }
}

#[test]
fn hpos_acts_five_colour_clocks_after_its_cycle_began() {
    let player = [(0xD012, 0x38), (0xD00D, 0xFF), (0xD000, 0xA0)];
    // Moved away in time: its picture is missing at $A0.
    assert_eq!(first_change(&player, 0xD000, 0x00, (0xA0 - 6) / 2), 0xA0);
    // Too late: 2 * 78 + 5 is past $A0; nothing changes but the second picture.
    assert_eq!(first_change(&player, 0xD000, 0xC0, 78), 0xC0);
}

#[test]
fn graf_acts_three_colour_clocks_after_its_cycle_began() {
    let player = [(0xD012, 0x38), (0xD00D, 0xFF), (0xD000, 0xA1)];
    // 2 * 79 + 3 = $A1: in time for a trigger there.
    assert_eq!(first_change(&player, 0xD00D, 0x7F, 79), 0xA1);
}

#[test]
fn collisions_count_only_in_the_visible_part() {
    for (hpos, hit) in [(0x21, 0), (0x22, 2), (0xDD, 2), (0xDE, 0)] {
        let mut machine = machine();
        let mut program = Vec::new();
        for (address, value) in [
            (0xD000u16, hpos),
            (0xD001, hpos),
            (0xD00D, 0x80),
            (0xD00E, 0x80),
            (0xD01E, 0),
        ] {
            program.extend([0xA9, value, 0x8D, address as u8, (address >> 8) as u8]);
        }
        program.extend([0x4C, program.len() as u8, 0x20]);
        start(&mut machine, 60, 0, &program);
        machine.run_cycles(3 * 114);
        assert_eq!(machine.peek(0xD00C), hit, "HPOS {hpos:02X}");
        assert_eq!(machine.peek(0xD00D), hit >> 1, "HPOS {hpos:02X}");
    }
}

#[test]
fn nothing_collides_in_vertical_blank() {
    let mut machine = machine();
    let mut program = Vec::new();
    for (address, value) in [
        (0xD000u16, 0x80),
        (0xD001, 0x80),
        (0xD00D, 0x80),
        (0xD00E, 0x80),
        (0xD01E, 0),
    ] {
        program.extend([0xA9, value, 0x8D, address as u8, (address >> 8) as u8]);
    }
    program.extend([0x4C, program.len() as u8, 0x20]);
    start(&mut machine, 249, 0, &program);
    machine.run_cycles(8 * 114);
    assert_eq!(machine.peek(0xD00C), 0);
    machine.run_cycles(14 * 114);
    assert_eq!(machine.peek(0xD00C), 2);
}

#[test]
fn any_bytes_as_program_and_display_list_do_no_harm() {
    for seed in 0..12 {
        let mut machine = machine();
        let mut noise = seed * 0x9E37_79B9_u64 + 1;
        for address in 0..0xC000u16 {
            noise = noise
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            machine.poke(address, (noise >> 33) as u8);
        }
        start_here(&mut machine, &[0xA9, 0x3F, 0x8D, 0x00, 0xD4]);
        for _ in 0..30 {
            // Jammed or not: every register gets a random value now and then.
            noise = noise
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let register = (noise >> 40) as u8 & 31;
            let page = if noise >> 50 & 1 == 0 { 0xD0 } else { 0xD4 };
            let program = [0xA9, (noise >> 20) as u8, 0x8D, register, page];
            start_here(&mut machine, &program);
            machine.run_cycles(977 + (noise >> 60) * 113);
        }
        let mut copy = machine.clone();
        machine.run_cycles(40_000);
        copy.run_cycles(12_345);
        copy.run_cycles(27_655);
        assert!(
            machine == copy,
            "seed {seed}: a run in two parts is the same run"
        );
    }
}

/// The cycles in which an NMI reads its vector and its DLI handler at $0600 begins.
#[derive(Default)]
struct Dli {
    vector: Option<(u16, u8)>,
    handler: Option<(u16, u8)>,
}

impl Probe for Dli {
    fn cycle(&mut self, cpu: &cpu6502::Cpu, bus: &Bus) -> bool {
        let beam = bus.beam();
        if cpu.next_address() == 0xFFFA {
            self.vector = Some((beam.line, beam.cycle));
        }
        if cpu.next_address() == 0x0600 && self.vector.is_some() {
            self.handler = Some((beam.line, beam.cycle));
        }
        self.handler.is_some()
    }
}

#[test]
fn a_dli_handler_begins_eleven_cycles_behind_the_nmi_sequence_through_the_os() {
    // BIT NMIST, BPL, JMP (VDSLST): 4, 2 and 5 cycles.
    for model in [Model::Xl800, Model::Atari800] {
        let mut os = tests::calls::Os::new(&tests::config(model, Tv::Ntsc, false));
        // RTI.
        os.poke(0x0600, &[0x40]);
        os.poke(0x0200, &[0x00, 0x06]);
        // The second instruction of the list: blank lines 16 to 23.
        let list = os.word(0x0230);
        os.poke(list + 1, &[0xF0]);
        let machine = &mut os.machine;
        machine.run_frame();
        start_here(machine, &[0xA9, 0xC0, 0x8D, 0x0E, 0xD4, 0x4C, 0x05, 0x20]);
        let mut dli = Dli::default();
        assert!(machine.run_cycles_with(40 * 114, &mut dli), "{model:?}");
        let (line, vector) = dli.vector.unwrap();
        // The OS begins two cycles after the vector's first byte; refresh takes 25, 29, 33...
        let mut cycle = vector + 2;
        for _ in 0..11 {
            while cycle >= 25 && cycle % 4 == 1 {
                cycle += 1;
            }
            cycle += 1;
        }
        while cycle >= 25 && cycle % 4 == 1 {
            cycle += 1;
        }
        assert_eq!(line, 23, "{model:?}");
        assert_eq!(dli.handler, Some((23, cycle)), "{model:?}");
    }
}
