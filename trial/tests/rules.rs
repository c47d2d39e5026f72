//! Rules that hold all the time: cycles, display list interrupts, memory, stack, sound; each with a program that keeps them and one that does not.
mod common;

use common::Place;

#[test]
fn cycles_between_two_labels() {
    let test = |most: u32| {
        format!(
            "cycles = [{{ from = \"begin\", to = \"end\", most = {most} }}]\nsteps = [{{ wait = 300 }}]"
        )
    };
    // No DMA and no interrupts: LDX #, then DEX and BNE, eleven cycles less nine of refresh a line.
    let program = |times: u8| {
        Place::assembled(&format!(
            "sei\nlda #0\nsta NMIEN\nsta DMACTL\nagain: sta WSYNC\nnop\nbegin: ldx #{times}\nloop: dex\nbne loop\nend: jmp again"
        ))
    };
    program(4).passes(&test(40));
    program(20).fails(&test(40), "from begin to end ");
    program(20).passes(&test(130));
    let never = Place::assembled("begin: jmp begin\nend: rts");
    never.fails(&test(40), "end was never reached from begin");
}

/// A screen with display list interrupts in its second and third mode line, whose routine waits for some lines.
fn interrupts(lines: u8) -> Place {
    Place::assembled(&format!(
        "lda #0\nsta $022F\nlda #lo(list)\nsta $0230\nlda #hi(list)\nsta $0231\n\
         lda #lo(dli)\nsta $0200\nlda #hi(dli)\nsta $0201\nlda #$C0\nsta NMIEN\nlda #$22\nsta $022F\nwait: jmp wait\n\
         dli: pha\ntxa\npha\nldx #{lines}\nmore: sta WSYNC\ndex\nbne more\npla\ntax\npla\nrti\n\
         list: .byte 70,70,70,42,00,40,82,82,02,02,41\n.word list"
    ))
}

#[test]
fn display_list_interrupts_end_before_a_line() {
    // The interrupts come in the last lines of the second and third mode line, 47 and 55.
    let test = |line: u16| format!("dlis-end-before = {line}\nsteps = [{{ wait = 300 }}]");
    interrupts(2).passes(&test(58));
    interrupts(6).fails(
        &test(58),
        "display list interrupt 1 (dli) ended in line 61 of frame ",
    );
}

#[test]
fn no_interrupt_runs_into_the_next() {
    let test = "no = [\"dli-overruns\"]\nsteps = [{ wait = 300 }]";
    interrupts(5).passes(test);
    interrupts(11).fails(test, "display list interrupt 0 (dli) still ran ");
}

#[test]
fn writes_to_rom() {
    let test = "no = [\"rom-writes\"]\nsteps = [{ wait = 300 }]";
    let program =
        |address: &str| Place::assembled(&format!("loop: lda #1\nput: sta {address}\njmp loop"));
    program("$5000").passes(test);
    program("COLBK").passes(test);
    program("$E000").fails(test, "put writes to $E000, where there is no RAM");
    // RAM under the ROM is RAM while it is switched on.
    let under =
        "sei\nlda #0\nsta NMIEN\nlda PORTB\nand #$FE\nsta PORTB\nloop: lda #1\nsta $E000\njmp loop";
    Place::assembled(under).passes(test);
}

#[test]
fn reads_of_memory_that_nothing_has_written() {
    let test = "no = [\"uninitialised-reads\"]\nsteps = [{ wait = 300 }]";
    // It clears a page by an indexed store, whose dummy reads are none of the program's, and ends before an unused byte.
    let program = |from: &str| {
        Place::assembled(&format!(
            "ldx #0\ntxa\nfill: sta $50F0,x\ninx\nbne fill\nldy $14\nloop: lda {from},x\ninx\ntake: jmp loop"
        ))
    };
    program("$50F0").passes(test);
    program("$5100").fails(test, "reads $51F0, which nothing has written");
    // The OS's clearing of memory initialises nothing of the program's, but its variables are there.
    Place::assembled("loop: lda $0600\njmp loop")
        .fails(test, "loop reads $0600, which nothing has written");
    Place::assembled("loop: lda $CB\njmp loop")
        .fails(test, "loop reads $00CB, which nothing has written");
    Place::assembled("lda $02C8\nlda $58\nlda $0342\nloop: jmp loop").passes(test);
}

#[test]
fn bytes_on_the_stack() {
    let program = |depth: u8| {
        Place::assembled(&format!(
            "sei\nldx #$FF\ntxs\nlda #0\nsta NMIEN\nagain: ldx #{depth}\npush: pha\ndex\nbne push\nldx #{depth}\npull: pla\ndex\nbne pull\njmp again"
        ))
    };
    let test = "stack = 50\nsteps = [{ wait = 300 }]";
    program(40).passes(test);
    program(60).fails(test, "60 bytes were on the stack at ");
    // A BASIC program has BASIC's stack: a limit of 0 is too little for any.
    Place::basic("10 GOTO 10\n").fails(
        "stack = 0\nsteps = [{ wait = 400 }]",
        "bytes were on the stack at ",
    );
}

/// Plays three notes by AUDF of channel 1, each for ten frames: divisors for 64 kHz.
fn tune(notes: [u8; 3]) -> Place {
    let [a, b, c] = notes;
    Place::assembled(&format!(
        "lda #0\nsta AUDCTL\nlda #3\nsta SKCTL\nagain: ldx #0\nnext: lda notes,x\nsta AUDF1\nlda #$A8\nsta AUDC1\nldy #10\n\
         frames: lda $14\nsame: cmp $14\nbeq same\ndey\nbne frames\nlda #0\nsta AUDC1\nlda $14\nrest: cmp $14\nbeq rest\n\
         inx\ncpx #3\nbne next\njmp again\nnotes: .byte {a:02X},{b:02X},{c:02X}"
    ))
}

#[test]
fn notes() {
    // 1789772.5 / 56 / (1 + 121) = 261.97 Hz is C4; 96 gives E4, 80 gives G4; 85 F#4.
    let test =
        "steps = [{ wait = 200 }, { notes = [\"C4\", \"E4\", \"G4\"], channel = 1, within = 120 }]";
    tune([121, 96, 80]).passes(test);
    tune([121, 96, 85]).fails(test, "C4 E4 G4 was not played in 120 frames");
    tune([121, 96, 80]).fails(
        "steps = [{ wait = 200 }, { notes = [\"C4\", \"E4\"], channel = 2, within = 120 }]",
        "was not played",
    );
    tune([121, 121, 80]).passes("steps = [{ wait = 200 }, { notes = [\"C4\", \"C4\", \"G4\"] }]");
}
