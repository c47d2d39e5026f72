//! When interrupts are taken: hardware manual 3.4 and 4.8, MOS hardware manual, and the tests of the Acid800 suite
//! (cpu_clisei, cpu_bugs, antic_blockednmi) in the form of bare processor cycles.

mod common;

use common::{Access, Board, IRQ_HANDLER, NMI_HANDLER, ORIGIN, RESET_HANDLER, instruction, start};
use cpu6502::opcodes::{OPCODES, Operation};
use cpu6502::{Cpu, flags};

const NOP: u8 = 0xEA;
const CLI: u8 = 0x58;
const SEI: u8 = 0x78;
const PLP: u8 = 0x28;
const RTI: u8 = 0x40;
const BRK: u8 = 0x00;

/// Opcodes that end, do not touch I, and look at the lines in their last but one cycle only.
fn ordinary() -> impl Iterator<Item = u8> {
    (0..=255u8).filter(|&opcode| {
        let operation = OPCODES[opcode as usize].operation;
        !matches!(
            operation,
            Operation::Brk | Operation::Jam | Operation::Plp | Operation::Rti
        ) && !operation.is_branch()
    })
}

/// The opcode with operands that point at RAM, once without and once with page crossing; `None` where it is the same.
fn boards(opcode: u8) -> impl Iterator<Item = (Cpu, Board)> {
    [0x00, 0xFF].into_iter().map(move |index| {
        let mut board = Board::new(&[opcode, 0x40, 0x50]);
        board.ram[0x0040..0x0044].copy_from_slice(&[0x20, 0x40, 0x20, 0x40]);
        let mut cpu = start();
        (cpu.x, cpu.y) = (index, index);
        (cpu, board)
    })
}

fn length(cpu: &Cpu, board: &Board) -> usize {
    instruction(&mut cpu.clone(), &mut board.clone())
}

#[test]
fn irq_counts_in_the_last_but_one_cycle_and_in_no_other() {
    for opcode in ordinary() {
        for (cpu, board) in boards(opcode) {
            let cycles = length(&cpu, &board);
            for pulse in 0..cycles {
                let (mut cpu, mut board) = (cpu.clone(), board.clone());
                for cycle in 0..cycles {
                    board.irq = cycle == pulse;
                    cpu.step(&mut board);
                }
                let taken = pulse + 2 == cycles;
                assert_eq!(
                    cpu.at_interrupt_start(),
                    taken,
                    "{opcode:02X}: pulse in cycle {pulse} of {cycles}"
                );
            }
        }
    }
}

#[test]
fn nmi_is_latched_and_served_after_the_last_but_one_cycle_that_sees_it() {
    for opcode in ordinary() {
        for (cpu, board) in boards(opcode) {
            let cycles = length(&cpu, &board);
            for edge in 0..cycles {
                let (mut cpu, mut board) = (cpu.clone(), board.clone());
                for cycle in 0..cycles {
                    if cycle == edge {
                        cpu.nmi();
                    }
                    cpu.step(&mut board);
                }
                let in_time = edge + 2 <= cycles;
                assert_eq!(
                    cpu.at_interrupt_start(),
                    in_time,
                    "{opcode:02X}: edge before cycle {edge} of {cycles}"
                );
                if !in_time {
                    instruction(&mut cpu, &mut board);
                    assert!(
                        cpu.at_interrupt_start(),
                        "{opcode:02X}: the edge stays latched"
                    );
                }
            }
        }
    }
}

