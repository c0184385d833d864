"""Joints by the keys of scene files, their coordinates, motors and reactions."""

import numpy as np
import pytest

import drystone


def pendulum(**keys):
    world = drystone.World(timestep=0.002)
    post = world.add_body(kind="static", name="post")
    bob = world.add_body(drystone.Sphere(0.1), position=(0, 1, 0), mass=2, name="bob")
    joint = world.add_joint("hinge", post, bob, anchor=(0, 0, 0), axis=(1, 0, 0), **keys)
    return world, joint, bob


def test_hinge_begins_at_zero_and_falls():
    world, joint, bob = pendulum(name="hook")
    assert joint.coordinate() == pytest.approx(0, abs=1e-15)
    assert joint == world.joint("hook") == world.joints[0] == bob.joints[0]
    world.step(100)
    # About +x the bob goes from +y to -z, so the angle falls.
    assert joint.coordinate() < -0.1 and joint.rate(drystone.ABOUT_X) < 0
    # The bob stays at its distance, to what holding the joint allows.
    assert np.linalg.norm(bob.position) == pytest.approx(1, abs=1e-4)


def test_a_motor_holds_the_arm_and_tells_its_torque():
    world, joint, _ = pendulum(motor={"position": 0, "max_force": 100})
    world.step(200)
    # Level at 1 m: 2 kg g about +x is negative, and the motor holds it.
    assert joint.coordinate() == pytest.approx(0, abs=1e-6)
    assert joint.axis_force()["motor"] == pytest.approx(2 * 9.81, rel=1e-6)
    force, _ = joint.reaction()
    assert force == pytest.approx([0, 0, 2 * 9.81], abs=1e-4)
    joint.set_motor_target(0.3)
    world.step(1000)
    assert joint.coordinate() == pytest.approx(0.3, abs=1e-6)
    joint.set_motor()
    world.step(50)
    assert joint.axis_force()["motor"] == 0 and joint.coordinate() < 0.3
    joint.set_motor(velocity=-2, max_force=5)
    joint.set_limits(-1, 1)
    world.step(300)
    assert joint.coordinate() == pytest.approx(-1, abs=1e-3)


@pytest.mark.parametrize(
    "kind, keys",
    [
        ("ball", {"anchor": (0, 0, 2)}),
        ("fixed", {"anchor": (0, 0, 2)}),
        ("slider", {"anchor": (0, 0, 2), "axis": (1, 0, 0)}),
        ("distance", {"anchor_a": (0, 0, 2), "anchor_b": (0, 0, 0), "length": 1}),
    ],
)
def test_each_kind_holds_a_hanging_weight(kind, keys):
    world = drystone.World()
    post = world.add_body(kind="static")
    load = world.add_body(drystone.Box((0.1, 0.1, 0.1)), position=(0, 0, 1), mass=3)
    joint = world.add_joint(kind, post, load, **keys)
    world.step(60)
    assert load.position == pytest.approx([0, 0, 1], abs=1e-6)
    assert joint.reaction()[0][2] == pytest.approx(3 * 9.81, rel=1e-6)


def test_coordinates_must_be_named_where_several_are_free():
    world = drystone.World()
    post = world.add_body(kind="static")
    load = world.add_body(drystone.Sphere(0.1), position=(0, 0, 1))
    joint = world.add_joint("ball", post, load, anchor=(0, 0, 2))
    with pytest.raises(drystone.InputError, match="'joint_0' has 3 free coordinates"):
        joint.coordinate()
    assert joint.coordinate(drystone.ABOUT_Z) == pytest.approx(0, abs=1e-15)
    with pytest.raises(drystone.InputError):
        joint.coordinate(6)


def test_gears_couple_two_hinges():
    world = drystone.World(gravity=(0, 0, 0))
    post = world.add_body(kind="static")
    wheel = drystone.Cylinder(0.1, 0.02)
    hinges = []
    for x in (0, 1):
        body = world.add_body(wheel, position=(x, 0, 0))
        hinges.append(world.add_joint("hinge", post, body, anchor=(x, 0, 0), axis=(0, 0, 1)))
    hinges[0].set_motor(velocity=2)
    with pytest.raises(drystone.InputError, match="takes ratio and name, not .'axis'."):
        world.add_joint("gear", *hinges, axis=1)
    gear = world.add_joint("gear", *hinges, ratio=0.5)
    assert gear.name == "joint_2"
    world.step(60)
    # q1 + q2 / 2 stays: the second turns at -4 rad/s.
    assert hinges[1].rate() == pytest.approx(-4, rel=1e-6)
    world.remove_joint(hinges[0])
    assert not gear.exists and not hinges[0].exists and hinges[1].exists


def test_a_cable_runs_over_an_eyelet():
    world = drystone.World(timestep=0.002)
    post = world.add_body(kind="static", name="post")
    light = world.add_body(drystone.Sphere(0.1), position=(0, 0, -2), mass=1)
    heavy = world.add_body(drystone.Sphere(0.1), position=(0, 0, -3), mass=3)
    with pytest.raises(drystone.InputError, match="add_cable: body must be a body"):
        world.add_cable([{"position": (0, 0, 0)}, {"body": post}])
    with pytest.raises(drystone.InputError, match="friction: must be ≥ 0"):
        world.add_cable([{"body": light}, {"body": post, "friction": -1}, {"body": heavy}])
    rope = world.add_cable([{"body": light}, {"body": "post"}, {"body": heavy}], name="rope")
    assert [joint.name for joint in world.joints] == ["rope", "rope_1"]
    world.step(100)
    # a = g (3 - 1) / 4, T = 2 g 3 / 4
    assert light.linear_velocity[2] == pytest.approx(9.81 / 2 * 0.2, rel=1e-5)
    assert rope.axis_force()["limit"] == pytest.approx(-2 * 9.81 * 3 / 4, rel=1e-5)
    assert rope.coordinate() == pytest.approx(5, abs=1e-5)
    world.remove_joint(rope)
    assert world.joints == []
