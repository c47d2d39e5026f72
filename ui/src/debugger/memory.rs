//! Memory as bytes, as characters in the program's own set, as a bitmap, as players and missiles.
use super::super::picture::{Picture, Place as Spot};
use super::text::{Row, close_rows, entry, rows_left};
use super::{Before, Request, Scene, address, address_menu, code::wheel, theme};
use egui::{Event, Key, Rect, RichText, Sense, Ui, pos2, vec2};

/// The form in which memory is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Bytes,
    Text,
    Glyphs,
    Bitmap,
    Objects,
}

const MODES: [(Mode, &str); 5] = [
    (Mode::Bytes, "hex"),
    (Mode::Text, "text"),
    (Mode::Glyphs, "glyphs"),
    (Mode::Bitmap, "bitmap"),
    (Mode::Objects, "P/M"),
];

/// State of the panel between two passes.
pub struct State {
    mode: Mode,
    address: u16,
    typed: String,
    search: String,
    /// The byte that is being edited, and whether its high digit was entered.
    pub cursor: Option<(u16, Option<u8>)>,
    /// Bytes to a row, as text and bitmap.
    width: usize,
    picture: Picture,
}

impl Default for State {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            address: 0x0600,
            typed: String::new(),
            search: String::new(),
            cursor: None,
            width: 40,
            picture: Picture::default(),
        }
    }
}

impl State {
    /// Shows memory from an address on.
    pub fn show(&mut self, address: u16) {
        self.address = address;
        self.cursor = None;
    }

    /// True if typed digits go into memory.
    pub fn is_edited(&self) -> bool {
        self.cursor.is_some()
    }
}

/// The bytes that a search text means: `"text"` in ASCII, else digits in hexadecimal, two a byte.
fn pattern(text: &str) -> Option<Vec<u8>> {
    if let Some(text) = text.strip_prefix('"') {
        return Some(text.trim_end_matches('"').bytes().collect());
    }
    let digits: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if digits.is_empty() || !digits.is_ascii() || !digits.len().is_multiple_of(2) {
        return None;
    }
    (0..digits.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).ok())
        .collect()
}

/// The first place after `from` where memory holds `bytes`; around the end of memory.
fn find(scene: &Scene, bytes: &[u8], from: u16) -> Option<u16> {
    (1..=0x10000_u32)
        .map(|n| from.wrapping_add(n as u16))
        .find(|&at| {
            bytes
                .iter()
                .enumerate()
                .all(|(n, &byte)| scene.machine().peek(at.wrapping_add(n as u16)) == byte)
        })
}

/// The panel.
pub fn ui(
    ui: &mut Ui,
    state: &mut State,
    before: &Before,
    scene: &Scene,
    requests: &mut Vec<Request>,
) {
    ui.horizontal_wrapped(|ui| {
        if let Some(typed) = entry(ui, &mut state.typed, "address or name", 110.0) {
            match address(&typed, scene) {
                Some(address) => state.show(address),
                None => requests.push(Request::Say(format!("no such address or name: {typed}"))),
            }
        }
        for (mode, name) in MODES {
            if ui.selectable_label(state.mode == mode, name).clicked() {
                state.mode = mode;
                state.cursor = None;
            }
        }
        if matches!(state.mode, Mode::Text | Mode::Bitmap) {
            ui.add(
                egui::DragValue::new(&mut state.width)
                    .range(1..=64)
                    .suffix(" wide"),
            );
        }
        if let Some(typed) = entry(ui, &mut state.search, "find: A9 00 or \"text\"", 130.0) {
            search(state, &typed, scene, requests);
        }
    });
    let area = ui.available_rect_before_wrap();
    match state.mode {
        Mode::Bytes => bytes(ui, state, before, scene, requests),
        Mode::Text | Mode::Glyphs | Mode::Bitmap => drawn(ui, state, scene),
        Mode::Objects => objects(ui, state, scene),
    }
    let notches = ui.input(|input| {
        let over = input
            .pointer
            .hover_pos()
            .is_some_and(|at| area.contains(at));
        if over { wheel(input) } else { 0 }
    });
    let row = match state.mode {
        Mode::Bytes => 16,
        Mode::Glyphs => 256,
        _ => state.width as i32,
    };
    state.address = state.address.wrapping_sub((notches * 3 * row) as u16);
}

