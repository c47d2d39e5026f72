"""The class Batch: many machines that are stepped together."""

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from anticlock import _anticlock
from anticlock.atari import Atari, Program

__all__ = ["ACTIONS", "Batch", "Frameskip", "Pointing", "Saved", "Step", "View", "controls", "task"]

View: TypeAlias = Literal["rgb", "grayscale", "grayscale84", "indexed", "text", "ram"]
"""A form of observations; docs/batch.md has their shapes."""

Frameskip: TypeAlias = int | tuple[int, int]
"""Frames of a step. A pair is a range as ALE has it: (2, 5) is 2, 3 or 4 frames, each by the same chance."""

Pointing: TypeAlias = Literal["off", "paddles", "light-pen", "light-gun", "st-mouse", "amiga-mouse", "trak-ball"]
"""A pointing device, in the port in which Atari.pointer plugs it in, or paddles 0 and 1."""

Saved = _anticlock.Saved
"""A machine of a batch with its episode, for Batch.restore."""

Step: TypeAlias = tuple[
    npt.NDArray[np.uint8], npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_]
]
"""Observations, rewards, terminated, truncated: an element for each machine."""

ACTIONS = (
    "noop fire up right left down upright upleft downright downleft "
    "upfire rightfire leftfire downfire uprightfire upleftfire downrightfire downleftfire"
).split()
"""The 18 positions of a joystick with its trigger, in ALE's order."""

_TASKS = dict(_anticlock.tasks())
_NOTHING: Mapping[str, Any] = MappingProxyType({})


def task(name: str) -> str:
    """The task file of a built-in program, as text. Raises ValueError for a program without one."""
    try:
        return _TASKS[name]
    except KeyError:
        raise ValueError(f"there is no task for {name[:40]!r}; there are {', '.join(_TASKS)}") from None


def controls(actions: Sequence[str]) -> npt.NDArray[np.int64]:
    """The controls that action names stand for: a row each of two sticks, a key and the console keys (the first four numbers of Batch.controls).

    A name is one of ACTIONS, start, select, option, or key:a, key:return and so on. Raises ValueError for another.
    """
    return np.array(_anticlock.controls(list(actions)), dtype=np.int64).reshape(len(actions), 4)


def _text(of: "str | os.PathLike[str] | None", program: object) -> str:
    """A task's file: its text, its path, or that of the program."""
    if of is None:
        return _TASKS.get(program, "") if isinstance(program, str) else ""
    if isinstance(of, os.PathLike) or (of.endswith(".toml") and "\n" not in of):
        return Path(of).read_text(encoding="utf-8")
    return of


@lru_cache(maxsize=32)
def _built_in(text: str, model: str | None, tv: str | None, seed: int) -> _anticlock.Start:
    return _anticlock.Start(text, None, model, tv, seed, None)


def _start(program: Program | Atari | None, text: str, machine: Mapping[str, Any], pointer: Pointing | None) -> _anticlock.Start:
    """The beginning of a task. That of a built-in program is kept: it takes up to a second of the host's time."""
    if isinstance(program, Atari):
        if machine:
            raise TypeError("machine= is for a program; an Atari is switched on already")
        return _anticlock.Start(text, program.clone()._machine, None, None, 0, pointer)
    if pointer is None and isinstance(program, str) and _TASKS.get(program) == text and machine.keys() <= {"model", "tv", "seed"}:
        return _built_in(text, machine.get("model"), machine.get("tv"), machine.get("seed", 0))
    options: dict[str, Any] = {"history": False, **machine}
    return _anticlock.Start(text, Atari(program, **options)._machine, None, None, 0, pointer)


