"""Pictures of worlds, drawn without a window."""

import gc
import os
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest

import drystone


def table():
    """A red-ish box on a floor, and a ball beside it."""
    world = drystone.World(timestep=0.01)
    world.add_body(drystone.Plane(), kind="static")
    box = world.add_body(drystone.Box((0.5, 0.5, 0.5)), position=(0, 0, 0.5), name="box")
    world.add_body(drystone.Sphere(0.3), position=(1.5, 0, 0.3), name="ball")
    return world, box


FRONT = {"position": (0, -6, 2), "target": (0, 0, 0.5)}


def share_that_differs(a, b):
    return np.mean(np.any(np.abs(a.astype(int) - b.astype(int)) > 16, axis=2))


def test_a_picture_is_an_array_of_its_size_with_something_in_it():
    world, _ = table()
    picture = world.render(160, 120)
    assert picture.shape == (120, 160, 3) and picture.dtype == np.uint8
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 50
    assert world.render().shape == (480, 640, 3)


def test_the_same_state_gives_the_same_picture():
    world, _ = table()
    first = world.render(160, 120, **FRONT)
    assert np.array_equal(world.render(160, 120, **FRONT), first)
    other, _ = table()
    assert np.array_equal(other.render(160, 120, **FRONT), first)


def test_bodies_are_where_the_camera_sees_them():
    """At a distance d of the target, x lies x / (d tan(fov / 2)) half heights right of the middle."""
    world, box = table()
    with_box = world.render(160, 120, position=(0, -10, 0.5), target=(0, 0, 0.5), field_of_view=0.6)
    box.position = (-3, 4, 0.5)
    without = world.render(160, 120, position=(0, -10, 0.5), target=(0, 0, 0.5), field_of_view=0.6)
    differs = np.any(np.abs(with_box.astype(int) - without.astype(int)) > 40, axis=2)
    half = 60 * 0.5 / (9.5 * np.tan(0.3))  # of its front face [pixels]
    rows, columns = np.nonzero(differs[:, 70:90])
    assert rows.min() == pytest.approx(60 - half, abs=2)  # rows count from the top
    assert rows.max() >= 60 + half - 3
    assert differs[60, 80 - int(half) + 1 : 80 + int(half) - 1].all()


def test_the_camera_and_the_state_change_it():
    world, box = table()
    front = world.render(160, 120, **FRONT)
    assert share_that_differs(front, world.render(160, 120, position=(6, 0, 2), target=(0, 0, 0.5))) > 0.05
    assert share_that_differs(front, world.render(160, 120, field_of_view=0.3, **FRONT)) > 0.05
    down = world.render(160, 120, position=(0, 0, 8), target=(0, 0, 0))  # straight down is no error
    assert share_that_differs(front, down) > 0.05
    box.position = (0, 0, 1.5)
    assert share_that_differs(front, world.render(160, 120, **FRONT)) > 0.01
    box.set_shape(drystone.Sphere(0.5))
    ball = world.render(160, 120, **FRONT)
    box.set_shape(drystone.Box((0.5, 0.5, 0.5)))
    assert share_that_differs(ball, world.render(160, 120, **FRONT)) > 0.002


@pytest.mark.parametrize("model", ["cone", "none"])
def test_contacts_have_the_colors_of_their_states(model):
    """Where there is no friction, all slip: orange. The box at rest sticks: blue."""
    world = drystone.World(timestep=0.01, friction=model)
    world.add_body(drystone.Plane(), kind="static")
    world.add_body(drystone.Box((0.5, 0.5, 0.5)), position=(0, 0, 0.5))
    before = world.render(160, 120, **FRONT)
    assert np.array_equal(world.render(160, 120, contacts=True, **FRONT), before)  # no step yet
    world.step()
    without = world.render(160, 120, contacts=False, **FRONT)
    assert np.array_equal(without, world.render(160, 120, **FRONT))
    drawn = world.render(160, 120, contacts=True, **FRONT).astype(int)
    marks = drawn[np.any(np.abs(drawn - without) > 60, axis=2)]
    assert 8 < len(marks) < 0.02 * 160 * 120  # four points
    red, _, blue = marks.mean(axis=0)
    assert blue > red + 60 if model == "cone" else red > blue + 60
    with pytest.raises(drystone.InputError, match="contacts must be True or False, got 'all'"):
        world.render(160, 120, contacts="all")


