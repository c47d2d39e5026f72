"""Environments of PettingZoo: its own tests, and games whose masks the rules of tests/ hold against their own (tests/tests/python_games.rs)."""

import os
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from pettingzoo.test import api_test, seed_test

from anticlock.zoo import Checkers, CrazyEights, EmulatedGame, Gammon, GoFish, Hexapawn, TicTacToe

GAMES = [TicTacToe, Hexapawn, Checkers, CrazyEights, Gammon, GoFish]
PLAYED = Path(__file__).parent / "games"


@pytest.mark.parametrize("game", GAMES)
# Its warnings have exceptions by name for PettingZoo's own games, whose observations are dictionaries, too; errors are what counts.
def test_the_tests_of_pettingzoo_pass(game: type[EmulatedGame]) -> None:
    api_test(game(), num_cycles=12)
    seed_test(game, num_cycles=8)


def _described(env: EmulatedGame, board: npt.NDArray[np.int8]) -> str:
    """The board as a word: the plane of each square, or numbers where a board has no squares."""
    numbers: list[int] = []
    if isinstance(env, CrazyEights):
        cells = board.reshape(52, 5)
        numbers = [*cells[:, 3:].sum(axis=0), cells[:, 2].argmax() // 13, cells[:, 1].argmax(), *np.flatnonzero(cells[:, 0])]
    elif isinstance(env, GoFish):
        books = board[:, :, 1:3].all(axis=1).sum(axis=0)
        numbers = [*board.reshape(52, 5)[:, 3:].sum(axis=0), *books, *board[:, :, 0].sum(axis=1)]
    elif isinstance(env, Gammon):
        tiles = board.sum(axis=1, dtype=int)
        dice = [tiles[27, 0]] * tiles[28, 0] if tiles[28, 0] > 2 else [tiles[27, n] for n in range(tiles[28, 0])]
        numbers = [*(tiles[:26, 0] - tiles[:26, 1]), *tiles[26], *dice]
    if numbers:
        return ":".join(map(str, numbers))
    return "".join(str(square.argmax()) if square.any() else "." for square in board.reshape(-1, board.shape[-1]))


def _play(game: type[EmulatedGame], seed: int, most: int) -> str:
    """A game of random moves as text: for each turn the agent, the board by the planes of its observation, the legal actions, the action."""
    env = game()
    env.reset(seed=seed)
    chance = np.random.default_rng(seed)
    lines = [f"# {env.program} {seed}"]
    rewards: dict[str, float] = {}
    for agent in env.agent_iter():
        seen, reward, ended, _, _ = env.last()
        if ended:
            rewards[agent] = reward
            env.step(None)
            continue
        board = _described(env, seen["observation"])
        legal = np.flatnonzero(seen["action_mask"])
        if len(lines) > most:
            break
        action = int(chance.choice(legal))
        lines.append(f"{agent} {board} {','.join(map(str, legal))} {action}")
        env.step(action)
    if rewards:
        lines.append("end " + " ".join(f"{agent} {reward:.0f}" for agent, reward in sorted(rewards.items())))
    env.close()
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(("game", "seeds", "most"), [(TicTacToe, 6, 9), (Hexapawn, 6, 9), (Checkers, 2, 40), (CrazyEights, 6, 30), (Gammon, 1, 60), (GoFish, 2, 40)])
def test_games_are_those_that_the_rules_were_held_against(game: type[EmulatedGame], seeds: int, most: int) -> None:
    played = "".join(_play(game, seed, most) for seed in range(seeds))
    file = PLAYED / f"{game.program}.txt"
    if os.environ.get("BLESS"):
        file.write_text(played)
    assert played == file.read_text()


def test_the_program_refuses_what_is_masked() -> None:
    env = TicTacToe()
    env.reset(seed=3)
    env.step(4)
    for action in (4, 9, -1, None):
        with pytest.raises(ValueError, match="action_mask"):
            env.step(action)
    copy = env.atari.clone()
    copy.type("22")
    copy.run_until(text="THAT SQUARE IS TAKEN", limit=60)
    env = Hexapawn()
    env.reset(seed=3)
    copy = env.atari.clone()
    copy.type("7,5")
    copy.run_until(text="A PAWN CANNOT MOVE THERE", limit=60)
    env = Checkers()
    env.reset(seed=3)
    copy = env.atari.clone()
    copy.type("C3C4\n")
    copy.run_until(text="ONLY THE DARK SQUARES ARE USED", limit=60)


def test_a_game_that_does_not_end_is_truncated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CrazyEights, "longest", 3)
    env = CrazyEights()
    env.reset(seed=1)
    for move in range(3):
        assert not env.truncations["player"], move
        env.step(CrazyEights._DRAW)
    assert env.truncations["player"]
    assert not env.terminations["player"]
    with pytest.raises(ValueError):
        env.step(CrazyEights._DRAW)
    env.step(None)
    env.reset(seed=1)
    assert not env.truncations["player"]


def test_both_agents_leave_a_truncated_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TicTacToe, "longest", 3)
    env = TicTacToe()
    env.reset(seed=1)
    turns: list[tuple[str, bool]] = []
    for agent in env.agent_iter(20):
        seen, _, ended, cut, _ = env.last()
        assert not ended
        turns.append((agent, cut))
        env.step(None if cut else int(np.flatnonzero(seen["action_mask"])[0]))
    assert turns == [("x", False), ("o", False), ("x", False), ("o", True), ("x", True)]
    assert env.agents == []


def test_pictures_are_rendered() -> None:
    env = TicTacToe(render_mode="rgb_array")
    env.reset(seed=1)
    one = env.render()
    env.step(0)
    assert one is not None and (env.render() != one).any() and TicTacToe().render() is None
    with pytest.raises(ValueError, match="render_mode"):
        TicTacToe(render_mode="human")
