"""An Atari 400/800/XL/XE in a process.

>>> from anticlock import Atari
>>> atari = Atari()
>>> atari.run_until(text="READY")
>>> atari.type("PRINT 6*7\\n")
>>> atari.run(30)
>>> "42" in atari.text
True
"""

from anticlock import basic, tasks
from anticlock._anticlock import programs
from anticlock.atari import Atari, Disk, Joystick, Memory, Pointer, Registers, Stop
from anticlock.batch import Batch, Saved
from anticlock.why import Colour, Fetched, Object, Origin, Playfield, Why

__all__ = [
    "Atari",
    "Batch",
    "Colour",
    "Disk",
    "Fetched",
    "Joystick",
    "Memory",
    "Object",
    "Origin",
    "Playfield",
    "Pointer",
    "Registers",
    "Saved",
    "Stop",
    "Why",
    "basic",
    "programs",
    "tasks",
]
