"""Runs that are written into files and read from them."""

import os
import subprocess

import numpy as np
import pytest

import drystone

G, H = 9.81, 0.01


def dropped():
    world = drystone.World(timestep=H)
    world.add_body(drystone.Plane(), kind="static", name="floor")
    ball = world.add_body(drystone.Sphere(0.5), position=(0, 0, 0.6), mass=2, name="ball")
    return world, ball


def test_a_recording_has_what_the_world_had(tmp_path):
    path = tmp_path / "run.h5"
    world, ball = dropped()
    ball.angular_velocity = (1, 2, 3)
    start, positions, hashes, residuals = world.hash, [world.positions()], [], []
    with world.record(path) as recorder:
        assert recorder.is_open and recorder.path == str(path)
        for _ in range(20):
            report = world.step()
            positions.append(world.positions())
            hashes.append(world.hash)
            residuals.append(report.natural_map)
        orientations, velocities, contacts = world.orientations(), world.velocities(), world.contacts()
    assert not recorder.is_open
    world.step(5)  # no part of it
    recording = drystone.Recording(path)
    assert recording.is_complete and recording.bodies == ["floor", "ball"]
    assert (recording.step_count, recording.frame_count, recording.every) == (20, 21, 1)
    assert np.array_equal(recording.positions(), positions)
    assert recording.times() == pytest.approx(H * np.arange(21)) and recording.start_hash == start
    assert np.array_equal(recording.orientations()[-1], orientations)
    assert np.array_equal(recording.velocities()[-1], velocities)
    steps = recording.steps()
    assert list(steps["hash"]) == hashes and list(steps["natural_map"]) == residuals
    assert steps["within_tolerance"].all() and steps["time"][-1] == pytest.approx(20 * H)
    for key, values in recording.contacts(20).items():
        assert np.array_equal(values, contacts[key]), key
    last = recording.frame(20)
    assert last["step"] == 20 and np.array_equal(last["positions"], positions[-1])
    assert np.array_equal(last["contacts"]["gap"], contacts["gap"])


def test_events_are_by_rows(tmp_path):
    world, _ = dropped()
    # It falls 0.1 m: n (n + 1) / 2 g h^2 reaches that at n = 14.
    with drystone.Recorder(tmp_path / "run.h5", world):
        world.step(20)
    recording = drystone.Recording(tmp_path / "run.h5")
    begun = [(i, one) for i in range(1, 21) for one in recording.events(i).begun]
    ((step, hit),) = begun
    assert step in (13, 14) and {hit.body_a, hit.body_b} == {0, 1}
    assert hit.approach_speed == pytest.approx(13 * G * H, rel=0.1)
    with pytest.raises(drystone.InputError, match="there is no step 21: they count from 1 to 20"):
        recording.events(21)
    with pytest.raises(drystone.InputError, match="there is no frame 21: they count from 0 to 20"):
        recording.contacts(21)


def test_frames_may_be_sparse(tmp_path):
    world, ball = dropped()
    recorder = world.record(tmp_path / "run.h5", every=4)
    world.step(10)
    height = ball.position[2]
    recorder.finish()
    recorder.finish()  # does nothing
    recording = drystone.Recording(tmp_path / "run.h5")
    assert list(recording.frame_steps()) == [0, 4, 8, 10]
    assert recording.positions().shape == (4, 2, 3) and recording.positions()[-1, 1, 2] == height
    n = np.array([4, 8])
    assert recording.positions()[1:3, 1, 2] == pytest.approx(0.6 - G * H**2 * n * (n + 1) / 2)


def test_a_recording_ends_with_its_world_or_its_block(tmp_path):
    world, ball = dropped()
    world.record(tmp_path / "one.h5")
    world.step(3)
    del world, ball  # each body keeps its world
    assert drystone.Recording(tmp_path / "one.h5").step_count == 3
    world, _ = dropped()
    with pytest.raises(KeyError):
        with world.record(tmp_path / "two.h5"):
            world.step(2)
            raise KeyError
    assert drystone.Recording(tmp_path / "two.h5").is_complete


def test_what_ended_a_block_goes_before_what_the_file_could_not_take(tmp_path):
    world, ball = dropped()
    with pytest.raises(KeyError):
        with world.record(tmp_path / "run.h5", every=4):
            world.step()
            world.remove_body(ball)  # so that the last frame is lost
            raise KeyError
    with pytest.raises(drystone.InputError, match="one set of bodies"):
        with world.record(tmp_path / "two.h5", every=4):
            world.step()
            world.add_body(drystone.Sphere(0.1))


def test_a_step_whose_function_raises_is_recorded(tmp_path):
    world, ball = dropped()
    ball.position = (0, 0, 0.5)

    def fail(a, b):
        raise KeyError

    world.set_pair_filter(fail)
    with world.record(tmp_path / "run.h5"):
        with pytest.raises(KeyError):
            world.step(4)
        assert world.step_count == 1
    assert drystone.Recording(tmp_path / "run.h5").step_count == 1


