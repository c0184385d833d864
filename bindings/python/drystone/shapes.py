"""Shapes of bodies, in metres, each in the frame of its body. Sizes are checked where a body gets
the shape."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Optional, Sequence

import numpy as np

from ._drystone import InputError

Vector = Sequence[float]  # three numbers


class Shape:
    """A shape as scene files have it: `type` and the fields that are given."""

    type: str

    def keys(self) -> dict[str, Any]:
        """Its object in a scene file."""
        given = {key: value for key, value in vars(self).items() if value is not None}
        return {"type": self.type, **given}


@dataclass
class Sphere(Shape):
    """Ball about the origin."""

    radius: float
    type = "sphere"


@dataclass
class Box(Shape):
    """Box about the origin: its `half_extents`, or its whole `size`."""

    half_extents: Optional[Vector] = None
    size: Optional[Vector] = None
    type = "box"


@dataclass
class Capsule(Shape):
    """Segment along z of length 2 half_length, swept by a sphere."""

    radius: float
    half_length: float
    type = "capsule"


@dataclass
class Cylinder(Shape):
    """Axis z, centred."""

    radius: float
    half_length: float
    type = "cylinder"


@dataclass
class Cone(Shape):
    """Axis z, apex at +height/2."""

    radius: float
    height: float
    type = "cone"


@dataclass
class Ellipsoid(Shape):
    """About the origin, its axes those of the frame."""

    half_axes: Vector
    type = "ellipsoid"


@dataclass
class Plane(Shape):
    """Half-space below z = 0. Static bodies only."""

    type = "plane"


@dataclass
class Hull(Shape):
    """Convex hull of points (n, 3), or of the vertices of an OBJ file."""

    points: Optional[Sequence[Vector]] = None
    file: Optional[str] = None
    scale: Optional[Vector] = None
    type = "hull"


@dataclass
class Mesh(Shape):
    """Triangles of an OBJ file, or of vertices (n, 3) and triangles (m, 3) of their numbers, which
    go around counterclockwise as seen from outside. Static and kinematic bodies only."""

    file: Optional[str] = None
    scale: Optional[Vector] = None
    vertices: Optional[Sequence[Vector]] = None
    triangles: Optional[Sequence[Sequence[int]]] = None
    type = "mesh"


@dataclass
class Heightfield(Shape):
    """Grid of heights, x fastest, centred on the origin in x and y. An array (rows, columns) tells
    rows and columns, too: row by row along y. Static bodies only."""

    columns: Optional[int] = None
    rows: Optional[int] = None
    spacing: Optional[Sequence[float]] = None
    heights: Any = None
    type = "heightfield"

    def keys(self) -> dict[str, Any]:
        keys = super().keys()
        shape = np.shape(self.heights) if self.heights is not None else ()
        if len(shape) != 2:
            return keys
        for name, size in zip(("rows", "columns"), shape):
            if keys.setdefault(name, size) != size:
                raise InputError(
                    f"Heightfield: {name} is {keys[name]}, and heights have the shape {shape}"
                )
        return {**keys, "heights": np.ravel(self.heights)}


@dataclass
class Compound(Shape):
    """Several shapes as one. Each child is a shape, or a dict of `shape`, `position` and
    `orientation` (w, x, y, z)."""

    children: Sequence[Any] = field(default_factory=list)
    type = "compound"

    def keys(self) -> dict[str, Any]:
        children = [
            {"shape": child} if isinstance(child, Shape) else dict(child) for child in self.children
        ]
        return {"type": self.type, "children": children}


def scene_text(value: Any, what: str) -> str:
    """JSON of what a scene may hold: numbers, texts, lists, dicts, arrays and shapes."""

    def plain(other: Any) -> Any:
        if isinstance(other, Shape):
            return other.keys()
        if isinstance(other, (np.ndarray, np.generic)):
            return other.tolist()
        raise InputError(f"{what}: {other!r} is no number, text, list, dict, array or shape")

    try:
        return json.dumps(value, default=plain, allow_nan=False)
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"{what}: a number is not finite, or a value holds itself") from error
    except TypeError as error:
        raise InputError(f"{what}: {error}") from error


def scene_of_shape(shape: Any, caller: str) -> str:
    """JSON of a scene whose one body has the shape."""
    body = {"name": "shape", "kind": "static", "shape": shape}
    return scene_text({"version": 1, "bodies": [body]}, caller)
