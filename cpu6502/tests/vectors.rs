//! The single-step vectors: every opcode, the bus activity of every cycle. The file's place comes from `SST6502`.

use cpu6502::opcodes::{OPCODES, Operation};
use cpu6502::{Bus, Cpu, Unstable};
use std::collections::HashMap;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Access {
    address: u16,
    data: u8,
    write: bool,
}

struct Memory {
    bytes: HashMap<u16, u8>,
    log: Vec<Access>,
}

impl Bus for Memory {
    fn read(&mut self, address: u16) -> u8 {
        let data = self.bytes.get(&address).copied().unwrap_or(0xEA);
        self.log.push(Access {
            address,
            data,
            write: false,
        });
        data
    }
    fn write(&mut self, address: u16, data: u8) {
        self.bytes.insert(address, data);
        self.log.push(Access {
            address,
            data,
            write: true,
        });
    }
    fn irq(&self) -> bool {
        false
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn u8(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().expect("the vector file ends early");
        self.0 = rest;
        *first
    }
    fn u16(&mut self) -> u16 {
        u16::from_le_bytes([self.u8(), self.u8()])
    }
    /// pc, s, a, x, y, p
    fn registers(&mut self) -> (u16, [u8; 5]) {
        (
            self.u16(),
            [self.u8(), self.u8(), self.u8(), self.u8(), self.u8()],
        )
    }
}

#[test]
fn every_cycle_of_every_vector_is_the_chips() {
    let Ok(path) = std::env::var("SST6502") else {
        eprintln!("skipped: SST6502 does not name the vector file");
        return;
    };
    let file = std::fs::read(&path).expect("the vector file cannot be read");
    let mut reader = Reader(&file);
    let mut cases = 0;
    for _ in 0..256 {
        let magic = [reader.u8(), reader.u8(), reader.u8(), reader.u8()];
        assert_eq!(&magic, b"SST1");
        let opcode = reader.u16() as u8;
        for case in 0..reader.u16() {
            one_case(&mut reader, opcode, case);
            cases += 1;
        }
    }
    assert!(
        reader.0.is_empty(),
        "the vector file is longer than its blocks"
    );
    println!("{cases} cases");
    assert!(cases >= 25_600);
}

fn one_case(reader: &mut Reader, opcode: u8, case: u16) {
    let (pc, [s, a, x, y, p]) = reader.registers();
    let (final_pc, final_registers) = reader.registers();
    let cycles = reader.u8();
    let writes = reader.u16();
    let expected: Vec<Access> = (0..cycles)
        .map(|cycle| Access {
            address: reader.u16(),
            data: reader.u8(),
            write: writes >> cycle & 1 != 0,
        })
        .collect();
    let mut memory = Memory {
        bytes: HashMap::new(),
        log: Vec::new(),
    };
    let mut written = HashMap::new();
    for access in &expected {
        if access.write {
            written.insert(access.address, access.data);
        } else if !written.contains_key(&access.address) {
            memory.bytes.entry(access.address).or_insert(access.data);
        }
    }
    let mut cpu = Cpu::new();
    cpu.unstable = Unstable {
        ane_a: 0xEE,
        ane_operand: 0,
        lxa: 0xEE,
    };
    cpu.set_pc(pc);
    (cpu.s, cpu.a, cpu.x, cpu.y) = (s, a, x, y);
    cpu.set_p(p);
    for (cycle, access) in expected.iter().enumerate() {
        assert_eq!(
            cpu.next_is_write(),
            access.write,
            "{opcode:02X} case {case} cycle {cycle}: direction"
        );
        assert_eq!(
            cpu.at_instruction_start(),
            cycle == 0,
            "{opcode:02X} case {case} cycle {cycle}: start"
        );
        cpu.step(&mut memory);
    }
    assert_eq!(
        memory.log, expected,
        "{opcode:02X} case {case}: bus activity"
    );
    if OPCODES[opcode as usize].operation == Operation::Jam {
        assert!(cpu.is_jammed());
        return;
    }
    assert!(
        cpu.at_instruction_start(),
        "{opcode:02X} case {case}: too long"
    );
    let found = (cpu.pc, [cpu.s, cpu.a, cpu.x, cpu.y, cpu.p() & 0xCF]);
    let mut wanted = (final_pc, final_registers);
    wanted.1[4] &= 0xCF;
    assert_eq!(found, wanted, "{opcode:02X} case {case}: registers");
    for (address, data) in written {
        assert_eq!(
            memory.bytes[&address], data,
            "{opcode:02X} case {case}: memory {address:04X}"
        );
    }
}
