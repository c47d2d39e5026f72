//! The register map: every register of the four chips with its bits by name, and the shadow register that the OS copies to it.
use super::text::{Row, close_rows};
use super::{Request, Scene, theme};
use egui::{
    Color32, Key, RichText, Sense, Stroke, StrokeKind, TextEdit, TextStyle, Ui, WidgetInfo,
    WidgetType, vec2,
};

/// A register: name, address, address of its shadow, and the names of its bits, from the highest mask down.
struct Register {
    name: &'static str,
    address: u16,
    shadow: Option<u16>,
    /// True if a read gives something else than what was written.
    read: bool,
    bits: &'static [(u8, &'static str)],
}

const fn written(name: &'static str, address: u16) -> Register {
    Register {
        name,
        address,
        shadow: None,
        read: false,
        bits: &[],
    }
}

const fn reads(name: &'static str, address: u16) -> Register {
    Register {
        name,
        address,
        shadow: None,
        read: true,
        bits: &[],
    }
}

impl Register {
    const fn shadow(mut self, address: u16) -> Self {
        self.shadow = Some(address);
        self
    }

    const fn bits(mut self, bits: &'static [(u8, &'static str)]) -> Self {
        self.bits = bits;
        self
    }

    /// True if a write loads it: PIA's registers read as they were written.
    fn is_writable(&self) -> bool {
        !self.read || self.address >> 8 == 0xD3
    }

    fn description(&self, value: u8) -> String {
        let shadow = self.shadow.map_or(String::new(), |shadow| {
            format!(", its shadow ${shadow:04X}")
        });
        let kind = if self.read {
            "as it is read"
        } else {
            "as it was written"
        };
        format!(
            "{} ${:04X} {kind}: ${value:02X} = {value} = %{value:08b}{shadow}",
            self.name, self.address
        )
    }

    fn value(&self, scene: &Scene) -> u8 {
        let machine = scene.machine();
        if self.read {
            return machine.peek(self.address);
        }
        match self.address >> 8 {
            0xD0 => machine.bus().video.gtia.written(self.address as u8),
            0xD2 => machine.bus().io.pokey.written(self.address as u8),
            0xD4 => machine.bus().video.antic.written(self.address as u8),
            _ => machine.peek(self.address),
        }
    }
}

const IRQ: &[(u8, &str)] = &[
    (0x80, "BREAK"),
    (0x40, "key"),
    (0x20, "serial in"),
    (0x10, "serial out empty"),
    (0x08, "serial out done"),
    (0x04, "timer 4"),
    (0x02, "timer 2"),
    (0x01, "timer 1"),
];
const SIZE: &[(u8, &str)] = &[(0x02, "with 01: x4"), (0x01, "x2")];
const MISSILE_SIZES: &[(u8, &str)] = &[(0xC0, "M3"), (0x30, "M2"), (0x0C, "M1"), (0x03, "M0")];
const AUDC: &[(u8, &str)] = &[
    (0x80, "no poly5"),
    (0x40, "poly4"),
    (0x20, "pure"),
    (0x10, "volume only"),
    (0x0F, "volume"),
];
const PORTS: &[(u8, &str)] = &[
    (0x80, "right 2"),
    (0x40, "left 2"),
    (0x20, "down 2"),
    (0x10, "up 2"),
    (0x08, "right"),
    (0x04, "left"),
    (0x02, "down"),
    (0x01, "up"),
];
const PLAYFIELDS: &[(u8, &str)] = &[(8, "PF3"), (4, "PF2"), (2, "PF1"), (1, "PF0")];
const PLAYERS: &[(u8, &str)] = &[(8, "P3"), (4, "P2"), (2, "P1"), (1, "P0")];

