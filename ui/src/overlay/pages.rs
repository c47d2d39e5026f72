//! The pages of settings.
use super::super::theme;
use super::{Facts, Wanted, Wish};
use crate::keys::describe;
use egui::{Key, RichText, Slider, Ui, vec2};
use host::config::{ACTIONS, Action, Config, FIXED, StickKeys, VideoForm, about_mouse};
use host::scaler::{Overscan, Shape};
use session::HostKeys;
use session::mouse::MouseRole;
use session::picture::Composite;
use std::ops::RangeInclusive;

/// A heading.
pub fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(4.0);
    ui.label(
        RichText::new(text)
            .color(theme::colours(ui).accent)
            .strong(),
    );
}

/// A switch that a key has too.
pub fn switch(
    ui: &mut Ui,
    facts: &Facts,
    on: bool,
    text: &str,
    action: Action,
    wishes: &mut Vec<Wish>,
) {
    let mut value = on;
    ui.horizontal(|ui| {
        if ui.checkbox(&mut value, text).clicked() {
            wishes.push(Wish::Switch(action));
        }
        ui.label(
            RichText::new(facts.config.keys_of(action))
                .color(theme::colours(ui).weak)
                .small(),
        );
    });
}

/// A slider with its value, which takes no keys of its own: up and down arrows leave it.
fn slider<N: egui::emath::Numeric>(
    ui: &mut Ui,
    value: &mut N,
    range: RangeInclusive<N>,
    name: &str,
    decimals: usize,
) -> egui::Response {
    ui.horizontal(|ui| {
        let bar = Slider::new(value, range).show_value(false).text(name);
        let response = ui.add(bar);
        ui.label(
            RichText::new(format!("{:.decimals$}", value.to_f64())).color(theme::colours(ui).weak),
        );
        response
    })
    .inner
}

/// Does a command of the menu, after its question where the user wants to be asked.
pub fn ask(
    facts: &Facts,
    action: Action,
    wishes: &mut Vec<Wish>,
    asked: &mut Option<(String, Wish)>,
) {
    match super::question(action).filter(|_| facts.config.window.ask) {
        Some(question) => *asked = Some((question.to_owned(), Wish::Sure(action))),
        None => wishes.push(Wish::Sure(action)),
    }
}

/// Changes a copy of the settings; a wish when that made a difference.
pub fn change(facts: &Facts, wishes: &mut Vec<Wish>, change: impl FnOnce(&mut Config)) {
    let mut config = facts.config.clone();
    change(&mut config);
    if config != *facts.config {
        wishes.push(Wish::Settings(Box::new(config)));
    }
}

/// All keys.
pub fn keys(ui: &mut Ui, facts: &Facts) {
    // Nothing here takes the keyboard: arrows turn the page itself.
    let turned = ui.input(|input| {
        let pressed = |key| input.num_presses(key) as f32;
        pressed(Key::ArrowUp) - pressed(Key::ArrowDown)
    });
    if turned != 0.0 {
        ui.scroll_with_delta(vec2(0.0, turned * 48.0));
    }
    ui.label("Everything that is not listed types what the key shows.");
    let columns = if ui.available_width() > 600.0 { 2 } else { 1 };
    let actions = ACTIONS
        .iter()
        .map(|&(action, _, what)| (facts.config.keys_of(action), what));
    key_table(ui, &actions.collect::<Vec<_>>(), columns);
    heading(ui, "Always");
    let fixed = FIXED.iter().map(|&(keys, what)| (keys.to_owned(), what));
    key_table(ui, &fixed.collect::<Vec<_>>(), 1);
}

