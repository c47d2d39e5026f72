//! The machine's page: switches, speed, and the machine that programs are started on.
use super::super::theme;
use super::files::Target;
use super::pages::{ask, change, heading, switch};
use super::{Facts, Wish};
use egui::{RichText, TextEdit, Ui};
use host::config::{Action, Rom, RomFiles};
use machine::{Model, Named, Ram, RamFill, Tv};
use session::{Hardware, rom_name};
use std::path::PathBuf;

/// The machine that is being chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// The choices.
    pub hardware: Hardware,
    /// The files of its ROMs that were chosen on the page.
    pub files: RomFiles,
}

impl Draft {
    /// Puts in a ROM from a file, or ours with `None`.
    pub(super) fn set_rom(&mut self, rom: Rom, from: Option<(PathBuf, Vec<u8>)>) {
        let (file, image) = from.unzip();
        match rom {
            Rom::Os => (self.files.os, self.hardware.os) = (file, image),
            Rom::Basic => (self.files.basic, self.hardware.basic) = (file, image),
        }
    }
}

/// The page. Gives what a file is to be chosen for.
pub fn ui(
    ui: &mut Ui,
    facts: &Facts,
    draft: &mut Option<Draft>,
    wishes: &mut Vec<Wish>,
    question: &mut Option<(String, Wish)>,
) -> Option<Target> {
    switches(ui, facts, wishes, question);
    let as_it_is = Draft {
        hardware: facts.hardware.clone(),
        files: RomFiles::default(),
    };
    let mut chosen = draft.take().unwrap_or_else(|| as_it_is.clone());
    let (restarts, reverts) = restart(ui, chosen.hardware != *facts.hardware);
    if restarts {
        wishes.push(Wish::Machine(Box::new(chosen.clone())));
    }
    if reverts {
        chosen = as_it_is;
    }
    let hardware = &mut chosen.hardware;
    model(ui, facts, hardware);
    memory(ui, facts, hardware);
    seed(ui, facts, hardware, wishes);
    heading(ui, "Sound and clock");
    ui.checkbox(&mut hardware.stereo, "second POKEY at $D210 (stereo)");
    ui.checkbox(&mut hardware.covox, "Covox at $D280");
    ui.checkbox(&mut hardware.clock, "R-Time 8");
    let target = roms(ui, &mut chosen);
    ui.add_space(4.0);
    let elsewhere = "Cartridges, BASIC, printer, drives and tape have the page Drives, tape.";
    ui.label(RichText::new(elsewhere).color(theme::colours(ui).weak));
    *draft = (chosen.hardware != *facts.hardware).then_some(chosen);
    target
}

/// Switches and speed.
fn switches(
    ui: &mut Ui,
    facts: &Facts,
    wishes: &mut Vec<Wish>,
    question: &mut Option<(String, Wish)>,
) {
    ui.horizontal_wrapped(|ui| {
        if ui.button("Go on").clicked() {
            wishes.push(Wish::Close);
        }
        if ui.button("RESET").clicked() {
            ask(facts, Action::Reset, wishes, question);
        }
        if ui.button("Off and on").clicked() {
            ask(facts, Action::ColdStart, wishes, question);
        }
        if ui.button("Debug view").clicked() {
            wishes.push(Wish::Act(Action::Debug));
        }
        if ui.button("Quit").clicked() {
            ask(facts, Action::Quit, wishes, question);
        }
    });
    let mut asks = facts.config.window.ask;
    let text = "ask before RESET, off and on, and leaving";
    if ui.checkbox(&mut asks, text).clicked() {
        change(facts, wishes, |config| config.window.ask = asks);
    }
    heading(ui, "Speed");
    switch(ui, facts, facts.paused, "pause", Action::Pause, wishes);
    let turbo = Action::TurboToggle;
    switch(ui, facts, facts.turbo, "as fast as it goes", turbo, wishes);
}

/// One step for all that was changed, and one back: the first or the second is true when it is wanted.
fn restart(ui: &mut Ui, changed: bool) -> (bool, bool) {
    let colours = theme::colours(ui);
    heading(ui, "The machine");
    if !changed {
        let text = "What is changed below counts from a restart, which a button here does.";
        ui.label(RichText::new(text).color(colours.weak));
        return (false, false);
    }
    let text = "The program starts again on this machine. What is in memory is lost; disks and tape stay in.";
    ui.label(RichText::new(text).color(colours.accent));
    let both = ui.horizontal_wrapped(|ui| {
        let restarts = ui.button("Restart on this machine").clicked();
        (restarts, ui.button("As it was").clicked())
    });
    both.inner
}

