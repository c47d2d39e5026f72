"""The tasks of anticlock.tasks as a task set of `verifiers`, whose package is an extra.

    vf-eval anticlock-tasks -n 5
    vf-validate anticlock-tasks --taskset.folder tasks --runtime.type subprocess

A program is the last block of code in the last reply, or the whole reply where it has none. The reward is 1 for a program that passes.
"""

import asyncio
import re
from collections.abc import Iterable
from pathlib import Path

import verifiers.v1 as vf

from anticlock import tasks

__all__ = ["AnticlockTaskset"]

ENDINGS = {"BASIC": "lst", "assembly": "s"}
"""Endings of the files of a language."""
ANSWER = "Answer with the whole program, in one block of code (between lines of three backquotes)."


def program(reply: str) -> str:
    """The program in a reply."""
    blocks = re.findall(r"^```[^\n]*\n(.*?)^```", reply, re.DOTALL | re.MULTILINE)
    return str(blocks[-1] if blocks else reply)


class AnticlockData(vf.TaskData):
    """A task, by its name and the folder that it is from."""

    language: str
    grade: int
    folder: str | None = None


class AnticlockConfig(vf.TasksetConfig):
    """Which tasks there are."""

    folder: str | None = None
    """A folder of tasks, with their solutions; None: those that come with anticlock, without."""
    grade: int | None = None
    """The grade of the tasks, 1 to 4; None: all."""


def found(data: AnticlockData) -> tasks.Task:
    """The task that is meant."""
    if data.folder is None:
        return tasks.get(str(data.name))
    return next(task for task in tasks.load(data.folder) if task.name == data.name)


class AnticlockTask(vf.Task[AnticlockData]):
    """A program is asked for, and judged in emulated machines."""

    @vf.reward(weight=1.0)
    async def solved(self, trace: vf.Trace[AnticlockData]) -> float:
        """1 if the program of the last reply passes."""
        if not trace.assistant_messages:
            return 0.0
        verdict = await asyncio.to_thread(found(self.data).check, program(trace.last_reply))
        trace.info["faults"] = list(verdict.faults)
        return float(verdict.passed)

    async def validate(self, runtime: vf.Runtime) -> bool | None:
        """True if the solution in the folder passes; None without one."""
        if self.data.folder is None:
            return None
        path = Path(self.data.folder) / str(self.data.name) / f"reference.{ENDINGS[self.data.language]}"
        if not path.is_file():
            return None
        verdict = await asyncio.to_thread(found(self.data).check, path)
        return verdict.passed


class AnticlockTaskset(vf.Taskset[AnticlockTask, AnticlockConfig]):
    """Tasks in the order of their grades."""

    def load(self) -> Iterable[AnticlockTask]:
        """The tasks of the configuration."""
        folder, grade = self.config.folder, self.config.grade
        for task in tasks.all() if folder is None else tasks.load(folder):
            if grade in (None, task.grade):
                begin = f"\nThe program to begin with:\n\n```\n{task.start}```\n" if task.start else ""
                yield AnticlockTask(
                    AnticlockData(  # pyright: ignore[reportCallIssue]
                        name=task.name,
                        description=task.title,
                        prompt=f"{task.title} ({task.language})\n\n{task.statement}\n{begin}\n{ANSWER}",
                        language=task.language,
                        grade=task.grade,
                        folder=folder,
                    ),
                    self.config.task,
                )
