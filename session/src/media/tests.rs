use super::*;
use crate::timeline::Limits;
use crate::{Kind, Outcome, Program, Session, Setup};
use media::atr::{Blank, Disk};
use std::collections::BTreeMap;

/// A host whose files are in memory.
#[derive(Default)]
struct Host {
    files: BTreeMap<MediumId, Vec<u8>>,
    kept: BTreeMap<CopyId, Vec<u8>>,
    undone: Vec<Vec<u8>>,
    /// Answers nothing good.
    full: bool,
}

fn disk(first: u8) -> Disk {
    let mut disk = Disk::blank(Blank::Single);
    disk.write_sector(4, &[first]);
    Disk::parse(&disk.to_bytes()).unwrap()
}

impl Host {
    fn mount(&mut self, id: u32, disk: Disk) -> Mount<Disk> {
        let id = MediumId(id);
        self.files.insert(id, disk.to_bytes());
        let name = format!("disk{}.atr", id.0);
        Mount {
            file: MediumFile { id, name },
            medium: disk,
        }
    }

    fn serve(&mut self, session: &mut Session) {
        for request in session.requests() {
            let answer = self.answer(request.ask);
            session.answer(request.id, answer);
        }
    }

    fn save(&mut self, session: &mut Session) {
        for _ in 0..3 {
            session.flush();
            self.serve(session);
        }
    }

    fn answer(&mut self, ask: Ask) -> Result<Answer, Refused> {
        match ask {
            _ if self.full => return Err(Refused::Failed),
            Ask::Store {
                medium,
                bytes,
                expected,
                undo,
            } => {
                let file = self.files.get_mut(&medium).unwrap();
                if Identity::of(file) != expected {
                    return Err(Refused::Changed);
                }
                let old = std::mem::replace(file, bytes);
                if undo {
                    self.undone.push(old);
                }
            }
            Ask::Keep {
                copy, bytes, undo, ..
            } => {
                let old = self.kept.insert(copy, bytes);
                self.undone.extend(old.filter(|_| undo));
            }
            Ask::Folder(_) | Ask::Print(_) => {}
        }
        Ok(Answer::Done)
    }

    fn first(&self, id: u32) -> u8 {
        sector(&self.files[&MediumId(id)])
    }
}

/// The byte that the tests write: the first of sector 4.
fn sector(file: &[u8]) -> u8 {
    file[16 + 3 * 128]
}

/// A program in the machine writes to the disk in a drive.
fn write(session: &mut Session, drive: usize, byte: u8) {
    run(session);
    session.program_writes(drive, 4, &[byte]);
}

fn run(session: &mut Session) {
    assert!(matches!(session.run_frame(), Outcome::Done));
}

fn session(disks: Vec<Mount<Disk>>) -> Session {
    let setup = Setup {
        disks,
        ..Setup::default()
    };
    let mut session = Session::new(setup).unwrap();
    session.remember(Limits::default());
    session
}

/// A host, and a session with its disk 0 in D1:.
fn one() -> (Host, Session) {
    let mut host = Host::default();
    let mount = host.mount(0, disk(1));
    (host, session(vec![mount]))
}

fn shown(session: &Session) -> Vec<String> {
    let copies = session.copies().into_iter().filter(|copy| copy.shown);
    copies
        .map(|copy| format!("{} {}", copy.place, copy.name))
        .collect()
}

#[test]
fn a_disk_of_this_session_is_written_back_also_after_going_back() {
    let (mut host, mut session) = one();
    write(&mut session, 0, 2);
    let past = session.moment();
    write(&mut session, 0, 3);
    host.save(&mut session);
    assert_eq!(host.first(0), 3);
    // Looking touches nothing.
    assert!(session.go_to(past));
    host.save(&mut session);
    assert_eq!(host.first(0), 3);
    run(&mut session);
    host.save(&mut session);
    assert_eq!((host.first(0), shown(&session).len()), (2, 0));
    assert_eq!(sector(&host.undone[0]), 3);
    write(&mut session, 0, 4);
    host.save(&mut session);
    assert_eq!(host.first(0), 4);
}

