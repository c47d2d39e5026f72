"""Why a pixel of the picture is as it is, as data. See Atari.why."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["Colour", "Fetched", "Object", "Origin", "Playfield", "Why"]


@dataclass(frozen=True, slots=True)
class Origin:
    """What gave a register or a byte of memory its value."""

    kind: Literal["store", "edit", "dma", "before"]
    """A store of the processor, the user's change, DMA of an object, or "before": it has the value since before this frame."""
    address: int
    """The register or the byte of memory."""
    value: int
    """What was put there."""
    line: int | None
    """Scan line of the frame; None if it was before this frame."""
    cycle: int | None
    """Cycle of that line, 0 to 113."""
    pc: int | None
    """Address of the instruction that stored it."""
    place: str | None
    """That address by its label."""
    text: str
    """All this as a sentence."""

    @staticmethod
    def _of(data: Mapping[str, Any] | None) -> "Origin | None":
        return None if data is None else Origin(**data)


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour register that came through."""

    name: str
    """COLPM0 to COLPM3, COLPF0 to COLPF3, COLBK."""
    value: int
    """hue * 16 + luminance."""
    origin: Origin
    """What loaded it."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A byte of the playfield that the pixel shows."""

    address: int | None
    """Where ANTIC read it: of text, the name of the character."""
    value: int | None
    """The byte."""
    bits: int
    """The bits that decide the pixel."""
    glyph: int | None
    """Text: where the row of the character's glyph was read."""
    origin: Origin | None
    """The last store into the address."""


@dataclass(frozen=True, slots=True)
class Playfield:
    """Where the playfield of a pixel comes from."""

    mode: int
    """ANTIC's mode, 2 to 15."""
    row: int
    """Row within the mode line, from 0."""
    instruction: int
    """The display list's instruction."""
    address: int | None
    """Where it was fetched."""
    origin: Origin | None
    """The last store of the instruction."""
    bytes: tuple[Fetched, ...]
    """The bytes that the pixel shows."""


@dataclass(frozen=True, slots=True)
class Object:
    """A player or missile that is lit at the pixel."""

    kind: Literal["player", "missile"]
    number: int
    """0 to 3."""
    wins: bool
    """It is what the pixel shows."""
    position: Origin
    """What loaded HPOS."""
    size: Origin
    """What loaded SIZE."""
    graphics: Origin
    """What loaded GRAF."""


@dataclass(frozen=True, slots=True)
class Why:
    """Why a pixel is as it is: print it, or read its parts."""

    x: int
    """Column, 0 to 375."""
    y: int
    """Row, 0 to 239."""
    colour: int
    """hue * 16 + luminance."""
    line: int
    """The scan line."""
    cycle: int
    """The cycle of that line in which the beam is there."""
    layer: str
    """What won: "background", "playfield 2", "player 0", ..."""
    colours: tuple[Colour, ...]
    """The colour registers that came through."""
    prior: Origin | None
    """What loaded PRIOR, where it matters."""
    playfield: Playfield | None
    """The playfield, where there is one."""
    objects: tuple[Object, ...]
    """Players and missiles that are lit here."""
    text: str
    """The explanation as lines of text."""

    def __str__(self) -> str:
        return self.text

    @staticmethod
    def _of(data: Mapping[str, Any]) -> "Why":
        def origin(found: Mapping[str, Any]) -> Origin:
            return Origin(**found)

        colours = tuple(Colour(c["name"], c["value"], origin(c["origin"])) for c in data["colours"])
        objects = tuple(
            Object(
                o["kind"],
                o["number"],
                o["wins"],
                origin(o["position"]),
                origin(o["size"]),
                origin(o["graphics"]),
            )
            for o in data["objects"]
        )
        playfield = None
        if (p := data["playfield"]) is not None:
            fetched = tuple(
                Fetched(b["address"], b["value"], b["bits"], b["glyph"], Origin._of(b["origin"]))
                for b in p["bytes"]
            )
            playfield = Playfield(
                p["mode"], p["row"], p["instruction"], p["address"], Origin._of(p["origin"]), fetched
            )
        return Why(
            data["x"],
            data["y"],
            data["colour"],
            data["line"],
            data["cycle"],
            data["layer"],
            colours,
            Origin._of(data["prior"]),
            playfield,
            objects,
            data["text"],
        )
