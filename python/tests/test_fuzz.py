"""Random calls in random order, from three threads, of machines, batches and the functions beside them: every call returns or raises an exception of a fitting type.

ANTICLOCK_FUZZ_SECONDS says for how long (3 where nothing is said), ANTICLOCK_FUZZ_SEED with which chance.
"""

import faulthandler
import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from anticlock import Atari, Batch, basic, tasks
from anticlock.batch import controls

SECONDS = float(os.environ.get("ANTICLOCK_FUZZ_SECONDS", "3"))
SEED = int(os.environ.get("ANTICLOCK_FUZZ_SEED", "1"))
FITTING = (ValueError, TypeError, IndexError, KeyError, OverflowError, OSError, TimeoutError, AttributeError)
"""What a call may raise. A panic of Rust is none of these."""
NUMBERS = (-(1 << 63), -65537, -1, 0, 1, 2, 7, 39, 228, 255, 256, 1536, 53279, 65535, 65536, (1 << 31) - 1, 1 << 31, (1 << 64) - 1, 1 << 64)
TEXTS = (
    "", "READY", "PRINT 6*7\n", "10 GOTO 10\nRUN\n", "{start}", "{nonsense}", "\0", "é🙂", "x" * 5000, "COLOR4", "[lives] < 3", "[764] == 255",
    "write $D01A", "(((", "800xl", "pal", "gammon", "/nonexistent", "light-pen", "trak-ball", "off", "key:a", "noop", "p 1/0", "dlis", "history",
    'program = "tic-tac-toe"', "start = [{ wait = 1 }]",
)  # fmt: skip
VIEWS = ("rgb", "grayscale", "grayscale84", "indexed", "text", "ram", "sepia")

Call = Callable[[], object]


