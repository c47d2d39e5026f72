//! The instructions that ran, with filters; and the difference between two moments.

use crate::expression::{Context, Expression};
use crate::frame_log::is_chip;
use crate::view;
use crate::{Moment, Timeline};
use cpu6502::Cpu;
use cpu6502::disasm::Instruction;
use machine::{Bus, Machine, Probe};
use std::ops::RangeInclusive;

/// An instruction that ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traced {
    /// The moment at which it began.
    pub at: Moment,
    /// The beam's line and cycle.
    pub beam: (u16, u8),
    /// The instruction; the first one of an interrupt sequence is the one that it came before.
    pub instruction: Instruction,
    /// An interrupt sequence begins in its place.
    pub interrupt: bool,
    /// A, X, Y, S and P before it.
    pub registers: [u8; 5],
}

impl Traced {
    /// Text.
    pub fn line(&self, name: &dyn Fn(u16) -> Option<String>) -> String {
        let label = name(self.instruction.address).unwrap_or_default();
        let names = |address: u16| name(address);
        let text = if self.interrupt {
            "(interrupt)".to_owned()
        } else {
            text_of(self.instruction, &names)
        };
        let [a, x, y, s, p] = self.registers;
        format!(
            "{:10} {:3}:{:<3} {:04X} {label:10} {text:20} A={a:02X} X={x:02X} Y={y:02X} S={s:02X} P={p:02X}",
            self.at.0, self.beam.0, self.beam.1, self.instruction.address
        )
    }
}

fn text_of(instruction: Instruction, name: &dyn Fn(u16) -> Option<String>) -> String {
    let operand = instruction.operand_address().and_then(name);
    let label = |_: u16| operand.as_deref();
    instruction.text(&label).to_string()
}

/// The filter of the instructions that a trace shows.
#[derive(Clone, Debug, Default)]
pub struct TraceFilter {
    /// Only those at these addresses.
    pub range: Option<RangeInclusive<u16>>,
    /// Only where this is true before the instruction.
    pub condition: Option<Expression>,
}

struct Tracer<'a> {
    filter: &'a TraceFilter,
    stepped: bool,
    found: Vec<(u64, Traced)>,
}

impl Probe for Tracer<'_> {
    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> bool {
        if !(std::mem::take(&mut self.stepped) && cpu.at_instruction_start()) {
            return false;
        }
        let filter = self.filter;
        let wanted = filter
            .range
            .as_ref()
            .is_none_or(|range| range.contains(&cpu.pc))
            && filter
                .condition
                .as_ref()
                .is_none_or(|condition| condition.is_true(&Context::new(cpu, bus)));
        if wanted {
            let beam = bus.beam();
            let traced = Traced {
                at: Moment(0),
                beam: (beam.line, beam.cycle),
                instruction: Instruction::at(cpu.pc, |at| bus.peek(at)),
                interrupt: cpu.at_interrupt_start(),
                registers: [cpu.a, cpu.x, cpu.y, cpu.s, cpu.p()],
            };
            self.found.push((bus.now(), traced));
        }
        false
    }

    fn read(&mut self, _: u64, _: u16, _: u8) {
        self.stepped = true;
    }

    fn written(&mut self, _: u64, _: u16, _: u8) {
        self.stepped = true;
    }
}

/// The last `count` instructions before a moment that a filter lets through, the oldest first.
pub fn trace(
    timeline: &Timeline,
    before: Moment,
    filter: &TraceFilter,
    count: usize,
) -> Vec<Traced> {
    let mut all: Vec<Traced> = Vec::new();
    for piece in timeline.pieces_before(before) {
        let Some(mut visit) = piece.visit() else {
            break;
        };
        let mut tracer = Tracer {
            filter,
            // The run of the piece before has seen an instruction that begins with the piece.
            stepped: visit.moment() <= timeline.oldest(),
            found: Vec::new(),
        };
        piece.run(timeline, &mut visit, &mut tracer);
        // The one that begins at the border belongs to the later piece.
        if visit.moment() < before {
            visit.run(timeline, Moment(visit.moment().0 + 1), &mut tracer);
        }
        let moments = tracer.found.into_iter().map(|(now, traced)| Traced {
            at: visit.moment_at(now),
            ..traced
        });
        let mut earlier: Vec<Traced> = moments.filter(|traced| traced.at < before).collect();
        if let Some(first) = all.first() {
            earlier.retain(|traced| traced.at < first.at);
        }
        earlier.append(&mut all);
        all = earlier;
        if all.len() >= count {
            break;
        }
    }
    let surplus = all.len().saturating_sub(count);
    all.split_off(surplus)
}

/// Bytes of memory that differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The first one's address.
    pub address: u16,
    /// The bytes before.
    pub before: Vec<u8>,
    /// The bytes after.
    pub after: Vec<u8>,
}

/// The difference between two machines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// Memory as the processor sees it, without the chips.
    pub memory: Vec<Changed>,
    /// Lines of the views of processor and chips, before and after.
    pub chips: Vec<(String, String)>,
}

impl Difference {
    /// Between an earlier machine and a later one.
    pub fn of(before: &Machine, after: &Machine) -> Self {
        let mut memory: Vec<Changed> = Vec::new();
        for address in 0..=0xFFFFu16 {
            if is_chip(address) {
                continue;
            }
            let (old, new) = (before.peek(address), after.peek(address));
            if old == new {
                continue;
            }
            match memory.last_mut() {
                Some(last) if usize::from(last.address) + last.after.len() == address.into() => {
                    last.before.push(old);
                    last.after.push(new);
                }
                _ => memory.push(Changed {
                    address,
                    before: vec![old],
                    after: vec![new],
                }),
            }
        }
        let views = |machine: &Machine| {
            [
                ("cpu", view::Cpu::of(machine).lines()),
                ("antic", view::Antic::of(machine).lines()),
                ("gtia", view::Gtia::of(machine).lines()),
                ("pokey", view::Pokey::of(machine).lines()),
                ("pia", view::Pia::of(machine).lines()),
            ]
        };
        let mut chips = Vec::new();
        for ((chip, old), (_, new)) in views(before).into_iter().zip(views(after)) {
            for (old, new) in old.iter().zip(&new).filter(|(old, new)| old != new) {
                chips.push((format!("{chip}: {old}"), format!("{chip}: {new}")));
            }
        }
        Self { memory, chips }
    }

    /// Text: at most `most` places of memory.
    pub fn lines(&self, name: impl Fn(u16) -> Option<String>, most: usize) -> Vec<String> {
        let mut lines: Vec<String> = self
            .chips
            .iter()
            .flat_map(|(old, new)| [format!("- {old}"), format!("+ {new}")])
            .collect();
        let bytes = |bytes: &[u8]| {
            let shown: Vec<String> = bytes.iter().take(16).map(|b| format!("{b:02X}")).collect();
            let more = if bytes.len() > 16 { " ..." } else { "" };
            format!("{}{more}", shown.join(" "))
        };
        for changed in self.memory.iter().take(most) {
            let name = name(changed.address).unwrap_or_default();
            lines.push(format!(
                "${:04X} {name:<10} {} -> {}",
                changed.address,
                bytes(&changed.before),
                bytes(&changed.after)
            ));
        }
        let total: usize = self.memory.iter().map(|c| c.after.len()).sum();
        lines.push(format!("{total} bytes differ"));
        lines
    }
}
