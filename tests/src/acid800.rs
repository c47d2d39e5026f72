//! Runs the Acid800 disk and reads what it prints.
use machine::{Bus, Config, Machine, Probe};

/// Result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Passed.
    Pass,
    /// Failed.
    Fail,
    /// Does not apply to the machine.
    Skip,
}

/// One test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// As printed, "CPU: Flags".
    pub title: String,
    /// Its result.
    pub verdict: Verdict,
    /// The rest of its output: what it got and what it wanted.
    pub detail: String,
}

/// Counters of the disk's controller: passed, failed, skipped.
const COUNTERS: u16 = 0x1A01;
/// The address at which IOCB 0 holds the address of its PUT routine, less one.
const PUT: u16 = 0x0346;
/// Tests on the disk.
pub const TESTS: u32 = 58;
/// Emulated minutes after which a run is given up.
const LIMIT: u32 = 12 * 60 * 60;

/// Collects what goes through the PUT routine of IOCB 0.
struct Printed {
    text: Vec<u8>,
    routine: u16,
    /// The processor stands before the routine's first cycle; it may do so for several cycles of DMA.
    there: bool,
}

impl Probe for Printed {
    fn cycle(&mut self, cpu: &cpu6502::Cpu, _: &Bus) -> bool {
        let there =
            cpu.pc == self.routine && cpu.at_instruction_start() && !cpu.at_interrupt_start();
        if there && !self.there {
            self.text.push(cpu.a);
        }
        self.there = there;
        false
    }
}

/// Boots `disk` on a machine and runs all its tests.
///
/// # Errors
/// When the configuration makes no machine or the tests do not come to their end; says what was printed until then.
pub fn run(config: &Config, disk: &media::atr::Disk, tests: u32) -> Result<Vec<Outcome>, String> {
    let mut machine = Machine::new(config).map_err(|e| e.to_string())?;
    machine.hold_option();
    machine.insert_disk(0, disk.clone());
    let mut printed = Printed {
        text: Vec::new(),
        routine: 0,
        there: false,
    };
    // A probe makes the run loop take single cycles; whole instructions must come to the same.
    let mut unseen = machine.clone();
    let mut done = 0;
    for _ in 0..LIMIT {
        printed.routine = machine.peek_word(PUT).wrapping_add(1);
        machine.run_frame_with(&mut printed);
        unseen.run_frame();
        done = (0..3)
            .map(|i| u32::from(machine.peek(COUNTERS + i)))
            .sum::<u32>();
        // The counters hold noise until the library is loaded.
        if done == tests && printed.text.len() > 1000 {
            break;
        }
    }
    for _ in 0..120 {
        machine.run_frame_with(&mut printed);
        unseen.run_frame();
    }
    if unseen != machine {
        return Err("a machine without a probe comes to another end".to_owned());
    }
    let outcomes = parse(&printed.text);
    if outcomes.len() == tests as usize {
        Ok(outcomes)
    } else {
        let text: String = printed
            .text
            .iter()
            .map(|&b| {
                if b == 0x9B {
                    '\n'
                } else {
                    char::from(b & 0x7F)
                }
            })
            .collect();
        Err(format!(
            "{} of {tests} tests ended, the counters say {done}:\n{text}",
            outcomes.len()
        ))
    }
}

/// Lines "TITLE...Pass", "TITLE...Skipped" and the like, with lines of detail after them.
fn parse(text: &[u8]) -> Vec<Outcome> {
    let mut outcomes: Vec<Outcome> = Vec::new();
    for line in text.split(|&b| b == 0x9B) {
        // "Loading test n" is wiped off the screen by control characters before the title comes.
        let printable = |b: &u8| (0x20..0x7D).contains(b);
        let line = line
            .split(|b| !printable(b))
            .rfind(|part| !part.is_empty())
            .unwrap_or_default();
        let line: String = line.iter().map(|&b| char::from(b)).collect();
        let line = line.trim();
        if let Some((title, word)) = line
            .split_once("...")
            .filter(|(title, _)| title.contains(':'))
        {
            let verdict = match word.trim() {
                w if w.starts_with("Pass") => Verdict::Pass,
                w if w.starts_with("Skip") => Verdict::Skip,
                _ => Verdict::Fail,
            };
            outcomes.push(Outcome {
                title: title.trim().into(),
                verdict,
                detail: String::new(),
            });
        } else if let Some(last) = outcomes.last_mut()
            && !line.is_empty()
            && !line.starts_with("Loading")
            && !line.starts_with("All tests")
            && !line.starts_with("Passed:")
            && !line.starts_with("Press")
        {
            if !last.detail.is_empty() {
                last.detail.push_str("; ");
            }
            last.detail.push_str(line);
        }
    }
    outcomes
}
