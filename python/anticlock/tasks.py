"""Tasks for programs that write programs: statements, and a judge that runs solutions in machines.

>>> from anticlock import tasks
>>> task = tasks.get("sum-to-n")
>>> verdict = task.check('10 INPUT N\\n20 PRINT "SUM ";N*(N+1)/2\\n')
>>> verdict.passed
True
"""

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from anticlock import _anticlock

__all__ = ["Task", "Verdict", "all", "get", "load"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a solution's tests."""

    faults: tuple[str, ...]
    """A sentence on each fault; empty for a solution."""
    screen: str
    """The text on the screen at the first fault."""

    @property
    def passed(self) -> bool:
        """True for a solution."""
        return not self.faults


class Task:
    """A task: its statement, and the judge of its solutions, which has inputs that the statement does not name."""

    __slots__ = ("_task", "grade", "language", "name", "start", "statement", "title")

    name: str
    title: str
    grade: int
    """1 (a first program) to 4 (an evening's work)."""
    language: str
    """BASIC or assembly: what the statement asks for."""
    statement: str
    start: str | None
    """The program to begin with, where there is one."""

    def __init__(self, task: _anticlock.Task) -> None:
        self._task = task
        self.name, self.title, self.grade, self.language, self.statement, self.start = task.words()

    def __repr__(self) -> str:
        return f"<Task {self.name}: {self.title}>"

    def check(self, solution: str | bytes | os.PathLike[str], ending: str | None = None) -> Verdict:
        """Judges a program: a listing or an assembly source as a text, the bytes of a file, or a file.

        ending: of what kind bytes or a text are, as a file's name ends: lst, bas, s, asm, xex or com; lst or s by the task's language if it is not
        given. It takes a second or less for most, and is bounded by frames of the machine.
        """
        if isinstance(solution, os.PathLike):
            path = Path(solution)
            return self._check(path.read_bytes(), ending or path.suffix[1:].lower())
        return self._check(solution.encode() if isinstance(solution, str) else bytes(solution), ending)

    def _check(self, solution: bytes, ending: str | None) -> Verdict:
        faults, screen = self._task.check(solution, ending)
        return Verdict(tuple(faults), screen)


@cache
def all() -> tuple[Task, ...]:
    """The tasks that come with the package, in the order of their grades."""
    return tuple(Task(task) for task in _anticlock.all_tasks(None))


def get(name: str) -> Task:
    """The task of a name. Raises KeyError if there is none."""
    for task in all():
        if task.name == name:
            return task
    raise KeyError(f"there is no task {name[:60]}")


def load(folder: str | os.PathLike[str]) -> tuple[Task, ...]:
    """The tasks of a folder of your own. Raises ValueError with one sentence."""
    return tuple(Task(task) for task in _anticlock.all_tasks(os.fspath(folder)))
