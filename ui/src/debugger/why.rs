//! The explanation of a pixel: the layer that won, its colour register, the bytes that it shows, and the stores of those.
use super::events::Frame;
use super::text::{Row, close_rows};
use super::{Request, Scene, picture, theme};
use debugger::{FrameCause, Origin, Why};
use egui::{RichText, ScrollArea, Ui};

/// A link of a pixel's explanation.
struct Link {
    what: String,
    origin: Origin,
}

/// The stores and fetches that an explanation names.
fn links(why: &Why) -> Vec<Link> {
    let mut links = Vec::new();
    let mut add = |what: String, origin: Option<Origin>| {
        links.extend(origin.map(|origin| Link { what, origin }));
    };
    for colour in &why.colours {
        add("its colour".to_owned(), Some(colour.origin));
    }
    add("the priority".to_owned(), why.prior);
    for object in &why.objects {
        let name = if object.number < 4 {
            format!("player {}", object.number)
        } else {
            format!("missile {}", object.number - 4)
        };
        add(format!("the place of {name}"), Some(object.hpos));
        add(format!("the shape of {name}"), Some(object.graf));
        add(format!("who wrote the shape of {name}"), object.graf_origin);
    }
    if let Some(playfield) = &why.playfield {
        for byte in &playfield.bytes {
            add("the byte on the screen".to_owned(), byte.origin);
            add("the byte of the character".to_owned(), byte.glyph_origin);
        }
        add(
            "the display list's instruction".to_owned(),
            playfield.list_origin,
        );
    }
    links
}

/// Goes to where something came from.
fn go(origin: &Origin, cause: &FrameCause, scene: &Scene) -> Request {
    let (address, _) = origin.byte();
    let before = scene.track.moment_at(cause.log.frame_start);
    match (origin.now(), before) {
        (Some(now), _) => super::events::go_to_cycle(now, scene),
        // A store after the pixel did not make it.
        (None, Some(before)) => Request::WriteBefore(address, before),
        (None, None) => Request::BackToWrite(address),
    }
}

/// Goes to the store of a pixel's colour.
pub fn go_to_colour(why: &Why, cause: &FrameCause, scene: &Scene) -> Option<Request> {
    let colour = why.colours.first()?;
    Some(go(&colour.origin, cause, scene))
}

/// The explanation of the pixel that was pointed at, and the frame that it was drawn in.
pub fn explain<'a>(
    frame: &'a mut Frame,
    picture: &picture::State,
    scene: &Scene,
) -> Option<(&'a FrameCause, Why)> {
    explain_at(frame, picture.explained()?, scene)
}

/// The explanation of a pixel.
pub fn explain_at<'a>(
    frame: &'a mut Frame,
    pixel: (usize, usize),
    scene: &Scene,
) -> Option<(&'a FrameCause, Why)> {
    if scene.running {
        return None;
    }
    let cause = frame.cause(scene, pixel)?;
    let why = cause.why(pixel.0, pixel.1)?;
    Some((cause, why))
}

/// The panel.
pub fn ui(
    ui: &mut Ui,
    frame: &mut Frame,
    picture: &picture::State,
    scene: &Scene,
    requests: &mut Vec<Request>,
) {
    let colours = theme::colours(ui);
    let Some((cause, why)) = explain(frame, picture, scene) else {
        let text = if scene.running {
            "break to ask why a pixel is as it is"
        } else if picture.explained().is_some() {
            "the beginning of the frame in which this pixel was drawn is not recorded"
        } else {
            "point at the picture; a click holds the pixel"
        };
        ui.label(RichText::new(text).color(colours.weak));
        return;
    };
    let name = |address: u16| scene.debugger.symbols.name(address).map(str::to_owned);
    close_rows(ui);
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        for (n, line) in why.lines(cause, &name).iter().enumerate() {
            let colour = if n == 0 { colours.accent } else { colours.text };
            Row::new(ui)
                .add(&line.to_string(), colour)
                .wrapped(ui)
                .show(ui, None);
        }
        ui.add_space(4.0);
        for link in links(&why) {
            let text = cause.origin(&link.origin, &name);
            let response = Row::new(ui)
                .add("\u{25B6} ", colours.accent)
                .add(&format!("{}: ", link.what), colours.weak)
                .add(&text, colours.text)
                .wrapped(ui)
                .show(ui, None);
            if response.on_hover_text("go there in time").clicked() {
                requests.push(go(&link.origin, cause, scene));
            }
        }
    });
}
