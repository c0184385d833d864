"""Slips of every day: misspelt names, wrong kinds of values. Each is refused by name, with a remedy."""

import re

import numpy as np
import pytest

import drystone


@pytest.fixture
def world():
    made = drystone.World(friction="box", substeps=2, solver="sor-prox", timestep=0.01)
    post = made.add_body(kind="static", name="post")
    ball = made.add_body(drystone.Sphere(0.5), position=(0, 0, 2), mass=2, name="ball")
    made.add_joint("slider", post, ball, anchor=(0, 0, 2), axis=(1, 0, 0), name="rail")
    return made


@pytest.mark.parametrize(
    "name, message",
    [
        ("gravty", 'a World has no \'gravty\'; did you mean "gravity"'),
        ("sleping", "what can be set is force_plates, gravity, threads, timestep"),
        ("friction", "is a setting that it is made with, World(friction=…)"),
        ("sleeping", "World(sleeping=…)"),
        ("solver", "is set by set_solver()"),
        ("positions", "is a function, which cannot be set"),
        ("step", "is a function, which cannot be set"),
        ("time", "can be read, and not set"),
    ],
)
def test_what_a_world_does_not_have_cannot_be_set(world, name, message):
    with pytest.raises(AttributeError, match=re.escape(message)):
        setattr(world, name, 5)
    assert callable(world.step) and world.friction == "box"


def test_bodies_joints_and_batches_say_what_was_meant(world):
    ball, rail = world.body("ball"), world.joint("rail")
    worlds = drystone.VectorWorld("cart_pole", 2)
    for owner, name, message in [
        (ball, "linear_velocty", 'a Body has no \'linear_velocty\'; did you mean "linear_velocity"'),
        (ball, "inertia", "can be read, and not set"),
        (ball, "shape", "is set by set_shape()"),
        (rail, "colide", 'a Joint has no \'colide\'; did you mean "collide"'),
        (rail, "limits", "is set by set_limits()"),
        (worlds, "gravity", "is a setting of each of its worlds"),
        (worlds, "frces", "a VectorWorld has no 'frces'"),
    ]:
        with pytest.raises(AttributeError, match=re.escape(message)):
            setattr(owner, name, 1)


def test_a_class_of_ones_own_has_attributes_of_its_own():
    class Robot(drystone.World):
        pass

    robot = Robot(timestep=0.5)
    robot.arm = 3
    assert robot.arm == 3 and robot.timestep == 0.5
    with pytest.raises(AttributeError, match="World\\(friction=…\\)"):
        robot.friction = "cone"


def test_all_settings_can_be_read(world):
    settings = world.settings
    assert settings["friction"] == world.friction == "box"
    assert settings["substeps"] == world.substeps == 2
    assert settings["solver"]["name"] == "sor-prox" and settings["solver"]["tolerance"] == 1e-6
    assert settings["gravity"] == pytest.approx([0, 0, -9.81]) and settings["timestep"] == 0.01
    assert settings["solver"]["policy"] == "keep_best" and settings["solver"]["condense"] == "auto"
    assert world.sleeping["enabled"] is False and world.joint_tolerance is None
    twin = drystone.World(**settings)
    assert str(twin.settings) == str(settings)
    assert drystone.World(joint_tolerance=1e-3).joint_tolerance == 1e-3


@pytest.mark.parametrize(
    "keys",
    [
        {"policy": "stop", "condense": "never"},
        {"policy": "fallback", "fallback": "bpp", "condense": "always"},
    ],
)
def test_what_a_solver_does_about_misses_and_joints_can_be_read(keys):
    settings = drystone.World(solver={"name": "nsgs", **keys}).settings
    assert {key: settings["solver"][key] for key in keys} == keys
    assert str(drystone.World(**settings).settings) == str(settings)