#[test]
fn what_was_written_just_before_going_back_is_stored_first() {
    let (mut host, mut session) = one();
    let past = session.moment();
    write(&mut session, 0, 2);
    assert!(session.go_to(past));
    host.serve(&mut session);
    assert_eq!(host.first(0), 2);
    run(&mut session);
    host.save(&mut session);
    assert_eq!((host.first(0), sector(&host.undone[0])), (1, 2));
}

#[test]
fn an_older_state_of_another_session_is_a_copy_and_the_file_stays() {
    let old = {
        let (_, mut session) = one();
        session.save_state()
    };
    let (mut host, mut session) = one();
    write(&mut session, 0, 2);
    host.save(&mut session);
    session.load_state(&old).unwrap();
    host.save(&mut session);
    assert!(shown(&session).is_empty());
    write(&mut session, 0, 3);
    assert_eq!(shown(&session), ["D1: disk0.atr"]);
    host.save(&mut session);
    assert_eq!(host.first(0), 2);
    assert_eq!(sector(host.kept.values().next().unwrap()), 3);
}

#[test]
fn a_file_that_another_program_changed_stays_when_an_equal_foreign_state_comes() {
    let (_, mut other) = one();
    let state = other.save_state();
    let (mut host, mut session) = one();
    host.files.insert(MediumId(0), disk(99).to_bytes());
    session.load_state(&state).unwrap();
    write(&mut session, 0, 5);
    host.save(&mut session);
    assert_eq!((host.first(0), shown(&session).len()), (99, 1));
    assert_eq!(sector(host.kept.values().next().unwrap()), 5);
}

#[test]
fn an_empty_drive_of_a_foreign_state_is_empty_and_the_file_comes_back() {
    let empty = session(Vec::new()).save_state();
    let (mut host, mut session) = one();
    write(&mut session, 0, 2);
    let own = session.save_state();
    session.load_state(&empty).unwrap();
    run(&mut session);
    host.save(&mut session);
    assert!(session.bytes_at(Place::Drive(0)).is_none());
    assert_eq!((host.first(0), session.unsaved().len()), (2, 0));
    session.load_state(&own).unwrap();
    write(&mut session, 0, 6);
    host.save(&mut session);
    assert_eq!((host.first(0), session.copies().len()), (6, 0));
}

#[test]
fn a_state_whose_disk_equals_the_file_stays_attached() {
    let (_, mut other) = one();
    let state = other.save_state();
    let (mut host, mut session) = one();
    session.load_state(&state).unwrap();
    write(&mut session, 0, 7);
    host.save(&mut session);
    assert_eq!((host.first(0), session.copies().len()), (7, 0));
}

#[test]
fn a_state_with_another_disk_is_a_copy() {
    let mut host = Host::default();
    let other = host.mount(9, disk(9));
    let state = session(vec![other]).save_state();
    let (mut host, mut session) = one();
    session.load_state(&state).unwrap();
    write(&mut session, 0, 8);
    host.save(&mut session);
    assert_eq!((host.first(0), shown(&session).len()), (1, 1));
    // The first disk again, by a state of this session: its file is attached as before.
    assert!(session.file_at(Place::Drive(0)).is_none());
}

#[test]
fn a_state_of_this_session_is_undo() {
    let (mut host, mut session) = one();
    let state = session.save_state();
    write(&mut session, 0, 2);
    host.save(&mut session);
    session.load_state(&state).unwrap();
    run(&mut session);
    host.save(&mut session);
    assert_eq!((host.first(0), sector(&host.undone[0])), (1, 2));
}

#[test]
fn going_back_before_a_swap_puts_each_disk_on_its_own_file() {
    let (mut host, mut session) = one();
    let past = session.moment();
    run(&mut session);
    let second = host.mount(1, disk(10));
    session.insert_disk(0, second);
    write(&mut session, 0, 11);
    host.save(&mut session);
    assert!(session.go_to(past));
    write(&mut session, 0, 2);
    host.save(&mut session);
    assert_eq!((host.first(0), host.first(1)), (2, 11));
}

#[test]
fn going_back_before_the_disks_were_rotated_is_undo_of_each() {
    let mut host = Host::default();
    let mounts = vec![host.mount(0, disk(1)), host.mount(1, disk(10))];
    let mut session = session(mounts);
    let past = session.moment();
    run(&mut session);
    assert_eq!(session.next_disk().as_deref(), Some("disk1.atr"));
    write(&mut session, 0, 11);
    host.save(&mut session);
    assert!(session.go_to(past));
    write(&mut session, 0, 2);
    host.save(&mut session);
    assert_eq!((host.first(0), host.first(1)), (2, 10));
    assert_eq!(host.undone.len(), 1);
}

