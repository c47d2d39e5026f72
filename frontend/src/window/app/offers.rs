//! Things that the window does without being asked: it hurries while disks and tapes are read, and offers the other television system to a
//! program that shows nothing.
use super::App;
use host::failure::Failure;
use machine::Tv;
use session::Origin;

/// Frames after the last traffic on the serial bus for which the machine still hurries: programs pause between two sectors.
const PAUSE: u32 = 8;
/// The offer is made so often: its line does not stay for ever.
const OFFERS: u8 = 3;
/// Seconds of one colour, without traffic, after which the offer comes.
const PATIENCE: f64 = 10.0;

/// Observations of the program that runs.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Frames since the serial bus was busy.
    quiet: u32,
    /// Frames for which the picture has had one colour.
    blank: u32,
    /// How often the offer has come.
    offers: u8,
    /// The offer stands: its key is the answer, too.
    offered: bool,
}

impl Seen {
    /// True if disks or the tape are being read.
    pub(super) fn is_loading(&self) -> bool {
        self.quiet < PAUSE
    }

    /// True if the program has been offered the other television system.
    pub(super) fn is_offered(&self) -> bool {
        self.offered
    }

    /// For a program that starts: nothing has been read yet.
    pub(super) fn new() -> Self {
        Self {
            quiet: PAUSE,
            ..Self::default()
        }
    }
}

impl App {
    /// Looks at the frame that has just been run.
    pub(super) fn look_at_frame(&mut self) {
        let machine = self.started.session.machine();
        let seen = &mut self.played.seen;
        seen.quiet = if machine.serial_busy() {
            0
        } else {
            seen.quiet.saturating_add(1)
        };
        if seen.offers == OFFERS || self.started.session.origin() != Origin::User {
            return;
        }
        let pixels = machine.frame().pixels();
        let blank = pixels.iter().all(|pixel| *pixel == pixels[0]);
        seen.blank = if blank && !seen.is_loading() && !self.started.session.is_starting() {
            seen.blank + 1
        } else {
            0
        };
        let rate = machine.config().tv.frame_rate();
        let asked = seen.quiet % 500 == 49 && wants_pal(&self.started.session.text());
        if asked && machine.config().tv == Tv::Ntsc || f64::from(seen.blank) > PATIENCE * rate {
            seen.offers += 1;
            seen.offered = true;
            seen.blank = 0;
            let keys = self.config.keys_of(host::config::Action::OtherTv);
            let tv = other(self.started.session.machine().config().tv);
            self.say(format!(
                "{keys} starts this program on a {} machine",
                name(tv)
            ));
        }
    }

    /// Starts the program again with the other television system, and remembers that for its file.
    pub(super) fn other_tv(&mut self) -> Result<(), Failure> {
        let tv = other(self.started.session.machine().config().tv);
        self.change_hardware(|hardware| hardware.tv = Some(tv))?;
        self.played.seen.offers = OFFERS;
        self.played.seen.offered = false;
        if let Some(content) = self.started.found.program.content {
            host::remember(content, &name(tv).to_lowercase())?;
            self.say(format!("{}, and from now on for this file", name(tv)));
        } else {
            self.say(name(tv));
        }
        Ok(())
    }
}

fn other(tv: Tv) -> Tv {
    match tv {
        Tv::Ntsc => Tv::Pal,
        Tv::Pal => Tv::Ntsc,
    }
}

fn name(tv: Tv) -> &'static str {
    match tv {
        Tv::Ntsc => "NTSC",
        Tv::Pal => "PAL",
    }
}

/// True if a text on the screen says that only a PAL machine will do.
fn wants_pal(text: &str) -> bool {
    let text = text.to_uppercase();
    let words: Vec<&str> = text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let pal = words.iter().position(|word| *word == "PAL");
    let near = |at: usize| {
        let around = &words[at.saturating_sub(3)..words.len().min(at + 4)];
        ["ONLY", "REQUIRED", "REQUIRES", "NEEDS", "NEEDED"]
            .iter()
            .any(|word| around.contains(word))
    };
    pal.is_some_and(near)
}

#[cfg(test)]
mod tests {
    use super::wants_pal;

    #[test]
    fn a_screen_that_asks_for_pal_is_understood() {
        for text in [
            "SORRY, PAL ONLY!",
            "This game\nrequires a PAL machine",
            "only for PAL",
        ] {
            assert!(wants_pal(text), "{text}");
        }
        for text in ["", "READY", "PAL or NTSC?", "MY PAL JOE", "ONLY YOU"] {
            assert!(!wants_pal(text), "{text}");
        }
    }
}