#[test]
fn irq_sequence_takes_seven_cycles_and_sets_i() {
    let mut board = Board::new(&[]);
    let mut cpu = start();
    cpu.set_p(flags::C | flags::N);
    board.irq = true;
    instruction(&mut cpu, &mut board);
    board.log.clear();
    assert_eq!(instruction(&mut cpu, &mut board), 7);
    let access = |address, data, write| Access {
        address,
        data,
        write,
    };
    assert_eq!(
        board.log,
        [
            access(0x2001, NOP, false),
            access(0x2001, NOP, false),
            access(0x01F0, 0x20, true),
            access(0x01EF, 0x01, true),
            access(0x01EE, 0xA1, true),
            access(0xFFFE, 0x00, false),
            access(0xFFFF, 0x32, false),
        ]
    );
    assert_eq!((cpu.pc, cpu.s), (IRQ_HANDLER, 0xED));
    assert_eq!(cpu.p(), flags::C | flags::N | flags::I | flags::U);
}

#[test]
fn brk_and_php_push_bits_4_and_5_and_interrupts_only_bit_5() {
    let mut board = Board::new(&[0x08, BRK, 0xFF]);
    let mut cpu = start();
    instruction(&mut cpu, &mut board);
    assert_eq!(board.ram[0x01F0], 0x30);
    instruction(&mut cpu, &mut board);
    assert_eq!(board.ram[0x01ED], 0x30);
    // BRK skips the byte after it.
    assert_eq!((board.ram[0x01EF], board.ram[0x01EE]), (0x20, 0x03));
    let mut board = Board::new(&[]);
    let mut cpu = start();
    cpu.nmi();
    instruction(&mut cpu, &mut board);
    instruction(&mut cpu, &mut board);
    assert_eq!((cpu.pc, board.ram[0x01EE]), (NMI_HANDLER, 0x20));
}

#[test]
fn irq_is_masked_by_i_and_has_no_memory() {
    let mut board = Board::new(&[NOP, NOP, CLI]);
    let mut cpu = start();
    cpu.set_p(flags::I);
    board.irq = true;
    instruction(&mut cpu, &mut board);
    instruction(&mut cpu, &mut board);
    assert!(!cpu.at_interrupt_start());
    board.irq = false;
    for _ in 0..5 {
        instruction(&mut cpu, &mut board);
        assert!(!cpu.at_interrupt_start());
    }
}

#[test]
fn one_instruction_runs_between_cli_and_a_waiting_irq() {
    let mut board = Board::new(&[CLI, NOP, NOP]);
    let mut cpu = start();
    cpu.set_p(flags::I);
    board.irq = true;
    instruction(&mut cpu, &mut board);
    assert!(!cpu.at_interrupt_start());
    instruction(&mut cpu, &mut board);
    assert!(cpu.at_interrupt_start());
    assert_eq!(cpu.pc, ORIGIN + 2);
}

#[test]
fn irq_after_cli_sei_pushes_i_set() {
    let mut board = Board::new(&[CLI, SEI, NOP]);
    let mut cpu = start();
    cpu.set_p(flags::I);
    board.irq = true;
    instruction(&mut cpu, &mut board);
    instruction(&mut cpu, &mut board);
    assert!(cpu.at_interrupt_start());
    instruction(&mut cpu, &mut board);
    assert_eq!(board.ram[0x01EE], flags::I | flags::U);
    assert_eq!(cpu.pc, IRQ_HANDLER);
}

#[test]
fn one_instruction_runs_between_a_plp_that_clears_i_and_a_waiting_irq() {
    let mut board = Board::new(&[PLP, NOP, NOP]);
    board.ram[0x01F1] = 0;
    let mut cpu = start();
    cpu.set_p(flags::I);
    board.irq = true;
    instruction(&mut cpu, &mut board);
    assert!(!cpu.at_interrupt_start());
    instruction(&mut cpu, &mut board);
    assert!(cpu.at_interrupt_start());
}

#[test]
fn a_plp_that_sets_i_comes_too_late_to_stop_a_waiting_irq() {
    let mut board = Board::new(&[PLP, NOP]);
    board.ram[0x01F1] = flags::I;
    let mut cpu = start();
    board.irq = true;
    instruction(&mut cpu, &mut board);
    assert!(cpu.at_interrupt_start());
    instruction(&mut cpu, &mut board);
    // PLP took one byte off the stack, so P lies one higher than after a plain interrupt.
    assert_eq!(board.ram[0x01EF], flags::I | flags::U);
}