#[test]
fn a_disk_taken_out_has_its_writes_in_its_file() {
    let mut host = Host::default();
    let mounts = vec![host.mount(0, disk(1)), host.mount(1, disk(2))];
    let mut session = session(mounts);
    let past = session.moment();
    write(&mut session, 0, 3);
    assert!(session.eject_disk(0));
    assert!(!session.eject_disk(0), "the drive is empty");
    host.serve(&mut session);
    assert_eq!((host.first(0), session.unsaved().len()), (3, 0));
    assert!(session.file_at(Place::Drive(0)).is_none());
    assert!(session.bytes_at(Place::Drive(1)).is_some());
    // Before that it was in the drive.
    assert!(session.go_to(past));
    write(&mut session, 0, 4);
    host.save(&mut session);
    assert_eq!((host.first(0), sector(&host.undone[0])), (4, 3));
}

#[test]
fn a_drive_that_was_empty_is_empty_again_and_the_file_comes_back() {
    let (mut host, mut session) = one();
    let first = session.moment();
    run(&mut session);
    session.eject_disk(0);
    let empty = session.moment();
    run(&mut session);
    let again = host.mount(0, disk(1));
    session.insert_disk(0, again);
    write(&mut session, 0, 2);
    assert!(session.go_to(empty));
    run(&mut session);
    host.save(&mut session);
    assert!(session.bytes_at(Place::Drive(0)).is_none());
    assert_eq!((host.first(0), session.unsaved().len()), (2, 0));
    // A moment before has the disk.
    assert!(session.go_to(first));
    write(&mut session, 0, 5);
    host.save(&mut session);
    assert_eq!((host.first(0), session.copies().len()), (5, 0));
}

#[test]
fn a_copy_taken_out_is_kept() {
    let (mut host, mut session) = one();
    host.files.insert(MediumId(0), disk(99).to_bytes());
    write(&mut session, 0, 2);
    host.save(&mut session);
    write(&mut session, 0, 3);
    assert!(session.eject_disk(0));
    host.save(&mut session);
    assert_eq!((host.first(0), shown(&session).len()), (99, 0));
    assert_eq!(sector(host.kept.values().next().unwrap()), 3);
}

#[test]
fn a_disk_taken_out_while_the_host_cannot_write_is_named_until_it_is_kept() {
    let (mut host, mut session) = one();
    host.full = true;
    write(&mut session, 0, 2);
    assert!(session.eject_disk(0));
    host.save(&mut session);
    assert_eq!(session.unsaved(), ["disk0.atr"]);
    host.full = false;
    host.save(&mut session);
    assert_eq!((host.first(0), session.unsaved().len()), (1, 0));
    assert_eq!(sector(host.kept.values().next().unwrap()), 2);
}

#[test]
fn a_file_that_another_program_changed_is_left_alone() {
    let (mut host, mut session) = one();
    host.files.insert(MediumId(0), disk(99).to_bytes());
    write(&mut session, 0, 2);
    host.save(&mut session);
    assert_eq!(host.first(0), 99);
    assert_eq!(shown(&session), ["D1: disk0.atr"]);
    assert_eq!(sector(host.kept.values().next().unwrap()), 2);
    write(&mut session, 0, 3);
    host.save(&mut session);
    assert_eq!((host.first(0), host.kept.len()), (99, 1));
    assert_eq!(sector(host.kept.values().next().unwrap()), 3);
}

#[test]
fn what_the_host_cannot_write_is_asked_again_and_named_until_then() {
    let (mut host, mut session) = one();
    host.full = true;
    write(&mut session, 0, 2);
    host.save(&mut session);
    assert_eq!(session.unsaved(), ["disk0.atr"]);
    host.full = false;
    host.save(&mut session);
    assert_eq!((host.first(0), session.unsaved().len()), (2, 0));
}

