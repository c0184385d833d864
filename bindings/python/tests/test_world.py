"""Worlds that are loaded, filled, stepped and saved."""

import json
import os
import subprocess
import sys
import threading
import timeit

import numpy as np
import pytest

import drystone


def falling_box(**settings):
    world = drystone.World(timestep=0.01, **settings)
    return world, world.add_body(drystone.Box((0.5, 0.5, 0.5)), position=(0, 0, 9), mass=2)


def test_falling_box_follows_the_closed_form_of_its_steps():
    world, box = falling_box()
    world.step(50)
    # Semi-implicit Euler: v_n = n g h and z_n = z_0 - g h^2 n (n + 1) / 2, up to the round-off of
    # fifty sums of numbers below 10.
    assert box.linear_velocity[2] == pytest.approx(-9.81 * 0.5, abs=1e-13)
    assert box.position[2] == pytest.approx(9 - 9.81 * 1e-4 * 50 * 51 / 2, abs=1e-13)
    assert world.time == pytest.approx(0.5, abs=1e-14) and world.step_count == 50


def test_arch_stands_with_a_certified_residual():
    world = drystone.load("arch")
    before = world.positions()
    for _ in range(60):
        report = world.step()
        assert report.within_tolerance and report.natural_map <= 1e-6
    assert report.contacts > 50 and report.penetration < 1e-4
    assert np.abs(world.positions() - before).max() < 1e-3


def test_arrays_are_what_the_program_prints():
    program = os.environ["DRYSTONE_PROGRAM"]
    command = [program, "run", "brick_wall_8x4", "--steps", "20", "--bodies", "--json"]
    if "brick_wall_8x4" not in drystone.scenes():
        command[2] = "arch"
    printed = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    states = next(value for value in printed.values()
                  if isinstance(value, list) and value and "position_m" in value[0])
    world = drystone.load(command[2])
    world.step(20)
    assert [body.name for body in world.bodies] == [state["name"] for state in states]
    # JSON holds the shortest text that gives the same number: the bits are equal.
    assert np.array_equal(world.positions(), [state["position_m"] for state in states])
    assert np.array_equal(world.orientations(), [state["orientation"] for state in states])
    velocities = [s["velocity_m_s"] + s["angular_velocity_rad_s"] for s in states]
    assert np.array_equal(world.velocities(), velocities)


def test_parameters_and_overrides_change_the_scene():
    world = drystone.load("arch", overrides={"world.timestep": 0.005, "world.gravity": (0, 0, -1)})
    assert world.timestep == 0.005 and list(world.gravity) == [0, 0, -1]
    scene = {
        "version": 1,
        "parameters": {"height": {"default": 1}},
        "bodies": [{"name": "ball", "shape": drystone.Sphere(0.5), "position": [0, 0, "$height"]}],
    }
    assert drystone.load(scene).body("ball").position[2] == 1
    assert drystone.load(scene, {"height": 3}).body("ball").position[2] == 3


def test_restored_world_goes_on_bit_for_bit():
    world = drystone.load("arch")
    world.step(10)
    state = world.save()
    assert isinstance(state, bytes)
    world.step(10)
    bits, hash_of_state = world.positions().tobytes(), world.hash
    world.restore(state)
    assert world.step_count == 10
    world.step(10)
    assert world.positions().tobytes() == bits and world.hash == hash_of_state
    with pytest.raises(drystone.InputError):
        world.restore(state[:-1])
    with pytest.raises(drystone.InputError):
        drystone.World().restore(state)
    assert world.hash == hash_of_state


def test_loads_and_impulses_act_as_newton_has_it():
    world, box = falling_box(gravity=(0, 0, 0))
    box.apply_impulse((4, 0, 0))  # 2 kg
    assert box.linear_velocity == pytest.approx([2, 0, 0], abs=1e-14)
    box.apply_force((0, 100, 0))
    world.step()
    # One step of 0.01 s, and no second one.
    world.step()
    assert box.linear_velocity == pytest.approx([2, 0.5, 0], abs=1e-13)
    # Off the centre by 0.5 m: I = 2 kg (1 + 1) / 12 m^2.
    box.apply_impulse((0, 0, 1), at=box.position + [0, 0.5, 0])
    assert box.angular_velocity == pytest.approx([1.5, 0, 0], abs=1e-12)
    box.set_pose((1, 2, 3), (0, 0, 0, 1))
    box.set_velocity(angular=(0, 0, 7))
    assert list(world.orientations()[0]) == [0, 0, 0, 1] and list(world.positions()[0]) == [1, 2, 3]
    assert world.velocities()[0, 5] == 7 and world.velocities().shape == (1, 6)


