"""An environment of Gymnasium, as text."""

import gymnasium

import anticlock.gym  # noqa: F401  (registers the environments)

env = gymnasium.make("anticlock/TicTacToe-v0", obs_type="text")
env.action_space.seed(1)
observation, info = env.reset(seed=1)
total = 0.0
for _ in range(50):
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    total += float(reward)
    if terminated or truncated:
        break
print(observation.shape, total)
# -> (24, 40) 0.0
