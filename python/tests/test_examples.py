"""The examples do what they say. What one prints is in its lines `# -> `, from the beginning of the line on."""

import importlib.util
import json
import runpy
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
SHORT = sorted(path.stem for path in EXAMPLES.glob("*.py") if "\n# -> " in path.read_text())


def test_there_are_twelve_short_ones() -> None:
    assert len(SHORT) == 12
    assert all(len((EXAMPLES / f"{name}.py").read_text().splitlines()) < 30 for name in SHORT)


@pytest.mark.parametrize("name", SHORT)
def test_an_example_prints_what_it_says(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = EXAMPLES / f"{name}.py"
    runpy.run_path(str(path), run_name="__main__")
    printed = capsys.readouterr().out.splitlines()
    expected = [line.removeprefix("# -> ") for line in path.read_text().splitlines() if line.startswith("# -> ")]
    assert len(printed) == len(expected)
    for line, wanted in zip(printed, expected, strict=True):
        assert line.startswith(wanted), f"{line!r} does not begin with {wanted!r}"


def test_the_cells_of_the_notebook_run_in_their_order() -> None:
    notebook = json.loads((EXAMPLES / "tour.ipynb").read_text())
    assert notebook["nbformat"] == 4
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    names: dict[str, object] = {}
    for number, cell in enumerate(cells):
        exec(compile(cell, f"cell {number}", "exec"), names)
    assert len(cells) == 7
    # A machine at the end of a cell is shown as a picture.
    assert all(hasattr(names[cell.splitlines()[-1]], "_repr_png_") for cell in cells if cell.splitlines()[-1] in ("atari", "game"))


def example(name: str) -> ModuleType:
    """A longer example, as a module."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def test_the_search_plays_gammon_without_touching_the_game() -> None:
    search = example("gammon_search")
    env = search.AgainstComputer()
    env.reset(seed=3)
    before = env.atari.state
    turn = env.turn()
    actions, wait = search.search(env, width=2, waits=3)
    assert search.search(env, width=2, waits=3) == (actions, wait) and wait in (0, 3, 6)
    guess = search.blind(env, width=2, samples=1, turns=1)
    assert env.atari.state == before and guess[0] in env.legal()
    # The same turn in a copy, and in the game: the computer rolls and answers alike.
    copied = env.fork()
    for played in (copied, env):
        for action in actions[:-1]:
            assert action in played.legal()
            assert played.play(action) is None
        played.atari.run(wait)
        assert played.play(actions[-1]) is None
        assert sum(tiles for tiles in played.board() if tiles > 0) == 15
    assert env.turn() > turn and env.legal()
    assert copied.board() == env.board() and copied.atari.state == env.atari.state


def test_a_board_is_worth_more_for_who_is_ahead_and_safe() -> None:
    search = example("gammon_search")
    start = [0, 2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 0]
    assert search.value(start, True) == pytest.approx(0, abs=3)
    ahead = search.moved(search.moved(start, 26 * 12 + 18), 26 * 12 + 18)
    assert search.value(ahead, False) > search.value(start, False) + 10
    # One tile on a peg within the reach of green's is a risk, and a hit puts green's tile on its bar.
    assert search.danger(start, 12, 1) > 0.2
    hit = search.moved([0] * 20 + [1, 0, 0, 0, -1, 0], 26 * 20 + 24)
    assert hit[24] == 1 and hit[25] == -1


def test_the_learner_of_hexapawn_learns_from_games_and_repeats_what_won() -> None:
    learn = example("hexapawn_learn")
    env, one, two = learn.Hexapawn(), learn.Learner(), learn.Learner()
    for learner in (one, two):
        results = []
        for seed in range(6):
            moves, result = learn.game(env, seed, learner, 0.7)
            learner.learn(moves, result)
            results.append(result)
    # Equal seeds are equal games.
    assert one.mean == two.mean and sum(one.played.values()) >= 12
    assert set(results) <= {1.0, -1.0}
    assert 0 <= learn.rate(env, range(6, 8), one) <= 1 and learn.rate(env, range(3), None) in (0, 1 / 3, 2 / 3, 1)
    # A move that won is played again, one that lost is not, if there is another.
    board = {"observation": np.zeros(9, np.int8), "action_mask": np.array([1, 1], np.int8)}
    learner = learn.Learner()
    learner.learn([(board["observation"].tobytes(), 1)], 1.0)
    assert learner.move(board, 0.0) == 1
    learner.learn([(board["observation"].tobytes(), 1)], -3.0)
    assert learner.move(board, 0.0) == 0
