//! Duration of the OS's vertical blank interrupt, and the work of each of its stages.
//!
//! Cycles are machine cycles from the first instruction at the NMI vector to the end of the RTI. They include the refresh cycles that ANTIC
//! steals (at most nine a line; there is no other DMA in the vertical blank), but not the seven of the interrupt sequence itself.
use machine::{Model, Tv};
use tests::calls::Os;

const CRITIC: u16 = 0x42;
const ATRACT: u16 = 0x4D;

fn os(model: Model) -> Os {
    let mut os = Os::new(&tests::config(model, Tv::Ntsc, false));
    os.run(3);
    os
}

/// Machine cycles of the next vertical blank interrupt.
fn cycles(os: &mut Os) -> u64 {
    let nmi = os.word(0xFFFA);
    while os.machine.cpu.pc != nmi {
        os.machine.step_instruction();
    }
    let start = os.machine.now();
    while !(0x0720..=0x0723).contains(&os.machine.cpu.pc) {
        os.machine.step_instruction();
    }
    os.machine.now() - start
}

/// Only stage 1 (CRITIC set), both stages, and both in attract mode.
fn stages(model: Model) -> [u64; 3] {
    let mut os = os(model);
    os.poke(CRITIC, &[1]);
    let first = cycles(&mut os);
    os.poke(CRITIC, &[0]);
    let both = cycles(&mut os);
    os.poke(ATRACT, &[0x80]);
    [first, both, cycles(&mut os)]
}

/// The most that README.md of the OS states.
#[test]
fn the_stages_take_no_more_than_the_documented_cycles() {
    for (model, most) in [
        (Model::Xl800, [114, 561, 694]),
        (Model::Atari800, [166, 956, 968]),
    ] {
        let got = stages(model);
        println!("{model:?}: {got:?}");
        assert!(
            got.iter().zip(&most).all(|(got, most)| got <= most),
            "{model:?}: {got:?}, documented {most:?}"
        );
    }
}