/// ANTIC, GTIA, POKEY, PIA.
const CHIPS: [(&str, &[Register]); 4] = [
    (
        "ANTIC",
        &[
            written("DMACTL", 0xD400).shadow(0x22F).bits(&[
                (0x20, "display list"),
                (0x10, "one line P/M"),
                (0x08, "players"),
                (0x04, "missiles"),
                (0x03, "width"),
            ]),
            written("CHACTL", 0xD401).shadow(0x2F3).bits(&[
                (4, "upside down"),
                (2, "inverse"),
                (1, "blank"),
            ]),
            written("DLISTL", 0xD402).shadow(0x230),
            written("DLISTH", 0xD403).shadow(0x231),
            written("HSCROL", 0xD404),
            written("VSCROL", 0xD405),
            written("PMBASE", 0xD407),
            written("CHBASE", 0xD409).shadow(0x2F4),
            reads("VCOUNT", 0xD40B),
            reads("PENH", 0xD40C).shadow(0x234),
            reads("PENV", 0xD40D).shadow(0x235),
            written("NMIEN", 0xD40E).bits(&[(0x80, "DLI"), (0x40, "VBI")]),
            reads("NMIST", 0xD40F).bits(&[(0x80, "DLI"), (0x40, "VBI"), (0x20, "RESET")]),
        ],
    ),
    (
        "GTIA",
        &[
            written("COLPM0", 0xD012).shadow(0x2C0),
            written("COLPM1", 0xD013).shadow(0x2C1),
            written("COLPM2", 0xD014).shadow(0x2C2),
            written("COLPM3", 0xD015).shadow(0x2C3),
            written("COLPF0", 0xD016).shadow(0x2C4),
            written("COLPF1", 0xD017).shadow(0x2C5),
            written("COLPF2", 0xD018).shadow(0x2C6),
            written("COLPF3", 0xD019).shadow(0x2C7),
            written("COLBK", 0xD01A).shadow(0x2C8),
            written("PRIOR", 0xD01B).shadow(0x26F).bits(&[
                (0xC0, "GTIA mode"),
                (0x20, "mix players"),
                (0x10, "fifth player"),
                (0x08, "PF01 P PF23"),
                (0x04, "PF P"),
                (0x02, "P01 PF P23"),
                (0x01, "P PF"),
            ]),
            written("HPOSP0", 0xD000),
            written("HPOSP1", 0xD001),
            written("HPOSP2", 0xD002),
            written("HPOSP3", 0xD003),
            written("HPOSM0", 0xD004),
            written("HPOSM1", 0xD005),
            written("HPOSM2", 0xD006),
            written("HPOSM3", 0xD007),
            written("SIZEP0", 0xD008).bits(SIZE),
            written("SIZEP1", 0xD009).bits(SIZE),
            written("SIZEP2", 0xD00A).bits(SIZE),
            written("SIZEP3", 0xD00B).bits(SIZE),
            written("SIZEM", 0xD00C).bits(MISSILE_SIZES),
            written("GRAFP0", 0xD00D),
            written("GRAFP1", 0xD00E),
            written("GRAFP2", 0xD00F),
            written("GRAFP3", 0xD010),
            written("GRAFM", 0xD011).bits(MISSILE_SIZES),
            written("VDELAY", 0xD01C),
            written("GRACTL", 0xD01D).bits(&[
                (4, "latch triggers"),
                (2, "players"),
                (1, "missiles"),
            ]),
            reads("M0PF", 0xD000).bits(PLAYFIELDS),
            reads("M1PF", 0xD001).bits(PLAYFIELDS),
            reads("M2PF", 0xD002).bits(PLAYFIELDS),
            reads("M3PF", 0xD003).bits(PLAYFIELDS),
            reads("P0PF", 0xD004).bits(PLAYFIELDS),
            reads("P1PF", 0xD005).bits(PLAYFIELDS),
            reads("P2PF", 0xD006).bits(PLAYFIELDS),
            reads("P3PF", 0xD007).bits(PLAYFIELDS),
            reads("M0PL", 0xD008).bits(PLAYERS),
            reads("M1PL", 0xD009).bits(PLAYERS),
            reads("M2PL", 0xD00A).bits(PLAYERS),
            reads("M3PL", 0xD00B).bits(PLAYERS),
            reads("P0PL", 0xD00C).bits(PLAYERS),
            reads("P1PL", 0xD00D).bits(PLAYERS),
            reads("P2PL", 0xD00E).bits(PLAYERS),
            reads("P3PL", 0xD00F).bits(PLAYERS),
            reads("TRIG0", 0xD010).shadow(0x284),
            reads("TRIG1", 0xD011).shadow(0x285),
            reads("TRIG2", 0xD012).shadow(0x286),
            reads("TRIG3", 0xD013).shadow(0x287),
            reads("CONSOL", 0xD01F).bits(&[(4, "OPTION up"), (2, "SELECT up"), (1, "START up")]),
        ],
    ),
    (
        "POKEY",
        &[
            written("AUDF1", 0xD200),
            written("AUDC1", 0xD201).bits(AUDC),
            written("AUDF2", 0xD202),
            written("AUDC2", 0xD203).bits(AUDC),
            written("AUDF3", 0xD204),
            written("AUDC3", 0xD205).bits(AUDC),
            written("AUDF4", 0xD206),
            written("AUDC4", 0xD207).bits(AUDC),
            written("AUDCTL", 0xD208).bits(&[
                (0x80, "9-bit noise"),
                (0x40, "1: 1.79 MHz"),
                (0x20, "3: 1.79 MHz"),
                (0x10, "1+2"),
                (0x08, "3+4"),
                (0x04, "1 filtered by 3"),
                (0x02, "2 filtered by 4"),
                (0x01, "15 kHz"),
            ]),
            written("IRQEN", 0xD20E).shadow(0x10).bits(IRQ),
            reads("IRQST", 0xD20E).bits(IRQ),
            written("SKCTL", 0xD20F).shadow(0x232).bits(&[
                (0x80, "break"),
                (0x70, "serial clocks"),
                (0x08, "two tones"),
                (0x04, "fast pots"),
                (0x02, "keyboard"),
                (0x01, "debounce"),
            ]),
            reads("SKSTAT", 0xD20F).bits(&[
                (0x80, "no frame error"),
                (0x40, "no key overrun"),
                (0x20, "no input overrun"),
                (0x10, "serial line"),
                (0x08, "SHIFT up"),
                (0x04, "key up"),
                (0x02, "input idle"),
            ]),
            reads("KBCODE", 0xD209)
                .shadow(0x2FC)
                .bits(&[(0x80, "CONTROL"), (0x40, "SHIFT")]),
            reads("RANDOM", 0xD20A),
            reads("POT0", 0xD200).shadow(0x270),
            reads("POT1", 0xD201).shadow(0x271),
            reads("POT2", 0xD202).shadow(0x272),
            reads("POT3", 0xD203).shadow(0x273),
        ],
    ),
    (
        "PIA",
        &[
            reads("PORTA", 0xD300).bits(PORTS),
            reads("PORTB", 0xD301).bits(&[
                (0x80, "no self-test"),
                (0x20, "ANTIC main"),
                (0x10, "CPU main"),
                (0x0C, "bank"),
                (0x02, "no BASIC"),
                (0x01, "OS ROM"),
            ]),
            reads("PACTL", 0xD302).bits(&[
                (0x80, "proceed"),
                (0x08, "motor off"),
                (0x04, "port, not direction"),
                (0x01, "IRQ"),
            ]),
            reads("PBCTL", 0xD303).bits(&[
                (0x80, "interrupt"),
                (0x08, "command off"),
                (0x04, "port, not direction"),
                (0x01, "IRQ"),
            ]),
        ],
    ),
];