/// Keys and what they do, in one column or two.
fn key_table(ui: &mut Ui, all: &[(String, &str)], columns: usize) {
    let colours = theme::colours(ui);
    let font = egui::TextStyle::Body.resolve(ui.style());
    let measure = |(keys, _): &(String, &str)| {
        let galley = ui
            .painter()
            .layout_no_wrap(keys.clone(), font.clone(), colours.accent);
        galley.size().x
    };
    let names = all.iter().map(measure).fold(0.0, f32::max) + 10.0;
    let width = ui.available_width() / columns as f32 - 12.0;
    ui.horizontal_top(|ui| {
        for part in all.chunks(all.len().div_ceil(columns)) {
            ui.vertical(|ui| {
                ui.set_width(width);
                ui.spacing_mut().item_spacing = vec2(0.0, 1.0);
                for (keys, what) in part {
                    ui.horizontal_top(|ui| {
                        let left = ui.cursor().left();
                        ui.label(RichText::new(keys).color(colours.accent));
                        let used = ui.cursor().left() - left;
                        ui.add_space((names - used).max(0.0));
                        ui.add(egui::Label::new(*what).wrap());
                    });
                }
            });
        }
    });
}

/// A check box for a setting.
fn check(
    ui: &mut Ui,
    facts: &Facts,
    wishes: &mut Vec<Wish>,
    text: &str,
    setting: impl Fn(&mut Config) -> &mut bool,
) {
    change(facts, wishes, |config| {
        ui.checkbox(setting(config), text);
    });
}

