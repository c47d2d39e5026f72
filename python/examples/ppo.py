"""PPO learns a game from its board and its legal moves, on the CPU, in minutes.

    python ppo.py tic-tac-toe --seeds 0 1 2 --curve curve.svg

In Tic-Tac-Toe and Gammon the other side plays at random, and the learner plays both sides in turns; in the other games it plays against the program. It needs sb3-contrib (MaskablePPO of
Stable-Baselines3, on PyTorch). Games of the tests have seeds of their own, and in them the most likely move is played. Each seed learns for itself, one after the other.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from anticlock.zoo import CrazyEights, EmulatedGame, Gammon, GoFish, Hexapawn, TicTacToe

GAMES: dict[str, type[EmulatedGame]] = {
    "crazy-eights": CrazyEights,
    "gammon": Gammon,
    "go-fish": GoFish,
    "hexapawn": Hexapawn,
    "tic-tac-toe": TicTacToe,
}
TESTS = 1_000_000
"""The first seed of the games of tests."""

Board = npt.NDArray[np.float32]
Player = Callable[[Board, npt.NDArray[np.bool_]], int]


class OneSide(gymnasium.Env[Board, np.int64]):
    """A game for one learner: the other agent, if there is one, is a random player. With `seed` the games are those of seed, seed + 1 and so on."""

    def __init__(self, game: type[EmulatedGame], seed: int) -> None:
        self.game = game()
        self.observation_space = spaces.Box(0, 1, (int(np.prod(self.game.shape)),), np.float32)
        self.action_space = spaces.Discrete(self.game.count)
        self._next = seed

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Board, dict[str, Any]]:
        """The next game."""
        number = self._next if seed is None else seed
        super().reset(seed=number)
        self._next = number + 1
        self.game.reset(seed=number)
        self.agent = self.game.players[number % len(self.game.players)]
        self._answer()
        return self._board(), {}

    def step(self, action: int | np.int64) -> tuple[Board, SupportsFloat, bool, bool, dict[str, Any]]:
        """A move of the learner, and the other one's answer. Who does not bring a game to its end has lost it."""
        self.game.step(int(action))
        self._answer()
        cut = self.game.truncations[self.agent]
        return self._board(), -1.0 if cut else self.game.rewards[self.agent], self._ended(), False, {}

    def _ended(self) -> bool:
        return self.game.terminations[self.agent] or self.game.truncations[self.agent]

    def _answer(self) -> None:
        while not self._ended() and (other := self.game.agent_selection) != self.agent:
            self.game.step(int(self.np_random.choice(np.flatnonzero(self.game.observe(other)["action_mask"]))))

    def _board(self) -> Board:
        return self.game.observe(self.agent)["observation"].astype(np.float32).ravel()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal moves, as MaskablePPO asks for them."""
        return self.game.observe(self.agent)["action_mask"].astype(np.bool_)

    def __reduce__(self) -> tuple[partial[SimpleNamespace], tuple[()]]:
        """A machine stays in its process. MaskablePPO asks for the method, to see if there is one."""
        return partial(SimpleNamespace, action_masks=None), ()

    def close(self) -> None:
        """Lets go of the machine."""
        self.game.close()


@dataclass(frozen=True, slots=True)
class Point:
    """Results of a test."""

    moves: int
    """Moves that were learned from."""
    won: float
    tied: float
    lost: float

    def __str__(self) -> str:
        return f"{self.moves:>6} moves: {self.won:.1%} won, {self.tied:.1%} tied, {self.lost:.1%} lost"


def test(env: OneSide, games: int, player: Player, moves: int = 0) -> Point:
    """Plays the games of the tests' seeds."""
    results: list[float] = []
    for seed in range(TESTS, TESTS + games):
        board, _ = env.reset(seed=seed)
        ended = False
        while not ended:
            board, reward, ended, _, _ = env.step(player(board, env.action_masks()))
        results.append(float(reward))
    won, tied = results.count(1.0), results.count(0.0)
    return Point(moves, won / games, tied / games, (games - won - tied) / games)


def random_player(seed: int) -> Player:
    """A player whose moves are random."""
    chance = np.random.default_rng(seed)
    return lambda _, mask: int(chance.choice(np.flatnonzero(mask)))