#[test]
fn a_copy_that_becomes_a_file_is_written_back_to_it() {
    let mut host = Host::default();
    let other = host.mount(9, disk(9));
    let state = session(vec![other]).save_state();
    let (mut host, mut session) = one();
    session.load_state(&state).unwrap();
    write(&mut session, 0, 8);
    let copy = session.copies()[0].clone();
    let bytes = session.bytes_at(copy.place).unwrap();
    let id = MediumId(5);
    host.files.insert(id, bytes.clone());
    let name = "new.atr".to_owned();
    session.attach(copy.id, MediumFile { id, name }, &bytes);
    write(&mut session, 0, 12);
    host.save(&mut session);
    assert_eq!((host.first(5), host.kept.len()), (12, 0));
}

/// A copy in D1: with a number written to it, and kept by the host.
fn copied() -> (Host, Session) {
    let (mut host, mut session) = one();
    host.files.insert(MediumId(0), disk(99).to_bytes());
    write(&mut session, 0, 2);
    host.save(&mut session);
    assert_eq!(shown(&session), ["D1: disk0.atr"]);
    (host, session)
}

#[test]
fn a_copy_stored_while_the_past_is_looked_at_is_the_present_one() {
    let (mut host, mut session) = copied();
    let past = session.moment();
    write(&mut session, 0, 3);
    host.save(&mut session);
    let newest = session.moment();
    assert!(session.go_to(past));
    let copy = session.copies()[0].clone();
    let bytes = session.bytes_at(copy.place).unwrap();
    assert_eq!(sector(&bytes), 3);
    let (id, name) = (MediumId(5), "new.atr".to_owned());
    host.files.insert(id, bytes.clone());
    session.attach(copy.id, MediumFile { id, name }, &bytes);
    // The present drive has the file; that moment had the copy.
    assert!(session.go_to(newest));
    write(&mut session, 0, 4);
    host.save(&mut session);
    assert_eq!(host.first(5), 4);
    assert!(session.go_to(past));
    write(&mut session, 0, 6);
    host.save(&mut session);
    assert_eq!((host.first(5), shown(&session).len()), (4, 1));
    assert!(host.kept.values().any(|kept| sector(kept) == 6));
}

#[test]
fn a_moment_before_a_copy_was_stored_has_the_copy() {
    let (mut host, mut session) = copied();
    let copy = session.copies()[0].clone();
    let bytes = session.bytes_at(copy.place).unwrap();
    host.kept.clear();
    let (id, name) = (MediumId(5), "new.atr".to_owned());
    host.files.insert(id, bytes.clone());
    let past = session.moment();
    run(&mut session);
    session.attach(copy.id, MediumFile { id, name }, &bytes);
    write(&mut session, 0, 4);
    host.save(&mut session);
    assert!(session.go_to(past));
    run(&mut session);
    host.save(&mut session);
    assert_eq!(host.first(5), 4);
    assert_eq!(sector(host.kept.values().next().unwrap()), 2);
}

#[test]
fn a_tape_that_is_not_recorded_is_told_once_a_save_and_record_takes_it() {
    let mut host = Host::default();
    let mut session = Session::new(Setup::default()).unwrap();
    session.remember(Limits::default());
    let save = |session: &mut Session| {
        session.type_text("10 REM\nCSAVE\n{wait 60}\n").unwrap();
        let mut told = 0;
        for _ in 0..2600 {
            run(session);
            told += u32::from(session.missed_recording());
        }
        told
    };
    assert_eq!(save(&mut session), 1, "no tape");
    let (id, name) = (MediumId(0), "tape.cas".to_owned());
    let medium = Tape::parse(&Tape::default().to_bytes()).unwrap();
    host.files.insert(id, medium.to_bytes());
    let file = MediumFile { id, name };
    session.insert_tape(Mount { file, medium });
    assert_eq!(save(&mut session), 1, "RECORD is not pressed");
    assert_eq!(session.machine().tape_position(), (0, 0));
    session.press_record(true);
    assert_eq!(save(&mut session), 0);
    host.save(&mut session);
    let blocks = |host: &Host| Tape::parse(&host.files[&id]).unwrap().blocks.len();
    let first = blocks(&host);
    assert!(first > 1);
    // Another file after it, and one in its place.
    assert_eq!(save(&mut session), 0);
    host.save(&mut session);
    assert_eq!(blocks(&host), 2 * first);
    session.wind_tape(0);
    assert_eq!(save(&mut session), 0);
    assert!(session.eject_tape() && !session.eject_tape());
    host.save(&mut session);
    assert_eq!((blocks(&host), session.unsaved().len()), (first, 0));
}

