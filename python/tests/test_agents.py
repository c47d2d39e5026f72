"""The tasks behind the interfaces of OpenEnv and verifiers, held against the checks of those packages."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "tasks"
RIGHT = '10 INPUT N\n20 PRINT "SUM ";N*(N+1)/2\n'


def test_an_episode_of_openenv_ends_with_a_program_that_passes() -> None:
    pytest.importorskip("openenv.core", reason="OPENENV IS NOT INSTALLED: python/requirements-agents.txt")
    from anticlock.openenv import ATTEMPTS, Submission, TaskEnvironment

    env = TaskEnvironment()
    seen = env.reset(task="sum-to-n", episode_id="one")
    assert (seen.done, seen.reward, seen.language) == (False, None, "BASIC") and "SUM 10" in seen.statement
    seen = env.step(Submission(program=RIGHT.replace("+1", "")))
    assert (seen.done, seen.reward) == (False, 0.0) and "the sum is not right" in seen.faults[0]
    seen = env.step(Submission(program=RIGHT))
    assert (seen.done, seen.reward, seen.faults) == (True, 1.0, [])
    assert (env.state.episode_id, env.state.step_count, env.state.solved) == ("one", 2, True)
    # Equal seeds choose equal tasks, of the grade that is asked for.
    names = [env.reset(seed=seed, grade=1).task for seed in (1, 1, 2, 3, 4)]
    assert names[0] == names[1] and len(set(names)) > 1
    for attempt in range(1, ATTEMPTS + 1):
        assert env.step(Submission(program="10 REM")).done == (attempt == ATTEMPTS)
    with pytest.raises(KeyError, match="there is no task x"):
        env.reset(task="x")
    with pytest.raises(ValueError, match="no task of grade 7"):
        env.reset(grade=7)


def test_the_server_passes_the_validation_of_openenv() -> None:
    pytest.importorskip("openenv.core", reason="OPENENV IS NOT INSTALLED: python/requirements-agents.txt")
    import uvicorn
    from openenv.cli._validation import validate_running_environment

    from anticlock.openenv import app

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            end = time.monotonic() + 120
            while not server.started and time.monotonic() < end:
                time.sleep(0.05)
            address = f"http://127.0.0.1:{listener.getsockname()[1]}"
            report: dict[str, Any] = validate_running_environment(address, timeout_s=60)
        finally:
            server.should_exit = True
            thread.join(60)
    assert report["passed"], report
    assert report["mode"] == "simulation"


def test_the_task_set_passes_the_validation_of_verifiers(tmp_path: Path) -> None:
    pytest.importorskip("verifiers.v1", reason="VERIFIERS IS NOT INSTALLED: python/requirements-agents.txt")
    names = ["sum-to-n", "asm-sum", "disk-boot"]
    for name in names:
        (tmp_path / "tasks").mkdir(exist_ok=True)
        (tmp_path / "tasks" / name).symlink_to(FOLDER / name)
    command = "import sys; from verifiers.v1.cli.validate import main; sys.exit(main())"
    options = ["--taskset.folder", "tasks", "--runtime.type", "subprocess", "--rich", "false", "-o", "out"]
    done = subprocess.run(
        [sys.executable, "-c", command, "anticlock-tasks", *options],
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [json.loads(line) for path in (tmp_path / "out").rglob("results.jsonl") for line in path.read_text().splitlines()]
    # Gold: the solution passes. Noop: nothing does not.
    assert {row["name"]: (row["gold"]["reason"], row["noop"]["reason"]) for row in rows} == dict.fromkeys(names, ("valid", "valid"))


def test_a_program_is_found_in_a_reply() -> None:
    pytest.importorskip("verifiers.v1", reason="VERIFIERS IS NOT INSTALLED: python/requirements-agents.txt")
    from anticlock_tasks import program

    assert program("10 PRINT 1\n") == "10 PRINT 1\n"
    assert program("First:\n```basic\n10 REM\n```\nBetter:\n```\n10 PRINT 1\n20 END\n```\nDone.") == "10 PRINT 1\n20 END\n"
