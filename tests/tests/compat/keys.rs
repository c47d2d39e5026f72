//! Menus that look at CH themselves take typed text.
use session::{Session, Setup};

/// Looks at CH (once a frame with `wait`, else all the time), and stores each key from $0601 on, its number in $0600.
fn menu(wait: bool) -> Vec<u8> {
    let mut code = vec![0xA9, 0x00, 0x8D, 0x00, 0x06]; // LDA #0, STA $0600
    let again = code.len();
    if wait {
        code.extend([0xA5, 0x14, 0xC5, 0x14, 0xF0, 0xFC]); // LDA RTCLOK, CMP RTCLOK, BEQ
    }
    code.extend([0xAD, 0xFC, 0x02, 0xC9, 0xFF]); // LDA CH, CMP #$FF
    let back = again as i32 - (code.len() as i32 + 2);
    code.extend([0xF0, back as u8]); // BEQ again
    // INC $0600, LDX $0600, STA $0600,X, LDA #$FF, STA CH, JMP again
    code.extend([
        0xEE, 0x00, 0x06, 0xAE, 0x00, 0x06, 0x9D, 0x00, 0x06, 0xA9, 0xFF, 0x8D, 0xFC, 0x02,
    ]);
    let address = 0x2000 + again as u16;
    code.extend([0x4C, address as u8, (address >> 8) as u8]);
    super::xex(0x2000, &code)
}

#[test]
fn a_menu_that_polls_ch_takes_typed_text() {
    for wait in [false, true] {
        let mut session = Session::new(Setup::for_file("menu.xex", &menu(wait)).unwrap()).unwrap();
        session.type_text("LAB1\\n").unwrap();
        for _ in 0..1_500 {
            session.run_frame();
        }
        let machine = session.machine();
        let keys: Vec<u8> = (0x0601..0x0606).map(|a| machine.peek(a) & 0x3F).collect();
        // L A B 1 RETURN
        assert_eq!(
            (machine.peek(0x0600), &keys[..]),
            (5, &[0x00, 0x3F, 0x15, 0x1F, 0x0C][..])
        );
    }
}
