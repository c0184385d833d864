"""Many worlds as arrays, environments over them, and forces of joints."""

import gc
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import drystone
from drystone.learning import CartPole

MODELS = Path(__file__).parents[3] / "tests" / "data" / "models"


def test_a_torque_turns_a_body_by_torque_over_inertia():
    world = drystone.World(gravity=[0, 0, 0], timestep=0.01)
    post = world.add_body(kind="static")
    disk = world.add_body(mass=2, inertia=[0.5, 0.3, 0.3])
    hinge = world.add_joint("hinge", post, disk, anchor=(0, 0, 0), axis=(1, 0, 0))
    for _ in range(10):
        hinge.apply_force(0.7)
        world.step()
    assert hinge.rate() == pytest.approx(0.1 * 0.7 / 0.5, rel=1e-9)
    with pytest.raises(drystone.InputError, match="finite"):
        hinge.apply_force(np.nan)


def test_rows_are_worlds_that_have_the_bits_of_one_alone():
    worlds = drystone.VectorWorld("cart_pole", 3, 2)
    assert len(worlds) == 3 and worlds.threads == 2
    assert worlds.body_names == ["rail", "cart", "pole"]
    assert [name for name, _ in worlds.coordinate_names] == ["slide", "hinge"]
    forces = np.array([[1.0, 0], [2, 0.1], [0, 0]])
    worlds.set_forces(forces)
    worlds.step(10)
    for row, force in enumerate(forces):
        alone = drystone.load("cart_pole")
        for _ in range(10):
            alone.joint("slide").apply_force(force[0])
            alone.joint("hinge").apply_force(force[1])
            alone.step()
        assert worlds.hash(row) == alone.hash
        assert np.array_equal(worlds.positions()[row], alone.positions())
        assert np.array_equal(worlds.orientations()[row], alone.orientations())
        assert np.array_equal(worlds.velocities()[row], alone.velocities())
        joints = [alone.joint("slide"), alone.joint("hinge")]
        assert worlds.coordinates()[row].tolist() == [one.coordinate() for one in joints]
        assert worlds.rates()[row].tolist() == [one.rate() for one in joints]
    out = np.zeros((3, 2))
    assert worlds.rates(out) is out and out[1, 0] > 0
    assert worlds.within_tolerance.all() and not worlds.diverged.any()


def test_reset_and_place():
    worlds = drystone.VectorWorld("cart_pole", 3, overrides={"scene.lean": 0})
    start = [worlds.hash(i) for i in range(3)]
    worlds.step(5)
    worlds.place([1], coordinates=[[0.5, np.nan]])
    assert worlds.coordinates()[1, 0] == pytest.approx(0.5)
    worlds.reset([2, 0], coordinates=[[0.1, 0.2], [np.nan, np.nan]], rates=[[1, 2], [3, 4]])
    assert worlds.coordinates()[2] == pytest.approx([0.1, 0.2])
    assert worlds.rates()[[2, 0]] == pytest.approx(np.array([[1, 2], [3, 4]]))
    worlds.reset()
    assert [worlds.hash(i) for i in range(3)] == start


def test_worlds_are_named_by_numbers_a_number_or_a_mask():
    worlds = drystone.VectorWorld("cart_pole", 3)
    start = worlds.hash(0)

    def reset(which):
        worlds.reset()
        worlds.set_forces(np.full((3, 2), 5.0))
        worlds.step(2)
        worlds.reset(which)
        return [worlds.hash(i) == start for i in range(3)]

    assert reset(np.array([False, True, False])) == [False, True, False]
    assert reset([True, False, True]) == [True, False, True]
    assert reset(np.zeros(3, dtype=bool)) == reset([]) == [False] * 3
    assert reset(worlds.diverged) == [False] * 3
    assert reset(2) == reset(-1) == reset(np.array([2], dtype=np.uint8)) == [False, False, True]
    worlds.place(np.array([False, False, True]), coordinates=[[0.5, 0]])
    assert worlds.coordinates()[2] == pytest.approx([0.5, 0])
    for wrong in ([0.5], [True, False], np.zeros(0, dtype=bool), [[0, 1]], "1", [3], [-4], [0, -3]):
        with pytest.raises(drystone.InputError, match="world"):
            worlds.reset(wrong)
    with pytest.raises(drystone.InputError, match=r"mask of 3 bools, got float64 of shape \(1,\)"):
        worlds.reset([0.5])