#[test]
fn a_copy_stored_at_a_moment_with_another_disk_is_still_that_copy() {
    let (mut host, mut session) = copied();
    let other = host.mount(1, disk(10));
    let copy = session.copies()[0].clone();
    session.insert_disk(0, other);
    let past = session.moment();
    run(&mut session);
    let kept = Disk::parse(&host.kept[&copy.id]).unwrap();
    session.insert_copy(0, kept, "disk0.atr".to_owned(), copy.of);
    write(&mut session, 0, 3);
    assert!(session.go_to(past));
    let copy = session.copies()[0].clone();
    assert_eq!(sector(&session.bytes_at(copy.place).unwrap()), 3);
}

#[test]
fn what_was_written_after_a_request_without_an_answer_is_not_lost_by_going_back() {
    for (done, stays) in [(true, 2), (false, 1)] {
        let (mut host, mut session) = one();
        let past = session.moment();
        write(&mut session, 0, 2);
        session.flush();
        let asked = session.requests();
        write(&mut session, 0, 3);
        assert!(session.go_to(past));
        run(&mut session);
        for request in asked {
            let answer = if done {
                host.answer(request.ask)
            } else {
                Err(Refused::Failed)
            };
            session.answer(request.id, answer);
        }
        assert_eq!(host.first(0), stays);
        host.save(&mut session);
        assert_eq!(host.first(0), 1);
        let kept: Vec<u8> = host.kept.values().map(|kept| sector(kept)).collect();
        assert!(kept.contains(&3), "{kept:?}");
        let undone = host.undone.iter().chain(host.kept.values());
        assert!(undone.map(|kept| sector(kept)).any(|kept| kept == 2));
    }
}

#[test]
fn a_disk_taken_out_before_the_host_has_answered_is_kept_with_all_that_was_written() {
    let (mut host, mut session) = one();
    write(&mut session, 0, 2);
    session.flush();
    let asked = session.requests();
    write(&mut session, 0, 3);
    assert!(session.eject_disk(0));
    for request in asked {
        let answer = host.answer(request.ask);
        session.answer(request.id, answer);
    }
    host.save(&mut session);
    assert_eq!((host.first(0), session.unsaved().len()), (2, 0));
    assert_eq!(sector(host.kept.values().next().unwrap()), 3);
}

#[test]
fn what_the_host_could_not_store_is_not_lost_by_starting_another_program() {
    let (mut host, mut session) = one();
    host.full = true;
    write(&mut session, 0, 2);
    host.save(&mut session);
    session.start(Program::default()).unwrap();
    host.save(&mut session);
    assert_eq!(session.unsaved(), ["disk0.atr"]);
    host.full = false;
    host.save(&mut session);
    assert_eq!((host.first(0), session.unsaved().len()), (2, 0));
}

#[test]
fn copies_of_two_programs_are_kept_apart() {
    let program = |byte| Program {
        kind: Kind::Disk(disk(byte)),
        ..Program::default()
    };
    let mut host = Host::default();
    let mut session = Session::new(Setup::for_program(program(1))).unwrap();
    write(&mut session, 0, 2);
    host.save(&mut session);
    session.start(program(3)).unwrap();
    write(&mut session, 0, 4);
    host.save(&mut session);
    let kept: Vec<u8> = host.kept.values().map(|kept| sector(kept)).collect();
    assert_eq!(kept, [2, 4]);
}

#[test]
fn a_program_started_while_the_past_is_looked_at_has_the_present_disks() {
    let (mut host, mut session) = one();
    let past = session.moment();
    write(&mut session, 0, 2);
    host.save(&mut session);
    assert!(session.go_to(past));
    session.start(Program::default()).unwrap();
    write(&mut session, 0, 3);
    host.save(&mut session);
    assert_eq!((host.first(0), session.copies().len()), (3, 0));
}

