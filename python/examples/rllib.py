"""RLlib learns a game on the workers of a Ray cluster, from its board and its legal moves.

    python rllib.py crazy-eights --iterations 2

It needs ray[rllib], and PyTorch. The network is RLlib's own example for legal moves; ppo.py says who plays against whom.
"""

import argparse
from typing import Any

import gymnasium
import numpy as np
import ray
from gymnasium import spaces
from ppo import GAMES, OneSide
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

Seen = dict[str, Any]


class Masked(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Boards with the legal moves beside them."""

    def __init__(self, env: OneSide) -> None:
        super().__init__(env)
        self.side = env
        mask = spaces.Box(0, 1, (env.game.count,), np.float32)
        self.observation_space = spaces.Dict({"action_mask": mask, "observations": env.observation_space})

    def _seen(self, board: Any) -> Seen:
        return {"action_mask": self.side.action_masks().astype(np.float32), "observations": board}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """The next game."""
        board, info = self.env.reset(seed=seed, options=options)
        return self._seen(board), info

    def step(self, action: Any) -> tuple[Seen, Any, bool, bool, dict[str, Any]]:
        """A move, and the answer."""
        board, reward, ended, cut, info = self.env.step(action)
        return self._seen(board), reward, ended, cut, info


def make(config: dict[str, Any]) -> Masked:
    """The environment that a worker plays in: its games begin with seeds of its own."""
    return Masked(OneSide(GAMES[config["game"]], 100_000 * int(getattr(config, "worker_index", 0))))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Learns a game by RLlib's PPO.")
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--moves", type=int, default=1024, help="moves of an iteration")
    parser.add_argument("--workers", type=int, default=2, help="processes that play; with 0 the one that learns plays")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    # Without an address of its own, ray.init joins or begins a cluster of this computer.
    ray.init(num_cpus=max(1, options.workers), include_dashboard=False, log_to_driver=False, object_store_memory=80 << 20)
    register_env("anticlock", make)
    config = (
        PPOConfig()
        .environment("anticlock", env_config={"game": options.game})
        .env_runners(num_env_runners=options.workers, sample_timeout_s=600)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [128, 128]}))
        .training(train_batch_size=options.moves, minibatch_size=min(128, options.moves), num_epochs=8, lr=1e-3, gamma=0.98, entropy_coeff=0.01)
        .debugging(seed=options.seed)
    )
    algorithm = config.build_algo()
    for iteration in range(1, options.iterations + 1):
        results = algorithm.train()["env_runners"]
        moves, games, mean = (results.get(name, 0) for name in ("num_env_steps_sampled_lifetime", "num_episodes", "episode_return_mean"))
        print(f"iteration {iteration}: {moves:.0f} moves, {games:.0f} games, result {mean:+.2f}", flush=True)
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