/// Runs a program with the IRQ line low and I set at first; the instructions that run before the IRQ, if it comes within six.
fn before_irq(program: &[u8], pulled: &[u8]) -> Option<usize> {
    let mut board = Board::new(program);
    board.ram[0x01F1..0x01F1 + pulled.len()].copy_from_slice(pulled);
    let mut cpu = start();
    cpu.set_p(flags::I);
    board.irq = true;
    (1..6).find(|_| {
        instruction(&mut cpu, &mut board);
        cpu.at_interrupt_start()
    })
}

#[test]
fn irq_comes_between_cli_and_what_sets_i_but_not_between_plp_and_it() {
    let (low, high) = (0x00, 0x24);
    assert_eq!(before_irq(&[CLI, SEI, NOP], &[]), Some(2));
    assert_eq!(before_irq(&[CLI, PLP, NOP], &[flags::I]), Some(2));
    assert_eq!(before_irq(&[CLI, RTI], &[flags::I, low, high]), None);
    assert_eq!(before_irq(&[PLP, SEI, NOP], &[0]), None);
    assert_eq!(before_irq(&[PLP, PLP, NOP], &[0, flags::I]), None);
    assert_eq!(before_irq(&[PLP, RTI], &[0, flags::I, low, high]), None);
    // What leaves I clear lets the IRQ in as ever.
    assert_eq!(before_irq(&[PLP, NOP, SEI], &[0]), Some(2));
    assert_eq!(before_irq(&[PLP, PLP, NOP], &[0, 0]), Some(2));
}

#[test]
fn an_nmi_between_two_instructions_behind_plp_is_served() {
    for program in [[PLP, SEI, NOP], [PLP, PLP, NOP]] {
        let mut board = Board::new(&program);
        board.ram[0x01F1..0x01F3].copy_from_slice(&[0, flags::I]);
        let mut cpu = start();
        cpu.set_p(flags::I);
        instruction(&mut cpu, &mut board);
        assert!(!cpu.at_interrupt_start());
        cpu.nmi();
        board.irq = true;
        instruction(&mut cpu, &mut board);
        assert!(cpu.at_interrupt_start());
        instruction(&mut cpu, &mut board);
        assert_eq!(cpu.pc, NMI_HANDLER);
    }
}

#[test]
fn an_rti_that_clears_i_is_followed_by_the_irq_at_once() {
    let mut board = Board::new(&[RTI]);
    board.ram[0x01F1..0x01F4].copy_from_slice(&[0, 0x00, 0x24]);
    let mut cpu = start();
    cpu.set_p(flags::I);
    board.irq = true;
    instruction(&mut cpu, &mut board);
    assert!(cpu.at_interrupt_start());
    assert_eq!(cpu.pc, 0x2400);
    instruction(&mut cpu, &mut board);
    assert_eq!(board.ram[0x01F1] & flags::I, 0);
}

#[test]
fn an_rti_that_sets_i_stops_a_waiting_irq() {
    let mut board = Board::new(&[CLI, RTI]);
    board.ram[0x01F1..0x01F4].copy_from_slice(&[flags::I, 0x00, 0x24]);
    let mut cpu = start();
    cpu.set_p(flags::I);
    board.irq = true;
    for _ in 0..4 {
        instruction(&mut cpu, &mut board);
        assert!(!cpu.at_interrupt_start());
    }
}

/// BNE over `distance` from [`ORIGIN`] (or from a page end), with the IRQ line low from cycle `from` on.
fn branch(opcode: u8, distance: u8, from: usize) -> (usize, bool) {
    let mut board = Board::new(&[opcode, distance]);
    let mut cpu = start();
    let mut cycle = 0;
    loop {
        board.irq = cycle >= from;
        cpu.step(&mut board);
        cycle += 1;
        if cpu.at_instruction_start() {
            return (cycle, cpu.at_interrupt_start());
        }
    }
}

