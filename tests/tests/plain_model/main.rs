//! Whole pictures of random display lists, memory and registers, still and with registers written in the middle of lines, against a
//! plain model. The model is made from the manual's description. Of ANTIC there are two: one knows lines and colour clocks but no
//! cycles, the other takes one cycle after the other. GTIA's takes one colour clock after the other. They share nothing with the chips.
mod antic;
mod dma;
mod gtia;
mod scene;

use antic::AnticWrite;
use gtia::{Gtia, Write};
use machine::{Machine, Tv};
use scene::{Random, Scene, machine, machine_that};

/// Colour clocks of a line.
const LINE: usize = 228;

/// Compares the display of a frame; `None` if it is equal.
fn difference(
    machine: &Machine,
    fields: &[antic::Field],
    rows: &[Vec<(u8, u8)>],
) -> Option<String> {
    for (y, row) in rows.iter().enumerate() {
        let found = machine.frame().row(y);
        for (i, &wanted) in row.iter().enumerate() {
            let found = (found[2 * i], found[2 * i + 1]);
            let x = i + 34;
            if x < fields[y + 8].unknown && found != wanted {
                return Some(format!(
                    "line {}, colour clock {x}: {found:02X?}, the model has {wanted:02X?}",
                    y + 8
                ));
            }
        }
    }
    None
}

/// The lines of a frame; `writes` has those of each line of the display.
fn frame(
    gtia: &mut Gtia,
    scene: &Scene,
    fields: &[antic::Field],
    lines: usize,
    writes: &[Vec<Write>],
) -> Vec<Vec<(u8, u8)>> {
    let mut rows = Vec::new();
    for line in 0..lines {
        let field = fields.get(line).filter(|_| line >= 8);
        let row = gtia.line(
            scene,
            line,
            field,
            writes.get(line).map_or(&[], Vec::as_slice),
        );
        if field.is_some() {
            rows.push(row);
        }
    }
    rows
}

fn scene(round: u64, salt: u64) -> (Random, Scene, Tv, usize) {
    let mut random = Random(salt.wrapping_mul(round + 1));
    let scene = Scene::new(&mut random);
    if round % 4 == 3 {
        (random, scene, Tv::Pal, 312)
    } else {
        (random, scene, Tv::Ntsc, 262)
    }
}

fn rounds(usual: u64) -> u64 {
    std::env::var("PICTURE_ROUNDS").map_or(usual, |n| n.parse().expect("a number"))
}

fn describe(scene: &Scene) -> String {
    format!(
        "DMACTL {:02X} HSCROL {:X} VSCROL {:X} CHACTL {} GTIA {:02X?} list {:02X?}",
        scene.dmactl,
        scene.hscrol,
        scene.vscrol,
        scene.chactl,
        scene.gtia,
        &scene.memory[usize::from(scene.list)..][..40]
    )
}

#[test]
fn still_pictures_are_what_the_manual_describes() {
    for round in 0..rounds(200) {
        let (_, scene, tv, lines) = scene(round, 0x9E37_79B9_7F4A_7C15);
        let machine = machine(&scene, tv);
        let fields = antic::playfield(&scene);
        let mut gtia = Gtia::new(&scene);
        // The second frame counts: delayed objects keep what the first one left.
        frame(&mut gtia, &scene, &fields, lines, &[]);
        let rows = frame(&mut gtia, &scene, &fields, lines, &[]);
        if let Some(difference) = difference(&machine, &fields, &rows) {
            panic!("scene {round}, {difference}; {}", describe(&scene));
        }
        if fields.iter().all(|f| f.unknown == LINE) {
            let found: [u8; 16] = std::array::from_fn(|i| machine.peek(0xD000 + i as u16));
            assert_eq!(found, gtia.hits, "collisions of scene {round}");
        }
    }
}

