"""A learning environment: reset, act, observe, be judged. 64 cart-poles at once, each with its own
linear feedback; the best of them teach the next ones (the cross-entropy method), until the pole
stays up for five seconds.

    python3 examples/environment.py
"""

import numpy as np

from drystone.learning import CartPole

COPIES, BEST, ROUNDS = 64, 12, 12
STEPS = 250  # of 0.02 s


def scores(environment, policies, seed):
    """How many steps each policy, a row of four weights, keeps its pole up."""
    observed, _ = environment.reset(seed=seed)
    steps = np.zeros(COPIES)
    is_up = np.ones(COPIES, dtype=bool)
    for _ in range(STEPS):
        actions = np.tanh(np.sum(policies * observed, axis=1, keepdims=True))
        observed, reward, terminated, truncated, _ = environment.step(actions)
        steps += reward * is_up
        is_up &= ~terminated
        if not is_up.any():
            break
    return steps


environment = CartPole(COPIES, max_steps=STEPS)
random = np.random.default_rng(1)
mean, spread = np.zeros(4), np.full(4, 2.0)
for round_ in range(ROUNDS):
    policies = random.normal(mean, spread, (COPIES, 4))
    steps = scores(environment, policies, seed=round_)
    best = policies[np.argsort(steps)[-BEST:]]
    mean, spread = best.mean(axis=0), best.std(axis=0)
    print(f"round {round_ + 1:2}  {steps.mean():6.1f} steps up, best {steps.max():3.0f}  weights {mean.round(2)}")
    if steps.mean() > 0.95 * STEPS:
        break

# The feedback learned, from 64 starts that it has not seen.
held = scores(environment, np.tile(mean, (COPIES, 1)), seed=1000)
print(f"learned feedback: {held.min():.0f} to {held.max():.0f} of {STEPS} steps up")
assert held.min() == STEPS
