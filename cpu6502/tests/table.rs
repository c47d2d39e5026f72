//! The opcode table against the processor, and the disassembler.

mod common;

use common::{Board, instruction, start};
use cpu6502::disasm::Instruction;
use cpu6502::opcodes::{Access, OPCODES, Operation, is_documented};

#[test]
fn the_table_has_the_documented_151_opcodes_and_12_jams() {
    assert_eq!(
        (0..=255).filter(|&opcode| is_documented(opcode)).count(),
        151
    );
    assert_eq!(
        OPCODES
            .iter()
            .filter(|opcode| opcode.operation == Operation::Jam)
            .count(),
        12
    );
}

#[test]
fn cycles_and_lengths_of_the_table_are_those_of_the_processor() {
    for number in 0..=255u8 {
        let opcode = OPCODES[number as usize];
        if opcode.operation == Operation::Jam {
            continue;
        }
        for (index, crossing) in [(0x00, 0), (0xFF, 1)] {
            let mut board = Board::new(&[number, 0x40, 0x50]);
            board.ram[0x0040..0x0042].copy_from_slice(&[0x40, 0x50]);
            let mut cpu = start();
            (cpu.x, cpu.y) = (index, index);
            // Branches on a flag that is clear are taken; leave those out.
            if matches!(
                opcode.operation,
                Operation::Bcc | Operation::Bne | Operation::Bpl | Operation::Bvc
            ) {
                cpu.set_p(0xC3);
            }
            let cycles = instruction(&mut cpu, &mut board);
            let penalty = if opcode.has_page_penalty() {
                crossing
            } else {
                0
            };
            assert_eq!(
                cycles,
                usize::from(opcode.cycles()) + penalty,
                "{number:02X} {opcode:?}"
            );
            let jumps = matches!(
                opcode.operation,
                Operation::Brk | Operation::Jmp | Operation::Jsr | Operation::Rti | Operation::Rts
            );
            if !jumps {
                assert_eq!(cpu.pc, 0x2000 + opcode.length(), "{number:02X} {opcode:?}");
            }
            let writes = board.log.iter().filter(|access| access.write).count();
            match opcode.operation.access() {
                Access::Read => assert_eq!(writes, 0, "{opcode:?}"),
                Access::Write => assert_eq!(writes, 1, "{opcode:?}"),
                Access::Modify if opcode.mode == cpu6502::opcodes::Mode::Acc => {
                    assert_eq!(writes, 0, "{opcode:?}");
                }
                Access::Modify => assert_eq!(writes, 2, "{opcode:?}"),
                Access::Other => {}
            }
        }
    }
}

fn text(bytes: [u8; 3]) -> String {
    let instruction = Instruction {
        address: 0x2000,
        bytes,
    };
    instruction
        .text(&|address| (address == 0x1234).then_some("THERE"))
        .to_string()
}

#[test]
fn each_mode_is_written_in_the_usual_notation() {
    for (bytes, expected) in [
        ([0xEA, 0, 0], "NOP"),
        ([0x0A, 0, 0], "ASL A"),
        ([0xA9, 0x12, 0], "LDA #$12"),
        ([0xA5, 0x12, 0], "LDA $12"),
        ([0xB5, 0x12, 0], "LDA $12,X"),
        ([0xB6, 0x12, 0], "LDX $12,Y"),
        ([0xAD, 0x12, 0x00], "LDA $0012"),
        ([0xBD, 0x34, 0x12], "LDA THERE,X"),
        ([0xB9, 0x00, 0xD0], "LDA $D000,Y"),
        ([0x6C, 0x34, 0x12], "JMP (THERE)"),
        ([0xA1, 0x12, 0], "LDA ($12,X)"),
        ([0xB1, 0x12, 0], "LDA ($12),Y"),
        ([0xD0, 0xFE, 0], "BNE $2000"),
        ([0xD0, 0x7F, 0], "BNE $2081"),
        ([0x07, 0x12, 0], "*SLO $12"),
        ([0xEB, 0x12, 0], "*SBC #$12"),
        ([0x1A, 0, 0], "*NOP"),
        ([0x02, 0, 0], "*JAM"),
    ] {
        assert_eq!(text(bytes), expected);
    }
}

#[test]
fn instructions_wrap_at_the_end_of_memory() {
    let instruction = Instruction::at(0xFFFF, |address| address as u8);
    assert_eq!(instruction.bytes, [0xFF, 0x00, 0x01]);
    assert_eq!((instruction.length(), instruction.next()), (3, 2));
    let branch = Instruction {
        address: 0xFFF0,
        bytes: [0xD0, 0x7F, 0],
    };
    assert_eq!(branch.operand_address(), Some(0x0071));
}
