use super::*;
use std::fs;
use std::io::{Cursor, Write};
use std::time::{Duration, Instant};
use zip::write::{SimpleFileOptions, ZipWriter};

const XEX: [u8; 7] = [0xFF, 0xFF, 0, 0x20, 0, 0x20, 0x60];

/// Number of titles in files.
fn in_files(library: &Library) -> usize {
    library.titles.iter().filter(|t| !t.is_built_in()).count()
}

fn library(folder: &Path) -> Library {
    Library::new(folder.join("marks/library.toml"))
}

/// Looks through folders until the end, within a generous time.
fn look(library: &mut Library, folders: &[PathBuf]) {
    library.look(folders);
    let began = Instant::now();
    while library.is_looking() {
        library.poll();
        assert!(began.elapsed() < Duration::from_secs(300));
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Names of rows.
fn names(library: &Library, filter: Filter, search: &str) -> Vec<String> {
    let name = |row: &Row| match row {
        Row::Title(n) => library.title(*n).unwrap().name.clone(),
        Row::Heading(text) => format!("[{text}]"),
        Row::Folder(n) => library.folders()[*n].display().to_string(),
        Row::Add => "+".to_owned(),
    };
    library.rows(filter, search).iter().map(name).collect()
}

#[test]
fn folders_archives_and_our_own_games_are_one_list_in_natural_order() {
    let top = tempfile::tempdir().unwrap();
    let folder = top.path().join("games");
    fs::create_dir_all(folder.join("deep/er")).unwrap();
    for name in [
        "Game 10.xex",
        "game 9.xex",
        "deep/er/Alpha.xex",
        ".hidden.xex",
    ] {
        fs::write(folder.join(name), XEX).unwrap();
    }
    fs::write(folder.join("notes.pdf"), "%PDF").unwrap();
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in [("b/Zeta.xex", &XEX[..]), ("readme.txt", b"Hello\n")] {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    let zip = zip.finish().unwrap().into_inner();
    fs::write(folder.join("two.zip"), &zip).unwrap();
    fs::write(folder.join("cut.zip"), &zip[..60]).unwrap();
    let mut library = library(top.path());
    look(&mut library, std::slice::from_ref(&folder));
    let all = names(&library, Filter::All, "");
    assert_eq!(all[..2], ["[Our own]", "Crazy Eights"]);
    let yours = all.iter().position(|name| name == "[Yours]").unwrap();
    assert_eq!(
        all[yours + 1..yours + 5],
        ["Alpha", "game 9", "Game 10", "Zeta"]
    );
    assert_eq!(all.last().unwrap(), "+");
    assert_eq!(names(&library, Filter::All, "  GAME 1 prog"), ["Game 10"]);
    assert_eq!(
        names(&library, Filter::All, "two.zip b"),
        Vec::<String>::new()
    );
    assert_eq!(names(&library, Filter::All, "zeta b"), ["Zeta"]);
    // The path into the archive can be opened.
    let [Row::Title(zeta)] = library.rows(Filter::All, "zeta")[..] else {
        panic!("one title");
    };
    let Source::File(path) = &library.title(zeta).unwrap().source else {
        panic!("a file");
    };
    assert_eq!(crate::packed::open(path).unwrap().bytes, XEX);
    assert!(library.faults().is_empty());
}

#[test]
fn what_was_played_comes_first_and_stays_from_one_session_to_the_next() {
    let top = tempfile::tempdir().unwrap();
    let dropped = top.path().join("Dropped.xex");
    fs::write(&dropped, XEX).unwrap();
    let mut first = library(top.path());
    let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    first.played(&Source::BuiltIn("hexapawn"), at(100));
    first.played(&Source::File(dropped.clone()), at(200));
    first.favour(&Source::BuiltIn("gammon"));
    first.favour(&Source::BuiltIn("basic"));
    first.favour(&Source::BuiltIn("basic"));
    first.save().unwrap();
    let mut later = library(top.path());
    look(&mut later, &[]);
    for library in [&first, &later] {
        assert_eq!(names(library, Filter::Recent, ""), ["Dropped", "Hexapawn"]);
        assert_eq!(names(library, Filter::Favourites, ""), ["Computer Gammon"]);
        let all = names(library, Filter::All, "");
        assert_eq!(all[..3], ["[Recent]", "Dropped", "Hexapawn"]);
    }
    assert_eq!(later.mark(&Source::File(dropped.clone())).played, Some(200));
    // A file that has gone is not shown; it comes back with its file.
    fs::remove_file(&dropped).unwrap();
    look(&mut later, &[]);
    assert_eq!(names(&later, Filter::Recent, ""), ["Hexapawn"]);
    fs::write(&dropped, XEX).unwrap();
    look(&mut later, &[]);
    assert_eq!(names(&later, Filter::Recent, ""), ["Dropped", "Hexapawn"]);
}

#[cfg(unix)]
#[test]
fn circles_pipes_folders_that_cannot_be_read_and_folders_that_have_gone() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let top = tempfile::tempdir().unwrap();
    let folder = top.path().join("games");
    fs::create_dir_all(folder.join("a/b")).unwrap();
    fs::create_dir(folder.join("locked")).unwrap();
    symlink("..", folder.join("a/b/up")).unwrap();
    symlink(&folder, folder.join("a/again")).unwrap();
    symlink("self", folder.join("self")).unwrap();
    fs::write(folder.join("a/b/One.xex"), XEX).unwrap();
    fs::write(folder.join("secret.xex"), XEX).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        folder.join("pipe.xex"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    let mode = |name: &str, mode| {
        fs::set_permissions(folder.join(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    mode("locked", 0o000);
    mode("secret.xex", 0o000);
    let root = fs::read_dir(folder.join("locked")).is_ok();
    let mut library = library(top.path());
    let gone = top.path().join("gone");
    look(
        &mut library,
        &[folder.clone(), gone.clone(), folder.join("a")],
    );
    mode("locked", 0o755);
    let files = 1 + usize::from(root);
    assert_eq!(
        in_files(&library),
        files,
        "{:?}",
        names(&library, Filter::All, "")
    );
    let faults = library.faults();
    assert_eq!(faults.len(), 1 + usize::from(!root), "{faults:?}");
    assert!(
        faults.iter().any(|fault| fault.contains("gone")),
        "{faults:?}"
    );
    // The folder disappears before the next look.
    fs::remove_dir_all(&folder).unwrap();
    look(&mut library, std::slice::from_ref(&folder));
    assert_eq!(in_files(&library), 0);
    assert!(library.faults()[0].contains("games"));
    assert!(library.rows(Filter::All, "").contains(&Row::Folder(0)));
}

#[test]
fn a_look_that_nobody_waits_for_ends_with_its_library() {
    let top = tempfile::tempdir().unwrap();
    for n in 0..500 {
        fs::write(top.path().join(format!("{n}.xex")), XEX).unwrap();
    }
    let mut all = library(top.path());
    for _ in 0..3 {
        all.look(&[top.path().to_owned()]);
    }
    look(&mut all, &[top.path().to_owned()]);
    assert_eq!(in_files(&all), 500);
}

/// 10,000 files of all kinds, some in archives and some no programs. Measured on two cores: see the page of the manual.
#[test]
fn ten_thousand_files_are_looked_through_in_twenty_seconds() {
    let top = tempfile::tempdir().unwrap();
    let folder = top.path().join("games");
    let disk = media::atr::Disk::blank(media::atr::Blank::Single).to_bytes();
    for n in 0..10_000 {
        let within = folder.join((n / 250).to_string());
        fs::create_dir_all(&within).unwrap();
        let (name, bytes) = match n % 5 {
            0 => ("atr", &disk[..]),
            1 => ("jpg", &disk[100..]),
            2 => ("lst", &b"10 PRINT \"HELLO\"\n"[..]),
            _ => ("xex", &XEX[..]),
        };
        fs::write(within.join(format!("Title {n}.{name}")), bytes).unwrap();
    }
    let mut library = library(top.path());
    let began = Instant::now();
    look(&mut library, &[folder]);
    let took = began.elapsed();
    println!("10,000 files took {took:?}");
    assert_eq!((library.looked(), in_files(&library)), (10_000, 8000));
    assert!(took < Duration::from_secs(20), "{took:?}");
    let began = Instant::now();
    assert_eq!(names(&library, Filter::All, "title 9999"), ["Title 9999"]);
    println!("a search took {:?}", began.elapsed());
    let before: Vec<_> = names(&library, Filter::All, "");
    let at = before.iter().position(|name| name == "[Yours]").unwrap();
    assert_eq!(before[at + 1..at + 4], ["Title 0", "Title 2", "Title 3"]);
}

#[test]
fn pictures_come_by_themselves_and_are_kept_by_content() {
    let top = tempfile::tempdir().unwrap();
    let cache = top.path().join("cache");
    let path = top.path().join("hello.lst");
    fs::write(
        &path,
        b"10 GRAPHICS 3:COLOR 1:PLOT 0,0:DRAWTO 30,15\n20 GOTO 20\n",
    )
    .unwrap();
    let source = Source::File(path.clone());
    let wait = |portraits: &Portraits, source: &Source| {
        portraits.ask(source.clone());
        let began = Instant::now();
        loop {
            match portraits.next() {
                Some((which, portrait)) if which == *source => return portrait,
                _ => std::thread::sleep(Duration::from_millis(5)),
            }
            assert!(began.elapsed() < Duration::from_secs(300));
        }
    };
    let portraits = Portraits::new(cache.clone());
    let first = wait(&portraits, &source).unwrap();
    assert_eq!(fs::read_dir(&cache).unwrap().count(), 1);
    assert_eq!(first.pixels.len(), SIZE.0 * SIZE.1);
    // The same content elsewhere has the same picture, which is not taken again.
    let copy = top.path().join("copy.lst");
    fs::rename(&path, &copy).unwrap();
    let kept = fs::read_dir(&cache).unwrap().next().unwrap().unwrap();
    let written = kept.metadata().unwrap().modified().unwrap();
    assert_eq!(wait(&portraits, &Source::File(copy)), Some(first));
    assert_eq!(kept.metadata().unwrap().modified().unwrap(), written);
    assert_eq!(wait(&portraits, &source), None, "the file has gone");
    let damaged = top.path().join("damaged.xex");
    fs::write(&damaged, [0xFF, 0xFF, 0]).unwrap();
    assert_eq!(wait(&portraits, &Source::File(damaged)), None);
}
