"""A scene made in Python: a row of dominoes, and a ball that rolls against the first one. The scene
is a dict with the keys of a scene file, so that `json.dump(scene, file)` makes one of it."""

import sys

import drystone

PITCH, HEIGHT, COUNT = 0.3, 0.5, 12

scene = {
    "version": 1,
    "name": "dominoes",
    "world": {"timestep": 0.005},
    "materials": {"wood": {"friction": 0.4}},
    "bodies": [
        {"name": "ground", "kind": "static", "shape": {"type": "plane"}, "material": "wood"},
        {
            "name": "ball",
            "shape": {"type": "sphere", "radius": 0.15},
            "mass": 5,
            "material": "wood",
            "position": [-1.0, 0, 0.15],
            "velocity": [1.5, 0, 0],
            "angular_velocity": [0, 10, 0],
        },
        *[
            {
                "name": f"domino_{i}",
                "shape": {"type": "box", "half_extents": [0.04, 0.12, HEIGHT / 2]},
                "density": 700,
                "material": "wood",
                "position": [i * PITCH, 0, HEIGHT / 2],
            }
            for i in range(COUNT)
        ],
    ],
}

world = drystone.load(scene)
if sys.argv[1:2] == ["--record"]:  # for `drystone render FILE`
    world.record(sys.argv[2])
fallen = []
missed = 0
while world.time < 6 and len(fallen) < COUNT:
    missed += not world.step().within_tolerance
    for body in world.bodies:
        if body.name.startswith("domino") and body.name not in fallen and body.position[2] < 0.7 * HEIGHT / 2:
            fallen.append(body.name)
            print(f"{world.time:.2f} s: {body.name} is down")

print(f"{world.step_count} steps, {missed} beyond the tolerance")
assert fallen == [f"domino_{i}" for i in range(COUNT)], "one after the other"
assert missed == 0
