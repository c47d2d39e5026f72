//! A picture of a gamepad, with what its buttons do.
use super::super::theme;
use egui::{Align2, Color32, FontId, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};
use egui::{WidgetInfo, WidgetType};
use host::config::{GamepadButtons, PadButton};

/// Size of the picture.
const SIZE: Vec2 = vec2(340.0, 150.0);

/// A button: its middle, its size (a circle where both are equal), and the side of its words.
type Drawn = (PadButton, (f32, f32), (f32, f32), Align2);

/// All buttons.
const BUTTONS: [Drawn; 11] = [
    (
        PadButton::North,
        (246.0, 62.0),
        (16.0, 16.0),
        Align2::CENTER_BOTTOM,
    ),
    (
        PadButton::South,
        (246.0, 106.0),
        (16.0, 16.0),
        Align2::CENTER_TOP,
    ),
    (
        PadButton::West,
        (224.0, 84.0),
        (16.0, 16.0),
        Align2::RIGHT_CENTER,
    ),
    (
        PadButton::East,
        (268.0, 84.0),
        (16.0, 16.0),
        Align2::LEFT_CENTER,
    ),
    (
        PadButton::Select,
        (140.0, 90.0),
        (20.0, 8.0),
        Align2::CENTER_TOP,
    ),
    (
        PadButton::Start,
        (188.0, 90.0),
        (20.0, 8.0),
        Align2::CENTER_TOP,
    ),
    (
        PadButton::Mode,
        (163.0, 62.0),
        (14.0, 14.0),
        Align2::CENTER_BOTTOM,
    ),
    (
        PadButton::LeftShoulder,
        (72.0, 26.0),
        (46.0, 8.0),
        Align2::RIGHT_CENTER,
    ),
    (
        PadButton::RightShoulder,
        (282.0, 26.0),
        (46.0, 8.0),
        Align2::LEFT_CENTER,
    ),
    (
        PadButton::LeftTrigger,
        (72.0, 12.0),
        (46.0, 10.0),
        Align2::RIGHT_CENTER,
    ),
    (
        PadButton::RightTrigger,
        (282.0, 12.0),
        (46.0, 10.0),
        Align2::LEFT_CENTER,
    ),
];

/// The action of a button, if it has one.
fn role(pad: &GamepadButtons, button: PadButton) -> Option<&'static str> {
    let roles = [
        (&pad.trigger, "trigger"),
        (&pad.start, "START"),
        (&pad.select, "SELECT"),
        (&pad.option, "OPTION"),
        (&pad.menu, "menu"),
    ];
    let found = roles
        .into_iter()
        .find(|(buttons, _)| buttons.contains(&button));
    found.map(|(_, name)| name)
}

/// Draws the gamepad.
pub fn ui(ui: &mut Ui, pad: &GamepadButtons) {
    let (area, response) = ui.allocate_exact_size(SIZE, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, in_words(pad)));
    let colours = theme::colours(ui);
    let painter = ui.painter();
    let at = |x: f32, y: f32| area.min + vec2(x, y);
    let line = Stroke::new(1.0, colours.weak);
    let body = Rect::from_min_max(at(40.0, 34.0), at(330.0, 136.0));
    painter.rect(body, 40.0, colours.panel, line, StrokeKind::Inside);
    let font = FontId::proportional(12.0);
    let cross = at(88.0, 84.0);
    for size in [vec2(46.0, 14.0), vec2(14.0, 46.0)] {
        painter.rect_filled(Rect::from_center_size(cross, size), 2.0, colours.accent);
    }
    let below = cross + vec2(0.0, 26.0);
    painter.text(
        below,
        Align2::CENTER_TOP,
        "stick",
        font.clone(),
        colours.text,
    );
    for (button, (x, y), size, side) in BUTTONS {
        let role = role(pad, button);
        let colour = if role.is_some() {
            colours.accent
        } else {
            colours.weak.gamma_multiply(0.5)
        };
        let place = Rect::from_center_size(at(x, y), size.into());
        draw(painter, place, colour);
        if let Some(role) = role {
            painter.text(beside(place, side), side, role, font.clone(), colours.text);
        }
    }
}

fn draw(painter: &egui::Painter, place: Rect, colour: Color32) {
    if place.width() > place.height() {
        painter.rect_filled(place, 3.0, colour);
    } else {
        painter.circle_filled(place.center(), place.width() / 2.0, colour);
    }
}

/// Where the words of a button are anchored.
fn beside(place: Rect, side: Align2) -> Pos2 {
    let gap = 3.0;
    let middle = place.center();
    match side {
        Align2::CENTER_BOTTOM => pos2(middle.x, place.top() - gap),
        Align2::CENTER_TOP => pos2(middle.x, place.bottom() + gap),
        Align2::RIGHT_CENTER => pos2(place.left() - gap, middle.y),
        _ => pos2(place.right() + gap, middle.y),
    }
}

/// The picture in words.
fn in_words(pad: &GamepadButtons) -> String {
    let roles = BUTTONS
        .iter()
        .filter_map(|&(button, ..)| Some((button, role(pad, button)?)));
    let roles: Vec<String> = roles
        .map(|(button, role)| format!("{button:?} is {role}"))
        .collect();
    format!(
        "gamepad: cross and left stick are the joystick, {}",
        roles.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_say_what_the_buttons_do() {
        let pad = GamepadButtons {
            option: vec![PadButton::LeftTrigger],
            ..GamepadButtons::default()
        };
        let words = in_words(&pad);
        for part in ["South is trigger", "LeftTrigger is OPTION", "Mode is menu"] {
            assert!(words.contains(part), "{words}");
        }
        assert!(!words.contains("North"), "{words}");
    }
}
