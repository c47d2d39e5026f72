//! Explanations of pixels as dictionaries of Python, of which the package makes its classes.
use debugger::{FrameCause, Layer, Object, Origin, Playfield, Why};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// An explanation with the frame that it is from, and names of addresses for it.
pub struct Explained<'a> {
    pub why: &'a Why,
    pub cause: &'a FrameCause,
    pub name: &'a dyn Fn(u16) -> Option<String>,
}

fn layer(layer: Layer) -> String {
    match layer {
        Layer::Blank => "blank".to_owned(),
        Layer::Background => "background".to_owned(),
        Layer::Playfield(number) => format!("playfield {number}"),
        Layer::Gtia => "gtia mode".to_owned(),
        Layer::Players(bits) => {
            let numbers = (0..4).filter(|number| bits >> number & 1 != 0);
            let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
            format!("player {}", numbers.join(" and "))
        }
        Layer::FifthPlayer => "fifth player".to_owned(),
        Layer::Mixed => "mixed".to_owned(),
    }
}

impl Explained<'_> {
    fn origin<'py>(&self, py: Python<'py>, origin: &Origin) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        let (address, value) = origin.byte();
        let (kind, pc) = match origin {
            Origin::Store { pc, .. } => ("store", Some(*pc)),
            Origin::Edit { .. } => ("edit", None),
            Origin::Dma { .. } => ("dma", None),
            Origin::Before { .. } => ("before", None),
        };
        dict.set_item("kind", kind)?;
        dict.set_item("address", address)?;
        dict.set_item("value", value)?;
        let beam = origin.now().map(|now| self.cause.log.beam(now));
        dict.set_item("line", beam.map(|(line, _)| line))?;
        dict.set_item("cycle", beam.map(|(_, cycle)| cycle))?;
        dict.set_item("pc", pc)?;
        dict.set_item("place", pc.and_then(self.name))?;
        dict.set_item("text", self.cause.origin(origin, self.name))?;
        Ok(dict)
    }

    fn maybe<'py>(
        &self,
        py: Python<'py>,
        origin: Option<&Origin>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        origin.map(|origin| self.origin(py, origin)).transpose()
    }

    fn playfield<'py>(
        &self,
        py: Python<'py>,
        playfield: &Playfield,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("mode", playfield.list.instruction & 15)?;
        dict.set_item("row", playfield.list.row)?;
        dict.set_item("instruction", playfield.list.instruction)?;
        let address = playfield.list.fetched.map(|(address, _)| address);
        dict.set_item("address", address)?;
        dict.set_item("origin", self.maybe(py, playfield.list_origin.as_ref())?)?;
        let bytes = PyList::empty(py);
        for byte in &playfield.bytes {
            let from = byte.load.as_ref().map(|(_, load)| load);
            let one = PyDict::new(py);
            one.set_item("address", from.and_then(|load| load.address))?;
            one.set_item("value", from.map(|load| load.data))?;
            one.set_item("bits", byte.bits)?;
            one.set_item("glyph", byte.show.glyph)?;
            one.set_item("origin", self.maybe(py, byte.origin.as_ref())?)?;
            bytes.append(one)?;
        }
        dict.set_item("bytes", bytes)?;
        Ok(dict)
    }

    fn object<'py>(&self, py: Python<'py>, object: &Object) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        let (kind, number) = match object.number {
            number @ 0..=3 => ("player", number),
            number => ("missile", number - 4),
        };
        dict.set_item("kind", kind)?;
        dict.set_item("number", number)?;
        dict.set_item("wins", object.wins)?;
        dict.set_item("position", self.origin(py, &object.hpos)?)?;
        dict.set_item("size", self.origin(py, &object.size)?)?;
        dict.set_item("graphics", self.origin(py, &object.graf)?)?;
        Ok(dict)
    }

    /// The explanation.
    pub fn dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let why = self.why;
        let dict = PyDict::new(py);
        dict.set_item("x", why.pixel.0)?;
        dict.set_item("y", why.pixel.1)?;
        dict.set_item("colour", why.colour)?;
        dict.set_item("line", why.line)?;
        dict.set_item("cycle", self.cause.log.beam(why.now).1)?;
        dict.set_item("layer", layer(why.layer))?;
        let colours = PyList::empty(py);
        for colour in &why.colours {
            let one = PyDict::new(py);
            one.set_item("name", colour.name())?;
            one.set_item("value", colour.value)?;
            one.set_item("origin", self.origin(py, &colour.origin)?)?;
            colours.append(one)?;
        }
        dict.set_item("colours", colours)?;
        dict.set_item("prior", self.maybe(py, why.prior.as_ref())?)?;
        let playfield = why.playfield.as_ref();
        let playfield = playfield.map(|playfield| self.playfield(py, playfield));
        dict.set_item("playfield", playfield.transpose()?)?;
        let objects = PyList::empty(py);
        for object in &why.objects {
            objects.append(self.object(py, object)?)?;
        }
        dict.set_item("objects", objects)?;
        let lines = why.lines(self.cause, self.name);
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        dict.set_item("text", lines.join("\n"))?;
        Ok(dict)
    }
}
