"""A batch on the workers of a Ray cluster.

>>> import ray
>>> from anticlock.cluster import Pool
>>> ray.init(num_cpus=2)
>>> pool = Pool("crazy-eights", 64, workers=2, view="grayscale84")
>>> observations = pool.reset(range(64))
>>> observations, rewards, terminated, truncated = pool.step([0] * 64)

Machines do not know where they run: equal seeds and actions give equal machines in a Batch on one thread, on many, and in a Pool.
"""

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from anticlock.atari import Program
from anticlock.batch import Batch, Step

__all__ = ["Pool"]

# Ray is an extra, and has no types of its own for actors.
ray: Any = importlib.import_module("ray")


class _Part:
    """The machines of one worker."""

    def __init__(self, program: Program | None, count: int, options: dict[str, Any]) -> None:
        self._batch = Batch(program, count, **options)

    def about(self) -> tuple[tuple[int, ...], tuple[str, ...]]:
        return self._batch.shape, self._batch.actions

    def reset(self, seeds: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint8]:
        return self._batch.reset(seeds)

    def step(self, actions: npt.NDArray[np.int64]) -> Step:
        return self._batch.step(actions)

    def state(self, index: int) -> bytes:
        return self._batch.state(index)


class Pool:
    """Machines that run the same program, spread over the workers of a Ray cluster, which has been joined by ray.init.

    program: a built-in program by name, a file that all workers see, its bytes, or None for the READY prompt.
    count: number of machines in all. workers: the number of actors among which they are divided, each with a processor of the cluster.
    Other keyword arguments are those of Batch; num_threads is for each worker.
    """

    __slots__ = ("_ends", "_parts", "actions", "count", "shape")

    actions: tuple[str, ...]
    """Names of the actions, as Batch has them."""
    count: int
    """Number of machines."""
    shape: tuple[int, ...]
    """The dimensions of one machine's observation."""

    def __init__(self, program: Program | None, count: int, *, workers: int, **options: Any) -> None:
        if not 1 <= workers <= count:
            raise ValueError(f"workers is {workers}, and must be 1 to {count}, the number of machines")
        self.count = count
        self._ends = [count * (worker + 1) // workers for worker in range(workers)]
        sizes = np.diff([0, *self._ends])
        actor = ray.remote(num_cpus=1)(_Part)
        self._parts: list[Any] = [actor.remote(program, int(size), options) for size in sizes]
        self.shape, self.actions = ray.get(self._parts[0].about.remote())

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"<Pool of {self.count} on {len(self._ends)} workers>"

    def close(self) -> None:
        """Ends the workers; everything else raises ValueError from then on."""
        for part in self._parts:
            ray.kill(part)
        self._parts = []

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _each(self, method: str, rows: npt.NDArray[Any]) -> list[Any]:
        """Calls a method of all workers, each with its part of the rows."""
        if not self._parts:
            raise ValueError("the pool is closed")
        if len(rows) != self.count:
            raise ValueError(f"{len(rows)} were given for {self.count} machines")
        parts = np.split(rows, self._ends[:-1])
        calls = [getattr(part, method).remote(own) for part, own in zip(self._parts, parts, strict=True)]
        results: list[Any] = ray.get(calls)
        return results

    def reset(self, seeds: Sequence[int] | npt.NDArray[np.uint64]) -> npt.NDArray[np.uint8]:
        """Begins an episode in every machine, each with its seed, and gives the first observations."""
        return np.concatenate(self._each("reset", np.array(seeds, dtype=np.uint64)))

    def step(self, actions: npt.ArrayLike) -> Step:
        """A step of every machine; actions are those of Batch.step."""
        parts = self._each("step", np.asarray(actions))
        observations, rewards, terminated, truncated = (np.concatenate(column) for column in zip(*parts, strict=True))
        return observations, rewards, terminated, truncated

    def state(self, index: int) -> bytes:
        """A machine as bytes, for Atari.load."""
        if not self._parts:
            raise ValueError("the pool is closed")
        if not 0 <= index < self.count:
            raise IndexError(f"there is no machine {index}, only 0 to {self.count - 1}")
        worker = next(number for number, end in enumerate(self._ends) if index < end)
        first = self._ends[worker - 1] if worker else 0
        state: bytes = ray.get(self._parts[worker].state.remote(index - first))
        return state
