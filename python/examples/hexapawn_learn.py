"""A learner that begins with nothing and becomes better than chance at Hexapawn, against the program's own player.

    python hexapawn_learn.py --games 400

The program forgets what it has learned after each game, so it stays the beginner that its matchboxes make of it. The learner keeps, for each board and move, how often it was played
and what came of it (Monte Carlo control). It tries moves in the order of their mean result, with a bonus for those that were seldom tried.
"""

import argparse
import math
import time
from collections import defaultdict
from typing import Any

import numpy as np

from anticlock.zoo import Hexapawn


class Learner:
    """Means of results for boards and moves."""

    def __init__(self) -> None:
        self.played: defaultdict[tuple[bytes, int], int] = defaultdict(int)
        self.mean: defaultdict[tuple[bytes, int], float] = defaultdict(float)

    def move(self, observation: dict[str, Any], bonus: float) -> int:
        """The legal move with the best mean, and `bonus` for what is unknown."""
        board = observation["observation"].tobytes()
        legal = [int(action) for action in np.flatnonzero(observation["action_mask"])]
        tried = 1 + sum(self.played[board, action] for action in legal)

        def promise(action: int) -> float:
            return self.mean[board, action] + bonus * math.sqrt(math.log(tried) / (self.played[board, action] + 0.1))

        return max(legal, key=promise)

    def learn(self, moves: list[tuple[bytes, int]], result: float) -> None:
        """What came of the moves of a game."""
        for move in moves:
            self.played[move] += 1
            self.mean[move] += (result - self.mean[move]) / self.played[move]


def game(env: Hexapawn, seed: int, learner: Learner | None, bonus: float = 0.0) -> tuple[list[tuple[bytes, int]], float]:
    """A game of the learner, or of the random player without one: its boards and moves, and 1 if it was won, -1 if not."""
    chance = np.random.default_rng(seed)
    env.reset(seed=seed)
    moves: list[tuple[bytes, int]] = []
    for _ in env.agent_iter():
        observation, reward, ended, cut, _ = env.last()
        if ended or cut:
            return moves, float(reward)
        if learner is None:
            action = int(chance.choice(np.flatnonzero(observation["action_mask"])))
        else:
            action = learner.move(observation, bonus)
        moves.append((observation["observation"].tobytes(), action))
        env.step(action)
    raise AssertionError("a game has an end")


def rate(env: Hexapawn, seeds: range, learner: Learner | None) -> float:
    """The share of the games that is won, without learning."""
    return sum(game(env, seed, learner)[1] > 0 for seed in seeds) / len(seeds)


def main() -> None:
    parser = argparse.ArgumentParser(description="Learns Hexapawn against the program's player.")
    parser.add_argument("--games", type=int, default=400, help="games to learn from")
    parser.add_argument("--tests", type=int, default=100, help="games of each test, with other seeds")
    options = parser.parse_args()
    env, learner = Hexapawn(), Learner()
    tests = range(1_000_000, 1_000_000 + options.tests)
    print(f"random player: {rate(env, tests, None):.0%} won", flush=True)
    start = time.process_time()
    for number in range(1, options.games + 1):
        learner.learn(*game(env, number, learner, 0.7))
        if number % max(1, options.games // 4) == 0:
            spent = time.process_time() - start
            print(f"after {number} games ({spent:.0f} s): {rate(env, tests, learner):.0%} won", flush=True)


if __name__ == "__main__":
    main()
