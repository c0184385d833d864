"""Worlds: made from scenes or filled by hand, stepped, and read as arrays."""

from __future__ import annotations

import json
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _drystone
from ._drystone import Body, InputError, Joint
from .shapes import Shape

GEARS = ("gear", "rack_and_pinion", "pulley")


def _text(value: Any, what: str) -> str:
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


def _given(keys: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in keys.items() if value is not None}


class RayHit(NamedTuple):
    """The first surface that a ray enters."""

    body: Body
    fraction: float  # of the way, 0 to 1
    position: np.ndarray  # (3,) [m]
    normal: np.ndarray  # unit, of the surface, against the ray, (3,)


class World(_drystone.World):
    """A simulated world. The settings are keys of `world` in a scene file, such as timestep [s],
    gravity [m/s^2], friction, integrator, threads; `solver` is the name of a solver, or a dict of
    keys such as {"name": "auto", "tolerance": 1e-9}. Both: docs/scene_format.md."""

    def __init__(self, *, solver: Union[str, Mapping[str, Any], None] = None, **settings: Any):
        scene: dict[str, Any] = {"version": 1, "world": _given(settings)}
        if solver is not None:
            scene["solver"] = {"name": solver} if isinstance(solver, str) else dict(solver)
        super().__init__("World", _text(scene, "World"))

    @classmethod
    def _from(cls, source: str, text: Optional[str], overrides: list[tuple[str, str]]) -> "World":
        world = cls.__new__(cls)
        _drystone.World.__init__(world, source, text, overrides)
        return world

    def add_material(self, name: str, **keys: Any) -> str:
        """A surface that bodies name: friction, restitution and others. Returns its name."""
        self._add_material(name, _text(keys, "add_material"))
        return name

    def add_body(
        self,
        shape: Union[Shape, Mapping[str, Any], None] = None,
        *,
        position: Sequence[float] = (0, 0, 0),
        orientation: Union[Sequence[float], Mapping[str, Any]] = (1, 0, 0, 0),
        kind: str = "dynamic",
        mass: Optional[float] = None,
        density: Optional[float] = None,
        material: Optional[str] = None,
        name: Optional[str] = None,
        **keys: Any,
    ) -> Body:
        """A body at a position [m] and orientation (w, x, y, z), of a mass [kg] or a density
        [kg/m^3], 1000 unless given. `kind` is dynamic, static or kinematic. Further keys are those
        of a body in a scene file: velocity, inertia, sensor, gravity_scale and so on."""
        body = _given(
            {
                "name": name,
                "shape": shape,
                "position": position,
                "orientation": orientation,
                "kind": kind,
                "mass": mass,
                "density": density,
                "material": material,
                **keys,
            }
        )
        return self._add_body(_text(body, "add_body"))

    def add_joint(self, type: str, a: Any, b: Any, **keys: Any) -> Joint:
        """A joint between two bodies: hinge, slider, ball, fixed, distance, cylindrical, universal,
        wheel or six_dof. Keys are those of a scene file: `anchor`, a point of the world [m], or
        `anchor_a` and `anchor_b` in the bodies' frames, `axis`, `lower`, `upper`, `spring`,
        `motor` and so on. `a` and `b` are bodies or their names. A gear, rack_and_pinion or pulley
        takes two joints, and `ratio` or `radius`."""
        if type in GEARS:
            return self._gear(type, self._as_joint(a), self._as_joint(b), **keys)
        joint = {"type": type, **_given(keys)}
        return self._add_joint(self._as_body(a), self._as_body(b), _text(joint, "add_joint"))

    def _gear(self, type: str, a: Joint, b: Joint, **keys: Any) -> Joint:
        number = "radius" if type == "rack_and_pinion" else "ratio"
        unknown = set(keys) - {number, "name"}
        if unknown:
            raise InputError(f"add_joint: a {type} takes {number} and name, not {sorted(unknown)}")
        ratio = float(keys.get(number, 1))
        sign = -1 if type == "rack_and_pinion" else 1
        return self._add_gear(a, b, sign * ratio, type == "pulley", keys.get("name") or "")

    def body(self, which: Union[str, int]) -> Body:
        """By its name, or its row in the arrays."""
        if isinstance(which, str):
            found = self._find_body(which)
            if found is None:
                raise InputError(f"there is no body '{which}'")
            return found
        return self._at(self.bodies, which, "body")

    def joint(self, which: Union[str, int]) -> Joint:
        """By its name, or its place in `joints`."""
        if isinstance(which, str):
            found = self._find_joint(which)
            if found is None:
                raise InputError(f"there is no joint '{which}'")
            return found
        return self._at(self.joints, which, "joint")

    def ray_cast(self, from_: Sequence[float], to: Sequence[float]) -> Optional[RayHit]:
        """The first surface that the segment between two points [m] enters from outside."""
        hits = self.ray_casts([from_], [to])
        row = int(hits["body"][0])
        if row < 0:
            return None
        return RayHit(
            self.bodies[row], float(hits["fraction"][0]), hits["position"][0], hits["normal"][0]
        )

    @staticmethod
    def _at(items: list, index: int, what: str) -> Any:
        if not 0 <= index < len(items):
            raise InputError(f"there is no {what} {index}: they count from 0 to {len(items) - 1}")
        return items[index]

    def _as_body(self, which: Any) -> Body:
        return which if isinstance(which, Body) else self.body(which)

    def _as_joint(self, which: Any) -> Joint:
        return which if isinstance(which, Joint) else self.joint(which)


def load(
    scene: Union[str, Mapping[str, Any]],
    parameters: Optional[Mapping[str, float]] = None,
    overrides: Optional[Mapping[str, Any]] = None,
) -> World:
    """The world of a scene: the name of a library scene (see `scenes`), a file, or the scene as a
    dict. `parameters` are those that the scene declares; `overrides` replace any other value, such
    as {"world.timestep": 0.005, "solver.tolerance": 1e-9}."""
    values = {f"scene.{name}": value for name, value in (parameters or {}).items()}
    values.update(overrides or {})
    pairs = [(path, _text(value, path)) for path, value in values.items()]
    if isinstance(scene, Mapping):
        return World._from("scene", _text(dict(scene), "load"), pairs)
    return World._from(str(scene), None, pairs)