def test_contacts_carry_the_weight():
    world, box = falling_box()
    ground = world.add_body(drystone.Plane(), kind="static")
    box.position = (0, 0, 0.5)
    world.step(20)
    contacts = world.contacts()
    assert contacts["position"].shape == (4, 3)
    assert contacts["normal_impulse"].sum() == pytest.approx(2 * 9.81 * 0.01, rel=1e-6)
    # Normals from a to b; the impulse is that on b.
    up = np.where(contacts["body_b"] == 0, 1.0, -1.0)
    assert contacts["normal"][:, 2] == pytest.approx(up)
    assert np.array_equal(np.sort([contacts["body_a"][0], contacts["body_b"][0]]), [0, 1])
    force, _ = box.contact_force(ground)
    assert force == pytest.approx([0, 0, 2 * 9.81], abs=1e-4)


def test_rays_hit_the_nearest_surface():
    world, box = falling_box()
    hit = world.ray_cast((0, 0, 19), (0, 0, -1))
    assert hit.body == box and hit.fraction == pytest.approx(9.5 / 20)
    assert hit.normal == pytest.approx([0, 0, 1]) and hit.position == pytest.approx([0, 0, 9.5])
    assert world.ray_cast((5, 0, 19), (5, 0, -1)) is None
    many = world.ray_casts([(0, 0, 19), (5, 0, 19)], [(0, 0, -1), (5, 0, -1)], threads=2)
    assert list(many["body"]) == [0, -1]
    assert many["fraction"][0] == hit.fraction and np.isnan(many["fraction"][1])


def test_materials_make_boxes_slide_or_stick():
    world = drystone.World(timestep=0.01)
    world.add_material("ice", friction=0)
    world.add_material("rubber", friction=1)
    world.add_body(drystone.Plane(), kind="static", material="rubber")
    boxes = [
        world.add_body(drystone.Box((0.5, 0.5, 0.1)), position=(0, 3 * i, 0.1), material=material)
        for i, material in enumerate(["ice", "rubber"])
    ]
    for box in boxes:
        box.linear_velocity = (1, 0, 0)
    world.step(100)
    assert boxes[0].linear_velocity[0] == pytest.approx(1, abs=1e-6)
    assert boxes[1].linear_velocity[0] == pytest.approx(0, abs=1e-6)


def test_worst_names_the_bodies():
    world = drystone.World(timestep=0.01)
    ground = world.add_body(drystone.Plane(), kind="static", name="ground")
    assert world.worst() is None
    box = world.add_body(drystone.Box((0.5, 0.5, 0.5)), position=(0, 0, 0.2), mass=2)
    world.step()
    depth, a, b = world.worst("forgiven")
    assert depth == pytest.approx(0.3, abs=1e-12) and {a, b} == {ground, box}
    assert world.report.overlap_forgiven == depth and world.report.within_tolerance
    residual, a, b = world.worst()
    assert residual == world.report.natural_map and {a, b} == {ground, box}
    assert world.worst("joint") is None
    with pytest.raises(drystone.InputError, match='worst: takes "residual"'):
        world.worst("joints")


def test_a_step_lets_other_threads_run():
    world = drystone.load("brick_wall_20x20")
    refusals = []

    def run():
        for _ in range(500):
            world.step(10)
            if refusals:
                break

    thread = threading.Thread(target=run)
    thread.start()
    # This thread goes on while the other one is in a step, which refuses it the world.
    while thread.is_alive() and not refusals:
        try:
            world.positions()
        except RuntimeError as error:
            refusals.append(str(error))
    thread.join()
    assert refusals == ["another thread steps this world: wait until its step() returned"]
    assert world.step_count > 0 and world.report.within_tolerance


def test_overhead_of_a_step_is_printed(capsys):
    world, _ = falling_box()
    count = 2000
    each = timeit.timeit(world.step, number=count) / count
    together = timeit.timeit(lambda: world.step(count), number=1) / count
    with capsys.disabled():
        print(f"\na step of one body: {1e6 * each:.1f} us, in step(n) {1e6 * together:.1f} us")
    assert world.step_count == 2 * count


def test_the_module_runs_the_program():
    command = [sys.executable, "-m", "drystone", "list", "scenes"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "arch" in listed and "arch" in drystone.scenes()
