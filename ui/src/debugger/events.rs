//! The event map: a frame with everything that happened on the bus, each at the place of the beam; and the record of a frame that this panel,
//! the strip of a line and the list of interrupts share.
use super::super::theme::{self, Colours, Owner};
use super::{Request, Scene, item, picture};
use debugger::{DliTimeline, Event, FrameCause, FrameLog, Kind, Owner as BusOwner, Replay};
use egui::{
    Color32, Painter, Pos2, Rect, RichText, Sense, Stroke, StrokeKind, Ui, WidgetInfo, WidgetType,
    pos2, vec2,
};

/// Machine cycles of a scan line.
const CYCLES: u64 = 114;
/// Points to a machine cycle on the map, at the least.
const WIDTH: f32 = 4.0;

/// A frame, run again with a probe.
#[derive(Default)]
pub struct Frame {
    key: Option<(u64, u64)>,
    timeline: Option<DliTimeline>,
    /// The causes of a row's pixels, with the machine cycle, the start of their frame and the row.
    cause: Option<((u64, u64, usize), Option<FrameCause>)>,
}

/// The machine cycle in which the frame has begun.
fn frame_start(scene: &Scene) -> u64 {
    let beam = scene.machine().beam();
    scene.machine().now() - u64::from(beam.line) * CYCLES - u64::from(beam.cycle)
}

impl Frame {
    /// The frame in which the machine is. While the machine runs, the frame that it begins.
    pub fn update(&mut self, scene: &Scene) -> Option<&DliTimeline> {
        let machine = scene.machine();
        let start = frame_start(scene);
        // What was poked or entered since changes the rest of the frame.
        let key = Some((start, machine.now()));
        if self.key != key {
            self.key = key;
            let begin = scene.track.moment_at(start);
            let replay = begin.and_then(|begin| Replay::of(scene.track, begin));
            self.timeline = replay.map(|mut replay| {
                if scene.running {
                    DliTimeline::without_findings(&mut replay)
                } else {
                    DliTimeline::of(&mut replay)
                }
            });
        }
        self.timeline.as_ref()
    }

    /// The causes of the pixels of a row that the picture shows: of this frame down to the beam, of the last one below.
    pub fn cause(&mut self, scene: &Scene, pixel: (usize, usize)) -> Option<&FrameCause> {
        let machine = scene.machine();
        let (line, cycle) = picture::beam_at(pixel);
        let beam = machine.beam();
        let drawn = (line, cycle) < (beam.line, beam.cycle);
        let lines = u64::from(machine.bus().video.antic.lines());
        let start = frame_start(scene).checked_sub(if drawn { 0 } else { lines * CYCLES })?;
        let key = (machine.now(), start, pixel.1);
        if self.cause.as_ref().is_none_or(|(cached, _)| *cached != key) {
            let begin = scene.track.moment_at(start);
            let replay = begin.and_then(|begin| Replay::of(scene.track, begin));
            let cause = replay.map(|replay| FrameCause::of_row(replay, pixel.1));
            self.cause = Some((key, cause));
        }
        self.cause.as_ref().and_then(|(_, cause)| cause.as_ref())
    }
}

/// State of the panel between two passes.
pub struct State {
    chips: [bool; 4],
    reads: bool,
    interrupts: bool,
    wsync: bool,
    dma: bool,
    /// The event that was clicked.
    chosen: Option<Event>,
    /// Points to a pixel of the picture; 0: as many as the panel allows.
    zoom: u8,
}

impl Default for State {
    fn default() -> Self {
        Self {
            chips: [true; 4],
            reads: false,
            interrupts: true,
            wsync: true,
            dma: false,
            chosen: None,
            zoom: 0,
        }
    }
}

/// The chip that answers at an address: ANTIC, GTIA, POKEY, PIA.
fn chip(address: u16) -> Option<usize> {
    match address >> 8 {
        0xD4 => Some(0),
        0xD0 => Some(1),
        0xD2 => Some(2),
        0xD3 => Some(3),
        _ => None,
    }
}

/// The theme's owner of a cycle.
pub fn owner(owner: BusOwner) -> Owner {
    match owner {
        BusOwner::Cpu => Owner::Cpu,
        BusOwner::Stalled => Owner::Wsync,
        BusOwner::Refresh => Owner::Refresh,
        BusOwner::List => Owner::DisplayList,
        BusOwner::Objects => Owner::Objects,
        BusOwner::Name | BusOwner::Glyph | BusOwner::Bitmap => Owner::Playfield,
    }
}

/// An event's colour; none of those that are not shown as events.
pub fn colour(event: &Event, colours: &Colours) -> Option<Color32> {
    match event.kind {
        Kind::Write | Kind::Edit | Kind::Read => {
            chip(event.address).map(|chip| colours.chips[chip])
        }
        Kind::Irq | Kind::Entry(debugger::Entry::Irq) => Some(Owner::Irq.colour(colours)),
        Kind::Nmi | Kind::Routine | Kind::Entry(_) => Some(Owner::Nmi.colour(colours)),
        _ => None,
    }
}