class Batch:
    """Machines that run the same program and are stepped together, each exactly as it would run for itself.

    program: a built-in program by name, a file, its bytes, None for the READY prompt, or an Atari, from which all machines are copied.
    count: number of machines, 1 to 65,536.
    task: the file that says where an episode begins, what is reward and what its end, as a path or as text; None is that of a built-in
        program, or none: every episode begins where the program does, and there is no reward and no end.
    view: the form of observations. draw: the last frame of each step is drawn for `rgb` even if the view does not need it.
    frameskip: frames of a step, 1 to 1,000, or a range of them. maxpool: the brighter of each pixel of its last two frames.
    stack_num: observations that are given together, oldest first, 1 to 16; more than one is the first axis of a machine's observation.
    repeat_action_probability: chance that a frame keeps the controls of the frame before.
    noop_max: frames without controls at the beginning of an episode: 0 to this many, by chance.
    max_num_frames_per_episode: an episode is truncated after this many; 0: never.
    autoreset: a machine whose episode has ended begins the next one in the step that follows, which does nothing else for it.
    num_threads: 1 is the caller's, 0 is one for each processor. Results do not depend on it.
    machine: keyword arguments of Atari for the program: model, tv, seed and so on.
    pointer: paddles, or a pointing device that is plugged into every machine; None is that of the Atari, else none. It adds three numbers to `controls`.

    No machine finds a folder at H:. Methods may be called from any thread; other threads run meanwhile.
    """

    __slots__ = ("_batch", "_rest", "_table", "actions", "controls", "count", "shape")

    actions: tuple[str, ...]
    """Names of the actions that do something in this program, as its task has them, else ACTIONS."""
    controls: tuple[tuple[int, int], ...]
    """The least and the greatest of each number of a machine's controls, see step."""
    count: int
    """Number of machines."""
    shape: tuple[int, ...]
    """The dimensions of one machine's observation."""

    def __init__(
        self,
        program: Program | Atari | None,
        count: int,
        *,
        task: "str | os.PathLike[str] | None" = None,
        view: View = "grayscale84",
        draw: bool = False,
        frameskip: Frameskip = 4,
        maxpool: bool = False,
        stack_num: int = 1,
        repeat_action_probability: float = 0.0,
        noop_max: int = 0,
        max_num_frames_per_episode: int = 0,
        autoreset: bool = True,
        num_threads: int = 1,
        machine: Mapping[str, Any] = _NOTHING,
        pointer: Pointing | None = None,
    ) -> None:
        first, end = (frameskip, frameskip + 1) if isinstance(frameskip, int) else frameskip
        if not 1 <= first < end <= 1001:
            raise ValueError(f"frameskip is {frameskip}, and must be 1 to 1000, or the first of a range and the one after its last")
        for name, number in (
            ("count", count),
            ("stack_num", stack_num),
            ("noop_max", noop_max),
            ("max_num_frames_per_episode", max_num_frames_per_episode),
            ("num_threads", num_threads),
        ):
            if not 0 <= number < 1 << 31:
                raise ValueError(f"{name} is {number}, and must not be negative or enormous")
        start = _start(program, _text(task, program), machine, pointer)
        self._batch = _anticlock.Batch(
            start,
            count,
            {
                "view": view,
                "frame_skip": (first, end - 1),
                "max_pool": maxpool,
                "stack": stack_num,
                "repeat": float(repeat_action_probability),
                "noops": noop_max,
                "most_frames": max_num_frames_per_episode,
                "autoreset": autoreset,
                "draw": draw,
                "threads": num_threads,
            },
        )
        self.count = count
        one = tuple(self._batch.shape())
        self.shape = (stack_num, *one) if stack_num > 1 else one
        self.actions = tuple(start.actions or ACTIONS)
        self.controls = tuple((least, most) for least, most, _ in start.controls)
        self._rest = np.array([rest for _, _, rest in start.controls], dtype=np.int64)
        self._table = self.rows(self.actions)

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"<Batch of {self.count}>"

    def close(self) -> None:
        """Lets go of the machines; everything else raises ValueError from then on."""
        self._batch.close()

    def __enter__(self) -> "Batch":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def frames(self) -> npt.NDArray[np.int64]:
        """Frames of each machine's episode, without those of noop_max."""
        return self._batch.frames()

    def rows(self, actions: Sequence[str]) -> npt.NDArray[np.int64]:
        """The controls that action names stand for, as step takes them: a row each, with paddles or pointing device at rest. Raises ValueError for another name."""
        rows = np.tile(self._rest, (len(actions), 1))
        rows[:, :4] = controls(actions)
        return rows

    def _buffer(self, out: npt.NDArray[np.uint8] | None) -> npt.NDArray[np.uint8]:
        return np.empty((self.count, *self.shape), dtype=np.uint8) if out is None else out

    def reset(
        self, seeds: Sequence[int] | npt.NDArray[np.uint64], out: npt.NDArray[np.uint8] | None = None
    ) -> npt.NDArray[np.uint8]:
        """Begins an episode in every machine, each with its seed (0 to 2**64 - 1), which decides all that is left to chance.

        The first observations are written into `out` and given; without it, into an array of the caller's.
        """
        try:
            numbers = np.array(seeds, dtype=np.uint64)
        except OverflowError:
            raise ValueError("a seed is 0 to 2**64 - 1") from None
        out = self._buffer(out)
        self._batch.reset(numbers, out)
        return out

    def reset_one(self, index: int, seed: int | None = None) -> npt.NDArray[np.uint8]:
        """Begins an episode in one machine, and gives its observation; without a seed its chance continues."""
        out = np.empty(self.shape, dtype=np.uint8)
        self._batch.reset_one(index, seed, out)
        return out

    def step(self, actions: npt.ArrayLike, out: Step | None = None) -> Step:
        """A step of every machine.

        actions: for each machine the number of one of `actions`, or a row of numbers: stick in port 1 and in port 2 (numbers of
            ACTIONS), a key (0 none, else KBCODE and 1), console keys (1 START, 2 SELECT, 4 OPTION, added). With `pointer` three more follow.
            Paddles: positions of paddle 0 and 1 (0 to 228), triggers (1 and 2, added). Light pen and gun: pixel (0 to 375; -1 sees no light) and line
            (0 to 239) of the picture, button. Mouse and trak-ball: steps to the right and down (-127 to 127) that it is moved in this step, button.
        out: the arrays that are written and given; without them, new ones.

        Raises ValueError for what is not an action.
        """
        rows = np.asarray(actions)
        if rows.size and rows.dtype.kind not in "iu":
            raise ValueError("actions are whole numbers")
        if rows.ndim == 1:
            if rows.size and not (0 <= rows.min() and rows.max() < len(self._table)):
                raise ValueError(f"an action is 0 to {len(self._table) - 1}")
            rows = self._table[rows]
        if out is None:
            out = (
                self._buffer(None),
                np.empty(self.count, dtype=np.float32),
                np.empty(self.count, dtype=np.bool_),
                np.empty(self.count, dtype=np.bool_),
            )
        self._batch.step(np.ascontiguousarray(rows, dtype=np.int64), *out)
        return out

    def observation(self, index: int) -> npt.NDArray[np.uint8]:
        """The last observation of one machine."""
        out = np.empty(self.shape, dtype=np.uint8)
        self._batch.observation(index, out)
        return out

    def save(self, index: int) -> Saved:
        """A copy of one machine with its episode and its chance."""
        return self._batch.save(index)

    def restore(self, index: int, saved: Saved) -> None:
        """Puts a copy into a place of a batch of the same task and view."""
        self._batch.restore(index, saved)

    def fork(self, source: int, target: int) -> None:
        """Makes one machine a copy of another, episode and chance included."""
        self._batch.fork(source, target)

    def seed(self, index: int, seed: int) -> None:
        """Gives a machine's chance another seed from its next step on: forks go different ways by it."""
        self._batch.seed(index, seed)

    def rgb(self, index: int) -> npt.NDArray[np.uint8]:
        """The last picture that a machine has drawn: 240 rows of 376 by red, green, blue."""
        return self._batch.rgb(index)

    def text(self, index: int) -> str:
        """The text on a machine's screen, each row ended by a line feed."""
        return self._batch.text(index)

    def peek(self, index: int, address: int, count: int = 1) -> bytes:
        """Bytes of a machine's memory, without side effects."""
        return self._batch.peek(index, address, count)

    def state(self, index: int) -> bytes:
        """A machine as bytes, for Atari.load."""
        return self._batch.state(index)
