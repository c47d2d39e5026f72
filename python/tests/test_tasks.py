"""Tasks for programs that write programs. Their solutions and wrong programs are run by trial/tests/tasks.rs."""

import threading
from pathlib import Path

import pytest

from anticlock import tasks

FOLDER = Path(__file__).parents[2] / "tasks"
RIGHT = '10 INPUT N\n20 PRINT "SUM ";N*(N+1)/2\n'


def test_a_solution_passes_and_a_wrong_one_is_told_why() -> None:
    task = tasks.get("sum-to-n")
    assert task.language == "BASIC" and task.grade == 1 and task.start is None and "SUM 10" in task.statement
    assert task.check(RIGHT).passed and task.check(RIGHT.encode(), "lst").passed
    verdict = task.check(RIGHT.replace("+1", ""))
    assert not verdict.passed and "SUM" in verdict.screen
    assert verdict.faults[0].startswith("an answer, n = 1, out = 1: the sum is not right")


def test_sources_of_assembly_are_judged(tmp_path: Path) -> None:
    source = (FOLDER / "asm-sum" / "reference.s").read_text()
    task = tasks.get("asm-sum")
    assert task.check(source).passed
    file = tmp_path / "mine.s"
    file.write_text(source.replace("bcc next", "bcs next"))
    assert "the result is not right" in task.check(file).faults[0]
    assert task.check("start: ldq #1").faults == ('solution.s: line 1: there is no instruction "LDQ"',)


def test_tasks_have_unique_names_and_something_to_say() -> None:
    names = [task.name for task in tasks.all()]
    assert len(names) == len(set(names)) == len([one for one in FOLDER.iterdir() if one.is_dir()])
    assert [task.name for task in tasks.load(FOLDER)] == names
    for task in tasks.all():
        assert task.title and len(task.statement) > 60 and task.grade in range(1, 5), task
    assert {task.language for task in tasks.all()} == {"BASIC", "assembly"}


def test_threads_judge_at_the_same_time() -> None:
    task = tasks.get("sum-to-n")
    passed: list[bool] = []
    threads = [threading.Thread(target=lambda: passed.append(task.check(RIGHT).passed)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert passed == [True, True, True]


def test_mistakes_are_exceptions(tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="no task nothing"):
        tasks.get("nothing")
    with pytest.raises(ValueError, match="there is no task in this folder"):
        tasks.load(tmp_path)
    with pytest.raises(ValueError, match="endings"):
        tasks.get("sum-to-n").check(b"", "atr")
    with pytest.raises(FileNotFoundError):
        tasks.get("sum-to-n").check(tmp_path / "none.lst")
