//! The host-folder device: H: from BASIC, answered by a folder that lives in the test.
use std::collections::BTreeMap;

use machine::host::{HostReply, HostRequest, status};
use machine::{Machine, Model, Tv, state_info};
use media::atr::Disk;
use tests::Atari;

#[derive(Default)]
struct Folder(BTreeMap<String, Vec<u8>>);

impl Folder {
    fn serve(&mut self, machine: &mut Machine) {
        let Some(request) = machine.host_request().cloned() else {
            return;
        };
        let text = |name: &[u8]| {
            String::from_utf8_lossy(name)
                .split_once(':')
                .map_or(String::new(), |n| n.1.to_owned())
        };
        let reply = match request {
            HostRequest::Open { mode: 6 | 7, .. } => HostReply {
                status: 1,
                data: self
                    .0
                    .keys()
                    .flat_map(|k| [k.as_bytes(), b"\x9B"].concat())
                    .collect(),
            },
            HostRequest::Open { name, mode } => match self.0.get(&text(&name)) {
                Some(data) => HostReply {
                    status: 1,
                    data: data.clone(),
                },
                None if mode & 4 == 0 => HostReply::status(status::OK),
                None => HostReply::status(status::NOT_FOUND),
            },
            HostRequest::Write { name, data } => {
                self.0.insert(text(&name), data);
                HostReply::status(status::OK)
            }
            HostRequest::Command { command: 33, name } => match self.0.remove(&text(&name)) {
                Some(_) => HostReply::status(status::OK),
                None => HostReply::status(status::NOT_FOUND),
            },
            HostRequest::Command { command: 32, name } => {
                let names = text(&name);
                let (old, new) = names.split_once(',').unwrap();
                match self.0.remove(old) {
                    Some(data) => {
                        self.0.insert(new.into(), data);
                        HostReply::status(status::OK)
                    }
                    None => HostReply::status(status::NOT_FOUND),
                }
            }
            HostRequest::Command { command: 13, name } => {
                let file = text(&name);
                HostReply::status(if self.0.contains_key(&file) {
                    status::OK
                } else {
                    status::NOT_FOUND
                })
            }
            HostRequest::Command { .. } => HostReply::status(status::NOT_IMPLEMENTED),
        };
        machine.answer_host(reply);
    }
}

struct Desk {
    atari: Atari,
    folder: Folder,
}

impl Desk {
    fn new(model: Model, as_disk: bool) -> Self {
        let mut atari = Atari::new(&tests::config(model, Tv::Ntsc, true));
        atari.machine.attach_host(as_disk);
        assert!(atari.wait_for_key(600), "{}", atari.text());
        Self {
            atari,
            folder: Folder::default(),
        }
    }

    /// Types a line and serves the folder until the machine waits again; the screen then.
    fn line(&mut self, text: &str) -> String {
        self.atari.type_text(&format!("{{CLEAR}}{text}\n"));
        for _ in 0..600 {
            self.folder.serve(&mut self.atari.machine);
            if self.atari.wait_for_key(1) && self.atari.machine.host_request().is_none() {
                break;
            }
        }
        self.atari.run(3);
        self.atari.text()
    }

    fn program(&mut self, lines: &[&str]) -> String {
        self.line("NEW");
        for line in lines {
            self.line(line);
        }
        self.line("RUN")
    }
}

#[test]
fn basic_writes_and_reads_files() {
    for model in [Model::Xl800, Model::Atari800] {
        let mut desk = Desk::new(model, false);
        let screen = desk.program(&[
            "10 OPEN #1,8,0,\"H:TEST.TXT\":? #1;\"HELLO\":? #1;42:CLOSE #1",
            "20 DIM A$(20):OPEN #1,4,0,\"H:TEST.TXT\":INPUT #1,A$:INPUT #1,B:CLOSE #1:? A$;B*2",
            "30 OPEN #1,9,0,\"H:TEST.TXT\":PUT #1,65:CLOSE #1",
            "40 TRAP 60:OPEN #1,4,0,\"H:TEST.TXT\"",
            "50 GET #1,A:N=N+1:GOTO 50",
            "60 ? N;\" \";PEEK(195)",
        ]);
        assert!(screen.contains("HELLO84"), "{screen}");
        assert!(screen.contains("10 136"), "{screen}");
        assert_eq!(desk.folder.0["TEST.TXT"], b"HELLO\x9B42\x9BA");
    }
}

