//! Properties that hold for any bytes and any program.
use media::atr::Disk;
use media::basic::{Program, number};
use media::cartridge::Cartridge;
use media::cas::Tape;
use media::xex::{Segment, Xex};
use media::{Identity, Kind, recognise};
use proptest::prelude::*;

/// A numeric expression that fits into a line.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (0u32..100_000).prop_map(|n| n.to_string()),
        (0u32..1000, 0u32..1000).prop_map(|(a, b)| format!("{a}.{b:03}")),
        "[A-E][0-9]?".prop_map(|s| s),
        "[A-C]".prop_map(|s| format!("LEN({s}$)")),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            (inner.clone(), "[-+*/^<>=]", inner.clone()).prop_map(|(a, o, b)| format!("{a}{o}{b}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} AND {b}")),
            inner.clone().prop_map(|a| format!("-({a})")),
            inner.clone().prop_map(|a| format!("(NOT ({a}))")),
            inner.clone().prop_map(|a| format!("PEEK({a})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("X({a},{b})")),
            inner.prop_map(|a| format!("(A$(1,{a})=\"B\")")),
        ]
    })
}

fn statement() -> impl Strategy<Value = String> {
    prop_oneof![
        expression().prop_map(|e| format!("PRINT {e};\"TEXT\",A$")),
        expression().prop_map(|e| format!("A={e}")),
        expression().prop_map(|e| format!("POKE 710,{e}")),
        expression().prop_map(|e| format!("FOR I=1 TO {e} STEP 2")),
        expression().prop_map(|e| format!("ON {e} GOTO 10,20")),
        expression().prop_map(|e| format!("A$(LEN(A$)+1)=STR$({e})")),
        expression().prop_map(|e| format!("IF {e} THEN GOSUB 100")),
        Just("DIM A$(100),X(3,4)".to_owned()),
        Just("NEXT I".to_owned()),
        Just("OPEN #1,4,0,\"D:FILE\"".to_owned()),
    ]
}

/// ATR files of all shapes: any header, boot sectors of any kind, cut sectors, a trailer.
fn image() -> impl Strategy<Value = Vec<u8>> {
    let header = proptest::collection::vec(any::<u8>(), 9);
    let bytes = proptest::collection::vec(any::<u8>(), 0..3000);
    let zeros = prop_oneof![
        Just(0..0),
        Just(384..768),
        Just(0..768),
        Just(128..256),
        (0..3000usize).prop_map(|n| n..3000)
    ];
    (any::<bool>(), 0..160u16, header, bytes, zeros).prop_map(
        |(double, paragraphs, header, mut body, zeros)| {
            body.resize(body.len().max(usize::from(paragraphs) * 16), 0xE5);
            let end = zeros.end.min(body.len());
            body[zeros.start.min(end)..end].fill(0);
            let mut file = vec![0x96, 2];
            file.extend(paragraphs.to_le_bytes());
            file.extend(if double { [0, 1] } else { [128, 0] });
            file.push(0);
            file.extend(header);
            file.extend(body);
            file
        },
    )
}

