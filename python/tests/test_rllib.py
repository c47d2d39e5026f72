"""The example that learns by RLlib: its environment, and two updates of the network from what a worker has played."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="RLLIB WAS NOT TRIED: PyTorch is not installed")
pytest.importorskip("ray.rllib", reason="RLLIB WAS NOT TRIED: it is not installed: python/requirements-rllib.txt", exc_type=ImportError)
EXAMPLES = Path(__file__).parents[1] / "examples"


def test_the_environment_has_the_legal_moves_beside_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import rllib

    env = rllib.make({"game": "tic-tac-toe"})
    seen, _ = env.reset(seed=4)
    marks = seen["observations"].sum()
    assert seen in env.observation_space and seen["action_mask"].sum() == 9 - marks
    seen, reward, ended, cut, _ = env.step(int(np.argmax(seen["action_mask"])))
    assert seen["action_mask"].sum() == 7 - marks and (reward, ended, cut) == (0, False, False)
    env.close()


def test_two_updates_of_the_network_from_what_a_worker_has_played() -> None:
    start = "import ray; ray.init(num_cpus=1, include_dashboard=False, object_store_memory=80 << 20); ray.shutdown()"
    try:
        subprocess.run([sys.executable, "-c", start], check=True, capture_output=True, timeout=180)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        # A cluster wants processes, ports and shared memory, which a container may refuse.
        pytest.skip(f"RLLIB WAS NOT TRIED: Ray does not start here: {error}")
    arguments = ["tic-tac-toe", "--iterations", "2", "--moves", "128", "--workers", "1"]
    run = subprocess.run([sys.executable, str(EXAMPLES / "rllib.py"), *arguments], capture_output=True, text=True, timeout=900)
    found = re.findall(r"iteration (\d): (\d+) moves, (\d+) games, result ([-+.\d]+)", run.stdout)
    assert [(number, moves) for number, moves, _, _ in found] == [("1", "128"), ("2", "256")], run.stderr[-2000:]
    assert all(int(games) > 10 and abs(float(result)) <= 1 for _, _, games, result in found)