@pytest.mark.parametrize(
    "name, value, message",
    [
        ("mass", "5", "mass must be a number, got '5'"),
        ("mask", -1, "mask of a Body cannot be -1; it is: Groups"),
        ("locked_axes", "xy", "locked_axes of a Body cannot be 'xy'"),
        ("user_data", {}, "user_data of a Body cannot be {}"),
        ("position", None, "position must be numbers, got None"),
        ("orientation", None, "orientation must be numbers, got None"),
        ("linear_velocity", None, "linear_velocity must be numbers, got None"),
        ("angular_velocity", None, "angular_velocity must be numbers, got None"),
    ],
)
def test_wrong_values_are_named(world, name, value, message):
    ball = world.body("ball")
    before = str(getattr(ball, name))
    with pytest.raises(drystone.InputError, match=re.escape(message)):
        setattr(ball, name, value)
    assert str(getattr(ball, name)) == before


def test_wrong_arguments_are_named(world):
    ball, rail = world.body("ball"), world.joint("rail")
    for call, message in [
        (lambda: world.step(1 / 60), "n must be a whole number, got 0.016666666666666666: it counts"),
        (lambda: drystone.VectorWorld("cart_pole", 1).step(0.1), "timestep of the worlds"),
        (lambda: world.ray_cast((0, 0, 0), (1, 0, 0), without=3), "a body or a list of bodies"),
        (lambda: rail.set_motor(1), "velocity= or position="),
        (lambda: rail.set_motor(position="up"), "position must be a number, got 'up'"),
        (lambda: rail.set_motor(position=[1, 2]), r"position must have the shape (n, 2), got (2,)"),
        (lambda: rail.set_limits("a", 1), "lower must be a number, got 'a'"),
        (lambda: ball.set_motion({"time": 0}), "keys must be a list of dicts"),
        (lambda: ball.set_forces([3]), "keys must be a list of dicts, each with its time, got 3"),
        (lambda: drystone.World(solver=5), "solver must be a name or a dict of its keys, got 5"),
        (lambda: world.add_joint("hinge", None, ball), "got None; the world is a body of kind"),
        (lambda: world.add_joint("gear", ball, ball, ratio=1), "a must be a joint"),
        (lambda: world.add_joint("hinge", rail, ball), "a must be a body, got <Joint 'rail'"),
        (lambda: world.body(1.5), "must be a body, its name or its number, got 1.5"),
        (lambda: world.body(-3), "no body -3"),
    ]:
        with pytest.raises(drystone.InputError, match=re.escape(message)):
            call()


def test_messages_have_the_names_of_python(world):
    ball, rail = world.body("ball"), world.joint("rail")
    state = world.save()
    world.add_material("late", friction=1)
    for call, message in [
        (lambda: setattr(ball, "mass", -1), "^mass: body 'ball': must be above 0 and finite .*-1$"),
        (lambda: setattr(ball, "mass", np.inf), "^mass: body 'ball': must be above 0 and finite"),
        (lambda: setattr(world.body("post"), "mass", 1), "not dynamic.*set its kind first$"),
        (lambda: rail.set_motor_target(1), "^set_motor_target: .* no motor on ALONG_X$"),
        (lambda: world.restore(state), 'mode="matching" or "by_name"'),
        (lambda: setattr(ball, "gravity_scale", np.nan), "^(?!set)"),
        (lambda: world.add_body(drystone.Sphere(1), densty=3), "^add_body: densty: "),
        (lambda: world.add_body(drystone.Sphere(-1)), "^add_body: radius: "),
        (lambda: drystone.World(timestep=0), "^World: timestep: "),
    ]:
        with pytest.raises(drystone.InputError, match=message):
            call()


def test_nothing_pushes_what_does_not_move(world):
    post = world.body("post")
    for call in (
        lambda: post.apply_force((1, 0, 0)),
        lambda: post.apply_force((1, 0, 0), at=(0, 0, 1)),
        lambda: post.apply_torque((1, 0, 0)),
        lambda: post.apply_impulse((1, 0, 0)),
        lambda: post.apply_angular_impulse((1, 0, 0)),
    ):
        with pytest.raises(drystone.InputError, match="'post' is not dynamic, and nothing pushes it"):
            call()