proptest! {
    #[test]
    fn a_disk_is_its_file_but_for_the_sectors_written(
        file in image(),
        writes in proptest::collection::vec((1..25usize, any::<u8>(), 0..257usize), 0..12),
    ) {
        let mut disk = Disk::parse(&file).unwrap();
        prop_assert_eq!(disk.to_bytes(), &file[..]);
        prop_assert_eq!(disk.identity(), Identity::of(&file));
        let copy = disk.clone();
        for (number, value, length) in writes {
            let written = disk.write_sector(number, &vec![value; length]);
            prop_assert_eq!(written, number <= disk.sectors() && file[15] & 1 == 0);
            prop_assert_eq!(disk.identity(), Identity::of(&disk.to_bytes()));
            // What a later reader of the file finds.
            let again = Disk::parse(&disk.to_bytes()).unwrap();
            prop_assert_eq!(again.sectors(), disk.sectors());
            for number in 0..30 {
                prop_assert_eq!(again.sector(number), disk.sector(number));
            }
        }
        prop_assert_eq!(copy.to_bytes(), file);
        prop_assert_eq!(disk.changed(), disk != copy);
    }

    #[test]
    fn a_tape_gives_back_every_chunk_of_its_file(
        chunks in proptest::collection::vec((0..6usize, prop_oneof![Just(0u16), Just(600), Just(605), any::<u16>()], proptest::collection::vec(any::<u8>(), 0..9)), 0..12),
    ) {
        let mut file = Vec::new();
        let first = (0, 0, b"side A".to_vec());
        let speed = (1, 600, Vec::new());
        for (kind, aux, data) in [first, speed].into_iter().chain(chunks) {
            let data = if kind == 3 { &data[..data.len() & !1] } else { &data[..] };
            file.extend([*b"FUJI", *b"baud", *b"data", *b"fsk ", *b"pwms", *b"pwmd"][kind]);
            file.extend((data.len() as u16).to_le_bytes());
            file.extend(aux.to_le_bytes());
            file.extend(data);
        }
        let tape = Tape::parse(&file).unwrap();
        prop_assert_eq!(&tape.to_bytes(), &file);
    }

    #[test]
    fn every_file_is_of_one_kind_and_its_parser_agrees(
        bytes in proptest::collection::vec(any::<u8>(), 0..400),
        magic in 0usize..8,
        name in "(.{0,8}\\.)?(.{0,4}|atr|xex|car|rom|cas|bas|lst)",
    ) {
        let prefix: &[u8] = [&b""[..], b"\xFF\xFF", b"\x96\x02", b"CART", b"FUJI", b"\0\0", b"ANTICLK\x1A", b"10 "][magic];
        let bytes = [prefix, &bytes].concat();
        let kind = recognise(&name, &bytes);
        prop_assert_eq!(kind == Kind::Empty, bytes.is_empty());
        // Whatever a parser accepts that knows its format by the content is found under every name.
        for (parsed, of) in [
            (Disk::parse(&bytes).is_ok(), Kind::Disk),
            (Tape::parse(&bytes).is_ok(), Kind::Tape),
            (Cartridge::parse_car(&bytes).is_ok(), Kind::Cartridge),
        ] {
            prop_assert!(!parsed || kind == of, "{:?} instead of {:?}", kind, of);
        }
    }

    #[test]
    fn no_bytes_make_a_parser_panic(bytes in proptest::collection::vec(any::<u8>(), 0..600), magic in 0usize..6) {
        let prefix: &[u8] = [&b""[..], b"\xFF\xFF", b"\x96\x02", b"CART", b"FUJI", b"\0\0"][magic];
        let bytes = [prefix, &bytes].concat();
        let _ = (Disk::parse(&bytes), Xex::parse(&bytes), Cartridge::parse_car(&bytes), Tape::parse(&bytes));
        if let Ok(program) = Program::parse_save(&bytes) {
            let _ = program.list();
            let _ = program.to_save();
        }
        let _ = Program::tokenize(&bytes);
    }

    #[test]
    fn listing_and_tokenising_gives_the_same_program(lines in proptest::collection::vec(statement(), 1..12)) {
        let numbered: Vec<String> = lines.iter().enumerate().map(|(i, s)| format!("{} {s}\n", i * 10)).collect();
        let text = numbered.concat();
        let program = Program::tokenize(text.as_bytes()).unwrap();
        let listed = program.list();
        prop_assert_eq!(&Program::tokenize(&listed).unwrap(), &program);
        prop_assert_eq!(Program::tokenize(&listed).unwrap().list(), listed);
        prop_assert_eq!(Program::parse_save(&program.to_save()).unwrap(), program);
    }

    #[test]
    fn a_printed_number_reads_back_as_itself(digits in proptest::collection::vec(0u8..100, 5), exponent in 16u8..112) {
        let mut bytes = [0u8; 6];
        bytes[0] = exponent;
        for (to, from) in bytes[1..].iter_mut().zip(&digits) {
            *to = ((from / 10) << 4) | (from % 10);
        }
        prop_assume!(bytes[1] != 0);
        let text = number::format(&bytes);
        prop_assert_eq!(number::parse(text.as_bytes()), Some((bytes, text.len())), "{}", text);
    }

    #[test]
    fn a_binary_file_survives(starts in proptest::collection::vec((any::<u16>(), 1usize..300), 1..5)) {
        let segments: Vec<Segment> = starts
            .iter()
            .map(|&(start, length)| {
                let length = length.min(0x10000 - usize::from(start));
                // $FFFF would be taken for a header.
                Segment { start: start.min(0xFFFE), data: vec![0xA5; length] }
            })
            .collect();
        let xex = Xex { segments, flaw: None };
        prop_assert_eq!(Xex::parse(&xex.to_bytes()), Ok(xex));
    }
}
