"""The tasks of anticlock.tasks as an environment of OpenEnv, whose package is an extra.

An episode is a task: reset gives its statement, and a step judges a program. It ends with a program that passes, or with the last attempt.

    uvicorn anticlock.openenv:app --port 8000
"""

import random
from typing import Any
from uuid import uuid4

from openenv.core.env_server import Action, Environment, Observation, State, create_fastapi_app  # pyright: ignore[reportUnknownVariableType]
from openenv.core.env_server.types import EnvironmentMetadata

from anticlock import tasks

__all__ = ["Judgement", "Submission", "TaskEnvironment", "TaskState", "app"]

ATTEMPTS = 5
"""Programs that may be handed in for a task."""


class Submission(Action):
    """A program: a BASIC listing or an assembly source, as the task asks for."""

    program: str


class Judgement(Observation):
    """The task, and what was found in the last program."""

    task: str
    language: str
    statement: str
    start: str | None = None
    """The program to begin with, where there is one."""
    faults: list[str] = []
    """A sentence on each fault."""
    screen: str = ""
    """The text on the screen at the first fault."""


class TaskState(State):
    """The task of the episode; its name is empty before the first reset."""

    task: str = ""
    solved: bool = False


class TaskEnvironment(Environment[Submission, Judgement, TaskState]):
    """An episode is a task. The reward of a step is 1 for a program that passes, and 0 for another."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = TaskState()
        self._task = tasks.all()[0]

    def reset(self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any) -> Judgement:
        """Begins a task: the one that `task` names, or one by the seed, of the `grade` if one is given."""
        name, grade = kwargs.get("task"), kwargs.get("grade")
        if name is not None:
            self._task = tasks.get(str(name))
        else:
            choice = [task for task in tasks.all() if grade in (None, task.grade)]
            if not choice:
                raise ValueError(f"there is no task of grade {grade}, only of 1 to 4")
            self._task = random.Random(seed).choice(choice)
        self._state = TaskState(episode_id=episode_id or str(uuid4()), task=self._task.name)
        return self._seen(None)

    def step(self, action: Submission, timeout_s: float | None = None, **kwargs: Any) -> Judgement:
        """Judges a program. The judge is bounded by frames of the machine, so a time limit is not looked at."""
        verdict = self._task.check(action.program)
        self._state.step_count += 1
        self._state.solved = verdict.passed
        return self._seen(verdict)

    @property
    def state(self) -> TaskState:
        """The episode's task, attempts and success."""
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """Name and description for a hub."""
        about = f"{len(tasks.all())} tasks for programs that write programs, judged by an emulated Atari 8-bit computer"
        return EnvironmentMetadata(name="anticlock", description=about)

    def _seen(self, verdict: tasks.Verdict | None) -> Judgement:
        passed = verdict is not None and verdict.passed
        return Judgement(
            done=passed or self._state.step_count >= ATTEMPTS,
            reward=None if verdict is None else float(passed),
            task=self._task.name,
            language=self._task.language,
            statement=self._task.statement,
            start=self._task.start,
            faults=list(verdict.faults) if verdict else [],
            screen=verdict.screen if verdict else "",
        )


app = create_fastapi_app(TaskEnvironment, Submission, Judgement)
"""The server, for uvicorn."""
