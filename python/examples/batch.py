"""Sixteen machines play at random, on all processors; one is copied into another's place."""

import numpy as np

from anticlock import Batch

chance = np.random.default_rng(1)
with Batch("tic-tac-toe", 16, view="grayscale84", stack_num=4, num_threads=0) as batch:
    observations = batch.reset(range(16))
    for _ in range(20):
        observations, rewards, terminated, truncated = batch.step(chance.integers(len(batch.actions), size=16))
    batch.fork(0, 1)
    print(observations.shape, batch.state(0) == batch.state(1))
# -> (16, 4, 84, 84) True
