"""A sweep of a parameter on all cores: how far a box slides on a slope, by friction. Steps run
without Python's lock, so that threads are enough."""

import math
import os
from concurrent.futures import ThreadPoolExecutor

import drystone

SLOPE = math.radians(30)
SPEED = 2.0  # at the start, downhill [m/s]


def distance(friction: float) -> float:
    """Slid way [m] after two seconds, or to where it stops."""
    world = drystone.World(
        timestep=0.002, gravity=(9.81 * math.sin(SLOPE), 0, -9.81 * math.cos(SLOPE))
    )
    world.add_material("slope", friction=friction)
    world.add_body(drystone.Plane(), kind="static", material="slope")
    box = world.add_body(
        drystone.Box((0.5, 0.5, 0.1)), position=(0, 0, 0.1), material="slope", velocity=(SPEED, 0, 0)
    )
    world.step(1000)
    return box.position[0]


def expected(friction: float) -> float:
    acceleration = 9.81 * (math.sin(SLOPE) - friction * math.cos(SLOPE))
    time = 2.0 if acceleration >= 0 else min(2.0, -SPEED / acceleration)
    return SPEED * time + acceleration * time * time / 2


values = [0.05 * i for i in range(25)]
with ThreadPoolExecutor(os.cpu_count()) as pool:
    ways = list(pool.map(distance, values))
for friction, way in zip(values, ways):
    print(f"{friction:.2f}  {way:7.3f} m  " + "#" * round(2 * way))

# A step of h changes the way by half a step's change of speed at most.
assert all(abs(way - expected(friction)) < 0.02 for friction, way in zip(values, ways))
