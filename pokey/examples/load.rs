//! Runs the chip for frames of typical work, for instruction counts: `load silent|voices|stress|music|digi FRAMES`.
use pokey::Pokey;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let kind = arguments.next().unwrap_or_default();
    let frames: u64 = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(600);
    let mut pokey = Pokey::new(0);
    pokey.write(15, 0, 10);
    pokey.write(15, 3, 1000);
    pokey.write(8, if kind == "silent" { 0x28 } else { 0 }, 1010);
    pokey.write(4, 0x28, 1020);
    pokey.write(14, 0xC0, 1030);
    if kind != "silent" {
        for (i, n) in [72u8, 96, 121, 200].into_iter().enumerate() {
            pokey.write(i as u8 * 2, n, 1040);
            pokey.write(i as u8 * 2 + 1, 0xA8, 1050);
        }
    }
    if kind == "stress" {
        pokey.write(8, 0x50, 1060);
        for (i, (n, control)) in [(0x13, 0xA6), (0x57, 0x86), (0x79, 0xC6), (0x31, 0xA8)]
            .into_iter()
            .enumerate()
        {
            pokey.write(i as u8 * 2, n, 1070);
            pokey.write(i as u8 * 2 + 1, control, 1080);
        }
    }
    let mut changes = Vec::new();
    let mut sum = 0;
    for frame in 0..frames {
        let start = 2000 + frame * 29_868;
        if kind == "music" {
            for register in 0..9 {
                let data = if register & 1 != 0 {
                    0xA0 | frame as u8 & 15
                } else {
                    (frame * 3) as u8 | 32
                };
                pokey.write(
                    register,
                    if register == 8 { 0 } else { data },
                    start + u64::from(register) * 20,
                );
            }
        }
        if kind == "digi" {
            for n in 0..131 {
                pokey.write(7, 0x10 | n as u8 & 15, start + n * 228);
            }
        }
        sum += u64::from(pokey.read(15, start + 1000)) + u64::from(pokey.read(10, start + 2000));
        pokey.sync_to(start + 29_000);
        changes.clear();
        pokey.take_sound(&mut changes);
        sum += changes.len() as u64;
    }
    println!("{sum}");
}
