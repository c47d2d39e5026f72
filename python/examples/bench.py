"""Emulated frames per second of processor time, of this package and, where it is installed, of the Arcade Learning Environment's vector environment.

    python bench.py                      # with ale-py in the environment: both in one run
    python bench.py --rounds 9

Each line is the median of rounds that were run in turns, so that a busy host slows all of them. Frames are emulated ones (four to a step), on one thread, eight machines.
"""

import argparse
import importlib.util
import statistics
import time
from collections.abc import Callable

import numpy as np

from anticlock import Atari, Batch
from anticlock.batch import View

MACHINES = 8
STEPS = 50
SKIP = 4


def ours(program: str, view: View, stack: int) -> Callable[[], None]:
    """A run of steps of a batch."""
    pictures = view == "grayscale84"
    batch = Batch(program, MACHINES, view=view, stack_num=stack, frameskip=SKIP, maxpool=pictures)
    batch.reset(range(MACHINES))
    actions = np.zeros(MACHINES, dtype=np.int64)

    def run() -> None:
        for _ in range(STEPS):
            batch.step(actions)

    return run


def ale(game: str) -> Callable[[], None]:
    """A run of steps of ALE's vector environment."""
    from ale_py.vector_env import AtariVectorEnv  # type: ignore[import-not-found]

    env = AtariVectorEnv(game, num_envs=MACHINES, num_threads=1, stack_num=4, frameskip=SKIP, maxpool=True)
    env.reset(seed=1)
    actions = np.zeros(MACHINES, dtype=np.int64)

    def run() -> None:
        for _ in range(STEPS):
            env.step(actions)

    return run


def seconds(run: Callable[[], object]) -> float:
    """Processor time of all threads."""
    start = time.process_time()
    run()
    return time.process_time() - start


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
            times = [seconds(lambda act=act: [act() for _ in range(200)]) / 200 for _ in range(rounds)]  # type: ignore[misc]
            print(f"{name:28} {1e6 * statistics.median(times):8.1f} microseconds")


if __name__ == "__main__":
    main()