#[test]
fn programs_are_saved_loaded_listed_and_entered() {
    for model in [Model::Xl800, Model::Atari800] {
        let mut desk = Desk::new(model, false);
        desk.program(&["10 A=5:? \"RESULT \";A*A"]);
        desk.line("SAVE \"H:PROG.BAS\"");
        desk.line("LIST \"H:PROG.LST\"");
        assert_eq!(desk.folder.0["PROG.LST"], b"10 A=5:? \"RESULT \";A*A\x9B");
        let saved = media::basic::Program::parse_save(&desk.folder.0["PROG.BAS"]).unwrap();
        assert_eq!(saved.list(), desk.folder.0["PROG.LST"]);
        desk.line("NEW");
        let screen = desk.line("RUN \"H:PROG.BAS\"");
        assert!(screen.contains("RESULT 25"), "{screen}");
        desk.line("NEW");
        desk.line("ENTER \"H:PROG.LST\"");
        let screen = desk.line("RUN");
        assert!(screen.contains("RESULT 25"), "{screen}");
    }
}

#[test]
fn files_are_renamed_deleted_pointed_into_and_missed() {
    for model in [Model::Xl800, Model::Atari800] {
        let mut desk = Desk::new(model, true);
        desk.folder
            .0
            .insert("A".into(), (0..=255).cycle().take(1000).collect());
        let screen = desk.line("OPEN #1,4,0,\"H:NONE\"");
        assert!(screen.contains("ERROR-   170"), "{screen}");
        desk.line("XIO 32,#2,0,0,\"D:A,B\"");
        assert_eq!(desk.folder.0.keys().collect::<Vec<_>>(), ["B"]);
        let screen = desk.program(&[
            "10 OPEN #1,12,0,\"D:B\":FOR I=1 TO 300:GET #1,A:NEXT I",
            "20 NOTE #1,S,B:? \"NOTE \";S;\" \";B:S=2:B=3:POINT #1,S,B:GET #1,A:? \"GOT \";A",
            "30 PUT #1,7:CLOSE #1",
        ]);
        assert!(
            screen.contains("NOTE 1 44") && screen.contains("GOT 3"),
            "{screen}"
        );
        assert_eq!(
            desk.folder.0["B"][510..520],
            [254, 255, 0, 1, 2, 3, 7, 5, 6, 7]
        );
        desk.line("XIO 33,#2,0,0,\"H:B\"");
        assert!(desk.folder.0.is_empty());
    }
}

#[test]
fn the_status_of_an_open_file_is_good() {
    for model in [Model::Xl800, Model::Atari800] {
        let mut desk = Desk::new(model, false);
        let screen = desk.program(&[
            "10 OPEN #1,8,0,\"H:S.TXT\":? #1;\"A\":STATUS #1,A:CLOSE #1",
            "20 XIO 13,#1,0,0,\"H:S.TXT\":TRAP 40",
            "30 XIO 13,#1,0,0,\"H:NO.TXT\"",
            "40 ? A;\"-\";PEEK(195)",
        ]);
        assert!(screen.contains("1-170"), "{screen}");
    }
}

#[test]
fn the_folder_survives_reset_and_a_save_state() {
    for model in [Model::Xl800, Model::Atari800] {
        let mut desk = Desk::new(model, false);
        desk.line("OPEN #1,8,0,\"H:X\"");
        desk.line("? #1;\"ONE\"");
        let state = desk.atari.machine.save_state();
        desk.atari.machine.load_state(&state).unwrap();
        desk.line("? #1;\"TWO\":CLOSE #1");
        assert_eq!(desk.folder.0["X"], b"ONE\x9BTWO\x9B");
        desk.atari.machine.reset();
        desk.atari.run(30);
        assert!(desk.atari.wait_for_key(600));
        desk.line("OPEN #1,8,0,\"H:Y\":PUT #1,1:CLOSE #1");
        assert_eq!(desk.folder.0["Y"], [1]);
    }
}