fn search(state: &mut State, typed: &str, scene: &Scene, requests: &mut Vec<Request>) {
    typed.clone_into(&mut state.search);
    requests.push(Request::Say(match pattern(typed.trim()) {
        None => "to find bytes type them as two digits each, or \"text\"".to_owned(),
        Some(bytes) => match find(scene, &bytes, state.address) {
            Some(at) => {
                state.address = at;
                format!("found at ${at:04X}")
            }
            None => format!("not in memory: {typed}"),
        },
    }));
}

fn bytes(
    ui: &mut Ui,
    state: &mut State,
    before: &Before,
    scene: &Scene,
    requests: &mut Vec<Request>,
) {
    close_rows(ui);
    edit(ui, state, requests);
    let cell = theme::cell(ui.ctx().pixels_per_point());
    for n in 0..rows_left(ui) {
        let at = state.address.wrapping_add(n as u16 * 16);
        let row = byte_row(ui, at, state.cursor, before, scene);
        let response = row.show(ui, None);
        let left = response.rect.left();
        let byte_at = |x: f32| {
            let column = ((x - left) / cell - 5.0).max(0.0);
            let column = if column > 24.0 { column - 1.0 } else { column };
            at.wrapping_add(((column / 3.0) as u16).min(15))
        };
        if (response.clicked() || response.secondary_clicked())
            && let Some(place) = response.interact_pointer_pos()
        {
            state.cursor = Some((byte_at(place.x), None));
        }
        if let Some((cursor, _)) = state.cursor {
            response.context_menu(|ui| address_menu(ui, cursor, false, requests));
        }
        if let Some(place) = response.hover_pos() {
            response.on_hover_text_at_pointer(description(byte_at(place.x), scene));
        }
    }
}

/// Sixteen bytes as numbers and as characters.
fn byte_row(
    ui: &Ui,
    at: u16,
    cursor: Option<(u16, Option<u8>)>,
    before: &Before,
    scene: &Scene,
) -> Row {
    let colours = theme::colours(ui);
    let mut row = Row::new(ui).add(&format!("{at:04X} "), colours.weak);
    let mut characters = Vec::new();
    for offset in 0..16 {
        let at = at.wrapping_add(offset);
        let byte = scene.machine().peek(at);
        let colour = if before.changed(at) && !scene.running {
            colours.changed
        } else {
            colours.text
        };
        row = row.add(if offset == 8 { "  " } else { " " }, colour);
        row = match cursor {
            Some((cursor, digit)) if cursor == at => {
                let text = digit.map_or(format!("{byte:02X}"), |digit| format!("{digit:X}_"));
                row.add_on(&text, colours.panel, colours.accent)
            }
            _ => row.add(&format!("{byte:02X}"), colour),
        };
        let plain = byte & 0x7F;
        let shown = matches!(plain, 0x20..=0x5F | 0x61..=0x7A).then_some(plain as char);
        characters.push((shown.unwrap_or('\u{B7}'), byte >= 0x80));
    }
    row = row.add("  ", colours.text);
    for (character, inverse) in characters {
        let text = character.to_string();
        row = if inverse {
            row.add_on(&text, colours.text, colours.line)
        } else {
            row.add(&text, colours.weak)
        };
    }
    row
}

/// Address, name and values of a byte.
fn description(at: u16, scene: &Scene) -> String {
    let byte = scene.machine().peek(at);
    let word = scene.machine().peek_word(at);
    let name = match scene.debugger.symbols.nearest(at, 0x40) {
        Some((name, 0)) => format!("  {name}"),
        Some((name, distance)) => format!("  {name}+{distance}"),
        None => String::new(),
    };
    format!("${at:04X}{name}\n{byte}  %{byte:08b}  word ${word:04X}")
}

