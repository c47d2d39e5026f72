"""The class Atari: one machine."""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from anticlock import _anticlock
from anticlock.why import Why

__all__ = ["Atari", "Disk", "Joystick", "Memory", "Pointer", "Registers", "Stop"]

Program: TypeAlias = str | os.PathLike[str] | bytes
"""A built-in program by its name, a file, or the bytes of a file."""

_LIMIT = 3600
"""Frames that a wait takes at most where nothing is said: a minute of the machine's time."""


@dataclass(frozen=True, slots=True)
class Stop:
    """What ended a run early."""

    why: Literal["breakpoint", "jammed"]
    """A breakpoint, or an instruction that stops the processor for good."""
    breakpoint: int
    """The breakpoint's number."""
    pc: int
    """Address of the instruction that comes next."""


@dataclass(frozen=True, slots=True)
class Registers:
    """The processor's registers."""

    pc: int
    a: int
    x: int
    y: int
    s: int
    p: int


def _program(program: Program) -> tuple[str | None, str | None, tuple[str, bytes] | None]:
    """Name, path and file of a program: one of them."""
    if isinstance(program, (bytes, bytearray, memoryview)):
        return None, None, ("program", bytes(program))
    if isinstance(program, str) and program.lower() in _anticlock.programs():
        return program, None, None
    path = os.fspath(program)
    if isinstance(program, str) and not os.path.exists(path) and not set(path) & set("/\\."):
        names = ", ".join(_anticlock.programs())
        raise ValueError(f"there is no program or file called {path[:80]!r}; built-in programs are {names}")
    if os.path.exists(path):
        # Says what the system has against the file.
        with open(path, "rb"):
            pass
    elif not any(parent.is_file() for parent in Path(path).parents):
        raise FileNotFoundError(2, "No such file or directory", path)
    return None, path, None


def _file(medium: str | os.PathLike[str] | bytes, name: str) -> tuple[str, bytes]:
    """Name and bytes of a medium."""
    if isinstance(medium, (bytes, bytearray, memoryview)):
        return name, bytes(medium)
    path = Path(medium)
    return path.name, path.read_bytes()


class Joystick:
    """A joystick: what is pushed stays pushed until it is centred or pushed elsewhere.

    >>> atari.joystick(0).left().press()
    """

    __slots__ = ("_machine", "_port")

    def __init__(self, machine: _anticlock.Machine, port: int) -> None:
        self._machine = machine
        self._port = port
        machine.joystick(port)

    def push(
        self, *, up: bool = False, down: bool = False, left: bool = False, right: bool = False
    ) -> "Joystick":
        """Pushes the stick in these directions only."""
        trigger = self._machine.joystick(self._port)[4]
        self._machine.set_joystick(self._port, (up, down, left, right, trigger))
        return self

    def up(self) -> "Joystick":
        """Pushes the stick up only."""
        return self.push(up=True)

    def down(self) -> "Joystick":
        """Pulls the stick down only."""
        return self.push(down=True)

    def left(self) -> "Joystick":
        """Pushes the stick left only."""
        return self.push(left=True)

    def right(self) -> "Joystick":
        """Pushes the stick right only."""
        return self.push(right=True)

    def centre(self) -> "Joystick":
        """Lets the stick go back to its centre."""
        return self.push()

    def _trigger(self, pressed: bool) -> "Joystick":
        up, down, left, right, _ = self._machine.joystick(self._port)
        self._machine.set_joystick(self._port, (up, down, left, right, pressed))
        return self

    def press(self) -> "Joystick":
        """Presses the trigger."""
        return self._trigger(True)

    def release(self) -> "Joystick":
        """Releases the trigger."""
        return self._trigger(False)


