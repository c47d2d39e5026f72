"""Machines on the workers of a Ray cluster of this computer."""

from collections.abc import Iterator

import numpy as np
import pytest

from anticlock import Batch

ray = pytest.importorskip("ray", reason="RAY IS NOT INSTALLED: python/requirements-ray.txt")

from anticlock.cluster import Pool  # noqa: E402

COUNT = 5
OPTIONS = {"view": "grayscale84", "noop_max": 20, "repeat_action_probability": 0.25}


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    # Nothing leaves this computer.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=80 << 20, _node_ip_address="127.0.0.1")
        yield
        ray.shutdown()


def run(machines: "Batch | Pool") -> tuple[list[bytes], list[bytes]]:
    """Hashable records of a run: all that is given, and the states at the end."""
    chance = np.random.default_rng(7)
    given = [machines.reset([3, 1, 4, 1, 5]).tobytes()]
    for _ in range(25):
        actions = chance.integers(len(machines.actions), size=COUNT)
        given += [part.tobytes() for part in machines.step(actions)]
    return given, [machines.state(index) for index in range(COUNT)]


def test_equal_seeds_give_equal_runs_on_one_thread_on_many_and_on_workers(cluster: None) -> None:
    with Batch("tic-tac-toe", COUNT, **OPTIONS) as one, Batch("tic-tac-toe", COUNT, num_threads=2, **OPTIONS) as many:
        expected = run(one)
        assert run(many) == expected
        with Pool("tic-tac-toe", COUNT, workers=2, **OPTIONS) as pool:
            assert (len(pool), pool.shape, pool.actions) == (COUNT, one.shape, one.actions)
            assert run(pool) == expected
    # The second and fourth machine have the same seed, and were played otherwise.
    assert len(set(expected[1])) == COUNT


def test_mistakes_are_told(cluster: None) -> None:
    with pytest.raises(ValueError, match="workers is 3, and must be 1 to 2"):
        Pool("tic-tac-toe", 2, workers=3)
    pool = Pool("tic-tac-toe", 2, workers=1)
    with pytest.raises(ValueError, match="3 were given for 2 machines"):
        pool.step([0, 0, 0])
    with pytest.raises(ValueError, match="an action is 0 to"):
        pool.step([99, 0])
    with pytest.raises(IndexError, match="only 0 to 1"):
        pool.state(2)
    pool.close()
    with pytest.raises(ValueError, match="closed"):
        pool.reset([1, 2])