/// Digits go into the byte under the cursor.
fn edit(ui: &Ui, state: &mut State, requests: &mut Vec<Request>) {
    let Some((mut at, mut digit)) = state.cursor else {
        return;
    };
    if ui.ctx().text_edit_focused() {
        state.cursor = None;
        return;
    }
    let mut keep = true;
    ui.input(|input| {
        for event in &input.events {
            match event {
                Event::Text(text) => {
                    for value in text.chars().filter_map(|c| c.to_digit(16)) {
                        match digit.take() {
                            None => digit = Some(value as u8),
                            Some(high) => {
                                requests.push(Request::Poke(at, vec![high << 4 | value as u8]));
                                at = at.wrapping_add(1);
                            }
                        }
                    }
                }
                Event::Key {
                    key, pressed: true, ..
                } => {
                    let by: i16 = match key {
                        Key::ArrowRight => 1,
                        Key::ArrowLeft => -1,
                        Key::ArrowDown => 16,
                        Key::ArrowUp => -16,
                        Key::Escape | Key::Enter => {
                            keep = false;
                            0
                        }
                        _ => continue,
                    };
                    at = at.wrapping_add_signed(by);
                    digit = None;
                }
                _ => {}
            }
        }
    });
    state.cursor = keep.then_some((at, digit));
}

/// Text in the program's character set, glyphs or a bitmap.
fn drawn(ui: &mut Ui, state: &mut State, scene: &Scene) {
    let colours = theme::colours(ui);
    let machine = scene.machine();
    let scale = ui.ctx().pixels_per_point();
    let font = u16::from(machine.bus().video.antic.written(0x9) & 0xFC) << 8;
    let glyph_row = |base: u16, code: u8, row: u16| {
        let bits = machine.peek(base.wrapping_add(u16::from(code & 0x7F) * 8 + row));
        if code & 0x80 == 0 { bits } else { !bits }
    };
    let (across, times) = match state.mode {
        Mode::Glyphs => (32, 2),
        Mode::Text => (state.width, if state.width <= 24 { 2 } else { 1 }),
        _ => (state.width, 2),
    };
    ui.label(RichText::new(caption(state, font)).color(colours.weak));
    let room = ui.available_rect_before_wrap();
    let lines = ((room.height() * scale) as usize / times).clamp(8, 256) / 8 * 8;
    let lines = if state.mode == Mode::Glyphs {
        32
    } else {
        lines
    };
    let packed = |c: egui::Color32| u32::from_be_bytes([0, c.r(), c.g(), c.b()]);
    let (ink, ground) = (packed(colours.text), packed(colours.well));
    let address = state.address;
    let mode = state.mode;
    let byte = |column: usize, line: usize| match mode {
        Mode::Text => {
            let code = machine.peek(address.wrapping_add((line / 8 * across + column) as u16));
            glyph_row(font, code, line as u16 % 8)
        }
        Mode::Glyphs => glyph_row(address, (line / 8 * across + column) as u8, line as u16 % 8),
        _ => machine.peek(address.wrapping_add((line * across + column) as u16)),
    };
    let pixels = (0..lines).flat_map(|line| {
        (0..across).flat_map(move |column| {
            let bits = byte(column, line);
            (0..8).map(move |bit| if bits << bit & 0x80 == 0 { ground } else { ink })
        })
    });
    state.picture.set(ui.ctx(), (across * 8, lines), pixels);
    let spot = Spot::fit(ui, room, (across * 8, lines), (1, 1), times);
    let spot = Spot {
        rect: Rect::from_min_size(
            pos2((room.left() * scale).round() / scale, spot.rect.top()),
            spot.rect.size(),
        ),
        ..spot
    };
    let response = ui.allocate_rect(spot.rect.intersect(room), Sense::hover());
    state.picture.paint(ui, spot, state.picture.whole());
    if let Some((x, y)) = response.hover_pos().and_then(|at| spot.pixel(at)) {
        let text = drawn_place(state, across, (x / 8, y), scene);
        response.on_hover_text_at_pointer(text);
    }
}

/// The addresses that are shown; `font` is that of the character set.
fn caption(state: &State, font: u16) -> String {
    match state.mode {
        Mode::Text => format!(
            "from ${:04X}, characters at ${font:04X} (CHBASE)",
            state.address
        ),
        Mode::Glyphs => format!("128 characters from ${:04X}", state.address),
        _ => format!("bits from ${:04X}", state.address),
    }
}

