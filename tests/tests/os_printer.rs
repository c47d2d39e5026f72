//! P: by calls into the OS, with the machine's printer at the other end.

use machine::{Model, Tv};
use tests::calls::Os;
use tests::config;

fn both() -> [Os; 2] {
    [Model::Xl800, Model::Atari800].map(|model| Os::new(&config(model, Tv::Ntsc, false)))
}

#[test]
fn lines_are_printed_when_they_end() {
    for mut os in both() {
        assert_eq!(os.open(2, "P:", [8, 0]), 1);
        os.print(2, b"HELLO\n\nWORLD");
        assert_eq!(os.machine.take_printed(), b"HELLO\x9B\x9B");
        os.print(2, b"\n");
        assert_eq!(os.machine.take_printed(), b"WORLD\x9B");
        assert_eq!(os.close(2), 1);
        assert!(os.machine.take_printed().is_empty());
    }
}

#[test]
fn a_full_line_is_printed_at_once_and_closing_prints_the_rest() {
    for mut os in both() {
        assert_eq!(os.open(2, "P:", [8, 0]), 1);
        os.print(2, &[b'A'; 41]);
        assert_eq!(
            os.machine.take_printed(),
            [&[b'A'; 40][..], b"\x9B"].concat()
        );
        assert_eq!(os.close(2), 1);
        let rest = os.machine.take_printed();
        // The 400/800 OS fills the line with blanks, the XL OS with EOLs.
        let line = rest.strip_suffix(b"\x9B").unwrap();
        assert_eq!(line.trim_ascii_end(), b"A");
    }
}

#[test]
fn sideways_lines_have_29_characters() {
    for mut os in both() {
        assert_eq!(os.open(2, "P:", [8, b'S']), 1);
        os.print(2, &[b'B'; 29]);
        assert_eq!(
            os.machine.take_printed(),
            [&[b'B'; 29][..], b"\x9B"].concat()
        );
    }
}

#[test]
fn the_printer_tells_its_timeout() {
    for mut os in both() {
        assert_eq!(os.cio(2, 13, 0x0600, 0, [0, 0]).0, 130, "no name");
        assert_eq!(os.open(2, "P:", [8, 0]), 1);
        assert_eq!(os.cio(2, 13, 0, 0, [8, 0]).0, 1);
        assert_eq!(os.peek(0x02EC), 6);
    }
}

#[test]
fn the_printer_cannot_be_read_and_has_no_special_commands() {
    for mut os in both() {
        assert_eq!(os.open(2, "P:", [12, 0]), 1);
        assert_eq!(os.get(2).0, 146);
        assert_eq!(os.cio(2, 40, 0, 0, [12, 0]).0, 146);
    }
}

/// Wherever in the frame a line is begun, the vertical blank may come between two timeouts of the serial bus.
#[test]
fn no_line_is_printed_twice() {
    let mut os = Os::new(&config(Model::Xl800, Tv::Ntsc, false));
    assert_eq!(os.open(2, "P:", [8, 0]), 1);
    let mut printed = Vec::new();
    for delay in 0..400 {
        os.machine.run_cycles(75 * delay % 29_868);
        // A call may begin only where no interrupt is being served: page 6 holds the loop between calls.
        while os.machine.cpu.pc >> 8 != 6 || os.machine.cpu.p() & 4 != 0 {
            os.machine.step_instruction();
        }
        os.print(2, b"X\n");
        printed.extend(os.machine.take_printed());
    }
    assert!(printed == b"X\x9B".repeat(400), "{} bytes", printed.len());
}