/// Writes of GTIA's registers in cycles of a line, two or more apart as the processor's are.
fn random_writes(random: &mut Random) -> Vec<Write> {
    let mut writes = Vec::new();
    let mut cycle = 8 + random.below(60) as usize;
    while cycle < 112 {
        let register = random.pick(&[
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 22, 23, 24, 26, 27,
            27, 28, 30,
        ]);
        let near = (2 * cycle as u64 + random.below(24)) as u8;
        let data = match register {
            0..=7 if random.below(3) != 0 => near,
            27 => random.byte() & random.pick(&[0x3F, 0xC0, 0xFF]),
            _ => random.byte(),
        };
        writes.push(Write {
            cycle,
            register,
            data,
        });
        cycle += 2 + random.below(random_gap(writes.len())) as usize;
    }
    writes
}

/// Some lines have many writes.
fn random_gap(already: usize) -> u64 {
    if already.is_multiple_of(3) { 40 } else { 6 }
}

#[test]
fn writes_in_the_middle_of_lines_show_where_the_manual_says() {
    for round in 0..rounds(150) {
        let (mut random, scene, tv, lines) = scene(round, 0xD6E8_FEB8_6659_FD93);
        let mut machine = machine(&scene, tv);
        let fields = antic::playfield(&scene);
        let mut gtia = Gtia::new(&scene);
        frame(&mut gtia, &scene, &fields, lines, &[]);
        let mut writes: Vec<Vec<Write>> = vec![Vec::new(); 248];
        for writes in &mut writes[8..] {
            if random.below(2) == 0 {
                *writes = random_writes(&mut random);
            }
        }
        // HITCLR where the model's record begins too.
        writes[8].insert(
            0,
            Write {
                cycle: 6,
                register: 0x1E,
                data: 0,
            },
        );
        for (line, writes) in writes.iter().enumerate() {
            for write in writes {
                let here =
                    usize::from(machine.beam().line) * 114 + usize::from(machine.beam().cycle);
                machine.run_cycles((line * 114 + write.cycle + 1 - here) as u64);
                machine.pins().gtia(write.register, write.data, write.cycle);
            }
        }
        machine.run_frame();
        let rows = frame(&mut gtia, &scene, &fields, lines, &writes);
        if let Some(difference) = difference(&machine, &fields, &rows) {
            fail(round, &difference, (&[], 0), &writes, &scene);
        }
        if fields.iter().all(|f| f.unknown == LINE) {
            let found: [u8; 16] = std::array::from_fn(|i| machine.peek(0xD000 + i as u16));
            assert_eq!(found, gtia.hits, "collisions of scene {round}");
        }
    }
}

/// Describes the difference in a scene, and the writes before it: those of ANTIC's registers in `lines` lines up to that one, of GTIA's in two.
fn fail<W: std::fmt::Debug>(
    round: u64,
    difference: &str,
    (antic, lines): (&[AnticWrite], usize),
    gtia: &[Vec<W>],
    scene: &Scene,
) -> ! {
    let line: usize = difference[5..8].trim_end_matches(',').parse().unwrap_or(0);
    let near = |write: &&AnticWrite| write.line + lines > line && write.line <= line;
    let near: Vec<_> = antic.iter().filter(near).collect();
    let gtia = gtia.get(line.saturating_sub(1)..=line);
    panic!(
        "scene {round}, {difference}; {near:?} {gtia:?}; {}",
        describe(scene)
    );
}

/// Writes of ANTIC's registers that may change the picture but not what is fetched when.
fn random_antic_writes(random: &mut Random, scene: &Scene) -> Vec<AnticWrite> {
    let mut writes = Vec::new();
    for line in 8..247 {
        let mut cycle = 8 + random.below(60) as usize;
        while cycle < 113 && random.below(3) != 0 {
            let register = random.pick(&[1, 4, 4, 5, 7, 9, 9]);
            let data = match register {
                4 => scene.hscrol & 0xE | random.byte() & 1,
                7 | 9 => random.byte() & 0x7F,
                _ => random.byte() & 15,
            };
            writes.push(AnticWrite {
                line,
                cycle,
                register,
                data,
            });
            cycle += 2 + random.below(30) as usize;
        }
    }
    writes
}

