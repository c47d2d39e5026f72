//! The check letters of the listings: the little program that works them out on the Atari finds those of the tables.
use machine::{Model, Tv};
use tests::Atari;
use tests::players::hexapawn::Folder;

/// The tables' lines: number and letters.
fn table(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    words
        .chunks(2)
        .map(|pair| format!("{} {}", pair[0], pair[1]))
        .collect()
}

#[test]
fn the_checking_program_finds_the_letters_of_the_table() {
    // Some lines as they are typed in: LIST writes them with all their words.
    let listing = include_str!("../../roms/games/go-fish/go-fish.lst");
    let wanted = table(include_str!("../../docs/games/checks/go-fish.txt"));
    let mut atari = Atari::new(&tests::config(Model::Xl800, Tv::Ntsc, true));
    atari.machine.attach_host(false);
    let mut folder = Folder::default();
    assert!(atari.wait_for_key(600));
    let program = media::basic::Program::tokenize(listing.as_bytes()).unwrap();
    atari.machine.load_basic(&program).unwrap();
    atari.type_text("LIST \"H:MINE.LST\",200,330\n");
    assert!(folder.wait_for_text(&mut atari, "READY", 600));
    atari.run(60);
    while !folder.files.contains_key("MINE.LST") {
        atari.run(1);
        folder.serve(&mut atari);
    }
    assert!(atari.wait_for_key(600));
    let check = include_str!("../../roms/games/check.lst");
    let check = media::basic::Program::tokenize(check.as_bytes()).unwrap();
    atari.machine.load_basic(&check).unwrap();
    atari.type_text("RUN\n");
    assert!(folder.wait_for_text(&mut atari, "WHICH FILE?", 600));
    atari.run(10);
    atari.type_text("H:MINE.LST\n");
    let mut seen: Vec<String> = Vec::new();
    let mut before = String::new();
    for _ in 0..6000 {
        atari.run(1);
        folder.serve(&mut atari);
        let text = atari.text();
        for line in text.lines().map(str::trim) {
            let is_pair = line.len() > 5 && line.as_bytes()[0].is_ascii_digit();
            // A frame may end while the editor writes a character and its cursor: what stays for two counts.
            let stays = before.lines().any(|known| known.trim() == line);
            if is_pair && stays && !seen.iter().any(|known| known == line) {
                seen.push(line.to_owned());
            }
        }
        before = text;
        if seen.last().is_some_and(|line| line.starts_with("330 ")) && atari.wait_for_key(2) {
            break;
        }
    }
    let whole: Vec<&String> = seen
        .iter()
        .filter(|line| line.split(' ').nth(1).is_some_and(|l| l.len() == 2))
        .collect();
    assert!(whole.len() >= 12, "{seen:?}");
    for line in whole {
        assert!(
            wanted.contains(line),
            "{line} is not in the table: {seen:?}"
        );
    }
}

/// A machine at the READY prompt of `type-in`.
fn typing_in(model: Model) -> Atari {
    let mut atari = Atari::new(&tests::config(model, Tv::Ntsc, true));
    assert!(atari.wait_for_key(900));
    let program = media::basic::Program::parse_save(roms::TYPE_IN).unwrap();
    atari.machine.load_basic(&program).unwrap();
    atari.type_text("RUN\n");
    assert!(atari.wait_for_text("TYPE IT IN", 1200));
    assert!(atari.wait_for_text("READY", 600));
    atari
}

/// Types a line.
fn type_line(atari: &mut Atari, line: &str) {
    atari.type_text(&format!("{line}\n"));
    assert!(atari.wait_for_key(600));
    atari.run(3);
}

/// Letters in the margin of the last line on the screen that begins with this text; `None` if nothing stands there.
fn letters_before(atari: &Atari, start: &str) -> Option<String> {
    let text = atari.text();
    let mut rows = text.lines().filter(|row| {
        row.get(2..)
            .is_some_and(|row| row.trim_end().starts_with(start))
    });
    let margin = rows
        .next_back()
        .unwrap_or_else(|| panic!("{start}:\n{text}"))[..2]
        .trim();
    (!margin.is_empty()).then(|| margin.to_owned())
}

#[test]
fn lines_have_the_letters_of_the_printed_page_as_they_are_typed_in() {
    let listing = include_str!("../../roms/games/tic-tac-toe/tic-tac-toe.lst");
    let wanted = table(include_str!("../../docs/games/checks/tic-tac-toe.txt"));
    let capital = |line: &&str| !line.contains(|c: char| c.is_ascii_lowercase());
    for (model, most) in [(Model::Xl800, 40), (Model::Atari400, 8)] {
        let mut atari = typing_in(model);
        for line in listing.lines().filter(capital).take(most) {
            let number = line.split(' ').next().unwrap();
            type_line(&mut atari, line);
            let row: String = line.chars().take(38).collect();
            let letters = letters_before(&atari, row.trim_end()).unwrap();
            let entry = format!("{number} {letters}");
            assert!(wanted.contains(&entry), "{entry}: {line}");
        }
        // A slip, and the line once more.
        type_line(&mut atari, "110 K=0:IF PEEK(746)<255 THEN 150");
        let slip = letters_before(&atari, "110 K=0:IF PEEK(746)").unwrap();
        assert!(!wanted.contains(&format!("110 {slip}")));
        type_line(&mut atari, "110 K=0:IF PEEK(764)<255 THEN 150");
        let right = letters_before(&atari, "110 K=0:IF PEEK(764)").unwrap();
        assert!(wanted.contains(&format!("110 {right}")));
    }
}

#[test]
fn only_lines_that_basic_stores_get_letters() {
    let mut atari = typing_in(Model::Xl800);
    // Of the line as LIST shows it: 10 PRINT "HI":PLOT 1,2
    type_line(&mut atari, "10 PR.\"HI\":PL.1,2");
    let short = letters_before(&atari, "10 PR.\"HI\"").unwrap();
    type_line(&mut atari, "10 PRINT \"HI\":PLOT 1,2");
    assert_eq!(letters_before(&atari, "10 PRINT"), Some(short));
    for (line, start) in [
        ("20 PRIMT", "20 PRIMT"),
        ("30", "30"),
        ("PRINT 5", "PRINT 5"),
    ] {
        type_line(&mut atari, line);
        assert_eq!(letters_before(&atari, start), None, "{line}");
    }
    assert!(atari.text().contains("ERROR-"), "{}", atari.text());
    // What a program asks for is no line, though it looks like one.
    for line in ["NEW", "5 DIM X$(20)", "10 INPUT X$", "20 PRINT X$", "RUN"] {
        type_line(&mut atari, line);
    }
    type_line(&mut atari, "10 PLAYERS");
    let text = atari.text();
    assert!(text.contains("\n  10 PLAYERS\n"), "{text}");
    // After RESET, with the program still there.
    atari.machine.reset();
    assert!(atari.wait_for_text("READY", 600) && atari.wait_for_key(600));
    type_line(&mut atari, "10 INPUT X$");
    let wanted = letters_before(&atari, "10 INPUT");
    assert!(wanted.is_some(), "{}", atari.text());
    type_line(&mut atari, "LIST");
    assert!(atari.text().contains("20 PRINT X$"), "{}", atari.text());
}
