"""A car with springs, steering and drive goes round a circle. A wheel joint is all of a suspension:
the wheel travels along an upright axis, steers about it and spins about its axle."""

import math
import sys

import numpy as np

import drystone

BASE, TRACK, RADIUS, HEIGHT = 2.6, 1.6, 0.35, 0.65  # [m]
STEER = 0.25  # [rad]

world = drystone.World(timestep=0.005)
world.add_material("tyre", friction=0.9)
world.add_body(drystone.Plane(), kind="static", material="tyre")
chassis = world.add_body(
    drystone.Box((1.9, 0.65, 0.25)), position=(0, 0, HEIGHT), mass=1200, name="chassis"
)
load = 1200 / 4 * 9.81
axle = {"axis": [1, 0, 0], "angle_deg": 90}  # a cylinder's axis is z: turned to y
for front in (True, False):
    for side in (1, -1):
        x, y = (BASE if front else -BASE) / 2, side * TRACK / 2
        wheel = world.add_body(
            drystone.Cylinder(RADIUS, 0.1),
            position=(x, y, RADIUS),
            orientation=axle,
            mass=20,
            material="tyre",
        )
        # The inner wheel turns more: both axles' lines meet in one point.
        turn = math.atan(BASE / (BASE / math.tan(STEER) - y))
        world.add_joint(
            "wheel",
            chassis,
            wheel,
            anchor=(x, y, RADIUS),
            steer_axis=(0, 0, 1),
            wheel_axis=(0, 1, 0),
            suspension={
                "lower": -0.1,
                "upper": 0.1,
                "spring": {"stiffness": 40e3, "damping": 3e3, "rest": -load / 40e3},
            },
            **({"steer": {"motor": {"position": [[0, 0], [1, turn]], "max_force": 2e3}}} if front else {}),
            **({} if front else {"spin": {"motor": {"velocity": 10, "max_force": 400}}}),
        )

if sys.argv[1:2] == ["--record"]:  # for `drystone render FILE`
    world.record(sys.argv[2])
way = []
missed = 0
while world.time < 20:
    missed += not world.step().within_tolerance
    if world.time > 5:
        way.append(chassis.position[:2])

# The circle through the middle of the car that goes best through its way.
points = np.array(way)
rows = np.column_stack([2 * points, np.ones(len(points))])
(cx, cy, c), *_ = np.linalg.lstsq(rows, (points**2).sum(axis=1), rcond=None)
radius = math.sqrt(c + cx * cx + cy * cy)
expected = math.hypot(BASE / math.tan(STEER), BASE / 2)
print(f"radius {radius:.2f} m, by geometry {expected:.2f} m; {missed} steps missed")
assert abs(radius - expected) < 0.05 * expected
assert missed == 0
