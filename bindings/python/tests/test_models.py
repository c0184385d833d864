"""Models of other formats, meshes and height fields from arrays."""

import re
from pathlib import Path

import numpy as np
import pytest

import drystone

MODELS = Path(__file__).parents[3] / "tests" / "data" / "models"


def test_a_robot_becomes_a_scene_with_warnings_of_what_it_lacks():
    with pytest.warns(drystone.SceneWarning) as caught:
        scene = drystone.import_model(MODELS / "arm.urdf", hold=True)
    assert all(re.match(r"\S*arm.urdf:\d+: ", str(one.message)) for one in caught)
    assert caught[0].filename == __file__
    world = drystone.load(scene)
    motors = drystone.VectorWorld(scene, 2).motor_names
    assert len(motors) >= 3 and {world.joint(name).name for name, _ in motors}


@pytest.mark.filterwarnings("ignore::drystone.SceneWarning")
def test_the_base_and_the_motors_are_as_asked():
    def rootless(**keys):
        return drystone.import_model(MODELS / "quadruped.urdf", **keys)

    fixed, free = rootless(fixed_base=True), rootless(fixed_base=False)
    assert fixed["bodies"][0]["kind"] == "static" and "kind" not in free["bodies"][0]
    assert rootless() == free
    count = [len(drystone.VectorWorld(rootless(hold=hold), 1).motor_names) for hold in (False, True)]
    assert count[0] == 0 and count[1] > 0


def test_models_and_what_is_wrong_with_them_are_named(tmp_path):
    robot = tmp_path / "arm.urdf"
    robot.write_text("<?xml version='1.0'?>\n<robot name='arm'><link name='a'/></robot>")
    hopper = tmp_path / "hopper.xml"
    hopper.write_text("\n<mujoco/>")
    for path, format in ((robot, "URDF"), (hopper, "MJCF")):
        message = f"{path}: is a model in {format} .*drystone import {path} .*import_model"
        with pytest.raises(drystone.InputError, match=message):
            drystone.load(str(path))
    robot.write_text("<robot name='arm'><link name='a'/><link name='a'/></robot>")
    with pytest.raises(drystone.InputError, match=r"arm.urdf:1: .*'a'"):
        drystone.import_model(robot)
    other = tmp_path / "page.xml"
    other.write_text("<html/>")
    with pytest.raises(drystone.InputError, match="JSON begins with {"):
        drystone.load(str(other))


def resting_height(floor, **place):
    world = drystone.World(timestep=0.01)
    world.add_body(floor, kind="static")
    ball = world.add_body(drystone.Sphere(0.1), **place)
    world.step(100)
    return ball.position[2]


def test_a_mesh_of_arrays_is_what_it_is_of_a_file(tmp_path):
    vertices = np.array([[-2, -2, 0], [2, -2, 1], [2, 2, 0], [-2, 2, 1.0]])
    triangles = np.array([[0, 1, 2], [0, 2, 3]])
    lines = ["v {} {} {}".format(*row) for row in vertices.tolist()]
    lines += ["f {} {} {}".format(*row) for row in (triangles + 1).tolist()]
    (tmp_path / "floor.obj").write_text("\n".join(lines) + "\n")
    place = {"position": (0.01, 0, 0.4)}
    given = resting_height(drystone.Mesh(vertices=vertices, triangles=triangles), **place)
    assert given == resting_height(drystone.Mesh(str(tmp_path / "floor.obj")), **place)
    assert 0.05 < given < 0.4


@pytest.mark.parametrize(
    "keys, message",
    [
        ({}, "file"),
        ({"vertices": [[0, 0, 0]], "file": "a.obj"}, "vertices"),
        ({"vertices": np.eye(3)}, "no triangles"),
        ({"vertices": np.eye(3), "triangles": [[0, 1, 3]]}, "triangles/0/2: .*2.*got 3"),
        ({"vertices": np.eye(3), "triangles": [[0, 1, -1]]}, "triangles/0/2"),
        ({"vertices": np.eye(3), "triangles": [[0, 1]]}, "three numbers of vertices"),
        ({"vertices": np.eye(3), "triangles": [[0, 1, 1]]}, "uses a vertex twice"),
        ({"vertices": [[0, 0]], "triangles": []}, "vertices/0"),
    ],
)
def test_bad_meshes_are_refused(keys, message):
    world = drystone.World()
    with pytest.raises(drystone.InputError, match=message):
        world.add_body(drystone.Mesh(**keys), kind="static")
    assert world.bodies == []


def test_heights_may_be_an_array_of_rows_and_columns():
    # Columns 0, 1, 2 along x at -1, 0, 1; rows along y at -2, 0, 2, 4 less their mean.
    heights = np.zeros((4, 3))
    heights[:, 2] = 0.5
    field = drystone.Heightfield(spacing=(1, 2), heights=heights)
    assert field.keys()["columns"] == 3 and field.keys()["rows"] == 4
    world = drystone.World()
    world.add_body(field, kind="static")
    hit = world.ray_cast((0.9, -2.9, 5), (0.9, -2.9, -5))
    assert hit.position[2] == pytest.approx(0.45)
    flat = drystone.Heightfield(3, 4, (1, 2), heights.ravel())
    assert flat.keys()["heights"] is not None and list(flat.keys()["heights"]) == [
        *field.keys()["heights"]
    ]
    with pytest.raises(drystone.InputError, match=r"columns is 4, and heights have the shape"):
        world.add_body(drystone.Heightfield(4, 4, (1, 2), heights), kind="static")
    with pytest.raises(drystone.InputError, match="spacing"):
        world.add_body(drystone.Heightfield(heights=heights), kind="static")