/// Address and value at a column and a line of text, glyphs or a bitmap.
fn drawn_place(
    state: &State,
    across: usize,
    (column, line): (usize, usize),
    scene: &Scene,
) -> String {
    let place = |offset: usize| state.address.wrapping_add(offset as u16);
    let cell = line / 8 * across + column;
    let (at, what) = match state.mode {
        Mode::Text => {
            let at = place(cell);
            (at, format!("screen code ${:02X}", scene.machine().peek(at)))
        }
        Mode::Glyphs => (
            place(cell * 8 + line % 8),
            format!("character {cell} = ${cell:02X}"),
        ),
        _ => {
            let at = place(line * across + column);
            (at, format!("${:02X}", scene.machine().peek(at)))
        }
    };
    format!("${at:04X}  {what}")
}

/// Players and missiles as DMA would read them.
fn objects(ui: &mut Ui, state: &mut State, scene: &Scene) {
    let colours = theme::colours(ui);
    let antic = &scene.machine().bus().video.antic;
    let fine = antic.dmactl() & 0x10 != 0;
    let base = antic.written(0x7);
    let (base, rows) = if fine {
        (u16::from(base & 0xF8) << 8, 256)
    } else {
        (u16::from(base & 0xFC) << 8, 128)
    };
    let first = base.wrapping_add(rows as u16 * 3);
    ui.label(
        RichText::new(format!(
            "missiles at ${first:04X}, players from ${:04X}, {rows} lines each",
            first.wrapping_add(rows as u16)
        ))
        .color(colours.weak),
    );
    let gtia = &scene.machine().bus().video.gtia;
    let colour = |object: usize| scene.palette[usize::from(gtia.written(0x12 + object as u8))];
    let packed = |c: egui::Color32| u32::from_be_bytes([0, c.r(), c.g(), c.b()]);
    let (ground, gap) = (packed(colours.well), packed(colours.panel));
    let width = 5 * 10;
    let pixels = (0..rows).flat_map(|row| {
        (0..width).map(move |x| {
            let (object, bit) = (x / 10, x % 10);
            if bit >= 8 {
                return gap;
            }
            let byte = scene
                .machine()
                .peek(first.wrapping_add((object * rows + row) as u16));
            // Missile 3 has the highest bits.
            let owner = if object == 0 { 3 - bit / 2 } else { object - 1 };
            let lit = byte << bit & 0x80 != 0;
            if lit {
                colour(owner).max(0x30_3030)
            } else {
                ground
            }
        })
    });
    state.picture.set(ui.ctx(), (width, rows), pixels);
    let room = ui.available_rect_before_wrap();
    let aspect = if fine { (2, 1) } else { (2, 2) };
    let spot = Spot::fit(ui, room, (width, rows), aspect, 3);
    let painter = ui.painter().with_clip_rect(room);
    if let Some(texture) = state.picture.id() {
        painter.image(
            texture,
            spot.rect,
            Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0)),
            egui::Color32::WHITE,
        );
    }
    paint_names(ui, room, spot);
    ui.allocate_rect(spot.rect.intersect(room), Sense::hover());
}

/// The names of missiles and players over their columns.
fn paint_names(ui: &Ui, room: Rect, spot: Spot) {
    let colour = theme::colours(ui).weak;
    let painter = ui.painter().with_clip_rect(room);
    let font = egui::TextStyle::Small.resolve(ui.style());
    for (n, name) in ["M", "P0", "P1", "P2", "P3"].into_iter().enumerate() {
        let at = spot.position(n as f32 * 10.0, 0.0) + vec2(1.0, 1.0);
        painter.text(at, egui::Align2::LEFT_TOP, name, font.clone(), colour);
    }
}

#[cfg(test)]
mod tests {
    use super::pattern;

    #[test]
    fn a_search_is_bytes_or_text() {
        assert_eq!(pattern("A9 00"), Some(vec![0xA9, 0]));
        assert_eq!(pattern("a900"), Some(vec![0xA9, 0]));
        assert_eq!(pattern("\"Hi\""), Some(b"Hi".to_vec()));
        assert_eq!(pattern("A9 0"), None);
        assert_eq!(pattern("xy"), None);
        assert_eq!(pattern("\u{e4}\u{e4}"), None);
        assert_eq!(pattern(""), None);
    }
}