/// DMACTL off and on again while a playfield runs that is not fetched, with objects of one or two lines from then on.
fn add_dmactl(
    random: &mut Random,
    scene: &Scene,
    fields: &[antic::Field],
    writes: &mut Vec<AnticWrite>,
) {
    let mut dmactl = scene.dmactl;
    for (line, field) in fields.iter().enumerate().take(247).skip(8) {
        if !field.quiet || dmactl & 3 == 0 || random.below(2) == 0 {
            continue;
        }
        let off = 36 + random.below(24) as usize;
        let on = off + 2 + random.below(22) as usize;
        let new = dmactl ^ random.byte() & 0x10;
        for (cycle, data) in [(off, dmactl & !3), (on, new)] {
            writes.push(AnticWrite {
                line,
                cycle,
                register: 0,
                data,
            });
        }
        dmactl = new;
    }
    writes.sort_by_key(|write| (write.line, write.cycle));
}

/// Writes of GTIA's registers between those of ANTIC's; HITCLR comes first.
fn gtia_writes_between(random: &mut Random, writes: &[AnticWrite]) -> Vec<Vec<Write>> {
    let mut gtia_writes: Vec<Vec<Write>> = vec![Vec::new(); 248];
    for (line, of_line) in gtia_writes.iter_mut().enumerate().skip(8) {
        if random.below(3) == 0 {
            *of_line = random_writes(random);
            of_line.retain(|write| {
                // The processor needs four cycles for a write of another register.
                let near = |w: &AnticWrite| w.line == line && w.cycle.abs_diff(write.cycle) < 4;
                // Registers that GTIA may be taking from the bus are not written until it has them.
                let taken = matches!(write.register, 0x0D..=0x11 | 0x1C) && write.cycle < 24;
                !taken && !writes.iter().any(near)
            });
        }
    }
    gtia_writes[8].insert(
        0,
        Write {
            cycle: 6,
            register: 0x1E,
            data: 0,
        },
    );
    gtia_writes
}

/// Makes the writes while the machine runs through the lines.
fn write_all(machine: &mut Machine, writes: &[AnticWrite], gtia_writes: &[Vec<Write>]) {
    let mut left = writes.iter().peekable();
    for (line, of_line) in gtia_writes.iter().enumerate() {
        let mut of_line = of_line.iter().peekable();
        loop {
            let first = left.peek().filter(|write| write.line == line);
            let second = of_line.peek();
            if first.is_none() && second.is_none() {
                break;
            }
            let antic = first.is_some_and(|f| second.is_none_or(|s| f.cycle < s.cycle));
            if antic && let Some(write) = left.next() {
                run_to_line(machine, line, write.cycle + 1);
                machine
                    .pins()
                    .antic(write.register, write.data, write.cycle);
            } else if let Some(write) = of_line.next() {
                run_to_line(machine, line, write.cycle + 1);
                machine.pins().gtia(write.register, write.data, write.cycle);
            }
        }
    }
}

#[test]
fn antic_s_registers_written_in_the_middle_of_lines_show_where_the_manual_says() {
    for round in 0..rounds(150) {
        let (mut random, scene, tv, lines) = scene(round, 0xA076_1D64_78BD_642F);
        let mut machine = machine(&scene, tv);
        let mut gtia = Gtia::new(&scene);
        frame(&mut gtia, &scene, &antic::playfield(&scene), lines, &[]);
        let mut writes = random_antic_writes(&mut random, &scene);
        let fields = antic::playfield_with(&scene, &writes);
        add_dmactl(&mut random, &scene, &fields, &mut writes);
        let fields = antic::playfield_with(&scene, &writes);
        let gtia_writes = gtia_writes_between(&mut random, &writes);
        write_all(&mut machine, &writes, &gtia_writes);
        machine.run_frame();
        let mut rows = Vec::new();
        for line in 0..lines {
            for write in writes.iter().filter(|write| write.line + 1 == line) {
                match write.register {
                    0 => gtia.one_line = write.data & 0x10 != 0,
                    7 => gtia.pmbase = write.data,
                    _ => {}
                }
            }
            let field = fields.get(line).filter(|_| line >= 8);
            let of_line = gtia_writes.get(line).map_or(&[][..], Vec::as_slice);
            let row = gtia.line(&scene, line, field, of_line);
            if field.is_some() {
                rows.push(row);
            }
        }
        if let Some(difference) = difference(&machine, &fields, &rows) {
            fail(round, &difference, (&writes, 3), &gtia_writes, &scene);
        }
        // A hires line in line 247 opens vertical blank, of which the model knows nothing.
        if fields.iter().all(|f| f.unknown == LINE) && !fields[247].hires {
            let found: [u8; 16] = std::array::from_fn(|i| machine.peek(0xD000 + i as u16));
            assert_eq!(found, gtia.hits, "collisions of scene {round}");
        }
    }
}

