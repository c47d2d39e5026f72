"""Environments of Gymnasium: importing this module registers them.

anticlock/CrazyEights-v0, Gammon, GoFish, TicTacToe, Checkers, FocalCheckers, Hexapawn and anticlock/Atari8-v0 for any program.

>>> import gymnasium
>>> import anticlock.gym
>>> env = gymnasium.make("anticlock/TicTacToe-v0", obs_type="text")
>>> envs = gymnasium.make_vec("anticlock/CrazyEights-v0", num_envs=16, num_threads=0)
"""

import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from anticlock.atari import Atari, Program
from anticlock.batch import ACTIONS, Batch, Frameskip, Pointing, Saved, View

__all__ = ["GAMES", "Atari8Env", "Atari8VectorEnv", "register"]

Observation: TypeAlias = npt.NDArray[np.uint8]
Action: TypeAlias = Any
"""A number for action_type="discrete", those of Batch.controls for "controls"; arrays of them in a vector environment."""

GAMES: Mapping[str, str] = MappingProxyType(
    {
        "CrazyEights": "crazy-eights",
        "Gammon": "gammon",
        "GoFish": "go-fish",
        "TicTacToe": "tic-tac-toe",
        "Checkers": "checkers",
        "FocalCheckers": "focal",
        "Hexapawn": "hexapawn",
    }
)
"""Built-in programs by the names of their environments."""

_FRAMES = 108_000
"""ALE's most frames of an episode: half an hour."""


