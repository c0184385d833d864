"""An arm picks a box and places it on a pedestal: three joints with position motors, and a gripper
of two fingers that holds by friction alone."""

import sys

import drystone

world = drystone.World(timestep=0.005)
world.add_material("rubber", friction=0.9)
world.add_body(drystone.Plane(), kind="static")
pedestal = world.add_body(
    drystone.Box((0.15, 0.15, 0.1)), kind="static", position=(0, 0.8, 0.1), name="pedestal"
)
box = world.add_body(
    drystone.Box((0.04, 0.04, 0.04)), position=(0.8, 0, 0.04), mass=0.5, material="rubber"
)

# The column turns about z and the carriage goes up and down it. The beam reaches to x = 0.8 m.
post = world.add_body(kind="static", name="post")
column = world.add_body(drystone.Cylinder(0.06, 0.5), position=(0, 0, 0.5), mass=20, mask=0, group=2)
carriage = world.add_body(
    drystone.Box((0.4, 0.05, 0.05)), position=(0.4, 0, 0.6), mass=8, mask=0, group=2
)


def hard(most):
    """A motor at its present place, with so much force [N] or torque [N m]."""
    return {"position": 0, "max_force": most}


turn = world.add_joint("hinge", post, column, anchor=(0, 0, 0), axis=(0, 0, 1), motor=hard(400))
lift = world.add_joint(
    "slider", column, carriage, anchor=(0, 0, 0.6), axis=(0, 0, 1), motor=hard(400)
)
fingers, grips = [], []
for side, most in ((-1, 400), (1, 40)):  # one finger keeps its place, the other presses
    finger = world.add_body(
        drystone.Box((0.03, 0.01, 0.08)),
        position=(0.8, side * 0.08, 0.45),
        mass=0.5,
        material="rubber",
    )
    fingers.append(finger)
    grips.append(
        world.add_joint(
            "slider", carriage, finger, anchor=(0.8, 0, 0.45), axis=(0, -side, 0), motor=hard(most)
        )
    )


def go(joint, start, end, seconds):
    """Moves a joint from one place to another, smoothly; returns whether all steps were met."""
    met = True
    steps = round(seconds / world.timestep)
    for i in range(1, steps + 1):
        share = i / steps
        joint.set_motor_target(start + (end - start) * share * share * (3 - 2 * share))
        met = world.step().within_tolerance and met
    return met


def grip(first, second):
    grips[0].set_motor_target(first)
    grips[1].set_motor_target(second)
    return world.step(60).within_tolerance


if sys.argv[1:2] == ["--record"]:  # for `drystone render FILE`
    world.record(sys.argv[2])
met = go(lift, 0, -0.37, 1.5)  # down to the box
met = grip(0.03, 0.06) and met  # the first to the box, the second farther than the box lets it
met = go(lift, -0.37, -0.05, 1.5) and met
met = go(turn, 0, 1.5707963, 2.0) and met
met = go(lift, -0.05, -0.17, 1.0) and met  # onto the pedestal
met = grip(0, 0) and met
met = go(lift, -0.17, 0, 1.0) and met

x, y, z = box.position
print(f"the box lies at ({x:.3f}, {y:.3f}, {z:.3f}) m; all steps within tolerance: {met}")
assert abs(z - 0.24) < 1e-3, "on the pedestal"
assert abs(x) < 0.02 and abs(y - 0.8) < 0.02
assert met