def test_motors_take_schedules_and_limits_may_have_no_end(world):
    rail = world.joint("rail")
    world.gravity = (0, 0, 0)
    rail.set_motor(position=[[0, 0], [1, 0.5]])
    world.step(50)
    assert rail.coordinate() == pytest.approx(0.25, abs=1e-3)
    rail.set_motor(velocity=np.array([[0, 0], [0.5, 0], [1.5, 1]]))
    world.step(50)
    assert rail.rate() == pytest.approx(0.5, abs=1e-3)
    rail.set_limits(None, 2)
    assert rail.limits() == (-np.inf, 2)
    assert world.ray_cast((5, 0, 2), (-5, 0, 2), without=world.body("ball")) is None


def test_negative_numbers_count_from_the_end(world, tmp_path):
    assert world.body(-1) == world.body("ball") and world.joint(-1) == world.joint("rail")
    with world.record(tmp_path / "run.h5"):
        world.step(4)
    recording = drystone.Recording(tmp_path / "run.h5")
    assert recording.frame(-1)["step"] == 4 and recording.frame(-5)["step"] == 0
    assert recording.contacts(-1).keys() == recording.contacts(4).keys()
    assert recording.events(-1) == recording.events(4)
    for wrong in (-6, 5):
        with pytest.raises(drystone.InputError, match=f"no frame {wrong}: .* -1 down to -5"):
            recording.frame(wrong)


def test_what_is_printed_tells(world, tmp_path):
    assert repr(world) == "<World at 0 s, 2 bodies, 1 joint, solver 'sor-prox'>"
    assert re.fullmatch(
        r"<StepReport of step 1 at 0.01 s: 0 contacts, natural_map \S+ m/s, within tolerance>",
        repr(world.step()),
    )
    assert repr(world.joint("rail")) == "<Joint 'rail' of 'post' and 'ball'>"
    assert repr(drystone.VectorWorld("cart_pole", 2, 1)) == (
        "<VectorWorld of 2 worlds, each with 3 bodies, 2 coordinates and 0 motors, on 1 thread>"
    )
    path = tmp_path / "run.h5"
    with world.record(path) as recorder:
        assert repr(recorder) == f"<Recorder of '{path}', open>"
        world.step(2)
    assert repr(recorder) == f"<Recorder of '{path}', finished>"
    assert repr(drystone.Recording(path)) == f"<Recording '{path}': 2 steps, 3 frames, 2 bodies>"
    rail = world.joint("rail")
    world.remove_joint(rail)
    assert repr(rail) == "<Joint, removed or broken>"
    seen = []
    floor = drystone.World()
    floor.add_body(drystone.Plane(), kind="static", name="floor")
    floor.add_body(drystone.Sphere(0.5), position=(0, 0, 0.5), name="ball")
    floor.set_contact_modifier(lambda contact: seen.append(repr(contact)))
    floor.step()
    assert re.fullmatch(r"<ContactChange of '\w+' and '\w+', gap \S+ m>", seen[0])


def test_names_that_there_are_not_are_answered_with_near_ones(world):
    with pytest.raises(drystone.InputError, match="no body 'bal'; did you mean \"ball\""):
        world.body("bal")
    with pytest.raises(drystone.InputError, match="no joint 'x'; known names: rail"):
        world.joint("x")


def test_messages_of_scenes_speak_of_arguments():
    with pytest.raises(drystone.InputError) as refused:
        drystone.load("slope_slip", {"scene.angle": 30}, {"bodies.x.mass": 3})
    text = str(refused.value)
    assert 'parameter "scene.angle": 30 ' in text and 'override "bodies.x.mass": 3 ' in text
    assert "--set" not in text


def test_a_box_has_a_size_or_half_extents(world):
    half = world.add_body(drystone.Box((0.5, 1, 2)), position=(9, 0, 9), density=10)
    whole = world.add_body(drystone.Box(size=(1, 2, 4)), position=(19, 0, 9), density=10)
    assert half.mass == whole.mass == pytest.approx(80)
    with pytest.raises(drystone.InputError, match="half_extents"):
        world.add_body(drystone.Box(), position=(0, 0, 9))