class Pointer:
    """A light pen, a light gun, a mouse or a trak-ball.

    >>> atari.pointer("light-pen").at(188, 120).press()
    """

    __slots__ = ("_kind", "_machine")

    def __init__(self, machine: _anticlock.Machine, kind: str) -> None:
        self._machine = machine
        self._kind = kind
        machine.plug_pointer(kind)

    def at(self, x: int, y: int) -> "Pointer":
        """Points a light pen or gun at a pixel, 0 to 375, and line, 0 to 239, of the picture."""
        self._machine.plug_pointer(self._kind)
        self._machine.point((x, y))
        return self

    def away(self) -> "Pointer":
        """Points a light pen or gun at nothing."""
        self._machine.plug_pointer(self._kind)
        self._machine.point(None)
        return self

    def move(self, right: int, down: int) -> "Pointer":
        """Moves a mouse or trak-ball by steps, at most 32,767 each way; it makes at most one in eight scan lines."""
        self._machine.plug_pointer(self._kind)
        self._machine.move_pointer(right, down)
        return self

    def press(self) -> "Pointer":
        """Presses its button: a pen's tip, a gun's trigger, the left button of a mouse."""
        self._machine.plug_pointer(self._kind)
        self._machine.press_pointer(True)
        return self

    def release(self) -> "Pointer":
        """Releases its button."""
        self._machine.plug_pointer(self._kind)
        self._machine.press_pointer(False)
        return self

    def unplug(self) -> None:
        """Unplugs it."""
        self._machine.plug_pointer("off")


class Memory:
    """The 64K that the processor sees, without side effects of reads: memory[0x600:0x700], memory["SAVMSC"].

    Writes act as the processor's do: registers take them, ROM does not. They are part of recorded time.
    """

    __slots__ = ("_machine",)

    def __init__(self, machine: _anticlock.Machine) -> None:
        self._machine = machine

    def _address(self, key: int | str) -> int:
        if isinstance(key, str):
            return self._machine.address(key)
        if not -0x10000 <= key < 0x10000:
            raise IndexError(f"an address is 0 to 65535, not {key}")
        return key % 0x10000

    @staticmethod
    def _range(key: slice) -> range:
        return range(*key.indices(0x10000))

    def __len__(self) -> int:
        return 0x10000

    @overload
    def __getitem__(self, key: int | str) -> int: ...
    @overload
    def __getitem__(self, key: slice) -> bytes: ...
    def __getitem__(self, key: int | str | slice) -> int | bytes:
        if isinstance(key, slice):
            addresses = self._range(key)
            if not addresses:
                return b""
            low, high = min(addresses[0], addresses[-1]), max(addresses[0], addresses[-1])
            found = self._machine.peek(low, high - low + 1)
            return found if addresses.step == 1 else bytes(found[address - low] for address in addresses)
        return self._machine.peek(self._address(key), 1)[0]

    def __setitem__(self, key: int | str | slice, value: int | Iterable[int]) -> None:
        if isinstance(key, slice):
            addresses = self._range(key)
            if isinstance(value, int):
                raise TypeError("a range takes bytes, not one number")
            data = bytes(value)
            if len(data) != len(addresses):
                raise ValueError(f"{len(data)} bytes do not fit into a range of {len(addresses)}")
            if addresses.step == 1 and data:
                self._machine.poke(addresses[0], data)
            else:
                for address, byte in zip(addresses, data, strict=True):
                    self._machine.poke(address, bytes([byte]))
            return
        if not isinstance(value, int):
            raise TypeError("one address takes one number; memory[a:b] takes bytes")
        if not 0 <= value <= 255:
            raise ValueError(f"a byte is 0 to 255, not {value}")
        self._machine.poke(self._address(key), bytes([value]))

    def word(self, address: int | str) -> int:
        """The word at an address, low byte first."""
        first = self._address(address)
        return self._machine.peek(first, 1)[0] | self._machine.peek((first + 1) % 0x10000, 1)[0] << 8

    def array(self) -> npt.NDArray[np.uint8]:
        """All of it, as an array that is not changed afterwards."""
        return np.frombuffer(self._machine.peek(0, 0x10000), dtype=np.uint8)


