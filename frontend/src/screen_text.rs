//! Reads the text on the screen out of memory, by following the display list.

/// Where a display list lies and how wide its lines are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// First byte of the display list.
    pub display_list: u16,
    /// DMACTL: bits 0-1 choose the width.
    pub dmactl: u8,
}

/// One line of text as screen codes with bit 7 for inverse.
pub type Line = Vec<u8>;

/// Bytes of a mode line at normal width (40 bytes in the finest modes).
const BYTES: [u16; 16] = [0, 0, 40, 40, 40, 40, 20, 20, 10, 10, 20, 20, 20, 40, 40, 40];
/// Scan lines of a mode line.
const HEIGHT: [u16; 16] = [0, 0, 8, 10, 8, 16, 8, 16, 8, 4, 4, 2, 1, 2, 1, 1];

/// The text lines of the screen, from the top, as the ANTIC modes 2 to 7 show them; other modes are left out.
///
/// In the modes 4 to 7 the upper bits of a code choose a colour; they are removed.
pub fn lines(source: Source, peek: impl Fn(u16) -> u8) -> Vec<Line> {
    let word = |at: u16| u16::from_le_bytes([peek(at), peek(at.wrapping_add(1))]);
    // The list's counter has ten bits that count; the screen's has twelve.
    let next = |at: u16, by: u16| at & 0xFC00 | at.wrapping_add(by) & 0x03FF;
    let mut at = source.display_list;
    let mut screen = 0u16;
    let mut drawn = 0;
    let mut lines = Vec::new();
    // Every instruction is at least one scan line high; jumps in a circle end too.
    for _ in 0..240 {
        if drawn >= 240 {
            break;
        }
        let instruction = peek(at);
        at = next(at, 1);
        let mode = usize::from(instruction & 0x0F);
        match mode {
            0 => drawn += u16::from(instruction >> 4 & 7) + 1,
            1 => {
                at = word(at);
                drawn += 1;
                if instruction & 0x40 != 0 {
                    break;
                }
            }
            _ => {
                if instruction & 0x40 != 0 {
                    screen = word(at);
                    at = next(at, 2);
                }
                drawn += HEIGHT[mode];
                let scrolled = instruction & 0x10 != 0;
                let bytes = match (source.dmactl & 3, scrolled) {
                    (0, _) => 0,
                    (1, false) => BYTES[mode] * 4 / 5,
                    (1, true) | (2, false) => BYTES[mode],
                    _ => BYTES[mode] * 6 / 5,
                };
                let mask = match mode {
                    2 | 3 => 0xFF,
                    4 | 5 => 0x7F,
                    _ => 0x3F,
                };
                let cell = |i: u16| peek(screen & 0xF000 | screen.wrapping_add(i) & 0x0FFF);
                if (2..=7).contains(&mode) {
                    lines.push((0..bytes).map(|i| cell(i) & mask).collect());
                }
                screen = screen & 0xF000 | screen.wrapping_add(bytes) & 0x0FFF;
            }
        }
    }
    lines
}

/// The character of a screen code in the machine's own character set; inverse characters as their plain form.
pub fn character(code: u8) -> char {
    /// The graphics characters of codes 64 to 95, in order.
    const GRAPHICS: [char; 32] = [
        '♥', '├', '▕', '┘', '┤', '┐', '╱', '╲', '◢', '▗', '◣', '▝', '▘', '▔', '▁', '▖', '♣', '┌',
        '─', '┼', '●', '▄', '▎', '┬', '┴', '▌', '└', '␛', '↑', '↓', '←', '→',
    ];
    match code & 0x7F {
        code @ 0..=63 => char::from(code + 32),
        code @ 64..=95 => GRAPHICS[usize::from(code - 64)],
        96 => '♦',
        code @ 97..=122 => char::from(code),
        123 => '♠',
        124 => '|',
        125 => '↰',
        126 => '◀',
        _ => '▶',
    }
}

/// The screen as text: one line each, blanks at the ends of lines and empty lines at the end removed.
pub fn text(source: Source, peek: impl Fn(u16) -> u8) -> String {
    let mut out = String::new();
    for line in lines(source, peek) {
        let line: String = line.into_iter().map(character).collect();
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out.truncate(out.trim_end_matches('\n').len());
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screen(list: &[u8]) -> Vec<u8> {
        let mut memory = vec![0; 0x10000];
        memory[0x3000..][..list.len()].copy_from_slice(list);
        for (i, byte) in b"HELLO".iter().enumerate() {
            memory[0x4000 + i] = byte - 32 | if i == 4 { 0x80 } else { 0 };
        }
        memory
    }

    #[test]
    fn follows_blank_lines_lms_and_jumps() {
        let memory = screen(&[0x70, 0x70, 0x42, 0x00, 0x40, 0x02, 0x41, 0x00, 0x30]);
        let source = Source {
            display_list: 0x3000,
            dmactl: 0x22,
        };
        assert_eq!(text(source, |a| memory[a as usize]), "HELLO\n");
        assert_eq!(lines(source, |a| memory[a as usize]).len(), 2);
        assert_eq!(lines(source, |a| memory[a as usize])[0].len(), 40);
    }

    #[test]
    fn colour_bits_of_mode_6_are_no_part_of_the_character() {
        let mut memory = screen(&[0x46, 0x00, 0x40, 0x41, 0x00, 0x30]);
        memory[0x4000] |= 0x40;
        let source = Source {
            display_list: 0x3000,
            dmactl: 0x22,
        };
        assert_eq!(text(source, |a| memory[a as usize]), "HELLO\n");
    }

    #[test]
    fn a_list_that_runs_in_a_circle_ends() {
        let memory = screen(&[0x01, 0x00, 0x30]);
        let source = Source {
            display_list: 0x3000,
            dmactl: 0x22,
        };
        assert_eq!(text(source, |a| memory[a as usize]), "");
    }
}
