"""Environments for learning, with the vector interface of Gymnasium, which they do not need.

An environment is a VectorWorld, an observation, an action and a reward. CartPole shows how one is
made: docs/learning.md.
"""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Optional, Union

import numpy as np

from ._drystone import InputError
from .vector import VectorWorld

Scene = Union[str, Mapping[str, Any]]

# What start() may give.
STARTS = ("positions", "orientations", "velocities", "coordinates", "rates")


class Box(NamedTuple):
    """A space of arrays, with the fields that gymnasium.spaces.Box takes."""

    low: np.ndarray
    high: np.ndarray
    shape: tuple
    dtype: Any


def box(high: Any, rows: Optional[int] = None) -> Box:
    """From -high to high; with a number of rows, of as many environments."""
    limit = np.asarray(high, dtype=float)
    if rows is not None:
        limit = np.tile(limit, (rows, 1))
    return Box(-limit, limit, limit.shape, np.float64)


class VectorEnvironment:
    """`num_envs` copies of a scene that act at once. What derives from it says what is observed and
    what an action does. An environment whose episode ended is reset by the next step, which takes
    no action of it and has the reward 0: the mode NextStep of Gymnasium. One that diverged ends so,
    with `diverged` in the infos."""

    metadata = {"autoreset_mode": "NextStep"}

    def __init__(
        self,
        scene: Scene,
        num_envs: int,
        *,
        observations: Any,
        actions: Any,
        frame_skip: int = 1,
        max_steps: int = 1000,
        threads: int = 0,
        **load: Any,
    ):
        if frame_skip < 1 or max_steps < 1:
            raise InputError("frame_skip and max_steps must be at least 1")
        self.world = VectorWorld(scene, num_envs, threads, **load)
        self.num_envs = num_envs
        self.frame_skip = frame_skip  # steps of the world an action holds for
        self.max_steps = max_steps  # actions until an episode is truncated
        self.single_observation_space = box(observations)
        self.single_action_space = box(actions)
        self.observation_space = box(observations, num_envs)
        self.action_space = box(actions, num_envs)
        self.random = np.random.default_rng()
        self.elapsed = np.zeros(num_envs, dtype=int)
        self.ended = np.zeros(num_envs, dtype=bool)

    # What an environment says of itself.

    def start(self, count: int) -> Mapping[str, Any]:
        """Where so many environments begin, as VectorWorld.reset() takes it."""
        return {}

    def act(self, actions: np.ndarray) -> None:
        """Brings the actions to the motors or forces of the world."""
        raise NotImplementedError

    def observe(self) -> np.ndarray:
        """(num_envs, observations)."""
        raise NotImplementedError

    def judge(self, observations: np.ndarray, actions: np.ndarray) -> tuple:
        """Rewards, and which episodes are over: (num_envs,) each."""
        raise NotImplementedError

    # The interface of gymnasium.vector.VectorEnv.

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Mapping[str, Any]] = None
    ) -> tuple:
        """All environments to a start, drawn anew; the same ones for the same seed."""
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self._restart(np.arange(self.num_envs))
        return self.observe(), {}

    def step(self, actions: Any) -> tuple:
        """Observations, rewards, terminations, truncations and infos."""
        shape = self.action_space.shape
        values = np.asarray(actions, dtype=float)
        if values.shape != shape:
            raise InputError(f"actions must have the shape {shape}, got {values.shape}")
        again = np.flatnonzero(self.ended)
        values = np.clip(values, self.action_space.low, self.action_space.high)
        self.act(values)
        # Those that begin anew stand at their start when the others have stepped.
        self.world.step(self.frame_skip)
        diverged = self.world.diverged
        self.elapsed += 1
        self._restart(again)
        observations = self.observe()
        rewards, terminations = self._judged(observations, values)
        rewards = np.where(diverged, 0.0, rewards)
        terminations = terminations | diverged
        truncations = (self.elapsed >= self.max_steps) & ~terminations
        rewards[again] = 0
        terminations[again] = truncations[again] = diverged[again] = False
        self.ended = terminations | truncations
        return observations, rewards, terminations, truncations, {"diverged": diverged}

    def close(self) -> None:
        """Nothing is open."""

    def _judged(self, observations: np.ndarray, actions: np.ndarray) -> list[np.ndarray]:
        """What judge() says, once it is seen to be of the shape that it must have."""
        said = self.judge(observations, actions)
        if not isinstance(said, tuple) or len(said) != 2:
            raise InputError(f"judge must return rewards and terminations, got {said!r}")
        for name, one in zip(("rewards", "terminations"), said):
            if np.shape(one) != (self.num_envs,):
                raise InputError(
                    f"judge: {name} must have the shape ({self.num_envs},), got {np.shape(one)}"
                )
        return [np.asarray(said[0], dtype=float), np.asarray(said[1], dtype=bool)]

    def _restart(self, which: np.ndarray) -> None:
        if len(which) > 0:
            begin = self.start(len(which))
            unknown = sorted(set(begin) - set(STARTS))
            if unknown:
                raise InputError(
                    f"start: there is no {unknown[0]!r}; it gives {', '.join(STARTS)}, as "
                    "VectorWorld.reset() takes them"
                )
            self.world.reset(which, **begin)
        self.elapsed[which] = 0
        self.ended[which] = False


class CartPole(VectorEnvironment):
    """A cart that keeps a pole upright, driven by a force of up to 10 N: observations are the place
    of the cart [m], its velocity [m/s], the angle of the pole [rad] and its rate [rad/s]. Each step
    within 2.4 m and 12 degrees is worth 1."""

    FORCE = 10.0
    REACH = 2.4
    TILT = np.radians(12)

    def __init__(self, num_envs: int, *, max_steps: int = 500, threads: int = 0):
        super().__init__(
            "cart_pole",
            num_envs,
            observations=[2 * self.REACH, np.inf, 2 * self.TILT, np.inf],
            actions=[1.0],
            max_steps=max_steps,
            threads=threads,
            parameters={"lean": 0},
        )

    def start(self, count: int) -> Mapping[str, Any]:
        draw = self.random.uniform(-0.05, 0.05, (count, 2, 2))
        return {"coordinates": draw[:, 0], "rates": draw[:, 1]}

    def act(self, actions: np.ndarray) -> None:
        forces = np.zeros((self.num_envs, 2))
        forces[:, 0] = self.FORCE * actions[:, 0]
        self.world.set_forces(forces)

    def observe(self) -> np.ndarray:
        place, rate = self.world.coordinates(), self.world.rates()
        return np.stack((place[:, 0], rate[:, 0], place[:, 1], rate[:, 1]), axis=1)

    def judge(self, observations: np.ndarray, actions: np.ndarray) -> tuple:
        is_over = (np.abs(observations[:, 0]) > self.REACH) | (
            np.abs(observations[:, 2]) > self.TILT
        )
        return np.ones(self.num_envs), is_over