class Fuzz:
    """The machines and batches that the threads share."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.ataris = [Atari(history=True), Atari("tic-tac-toe", history=False, sound=44100), Atari(model="400")]
        self.batches = [Batch("tic-tac-toe", 3, view="text"), Batch(None, 2, num_threads=2, stack_num=3, maxpool=True)]
        self.saved = [self.batches[0].save(0)]
        self.states = [self.ataris[0].state, b"", b"\0" * 100, os.urandom(2000)]
        self.calls: Counter[str] = Counter()
        self.raised: Counter[str] = Counter()
        self.faults: list[str] = []

    def keep(self, of: list[Any], one: Any) -> None:
        """Puts it in the place of another one."""
        with self.lock:
            of[random.randrange(len(of))] = one

    def call(self, r: random.Random) -> tuple[str, Call]:
        """A call and its name."""
        number = lambda: r.choice(NUMBERS) if r.random() < 0.5 else r.randrange(300)
        small = lambda: r.randrange(4)
        text = lambda: r.choice(TEXTS)
        anything = lambda: r.choice((number(), text(), None, 1.5, float("nan"), b"\x00\xff" * 9, [], self, r.randbytes(r.randrange(300))))
        a, b = r.choice(self.ataris), r.choice(self.batches)
        rows = lambda: np.array([[r.randrange(18), r.randrange(18), r.randrange(257), r.randrange(8)]] * b.count)
        calls: dict[str, Call] = {
            "run": lambda: a.run(r.randrange(6)),
            "run anything": lambda: a.run(r.choice((-1, None, "x", 1.5, 1 << 64))),
            "run_until text": lambda: a.run_until(text=text(), limit=3),
            "run_until address": lambda: a.run_until(address=number(), limit=2),
            "run_until expression": lambda: a.run_until(text(), limit=2),
            "run_until call": lambda: a.run_until(lambda atari: atari.frames % 3 == 0, limit=4),
            "type": lambda: a.type(text()[:30], limit=20),
            "press": lambda: a.press(text(), frames=small()),
            "hold": lambda: a.hold(*[text() for _ in range(small())]),
            "joystick": lambda: a.joystick(number()).left().press(),
            "paddle": lambda: a.paddle(number(), number()),
            "pointer": lambda: a.pointer(r.choice((text(), "light-gun", "st-mouse"))).press(),
            "pointer at": lambda: a.pointer("light-pen").at(number(), number()),
            "pointer move": lambda: a.pointer("trak-ball").move(number(), number()),
            "cold_start": a.cold_start,
            "load": lambda: a.load(r.choice((anything(), *self.states, "hexapawn"))),
            "screen": lambda: (a.screen.sum(), a.rgb.sum(), a.png()),
            "drawing": lambda: setattr(a, "drawing", anything()),
            "text": lambda: (a.text, a.title, a.printed, a.notices, a.registers, a.cycles, a.frames, a.audio, repr(a)),
            "number": lambda: (a.number(text()), a.string(text())),
            "memory": lambda: a.memory[number()],
            "memory slice": lambda: a.memory[number() : number() : r.choice((None, 1, 2, -1, 0))],
            "memory set": lambda: a.memory.__setitem__(anything(), anything()),
            "memory name": lambda: (a.memory[text()], a.memory.word(number())),
            "disk": lambda: a.disk(number()).insert(r.choice((anything(), *self.states))),
            "disk image": lambda: (a.disk(1).image, a.disk(1).eject()),
            "state": lambda: self.keep(self.states, a.state),
            "clone": lambda: self.keep(self.ataris, a.clone()),
            "rewind": lambda: a.rewind(r.choice((0, 0.1, 1, -1, float("nan"), float("inf"), 1e300))),
            "recording": lambda: self.keep(self.states, a.recording),
            "play": lambda: Atari.play(r.choice(self.states)[:20_000]).run(1),
            "why": lambda: str(a.why(number(), number())),
            "lint": a.lint,
            "symbols": lambda: (a.symbols, a.add_symbols(text())),
            "break_at": lambda: a.break_at(r.choice((number(), text())), r.choice((None, lambda atari: atari.run(1), lambda atari: 1 / 0))),
            "remove": lambda: [a.remove(one) for one in a.breakpoints] + [a.remove(number())],
            "debug": lambda: a.debug(text()),
            "evaluate": lambda: a.evaluate(text()),
            "close": lambda: a.close() if r.random() < 0.02 else None,
            "new": lambda: self.keep(self.ataris, Atari(r.choice((None, "gammon", anything())), seed=small(), history=r.random() < 0.5)),
            "new options": lambda: Atari(model=text(), tv=text(), memory=text(), disks=[anything()]),
            "batch step": lambda: b.step(rows()),
            "batch step anything": lambda: b.step(r.choice((anything(), [number()] * b.count, np.zeros((b.count, small()))))),
            "batch step out": lambda: b.step([0] * b.count, (np.zeros(number() % 99, np.uint8), *[np.zeros(small(), np.float32)] * 3)),  # type: ignore[arg-type]
            "batch reset": lambda: b.reset([small() for _ in range(r.choice((b.count, 1)))]),
            "batch reset_one": lambda: b.reset_one(small(), r.choice((None, number()))),
            "batch save": lambda: self.keep(self.saved, b.save(small())),
            "batch restore": lambda: b.restore(small(), r.choice(self.saved)),
            "batch fork": lambda: (b.fork(small(), small()), b.seed(small(), number())),
            "batch look": lambda: (b.rgb(small()), b.text(small()), b.peek(small(), number(), number()), b.observation(small()), b.frames),
            "batch state": lambda: self.keep(self.states, b.state(small())),
            "batch close": lambda: b.close() if r.random() < 0.02 else None,
            "batch new": lambda: self.keep(
                self.batches,
                Batch(
                    r.choice((a, None, "tic-tac-toe", anything())), r.choice((1, 2, 3, -1, 0)), view=r.choice(VIEWS), frameskip=r.choice((1, (1, 3), 0)),
                    noop_max=small(), repeat_action_probability=r.choice((0, 0.25, 2, float("nan"))), num_threads=small(), stack_num=small(),
                ),
            ),  # fmt: skip
            "controls": lambda: controls([text() for _ in range(small())]),
            "basic": lambda: (basic.tokenize(r.choice((text(), "10 PRINT 1\n"))), basic.list(r.randbytes(50)), basic.check(text())),
            "tasks": lambda: tasks.get(r.choice((text(), "sum-to-n"))),
        }
        name = r.choice(list(calls))
        return name, calls[name]

    def run(self, seed: int, end: float) -> None:
        """Calls until a time."""
        r = random.Random(seed)
        while time.monotonic() < end and len(self.faults) < 20:
            name, call = self.call(r)
            self.calls[name] += 1
            try:
                call()
            except FITTING as error:
                self.raised[type(error).__name__] += 1
                if type(error) is ValueError and ("\n" in str(error) or len(str(error)) > 600):
                    self.faults.append(f"{name}: more than a sentence: {error}")
            except (ZeroDivisionError, RecursionError) as error:
                # The call back of a breakpoint has divided by zero, or runs on and comes to its breakpoint again.
                self.raised[type(error).__name__] += 1
            except BaseException as error:
                self.faults.append(f"{name} (seed {seed}): {type(error).__name__}: {error}")


def test_random_calls_from_three_threads() -> None:
    faulthandler.dump_traceback_later(SECONDS + 120, exit=True)
    fuzz = Fuzz()
    end = time.monotonic() + SECONDS
    threads = [threading.Thread(target=fuzz.run, args=(SEED + n, end)) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    faulthandler.cancel_dump_traceback_later()
    print(f"{fuzz.calls.total()} calls, of which raised: {dict(fuzz.raised)}")
    assert not fuzz.faults, "; ".join(fuzz.faults)[:2000]
    assert fuzz.calls.total() > 20 and fuzz.raised


if __name__ == "__main__":
    test_random_calls_from_three_threads()