def test_the_program_replays_a_recording_of_a_scene(tmp_path):
    world = drystone.load("arch", overrides={"world.timestep": 0.005})
    with world.record(tmp_path / "arch.h5"):
        world.step(10)
    command = [os.environ["DRYSTONE_PROGRAM"], "replay", str(tmp_path / "arch.h5")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "may differ" not in done.stderr  # one build made both


def test_what_the_program_changed_is_said_to_be_missing(tmp_path):
    world = drystone.load("arch")
    with world.record(tmp_path / "arch.h5"):
        world.step(3)
        world.gravity = (0, 0, -5)
        world.step(3)
    command = [os.environ["DRYSTONE_PROGRAM"], "replay", str(tmp_path / "arch.h5")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and "step 4 of 6 is the first that differs" in done.stdout
    assert "only it can repeat that" in done.stdout


def test_the_program_draws_a_world_of_code_but_does_not_replay_it(tmp_path):
    world, _ = dropped()
    with world.record(tmp_path / "run.h5"):
        world.step(3)
    command = [os.environ["DRYSTONE_PROGRAM"], "replay", str(tmp_path / "run.h5")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 3 and "only that program can run it again" in done.stderr
    command[1:2] = ["render", "--out", str(tmp_path / "run.png")]
    done = subprocess.run(command, capture_output=True, text=True)
    # Without a device to draw on (5) the recording was read all the same.
    assert done.returncode in (0, 5), done.stderr


def test_what_cannot_be_recorded_or_read_is_named(tmp_path):
    world, ball = dropped()
    with pytest.raises(drystone.InputError, match="every must be at least 1 step, got 0"):
        world.record(tmp_path / "run.h5", every=0)
    with pytest.raises(RuntimeError, match="missing"):
        world.record(tmp_path / "missing" / "run.h5")
    with pytest.raises(drystone.InputError, match="missing.h5"):
        drystone.Recording("missing.h5")
    (tmp_path / "text.h5").write_text("no recording")
    with pytest.raises(drystone.InputError, match="text.h5"):
        drystone.Recording(tmp_path / "text.h5")
    state = world.save()
    recorder = world.record(tmp_path / "run.h5")
    with pytest.raises(drystone.InputError, match="finish the recording first"):
        world.restore(state)
    world.remove_body(ball)
    with pytest.raises(drystone.InputError, match="one set of bodies"):
        world.step()
    assert not recorder.is_open
    recorder.finish()  # it has ended
    world.step(3)
    assert world.step_count == 4


def test_a_recording_keeps_what_came_before_other_bodies(tmp_path):
    world, _ = dropped()
    path = tmp_path / "run.h5"
    recorder = world.record(path)
    world.step(100)
    with pytest.raises(drystone.InputError, match="still writing it"):
        drystone.Recording(path)
    height = world.positions()[1, 2]
    world.add_body(drystone.Sphere(0.1), position=(1, 0, 1))
    with pytest.raises(drystone.InputError, match="before step 101.*begin another"):
        world.step(50)
    assert world.step_count == 101 and not recorder.is_open
    recording = drystone.Recording(path)
    assert (recording.step_count, recording.frame_count) == (100, 101)
    assert not recording.is_complete and recording.positions()[-1, 1, 2] == height
    with pytest.raises(RuntimeError, match="this program does not read it"):
        world.record(path)
    del recording
    with world.record(path):
        world.step(2)
    assert drystone.Recording(path).is_complete


def test_force_plates_are_read_live_and_from_a_recording(tmp_path):
    world = drystone.load("force_plate")
    plate, lower, upper = world.body("plate"), world.body("lower"), world.body("upper")
    whole, stack = world.force_plates  # those of the scene
    assert (whole.name, whole.body, whole.other, whole.part, whole.axes) == ("all", plate, None, -1, "site")
    assert (stack.body, stack.other) == (lower, upper)
    assert np.array_equal(whole.position, (0, 0, 0.05)) and np.array_equal(whole.orientation, (1, 0, 0, 0))
    turned = (0, 0, 0, 1)  # by half a turn about z
    world.force_plates = [whole, drystone.ForcePlate(plate, position=(0, 0, 0.05), orientation=turned)]
    assert world.force_plate_readings() == [None, None]
    live = []
    with world.record(tmp_path / "run.h5"):
        for _ in range(150):
            world.step()
            live.append(world.force_plate_readings())
    last, other = live[-1]
    weight = 11 * G
    assert last.force == pytest.approx((0, 0, -weight), abs=1e-6)
    assert last.center[:2] == pytest.approx(-other.center[:2], abs=1e-9)
    # The centre of mass of the boxes, from the library's scene.
    assert last.center[:2] == pytest.approx((0.6 * 2 - 0.5 * 5 - 0.45 * 3 + 0.5, 0.5 * 2 - 0.5) / np.array(11), abs=1e-3)
    assert sum(one.force for one in last.contacts) == pytest.approx(last.force)
    assert {one.other.name for one in last.contacts} == {"off_center", "lower", "dropped"}
    assert last.is_sum_unique and not last.are_shares_unique and last.rank == 6

    recording = drystone.Recording(tmp_path / "run.h5")
    first, second = recording.force_plates
    assert (first.name, first.body, first.other) == ("all", 0, None)
    assert np.array_equal(second.orientation, turned)
    readings = recording.force_plate_readings()
    assert readings["force"].shape == (151, 2, 3) and np.isnan(readings["force"][0]).all()
    for name in set(last._fields) - {"contacts", "center"}:
        assert np.array_equal(readings[name][1:], [[getattr(one, name) for one in step] for step in live]), name
    assert np.array_equal(readings["center"][-1], [last.center, other.center])


def test_force_plates_that_measure_nothing_are_refused(tmp_path):
    world, ball = dropped()
    with pytest.raises(drystone.InputError, match="list of ForcePlate"):
        world.force_plates = [ball]
    with pytest.raises(drystone.InputError, match="axes must be 'site' or 'world', got 'body'"):
        world.force_plates = [drystone.ForcePlate(ball, axes="body")]
    with pytest.raises(drystone.InputError, match="has no part 3"):
        world.force_plates = [drystone.ForcePlate(ball, part=3)]
    assert world.force_plates == []
    with world.record(tmp_path / "run.h5"):
        world.step()
    recording = drystone.Recording(tmp_path / "run.h5")
    assert recording.force_plates == [] and recording.force_plate_readings()["force"].shape == (2, 0, 3)