class _Actions:
    """The actions of an environment, their space and their controls."""

    def __init__(self, batch: Batch, kind: str, full: bool, names: Sequence[str] | None) -> None:
        self.names: list[str] = []
        self.space: spaces.Discrete[np.int64] | spaces.MultiDiscrete[np.int64]
        if kind == "controls":
            if full or names is not None:
                raise ValueError("full_action_space and actions are for action_type='discrete'")
            least, most = np.array(batch.controls, dtype=np.int64).T
            self.space = spaces.MultiDiscrete(most - least + 1, start=least)
        elif kind == "discrete":
            if len(batch.controls) > 4:
                raise ValueError("paddles and pointing devices need action_type='controls'")
            self.names = list(names if names is not None else ACTIONS if full else batch.actions)
            self.space = spaces.Discrete(len(self.names))
        else:
            raise ValueError(f"action_type is 'discrete' or 'controls', not {kind!r}")
        self._table = batch.rows(self.names)

    def rows(self, actions: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The controls of actions, a row for each machine."""
        return self._table[actions] if self.names else actions


class Atari8Env(gymnasium.Env[Observation, Action]):
    """One machine with a program as an environment. Names of arguments are ALE's.

    program, task, machine, pointer: see Batch.
    obs_type: rgb, grayscale (192 by 320), grayscale84 (84 by 84), indexed (colour numbers), text (ATASCII, 24 by 40), ram (65,536 bytes).
    action_type: discrete for one of `actions`, or controls for both sticks, all keys, the console keys and, with `pointer`, paddles or a pointing device.
    full_action_space: all 18 positions of a joystick rather than the program's own actions. actions: other actions by their names.
    render_mode: rgb_array or None. The other arguments are those of Batch.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 15}

    def __init__(
        self,
        program: Program | Atari | None = None,
        *,
        task: "str | os.PathLike[str] | None" = None,
        obs_type: View = "rgb",
        action_type: Literal["discrete", "controls"] = "discrete",
        full_action_space: bool = False,
        actions: Sequence[str] | None = None,
        frameskip: Frameskip = 4,
        maxpool: bool = False,
        stack_num: int = 1,
        repeat_action_probability: float = 0.0,
        noop_max: int = 30,
        max_num_frames_per_episode: int = _FRAMES,
        render_mode: str | None = None,
        machine: Mapping[str, Any] = MappingProxyType({}),
        pointer: Pointing | None = None,
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode is 'rgb_array' or None, not {render_mode!r}")
        self.render_mode = render_mode
        self.batch = Batch(
            program,
            1,
            task=task,
            view=obs_type,
            draw=render_mode is not None,
            frameskip=frameskip,
            maxpool=maxpool,
            stack_num=stack_num,
            repeat_action_probability=repeat_action_probability,
            noop_max=noop_max,
            max_num_frames_per_episode=max_num_frames_per_episode,
            autoreset=False,
            machine=machine,
            pointer=pointer,
        )
        """The machine: a batch of one."""
        self._actions = _Actions(self.batch, action_type, full_action_space, actions)
        self._seeded = False
        self.action_space = self._actions.space
        self.observation_space = spaces.Box(0, 255, self.batch.shape, np.uint8)

    def get_action_meanings(self) -> list[str]:
        """Names of the actions, as ALE has them: NOOP, FIRE, UP and so on."""
        return [name.upper() for name in self._actions.names]

    def _info(self) -> dict[str, Any]:
        return {"episode_frame_number": int(self.batch.frames[0])}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins an episode. With a seed, all that is left to chance is decided by it; without, the chance of the episode before continues."""
        super().reset(seed=seed)
        if seed is None and not self._seeded:
            seed = int(self.np_random.integers(1 << 62))
        self._seeded = True
        seen = self.batch.reset_one(0, seed)
        return seen, self._info()

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """A step. Raises ValueError for what is not an action."""
        if not self.action_space.contains(action):
            raise ValueError(f"{action!r} is not in {self.action_space}")
        if not self._seeded:
            raise gymnasium.error.ResetNeeded("reset comes before the first step")
        seen, rewards, ended, cut = self.batch.step(self._actions.rows(np.array(action, dtype=np.int64)).reshape(1, -1))
        return seen[0], float(rewards[0]), bool(ended[0]), bool(cut[0]), self._info()

    def render(self) -> Observation | None:
        """The last picture: 240 rows of 376 by red, green, blue."""
        if self.render_mode is None:
            return None
        return self.batch.rgb(0)

    def clone_state(self) -> Saved:
        """The machine with its episode and its chance, for restore_state. It takes microseconds."""
        return self.batch.save(0)

    def restore_state(self, state: Saved) -> None:
        """Returns to a state of this environment or of another one that was made with the same arguments."""
        self.batch.restore(0, state)
        self._seeded = True

    def close(self) -> None:
        """Lets go of the machine."""
        self.batch.close()


class Atari8VectorEnv(gymnasium.vector.VectorEnv[Observation, Action, npt.NDArray[Any]]):
    """Machines with one program, stepped together by a batch.

    Arguments are those of Atari8Env, and autoreset_mode and num_threads (0: one for each processor). Defaults are ALE's for its vector environment: grey
    84 by 84, the brighter of two frames, four of them. With equal arguments and seeds a machine runs as in Atari8Env.
    """

    def __init__(
        self,
        num_envs: int = 1,
        program: Program | Atari | None = None,
        *,
        task: "str | os.PathLike[str] | None" = None,
        obs_type: View = "grayscale84",
        action_type: Literal["discrete", "controls"] = "discrete",
        full_action_space: bool = False,
        actions: Sequence[str] | None = None,
        frameskip: Frameskip = 4,
        maxpool: bool | None = None,
        stack_num: int = 4,
        repeat_action_probability: float = 0.0,
        noop_max: int = 30,
        max_num_frames_per_episode: int = _FRAMES,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        num_threads: int = 0,
        render_mode: str | None = None,
        machine: Mapping[str, Any] = MappingProxyType({}),
        pointer: Pointing | None = None,
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode is 'rgb_array' or None, not {render_mode!r}")
        if max_episode_steps is not None:
            if not isinstance(frameskip, int):
                raise ValueError("max_episode_steps is for steps of equal length: max_num_frames_per_episode is for a range of frames")
            frames = max_episode_steps * frameskip
            max_num_frames_per_episode = min(frames, max_num_frames_per_episode or frames)
        self._mode = AutoresetMode(autoreset_mode)
        self.render_mode = render_mode
        self.num_envs = num_envs
        self.batch = Batch(
            program,
            num_envs,
            task=task,
            view=obs_type,
            draw=render_mode is not None,
            frameskip=frameskip,
            maxpool=obs_type in ("rgb", "grayscale", "grayscale84") if maxpool is None else maxpool,
            stack_num=stack_num,
            repeat_action_probability=repeat_action_probability,
            noop_max=noop_max,
            max_num_frames_per_episode=max_num_frames_per_episode,
            autoreset=self._mode == AutoresetMode.NEXT_STEP,
            num_threads=num_threads,
            machine=machine,
            pointer=pointer,
        )
        """The machines."""
        self.metadata = {
            "render_modes": ["rgb_array"],
            "render_fps": 60 / (frameskip if isinstance(frameskip, int) else (sum(frameskip) - 1) / 2),
            "autoreset_mode": self._mode,
        }
        self._actions = _Actions(self.batch, action_type, full_action_space, actions)
        self._over = np.zeros(num_envs, dtype=np.bool_)
        self._seeded = False
        self.single_observation_space = spaces.Box(0, 255, self.batch.shape, np.uint8)
        self.single_action_space = self._actions.space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def get_action_meanings(self) -> list[str]:
        """Names of the actions, as ALE has them: NOOP, FIRE, UP and so on."""
        return [name.upper() for name in self._actions.names]

    def _info(self, there: npt.NDArray[np.bool_]) -> dict[str, Any]:
        return {
            "episode_frame_number": self.batch.frames,
            "_episode_frame_number": there.copy(),
        }

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins an episode in every machine, or in those of options["reset_mask"].

        seed: a number for the first machine, that and 1 for the second and so on; or one for each; None continues their chance.
        """
        seeds: list[int | None]
        super().reset(seed=seed if isinstance(seed, int) else None)
        if isinstance(seed, int):
            seeds = [seed + index for index in range(self.num_envs)]
        elif seed is not None:
            seeds = list(seed)
        else:
            seeds = [None] * self.num_envs
        if len(seeds) != self.num_envs:
            raise ValueError(f"there are {len(seeds)} seeds for {self.num_envs} machines")
        mask = np.ones(self.num_envs, dtype=np.bool_)
        if options is not None and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"])
            if mask.dtype != np.bool_ or mask.shape != (self.num_envs,) or not mask.any():
                raise ValueError(f"reset_mask is {self.num_envs} truth values, of which one at least is true")
        if not self._seeded:
            # The first time nothing can be continued.
            chance = self.np_random.integers(1 << 62, size=self.num_envs)
            seeds = [int(drawn) if one is None else one for one, drawn in zip(seeds, chance, strict=True)]
        out = np.empty((self.num_envs, *self.batch.shape), dtype=np.uint8)
        if mask.all() and None not in seeds:
            self.batch.reset([one for one in seeds if one is not None], out)
        else:
            if not self._seeded:
                self.batch.reset([one or 0 for one in seeds], out)
            for index in range(self.num_envs):
                if mask[index]:
                    out[index] = self.batch.reset_one(index, seeds[index])
                else:
                    out[index] = self.batch.observation(index)
        self._seeded = True
        self._over[mask] = False
        return out, self._info(mask)

    def step(
        self, actions: Action
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """A step of every machine. Raises ValueError for what is not an action."""
        if not self._seeded:
            raise gymnasium.error.ResetNeeded("reset comes before the first step")
        numbers = np.asarray(actions, dtype=np.int64)
        wanted = (self.num_envs, *(self._actions.space.shape or ()))
        if numbers.shape != wanted:
            raise ValueError(f"actions have the shape {numbers.shape}, and must have {wanted}")
        if self._actions.names and not (0 <= numbers.min() and numbers.max() < len(self._actions.names)):
            raise ValueError(f"an action is 0 to {len(self._actions.names) - 1}")
        if self._mode == AutoresetMode.DISABLED and self._over.any():
            raise gymnasium.error.ResetNeeded("an episode has ended: reset with options={'reset_mask': ...} comes first")
        seen, rewards, ended, cut = self.batch.step(self._actions.rows(numbers))
        self._over = ended | cut
        info = self._info(np.ones(self.num_envs, dtype=np.bool_))
        if self._mode == AutoresetMode.SAME_STEP and self._over.any():
            last = np.full(self.num_envs, None, dtype=object)
            final = self._info(self._over)
            for index in np.flatnonzero(self._over):
                last[index] = seen[index].copy()
                seen[index] = self.batch.reset_one(int(index))
            info = self._info(np.ones(self.num_envs, dtype=np.bool_))
            info |= {"final_obs": last, "_final_obs": self._over.copy()}
            info |= {"final_info": final, "_final_info": self._over.copy()}
        return seen, rewards.astype(np.float64), ended, cut, info

    def render(self) -> tuple[Observation, ...] | None:
        """The last pictures: 240 rows of 376 by red, green, blue each."""
        if self.render_mode is None:
            return None
        return tuple(self.batch.rgb(index) for index in range(self.num_envs))

    def close_extras(self, **_: Any) -> None:
        """Lets go of the machines."""
        self.batch.close()


def register() -> None:
    """Registers the environments with Gymnasium; importing this module has done it."""
    for name, program in (*GAMES.items(), ("Atari8", None)):
        identifier = f"anticlock/{name}-v0"
        if identifier not in gymnasium.registry:
            gymnasium.register(  # pyright: ignore[reportUnknownMemberType]
                id=identifier,
                entry_point="anticlock.gym:Atari8Env",
                vector_entry_point="anticlock.gym:Atari8VectorEnv",
                kwargs={} if program is None else {"program": program},
            )


register()
