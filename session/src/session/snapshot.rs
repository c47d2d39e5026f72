//! Snapshots: a session at the end of a frame, to return to within the next frames or minutes.
//!
//! ```text
//! magic  length of raw state, of the session's part (4 each)  raw state  session's part  zeros
//! ```
//! Nothing is packed, no identity of a medium is computed while none has changed, and the size stays what it is from a session's start to
//! its end: run-ahead, rewind and netplay of other programs need this. Beside the machine it holds programs and text still to be loaded and
//! typed, the program's reads that were seen, and the sound that has been begun ([`Mixer`]).
//!
//! Media are not in it: the session keeps the media that were in its drives when a snapshot was made, in pages that its machine shares.
use super::Session;
use crate::built_in;
use crate::host_keys::Watched;
use crate::media::{Line, Placement};
use crate::program::{Origin, Program};
use crate::sound::{Mixer, MixerTails};
use crate::typist::{KeyWait, Progress, Stroke};
use machine::codec;
use machine::{Media, StateError};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::VecDeque;

/// The first bytes: the layout's name and version.
const MAGIC: [u8; 8] = *b"ACsnap01";
/// Bytes before the raw state.
const HEAD: usize = MAGIC.len() + 4 + 4;
/// Bytes for everything but RAM: chips, drives, open files of the host folder, and the session's part.
const ROOM: usize = 18_800;
/// Contents of the drives that are kept for snapshots. Each costs the pages that differ from the one before.
const SHELF: usize = 4096;
/// Number of a program that is the user's.
const USER: u8 = 0;
/// That of the menu; from the next one on those of [`built_in::all`].
const MENU: u8 = 1;

/// Reason why a snapshot cannot be made or loaded. The session is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// A frame has begun and has not ended.
    #[error(
        "a snapshot is made and loaded between two frames, and this one has been stopped before its end"
    )]
    WithinFrame,
    /// Too much is open on the host folder, or still to be typed.
    #[error(
        "the session needs {needed} bytes and a snapshot has {size}: close files of H:, or wait until the text is typed"
    )]
    TooLarge {
        /// Bytes that it would take.
        needed: usize,
        /// Bytes that a snapshot has.
        size: usize,
    },
    /// Other bytes, or those of another version.
    #[error("these bytes are no snapshot of this version")]
    Foreign,
    /// A snapshot of a program that this session does not have.
    #[error("the snapshot is of another program")]
    Program,
    /// This session does not know the media that were in the drives when the snapshot was made.
    #[error(
        "the snapshot is of other disks, or of a disk as a program has written to it in another session"
    )]
    Media,
    /// The machine's part.
    #[error("{0}")]
    State(#[from] StateError),
}

/// The session's part of a snapshot.
#[derive(Serialize, Deserialize)]
struct Kept<'a> {
    program: u8,
    media: u64,
    frames: u64,
    machine_frames: u64,
    typist: Progress<'a>,
    to_load: bool,
    later: Cow<'a, [Stroke]>,
    keyboard: KeyWait,
    stalled: u32,
    seen: Watched,
    boot_told: bool,
    missed: (u64, bool),
    sound: Option<MixerTails>,
}

/// The drives' contents when a snapshot was made.
#[derive(Clone, Debug)]
struct Shelved {
    hash: u64,
    media: Media,
    placement: Placement,
}

/// Media of snapshots, the newest last.
#[derive(Debug, Default)]
pub(super) struct Shelf(VecDeque<Shelved>);

/// Snapshots for rollback.
impl Session {
    /// Bytes of a snapshot: the machine's RAM and 18,800 more. It stays the same while the model and the size of the RAM do.
    pub fn snapshot_size(&self) -> usize {
        let ram = self.track.machine.config().ram();
        ram.main() + ram.extended() + ROOM
    }

