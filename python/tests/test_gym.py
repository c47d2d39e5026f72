"""Environments of Gymnasium: its own checks, spaces, seeds, resets, and equality of single and vector environments."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from anticlock.gym import GAMES, Atari8Env, Atari8VectorEnv

TTT = "anticlock/TicTacToe-v0"


def _make(identifier: str = TTT, **arguments) -> Atari8Env:
    return gymnasium.make(identifier, disable_env_checker=True, **arguments).unwrapped


@pytest.mark.parametrize("name", [*GAMES, "Atari8"])
def test_the_checks_of_gymnasium_pass(name: str) -> None:
    env = _make(f"anticlock/{name}-v0", obs_type="grayscale84", render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env)
    env.close()


@pytest.mark.parametrize("obs_type", ["rgb", "grayscale", "indexed", "text", "ram"])
@pytest.mark.parametrize("action_type", ["discrete", "controls"])
def test_the_checks_pass_for_every_space(obs_type: str, action_type: str) -> None:
    env = _make(obs_type=obs_type, action_type=action_type, render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env, skip_render_check=obs_type != "text")


def test_actions_have_the_names_of_ale() -> None:
    assert _make().get_action_meanings() == ["NOOP", "FIRE", "UP", "RIGHT", "LEFT", "DOWN"]
    full = _make(full_action_space=True)
    assert full.action_space.n == 18 and full.get_action_meanings()[17] == "DOWNLEFTFIRE"
    keys = _make(actions=["noop", "key:1", "key:2", "key:3"], obs_type="text")
    keys.reset(seed=0)
    # Row 2 is typed: the program asks for the column.
    for action in (2, 2, 0, 0, 0, 0, 0, 0):
        keys.step(action)
    assert "ROW 2, COLUMN 1-3" in keys.batch.text(0)
    for action in (-1, 4, 1.5):
        with pytest.raises(ValueError):
            keys.step(action)


def test_keys_and_sticks_reach_the_program() -> None:
    env = gymnasium.make("anticlock/Atari8-v0", obs_type="ram", action_type="controls").unwrapped
    env.reset(seed=0)
    for _ in range(60):
        env.step(np.array([0, 0, 0, 0]))
    seen, *_ = env.step(np.array([4, 3, 64, 0]))
    # STICK0 to the left, STICK1 to the right, A on the screen's line.
    assert (seen[632], seen[633]) == (11, 7)
    assert "A" in env.batch.text(0).split("READY")[1]
    assert env.step(np.array([0, 0, 0, 5]))[0][0xD01F] & 7 == 2


@pytest.mark.parametrize("pointer", ["paddles", "light-pen", "trak-ball"])
def test_pointing_devices_are_part_of_the_controls(pointer: str) -> None:
    env = _make(obs_type="ram", action_type="controls", pointer=pointer)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env)
    assert env.action_space.shape == (7,)
    envs = Atari8VectorEnv(2, "tic-tac-toe", obs_type="ram", stack_num=1, action_type="controls", pointer=pointer)
    envs.action_space.seed(3)
    envs.reset(seed=5)
    env.reset(seed=6)
    looks = set()
    for _ in range(30):
        actions = envs.action_space.sample()
        seen, *_ = envs.step(actions)
        alone, *_ = env.step(actions[1])
        assert (seen[1] == alone).all()
        # LPENH and LPENV, PADDL0 and PADDL1, STICK0.
        looks.add(tuple(seen[1, [564, 565, 624, 625, 632]].tolist()))
    assert len(looks) > 5
    with pytest.raises(ValueError, match="controls"):
        _make(pointer=pointer)


def test_the_first_step_needs_a_reset() -> None:
    for env in (_make(), Atari8VectorEnv(2, "tic-tac-toe")):
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(env.action_space.sample())


def test_a_vector_runs_as_single_environments_do() -> None:
    arguments = {
        "obs_type": "text",
        "stack_num": 2,
        "repeat_action_probability": 0.25,
        "frameskip": (2, 5),
        "max_num_frames_per_episode": 60,
    }
    envs = gymnasium.make_vec(TTT, num_envs=3, num_threads=2, **arguments)
    assert isinstance(envs.unwrapped, Atari8VectorEnv)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    sync = gymnasium.make_vec(TTT, num_envs=3, vectorization_mode="sync", **arguments)
    first, info = envs.reset(seed=11)
    other, _ = sync.reset(seed=11)
    assert (first == other).all() and first.shape == (3, 2, 24, 40)
    envs.action_space.seed(1)
    cuts = 0
    for _ in range(60):
        actions = envs.action_space.sample()
        one, two = envs.step(actions), sync.step(actions)
        for a, b in zip(one[:4], two[:4], strict=True):
            assert (a == b).all() and a.dtype == b.dtype
        assert (one[4]["episode_frame_number"] == two[4]["episode_frame_number"]).all()
        assert one[4].keys() == two[4].keys()
        cuts += one[3].sum()
    assert cuts >= 6
    envs.close()
    sync.close()


def test_a_range_of_frames_is_drawn_by_each_machines_chance() -> None:
    envs = Atari8VectorEnv(2, "tic-tac-toe", obs_type="ram", stack_num=1, frameskip=(2, 5), noop_max=0)

    def clock() -> list[int]:
        return [int.from_bytes(envs.batch.peek(index, 18, 3)) for index in range(2)]

    _, info = envs.reset(seed=[3, 4])
    begun, frames = clock(), [info["episode_frame_number"]]
    frames += [envs.step(np.zeros(2, dtype=np.int64))[4]["episode_frame_number"] for _ in range(60)]
    lengths = np.diff(frames, axis=0)
    assert np.unique(lengths).tolist() == [2, 3, 4] and (lengths[:, 0] != lengths[:, 1]).any()
    # The OS counts the frames, too.
    assert [now - then for now, then in zip(clock(), begun, strict=True)] == frames[-1].tolist()
    for wrong in (0, -1, 1001, (0, 2), (3, 3), (2, 1002)):
        with pytest.raises(ValueError, match="frameskip"):
            Atari8VectorEnv(1, "tic-tac-toe", frameskip=wrong)
    with pytest.raises(ValueError, match="max_num_frames_per_episode"):
        Atari8VectorEnv(1, "tic-tac-toe", frameskip=(2, 5), max_episode_steps=9)


def test_same_step_resets_at_once_and_gives_the_last_observation() -> None:
    envs = Atari8VectorEnv(
        2, "tic-tac-toe", obs_type="ram", stack_num=1, max_num_frames_per_episode=12, autoreset_mode="SameStep"
    )
    first, _ = envs.reset(seed=[3, 4])
    for step in range(1, 7):
        seen, _, _, cut, info = envs.step(np.zeros(2, dtype=np.int64))
        assert cut.all() == (step % 3 == 0)
        if cut.all():
            assert info["final_obs"][0].shape == (65536,) and info["_final_obs"].all()
            assert (info["final_obs"][0] != seen[0]).any()
            assert info["episode_frame_number"].tolist() == [0, 0]
            assert info["final_info"]["episode_frame_number"].tolist() == [12, 12]
        else:
            assert "final_obs" not in info


def test_disabled_resets_are_the_callers() -> None:
    envs = Atari8VectorEnv(
        2, "tic-tac-toe", obs_type="ram", stack_num=1, max_num_frames_per_episode=8, autoreset_mode=AutoresetMode.DISABLED
    )
    envs.reset(seed=1)
    nothing = np.zeros(2, dtype=np.int64)
    envs.step(nothing)
    seen, _, _, cut, _ = envs.step(nothing)
    assert cut.all()
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step(nothing)
    again, info = envs.reset(options={"reset_mask": np.array([True, False])})
    assert (again[1] == seen[1]).all() and (again[0] != seen[0]).any()
    assert info["_episode_frame_number"].tolist() == [True, False]
    for mask in (np.array([False, False]), np.array([1, 0]), np.array([True])):
        with pytest.raises(ValueError, match="reset_mask"):
            envs.reset(options={"reset_mask": mask})


def test_seeds_decide_and_chance_continues_without() -> None:
    env = _make(obs_type="ram", noop_max=60)

    def begin(seed: int | None) -> bytes:
        return env.reset(seed=seed)[0].tobytes()

    one, two = begin(5), begin(None)
    assert begin(5) == one and begin(None) == two and len({begin(seed) for seed in range(6)}) > 1


def test_states_are_copied_and_restored() -> None:
    env = _make(obs_type="ram", repeat_action_probability=0.5)
    env.reset(seed=2)
    state = env.clone_state()
    actions = [2, 3, 1, 5, 0, 1] * 5

    def play() -> list[bytes]:
        return [env.step(action)[0].tobytes() for action in actions]

    first = play()
    env.restore_state(state)
    assert play() == first


def test_a_picture_is_rendered_whatever_is_observed() -> None:
    env = _make(obs_type="text", render_mode="rgb_array")
    env.reset(seed=0)
    one = env.render()
    assert one.shape == (240, 376, 3) and one.max() > 100
    for _ in range(10):
        env.step(5)
    assert (env.render() != one).any()
    envs = Atari8VectorEnv(2, "tic-tac-toe", render_mode="rgb_array")
    envs.reset(seed=0)
    assert len(envs.render()) == 2
    assert _make().render() is None
    with pytest.raises(ValueError, match="render_mode"):
        Atari8Env(render_mode="human")


def test_mistakes_are_named() -> None:
    for arguments, words in (
        ({"action_type": "keys"}, "action_type"),
        ({"action_type": "controls", "full_action_space": True}, "full_action_space"),
        ({"obs_type": "sepia"}, "one of rgb"),
    ):
        with pytest.raises(ValueError, match=words):
            Atari8Env("tic-tac-toe", **arguments)
    with pytest.raises(ValueError, match="seeds"):
        Atari8VectorEnv(2, "tic-tac-toe").reset(seed=[1])
