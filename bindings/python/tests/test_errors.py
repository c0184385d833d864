"""What is wrong raises, says what and where, and changes nothing."""

import gc
import math

import numpy as np
import pytest

import drystone


def test_input_error_is_a_value_error():
    assert issubclass(drystone.InputError, ValueError)
    with pytest.raises(ValueError, match='did you mean "arch"'):
        drystone.load("arhc")


@pytest.mark.parametrize(
    "keys, message",
    [
        ({"mass": -1}, "mass: must be ≥ 1e-15 kg, got -1"),
        ({"densty": 3}, "densty.*did you mean"),
        ({"position": (0, 0)}, "position"),
        ({"position": (0, 0, math.nan)}, "not finite"),
        ({"kind": "dinamic"}, "kind"),
        ({"material": "cheese"}, "cheese"),
        ({"orientation": (1, 1, 0, 0)}, "orientation"),
        ({"position": object()}, "is no number"),
    ],
)
def test_bad_bodies_are_named_and_not_added(keys, message):
    world = drystone.World()
    with pytest.raises(drystone.InputError, match=message):
        world.add_body(drystone.Box((1, 1, 1)), **keys)
    assert world.bodies == [] and world.positions().shape == (0, 3)


def test_bad_shapes_settings_and_names():
    with pytest.raises(drystone.InputError, match="timestep"):
        drystone.World(timestep=0)
    with pytest.raises(drystone.InputError, match="no_such"):
        drystone.World(solver="no_such")
    world = drystone.World()
    with pytest.raises(drystone.InputError, match="radius"):
        world.add_body(drystone.Sphere(-1))
    world.add_body(drystone.Sphere(1), name="ball")
    with pytest.raises(drystone.InputError, match="'ball' already"):
        world.add_body(drystone.Sphere(1), name="ball")
    with pytest.raises(drystone.InputError, match="no body 'bal'"):
        world.body("bal")
    with pytest.raises(drystone.InputError, match="no body 1"):
        world.body(1)
    post = world.add_body(kind="static")
    with pytest.raises(drystone.InputError, match="axis"):
        world.add_joint("hinge", post, "ball", anchor=(0, 0, 0))
    with pytest.raises(drystone.InputError, match="hinj"):
        world.add_joint("hinj", post, "ball", anchor=(0, 0, 0), axis=(0, 0, 1))
    with pytest.raises(drystone.InputError, match="no joint 'a'"):
        world.add_joint("gear", "a", "b")
    assert world.joints == []
    with pytest.raises(drystone.InputError, match="n must be at least 0"):
        world.step(-1)
    with pytest.raises(drystone.InputError, match="saved world: the data ends early"):
        world.restore(b"nonsense")


@pytest.mark.parametrize(
    "value, message",
    [
        ((0, 0), r"position must have the shape \(3,\), got \(2,\)"),
        ("abc", "position must be numbers"),
        ((0, 0, math.inf), "position must be finite, got inf at place 2"),
        (np.zeros((3, 1)), r"got \(3, 1\)"),
    ],
)
def test_bad_arrays_change_nothing(value, message):
    world = drystone.World()
    ball = world.add_body(drystone.Sphere(1), position=(1, 2, 3))
    with pytest.raises(drystone.InputError, match=message):
        ball.position = value
    with pytest.raises(drystone.InputError, match="unit quaternion"):
        ball.orientation = (2, 0, 0, 0)
    assert list(ball.position) == [1, 2, 3]


def test_handles_of_what_was_removed_raise():
    world = drystone.World()
    post = world.add_body(kind="static")
    ball = world.add_body(drystone.Sphere(1))
    joint = world.add_joint("ball", post, ball, anchor=(0, 0, 0))
    world.remove_body(ball)
    assert not ball.exists and not joint.exists and repr(ball) == "<Body, removed>"
    other = world.add_body(drystone.Sphere(1))  # in the same slot
    assert ball != other and len({ball, other, post}) == 3
    for read in (
        lambda: ball.position,
        lambda: ball.name,
        lambda: ball.apply_force((0, 0, 1)),
        lambda: joint.coordinate(),
        lambda: world.remove_body(ball),
        lambda: world.remove_joint(joint),
        lambda: post.contact_force(ball),
    ):
        with pytest.raises(drystone.InputError):
            read()


def test_bodies_of_another_world_are_refused():
    one, two = drystone.World(), drystone.World()
    ball = one.add_body(drystone.Sphere(1))
    two.add_body(drystone.Sphere(1))
    with pytest.raises(drystone.InputError, match="another world"):
        two.remove_body(ball)
    assert len(two.bodies) == 1


def test_a_body_keeps_its_world():
    world = drystone.World()
    ball = world.add_body(drystone.Sphere(1), position=(0, 0, 5))
    joint = world.add_joint("ball", world.add_body(kind="static"), ball, anchor=(0, 0, 5))
    report = world.step()
    del world
    gc.collect()
    assert ball.position[2] == pytest.approx(5, abs=1e-6)
    assert joint.exists and report.step == 1


def test_rays_must_fit():
    world = drystone.World()
    with pytest.raises(drystone.InputError, match="to must have as many rows"):
        world.ray_casts(np.zeros((2, 3)), np.ones((1, 3)))
    with pytest.raises(drystone.InputError, match=r"from_ must have the shape \(n, 3\)"):
        world.ray_casts(np.zeros(3), np.ones(3))


def test_load_warns_of_what_is_likely_meant_otherwise():
    scene = {
        "version": 1,
        "bodies": [{"name": "ball", "shape": {"type": "sphere", "radius": 1}, "mass": 1}],
    }
    with pytest.warns(drystone.SceneWarning, match="'ball'.* kg/m³") as caught:
        world = drystone.load(scene)
    assert [str(warning.message) for warning in caught] == world.warnings
    assert caught[0].filename == __file__
    assert drystone.load("arch").warnings == []
