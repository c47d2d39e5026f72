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