/// The values of a setting, of which one is chosen.
fn choice<T: PartialEq>(
    ui: &mut Ui,
    facts: &Facts,
    wishes: &mut Vec<Wish>,
    values: impl IntoIterator<Item = (T, &'static str)>,
    setting: impl Fn(&mut Config) -> &mut T,
) {
    change(facts, wishes, |config| {
        let now = setting(config);
        for (value, name) in values {
            if ui.radio(*now == value, name).clicked() {
                *now = value;
            }
        }
    });
}

/// Colours and window.
pub fn picture(ui: &mut Ui, facts: &Facts, wishes: &mut Vec<Wish>) {
    heading(ui, "Artifacts");
    let artifacts = [
        (Composite::Off, "off"),
        (Composite::On, "as the television"),
        (Composite::Ntsc, "NTSC patterns"),
        (Composite::Pal, "PAL blending"),
    ];
    ui.horizontal_wrapped(|ui| {
        choice(ui, facts, wishes, artifacts, |config| {
            &mut config.picture.artifacts
        });
    });
    palette(ui, facts, wishes);
    window(ui, facts, wishes);
    tube(ui, facts, wishes);
    view(ui, facts, wishes);
    let mut scale = facts.config.window.scale;
    slider(ui, &mut scale, 1..=8, "size at the start", 0);
    change(facts, wishes, |config| config.window.scale = scale);
}

fn palette(ui: &mut Ui, facts: &Facts, wishes: &mut Vec<Wish>) {
    heading(ui, "Palette");
    let usual = host::config::PictureConfig::default();
    let mut edited = facts.config.picture.clone();
    let mut slide =
        |value: &mut f64, usual: f64, range: RangeInclusive<f64>, name: &str, decimals: usize| {
            ui.horizontal(|ui| {
                slider(ui, value, range, name, decimals);
                if (*value - usual).abs() > 1e-9 && ui.small_button("usual").clicked() {
                    *value = usual;
                }
            });
        };
    slide(&mut edited.hue, usual.hue, -60.0..=60.0, "hue", 0);
    let saturation = &mut edited.saturation;
    slide(saturation, usual.saturation, 0.0..=0.4, "colour", 2);
    slide(&mut edited.black, usual.black, 0.0..=0.5, "black", 2);
    slide(&mut edited.white, usual.white, 0.5..=1.0, "white", 2);
    slide(&mut edited.gamma, usual.gamma, 0.4..=2.5, "gamma", 2);
    change(facts, wishes, |config| config.picture = edited);
}

fn window(ui: &mut Ui, facts: &Facts, wishes: &mut Vec<Wish>) {
    heading(ui, "Window");
    switch(
        ui,
        facts,
        facts.fullscreen,
        "full screen",
        Action::Fullscreen,
        wishes,
    );
    check(ui, facts, wishes, "start in full screen", |config| {
        &mut config.window.fullscreen
    });
    let whole = "only whole multiples of the picture's lines";
    check(ui, facts, wishes, whole, |config| {
        &mut config.window.whole_multiples
    });
    let gaps = "dark gaps between scan lines";
    check(ui, facts, wishes, gaps, |config| {
        &mut config.window.scan_lines
    });
    check(ui, facts, wishes, "smooth pixels", |config| {
        &mut config.window.smooth
    });
}

/// The settings of a tube.
fn tube(ui: &mut Ui, facts: &Facts, wishes: &mut Vec<Wish>) {
    heading(ui, "Tube");
    let mut tube = facts.config.window.tube;
    slider(ui, &mut tube.mask, 0..=100, "mask", 0);
    slider(ui, &mut tube.bloom, 0..=100, "bloom", 0);
    slider(ui, &mut tube.curvature, 0..=100, "curvature", 0);
    change(facts, wishes, |config| config.window.tube = tube);
}

/// Shape of the picture, and the part that is shown.
fn view(ui: &mut Ui, facts: &Facts, wishes: &mut Vec<Wish>) {
    heading(ui, "Shape");
    let shapes = [
        (Shape::Television, "television"),
        (Shape::Square, "square pixels"),
        (Shape::Window, "the window's"),
    ];
    ui.horizontal_wrapped(|ui| {
        choice(ui, facts, wishes, shapes, |config| &mut config.window.shape);
    });
    heading(ui, "Edges");
    let parts = [
        (Overscan::All, "all that is made"),
        (Overscan::Television, "as a television"),
        (Overscan::Playfield, "320 by 192"),
    ];
    ui.horizontal_wrapped(|ui| {
        choice(ui, facts, wishes, parts, |config| {
            &mut config.window.overscan
        });
    });
}

/// Sound.
pub fn sound(ui: &mut Ui, facts: &Facts, wishes: &mut Vec<Wish>) {
    switch(ui, facts, facts.mute, "silence", Action::Mute, wishes);
    let mut volume = facts.config.sound.volume;
    slider(ui, &mut volume, 0..=100, "volume", 0);
    change(facts, wishes, |config| config.sound.volume = volume);
    check(ui, facts, wishes, "start in silence", |config| {
        &mut config.sound.mute
    });
}

const DIRECTIONS: [&str; 5] = ["up", "down", "left", "right", "trigger"];

fn direction(stick: &mut StickKeys, direction: usize) -> &mut Vec<String> {
    match direction {
        0 => &mut stick.up,
        1 => &mut stick.down,
        2 => &mut stick.left,
        3 => &mut stick.right,
        _ => &mut stick.trigger,
    }
}

/// The keys of a direction, or of the trigger.
fn keys_of(config: &mut Config, wanted: Wanted) -> &mut Vec<String> {
    let sticks = &mut config.joysticks;
    let stick = if wanted.second {
        &mut sticks.second
    } else {
        &mut sticks.first
    };
    direction(stick, wanted.direction)
}

/// Keys that are joysticks, and the mouse.
pub fn sticks(
    ui: &mut Ui,
    facts: &Facts,
    wanted: &mut Option<Wanted>,
    pressed: Option<String>,
    wishes: &mut Vec<Wish>,
) {
    if let (Some(field), Some(key)) = (*wanted, pressed) {
        *wanted = None;
        change(facts, wishes, |config| *keys_of(config, field) = vec![key]);
    }
    heading(ui, "Keys are joysticks");
    let auto = format!("as the program wants; now {}", describe(facts.keys));
    let choices = [
        (None, auto.as_str()),
        (Some(HostKeys::Typing), "no: everything types"),
        (Some(HostKeys::Stick), "joystick 1"),
        (Some(HostKeys::Sticks), "joysticks 1 and 2"),
    ];
    for (choice, text) in choices {
        if ui.radio(facts.keys_choice == choice, text).clicked() {
            wishes.push(Wish::Keys(choice));
        }
    }
    stick_keys(ui, facts, wanted);
    if ui.button("As usual").clicked() {
        *wanted = None;
        change(facts, wishes, |config| {
            config.joysticks = host::config::Sticks::default();
        });
    }
    heading(ui, "Gamepad");
    super::pad::ui(ui, &facts.config.gamepads);
    mouse(ui, facts, wishes);
}

/// A field for the keys of each direction.
fn stick_keys(ui: &mut Ui, facts: &Facts, wanted: &mut Option<Wanted>) {
    let colours = theme::colours(ui);
    ui.label(RichText::new("click a field, then press the key you want").color(colours.weak));
    let mut config = facts.config.clone();
    egui::Grid::new("sticks")
        .num_columns(3)
        .spacing([10.0, 4.0])
        .show(ui, |ui| {
            ui.label("");
            ui.label("joystick 1");
            ui.label("joystick 2");
            ui.end_row();
            for (direction, name) in DIRECTIONS.into_iter().enumerate() {
                ui.label(name);
                for second in [false, true] {
                    let this = Wanted { second, direction };
                    let waits = *wanted == Some(this);
                    let text = if waits {
                        "press a key".to_owned()
                    } else {
                        keys_of(&mut config, this).join(" or ")
                    };
                    let button = egui::Button::new(text)
                        .min_size(vec2(120.0, 20.0))
                        .selected(waits);
                    if ui.add(button).clicked() {
                        *wanted = Some(this);
                    }
                }
                ui.end_row();
            }
        });
}

fn mouse(ui: &mut Ui, facts: &Facts, wishes: &mut Vec<Wish>) {
    heading(ui, "Mouse");
    ui.horizontal_wrapped(|ui| {
        ui.label(format!("It {}.", about_mouse(facts.mouse)));
        if ui.button("Another role").clicked() {
            wishes.push(Wish::Switch(Action::Mouse));
        }
        ui.label(
            RichText::new(facts.config.keys_of(Action::Mouse))
                .color(theme::colours(ui).weak)
                .small(),
        );
    });
    let mut always = facts.mouse != MouseRole::Off && facts.config.window.mouse == facts.mouse;
    if ui.checkbox(&mut always, "so from the start").clicked() {
        change(facts, wishes, |config| {
            config.window.mouse = if always { facts.mouse } else { MouseRole::Off };
        });
    }
}

/// Pictures and recordings.
pub fn record(ui: &mut Ui, facts: &Facts, wishes: &mut Vec<Wish>) {
    let folder = facts.config.pictures.as_ref().map_or_else(
        || "the folder in which Anticlock was started".to_owned(),
        |path| path.display().to_string(),
    );
    if ui.button("Picture of the screen").clicked() {
        wishes.push(Wish::Act(Action::Screenshot));
    }
    switch(
        ui,
        facts,
        facts.recording,
        "record the sound (WAV)",
        Action::Record,
        wishes,
    );
    switch(
        ui,
        facts,
        facts.animation,
        "record the picture",
        Action::RecordPicture,
        wishes,
    );
    let forms = [
        (VideoForm::Mp4, "MP4 with sound"),
        (VideoForm::Png, "animated PNG"),
    ];
    ui.horizontal_wrapped(|ui| {
        ui.label("as");
        choice(ui, facts, wishes, forms, |config| &mut config.video);
    });
    switch(
        ui,
        facts,
        facts.gif,
        "GIF from here on",
        Action::RecordGif,
        wishes,
    );
    if ui.button("GIF of the last 10 seconds").clicked() {
        wishes.push(Wish::Act(Action::Gif));
    }
    let sizes = [
        (None, "as in the window"),
        (Some(0), "raw, 376x240"),
        (Some(1), "x1"),
        (Some(2), "x2"),
        (Some(3), "x3"),
        (Some(4), "x4"),
    ];
    ui.horizontal_wrapped(|ui| {
        ui.label("their size");
        choice(ui, facts, wishes, sizes, |config| &mut config.picture_scale);
    });
    ui.label(RichText::new(format!("They go into {folder}.")).color(theme::colours(ui).weak));
    heading(ui, "Text");
    if ui.button("Type the clipboard's text").clicked() {
        wishes.push(Wish::Act(Action::Paste));
    }
    if ui.button("Copy the text on the screen").clicked() {
        wishes.push(Wish::Act(Action::Copy));
    }
}