/// The column at which names of bits begin in rows of their own.
const BITS: usize = 5;

/// State of the panel between two passes.
#[derive(Default)]
pub struct State {
    /// One chip, or all of them.
    chip: Option<usize>,
    /// The register that is being typed, its text, and whether the field is new.
    editing: Option<(u16, String, bool)>,
}

/// The panel.
pub fn ui(ui: &mut Ui, state: &mut State, scene: &Scene, requests: &mut Vec<Request>) {
    let colours = theme::colours(ui);
    ui.horizontal(|ui| {
        if ui.selectable_label(state.chip.is_none(), "all").clicked() {
            state.chip = None;
        }
        for (n, (name, _)) in CHIPS.iter().enumerate() {
            if ui.selectable_label(state.chip == Some(n), *name).clicked() {
                state.chip = Some(n);
            }
        }
        ui.label(
            RichText::new("click a register to write to it")
                .color(colours.weak)
                .small(),
        );
    });
    close_rows(ui);
    for (n, (name, registers)) in CHIPS.iter().enumerate() {
        if state.chip.is_some_and(|chip| chip != n) {
            continue;
        }
        if state.chip.is_none() {
            ui.horizontal(|ui| {
                let (rect, _) = ui.allocate_exact_size(vec2(9.0, 9.0), Sense::hover());
                ui.painter().rect_filled(rect, 0.0, colours.chips[n]);
                ui.label(RichText::new(*name).color(colours.accent));
            });
        }
        rows(ui, registers, &mut state.editing, scene, requests);
    }
}