#[test]
fn a_branch_that_is_not_taken_looks_in_its_first_cycle() {
    assert_eq!(branch(0xF0, 0x10, 0), (2, true));
    assert_eq!(branch(0xF0, 0x10, 1), (2, false));
}

#[test]
fn a_taken_branch_within_the_page_delays_interrupts_by_an_instruction() {
    assert_eq!(branch(0xD0, 0x10, 0), (3, true));
    assert_eq!(branch(0xD0, 0x10, 1), (3, false));
    assert_eq!(branch(0xD0, 0x10, 2), (3, false));
}

#[test]
fn a_taken_branch_to_another_page_looks_in_its_first_and_third_cycle() {
    assert_eq!(branch(0xD0, 0x80, 0), (4, true));
    assert_eq!(branch(0xD0, 0x80, 1), (4, true));
    assert_eq!(branch(0xD0, 0x80, 2), (4, true));
    assert_eq!(branch(0xD0, 0x80, 3), (4, false));
}

/// A BRK or IRQ sequence with an NMI edge before its cycle `edge` (0 = the first). Returns where it led and whether
/// the NMI comes after the handler's first instruction.
fn collision(brk: bool, edge: usize) -> (u16, u8, bool) {
    let mut board = Board::new(&[NOP, if brk { BRK } else { NOP }, NOP]);
    let mut cpu = start();
    board.irq = !brk;
    instruction(&mut cpu, &mut board);
    for cycle in 0..7 {
        if cycle == edge {
            cpu.nmi();
        }
        cpu.step(&mut board);
    }
    assert!(
        cpu.at_instruction_start() && !cpu.at_interrupt_start(),
        "the handler's first instruction always runs"
    );
    let handler = cpu.pc;
    instruction(&mut cpu, &mut board);
    (handler, board.ram[0x01EE], cpu.at_interrupt_start())
}

#[test]
fn nmi_before_the_fifth_cycle_takes_brk_and_irq_over() {
    for edge in 0..4 {
        assert_eq!(
            collision(true, edge),
            (NMI_HANDLER, 0x30, false),
            "BRK, edge before cycle {edge}"
        );
        assert_eq!(
            collision(false, edge),
            (NMI_HANDLER, 0x20, false),
            "IRQ, edge before cycle {edge}"
        );
    }
}

#[test]
fn nmi_in_the_last_cycle_before_brk_takes_it_over() {
    let mut board = Board::new(&[NOP, BRK, NOP, NOP]);
    let mut cpu = start();
    cpu.step(&mut board);
    cpu.nmi();
    cpu.step(&mut board);
    assert!(!cpu.at_interrupt_start());
    instruction(&mut cpu, &mut board);
    assert_eq!((cpu.pc, board.ram[0x01EE]), (NMI_HANDLER, 0x30));
    // The pushed address is that after BRK and its second byte.
    assert_eq!((board.ram[0x01F0], board.ram[0x01EF]), (0x20, 0x03));
}

#[test]
fn nmi_before_the_fifth_cycle_of_brk_or_irq_is_lost() {
    assert_eq!(collision(true, 4), (IRQ_HANDLER, 0x30, false));
    assert_eq!(collision(false, 4), (IRQ_HANDLER, 0x20, false));
}

#[test]
fn nmi_during_the_vector_reads_waits_for_one_instruction_of_the_handler() {
    for edge in [5, 6] {
        assert_eq!(collision(true, edge), (IRQ_HANDLER, 0x30, true));
        assert_eq!(collision(false, edge), (IRQ_HANDLER, 0x20, true));
    }
}

