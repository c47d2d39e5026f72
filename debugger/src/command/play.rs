//! Commands that use the machine as its user does: keys, joysticks, console keys; its screen as text and as a picture.
//!
//! They have the words of a script's lines ([`session::script`]).

use super::{Desk, Output, told};
use crate::Stop;
use session::mouse;
use session::script::{self, Action, When};

impl Desk<'_> {
    /// Carries out a script's line with these words. A tap is a press, the frames that it lasts, and the release before the next frame,
    /// also when a breakpoint has stopped the machine.
    pub(super) fn play(&mut self, verb: &str, rest: &str) -> Result<Output, String> {
        let steps = script::parse(&format!("0 {verb} {rest}")).map_err(|error| error.why)?;
        let moves = |action: &Action| !matches!(action, Action::Type(_) | Action::Screenshot(_));
        let moved = steps.iter().any(|step| moves(&step.action));
        let mut lines = Vec::new();
        for step in steps {
            if let When::After(frames) = step.when {
                lines = match self.run_frames(frames) {
                    Stop::Limit => vec![self.here()],
                    stop => self.stopped(verb, stop, None),
                };
            }
            self.debuggee.act(&step.action)?;
            match &step.action {
                Action::Type(strokes) => {
                    lines.push(format!(
                        "{} to type as the machine runs",
                        keys(strokes.len())
                    ));
                }
                Action::Screenshot(name) => lines.push(format!("written to {name}")),
                _ => {}
            }
        }
        Ok(Output {
            lines,
            moved,
            quit: false,
        })
    }

    /// A key of the console, by the name that scripts have for it.
    pub(super) fn console(&mut self, rest: &str) -> Result<Output, String> {
        let (key, how) = super::table::parts(rest);
        match key {
            "start" | "select" | "option" | "break" | "reset" => self.play(key, how),
            _ => Err("expected start, select, option, break or reset".to_owned()),
        }
    }

    /// A pointing device, by the words that scripts have for it.
    pub(super) fn pointer(&mut self, rest: &str) -> Result<Output, String> {
        let (device, how) = super::table::parts(rest);
        let names: Vec<_> = mouse::devices().collect();
        if !names.contains(&device) {
            return Err(format!("expected one of {}", names.join(", ")));
        }
        self.play(device, how)
    }

    /// The text on the screen, without the blanks at the ends of its rows and the empty rows after the last one with text.
    pub(super) fn text(&self) -> Result<Output, String> {
        let text = self.machine().displayed_text().text();
        if text.trim().is_empty() {
            return Err("there is no text on the screen".to_owned());
        }
        told(
            text.trim_end()
                .lines()
                .map(|row| row.trim_end().to_owned())
                .collect(),
        )
    }
}

fn keys(count: usize) -> String {
    if count == 1 {
        "1 key".to_owned()
    } else {
        format!("{count} keys")
    }
}
