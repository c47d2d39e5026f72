"""The example that learns by PPO: what it learns from, its curve, and a few updates of the network where the library is."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import numpy as np
import pytest


@pytest.fixture(scope="module")
def ppo() -> ModuleType:
    path = Path(__file__).parents[1] / "examples" / "ppo.py"
    spec = importlib.util.spec_from_file_location("ppo", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["ppo"] = module
    spec.loader.exec_module(module)
    return module


def test_the_learner_plays_both_sides_of_a_game_in_turns(ppo: ModuleType) -> None:
    env = ppo.OneSide(ppo.TicTacToe, 4)
    for agent, marks in (("x", 0), ("o", 1), ("x", 0)):
        board, _ = env.reset()
        assert env.agent == agent and board.sum() == marks and board in env.observation_space
        assert env.action_masks().sum() == 9 - marks
    # The games of a seed are equal: board, answers and result.
    results = [ppo.test(env, 6, ppo.random_player(3)) for _ in range(2)]
    assert results[0] == results[1] and 0 < results[0].won < 1
    assert results[0].won + results[0].tied + results[0].lost == pytest.approx(1)


def test_a_reward_is_the_games_result(ppo: ModuleType) -> None:
    env = ppo.OneSide(ppo.Hexapawn, 0)
    env.reset(seed=1)
    ended, rewards = False, []
    while not ended:
        _, reward, ended, cut, _ = env.step(int(np.flatnonzero(env.action_masks())[0]))
        rewards.append(reward)
        assert not cut
    assert set(rewards[:-1]) <= {0.0} and abs(rewards[-1]) == 1 and not env.action_masks().any()


def test_the_curve_is_a_picture(ppo: ModuleType) -> None:
    def run(*shares: float) -> list:
        return [ppo.Point(100 * n, won, 0.0, 1 - won) for n, won in enumerate(shares)]

    one = ElementTree.fromstring(ppo.curve("Game", [run(0.5, 0.75, 1.0)]))
    assert [line.get("points") for line in one.findall("{*}polyline")] == ["50.0,120.0 250.0,70.0 450.0,20.0"]
    # Of several seeds there is a line for each, and one for their medians, which is none of them here.
    runs = [run(0.5, 0.75, 1.0), run(0.25, 1.0, 0.5), run(0.75, 0.5, 0.75)]
    lines = [line.get("points") for line in ElementTree.fromstring(ppo.curve("Game", runs)).findall("{*}polyline")]
    assert len(lines) == 4 and lines[3] == "50.0,120.0 250.0,70.0 450.0,70.0" and lines[3] not in lines[:3]
    assert ppo.spread(runs)[2] == "   200 moves: 75.0% won (50.0% to 100.0% of 3 seeds)"


def test_a_few_updates_of_the_network(ppo: ModuleType, tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib", reason="MaskablePPO is not installed")
    curve = tmp_path / "curve.svg"
    arguments = ["tic-tac-toe", "--moves", "256", "--tests", "1", "--games", "10", "--seeds", "2", "--curve", str(curve)]
    [one], [two] = (ppo.main([*arguments, "--processes", "1"]) for _ in range(2))
    # Equal seeds learn equally.
    assert one == two and [point.moves for point in one] == [0, 256] and one[0] != one[1]
    assert ElementTree.parse(curve).getroot().find("{*}polyline") is not None
    assert ppo.__file__ is not None
    many = subprocess.run([sys.executable, ppo.__file__, *arguments, "--processes", "2"], capture_output=True, text=True, timeout=120)
    assert str(one[0]) in many.stdout and "256 moves" in many.stdout, many.stderr