/// Writes of DMACTL's width and HSCROL.
fn random_moves(random: &mut Random, scene: &Scene) -> Vec<AnticWrite> {
    let mut writes = Vec::new();
    let (mut dmactl, mut hscrol) = (scene.dmactl, scene.hscrol);
    for line in 9..247 {
        if random.below(4) != 0 {
            continue;
        }
        let mut cycle = random.below(100) as usize;
        while cycle < 113 {
            let register = random.pick(&[0, 0, 4]);
            let (old_dmactl, old_hscrol) = (dmactl, hscrol);
            if register == 0 {
                dmactl = dmactl & 0xFC | random.pick(&[0, 1, 1, 2, 2, 2, 3, 3]);
            } else {
                hscrol = random.byte() & 15;
            }
            // Where a playfield's start is moved to the cycle of the change or the one before, reference and manual differ.
            let open = [false, true].iter().any(|&scrolled| {
                let start = dma::start(dmactl, scrolled, hscrol);
                start.is_some_and(|start| start == cycle + 1 || start == cycle)
            });
            if open {
                (dmactl, hscrol) = (old_dmactl, old_hscrol);
            } else {
                writes.push(AnticWrite {
                    line,
                    cycle,
                    register,
                    data: if register == 0 { dmactl } else { hscrol },
                });
            }
            cycle += 4 + random.below(60) as usize;
        }
    }
    writes
}

#[test]
fn playfields_moved_in_the_middle_of_lines_are_fetched_and_shown_as_the_manual_says() {
    for round in 0..rounds(150) {
        let (mut random, scene, tv, lines) = scene(round, 0xE703_7ED1_A0B4_28DB);
        let mut machine = machine_that(&scene, tv, true);
        let mut gtia = Gtia::new(&scene);
        let still = dma::playfield(&scene, &[]);
        frame(&mut gtia, &scene, &still, lines, &[]);
        let writes = random_moves(&mut random, &scene);
        let fields = dma::playfield(&scene, &writes);
        for write in &writes {
            run_to_line(&mut machine, write.line, write.cycle + 1);
            machine
                .pins()
                .antic(write.register, write.data, write.cycle);
        }
        machine.run_frame();
        let rows = frame(&mut gtia, &scene, &fields, fields.len(), &[]);
        if let Some(difference) = difference(&machine, &fields, &rows) {
            fail(round, &difference, (&writes, 14), &[] as &[Vec<()>], &scene);
        }
    }
}

/// Writes of any of ANTIC's registers that have to do with the picture.
fn random_everything(random: &mut Random, scene: &Scene) -> Vec<AnticWrite> {
    let mut writes = Vec::new();
    let (mut dmactl, mut hscrol) = (scene.dmactl, scene.hscrol);
    for line in 9..247 {
        if random.below(3) != 0 {
            continue;
        }
        let mut cycle = random.below(100) as usize;
        while cycle < 113 {
            let register = random.pick(&[0, 0, 0, 1, 2, 4, 4, 5, 7, 9]);
            let (old_dmactl, old_hscrol) = (dmactl, hscrol);
            // No source says how long before a fetch its address must be stable.
            let head = !(8..112).contains(&cycle);
            let data = match register {
                0 => {
                    let list = random.pick(&[0x20, 0x20, 0x20, 0x20, 0]);
                    let lines = if head {
                        dmactl & 0x10
                    } else {
                        random.byte() & 0x10
                    };
                    let objects = random.pick(&[0, 4, 8, 0xC]);
                    dmactl = list | lines | objects | random.pick(&[0, 1, 1, 2, 2, 2, 3, 3]);
                    dmactl
                }
                4 => {
                    hscrol = random.byte() & 15;
                    hscrol
                }
                7 | 9 => random.byte() & 0x7F,
                // Anywhere in the list.
                2 => random.byte() & 0x3F,
                _ => random.byte() & 15,
            };
            // Where a playfield's start is moved to the cycle of the change or the one before, reference and manual differ.
            let moved = dmactl & 3 != old_dmactl & 3 || hscrol != old_hscrol;
            let open = [false, true].iter().any(|&scrolled| {
                let start = dma::start(dmactl, scrolled, hscrol);
                start.is_some_and(|start| start == cycle + 1 || start == cycle)
            });
            if moved && open || matches!(register, 2 | 7) && head {
                (dmactl, hscrol) = (old_dmactl, old_hscrol);
            } else {
                writes.push(AnticWrite {
                    line,
                    cycle,
                    register,
                    data,
                });
            }
            cycle += 4 + random.below(60) as usize;
        }
    }
    writes
}

