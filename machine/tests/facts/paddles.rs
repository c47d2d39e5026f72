//! Paddles at the controller ports (AHRM 5.9).
use crate::rig::Rig;
use machine::{Model, Tv};

const POT0: u16 = 0xD200;
const ALLPOT: u16 = 0xD208;
const POTGO: u16 = 0xD20B;
const SKCTL: u16 = 0xD20F;

#[test]
fn the_xl_has_four_paddles_and_the_800_eight() {
    for (model, count) in [(Model::Xl800, 4), (Model::Xe130, 4), (Model::Atari800, 8)] {
        let mut rig = Rig::of(model, Tv::Ntsc);
        for (i, position) in rig.machine.input.paddles.iter_mut().enumerate() {
            *position = 20 + i as u8;
        }
        rig.machine.run_cycles(1);
        rig.machine.pins().write(SKCTL, 3);
        rig.machine.pins().write(POTGO, 0);
        rig.machine.run_cycles(100 * 114);
        // Inputs that are tied to ground are still counting.
        let counting = if count == 4 { 0xF0 } else { 0x00 };
        assert_eq!(rig.machine.peek(ALLPOT), counting);
        rig.machine.run_cycles(130 * 114);
        assert_eq!(rig.machine.peek(ALLPOT), 0);
        for i in 0..8u8 {
            let wanted = if i < count { 20 + i } else { 228 };
            assert_eq!(rig.machine.peek(POT0 + u16::from(i)), wanted, "{i}");
        }
    }
}
