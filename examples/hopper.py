"""Grains flow from a hopper into a bin: how many a second, and what the step says of each."""

import sys

import numpy as np

import drystone

WIDTH, OPENING, GRAINS = 0.4, 0.15, 180
TILT = 60  # of the walls against the floor [degrees]

world = drystone.World(timestep=1 / 120)
world.add_material("grain", friction=0.4)
world.add_body(drystone.Plane(), kind="static", material="grain")
half = (WIDTH + 0.2) / 2
for side in (-1, 1):
    # An inclined plate whose lower edge is an edge of the opening.
    along = np.array([np.cos(np.radians(TILT)), 0, np.sin(np.radians(TILT))]) * [side, 1, 1]
    normal = np.array([-along[2] * side, 0, along[0] * side])
    middle = np.array([side * OPENING / 2, 0, 0.6]) + 0.45 * along - 0.01 * normal
    world.add_body(
        drystone.Box((0.45, 0.08, 0.01)),
        kind="static",
        position=middle,
        orientation={"axis": [0, 1, 0], "angle_deg": -TILT if side > 0 else TILT - 180},
        material="grain",
    )
for side in (-1, 1):  # front and back
    world.add_body(
        drystone.Box((0.8, 0.01, 0.8)), kind="static", position=(0, side * 0.085, 0.8), material="grain"
    )

random = np.random.default_rng(3)
for i in range(GRAINS):
    layer, place = divmod(i, 28)
    column, row = divmod(place, 4)
    world.add_body(
        drystone.Sphere(random.uniform(0.013, 0.016)),
        position=((column - 3) * 0.036 + random.uniform(-1, 1) * 1e-3, (row - 1.5) * 0.035, 0.75 + 0.036 * layer),
        density=2500,
        material="grain",
    )

if sys.argv[1:2] == ["--record"]:  # for `drystone render FILE`
    world.record(sys.argv[2], every=4)
below, times, residuals, missed = [], [], [], 0
while world.time < 2:
    report = world.step()
    missed += not report.within_tolerance
    residuals.append(report.natural_map)
    times.append(world.time)
    below.append(int((world.positions()[-GRAINS:, 2] < 0.55).sum()))

times, below = np.array(times), np.array(below)
flows = (below > 0.1 * GRAINS) & (below < 0.8 * GRAINS)
rate = np.polyfit(times[flows], below[flows], 1)[0]
print(f"{below[-1]} of {GRAINS} grains are through, {rate:.0f} a second")
print(f"residual: median {np.median(residuals):.1e}, largest {max(residuals):.1e} m/s; {missed} missed")
assert below[-1] > 0.9 * GRAINS
assert 50 < rate < 1000
assert missed == 0