def test_one_of_the_worlds_is_read_and_changed():
    worlds = drystone.VectorWorld("cart_pole", 3)
    one = worlds.world(1)
    assert isinstance(one, drystone.World) and one.hash == worlds.hash(1)
    assert worlds.world(-2).body("pole") == one.body("pole")
    one.body("cart").mass = 50
    forces = np.zeros((3, 2))
    forces[:, 0] = 10
    worlds.set_forces(forces)
    worlds.step(20)
    rates = worlds.rates()[:, 0]
    assert rates[0] == rates[2] and 0 < rates[1] < 0.5 * rates[0]
    assert one.joint("slide").rate() == rates[1] and one.step_count == 20
    assert one.positions() == pytest.approx(worlds.positions()[1])
    one.gravity = (0, 0, -1)
    assert worlds.world(0).gravity[2] == -9.81
    worlds.reset([1])
    assert one.body("cart").mass < 50 and one.gravity[2] == -9.81
    state = one.save()
    worlds.step(5)
    one.restore(state)
    assert worlds.hash(1) == worlds.world(1).hash != worlds.hash(0)


def test_what_the_worlds_do_not_allow_is_refused(tmp_path):
    worlds = drystone.VectorWorld("cart_pole", 2)
    one = worlds.world(0)
    before = [worlds.hash(i) for i in range(2)]
    for call in (
        lambda: one.step(),
        lambda: one.add_body(drystone.Sphere(1)),
        lambda: one.remove_body(one.body("pole")),
        lambda: one.add_joint("ball", "cart", "pole", anchor=(0, 0, 0)),
        lambda: one.remove_joint(one.joint("hinge")),
        lambda: one.add_material("ice", friction=0),
        lambda: one.record(tmp_path / "run.h5"),
        lambda: one.set_pair_filter(lambda a, b: True),
        lambda: one.set_contact_modifier(lambda contact: None),
        lambda: setattr(one, "threads", 2),
    ):
        with pytest.raises(drystone.InputError, match="not on a world of a VectorWorld"):
            call()
    assert [worlds.hash(i) for i in range(2)] == before and not (tmp_path / "run.h5").exists()
    for wrong in (2, -3):
        with pytest.raises(drystone.InputError, match=f"no world {wrong}"):
            worlds.world(wrong)


def test_a_world_keeps_its_batch_and_waits_for_it():
    worlds = drystone.VectorWorld("cart_pole", 64)
    one = worlds.world(0)
    pole = one.body("pole")
    thread = threading.Thread(target=lambda: worlds.step(1000))
    thread.start()
    refused = 0
    while thread.is_alive():
        try:
            pole.position
        except RuntimeError:
            refused += 1
    thread.join()
    assert refused > 0
    where = worlds.positions()[0, 2]
    del worlds, one
    gc.collect()
    assert pole.position == pytest.approx(where)


def test_one_world_senses_and_has_its_materials_by_name():
    scene = {
        "version": 1,
        "materials": {"ice": {"friction": 0}, "rubber": {"friction": 1}},
        "bodies": [
            {"name": "floor", "kind": "static", "shape": {"type": "plane"}, "material": "rubber"},
            {"name": "box", "shape": {"type": "box", "half_extents": [1, 1, 1]}, "mass": 9000,
             "position": [0, 0, 1], "material": "rubber", "velocity": [5, 0, 0]},
        ],
    }  # fmt: skip
    worlds = drystone.VectorWorld(scene, 2)
    one = worlds.world(0)
    assert one.body("box").material == "rubber"
    one.set_material("rubber", friction=0)
    worlds.step(10)
    speeds = worlds.velocities()[:, 1, 0]
    assert speeds[0] == pytest.approx(5) and speeds[1] < 4
    box = one.body("box")
    assert one.ray_cast((50, 0, 1), (-50, 0, 1)).body == box == one.bodies[1]
    assert box.contact_force()[0] == pytest.approx([0, 0, 9000 * 9.81], rel=1e-3)
    assert len(one.contacts()["gap"]) == 4 and box.imu().specific_force[2] > 9
    with pytest.raises(drystone.InputError, match="no material 'snow'"):
        one.body("box").material = "snow"


def test_what_an_environment_says_of_itself_is_checked():
    class Wrong(CartPole):
        said = (1.0, False)
        begin = {}

        def judge(self, observations, actions):
            return self.said

        def start(self, count):
            return self.begin

    environment = Wrong(2)
    environment.reset(seed=0)
    good = np.zeros(2), np.zeros(2, dtype=bool)
    for said, message in [
        ((1.0, good[1]), r"judge: rewards must have the shape \(2,\), got \(\)"),
        ((good[0], np.zeros(3)), r"judge: terminations must have the shape \(2,\), got \(3,\)"),
        (good[0], "judge must return rewards and terminations"),
    ]:
        environment.said = said
        with pytest.raises(drystone.InputError, match=message):
            environment.step(np.zeros((2, 1)))
    environment.begin = {"coordinate": np.zeros((2, 2))}
    with pytest.raises(drystone.InputError, match="start: there is no 'coordinate'; it gives"):
        environment.reset(seed=0)
    with pytest.raises(drystone.InputError, match=r"shape \(2, 2\), got the shape \(3,\)"):
        environment.world.set_forces(np.zeros(3))