    /// Puts the session at the end of a frame into `into`, whatever was there, and fills it up to [`Self::snapshot_size`]. `mixer` makes the
    /// samples of its sound, all of which must have been taken.
    ///
    /// # Errors
    /// When a frame has been stopped before its end, or more is open or to be typed than a snapshot holds.
    ///
    /// ```
    /// use session::{Session, Setup};
    ///
    /// let mut session = Session::new(Setup::for_file("a.lst", b"10 PRINT 6*7\n")?)?;
    /// let mut snapshot = Vec::new();
    /// for _ in 0..300 {
    ///     session.save_snapshot(None, &mut snapshot)?;
    ///     session.run_frame();
    ///     session.load_snapshot(&snapshot, None)?;
    ///     session.run_frame();
    /// }
    /// assert_eq!(snapshot.len(), session.snapshot_size());
    /// // What is still to be loaded and typed is in it.
    /// assert!(session.text().contains("42"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save_snapshot(
        &mut self,
        mixer: Option<&Mixer>,
        into: &mut Vec<u8>,
    ) -> Result<(), SnapshotError> {
        if self.within_frame {
            return Err(SnapshotError::WithinFrame);
        }
        let size = self.snapshot_size();
        let kept = codec::encode(&Kept {
            program: self.program_number(),
            media: self.shelve(),
            frames: self.frames,
            machine_frames: self.machine_frames,
            typist: self.typist.progress(),
            to_load: self.to_load.is_some(),
            later: Cow::Borrowed(&self.later),
            keyboard: self.keyboard,
            stalled: self.stalled,
            seen: self.key_watch.seen(),
            boot_told: self.boot.told,
            missed: (self.missed.last, self.missed.tell),
            sound: mixer.map(Mixer::tails),
        });
        into.clear();
        into.reserve(size);
        into.resize(HEAD, 0);
        let raw = self.track.machine.append_raw_state(into);
        into.extend_from_slice(&kept);
        let needed = into.len();
        if needed > size {
            return Err(SnapshotError::TooLarge { needed, size });
        }
        into.resize(size, 0);
        into[..8].copy_from_slice(&MAGIC);
        into[8..12].copy_from_slice(&(raw as u32).to_le_bytes());
        into[12..HEAD].copy_from_slice(&(kept.len() as u32).to_le_bytes());
        Ok(())
    }

    /// Returns to a snapshot, of this session or of one that has run the same program with the same disks. The user's controls and settings stay;
    /// the picture is black until the next frame has run.
    ///
    /// # Errors
    /// Why the session cannot return to it; it is then unchanged.
    pub fn load_snapshot(
        &mut self,
        bytes: &[u8],
        mixer: Option<&mut Mixer>,
    ) -> Result<(), SnapshotError> {
        if self.within_frame {
            return Err(SnapshotError::WithinFrame);
        }
        let (raw, kept) = parts(bytes).ok_or(SnapshotError::Foreign)?;
        let kept: Kept = codec::decode(kept).ok_or(SnapshotError::Foreign)?;
        let present = self.shelve();
        let mut shelved = self.shelf.0.iter().rev();
        let wanted = shelved.find(|shelved| shelved.hash == kept.media);
        let wanted = wanted.ok_or(SnapshotError::Media)?.clone();
        if kept.program != self.program_number() {
            let program = self.numbered(kept.program).ok_or(SnapshotError::Program)?;
            // A program of our own starts in every machine that has had another one.
            self.start(program).map_err(|_| SnapshotError::Program)?;
        }
        let line = Line::Own(wanted.placement);
        let moves = kept.media != present && line != self.mounts.line();
        if moves {
            self.put_aside(line.clone());
        }
        let loaded = self.track.load_raw_state(raw, &wanted.media);
        if let Err(error) = loaded {
            if moves {
                self.mounts.stay(None);
            }
            return Err(error.into());
        }
        if moves {
            self.mounts.load();
            self.note_line(line, self.moment());
        }
        self.playing = false;
        self.frames = kept.frames;
        self.machine_frames = kept.machine_frames;
        self.typist.resume(kept.typist);
        self.to_load = kept
            .to_load
            .then(|| self.basic_program().cloned())
            .flatten();
        self.later = kept.later.into_owned();
        self.keyboard = kept.keyboard;
        self.stalled = kept.stalled;
        self.key_watch.resume(kept.seen);
        self.boot.told = kept.boot_told;
        (self.missed.last, self.missed.tell) = kept.missed;
        if let (Some(mixer), Some(tails)) = (mixer, kept.sound) {
            mixer.resume(tails);
        }
        Ok(())
    }

    /// The hash of the media in the drives, which the shelf has from now on.
    fn shelve(&mut self) -> u64 {
        let machine = &self.track.machine;
        let placement = self.mounts.placement();
        let newest = self.shelf.0.back();
        let media = match newest {
            Some(newest) => machine.media(&newest.media),
            None => machine.media(&Media::default()),
        };
        if let Some(newest) = newest
            && newest.placement == placement
            && media.is_shared_with(&newest.media)
        {
            return newest.hash;
        }
        let hash = media.hash();
        if self.shelf.0.len() == SHELF {
            self.shelf.0.pop_front();
        }
        self.shelf.0.push_back(Shelved {
            hash,
            media,
            placement,
        });
        hash
    }

    /// The number of the program, the same in every session.
    fn program_number(&self) -> u8 {
        let title = self.title();
        match self.origin() {
            Origin::Menu => MENU,
            Origin::User if !built_in::OF_USER.contains(&title) => USER,
            _ => built_in::number_of(title).map_or(USER, |number| MENU + 1 + number),
        }
    }

    /// The program of a number.
    fn numbered(&self, number: u8) -> Option<Program> {
        match number {
            USER => None,
            MENU => built_in::menu_at(self.title()).ok(),
            number => {
                let all = built_in::all();
                all.get(usize::from(number - MENU - 1))?.program().ok()
            }
        }
    }
}

/// The raw state and the session's part.
fn parts(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (head, body) = bytes.split_at_checked(HEAD)?;
    let length = |at: usize| {
        let four = head[at..].first_chunk::<4>()?;
        usize::try_from(u32::from_le_bytes(*four)).ok()
    };
    let (raw, rest) = body.split_at_checked(length(8)?)?;
    let (kept, _) = rest.split_at_checked(length(12)?)?;
    (head[..8] == MAGIC).then_some((raw, kept))
}