class Disk:
    """A disk drive, 1 to 8. What programs write stays in the machine; no file is changed."""

    __slots__ = ("_drive", "_machine")

    def __init__(self, machine: _anticlock.Machine, drive: int) -> None:
        if not 1 <= drive <= 8:
            raise IndexError("drives are 1 to 8")
        self._machine = machine
        self._drive = drive - 1

    def insert(self, disk: str | os.PathLike[str] | bytes) -> None:
        """Puts a disk (ATR, XFD, ATX as a file or its bytes) into the drive."""
        self._machine.set_disk(self._drive, _file(disk, "disk"))

    def eject(self) -> None:
        """Takes the disk out; the drive stays on."""
        self._machine.set_disk(self._drive, None)

    @property
    def image(self) -> bytes | None:
        """The disk as it is now, as an ATR file; None without a disk."""
        return self._machine.disk(self._drive)


class Atari:
    """A machine, switched on with a program in it. It runs only when it is told to.

    program: a built-in program by name (see programs()), a file (.xex .bas .lst .atr .cas .car .sap, saved states, also in .zip and .gz) or
        the bytes of one; None is the READY prompt.
    model: 800xl, 130xe, 800, 400, 600xl, 1200xl, 65xe, xegs; None as the program needs it, else an 800XL.
    tv: ntsc (60 frames a second) or pal (50).
    memory: how much RAM, as --memory of the command line has it: 16k, 48k, 128k, ...
    seed: decides what RAM holds at power-on; equal seeds and equal controls give equal machines, bit for bit.
    basic: True with, False without BASIC; None as the program needs it.
    os_rom, basic_rom: other ROMs than our own, as bytes.
    disks: disks for the next free drives. tape, cartridge: likewise.
    folder: a folder of the host as H:, or up to four as H1: to H4:. write: programs may change its files.
    stereo: a second POKEY.
    start: False puts a BASIC program into memory and does not RUN it.
    history: what happens is recorded for rewind, why, lint and recording: up to 64 MB.
    sound: samples a second for audio; 0 makes none, which is faster.

    All methods may be called from any thread; calls of several threads come one after the other, and other threads run meanwhile. After
    close() they raise ValueError. A forked process has a copy of the machine. An Atari is not pickled; its state is bytes.
    """

    __slots__ = ("_calls", "_machine", "memory")

    memory: Memory
    """The memory as the processor sees it."""

    def __init__(
        self,
        program: Program | None = None,
        *,
        model: str | None = None,
        tv: str | None = None,
        memory: str | None = None,
        seed: int = 0,
        basic: bool | None = None,
        os_rom: bytes | None = None,
        basic_rom: bytes | None = None,
        disks: Sequence[str | os.PathLike[str] | bytes] = (),
        tape: str | os.PathLike[str] | bytes | None = None,
        cartridge: str | os.PathLike[str] | bytes | None = None,
        folder: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None = None,
        write: bool = False,
        stereo: bool = False,
        start: bool = True,
        history: bool = True,
        sound: float = 0,
    ) -> None:
        name, path, file = (None, None, None) if program is None else _program(program)
        if not 0 <= seed < 1 << 64:
            raise ValueError(f"seed is {seed}, and must be 0 to 2**64 - 1")
        folders: list[str | os.PathLike[str]] = []
        if isinstance(folder, (str, os.PathLike)):
            folders = [folder]
        elif folder is not None:
            folders = list(folder)
        self._start(
            _anticlock.Machine(
                {
                    "name": name,
                    "path": path,
                    "file": file,
                    "model": model,
                    "tv": tv,
                    "memory": memory,
                    "seed": seed,
                    "basic": basic,
                    "os": os_rom,
                    "basic_rom": basic_rom,
                    "disks": [_file(disk, "disk") for disk in disks],
                    "tape": None if tape is None else _file(tape, "tape"),
                    "cartridge": None if cartridge is None else _file(cartridge, "cartridge"),
                    "folders": [os.fspath(one) for one in folders],
                    "write": write,
                    "stereo": stereo,
                    "start": start,
                    "history": history,
                    "sound": float(sound),
                }
            )
        )

    def _start(self, machine: _anticlock.Machine) -> None:
        self._machine = machine
        self._calls: dict[int, Callable[[Atari], object]] = {}
        self.memory = Memory(machine)

    @classmethod
    def _of(cls, machine: _anticlock.Machine) -> "Atari":
        atari = cls.__new__(cls)
        atari._start(machine)
        return atari

    @classmethod
    def play(cls, recording: bytes) -> "Atari":
        """A machine that does what is recorded, and runs live from its end on. Raises ValueError for other bytes."""
        return cls._of(_anticlock.Machine.play(bytes(recording)))

    def close(self) -> None:
        """Lets go of the machine; everything else raises ValueError from then on."""
        self._machine.close()

    def __enter__(self) -> "Atari":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._machine.is_closed():
            return "<Atari, closed>"
        title = self.title or "READY"
        return f"<Atari {title}, frame {self.frames}>"

    def __reduce__(self) -> str:
        raise TypeError("an Atari is not pickled: pass its state, and load it into another one")

    def _repr_png_(self) -> bytes:
        """The picture, for notebooks."""
        return self.png()

    # Running.

    def _result(self, run: tuple[int, tuple[str, int, int] | None]) -> Stop | None:
        stopped = run[1]
        if stopped is None:
            return None
        why: Literal["breakpoint", "jammed"] = "jammed" if stopped[0] == "jammed" else "breakpoint"
        return Stop(why, stopped[1], stopped[2])

    def _go(self, frames: int, go: Callable[[int], tuple[int, tuple[str, int, int] | None]]) -> Stop | None:
        """Runs, and calls what is to be called at breakpoints, until something else ends it."""
        if frames < 0:
            raise ValueError(f"frames is {frames}, and cannot be negative")
        while True:
            run = go(frames)
            stop = self._result(run)
            call = None if stop is None else self._calls.get(stop.breakpoint)
            if call is None:
                return stop
            call(self)
            frames -= run[0]

    def run(self, frames: int = 1) -> Stop | None:
        """Runs frames; the first may be the rest of one that a breakpoint has stopped. None, or what has stopped it."""
        return self._go(frames, self._machine.run)

    def run_until(
        self,
        condition: "Callable[[Atari], bool] | str | None" = None,
        *,
        text: str | None = None,
        address: int | str | None = None,
        limit: int = _LIMIT,
    ) -> Stop | None:
        """Runs until something is so, which is looked at after each frame; not at all if it is so already.

        condition: a function of the machine, or an expression of the debugger: "[lives] < 3", "w[88] == $9C40".
        text: a text in a row of the screen.
        address: the instruction there is about to begin; a number or a label. At least one instruction runs.

        None, or the breakpoint that came first. Raises TimeoutError after `limit` frames.
        """
        if sum(wanted is not None for wanted in (condition, text, address)) != 1:
            raise TypeError("run_until takes one of condition, text and address")
        if text is not None:
            return self._go(limit, lambda frames: self._machine.run_until_text(text, frames))
        if address is not None:
            at = self.memory._address(address)
            return self._go(limit, lambda frames: self._machine.run_until_address(at, frames))
        if isinstance(condition, str):
            return self._go(limit, lambda frames: self._machine.run_until_true(condition, frames))
        assert condition is not None
        for _ in range(limit):
            if condition(self):
                return None
            if (stop := self.run()) is not None:
                return stop
        if condition(self):
            return None
        raise TimeoutError(f"what was waited for did not come in {limit} frames")

    def type(self, text: str, *, limit: int = _LIMIT) -> Stop | None:
        """Types a text, each key when the program waits for one, and runs until it is typed.

        A line feed is RETURN; keys without a character have names in braces: {esc}, {clear}, {ctrl-c}, {start}; {wait 60} waits.
        Raises ValueError for what the keyboard does not have, TimeoutError if the program does not take it within `limit` frames.
        """
        # The rest of a text that a breakpoint has interrupted is typed by the next call with "".
        run = self._machine.type(text, limit)
        stop = self._result(run)
        while stop is not None and (call := self._calls.get(stop.breakpoint)) is not None:
            call(self)
            stop = self._result(self._machine.type("", limit))
        return stop

    def press(self, *names: str, frames: int = 3) -> Stop | None:
        """Holds keys for some frames, and runs one more without them.

        A key is a character, a name such as return, esc, space, left or ctrl-c, a console key (start, select, option), break, or reset.
        Only one of them may be a key of the keyboard.
        """
        if "reset" in names:
            if len(names) > 1:
                raise ValueError("reset is pressed alone")
            self._machine.reset()
            return self.run(frames)
        self._machine.hold(list(names))
        try:
            stop = self.run(frames)
        finally:
            if not self._machine.is_closed():
                self._machine.hold([])
        return stop if stop is not None else self.run()

    def hold(self, *names: str) -> None:
        """Holds keys from now on, and lets go of all others; hold() lets go of all. Names are those of press."""
        self._machine.hold(list(names))

    def joystick(self, port: int = 0) -> Joystick:
        """The joystick in port 0 to 3; an XL or XE has 0 and 1."""
        return Joystick(self._machine, port)

    def paddle(self, number: int, position: int, *, pressed: bool = False) -> None:
        """Turns paddle 0 to 7 to a position, 0 to 228, and presses or releases its button."""
        self._machine.set_paddle(number, position, pressed)

    def pointer(self, kind: str) -> Pointer:
        """Plugs in a pointing device, unless it is there: light-pen, light-gun, st-mouse, amiga-mouse or trak-ball, in port 1 (a pen or gun on a 400 in port 4)."""
        return Pointer(self._machine, kind)

    def cold_start(self) -> None:
        """Switches the machine off and on; its program comes again."""
        self._machine.cold_start()

    def load(self, program: Program) -> None:
        """Another program in a fresh machine of the same kind; disks stay in their drives. Bytes of a saved state are loaded as they are."""
        self._machine.load(*_program(program))
        self._calls.clear()

    # Looking.

    @property
    def screen(self) -> npt.NDArray[np.uint8]:
        """The last picture: 240 rows of 376 colour numbers (hue * 16 + luminance). The array is the caller's."""
        return self._machine.screen()

    @property
    def rgb(self) -> npt.NDArray[np.uint8]:
        """The last picture as red, green and blue: 240 rows of 376 by 3. The array is the caller's."""
        return self._machine.rgb()

    def png(self) -> bytes:
        """The last picture as a PNG file."""
        return self._machine.png()

    @property
    def drawing(self) -> bool:
        """Frames are drawn. With False they run up to twice as fast, and the picture stays the last one that was drawn."""
        return self._machine.drawing()

    @drawing.setter
    def drawing(self, drawing: bool) -> None:
        self._machine.set_drawing(drawing)

    @property
    def text(self) -> str:
        """The text on the screen, each row ended by a line feed."""
        return self._machine.text()

    def number(self, name: str) -> float:
        """The value of a number of BASIC: "SCORE", or "HITS(2)" for an element. Raises KeyError for an unknown name."""
        value = self._machine.number(name)
        if value is None:
            raise KeyError(f"BASIC has no number {name[:40]}")
        return value

    def string(self, name: str) -> bytes:
        """The characters of a string of BASIC, such as "N$", in ATASCII. Raises KeyError for an unknown name."""
        value = self._machine.string(name)
        if value is None:
            raise KeyError(f"BASIC has no string {name[:40]}")
        return value

    @property
    def audio(self) -> npt.NDArray[np.float32]:
        """The samples since the last look, left and right, -1 to 1; a minute at most. The machine is made with sound=44100 for it."""
        return self._machine.audio()

    @property
    def printed(self) -> str:
        """What programs have printed since the last look."""
        return self._machine.printed()

    @property
    def notices(self) -> list[str]:
        """Sentences for the user since the last look: a disk that does not boot, a file of labels that is not understood."""
        return self._machine.notices()

    @property
    def registers(self) -> Registers:
        """The processor's registers."""
        return Registers(*self._machine.registers())

    @property
    def cycles(self) -> int:
        """Machine cycles since power-on."""
        return self._machine.cycles()

    @property
    def frames(self) -> int:
        """Frames that have run."""
        return self._machine.frames()

    @property
    def frame_rate(self) -> float:
        """Frames that the real machine shows in a second."""
        return self._machine.frame_rate()

    @property
    def title(self) -> str:
        """The program's name."""
        return self._machine.title()

    def disk(self, drive: int = 1) -> Disk:
        """The drive 1 to 8."""
        return Disk(self._machine, drive)

    # Time.

    @property
    def state(self) -> bytes:
        """The machine, its disks included, as bytes for load. Keys that are still to be typed are not in it."""
        return self._machine.state()

    def clone(self) -> "Atari":
        """A machine of its own that continues as this one would; its history, breakpoints and sound begin now."""
        return self._of(self._machine.clone())

    def rewind(self, seconds: float) -> bool:
        """Goes back in recorded time, or as far as it goes; False if there is nothing before. What is run from there is another future."""
        if not seconds > 0:
            raise ValueError(f"seconds is {seconds}, and must be more than 0")
        return self._machine.back(max(1, round(min(seconds, 1e9) * self.frame_rate)))

    @property
    def recording(self) -> bytes:
        """All that has happened since power-on, for play."""
        return self._machine.recording()

    # Why.

    def why(self, x: int, y: int) -> Why:
        """Why a pixel of the last picture is as it is. Column 0 to 375, row 0 to 239."""
        if x < 0 or y < 0:
            raise IndexError("a picture has columns 0 to 375 and rows 0 to 239")
        return Why._of(self._machine.why(x, y))

    def lint(self) -> list[str]:
        """What looks wrong with the interrupts of the last frame: a sentence each."""
        return [f"{about}: {text}" for about, text in self._machine.lint()]

    @property
    def symbols(self) -> dict[str, int]:
        """Addresses by their names: hardware, OS and BASIC, and what files beside the program say of it."""
        program, system = self._machine.symbols()
        return dict(system) | dict(program)

    def add_symbols(self, text: str) -> int:
        """Reads labels: lines ADDRESS NAME, NAME = $ADDRESS, or as ld65 and MADS write them. Gives their number."""
        return self._machine.add_symbols(text)

    def break_at(self, place: int | str, call: "Callable[[Atari], object] | None" = None) -> int:
        """Sets a breakpoint; its number. Runs stop there, or call `call` with the machine and continue.

        place: an address, a label, or what the command break of the debugger takes: "write $D01A", "MAIN if [lives] == 0", "dli", "beam 100 0".
        """
        number = (
            self._machine.break_address(self.memory._address(place))
            if isinstance(place, int)
            else self._machine.break_at(place)
        )
        if call is not None:
            self._calls[number] = call
        return number

    def remove(self, number: int) -> None:
        """Removes a breakpoint. Raises KeyError for an unknown number."""
        self._calls.pop(number, None)
        if number < 0 or not self._machine.remove_break(number):
            raise KeyError(f"there is no breakpoint {number}")

    @property
    def breakpoints(self) -> list[int]:
        """Numbers of the breakpoints."""
        return self._machine.breakpoints()

    def debug(self, line: str) -> str:
        """Does a command of the debugger's prompt ("help" lists them): what it says. Raises ValueError with one sentence."""
        return "\n".join(self._machine.execute(line))

    def evaluate(self, expression: str) -> int:
        """The value of an expression of the debugger, such as "[lives]", "w[88] + 40" or "pc"."""
        return self._machine.evaluate(expression)
