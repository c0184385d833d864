"""Rigid-body physics with certified contact solvers.

    import drystone

    world = drystone.load("arch")
    report = world.step(60)
    print(world.time, report.natural_map)   # [s], residual as judged [m/s]

Units are SI: metres, kilograms, seconds, radians. Axes are right-handed, and gravity points along -z.
Quaternions are w, x, y, z. Bad input raises InputError, a ValueError, and changes nothing. A world
is for one thread at a time; step() and solve() let other threads of Python run meanwhile.
"""

try:
    import numpy as _numpy  # before what needs it, and says less of it
except ModuleNotFoundError as error:
    if error.name != "numpy":
        raise
    import sys as _sys

    raise ImportError(
        f"drystone needs NumPy, which this Python lacks: {_sys.executable} -m pip install numpy, "
        "or apt install python3-numpy for the Python of the system"
    ) from error

from ._drystone import (
    ABOUT_X,
    ABOUT_Y,
    ABOUT_Z,
    ALONG_X,
    ALONG_Y,
    ALONG_Z,
    Body,
    ContactChange,
    InputError,
    Joint,
    Recorder,
    Recording,
    StepReport,
    __version__,
    scenes,
    solvers,
)
from .problems import Problem, Solution, read_problem, solve
from .results import (
    BodyContact,
    ContactEvent,
    Distance,
    Events,
    ForcePlate,
    ForcePlateReading,
    Imu,
    InverseAnswer,
    JointBreak,
    MotorForce,
    PlateContact,
    RayHit,
    RestoreReport,
    SensorEvent,
)
from .shapes import (
    Box,
    Capsule,
    Compound,
    Cone,
    Cylinder,
    Ellipsoid,
    Heightfield,
    Hull,
    Mesh,
    Plane,
    Shape,
    Sphere,
)
from .vector import VectorWorld
from .world import SceneWarning, World, import_model, load

__all__ = [
    "ABOUT_X",
    "ABOUT_Y",
    "ABOUT_Z",
    "ALONG_X",
    "ALONG_Y",
    "ALONG_Z",
    "Body",
    "BodyContact",
    "Box",
    "Capsule",
    "Compound",
    "Cone",
    "ContactChange",
    "ContactEvent",
    "Cylinder",
    "Distance",
    "Ellipsoid",
    "Events",
    "ForcePlate",
    "ForcePlateReading",
    "Heightfield",
    "Hull",
    "Imu",
    "InputError",
    "InverseAnswer",
    "Joint",
    "JointBreak",
    "Mesh",
    "MotorForce",
    "Plane",
    "PlateContact",
    "Problem",
    "RayHit",
    "Recorder",
    "Recording",
    "RestoreReport",
    "SceneWarning",
    "SensorEvent",
    "Shape",
    "Solution",
    "Sphere",
    "StepReport",
    "VectorWorld",
    "World",
    "__version__",
    "import_model",
    "load",
    "read_problem",
    "scenes",
    "solve",
    "solvers",
]
