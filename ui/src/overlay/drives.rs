//! Drives, program recorder and printer.
use super::super::theme;
use super::files::Target;
use super::{Deck, Disk, Facts, Medium, Wish, files, pages};
use egui::{Align, Label, Layout, RichText, Slider, Ui};
use host::failure::plain;
use media::atr::Blank;
use session::{Columns, DRIVES};

/// The page. Gives what a file is to be chosen for.
pub fn ui(
    ui: &mut Ui,
    list: &mut files::State,
    facts: &Facts,
    wishes: &mut Vec<Wish>,
) -> Option<Target> {
    let mut target = None;
    for drive in 0..DRIVES {
        let medium = Medium::Drive(drive);
        let disk = facts.disks.iter().find(|disk| disk.drive == drive);
        let name = disk.map(|disk| &*disk.name);
        row(ui, medium, name, |ui| {
            choose(ui, medium, list, &mut target, wishes);
            if let Some(disk) = disk {
                in_a_drive(ui, disk, wishes);
            }
        });
    }
    ui.horizontal_wrapped(|ui| {
        ui.label("new disks");
        for (density, name) in [
            (Blank::Single, "single, 90K"),
            (Blank::Enhanced, "enhanced, 130K"),
            (Blank::Double, "double, 180K"),
        ] {
            ui.radio_value(&mut list.density, density, name);
        }
    });
    pages::heading(ui, "Cassette deck");
    let name = facts.tape.map(|tape| &*tape.name);
    row(ui, Medium::Recorder, name, |ui| {
        choose(ui, Medium::Recorder, list, &mut target, wishes);
        if facts.tape.is_some() {
            if ui.small_button("take out of C:").clicked() {
                wishes.push(Wish::EjectTape);
            }
            if ui.small_button("save a copy of C:").clicked() {
                wishes.push(Wish::SaveCopy(Medium::Recorder));
            }
        }
    });
    if let Some(tape) = facts.tape {
        deck(ui, tape, wishes);
    }
    pages::heading(ui, "Printer");
    let columns = facts.printer.map(|printer| printer.columns);
    ui.horizontal_wrapped(|ui| {
        for (wanted, name) in [
            (None, "off"),
            (Some(Columns::Forty), "40 columns"),
            (Some(Columns::Eighty), "80 columns"),
        ] {
            if ui.radio(columns == wanted, name).clicked() && columns != wanted {
                wishes.push(Wish::Printer(wanted));
            }
        }
    });
    if let Some(printer) = facts.printer {
        ui.add(Label::new(plain(&printer.file)).truncate());
    }
    cartridges(ui, facts, &mut target, wishes);
    target
}

/// The cartridge slots, and BASIC.
fn cartridges(ui: &mut Ui, facts: &Facts, target: &mut Option<Target>, wishes: &mut Vec<Wish>) {
    let colours = theme::colours(ui);
    pages::heading(ui, "Cartridges");
    let note = "what is put in or taken out switches the Atari off and on";
    ui.label(RichText::new(note).color(colours.weak));
    for (slot, plugged) in facts.slots.iter().enumerate() {
        let number = slot + 1;
        ui.horizontal(|ui| {
            ui.label(RichText::new(format!("slot {number}")).color(colours.accent));
            match plugged {
                Some((name, about)) => {
                    ui.add(Label::new(format!("{}, {about}", plain(name))).truncate())
                }
                None => ui.label(RichText::new("empty").color(colours.weak)),
            }
        });
        ui.horizontal_wrapped(|ui| {
            if ui
                .small_button(format!("insert into slot {number}"))
                .clicked()
            {
                *target = Some(Target::Slot(slot));
            }
            let out = format!("take out of slot {number}");
            if plugged.is_some() && ui.small_button(out).clicked() {
                wishes.push(Wish::Plug(slot, None));
            }
        });
    }
    ui.horizontal_wrapped(|ui| {
        ui.label("BASIC");
        for (wanted, name) in [
            (None, "when the program wants it"),
            (Some(true), "always"),
            (Some(false), "never"),
        ] {
            if ui.radio(facts.basic == wanted, name).clicked() && facts.basic != wanted {
                wishes.push(Wish::Basic(wanted));
            }
        }
    });
}

/// The place of a medium, its name, and under it what can be done.
fn row(ui: &mut Ui, medium: Medium, name: Option<&str>, buttons: impl FnOnce(&mut Ui)) {
    let colours = theme::colours(ui);
    ui.horizontal(|ui| {
        ui.label(RichText::new(medium.to_string()).color(colours.accent));
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| match name {
            Some(name) => ui.add(Label::new(plain(name)).truncate()),
            None => ui.label(RichText::new("empty").color(colours.weak)),
        });
    });
    ui.horizontal_wrapped(buttons);
}

fn choose(
    ui: &mut Ui,
    medium: Medium,
    list: &files::State,
    target: &mut Option<Target>,
    wishes: &mut Vec<Wish>,
) {
    if ui.small_button(format!("insert into {medium}")).clicked() {
        *target = Some(Target::Medium(medium));
    }
    if ui.small_button(format!("new in {medium}")).clicked() {
        wishes.push(Wish::New(medium, list.free_name(medium), list.density));
    }
}

fn in_a_drive(ui: &mut Ui, disk: &Disk, wishes: &mut Vec<Wish>) {
    let medium = Medium::Drive(disk.drive);
    if ui.small_button(format!("take out of {medium}")).clicked() {
        wishes.push(Wish::Eject(disk.drive));
    }
    if disk.drive > 0
        && ui
            .small_button(format!("change {medium} with D1:"))
            .clicked()
    {
        wishes.push(Wish::Swap(disk.drive));
    }
    if ui
        .small_button(format!("save a copy of {medium}"))
        .clicked()
    {
        wishes.push(Wish::SaveCopy(medium));
    }
    let mut protected = disk.protected;
    if ui
        .checkbox(&mut protected, format!("protect {medium}"))
        .clicked()
    {
        wishes.push(Wish::Protect(disk.drive, protected));
    }
}

/// The keys of the deck, and where the tape is.
fn deck(ui: &mut Ui, tape: &Deck, wishes: &mut Vec<Wish>) {
    let (at, blocks) = tape.position;
    ui.horizontal_wrapped(|ui| {
        for (records, name) in [(false, "PLAY"), (true, "RECORD")] {
            if ui.radio(tape.records == records, name).clicked() && tape.records != records {
                wishes.push(Wish::Record(records));
            }
        }
        if ui.button("to the beginning").clicked() {
            wishes.push(Wish::Wind(0));
        }
        if ui.button("to the end").clicked() {
            wishes.push(Wish::Wind(blocks));
        }
    });
    let mut to = at;
    ui.horizontal(|ui| {
        ui.add(Slider::new(&mut to, 0..=blocks).show_value(false));
        ui.label(format!("block {at} of {blocks}"));
    });
    if to != at {
        wishes.push(Wish::Wind(to));
    }
}
