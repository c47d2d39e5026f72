//! A disk whose file is in memory, as a host without a file system has it: `cargo run -p session --example disk_without_files`.
use media::atr::{Blank, Disk};
use session::{Answer, Ask, MediumFile, MediumId, Mount, Refused, Session, Setup};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut storage = Disk::blank(Blank::Single).to_bytes();
    let file = MediumFile {
        id: MediumId(0),
        name: "blank.atr".into(),
    };
    let medium = Disk::parse(&storage)?;
    let mut session = Session::new(Setup {
        disks: vec![Mount { file, medium }],
        ..Setup::default()
    })?;
    for frame in 0..600u32 {
        if frame % 60 == 0 {
            session.flush();
        }
        for request in session.requests() {
            let answer = match request.ask {
                Ask::Store { bytes, .. } => {
                    storage = bytes;
                    Ok(Answer::Done)
                }
                // A real host keeps copies, has a printer, perhaps a folder.
                _ => Err(Refused::Failed),
            };
            session.answer(request.id, answer);
        }
        session.run_frame();
    }
    println!(
        "{} bytes, {} unsaved",
        storage.len(),
        session.unsaved().len()
    );
    assert!(session.unsaved().is_empty());
    Ok(())
}
