//! Random display lists, memory and registers.
use crate::antic::Rows;
use machine::{Config, Machine, Model, Tv};

/// A small generator of numbers.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 20) % n
    }

    pub fn byte(&mut self) -> u8 {
        (self.next() >> 24) as u8
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}

/// Everything that a still picture depends on.
pub struct Scene {
    pub memory: Vec<u8>,
    pub list: u16,
    /// $D000 to $D01D.
    pub gtia: [u8; 30],
    pub dmactl: u8,
    pub chactl: u8,
    pub hscrol: u8,
    pub vscrol: u8,
    pub pmbase: u8,
    pub chbase: u8,
}

impl Scene {
    pub fn new(random: &mut Random) -> Self {
        let mut memory: Vec<u8> = (0..0xC000).map(|_| random.byte()).collect();
        let hscrol = random.byte() & 15;
        let vscrol = random.byte() & 15;
        let width = random.pick(&[0, 1, 1, 2, 2, 2, 3, 3]);
        let dma = random.pick(&[0, 0, 4, 8, 12, 8]);
        let dmactl = 0x20 | width | dma | random.pick(&[0, 0x10]);
        let mut gtia: [u8; 30] = std::array::from_fn(|_| random.byte());
        gtia[0x1B] = random.byte() & random.pick(&[0x3F, 0x0F, 0xFF, 0xD1]);
        // Only what ANTIC fetches is taken from the bus.
        gtia[0x1D] = match dma {
            0 => 0,
            4 => 1,
            _ => random.pick(&[1, 2, 3, 3]),
        };
        // Some objects side by side, some on one spot.
        let spot = 40 + random.byte() % 150;
        for hpos in &mut gtia[..8] {
            if random.below(2) == 0 {
                *hpos = spot + random.byte() % 16;
            }
        }
        let list = 0x0400 + 0x100 * random.below(3) as u16;
        let mut at = usize::from(list);
        let mut lines = 0;
        let (mut scrolling, mut loaded) = (false, false);
        // Modes 8 and 9 run wild after a line that was scrolled far (AHRM 4.7).
        let modes: &[u8] = if hscrol >= 10 {
            &[0, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15]
        } else {
            &[0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
        };
        let mut put = |byte: u8| {
            memory[at] = byte;
            at += 1;
        };
        put(0x70);
        lines += 8;
        while lines < 200 {
            let mode = random.pick(modes);
            let mut instruction = mode;
            if mode == 0 {
                instruction |= random.byte() & 0x70;
            } else {
                if !loaded || random.below(3) == 0 {
                    instruction |= 0x40;
                    loaded = true;
                }
                instruction |= random.byte() & random.pick(&[0x10, 0x30, 0x20, 0]);
            }
            put(instruction);
            if mode != 0 && instruction & 0x40 != 0 {
                put(random.byte());
                put(random.pick(&[0x10, 0x2F, 0x4F, 0x7F, 0x80, 0x9E]));
            }
            let mut model = Rows { scrolling, vscrol };
            lines += model.rows(instruction).len();
            scrolling = model.scrolling;
        }
        for byte in [0x00, 0x41, list as u8, (list >> 8) as u8] {
            put(byte);
        }
        Self {
            memory,
            list,
            gtia,
            dmactl,
            chactl: random.byte() & 7,
            hscrol,
            vscrol,
            pmbase: random.byte() & 0x7F,
            chbase: random.byte() & 0x7F,
        }
    }
}

/// A machine that shows the scene.
pub fn machine(scene: &Scene, tv: Tv) -> Machine {
    machine_that(scene, tv, false)
}

/// A machine that shows the scene; its processor may be jammed, and then its bus shows only $FF.
pub fn machine_that(scene: &Scene, tv: Tv, jammed: bool) -> Machine {
    let mut os = vec![0xEA; 0x4000];
    let mut code = vec![0x78, 0xD8, 0xA2, 0xFF, 0x9A, 0xA9, 0x00, 0x8D, 0x00, 0xD4];
    // Wait for line 248.
    code.extend([0xAD, 0x0B, 0xD4, 0xC9, 0x7C, 0xD0, 0xF9]);
    let mut store = |address: u16, value: u8| {
        let [low, high] = address.to_le_bytes();
        code.extend([0xA9, value, 0x8D, low, high]);
    };
    for (i, &value) in scene.gtia.iter().enumerate() {
        store(0xD000 + i as u16, value);
    }
    store(0xD01E, 0);
    let antic = [
        (1, scene.chactl),
        (2, scene.list as u8),
        (3, (scene.list >> 8) as u8),
        (4, scene.hscrol),
        (5, scene.vscrol),
        (7, scene.pmbase),
        (9, scene.chbase),
        (0, scene.dmactl),
    ];
    for (register, value) in antic {
        store(0xD400 + register, value);
    }
    let wait = 0xC000 + code.len() as u16;
    if jammed {
        code.push(0x02);
    } else {
        code.extend([0x4C, wait as u8, (wait >> 8) as u8]);
    }
    os[..code.len()].copy_from_slice(&code);
    os[0x3FFA..].copy_from_slice(&[0x00, 0xC0, 0x00, 0xC0, 0x00, 0xFF]);
    let mut machine = Machine::new(&Config {
        model: Model::Xl800,
        tv,
        os: os.into(),
        basic: None,
        cartridge: None,
        second: None,
        seed: 1,
        extras: machine::Extras::default(),
    })
    .unwrap();
    for (address, &byte) in scene.memory.iter().enumerate() {
        machine.poke(address as u16, byte);
    }
    for _ in 0..5 {
        machine.run_frame();
    }
    machine
}