#[test]
fn a_state_as_program_brings_its_own_disks_as_copies() {
    let (_, mut other) = one();
    write(&mut other, 0, 6);
    let state = other.save_state();
    let mut host = Host::default();
    let mount = host.mount(0, disk(1));
    let setup = Setup {
        disks: vec![mount],
        ..Setup::for_program(Program {
            kind: Kind::State(state),
            ..Program::default()
        })
    };
    let mut session = Session::new(setup).unwrap();
    write(&mut session, 0, 7);
    host.save(&mut session);
    assert_eq!((host.first(0), shown(&session).len()), (1, 1));
}

#[test]
fn a_state_saved_while_the_past_was_only_looked_at_has_the_disks_of_that_past() {
    let mut host = Host::default();
    let mounts = vec![host.mount(0, disk(1)), host.mount(1, disk(2))];
    let mut session = session(mounts);
    let past = session.moment();
    run(&mut session);
    session.next_disk();
    assert!(session.go_to(past));
    let state = session.save_state();
    run(&mut session);
    session.load_state(&state).unwrap();
    write(&mut session, 0, 7);
    host.save(&mut session);
    assert_eq!((host.first(0), host.first(1)), (7, 2));
}

#[test]
fn of_two_equal_disks_in_a_foreign_state_the_one_in_its_own_drive_is_attached() {
    let mut other = Host::default();
    let mounts = vec![other.mount(0, disk(2)), other.mount(1, disk(2))];
    let state = self::session(mounts).save_state();
    let mut host = Host::default();
    let mounts = vec![host.mount(0, disk(1)), host.mount(1, disk(2))];
    let mut session = session(mounts);
    session.load_state(&state).unwrap();
    write(&mut session, 0, 7);
    write(&mut session, 1, 8);
    host.save(&mut session);
    assert_eq!((host.first(0), host.first(1)), (1, 8));
    assert_eq!(shown(&session), ["D1: disk0.atr"]);
}

#[test]
fn what_was_undone_is_kept_also_when_another_program_has_changed_the_file() {
    let (mut host, mut session) = one();
    host.files.insert(MediumId(0), disk(9).to_bytes());
    host.full = true;
    let past = session.moment();
    write(&mut session, 0, 2);
    host.save(&mut session);
    assert!(session.go_to(past));
    host.full = false;
    run(&mut session);
    host.save(&mut session);
    assert_eq!(host.first(0), 9);
    assert!(host.kept.values().any(|file| sector(file) == 2));
}

#[test]
fn a_tape_follows_the_same_rules() {
    let tape = |byte: u8| {
        let (gap, baud, bytes) = (100, 600, vec![0x55, 0x55, 0xFC, byte]);
        let blocks = vec![media::cas::Block::Data { gap, baud, bytes }];
        Tape::parse(
            &Tape {
                blocks,
                ..Tape::default()
            }
            .to_bytes(),
        )
        .unwrap()
    };
    let id = MediumId(0);
    let name = "tape.cas".to_owned();
    let mount = |byte| Mount {
        file: MediumFile {
            id,
            name: name.clone(),
        },
        medium: tape(byte),
    };
    let session = |byte| {
        let setup = Setup {
            tape: Some(mount(byte)),
            ..Setup::default()
        };
        Session::new(setup).unwrap()
    };
    let state = session(1).save_state();
    let mut host = Host::default();
    host.files.insert(id, tape(2).to_bytes());
    let mut session = session(2);
    session.load_state(&state).unwrap();
    run(&mut session);
    host.save(&mut session);
    assert_eq!(shown(&session), ["C: tape.cas"]);
    assert_eq!(host.files[&id], tape(2).to_bytes());
}

