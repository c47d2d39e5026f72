//! The priority logic as a table.

/// The objects as the priority logic sees them, by PRIOR bit 4: the players, with their missiles unless these are the fifth player (bit 4).
static SEEN: [[u8; 256]; 2] = {
    let mut table = [[0; 256]; 2];
    let mut objects = 0;
    while objects < 256 {
        let (players, missiles) = (objects as u8 & 15, objects as u8 >> 4);
        table[0][objects] = players | missiles;
        table[1][objects] = players | ((missiles != 0) as u8) << 4;
        objects += 1;
    }
    table
};

/// Its part of [`SEEN`].
#[inline]
pub fn seen(prior: u8) -> &'static [u8; 256] {
    &SEEN[usize::from(prior >> 4 & 1)]
}

/// Index of [`TABLE`]: PRIOR bits 0-3 and 5, the playfield's AN code (0 background, 4-7 PF0-PF3), the objects as [`seen`].
#[inline]
pub const fn index(prior: u8, code: u8, objects: u8) -> usize {
    ((prior & 15 | prior >> 1 & 16) as usize) << 8
        | ((code & 7) as usize) << 5
        | (objects & 31) as usize
}

/// The logic of AHRM 6.7.
const fn logic(prior: u8, multi: bool, code: u8, fifth: bool, players: u8) -> u16 {
    let p0 = players & 1 != 0;
    let p1 = players & 2 != 0;
    let p2 = players & 4 != 0;
    let p3 = players & 8 != 0;
    let pf0 = code == 4;
    let pf1 = code == 5;
    let pf2 = code == 6;
    let pf3 = code == 7 || fifth;
    let pri0 = prior & 1 != 0;
    let pri1 = prior & 2 != 0;
    let pri2 = prior & 4 != 0;
    let pri3 = prior & 8 != 0;
    let p01 = p0 || p1;
    let p23 = p2 || p3;
    let pf01 = pf0 || pf1;
    let pf23 = pf2 || pf3;
    let pri01 = pri0 || pri1;
    let pri12 = pri1 || pri2;
    let pri23 = pri2 || pri3;
    let pri03 = pri0 || pri3;
    let over01 = pf01 && pri23 || pri2 && pf23;
    let sp0 = p0 && !over01;
    let sp1 = p1 && !over01 && (!p0 || multi);
    let over23 = p01 || pf23 && pri12 || pf01 && !pri0;
    let sp2 = p2 && !over23;
    let sp3 = p3 && !over23 && (!p2 || multi);
    let under01 = p23 && pri0 || p01 && pri01;
    let under23 = p23 && pri03 || p01 && !pri2;
    let sf3 = pf3 && !under23;
    let sf2 = pf2 && !under23 && !sf3;
    let sf1 = pf1 && !under01 && !sf3;
    let sf0 = pf0 && !under01 && !sf3;
    let sb = !p01 && !p23 && !pf01 && !pf23;
    sp0 as u16
        | (sp1 as u16) << 1
        | (sp2 as u16) << 2
        | (sp3 as u16) << 3
        | (sf0 as u16) << 4
        | (sf1 as u16) << 5
        | (sf2 as u16) << 6
        | (sf3 as u16) << 7
        | (sb as u16) << 8
}

const SIZE: usize = 32 * 8 * 2 * 16;

#[allow(long_running_const_eval)]
const fn make() -> [u16; SIZE] {
    let mut table = [0; SIZE];
    let mut i = 0;
    while i < SIZE {
        table[i] = logic(
            (i >> 8 & 15) as u8,
            i >> 12 & 1 != 0,
            (i >> 5 & 7) as u8,
            i >> 4 & 1 != 0,
            (i & 15) as u8,
        );
        i += 1;
    }
    table
}

/// See [`index`]. Of the outputs bits 0-3 are COLPM0-3, bits 4-7 COLPF0-3, bit 8 COLBK.
pub static TABLE: [u16; SIZE] = make();

/// A look-up in [`TABLE`].
#[inline]
pub fn resolve(prior: u8, code: u8, objects: u8) -> u16 {
    TABLE[index(prior, code, objects) & (SIZE - 1)]
}