/// A field in place of a register's row; done when it is left.
fn field(
    ui: &mut Ui,
    register: &Register,
    editing: &mut Option<(u16, String, bool)>,
    requests: &mut Vec<Request>,
) {
    let colours = theme::colours(ui);
    let Some((address, text, fresh)) = editing else {
        return;
    };
    let mut done = false;
    ui.horizontal(|ui| {
        ui.label(
            RichText::new(format!("{address:04X} {:7}", register.name))
                .monospace()
                .color(colours.accent),
        );
        let field = TextEdit::singleline(text)
            .font(TextStyle::Monospace)
            .desired_width(40.0)
            .margin(vec2(2.0, 0.0));
        let response = ui.add(field);
        let name = format!("write {}", register.name);
        response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, &name));
        ui.label(
            RichText::new("hexadecimal, Enter writes")
                .color(colours.weak)
                .small(),
        );
        if std::mem::take(fresh) {
            response.request_focus();
        } else if response.lost_focus() {
            done = true;
            let value = u8::from_str_radix(text.trim().trim_start_matches('$'), 16);
            if ui.input(|input| input.key_pressed(Key::Enter)) {
                requests.push(match value {
                    Ok(value) => Request::Poke(*address, vec![value]),
                    Err(_) => Request::Say(format!("{text} is no byte in hexadecimal")),
                });
            }
        }
    });
    if done {
        *editing = None;
    }
}

/// The registers of a chip.
fn rows(
    ui: &mut Ui,
    registers: &[Register],
    editing: &mut Option<(u16, String, bool)>,
    scene: &Scene,
    requests: &mut Vec<Request>,
) {
    let colours = theme::colours(ui);
    for register in registers {
        let value = register.value(scene);
        let edited = editing.as_ref().map(|(address, ..)| *address);
        if register.is_writable() && edited == Some(register.address) {
            field(ui, register, editing, requests);
            continue;
        }
        let (row, further) = texts(ui, register, value, scene);
        let is_colour = (0xD012..=0xD01A).contains(&register.address) && !register.read;
        let response = row.show(ui, None);
        if response.clicked() && register.is_writable() {
            *editing = Some((register.address, format!("{value:02X}"), true));
        }
        if is_colour {
            let [_, r, g, b] = scene.palette[usize::from(value)].to_be_bytes();
            let mut swatch = response.rect;
            swatch.min.x += 160.0;
            swatch.max.x = swatch.min.x + 60.0;
            ui.painter().rect(
                swatch.shrink2(vec2(0.0, 2.0)),
                0.0,
                Color32::from_rgb(r, g, b),
                Stroke::new(1.0, colours.line),
                StrokeKind::Inside,
            );
        }
        for row in further {
            row.show(ui, None);
        }
        response.on_hover_text(register.description(value));
    }
}

/// The row of a register, and rows of their own for the bits that do not fit into it.
fn texts(ui: &Ui, register: &Register, value: u8, scene: &Scene) -> (Row, Vec<Row>) {
    let colours = theme::colours(ui);
    let columns = (ui.available_width() / theme::cell(ui.ctx().pixels_per_point())) as usize;
    let name_colour = if register.read {
        colours.weak
    } else {
        colours.text
    };
    let mut row = Row::new(ui)
        .add(&format!("{:04X} ", register.address), colours.weak)
        .add(&format!("{:7}", register.name), name_colour)
        .add(&format!("{value:02X} "), colours.text);
    row = match register.shadow {
        Some(shadow) => {
            let copy = scene.machine().peek(shadow);
            // A shadow that differs is about to be copied, or the program has written the register itself.
            let colour = if copy == value {
                colours.weak
            } else {
                colours.changed
            };
            row.add(&format!("{copy:02X} "), colour)
        }
        None => row.add("   ", colours.weak),
    };
    let mut used = 19;
    let mut full = Vec::new();
    for &(mask, name) in register.bits {
        let (text, colour) = if mask.is_power_of_two() {
            let colour = if value & mask == 0 {
                colours.weak.gamma_multiply(0.6)
            } else {
                colours.accent
            };
            (name.to_owned(), colour)
        } else {
            let bits = (value & mask) >> mask.trailing_zeros();
            (format!("{name} {bits}"), colours.text)
        };
        if used + text.len() > columns {
            full.push(row);
            row = Row::new(ui).add(&" ".repeat(BITS), colour);
            used = BITS;
        }
        used += text.len() + 2;
        row = row.add(&text, colour).add("  ", colour);
    }
    full.push(row);
    let first = full.remove(0);
    (first, full)
}