#[test]
fn a_flash_cartridge_follows_the_same_rules() {
    let cartridge = |first: u8| {
        // A cartridge that the OS starts: it copies a routine to $0600 that programs byte 0 of bank 6 to $42, and loops.
        let mut rom = vec![0xFF; 0x2_0000];
        let mut code = Vec::new();
        for (bank, address, data) in [
            (2u8, 0xB555u16, 0xAA),
            (1, 0xAAAA, 0x55),
            (2, 0xB555, 0xA0),
            (6, 0xA000, 0x42),
        ] {
            let [low, high] = address.to_le_bytes();
            code.extend([0x8D, bank, 0xD5, 0xA9, data, 0x8D, low, high]);
        }
        let length = code.len() as u8 + 3;
        code.extend([0x4C, length - 3, 0x06]);
        rom[..14].copy_from_slice(&[
            0xA2, length, 0xBD, 0x0F, 0xA0, 0x9D, 0xFF, 0x05, 0xCA, 0xD0, 0xF7, 0x4C, 0x00, 0x06,
        ]);
        rom[0x10..0x10 + code.len()].copy_from_slice(&code);
        rom[0x1FFA..0x2000].copy_from_slice(&[0x00, 0xA0, 0x00, 0x04, 0x00, 0xA0]);
        rom[0xC001] = first;
        media::cartridge::Cartridge::from_rom_of_type(&rom, 41).unwrap()
    };
    let car = |first: u8, byte: u8| {
        let mut cartridge = cartridge(first);
        cartridge.rom[0xC000] = byte;
        cartridge.to_car().unwrap()
    };
    let id = MediumId(0);
    let name = "flash.car".to_owned();
    let session = |first: u8| {
        let setup = Setup {
            cartridge: Some(cartridge(first)),
            cartridge_file: Some(MediumFile {
                id,
                name: name.clone(),
            }),
            ..Setup::default()
        };
        Session::new(setup).unwrap()
    };
    let mut host = Host::default();
    host.files.insert(id, car(1, 0xFF));
    let mut own = session(1);
    own.remember(Limits::default());
    run(&mut own);
    let past = own.moment();
    host.save(&mut own);
    assert_eq!(host.files[&id], car(1, 0xFF));
    for _ in 0..60 {
        run(&mut own);
    }
    assert_eq!(own.unsaved(), ["flash.car"]);
    host.save(&mut own);
    assert_eq!(host.files[&id], car(1, 0x42), "written back");
    assert!(own.unsaved().is_empty());
    let state = own.save_state();
    // Undo.
    assert!(own.go_to(past));
    run(&mut own);
    host.save(&mut own);
    assert_eq!(host.files[&id], car(1, 0xFF));
    assert_eq!(host.undone, [car(1, 0x42)]);
    // A state of another session: the file stays as it is, and the slot has a copy.
    host.files.insert(id, car(2, 0xFF));
    let mut other = session(2);
    other.load_state(&state).unwrap();
    run(&mut other);
    host.save(&mut other);
    assert_eq!(shown(&other), ["the cartridge flash.car"]);
    assert_eq!(host.files[&id], car(2, 0xFF));
}

#[test]
fn what_is_printed_while_the_printer_is_off_is_told_once_and_held_until_it_is_on() {
    let mut session = Session::new(Setup::default()).unwrap();
    let mut told = 0;
    let mut paper = String::new();
    let mut print = |session: &mut Session, line: &str| {
        session.type_text(&format!("LPRINT {line}\\n")).unwrap();
        for _ in 0..400 {
            run(session);
        }
        session.flush();
        told += u32::from(session.missed_print());
        for request in session.requests() {
            if let Ask::Print(printed) = request.ask {
                paper += &printed.text;
            }
            session.answer(request.id, Ok(Answer::Done));
        }
        (told, paper.clone())
    };
    assert_eq!(print(&mut session, "1"), (1, String::new()));
    assert_eq!(print(&mut session, "2"), (1, String::new()));
    session.set_printer(Some(Columns::Forty));
    assert_eq!(print(&mut session, "3"), (1, "1\n2\n3\n".to_owned()));
    session.set_printer(None);
    let (told, paper) = print(&mut session, "4");
    assert_eq!((told, paper.as_str()), (2, "1\n2\n3\n"));
}

#[test]
fn what_was_printed_is_not_printed_again() {
    let setup = Setup {
        printer: Some(Columns::Forty),
        ..Setup::default()
    };
    let mut session = Session::new(setup).unwrap();
    session.remember(Limits::default());
    session.type_text("LPRINT 1\\n").unwrap();
    let mut past = Vec::new();
    for _ in 0..600 {
        past.push(session.moment());
        run(&mut session);
    }
    // Every moment of it, one of which has the text on its way.
    let mut printed = Vec::new();
    for past in past.iter().rev() {
        assert!(session.go_to(*past));
        session.flush();
        for request in session.requests() {
            if let Ask::Print(paper) = request.ask {
                printed.extend(paper.text.into_bytes());
            }
            session.answer(request.id, Ok(Answer::Done));
        }
    }
    assert_eq!(printed, b"1\n");
}

mod losses;
