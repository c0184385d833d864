"""Many copies of a world, stepped side by side, with arrays for all of them."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from . import _drystone
from ._drystone import InputError
from .world import World, sources

# Numbers of worlds, one number, or a mask with a bool for each world. None: all.
Worlds = Union[None, int, Sequence[int], np.ndarray]


class VectorWorld(_drystone.VectorWorld):
    """`n` copies of a scene, which is what load() takes. They are stepped on `threads` threads, 0
    for as many as there are processors, and each has the bits that it has alone. Rows of all arrays
    are worlds."""

    __slots__ = ()  # what is misspelt is refused

    def __init__(
        self,
        scene: Union[str, Mapping[str, Any]],
        n: int,
        threads: int = 0,
        *,
        parameters: Optional[Mapping[str, float]] = None,
        overrides: Optional[Mapping[str, Any]] = None,
    ):
        super().__init__(*sources(scene, parameters, overrides), n, threads)

    def reset(
        self,
        worlds: Worlds = None,
        *,
        positions: Any = None,
        orientations: Any = None,
        velocities: Any = None,
        coordinates: Any = None,
        rates: Any = None,
    ) -> None:
        """Some worlds, or all, back to their start: numbers of worlds, or a mask of a bool for each,
        such as `diverged`. From there bodies and joints are placed where
        the arrays say, which have a row for each of these worlds. NaN leaves what it stands for as
        it is: positions (k, bodies, 3) [m], orientations (k, bodies, 4), velocities (k, bodies, 6),
        coordinates and rates of joints (k, coordinates)."""
        self._place(
            self._listed(worlds), True, positions, orientations, velocities, coordinates, rates
        )

    def place(
        self,
        worlds: Worlds = None,
        *,
        positions: Any = None,
        orientations: Any = None,
        velocities: Any = None,
        coordinates: Any = None,
        rates: Any = None,
    ) -> None:
        """The same without going back to the start."""
        self._place(
            self._listed(worlds), False, positions, orientations, velocities, coordinates, rates
        )

    def world(self, which: int) -> World:
        """One of the worlds, to read and to change: masses, materials, gravity, sensors, rays,
        pictures, saved states. reset() takes changes back. Its bodies and joints stay, and it is
        stepped with the others alone."""
        return World._sharing(self._world(which))

    def _listed(self, worlds: Worlds) -> list[int]:
        if worlds is None:
            return list(range(len(self)))
        given = np.atleast_1d(np.asarray(worlds))
        if given.dtype == bool and given.shape == (len(self),):
            return np.flatnonzero(given).tolist()
        if given.size == 0 and given.ndim == 1 and given.dtype != bool:
            return []
        if given.ndim != 1 or not np.issubdtype(given.dtype, np.integer):
            raise InputError(
                f"worlds must be numbers of worlds, or a mask of {len(self)} bools, got "
                f"{given.dtype} of shape {given.shape}"
            )
        return np.where(given < 0, given + len(self), given).tolist()
