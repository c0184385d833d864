"""Forces of wanted motions against closed forms."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

import drystone

G = 9.81


def pendulum(angle):
    """A bob of 2 kg, 1.5 m below a hinge about -y with a motor, and its moment about it."""
    world = drystone.World()
    post = world.add_body(kind="static", name="post")
    place = (1.5 * math.sin(angle), 0, -1.5 * math.cos(angle))
    bob = world.add_body(drystone.Sphere(0.1), mass=2, position=place, name="bob")
    world.add_joint("hinge", post, bob, anchor=(0, 0, 0), axis=(0, -1, 0), motor={"velocity": 0})
    return world, bob, 2 * 1.5**2 + 0.4 * 2 * 0.1**2


def test_a_pendulum_is_held_by_its_weight_times_its_arm():
    world, bob, inertia = pendulum(0.5)
    weight = 2 * G * 1.5 * math.sin(0.5)
    (motor,) = world.inverse_dynamics().motors
    assert motor.joint == world.joints[0] and motor.coordinate == drystone.ABOUT_X
    assert motor.force == pytest.approx(weight, rel=1e-6)
    # Turning about -y by 3 rad/s^2 takes the bob along -y x r.
    along = 3 * np.cross((0, -1, 0), bob.position)
    answer = world.inverse_dynamics({"bob": [*along, 0, -3, 0]})
    assert answer.is_possible and answer.is_solved and answer.reason == ""
    assert answer.motors[0].force == pytest.approx(weight + 3 * inertia, rel=1e-6)
    assert answer.motors[0].most > 1e3


def test_a_box_on_a_cart_is_carried_up_to_its_friction():
    world = drystone.World()
    world.set_material(None, friction=0.4)
    rail = world.add_body(kind="static")
    cart = world.add_body(drystone.Box((1, 0.5, 0.1)), mass=3, name="cart")
    box = world.add_body(drystone.Box((0.2, 0.2, 0.2)), mass=2, position=(0, 0, 0.3), name="box")
    world.add_joint("slider", rail, cart, anchor=(0, 0, 0), axis=(1, 0, 0), motor={"velocity": 0})

    def pulled(a):
        return world.inverse_dynamics({cart: (a, 0, 0), "box": (a, 0, 0)})

    carried = pulled(3)
    assert carried.is_possible
    assert carried.motors[0].force == pytest.approx(15, rel=1e-6)
    assert carried.contacts["normal_force"].sum() == pytest.approx(2 * G, rel=1e-5)
    side = np.where(carried.contacts["body_b"] == 2, 1, -1)
    assert (side[:, None] * carried.contacts["force"]).sum(axis=0) == pytest.approx(
        [6, 0, 2 * G], abs=1e-3
    )
    assert not carried.lacking_forces.any() and carried.lacking_forces.shape == (3, 6)
    left = pulled(0.4 * G + 1)
    assert not left.is_possible
    assert np.linalg.norm(left.lacking_forces[2, :3]) == pytest.approx(2 / math.hypot(1, 0.4), rel=1e-4)
    assert left.lacking_accelerations[2, :3] == pytest.approx(left.lacking_forces[2, :3] / 2)
    # Pressed into the cart by 1 m/s^2.
    pressed = world.inverse_dynamics({"box": (0, 0, -1)})
    assert list(pressed.blocked["acceleration"]) == pytest.approx([1] * 4, rel=1e-6)


def test_bad_accelerations_are_refused():
    world, bob, _ = pendulum(0.5)
    with pytest.raises(drystone.InputError, match='did you mean "bob"'):
        world.inverse_dynamics({"bop": (0, 0, 0)})
    with pytest.raises(drystone.InputError, match="3 or 6 numbers"):
        world.inverse_dynamics({bob: (0, 0)})
    with pytest.raises(drystone.InputError, match=r"shape \(2, 6\)"):
        world.inverse_dynamics(np.zeros((1, 6)))
    with pytest.raises(drystone.InputError, match="'post' moves by itself or not at all"):
        world.inverse_dynamics({"post": (1, 0, 0)})
    with pytest.raises(drystone.InputError, match="reach"):
        world.inverse_dynamics(reach=-1.0)


def test_program_of_the_page_prints_what_it_says(capsys):
    page = Path(__file__).resolve().parents[3] / "docs/inverse_dynamics.md"
    (program,) = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    exec(program, {"drystone": drystone})
    cart, hinge = map(float, capsys.readouterr().out.strip("[]\n").split(", "))
    lean = math.radians(20)
    assert cart == pytest.approx(1.1 * 2, rel=1e-6)
    assert hinge == pytest.approx(0.1 * 0.5 * (2 * math.cos(lean) - G * math.sin(lean)), rel=1e-6)