def test_without_a_place_the_camera_stays_until_bodies_come_or_go():
    """So that pictures in a row are a film: the box moves in them, and the floor does not."""
    world, box = table()
    world.set_pair_filter(lambda a, b: False)
    first = world.render(160, 120)
    box.position = (0, 0, 1000)
    moved = world.render(160, 120)
    assert share_that_differs(first, moved) > 0.005
    # A camera that showed all would be so far that the ball is less than a pixel.
    colored = np.ptp(moved.astype(int), axis=2) > 40
    assert np.count_nonzero(colored) > 100
    box.position = (0, 0, 0.5)
    assert np.array_equal(world.render(160, 120), first)
    far = world.add_body(drystone.Sphere(0.3), position=(20, 0, 0.3))
    other, _ = table()
    other.add_body(drystone.Sphere(0.3), position=(20, 0, 0.3))
    assert np.array_equal(world.render(160, 120), other.render(160, 120))
    world.remove_body(far)
    assert np.array_equal(world.render(160, 120), first)


def test_a_scene_has_its_camera():
    def tower(**camera):
        scene = {"version": 1, "bodies": [{"shape": {"type": "sphere", "radius": 0.5}}], **camera}
        return drystone.load(scene)

    camera = {"camera": {"position": [0, -4, 0], "target": [0, 0, 0], "field_of_view_deg": 60}}
    picture = tower(**camera).render(160, 90)
    assert share_that_differs(picture, tower().render(160, 90)) > 0.02
    given = tower().render(160, 90, position=(0, -4, 0), target=(0, 0, 0), field_of_view=np.pi / 3)
    assert np.array_equal(picture, given)


def test_threads_draw_their_own_worlds():
    expected = table()[0].render(120, 90, **FRONT)
    pictures, errors = [], []

    def draw():
        try:
            world, _ = table()
            for size in ((64, 48), (80, 60), (100, 75), (96, 72), (112, 84), (120, 90)):
                picture = world.render(*size, **FRONT)
                assert picture.shape == (size[1], size[0], 3)
            pictures.append(picture)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=draw) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and len(pictures) == 3
    assert all(np.array_equal(picture, expected) for picture in pictures)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"width": 0}, "0 x 48 pixels: this device draws from 1 to"),
        ({"height": 10**6}, "64 x 1000000 pixels"),
        ({"position": (1, 2, 3)}, "position and target go together"),
        ({"target": (1, 2, 3)}, "position and target go together"),
        ({"position": (1, 2, 3), "target": (1, 2, 3)}, "same place"),
        ({"position": (1, 2), "target": (1, 2, 3)}, "position must have the shape"),
        ({"field_of_view": 45}, "field_of_view must be from 0.0174 to 2.62 rad, got 45"),
        ({"field_of_view": float("nan")}, "field_of_view"),
    ],
)
def test_what_cannot_be_drawn_is_named(arguments, message):
    world, _ = table()
    with pytest.raises(drystone.InputError, match=message):
        world.render(**{"width": 64, "height": 48, **arguments})
    assert world.render(64, 48).shape == (48, 64, 3)


def test_a_drawn_world_is_freed_with_its_last_reference():
    world, box = table()
    world.render(64, 48)
    seen = weakref.ref(world)
    del world, box
    gc.collect()
    assert seen() is None


def printed_by(program, **environment):
    """What a Python of its own prints: what is loaded once stays."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_package_loads_no_opengl_before_a_picture():
    program = """
import drystone
world = drystone.load("arch")
world.step()
def graphics():
    return sorted({name for line in open("/proc/self/maps") for name in
                   ("libepoxy", "libEGL", "libOpenGL", "_render") if name in line})
print(graphics())
world.render(32, 32)
print(graphics())
"""
    before, after = printed_by(program).splitlines()
    assert before == "[]" and "libepoxy" in after and "_render" in after


def test_without_a_driver_the_packages_are_named():
    program = """
import drystone
world = drystone.load("arch")
try:
    world.render(32, 32)
except RuntimeError as error:
    print(error)
world.step()
"""
    text = printed_by(program, __EGL_VENDOR_LIBRARY_FILENAMES="/nonexistent.json")
    assert "install libegl-mesa0 and libgl1-mesa-dri" in text


def test_a_package_without_the_viewer_or_its_libraries_says_so():
    program = """
import sys
import drystone
world = drystone.load("arch")
sys.modules["drystone._render"] = None
try:
    world.render(32, 32)
except RuntimeError as error:
    print(error)
del sys.modules["drystone._render"]
class Broken:
    def find_spec(self, name, path=None, target=None):
        if name == "drystone._render":
            raise ImportError("libepoxy.so.0: cannot open shared object file")
sys.meta_path.insert(0, Broken())
try:
    world.render(32, 32)
except RuntimeError as error:
    print(error)
"""
    no_module, no_library = printed_by(program).splitlines()
    assert "built without the viewer" in no_module and "DRYSTONE_BUILD_VIEWER=ON" in no_module
    assert "libepoxy.so.0" in no_library and "apt install libepoxy0" in no_library
