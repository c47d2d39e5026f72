//! Rows of monospace text, and fields for numbers.
use super::super::theme;
use egui::text::{LayoutJob, TextFormat};
use egui::{
    Color32, FontId, Key, Response, Sense, TextEdit, TextStyle, Ui, WidgetInfo, WidgetType, vec2,
};

/// A row of monospace text in several colours.
pub struct Row {
    job: LayoutJob,
    font: FontId,
}

impl Row {
    /// An empty row.
    pub fn new(ui: &Ui) -> Self {
        Self {
            job: LayoutJob::default(),
            font: TextStyle::Monospace.resolve(ui.style()),
        }
    }

    /// Appends text in a colour.
    #[must_use]
    pub fn add(mut self, text: &str, colour: Color32) -> Self {
        self.job
            .append(text, 0.0, TextFormat::simple(self.font.clone(), colour));
        self
    }

    /// Appends text on a ground of its own.
    #[must_use]
    pub fn add_on(mut self, text: &str, colour: Color32, ground: Color32) -> Self {
        let format = TextFormat {
            background: ground,
            ..TextFormat::simple(self.font.clone(), colour)
        };
        self.job.append(text, 0.0, format);
        self
    }

    /// Continues in the next line where it does not fit.
    #[must_use]
    pub fn wrapped(mut self, ui: &Ui) -> Self {
        self.job.wrap.max_width = ui.available_width();
        self
    }

    /// Shows it over the whole width; it can be clicked.
    pub fn show(self, ui: &mut Ui, ground: Option<Color32>) -> Response {
        let text = self.job.text.clone();
        let galley = ui.painter().layout_job(self.job);
        let size = vec2(ui.available_width().max(galley.size().x), galley.size().y);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        if let Some(ground) = ground {
            ui.painter().rect_filled(rect, 0.0, ground);
        } else if response.hovered() {
            ui.painter()
                .rect_filled(rect, 0.0, theme::colours(ui).hover);
        }
        ui.painter().galley(rect.min, galley, Color32::PLACEHOLDER);
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, &text));
        response
    }
}

/// Height of a row of monospace text with the space after it.
pub fn row_height(ui: &Ui) -> f32 {
    // Before a context's first pass there are no fonts, and characters have no height.
    ui.text_style_height(&TextStyle::Monospace).max(1.0) + ui.spacing().item_spacing.y
}

/// The number of rows that fit into the rest of the panel.
pub fn rows_left(ui: &Ui) -> usize {
    (ui.available_height() / row_height(ui)).floor().max(1.0) as usize
}

/// Packs rows closely.
pub fn close_rows(ui: &mut Ui) {
    ui.spacing_mut().item_spacing.y = 0.0;
}

/// Numbers that are being edited: one at a time.
#[derive(Default)]
pub struct Fields {
    editing: Option<(egui::Id, String, bool)>,
}

impl Fields {
    /// A hexadecimal number that becomes a field when it is clicked; the new number when one was entered.
    pub fn hexadecimal(
        &mut self,
        ui: &mut Ui,
        name: &str,
        digits: usize,
        value: u16,
        colour: Color32,
    ) -> Option<u16> {
        let id = ui.id().with(name);
        let width = ui
            .fonts_mut(|fonts| fonts.glyph_width(&TextStyle::Monospace.resolve(ui.style()), '0'))
            * digits as f32;
        if let Some((edited, text, fresh)) = &mut self.editing
            && *edited == id
        {
            let field = TextEdit::singleline(text)
                .id(id.with("field"))
                .font(TextStyle::Monospace)
                .desired_width(width + 4.0)
                .margin(vec2(2.0, 0.0));
            let response = ui.add(field);
            if std::mem::take(fresh) {
                response.request_focus();
                return None;
            }
            if response.lost_focus() {
                let entered = ui.input(|input| input.key_pressed(Key::Enter));
                let number = u16::from_str_radix(text.trim_start_matches('$'), 16).ok();
                self.editing = None;
                return number.filter(|&number| entered && (digits > 2 || number < 0x100));
            }
            return None;
        }
        let text = format!("{value:0digits$X}");
        let label = egui::Label::new(egui::RichText::new(&text).monospace().color(colour))
            .sense(Sense::click());
        let response = ui
            .add(label)
            .on_hover_text(format!("{value}  %{value:b}   click to change {name}"));
        response.widget_info(|| {
            WidgetInfo::labeled(WidgetType::Button, true, format!("change {name}"))
        });
        if response.clicked() {
            self.editing = Some((id, text, true));
        }
        None
    }
}

/// A line to type into; its text when Enter was pressed. The focus stays.
pub fn entry(ui: &mut Ui, text: &mut String, hint: &str, width: f32) -> Option<String> {
    let field = TextEdit::singleline(text)
        .font(TextStyle::Monospace)
        .hint_text(hint)
        .desired_width(width);
    let response = ui.add(field);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, hint));
    (response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)))
        .then(|| std::mem::take(text))
}