def learn(game: type[EmulatedGame], moves: int, tests: int, games: int, seed: int, processes: int) -> list[Point]:
    """Learns from about `moves` moves, with `tests` tests on the way; their results."""
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv

    torch.set_num_threads(1)
    makers = [lambda first=seed + 100_000 * n: OneSide(game, first) for n in range(processes)]
    envs = DummyVecEnv(makers) if processes == 1 else SubprocVecEnv(makers)
    model = MaskablePPO(
        "MlpPolicy", envs, seed=seed, device="cpu", n_steps=min(1024, moves) // processes, batch_size=128, n_epochs=8,
        learning_rate=1e-3, gamma=0.98, ent_coef=0.01, policy_kwargs={"net_arch": [128, 128]},
    )  # fmt: skip

    def player(board: Board, mask: npt.NDArray[np.bool_]) -> int:
        return int(model.predict(board, action_masks=mask, deterministic=True)[0])

    env, points = OneSide(game, seed), list[Point]()
    for _ in range(tests):
        start = time.perf_counter()
        model.learn(moves // tests, reset_num_timesteps=False)
        spent = time.perf_counter() - start
        points.append(test(env, games, player, model.num_timesteps))
        print(f"{points[-1]} ({spent:.0f} s to learn)", flush=True)
    envs.close()
    env.close()
    return points


def median(runs: list[list[Point]]) -> list[Point]:
    """The medians of runs with equal numbers of tests."""

    def middle(points: tuple[Point, ...]) -> Point:
        won, tied, lost = (statistics.median(shares) for shares in zip(*((one.won, one.tied, one.lost) for one in points), strict=True))
        return Point(points[0].moves, won, tied, lost)

    return [middle(points) for points in zip(*runs, strict=True)]


def spread(runs: list[list[Point]]) -> list[str]:
    """A sentence for each test: median, least and greatest share of games that was won."""
    lines: list[str] = []
    for points in zip(*runs, strict=True):
        shares = [point.won for point in points]
        lines.append(f"{points[0].moves:>6} moves: {statistics.median(shares):.1%} won ({min(shares):.1%} to {max(shares):.1%} of {len(shares)} seeds)")
    return lines


def curve(title: str, runs: list[list[Point]]) -> str:
    """The share of games that was won, as a picture in SVG: a thin line for each run, the first point of which is the random player, and a thick one for their medians."""
    middle = median(runs)
    most = middle[-1].moves

    def place(point: Point) -> tuple[float, float]:
        return 50 + 400 * point.moves / most, 20 + 200 * (1 - point.won)

    def line(points: list[Point], style: str) -> str:
        return f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, points))}" fill="none" {style}/>'

    level = place(middle[0])[1]
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 470 260" font-family="sans-serif" font-size="11" fill="#333">',
        '<rect width="470" height="260" fill="#fff"/>',
        f'<text x="50" y="13">{title}: games won</text>',
        *(f'<path d="M50 {220 - 2 * n}h400" stroke="#ddd"/><text x="44" y="{224 - 2 * n}" text-anchor="end">{n} %</text>' for n in range(0, 101, 25)),
        f'<path d="M50 {level:.1f}h400" stroke="#c60" stroke-dasharray="5 4"/><text x="448" y="{level + 13:.1f}" text-anchor="end" fill="#c60">random player</text>',
        *(line(run, 'stroke="#9bd"') for run in runs if len(runs) > 1),
        line(middle, 'stroke="#06c" stroke-width="2"'),
        *(f'<text x="{50 + 400 * n / 4}" y="236" text-anchor="middle">{most * n // 4}</text>' for n in range(5)),
        '<text x="250" y="252" text-anchor="middle">moves that were learned from</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def main(arguments: list[str] | None = None) -> list[list[Point]]:
    parser = argparse.ArgumentParser(description="Learns a game by PPO.")
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--moves", type=int, default=40_000, help="moves to learn from")
    parser.add_argument("--tests", type=int, default=8, help="tests on the way")
    parser.add_argument("--games", type=int, default=200, help="games of a test")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--curve", type=Path, help="a file for the curve, in SVG")
    options = parser.parse_args(arguments)
    game = GAMES[options.game]
    runs: list[list[Point]] = []
    for seed in options.seeds:
        env = OneSide(game, seed)
        chance = test(env, options.games, random_player(seed))
        env.close()
        print(f"seed {seed}\n{chance} (random player)", flush=True)
        runs.append([chance, *learn(game, options.moves, options.tests, options.games, seed, options.processes)])
    if len(runs) > 1:
        print(*spread(runs), sep="\n")
    if options.curve:
        options.curve.write_text(curve(game.__name__, runs))
    return runs


if __name__ == "__main__":
    main()
