"""A box falls on the ground, and each step says how well it was solved."""

import sys

import drystone

world = drystone.World()
world.add_body(drystone.Plane(), kind="static")
box = world.add_body(drystone.Box((0.5, 0.5, 0.5)), position=(0, 0, 3), mass=10)

if sys.argv[1:2] == ["--record"]:  # for `drystone render FILE`
    world.record(sys.argv[2])
for second in range(1, 4):
    report = world.step(60)
    print(f"{second} s: height {box.position[2]:.4f} m, residual {report.natural_map:.1e} m/s")

# It rests on its half size, and the ground bears its weight.
assert abs(box.position[2] - 0.5) < 1e-4
assert abs(box.contact_force()[0][2] - 10 * 9.81) < 1e-3