/// Writes of GRACTL in lines that have no others.
fn add_gractl(random: &mut Random, writes: &[AnticWrite], gtia_writes: &mut [Vec<Write>]) {
    for (line, of_line) in gtia_writes.iter_mut().enumerate().skip(9) {
        let other = writes.iter().any(|write| write.line == line);
        if of_line.is_empty() && !other && random.below(6) == 0 {
            of_line.push(Write {
                cycle: 24 + random.below(88) as usize,
                register: 0x1D,
                data: random.byte() & 3,
            });
        }
    }
}

#[test]
fn all_registers_written_at_any_time_show_where_the_manual_says() {
    for round in 0..rounds(150) {
        let (mut random, mut scene, tv, lines) = scene(round, 0x8EBC_6AF0_9C88_C6E3);
        scene.gtia[0x1D] = random.byte() & 3;
        let mut machine = machine_that(&scene, tv, true);
        let mut gtia = Gtia::new(&scene);
        let still = dma::playfield(&scene, &[]);
        frame(&mut gtia, &scene, &still, lines, &[]);
        let writes = random_everything(&mut random, &scene);
        let fields = dma::playfield(&scene, &writes);
        let mut gtia_writes = gtia_writes_between(&mut random, &writes);
        add_gractl(&mut random, &writes, &mut gtia_writes);
        write_all(&mut machine, &writes, &gtia_writes);
        machine.run_frame();
        let rows = frame(&mut gtia, &scene, &fields, fields.len(), &gtia_writes);
        if let Some(difference) = difference(&machine, &fields, &rows) {
            fail(round, &difference, (&writes, 14), &gtia_writes, &scene);
        }
    }
}

/// Runs to a cycle of a line of this frame.
fn run_to_line(machine: &mut Machine, line: usize, cycle: usize) {
    let beam = machine.beam();
    let here = usize::from(beam.line) * 114 + usize::from(beam.cycle);
    machine.run_cycles((line * 114 + cycle - here) as u64);
}

/// Runs to a cycle of the present line.
fn run_to(machine: &mut Machine, cycle: u8) {
    let left = cycle - machine.beam().cycle;
    machine.run_cycles(left.into());
}

#[test]
fn a_line_that_is_disturbed_without_meaning_shows_the_same() {
    for round in 0..60 {
        let mut random = Random(0xD1B5_4A32_D192_ED03_u64.wrapping_mul(round + 1));
        let scene = Scene::new(&mut random);
        let mut machine = machine(&scene, Tv::Ntsc);
        let wanted = machine.frame().pixels().to_vec();
        for _ in 0..machine.bus().video.antic.lines() {
            // Bit 4 of DMACTL says where players are, which is not sampled in these cycles; but the line is planned again.
            let begin = 8 + random.byte() % 90;
            let end = begin + 1 + random.byte() % 10;
            for (cycle, dmactl) in [(begin, scene.dmactl ^ 0x10), (end, scene.dmactl)] {
                run_to(&mut machine, cycle);
                machine.pins().antic(0, dmactl, cycle.into());
            }
            run_to(&mut machine, 114);
        }
        let found = machine.frame().pixels();
        let virtual_from = 2 * (218 - 34);
        for (i, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
            let (line, x) = (8 + i / 376, i % 376);
            // What is fetched so late is the processor's bus.
            if x < virtual_from {
                assert_eq!(found, wanted, "scene {round}, line {line}, pixel {x}");
            }
        }
    }
}
