//! The variables of pages 0, 2 and 3 after a start: what programs find there before they change anything.

use machine::{Model, Tv};
use tests::calls::Os;

/// The models for which a default holds: all, the XL and XE, the 400 and 800.
#[derive(Clone, Copy, PartialEq, Eq)]
enum On {
    Both,
    Xl,
    Old,
}

use On::{Both, Old, Xl};

const DEFAULTS: &[(u16, &[u8], On, &str)] = &[
    (0x08, &[0], Both, "WARMST"),
    (0x09, &[1], Both, "BOOT?: a disk was booted"),
    (0x10, &[0xC0], Both, "POKMSK"),
    (0x11, &[0xFF], Both, "BRKKEY"),
    (0x41, &[3], Both, "SOUNDR"),
    (0x42, &[0], Both, "CRITIC"),
    (0x4E, &[0xFE, 0], Both, "DRKMSK, COLRSH"),
    (
        0x52,
        &[2, 39, 0, 2, 0, 0],
        Both,
        "LMARGN, RMARGN, ROWCRS, COLCRS, DINDEX",
    ),
    (0x6B, &[0], Both, "BUFCNT"),
    (0x7B, &[0], Both, "SWPFLG"),
    (
        0x0222,
        &[0xE2, 0xC0, 0x8A, 0xC2],
        Xl,
        "VVBLKI, VVBLKD: programs know the values",
    ),
    (
        0x0222,
        &[0x5F, 0xE4, 0x62, 0xE4],
        Old,
        "VVBLKI = SYSVBV, VVBLKD = XITVBV",
    ),
    (0x022A, &[0], Both, "CDTMF3"),
    (0x022F, &[0x22], Both, "SDMCTL"),
    (0x0244, &[0], Both, "COLDST"),
    (0x0246, &[0xE0], Both, "DSKTIM: the drive has said it"),
    (0x026B, &[0xCC, 0, 0, 0], Xl, "CHSALT, VSFLAG, KEYDIS, FINE"),
    (0x026F, &[0], Both, "GPRIOR"),
    (0x0270, &[228; 8], Both, "PADDL0-7"),
    (0x0278, &[15; 4], Both, "STICK0-3"),
    (0x027C, &[1; 8], Both, "PTRIG0-7"),
    (0x0284, &[1; 4], Both, "STRIG0-3"),
    (0x0290, &[0, 0, 0, 0], Both, "TXTROW, TXTCOL, TINDEX"),
    (0x02A2, &[0], Both, "ESCFLG"),
    (0x02A3, &[1; 15], Both, "TABMAP"),
    (0x02B2, &[0xFF; 3], Both, "LOGMAP"),
    (0x02B6, &[0], Both, "INVFLG"),
    (0x02BE, &[0x40, 24], Both, "SHFLOK, BOTSCR"),
    (
        0x02C0,
        &[0, 0, 0, 0, 0x28, 0xCA, 0x94, 0x46, 0],
        Both,
        "PCOLR0-3, COLOR0-4",
    ),
    (0x02D5, &[128, 0], Xl, "DSCTLN"),
    (0x02DB, &[0, 0, 0], Xl, "NOCLIK, HELPFG, DMASAV"),
    (0x02E7, &[0x00, 0x07], Both, "MEMLO"),
    (0x02E9, &[0], Xl, "HNDLOD"),
    (0x02EE, &[0xCC, 0x05], Both, "CBAUDL/H"),
    (0x02F0, &[0], Both, "CRSINH"),
    (0x02F3, &[2, 0xE0], Both, "CHACT, CHBAS"),
    (0x02FC, &[0xFF], Both, "CH"),
    (0x02FE, &[0, 0], Both, "DSPFLG, SSFLAG"),
    (
        0x031A,
        &[
            b'P', 0x30, 0xE4, b'C', 0x40, 0xE4, b'E', 0x00, 0xE4, b'S', 0x10, 0xE4, b'K', 0x20,
            0xE4, 0,
        ],
        Both,
        "HATABS",
    ),
    (0x033D, &[0x5C, 0x93, 0x25], Xl, "PUPBT1-3"),
    (0x0340, &[6, 1, 3, 1], Both, "IOCB 0: E: is open"),
    (0x034A, &[12, 0], Both, "AUX of IOCB 0"),
    (0x03F8, &[2], Xl, "BASICF: BASIC is out"),
    (0x0314, &[30], Xl, "PTIMOT"),
    (0x1C, &[30], Old, "PTIMOT"),
    (0x02FA, &[0], Both, "CHAR"),
];

fn check(model: Model, tv: Tv) {
    let os = Os::new(&tests::config(model, tv, false));
    let xl = model == Model::Xl800 || model == Model::Xe130;
    for &(address, want, on, name) in DEFAULTS {
        if on == Both || xl == (on == Xl) {
            let got: Vec<u8> = (0..want.len() as u16)
                .map(|i| os.peek(address + i))
                .collect();
            assert_eq!(got, want, "${address:04X} {name} on {model:?}");
        }
    }
    if xl {
        let pal = tv == Tv::Pal;
        assert_eq!(os.peek(0x62), u8::from(pal), "PALNTS");
        let want = if pal { (40, 5) } else { (48, 6) };
        assert_eq!((os.peek(0x02D9), os.peek(0x02DA)), want, "KRPDEL, KEYREP");
    }
    let pages = if model == Model::Atari800 {
        0xC0
    } else {
        os.peek(0x02E4)
    };
    assert_eq!(
        (os.peek(0x02E4), os.peek(0x6A)),
        (pages, pages),
        "RAMSIZ, RAMTOP"
    );
    let top = u16::from(pages) * 256;
    assert_eq!(
        [
            os.word(0x58),
            os.word(0x0230),
            os.word(0x02E5),
            os.word(0x0294)
        ],
        [top - 960, top - 992, top - 993, top - 160],
        "SAVMSC, SDLST, MEMTOP, TXTMSC"
    );
    // The unused vectors lead to RTI, or PLA RTI.
    assert_eq!(os.peek(os.word(0x0200)), 0x40, "VDSLST");
    for vector in [0x0202, 0x0204, 0x0206, 0x0210, 0x0212, 0x0214] {
        let routine = os.word(vector);
        assert_eq!(
            (os.peek(routine), os.peek(routine + 1)),
            (0x68, 0x40),
            "${vector:04X}"
        );
    }
    for vector in [0x0208, 0x020A, 0x020C, 0x020E, 0x0216, 0x0236] {
        assert!(os.word(vector) >= 0xC000, "${vector:04X}");
    }
    for iocb in 1..8 {
        assert_eq!(os.peek(0x0340 + iocb * 16), 0xFF, "ICHID of IOCB {iocb}");
    }
}

#[test]
fn variables_have_their_documented_values_after_a_start() {
    check(Model::Xl800, Tv::Ntsc);
    check(Model::Xe130, Tv::Pal);
    check(Model::Atari800, Tv::Ntsc);
    check(Model::Atari400, Tv::Pal);
}