impl State {
    fn shows(&self, event: &Event) -> bool {
        match event.kind {
            Kind::Write | Kind::Edit => chip(event.address).is_some_and(|chip| self.chips[chip]),
            Kind::Read => self.reads && chip(event.address).is_some_and(|chip| self.chips[chip]),
            Kind::Nmi | Kind::Irq | Kind::Entry(_) | Kind::Routine => self.interrupts,
            _ => false,
        }
    }
}

/// A request to go to a machine cycle of a frame that was recorded.
pub fn go_to(log: &FrameLog, now: u64, scene: &Scene) -> Request {
    let (line, cycle) = log.beam(now);
    let step = debugger::Step::Beam(line, cycle);
    if now < scene.machine().now() {
        Request::Back(step)
    } else {
        Request::Step(step)
    }
}

/// A request to go to a machine cycle of this frame or the last one.
pub fn go_to_cycle(now: u64, scene: &Scene) -> Request {
    let lines = u64::from(scene.machine().bus().video.antic.lines());
    let within = (now + lines * CYCLES - frame_start(scene)) % (lines * CYCLES);
    let step = debugger::Step::Beam((within / CYCLES) as u16, (within % CYCLES) as u8);
    if now < scene.machine().now() {
        Request::Back(step)
    } else {
        Request::Step(step)
    }
}

/// The panel.
pub fn ui(
    ui: &mut Ui,
    state: &mut State,
    frame: &mut Frame,
    picture: &mut picture::State,
    scene: &Scene,
    requests: &mut Vec<Request>,
) {
    let colours = theme::colours(ui);
    filters(ui, state, colours);
    let Some(timeline) = frame.update(scene) else {
        ui.label(RichText::new("the beginning of this frame is not recorded").color(colours.weak));
        return;
    };
    let log = &timeline.log;
    let scale = ui.ctx().pixels_per_point();
    let lines = f32::from(log.lines);
    let text = ui.text_style_height(&egui::TextStyle::Monospace) + 8.0;
    let panel = ui.available_rect_before_wrap();
    let fitting = (panel.width() * scale / (CYCLES as f32 * WIDTH))
        .min((panel.height() - text) * scale / lines);
    // A cycle is four pixels of the picture; the map keeps that shape, with cycles of whole pixels of the screen.
    let fitting = ((fitting * WIDTH).floor() / WIDTH).max(1.0);
    let times = match state.zoom {
        0 => fitting,
        zoom => f32::from(zoom) * scale.round().max(1.0),
    } / scale;
    let mut shown = None;
    egui::ScrollArea::both()
        .id_salt("event map")
        .max_height((panel.height() - text).max(40.0))
        .auto_shrink(false)
        .show(ui, |ui| {
            shown = map(ui, state, timeline, picture, times, scene, requests);
        });
    if let Some(event) = shown {
        let name = |address: u16| scene.debugger.symbols.name(address).map(str::to_owned);
        ui.monospace(log.line(&event, &name));
    } else {
        ui.label(RichText::new("point at an event; double click goes there").color(colours.weak));
    }
}

/// The map itself; the event that the mouse points at, or that was clicked.
fn map(
    ui: &mut Ui,
    state: &mut State,
    timeline: &DliTimeline,
    picture: &mut picture::State,
    times: f32,
    scene: &Scene,
    requests: &mut Vec<Request>,
) -> Option<Event> {
    let colours = theme::colours(ui);
    let log = &timeline.log;
    let room = ui.available_rect_before_wrap();
    let scale = ui.ctx().pixels_per_point();
    let whole = |at: f32| (at * scale).floor() / scale;
    let size = vec2(CYCLES as f32 * WIDTH, f32::from(log.lines)) * times;
    let origin = pos2(
        whole(room.left() + (room.width() - size.x).max(0.0) / 2.0),
        whole(room.top()),
    );
    let grid = Grid { origin, times };
    let rect = Rect::from_min_size(origin, size);
    let response = ui.allocate_rect(rect, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Image, true, "the event map"));
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, 0.0, colours.well);
    let shown = Rect::from_min_size(grid.place(8, 17), vec2(376.0, 240.0) * times);
    picture.paint_dimmed(ui, shown, scene);
    paint_owners(&painter, state, log, grid, colours);
    paint_events(&painter, state, log, grid, colours);
    let frame_around = |line: u16, cycle: u8, colour: Color32| {
        let area = grid.dot(line, cycle).expand(2.0);
        painter.rect_stroke(area, 0.0, Stroke::new(1.0, colour), StrokeKind::Outside);
    };
    if !scene.running {
        let beam = scene.machine().beam();
        frame_around(beam.line, beam.cycle, colours.beam);
    }
    let nearest = response
        .hover_pos()
        .and_then(|at| nearest(state, log, grid, at));
    if response.clicked() || response.secondary_clicked() {
        state.chosen = nearest;
    }
    let shown = nearest.or(state.chosen);
    if let Some(event) = shown {
        let (line, cycle) = log.beam(event.now);
        frame_around(line, cycle, colours.text);
    }
    if response.double_clicked()
        && let Some(event) = nearest
    {
        requests.push(go_to(log, event.now, scene));
    }
    if let Some(event) = state.chosen {
        response.context_menu(|ui| menu(ui, &event, log, scene, requests));
    }
    shown
}

