//! Programs with display list interrupts whose cycles are counted by hand.
#![allow(dead_code, reason = "each test uses a part of it")]

use crate::program;
use debugger::DliTimeline;

/// Sets up a list with interrupts in the lines that `LIST` says, waits for line 30, and then has NOPs run.
pub fn text(list: &str, handler: &str) -> String {
    format!(
        "START: SEI
        CLD
        LDX #$FF
        TXS
        LDA #lo(LIST)
        STA DLISTL
        LDA #hi(LIST)
        STA DLISTH
        LDA #$22
        STA DMACTL
        LDA #$C0
        STA NMIEN
        LOOP: LDA VCOUNT
        CMP #15
        BNE LOOP
        STA WSYNC
        {}
        JMP LOOP
        NMI: BIT NMIST
        BPL VBI
        {handler}
        VBI: PHA
        PLA
        RTI
        .ORG $F000
        LIST: {list}
        .WORD LIST
        ",
        "NOP\n".repeat(60)
    )
}

/// 24 blank lines, the last (31) with an interrupt; three lines of mode D; JVB.
pub const ONE: &str = ".BYTE $70,$70,$F0,$4D,$00,$E3,$0D,$0D,$41";
/// Interrupts in lines 23 and 31.
pub const TWO: &str = ".BYTE $70,$F0,$F0,$4D,$00,$E3,$0D,$0D,$41";

/// The interrupts of a frame with this list and handler, and the labels.
pub fn timeline(
    list: &str,
    handler: &str,
) -> (DliTimeline, std::collections::HashMap<String, u16>) {
    let (machine, labels) = program::machine(&text(list, handler), 4);
    (DliTimeline::of(&mut machine.into()), labels)
}

/// Stores after WSYNC.
pub const GOOD: &str = "PHA
    LDA #$0E
    STA WSYNC
    STA COLBK
    PLA
    RTI";

/// Stores in the middle of line 31 and again after WSYNC.
pub const MIDDLE: &str = "PHA
    LDA #$0E
    STA COLBK
    LDA #$34
    STA WSYNC
    STA COLBK
    PLA
    RTI";
