"""Worlds: made from scenes or filled by hand, stepped, and read as arrays."""

from __future__ import annotations

import json
import os
import warnings
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _drystone, pictures
from ._drystone import Body, ContactChange, InputError, Joint, Recorder
from .results import InverseAnswer
from .shapes import Shape, scene_text as _text

# Joints that couple two others: their number, its sign, and the preset that they are made of.
GEARS = {
    "gear": ("ratio", 1, "gear"),
    "rack_and_pinion": ("radius", -1, "gear"),
    "pulley": ("ratio", 1, "pulley"),
    "winch": ("radius", 1, "winch"),
}


def _given(keys: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in keys.items() if value is not None}


class SceneWarning(UserWarning):
    """A scene that runs, and is likely meant otherwise: docs/scene_format.md has them all."""


class World(_drystone.World):
    """A simulated world. The settings are keys of `world` in a scene file, such as timestep [s],
    gravity [m/s^2], friction, integrator, threads; `solver` is the name of a solver, or a dict of
    keys such as {"name": "auto", "tolerance": 1e-9}. Both: docs/scene_format.md."""

    # No attributes of other names: what is misspelt is refused. _drawing is there from the first
    # picture on, the functions while they are set.
    __slots__ = ("_contact_modifier", "_drawing", "_pair_filter")

    def __init__(self, *, solver: Union[str, Mapping[str, Any], None] = None, **settings: Any):
        scene: dict[str, Any] = {"version": 1, "world": _given(settings)}
        if solver is not None:
            if not isinstance(solver, (str, Mapping)):
                raise InputError(f"solver must be a name or a dict of its keys, got {solver!r}")
            scene["solver"] = {"name": solver} if isinstance(solver, str) else dict(solver)
        super().__init__("World", _text(scene, "World"))

    @classmethod
    def _from(cls, source: str, text: Optional[str], overrides: list[tuple[str, str]]) -> "World":
        world = cls.__new__(cls)
        _drystone.World.__init__(world, source, text, overrides)
        for message in world.warnings:
            warnings.warn(message, SceneWarning, stacklevel=3)
        return world

    @classmethod
    def _sharing(cls, other: _drystone.World) -> "World":
        world = cls.__new__(cls)
        _drystone.World.__init__(world, other)
        return world

    def add_material(self, name: str, **keys: Any) -> str:
        """A surface that bodies name: friction, restitution and others. Returns its name."""
        self._add_material(name, _text(keys, "add_material"))
        return name

    def set_material(self, name: Optional[str], **keys: Any) -> None:
        """Changes keys of a material for all bodies that have it; None is the default material.
        Those that are not given stay. Wakes all bodies."""
        merged = {**self.material(name), **keys}
        scene = {"version": 1, "materials": {name or "default": merged}}
        self._set_material(name, _text(scene, "set_material"))

    def set_material_pair(self, a: Optional[str], b: Optional[str], **keys: Any) -> None:
        """What two materials make together, in place of what they combine to, which counts for the
        keys that are not given. Wakes all bodies."""
        materials = {name or "default": self.material(name) for name in (a, b)}
        pair = {"a": a or "default", "b": b or "default", **keys}
        scene = {"version": 1, "materials": materials, "pairs": [pair]}
        self._set_material_pair(a, b, _text(scene, "set_material_pair"))

    def set_solver(self, name: str, **keys: Any) -> None:
        """Another solver from the next step on, by its name and the keys of `solver` in a scene
        file, such as tolerance [m/s]. Warm starts stay."""
        scene = {"version": 1, "solver": {"name": name, **keys}}
        self._set_solver(_text(scene, "set_solver"))

    def set_pair_filter(self, function: Optional[Callable[[Body, Body], bool]]) -> None:
        """Asks a function of each pair of bodies with contact points whether they meet; None: all
        do. It may read the world and not change it, and its answers must depend on its arguments
        and on what stays the same within a step. What it raises comes out of step() when the step
        is complete. Wakes all bodies."""
        self._require_callable("set_pair_filter", function)
        self._set_pair_filter(function)
        self._pair_filter = function  # the compiled part does not keep it

    def set_contact_modifier(self, function: Optional[Callable[[ContactChange], None]]) -> None:
        """Has a function change each contact point before the step uses it; None: they stay as they
        are. Its rules are those of set_pair_filter()."""
        self._require_callable("set_contact_modifier", function)
        self._set_contact_modifier(function)
        self._contact_modifier = function  # the compiled part does not keep it

    def record(self, path: Any, every: int = 1) -> Recorder:
        """Writes each step from now on into a file, with a frame every so many steps, until
        finish() of what it returns, or the end of its `with` block."""
        return Recorder(path, self, every)

    def render(
        self,
        width: int = 640,
        height: int = 480,
        *,
        position: Optional[Sequence[float]] = None,
        target: Optional[Sequence[float]] = None,
        field_of_view: Optional[float] = None,
        contacts: bool = False,
    ) -> np.ndarray:
        """A picture of the bodies as they are now, red, green, blue: (height, width, 3) of uint8, rows
        from the top. The camera is at `position` and looks at `target`, both [m], with a vertical
        `field_of_view` [rad]. Without a place it is that of the scene, else it shows all that moves,
        and stays where the first picture had it until bodies come or go. With `contacts` those
        of the last step are seen through the bodies: blue where they stick, orange where they slip,
        gray where they are open. RuntimeError says what is missing where there is no OpenGL to
        draw with."""
        if not hasattr(self, "_drawing"):
            self._drawing = _drystone._Drawing(self)
        return pictures.picture(self._drawing, width, height, position, target, field_of_view, contacts)

    def inverse_dynamics(
        self,
        accelerations: Union[ArrayLike, Mapping[Union[Body, str, int], ArrayLike], None] = None,
        *,
        reach: Optional[float] = None,
    ) -> InverseAnswer:
        """The forces of contacts and motors that give the bodies these accelerations in the next inner
        step, from where they are and as they move now: (n, 6) of the centres of mass [m/s^2], then
        of turning [rad/s^2], world axes, or a dict of bodies or names with 6 numbers each, or the
        first 3. Bodies that are left out keep their velocity; those that are not dynamic move as
        they would. Contacts touch up to a gap of `reach` [m], without it 1e-3 of the median extent
        of the bodies.

        The contacts of the answer are arrays by name: body_a, body_b (rows), position (k, 3) [m],
        normal from a to b (k, 3), force on b (k, 3), normal_force and friction_force (k,) [N].
        Those of `blocked` have body_a, body_b, position, and acceleration (k,) [m/s^2], by which
        they would be pressed in. Wakes all bodies, and moves none."""
        bodies = self.bodies
        if accelerations is None:
            accelerations = {}
        if isinstance(accelerations, Mapping):
            rows = np.zeros((len(bodies), 6))
            for which, wanted in accelerations.items():
                numbers = np.asarray(wanted, dtype=float)
                if numbers.shape not in ((3,), (6,)):
                    raise InputError(
                        f"inverse_dynamics: the acceleration of {which!r} must be 3 or 6 numbers, "
                        f"got the shape {numbers.shape}"
                    )
                body = self._as_body(which, "body", "inverse_dynamics")
                rows[bodies.index(body), : numbers.size] = numbers
            accelerations = rows
        return self._inverse_dynamics(accelerations, reach)

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
        `motor` and so on. `a` and `b` are bodies or their names. A gear, rack_and_pinion, pulley or
        winch takes two joints, and `ratio` or `radius`."""
        if type in GEARS:
            return self._gear(type, self._as_joint(a, "a"), self._as_joint(b, "b"), **keys)
        joint = {"type": type, **_given(keys)}
        first, second = self._as_body(a, "a"), self._as_body(b, "b")
        return self._add_joint(first, second, _text(joint, "add_joint"))

    def _gear(self, type: str, a: Joint, b: Joint, **keys: Any) -> Joint:
        number, sign, preset = GEARS[type]
        unknown = set(keys) - {number, "name"}
        if unknown:
            raise InputError(f"add_joint: a {type} takes {number} and name, not {sorted(unknown)}")
        if number not in keys:
            raise InputError(f"add_joint: a {type} needs its {number}")
        return self._add_gear(
            preset, a, b, sign * float(keys[number]), keys.get("name") or ""
        )

    def add_cable(self, points: Sequence[Mapping[str, Any]], **keys: Any) -> Joint:
        """A massless cable over points in order, each a dict of `body`, a body or its name, and
        `position` in the body's frame or `anchor`, a point of the world [m]; an eyelet between the
        ends may have a `friction`, and the last point may be the middle of a drum, with its
        `drum_radius` [m] and `axis`. Keys are those of a scene file: `length` [m], without it that
        of its way now, `compliance`, `breaking_impulse` and `name`. Returns the joint of its first
        span, whose coordinate is the length of all and whose upper limit winds it up."""
        places = [dict(point) for point in points]
        bodies = [self._as_body(place.pop("body", None), "body", "add_cable") for place in places]
        cable = {"points": [_given(place) for place in places], **_given(keys)}
        return self._add_cable(bodies, _text(cable, "add_cable"))

    def body(self, which: Union[str, int]) -> Body:
        """By its name, or its row in the arrays; -1 is the last one."""
        if isinstance(which, str):
            found = self._find_body(which)
            if found is None:
                names = [body.name for body in self.bodies]
                raise InputError(f"there is no body '{which}'{_drystone._near(which, names)}")
            return found
        return self._at(self.bodies, which, "body")

    def joint(self, which: Union[str, int]) -> Joint:
        """By its name, or its place in `joints`; -1 is the last one."""
        if isinstance(which, str):
            found = self._find_joint(which)
            if found is None:
                names = [joint.name for joint in self.joints]
                raise InputError(f"there is no joint '{which}'{_drystone._near(which, names)}")
            return found
        return self._at(self.joints, which, "joint")

    @staticmethod
    def _require_callable(caller: str, function: Any) -> None:
        if function is not None and not callable(function):
            raise InputError(f"{caller}: must be a function or None, got {function!r}")

    @staticmethod
    def _at(items: list, index: Any, what: str) -> Any:
        if not hasattr(index, "__index__"):
            raise InputError(f"must be a {what}, its name or its number, got {index!r}")
        if not -len(items) <= index < len(items):
            raise InputError(f"there is no {what} {index}: they count from 0 to {len(items) - 1}")
        return items[index]

    def _as_body(self, which: Any, argument: str, call: str = "add_joint") -> Body:
        if which is None:
            raise InputError(
                f"{call}: {argument} must be a body, its name or its number, got None; the world "
                "is a body of kind 'static': add_body(kind=\"static\")"
            )
        if isinstance(which, Joint):
            raise InputError(f"{call}: {argument} must be a body, got {which!r}")
        return which if isinstance(which, Body) else self.body(which)

    def _as_joint(self, which: Any, argument: str) -> Joint:
        if which is None or isinstance(which, Body):
            raise InputError(
                f"add_joint: {argument} must be a joint, its name or its number, got {which!r}; this "
                "type couples two joints"
            )
        return which if isinstance(which, Joint) else self.joint(which)


def sources(
    scene: Union[str, Mapping[str, Any]],
    parameters: Optional[Mapping[str, float]],
    overrides: Optional[Mapping[str, Any]],
) -> tuple[str, Optional[str], list[tuple[str, str]]]:
    """What load() takes, as the compiled part wants it."""
    values = {f"scene.{name}": value for name, value in (parameters or {}).items()}
    values.update(overrides or {})
    pairs = [(path, _text(value, path)) for path, value in values.items()]
    if isinstance(scene, Mapping):
        return "scene", _text(dict(scene), "load"), pairs
    return str(scene), None, pairs


def load(
    scene: Union[str, Mapping[str, Any]],
    parameters: Optional[Mapping[str, float]] = None,
    overrides: Optional[Mapping[str, Any]] = None,
) -> World:
    """The world of a scene: the name of a library scene (see `scenes`), a file, or the scene as a
    dict. `parameters` are those that the scene declares; `overrides` replace any other value, such
    as {"world.timestep": 0.005, "solver.tolerance": 1e-9}."""
    return World._from(*sources(scene, parameters, overrides))


def import_model(
    path: Union[str, "os.PathLike[str]"],
    *,
    fixed_base: Optional[bool] = None,
    hold: bool = False,
) -> dict[str, Any]:
    """A robot in URDF or a model in MJCF as a scene, which load() and VectorWorld take. What the
    scene lacks of the model, or has in another way, is warned of, each once. The root of a URDF
    robot moves or not as `fixed_base` says; None: it is fixed where it is named `world` or has no
    mass. `hold` gives each URDF joint with an effort a motor that holds its start."""
    base = "automatic" if fixed_base is None else "fixed" if fixed_base else "free"
    text, notes = _drystone._import_model(os.fspath(path), base, bool(hold))
    for note in notes:
        warnings.warn(note, SceneWarning, stacklevel=2)
    return json.loads(text)
