"""Emulated frames per second of processor time, of this package and, where they are installed, of the Arcade Learning Environment's vector environment and of PyBoy.

    python bench.py                      # with ale-py and pyboy in the environment: all in one run
    python bench.py --rounds 9

Each line is the median of rounds that were run in turns, so that a busy host slows all of them. Frames are emulated ones (four to a step), on one thread, eight machines (PyBoy: one).
Actions are random, equal ones in each round.
"""

import argparse
import importlib.util
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from anticlock import Atari, Batch
from anticlock.batch import View

MACHINES = 8
STEPS = 50
SKIP = 4


# A program for the Game Boy: it fills the patterns of tiles with numbers, switches the picture on, and moves it by a pixel at the beginning of each vertical blank.
SCROLL = (
    "21 00 80  75  23  7C  FE 98  20 F9"  # LD HL,$8000; loop: LD (HL),L; INC HL; LD A,H; CP $98; JR NZ,loop
    "3E E4  E0 47  3E 91  E0 40"  # LD A,$E4; LDH (BGP),A; LD A,$91; LDH (LCDC),A
    "F0 44  FE 90  20 FA  21 43 FF  34"  # wait: LDH A,(LY); CP 144; JR NZ,wait; LD HL,SCX; INC (HL)
    "F0 44  FE 90  28 FA  18 EE"  # line: LDH A,(LY); CP 144; JR Z,line; JR wait
)


def actions(count: int) -> npt.NDArray[np.int64]:
    """Actions of a run: a row for each step."""
    return np.random.default_rng(1).integers(0, count, (STEPS, MACHINES))


def ours(program: str, view: View, stack: int) -> Callable[[], None]:
    """A run of steps of a batch."""
    pictures = view == "grayscale84"
    batch = Batch(program, MACHINES, view=view, stack_num=stack, frameskip=SKIP, maxpool=pictures)
    batch.reset(range(MACHINES))
    rows = actions(len(batch.actions))

    def run() -> None:
        for row in rows:
            batch.step(row)

    return run


def ale(game: str) -> Callable[[], None]:
    """A run of steps of ALE's vector environment."""
    from ale_py.vector_env import AtariVectorEnv

    env = AtariVectorEnv(game, num_envs=MACHINES, num_threads=1, stack_num=4, frameskip=SKIP, maxpool=True)
    env.reset(seed=1)
    rows = actions(env.single_action_space.n)

    def run() -> None:
        for row in rows:
            env.step(row)

    return run


def pyboy(folder: Path) -> Callable[[], None]:
    """A run of steps of PyBoy without a window, of which each draws its last frame. Without sound."""
    from pyboy import PyBoy

    rom = bytearray(0x8000)
    code = bytes.fromhex(SCROLL)
    rom[0x100:0x104] = bytes.fromhex("00 C3 50 01")  # NOP; JP $150
    rom[0x150 : 0x150 + len(code)] = code
    rom[0x14D] = (-sum(rom[0x134:0x14D]) - 25) % 256  # the header's checksum
    (folder / "scroll.gb").write_bytes(rom)
    boy = PyBoy(str(folder / "scroll.gb"), window="null", sound_emulated=False, log_level="ERROR")
    boy.set_emulation_speed(0)
    boy.tick(400, False)

    def run() -> None:
        place = boy.memory[0xFF43]
        for _ in range(STEPS * MACHINES):
            boy.tick(SKIP, True)
        assert (boy.memory[0xFF43] - place) % 256 == STEPS * MACHINES * SKIP % 256

    return run


def seconds(run: Callable[[], object]) -> float:
    """Processor time of all threads."""
    start = time.process_time()
    run()
    return time.process_time() - start


def repeat(act: Callable[[], object], times: int) -> None:
    """Does something again and again. What comes of it is dropped at once, so that a copy is made in the memory of the one before."""
    for _ in range(times):
        act()


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures emulated frames per second of processor time.")
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    runs: dict[str, Callable[[], None]] = {}
    for program in ("crazy-eights", "gammon", "tic-tac-toe"):
        runs[f"{program}, 84x84x4"] = ours(program, "grayscale84", 4)
        runs[f"{program}, text"] = ours(program, "text", 1)
    if importlib.util.find_spec("ale_py") is not None:
        runs |= {f"ALE {game}, 84x84x4": ale(game) for game in ("pong", "breakout")}
    if importlib.util.find_spec("pyboy") is not None:
        with tempfile.TemporaryDirectory() as folder:
            runs["PyBoy, each fourth frame"] = pyboy(Path(folder))
    spent: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            spent[name].append(seconds(run))
    for name, times in spent.items():
        print(f"{name:28} {MACHINES * STEPS * SKIP / statistics.median(times):8.0f} frames/s")
    atari = Atari("gammon", history=False)
    with Batch("gammon", 2, view="text") as batch:
        batch.reset([1, 2])
        for name, act in (("reset", lambda: batch.reset_one(0, 1)), ("fork", lambda: batch.fork(0, 1)), ("Atari.clone", atari.clone)):
            times = [seconds(lambda act=act: repeat(act, 200)) / 200 for _ in range(rounds)]  # type: ignore[misc]
            print(f"{name:28} {1e6 * statistics.median(times):8.1f} microseconds")
    kept: list[Atari] = []
    each = seconds(lambda: repeat(lambda: kept.append(atari.clone()), 200)) / 200
    print(f"{'Atari.clone, kept':28} {1e6 * each:8.1f} microseconds")


if __name__ == "__main__":
    main()