/// The context menu of an event.
fn menu(ui: &mut Ui, event: &Event, log: &FrameLog, scene: &Scene, requests: &mut Vec<Request>) {
    let mut item = |ui: &mut Ui, text: &str, request| item(ui, text, request, requests);
    item(ui, "Go there", go_to(log, event.now, scene));
    item(ui, "Show the instruction", Request::ShowCode(event.pc));
    if event.is_write() {
        item(
            ui,
            "Break on such writes",
            Request::AddStop(debugger::Place::Write(event.address..=event.address)),
        );
    }
}

/// Places of the beam on the map.
#[derive(Clone, Copy)]
struct Grid {
    origin: Pos2,
    /// Points to a scan line.
    times: f32,
}

impl Grid {
    fn place(self, line: u16, cycle: u8) -> Pos2 {
        self.origin + vec2(f32::from(cycle) * WIDTH, f32::from(line)) * self.times
    }

    /// The area of an event.
    fn dot(self, line: u16, cycle: u8) -> Rect {
        let size = vec2((WIDTH * self.times).max(3.0), (2.0 * self.times).max(3.0));
        Rect::from_min_size(self.place(line, cycle), size)
    }
}

/// The cycles of DMA, and those lost to WSYNC.
fn paint_owners(painter: &Painter, state: &State, log: &FrameLog, grid: Grid, colours: &Colours) {
    for (cells, dma) in [(state.dma, true), (state.wsync, false)] {
        if cells {
            stretches(log, dma, |line, from, to, owner| {
                let area = Rect::from_min_max(grid.place(line, from), grid.place(line + 1, to));
                let strength = if dma { 0.55 } else { 0.9 };
                let colour = owner.colour(colours).gamma_multiply(strength);
                painter.rect_filled(area, 0.0, colour);
            });
        }
    }
}

fn paint_events(painter: &Painter, state: &State, log: &FrameLog, grid: Grid, colours: &Colours) {
    for event in shown_events(state, log) {
        let (line, cycle) = log.beam(event.now);
        if let Some(colour) = colour(event, colours) {
            painter.rect_filled(grid.dot(line, cycle), 0.0, colour);
        }
    }
}

/// The events of the frame that the filters let through.
fn shown_events<'a>(state: &'a State, log: &'a FrameLog) -> impl Iterator<Item = &'a Event> {
    let end = log.frame_start + u64::from(log.lines) * CYCLES;
    let events = log.events.iter();
    events.filter(move |event| event.now < end && state.shows(event))
}

/// The event that the mouse points at.
fn nearest(state: &State, log: &FrameLog, grid: Grid, at: Pos2) -> Option<Event> {
    let distance = |event: &&Event| {
        let (line, cycle) = log.beam(event.now);
        (grid.dot(line, cycle).center() - at).length()
    };
    shown_events(state, log)
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
        .filter(|event| distance(event) < 12.0)
        .copied()
}

fn filters(ui: &mut Ui, state: &mut State, colours: &Colours) {
    ui.horizontal_wrapped(|ui| {
        let filter = |ui: &mut Ui, on: &mut bool, name: &str, colour: Color32| {
            // The square stays with its name where the row wraps.
            ui.horizontal(|ui| {
                let (rect, _) = ui.allocate_exact_size(vec2(9.0, 9.0), Sense::hover());
                ui.painter().rect_filled(rect, 0.0, colour);
                ui.checkbox(on, name);
            });
        };
        for (n, name) in ["ANTIC", "GTIA", "POKEY", "PIA"].into_iter().enumerate() {
            filter(ui, &mut state.chips[n], name, colours.chips[n]);
        }
        filter(ui, &mut state.reads, "reads too", colours.weak);
        filter(
            ui,
            &mut state.interrupts,
            "NMI, IRQ",
            Owner::Nmi.colour(colours),
        );
        filter(ui, &mut state.wsync, "WSYNC", Owner::Wsync.colour(colours));
        filter(ui, &mut state.dma, "DMA", Owner::Playfield.colour(colours));
        ui.separator();
        for (zoom, name) in [(0, "fit"), (2, "x2"), (3, "x3"), (4, "x4")] {
            if ui.selectable_label(state.zoom == zoom, name).clicked() {
                state.zoom = zoom;
            }
        }
    });
}

/// Calls `draw` with line, first cycle, end and owner for stretches of DMA, or of cycles lost to WSYNC.
fn stretches(log: &FrameLog, dma: bool, mut draw: impl FnMut(u16, u8, u8, Owner)) {
    for line in 0..log.lines {
        let owners = log.line_owners(line);
        let mut from = 0;
        for part in owners.chunk_by(|&a, &b| owner(a) == owner(b)) {
            let to = from + part.len();
            let wanted = if dma {
                part[0].is_dma()
            } else {
                part[0] == BusOwner::Stalled
            };
            // The first frame that is seen may begin within a line.
            if wanted && owners.len() == CYCLES as usize {
                draw(line, from as u8, to as u8, owner(part[0]));
            }
            from = to;
        }
    }
}