def test_bad_arrays_are_refused():
    worlds = drystone.VectorWorld("cart_pole", 2)
    for call in (
        lambda: worlds.set_forces([1, 2]),
        lambda: worlds.set_forces([[1, np.inf], [0, 0]]),
        lambda: worlds.set_motor_targets([[1], [1]]),
        lambda: worlds.reset([0, 0]),
        lambda: worlds.reset([2]),
        lambda: worlds.reset([0], coordinates=[[1]]),
        lambda: worlds.rates(np.zeros((2, 3))),
        lambda: worlds.rates(np.zeros((2, 2), dtype=np.float32)),
        lambda: worlds.step(-1),
        lambda: drystone.VectorWorld("cart_pole", 0),
    ):
        with pytest.raises(drystone.InputError):
            call()


def test_cart_pole_repeats_for_a_seed_and_any_threads():
    runs = []
    for threads in (1, 2, 5):
        environment = CartPole(6, threads=threads, max_steps=20)
        observed, infos = environment.reset(seed=3)
        assert observed.shape == (6, 4) and infos == {}
        draw = np.random.default_rng(1)
        seen = [observed]
        for _ in range(60):
            step = environment.step(draw.uniform(-1, 1, (6, 1)))
            seen += step[:4]
        runs.append(np.concatenate([np.ravel(one) for one in seen]))
    assert np.array_equal(runs[0], runs[1]) and np.array_equal(runs[0], runs[2])
    other, _ = CartPole(6).reset(seed=4)
    assert not np.array_equal(other, observed)


def test_episodes_end_and_begin_anew():
    environment = CartPole(2, max_steps=15)
    environment.reset(seed=0)
    push = np.array([[1.0], [0.0]])  # the first one falls, the second one stands for long enough
    ends = []
    for count in range(16):
        _, rewards, terminated, truncated, _ = environment.step(push)
        ends.append((terminated[0], truncated[1]))
        assert rewards[1] == (1 if count < 15 else 0)
    fall = [end for end, _ in ends].index(True)
    assert 3 < fall < 14 and not ends[fall + 1][0]
    assert [end for _, end in ends] == [False] * 14 + [True, False]


def test_a_linear_feedback_keeps_the_pole_up():
    environment = CartPole(8, max_steps=300)
    observed, _ = environment.reset(seed=0)
    for _ in range(300):
        action = observed @ np.array([[0.1], [0.2], [3.0], [0.6]])
        observed, _, terminated, truncated, _ = environment.step(action)
        assert not terminated.any()
    assert truncated.all()


def test_a_copy_that_diverges_ends_its_episode_alone():
    environment = CartPole(3)
    environment.FORCE = 1e15
    environment.reset(seed=0)
    _, rewards, terminated, _, infos = environment.step([[0], [1], [0]])
    while not infos["diverged"].any():
        _, rewards, terminated, _, infos = environment.step([[0], [1], [0]])
    assert infos["diverged"].tolist() == [False, True, False] == terminated.tolist()
    assert rewards.tolist() == [1, 0, 1]
    observed, _, _, _, infos = environment.step(np.zeros((3, 1)))
    assert np.abs(observed).max() < 1 and not infos["diverged"].any()


# Targets lead away from the limits at which the elbow and the knees start.
@pytest.mark.parametrize("model, target", [("arm.urdf", 0.02), ("quadruped.urdf", -0.02)])
def test_models_are_driven_by_their_motors(model, target, tmp_path):
    scene = tmp_path / "model.json"
    command = [sys.executable, "-m", "drystone", "import", str(MODELS / model), "--hold"]
    subprocess.run([*command, "-o", str(scene)], check=True, capture_output=True)
    worlds = drystone.VectorWorld(str(scene), 2, overrides={"world.gravity": [0, 0, 0]})
    before = worlds.coordinates()
    rows = [worlds.coordinate_names.index(motor) for motor in worlds.motor_names]
    targets = before[:, rows]  # those of the file, where the elbow starts at 0.3
    targets[1] += target
    worlds.set_motor_targets(targets)
    worlds.step(50)
    moved = (worlds.coordinates() - before)[:, rows]
    assert len(rows) >= 3 and moved[1] == pytest.approx(target, abs=1e-3)
    assert moved[0] == pytest.approx(0, abs=1e-3)


def test_another_thread_is_refused_and_python_goes_on():
    worlds = drystone.VectorWorld("cart_pole", 64)
    thread = threading.Thread(target=lambda: worlds.step(2000))
    thread.start()
    refused = 0
    while thread.is_alive():
        try:
            worlds.rates()
        except RuntimeError:
            refused += 1
    thread.join()
    assert refused > 0
