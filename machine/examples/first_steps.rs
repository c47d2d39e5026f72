//! The machine from power-on to a saved state, without a window: `cargo run -p machine --example first_steps`.
use machine::{Config, Machine, Rom};
use media::xex::Xex;

/// LDA STICK0, STA COLOR4, JMP to the first; and its start address for RUNAD.
const PROGRAM: &[u8] = &[
    0xFF, 0xFF, 0x00, 0x20, 0x08, 0x20, // $2000-$2008
    0xAD, 0x78, 0x02, 0x8D, 0xC8, 0x02, 0x4C, 0x00, 0x20, //
    0xE0, 0x02, 0xE1, 0x02, 0x00, 0x20, // RUNAD = $2000
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let config = Config::xl(Rom::own(roms::OS_XL)).with_basic(Rom::own(roms::BASIC));
    let mut atari = Machine::new(&config)?;
    while !atari.text_screen().text().contains("READY") {
        atari.run_frame();
    }
    println!(
        "frame {}:\n{}",
        atari.frame().number(),
        atari.text_screen().text().trim_end()
    );

    atari.insert_program(Xex::parse(PROGRAM)?.boot());
    atari.power_cycle();
    while !atari.program_started() {
        atari.run_frame();
    }
    // STICK0 is 14 and 13; bit 0 of a colour is not there. Two vertical blanks pass the values on.
    for (name, up, down, colour) in [("up", true, false, 14), ("down", false, true, 12)] {
        atari.input.joystick(0).push(up, down, false, false);
        (0..3).for_each(|_| atari.run_frame());
        assert_eq!(atari.frame().row(0)[0], colour);
        println!(
            "stick {name}: the border has the colour {}",
            atari.frame().row(0)[0]
        );
    }

    let mut sound = Vec::new();
    atari.take_sound(&mut sound);
    println!("{} changes of the sound level since power-on", sound.len());

    let state = atari.save_state();
    let again = Machine::from_state(&state, &[], &[])?;
    println!(
        "a state of {} bytes, loaded again at cycle {} of line {}",
        state.len(),
        again.beam().cycle,
        again.beam().line
    );
    Ok(())
}