#[test]
fn the_first_instruction_of_a_handler_runs_before_a_waiting_irq() {
    let mut board = Board::new(&[]);
    let mut cpu = start();
    cpu.nmi();
    board.irq = true;
    // I is set by the NMI sequence, so the handler clears it itself.
    board.ram[NMI_HANDLER as usize] = CLI;
    instruction(&mut cpu, &mut board);
    instruction(&mut cpu, &mut board);
    assert_eq!(cpu.pc, NMI_HANDLER);
    assert!(!cpu.at_interrupt_start());
}

#[test]
fn nmi_during_a_stop_in_the_second_cycle_is_served_after_that_instruction() {
    let mut board = Board::new(&[NOP, NOP]);
    let mut cpu = start();
    cpu.step(&mut board);
    // RDY stops the read of cycle 2; the edge falls meanwhile.
    cpu.nmi();
    cpu.stopped(false);
    cpu.step(&mut board);
    assert!(cpu.at_interrupt_start());
}

#[test]
fn nmi_during_a_stop_of_the_opcode_fetch_lets_that_instruction_run() {
    let mut board = Board::new(&[NOP, NOP]);
    let mut cpu = start();
    cpu.nmi();
    cpu.stopped(false);
    assert!(!cpu.at_interrupt_start());
    instruction(&mut cpu, &mut board);
    assert!(cpu.at_interrupt_start());
}

#[test]
fn reset_reads_the_stack_three_times_and_sets_i_only() {
    let mut board = Board::new(&[]);
    let mut cpu = start();
    (cpu.a, cpu.x, cpu.y) = (1, 2, 3);
    cpu.set_p(flags::D | flags::C);
    // In the middle of an instruction.
    cpu.step(&mut board);
    cpu.nmi();
    cpu.reset();
    board.log.clear();
    let before = board.ram.clone();
    assert_eq!(instruction(&mut cpu, &mut board), 7);
    let addresses: Vec<u16> = board.log.iter().map(|access| access.address).collect();
    assert_eq!(addresses[2..], [0x01F0, 0x01EF, 0x01EE, 0xFFFC, 0xFFFD]);
    assert!(board.log.iter().all(|access| !access.write));
    assert_eq!(board.ram, before);
    assert_eq!((cpu.pc, cpu.s), (RESET_HANDLER, 0xED));
    assert_eq!((cpu.a, cpu.x, cpu.y), (1, 2, 3));
    assert_eq!(cpu.p(), flags::D | flags::C | flags::I | flags::U);
    // The NMI edge was forgotten.
    instruction(&mut cpu, &mut board);
    assert!(!cpu.at_interrupt_start());
}

#[test]
fn power_on_runs_the_reset_sequence_and_leaves_s_at_fd() {
    let mut board = Board::new(&[]);
    let mut cpu = Cpu::new();
    assert_eq!(instruction(&mut cpu, &mut board), 7);
    assert_eq!((cpu.pc, cpu.s), (RESET_HANDLER, 0xFD));
    assert_ne!(cpu.p() & flags::I, 0);
}

#[test]
fn jam_ends_only_by_reset() {
    for opcode in (0..=255u8).filter(|&opcode| OPCODES[opcode as usize].operation == Operation::Jam)
    {
        let mut board = Board::new(&[opcode]);
        let mut cpu = start();
        for cycle in 0..100 {
            board.irq = cycle > 10;
            if cycle == 20 {
                cpu.nmi();
            }
            cpu.stopped(true);
            cpu.step(&mut board);
            assert!(cpu.is_jammed() && !cpu.at_instruction_start());
        }
        let addresses: Vec<u16> = board.log[..8].iter().map(|access| access.address).collect();
        assert_eq!(
            addresses,
            [
                0x2000, 0x2001, 0xFFFF, 0xFFFE, 0xFFFE, 0xFFFF, 0xFFFF, 0xFFFF
            ]
        );
        assert!(board.log.iter().all(|access| !access.write));
        cpu.reset();
        assert_eq!(instruction(&mut cpu, &mut board), 7);
        assert_eq!(cpu.pc, RESET_HANDLER);
    }
}