/// Model and television. What is in force is marked while nothing was chosen.
fn model(ui: &mut Ui, facts: &Facts, chosen: &mut Hardware) {
    heading(ui, "Model");
    let model = chosen.model.unwrap_or(facts.machine.model);
    ui.horizontal_wrapped(|ui| {
        for &known in Model::ALL {
            let name = known.name().to_ascii_uppercase();
            if ui.radio(model == known, name).clicked() && model != known {
                chosen.model = Some(known);
                // RAM that the model cannot have goes with it, and so does an OS of the other kind.
                chosen.ram = chosen.ram.filter(|ram| ram.fits(known));
                let size = known.os_size();
                chosen.os = chosen.os.take().filter(|os| os.len() == size);
            }
        }
    });
    heading(ui, "Television");
    let tv = chosen.tv.unwrap_or(facts.machine.tv);
    ui.horizontal_wrapped(|ui| {
        for (known, name) in [(Tv::Ntsc, "NTSC"), (Tv::Pal, "PAL")] {
            if ui.radio(tv == known, name).clicked() && tv != known {
                chosen.tv = Some(known);
            }
        }
    });
}

/// Size and contents of RAM.
fn memory(ui: &mut Ui, facts: &Facts, chosen: &mut Hardware) {
    let model = chosen.model.unwrap_or(facts.machine.model);
    heading(ui, "Memory");
    ui.horizontal_wrapped(|ui| {
        ui.radio_value(&mut chosen.ram, None, "the model's own");
        for &ram in Ram::ALL.iter().filter(|ram| ram.fits(model)) {
            let other = chosen.ram != Some(ram);
            if ui.radio(!other, ram.name()).clicked() && other {
                chosen.ram = Some(ram);
                // It is memory of this model; a program that wants another one would not start.
                chosen.model = Some(model);
            }
        }
    });
    heading(ui, "Memory at power-on");
    ui.horizontal_wrapped(|ui| {
        for &fill in RamFill::ALL {
            ui.radio_value(&mut chosen.fill, fill, fill.about());
        }
    });
}

/// The seed, and if it is that of every start.
fn seed(ui: &mut Ui, facts: &Facts, chosen: &mut Hardware, wishes: &mut Vec<Wish>) {
    ui.horizontal_wrapped(|ui| {
        ui.label("seed");
        let mut text = chosen.seed.to_string();
        let field = TextEdit::singleline(&mut text)
            .desired_width(170.0)
            .id_salt("seed");
        if ui.add(field).changed() {
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            // Too large a number leaves the one before.
            chosen.seed = if digits.is_empty() {
                0
            } else {
                digits.parse().unwrap_or(chosen.seed)
            };
        }
        let mut same = facts.config.machine.seed.is_some();
        if ui.checkbox(&mut same, "at each start").clicked() {
            let seed = same.then_some(chosen.seed);
            change(facts, wishes, |config| config.machine.seed = seed);
        }
    });
}

/// ROMs in place of ours. Gives what a file is to be chosen for.
fn roms(ui: &mut Ui, chosen: &mut Draft) -> Option<Target> {
    heading(ui, "ROMs");
    let mut target = None;
    for (rom, name) in [(Rom::Os, "OS"), (Rom::Basic, "BASIC")] {
        let image = match rom {
            Rom::Os => chosen.hardware.os.as_deref(),
            Rom::Basic => chosen.hardware.basic.as_deref(),
        };
        let named = |image: &[u8]| {
            rom_name(image).map_or_else(|| format!("{} bytes", image.len()), str::to_owned)
        };
        let about = image.map_or_else(|| "our own".to_owned(), named);
        let foreign = image.is_some();
        ui.horizontal_wrapped(|ui| {
            ui.label(format!("{name}: {about}"));
            if ui.small_button(format!("{name} from a file")).clicked() {
                target = Some(Target::Rom(rom));
            }
            if foreign && ui.small_button(format!("our own {name}")).clicked() {
                chosen.set_rom(rom, None);
            }
        });
    }
    target
}