#[test]
fn without_a_host_folder_a_loaded_program_gets_an_error_and_does_not_hang() {
    for model in [Model::Xl800, Model::Atari800] {
        let mut desk = Desk::new(model, false);
        desk.line("OPEN #1,8,0,\"H:X\"");
        let state = desk.atari.machine.save_state();
        // And with a question under way that the host has not answered.
        desk.atari.type_text("OPEN #2,4,0,\"H:Y\"\n");
        while desk.atari.machine.host_request().is_none() {
            desk.atari.run(1);
        }
        let asking = desk.atari.machine.save_state();
        for state in [state, asking] {
            let mut machine = Machine::from_state(&state, &[], &[]).unwrap();
            assert!(!machine.host_connected() && state_info(&state).unwrap().host);
            machine.run_frame();
            assert_eq!(machine.host_request(), None);
            let mut atari = Atari {
                held: machine.input,
                machine,
                frames: 0,
                past: None,
            };
            assert!(atari.wait_for_key(600), "{}", atari.text());
            atari.type_text("{CLEAR}CLOSE #3:OPEN #3,4,0,\"H:Z\"\n");
            assert!(atari.wait_for_text("ERROR-   130", 600), "{}", atari.text());
            // A host that comes later is asked again.
            atari.machine.connect_host(true);
            let mut desk = Desk {
                atari,
                folder: Folder::default(),
            };
            desk.line("CLOSE #3:OPEN #3,8,0,\"H:Z\":PUT #3,7:CLOSE #3");
            assert_eq!(desk.folder.0["Z"], [7]);
        }
    }
}

/// A disk whose one sector loads to $3000, counts at $0690, and whose DOSINI counts at $0691.
fn counting_disk() -> Disk {
    let mut disk = Disk::with_geometry(720, 128);
    let mut sector = [0; 128];
    sector[..6].copy_from_slice(&[0, 1, 0x00, 0x30, 0x20, 0x30]);
    sector[6..11].copy_from_slice(&[0xEE, 0x90, 0x06, 0x18, 0x60]);
    sector[0x20..0x24].copy_from_slice(&[0xEE, 0x91, 0x06, 0x60]);
    disk.write_sector(1, &sector);
    disk
}

#[test]
fn an_800_boots_its_drive_behind_the_device() {
    for model in [Model::Atari800, Model::Xl800] {
        let mut atari = Atari::new(&tests::config(model, Tv::Ntsc, true));
        atari.machine.insert_disk(0, counting_disk());
        atari.machine.attach_host(false);
        assert!(atari.wait_for_key(600), "{}", atari.text());
        let counts = |atari: &Atari| (atari.machine.peek(0x0690), atari.machine.peek(0x0691));
        assert_eq!(counts(&atari), (1, 1));
        let mut desk = Desk {
            atari,
            folder: Folder::default(),
        };
        desk.line("OPEN #1,8,0,\"H:Y\":PUT #1,1:CLOSE #1");
        assert_eq!(desk.folder.0["Y"], [1]);
        desk.atari.machine.reset();
        desk.atari.run(30);
        assert!(desk.atari.wait_for_key(600));
        assert_eq!(
            counts(&desk.atari),
            (1, 2),
            "RESET reaches the disk's DOSINI"
        );
        desk.line("OPEN #1,8,0,\"H:Z\":PUT #1,1:CLOSE #1");
        assert_eq!(desk.folder.0["Z"], [1]);
        // POKE 580,1 and RESET: a cold start.
        desk.line("POKE 580,1");
        desk.atari.machine.reset();
        desk.atari.run(30);
        assert!(desk.atari.wait_for_key(600));
        desk.line("OPEN #1,8,0,\"H:X\":PUT #1,1:CLOSE #1");
        assert_eq!(desk.folder.0["X"], [1]);
    }
}
