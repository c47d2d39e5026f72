//! Single facts on the processor as the hardware manual (chapter 3), the Acid800 suite (cpu_decimal, cpu_illegal, cpu_illtiming,
//! cpu_bugs, cpu_flags) and ASAP's tests (cpu_ane, cpu_anx, cpu_las, cpu_shx) state them. The vectors and the reference model cover
//! all opcodes; here each fact has its name.

mod common;

use common::{Board, instruction, start};
use cpu6502::{Cpu, flags};

/// Runs one instruction with these registers and flags.
fn run(program: &[u8], a: u8, x: u8, y: u8, p: u8) -> (Cpu, Board, usize) {
    run_on(Board::new(program), a, x, y, p)
}

fn run_on(mut board: Board, a: u8, x: u8, y: u8, p: u8) -> (Cpu, Board, usize) {
    let mut cpu = start();
    (cpu.a, cpu.x, cpu.y) = (a, x, y);
    cpu.set_p(p);
    let cycles = instruction(&mut cpu, &mut board);
    (cpu, board, cycles)
}

const NVZC: u8 = flags::N | flags::V | flags::Z | flags::C;

#[test]
fn decimal_06_plus_19_is_25_without_any_flag() {
    let (cpu, ..) = run(&[0x69, 0x19], 0x06, 0, 0, flags::D);
    assert_eq!((cpu.a, cpu.p() & NVZC), (0x25, 0));
}

#[test]
fn decimal_n_and_v_come_from_the_sum_after_the_low_digit_s_correction() {
    let (cpu, ..) = run(&[0x69, 0x11], 0x7E, 0, 0, flags::D | flags::C);
    assert_eq!((cpu.a, cpu.p() & NVZC), (0x96, flags::N | flags::V));
}

#[test]
fn decimal_z_comes_from_the_binary_sum_and_c_from_the_decimal_one() {
    // $99 + $01: binary $9A is not zero, though the result is.
    let (cpu, ..) = run(&[0x69, 0x01], 0x99, 0, 0, flags::D);
    assert_eq!((cpu.a, cpu.p() & (flags::Z | flags::C)), (0x00, flags::C));
    // $80 + $80: binary zero, decimal $60 and a carry.
    let (cpu, ..) = run(&[0x69, 0x80], 0x80, 0, 0, flags::D);
    assert_eq!(
        (cpu.a, cpu.p() & (flags::Z | flags::C)),
        (0x60, flags::Z | flags::C)
    );
}

#[test]
fn plp_and_rti_ignore_bits_4_and_5() {
    for pulled in [0x00, 0x10, 0x20, 0x30] {
        let mut board = Board::new(&[0x28, 0x08]);
        board.ram[0x01F1] = pulled;
        let (mut cpu, mut board, _) = run_on(board, 0, 0, 0, 0);
        instruction(&mut cpu, &mut board);
        assert_eq!(board.ram[0x01F1], 0x30, "PLP of {pulled:02X}, then PHP");
    }
}

#[test]
fn an_indirect_jump_at_the_end_of_a_page_takes_its_high_byte_from_the_page_s_beginning() {
    let mut board = Board::new(&[0x6C, 0xFF, 0x24]);
    (board.ram[0x24FF], board.ram[0x2500], board.ram[0x2400]) = (0x34, 0x56, 0x12);
    assert_eq!(run_on(board, 0, 0, 0, 0).0.pc, 0x1234);
}

#[test]
fn arr_has_the_results_and_flags_of_acid800() {
    for (operand, a, p) in [
        (0x2A, 0x90, 0xB0),
        (0x6A, 0xB0, 0xF0),
        (0xAA, 0xD0, 0xF1),
        (0xEA, 0xF0, 0xB1),
    ] {
        let (cpu, ..) = run(&[0x6B, operand], 0xF0, 0, 0, flags::C);
        assert_eq!((cpu.a, cpu.p() | 0x30), (a, p), "ARR #${operand:02X}");
    }
}

#[test]
fn sbx_subtracts_from_a_and_x_without_borrow_whatever_c_and_d_are() {
    for p in [0, flags::C, flags::D, flags::C | flags::D] {
        let (cpu, ..) = run(&[0xCB, 0x19], 0x7C, 0x36, 0, p);
        // $7C and $36 are $34; $34 - $19 = $1B without borrow.
        assert_eq!((cpu.x, cpu.p() & flags::C), (0x1B, flags::C), "P {p:02X}");
        let (cpu, ..) = run(&[0xCB, 0x35], 0x7C, 0x36, 0, p);
        assert_eq!((cpu.x, cpu.p() & flags::C), (0xFF, 0), "P {p:02X}");
    }
}

