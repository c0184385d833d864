"""Many copies of a world, stepped side by side, with arrays for all of them."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union

from . import _drystone
from .world import sources


class VectorWorld(_drystone.VectorWorld):
    """`n` copies of a scene, which is what load() takes. They are stepped on `threads` threads, 0
    for as many as there are processors, and each has the bits that it has alone. Rows of all arrays
    are worlds."""

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
        worlds: Optional[Sequence[int]] = None,
        *,
        positions: Any = None,
        orientations: Any = None,
        velocities: Any = None,
        coordinates: Any = None,
        rates: Any = None,
    ) -> None:
        """Some worlds, or all, back to their start. From there bodies and joints are placed where
        the arrays say, which have a row for each of these worlds. NaN leaves what it stands for as
        it is: positions (k, bodies, 3) [m], orientations (k, bodies, 4), velocities (k, bodies, 6),
        coordinates and rates of joints (k, coordinates)."""
        self._place(
            self._listed(worlds), True, positions, orientations, velocities, coordinates, rates
        )

    def place(
        self,
        worlds: Optional[Sequence[int]] = None,
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

    def _listed(self, worlds: Optional[Sequence[int]]) -> list[int]:
        return list(range(len(self))) if worlds is None else [int(world) for world in worlds]