#[test]
fn shy_and_shx_store_the_register_and_the_base_s_high_byte_plus_1() {
    // Without crossing: $BF and ($3F + 1).
    for (opcode, x, y) in [(0x9C, 0x02, 0xBF), (0x9E, 0xBF, 0x02)] {
        let (_, board, cycles) = run(&[opcode, 0x10, 0x3F], 0, x, y, 0);
        assert_eq!((board.ram[0x3F12], cycles), (0x00, 5));
        let (_, board, _) = run(&[opcode, 0x10, 0x5E], 0, x, y, 0);
        assert_eq!(board.ram[0x5E12], 0xBF & 0x5F);
    }
}

#[test]
fn shy_and_shx_that_cross_a_page_store_to_the_page_of_their_value() {
    for (opcode, x, y) in [(0x9C, 0xFF, 0xBF), (0x9E, 0xBF, 0xFF)] {
        let mut board = Board::new(&[opcode, 0x10, 0x3F]);
        board.ram[0x0F] = 0x55;
        let (_, board, cycles) = run_on(board, 0, x, y, 0);
        assert_eq!((board.ram[0x000F], cycles), (0x00, 5), "{opcode:02X}");
        assert_eq!(board.ram[0x400F], 0xEA, "{opcode:02X}");
    }
}

#[test]
fn ane_ors_ef_to_its_operand_for_the_value_but_not_for_the_flags() {
    for (a, x, operand) in [(0xFF, 0xFF, 0x10), (0xF1, 0x91, 0x0E), (0x80, 0xFF, 0x00)] {
        let (cpu, ..) = run(&[0x8B, operand], a, x, 0, 0);
        let seen = a & x & operand;
        assert_eq!(cpu.a, a & x & (operand | 0xEF));
        assert_eq!(cpu.p() & flags::Z != 0, seen == 0);
        assert_eq!(cpu.p() & flags::N, seen & 0x80);
    }
}

#[test]
fn lxa_loads_a_and_x_with_a_and_the_operand() {
    let (cpu, ..) = run(&[0xAB, 0x3C], 0x5A, 0xFF, 0, 0);
    assert_eq!((cpu.a, cpu.x), (0x18, 0x18));
}

#[test]
fn las_loads_a_x_and_s_with_memory_and_s() {
    let mut board = Board::new(&[0xBB, 0x00, 0x40]);
    board.ram[0x4005] = 0x3C;
    let (cpu, ..) = run_on(board, 0, 0, 5, 0);
    assert_eq!((cpu.a, cpu.x, cpu.s), (0x30, 0x30, 0x30));
}

#[test]
fn undocumented_opcodes_take_the_cycles_of_acid800_illtiming() {
    // Cycles without and with page crossing.
    let modify: [(&[u8], usize, usize); 7] = [
        (&[0x07, 0x27, 0x47, 0x67, 0xC7, 0xE7], 5, 5),
        (&[0x17, 0x37, 0x57, 0x77, 0xD7, 0xF7], 6, 6),
        (&[0x0F, 0x2F, 0x4F, 0x6F, 0xCF, 0xEF], 6, 6),
        (&[0x1F, 0x3F, 0x5F, 0x7F, 0xDF, 0xFF], 7, 7),
        (&[0x1B, 0x3B, 0x5B, 0x7B, 0xDB, 0xFB], 7, 7),
        (&[0x03, 0x23, 0x43, 0x63, 0xC3, 0xE3], 8, 8),
        (&[0x13, 0x33, 0x53, 0x73, 0xD3, 0xF3], 8, 8),
    ];
    let rest: [(&[u8], usize, usize); 16] = [
        (&[0x80, 0x82, 0x89, 0xC2, 0xE2], 2, 2),
        (&[0x04, 0x44, 0x64], 3, 3),
        (&[0x14, 0x34, 0x54, 0x74, 0xD4, 0xF4], 4, 4),
        (&[0x0C], 4, 4),
        (&[0x1C, 0x3C, 0x5C, 0x7C, 0xDC, 0xFC], 4, 5),
        (&[0x1A, 0x3A, 0x5A, 0x7A, 0xDA, 0xFA], 2, 2),
        (&[0x87], 3, 3),
        (&[0x97], 4, 4),
        (&[0x8F], 4, 4),
        (&[0x83], 6, 6),
        (&[0xA7], 3, 3),
        (&[0xB7, 0xAF], 4, 4),
        (&[0xBF], 4, 5),
        (&[0xA3], 6, 6),
        (&[0xB3], 5, 6),
        (&[0x9C, 0x9E], 5, 5),
    ];
    let two = [(&[0x0B, 0x2B, 0x4B, 0x6B, 0xCB, 0xEB][..], 2, 2)];
    for (opcodes, plain, crossing) in modify.into_iter().chain(rest).chain(two) {
        for &opcode in opcodes {
            for (index, cycles) in [(0x00, plain), (0xFF, crossing)] {
                let mut board = Board::new(&[opcode, 0x40, 0x50]);
                board.ram[0x0040..0x0042].copy_from_slice(&[0x40, 0x50]);
                board.ram[0x003F] = 0x40;
                let found = run_on(board, 0, index, index, 0).2;
                assert_eq!(found, cycles, "{opcode:02X}, index {index:02X}");
            }
        }
    }
}
