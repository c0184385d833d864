"""Events, sensors, and what can be changed of bodies, joints, materials and worlds."""

import math

import numpy as np
import pytest

import drystone

G, H = 9.81, 0.01


def floored(**settings):
    world = drystone.World(timestep=H, **settings)
    return world, world.add_body(drystone.Plane(), kind="static", name="floor")


def free(**keys):
    world = drystone.World(timestep=H, gravity=(0, 0, 0))
    return world, world.add_body(drystone.Box((0.5, 0.5, 0.5)), mass=2, **keys)


def test_events_of_a_ball_that_lands_lies_and_leaves():
    world, floor = floored()
    ball = world.add_body(drystone.Sphere(0.5), position=(0, 0, 0.5), mass=3)
    ball.linear_velocity = (0, 0, -2)
    world.step()
    (hit,) = world.events().begun
    assert {hit.body_a, hit.body_b} == {floor, ball} and hit.points == 1
    # The impulse stops what the step before the solve brings: 2 m/s and g h. The approach is that
    # of the start.
    assert hit.normal_impulse == pytest.approx(3 * (2 + G * H), rel=1e-6)
    assert 2 <= hit.approach_speed <= 2 + G * H + 1e-12
    assert abs(hit.normal[2]) == 1 and hit.position == pytest.approx([0, 0, 0], abs=1e-6)
    world.step()
    assert world.events().begun == [] and world.events().ended == []
    (lasting,) = world.events().lasting
    assert lasting.normal_impulse == pytest.approx(3 * G * H, rel=1e-6)
    ball.position = (0, 0, 5)
    world.step()
    (ended,) = world.events().ended
    assert ended.normal_impulse == 0 and world.events().lasting == []
    world.restore(world.save())
    assert not any(world.events())


def test_events_of_sensors_and_breaking_joints():
    world, _ = floored()
    gate = world.add_body(drystone.Box((1, 1, 0.1)), kind="static", position=(0, 0, 2), sensor=True)
    ball = world.add_body(drystone.Sphere(0.1), position=(0, 0, 2.15), mass=1)
    assert gate.is_sensor
    post = world.add_body(kind="static", position=(5, 0, 5))
    load = world.add_body(drystone.Sphere(0.1), position=(5, 0, 4), mass=3)
    rope = world.add_joint("ball", post, load, anchor=(5, 0, 5))
    rope.breaking_impulse = 3 * G * H / 2
    assert rope.breaking_impulse == 3 * G * H / 2
    seen = [(world.step(), world.events())[1] for _ in range(60)]
    (begun,) = [one for events in seen for one in events.sensors_begun]
    (ended,) = [one for events in seen for one in events.sensors_ended]
    assert begun == (gate, ball) == ended and begun.sensor == gate
    (broken,) = [one for events in seen for one in events.joints_broken]
    assert broken.joint == rope and not rope.exists and broken.body_b == load
    assert broken.impulse == pytest.approx(3 * G * H, rel=1e-6)


def test_imu_reads_gravity_at_rest_and_nothing_in_free_fall():
    world, _ = floored()
    box = world.add_body(drystone.Box((0.1, 0.1, 0.1)), position=(0, 0, 0.1))
    ball = world.add_body(drystone.Sphere(0.1), position=(3, 0, 50))
    ball.angular_velocity = (0, 0, 2)
    assert box.imu() is None
    world.step(5)
    assert box.imu().specific_force == pytest.approx([0, 0, G], abs=1e-4)
    # On its side, about x by 90 degrees, the axis y of the site points upwards.
    turned = box.imu(orientation=(math.sqrt(0.5), math.sqrt(0.5), 0, 0))
    assert turned.specific_force == pytest.approx([0, G, 0], abs=1e-4)
    # 0.1 m from the axis of 2 rad/s: 0.4 m/s^2 towards it.
    reading = ball.imu((0.1, 0, 0))
    assert np.linalg.norm(reading.specific_force) == pytest.approx(0.4, rel=1e-6)
    assert reading.angular_velocity == pytest.approx([0, 0, 2], abs=1e-12)
    ball.position = (3, 0, 60)
    assert ball.imu() is None


def test_contacts_and_forces_of_a_body_and_its_parts():
    world, floor = floored()
    foot = {"shape": drystone.Box((0.1, 0.1, 0.1)), "position": (1, 0, 0)}
    other = {"shape": drystone.Box((0.1, 0.1, 0.1)), "position": (-1, 0, 0)}
    table = world.add_body(drystone.Compound([foot, other]), position=(0, 0, 0.1), mass=4)
    world.step(3)
    contacts = table.contacts()
    assert {one.part for one in contacts} == {0, 1} and all(c.other == floor for c in contacts)
    assert all(one.normal[2] == pytest.approx(1) and one.other_part == -1 for one in contacts)
    assert sum(one.impulse[2] for one in contacts) == pytest.approx(4 * G * H, rel=1e-6)
    assert table.contact_force_on_part(0)[0][2] == pytest.approx(2 * G, rel=1e-4)
    with pytest.raises(drystone.InputError):
        table.contact_force_on_part(2)


def test_mass_inertia_and_density():
    _, box = free()
    assert box.inertia == pytest.approx(np.eye(3) / 3)  # 2 kg (1 + 1) / 12 m^2
    box.mass = 6
    assert box.mass == 6 and box.inertia == pytest.approx(np.eye(3))
    box.apply_angular_impulse((0, 0, 3))
    assert box.angular_velocity == pytest.approx([0, 0, 3])
    box.set_velocity((0, 0, 0), (0, 0, 0))
    box.set_mass(1, inertia=(0.1, 0.2, 0.25), center_of_mass=(0.5, 0, 0))
    assert np.diag(box.inertia) == pytest.approx([0.1, 0.2, 0.25])
    assert box.center_of_mass == pytest.approx([0.5, 0, 0])
    box.set_density(100)
    assert box.mass == pytest.approx(100) and box.center_of_mass == pytest.approx([0, 0, 0])
    with pytest.raises(drystone.InputError, match="mass"):
        box.mass = -1
    with pytest.raises(drystone.InputError, match=r"inertia must have the shape \(3, 3\)"):
        box.set_mass(1, inertia=np.zeros((2, 2)))
    assert box.mass == pytest.approx(100)
    box.kind = "static"
    assert box.mass == math.inf
    with pytest.raises(drystone.InputError, match="not dynamic"):
        box.mass = 1


def test_kind_shape_and_motion():
    world, box = free()
    box.kind = "kinematic"
    box.set_motion([{"time": 0, "velocity": (0, 0, 0)}, {"time": 1, "velocity": (2, 0, 0)}])
    world.step(100)
    assert box.kind == "kinematic" and box.position == pytest.approx([1, 0, 0], abs=1e-9)
    with pytest.raises(drystone.InputError, match="not 'speed'"):
        box.set_motion([{"time": 0, "speed": (0, 0, 0)}])
    box.kind = "dynamic"
    assert box.mass == 2
    box.set_shape(drystone.Sphere(1))
    assert box.mass == 2
    box.set_shape(drystone.Box((1, 1, 1)), mass="by_density")
    assert box.mass == pytest.approx(8000)
    for wrong, message in [((drystone.Sphere(-1),), "radius"), ((drystone.Sphere(1), "no"), "kept")]:
        with pytest.raises(drystone.InputError, match=message):
            box.set_shape(*wrong)
    box.set_shape(None)
    with pytest.raises(drystone.InputError, match="kind must be dynamic, static or kinematic"):
        box.kind = "fixed"


def test_forces_damping_gravity_and_locked_axes():
    world, box = free()
    box.set_forces([{"time": 0, "force": (4, 0, 0), "torque": (0, 0, 1)}])
    world.step()
    assert box.linear_velocity == pytest.approx([4 * H / 2, 0, 0])
    assert box.angular_velocity == pytest.approx([0, 0, 3 * H])
    box.set_forces([])
    box.set_velocity((1, 0, 0), (0, 0, 1))
    box.linear_damping = 10
    box.angular_damping = 20
    assert (box.linear_damping, box.angular_damping) == (10, 20)
    world.step()
    assert box.linear_velocity == pytest.approx([1 / (1 + 10 * H), 0, 0])
    assert box.angular_velocity == pytest.approx([0, 0, 1 / (1 + 20 * H)])
    box.linear_damping = box.angular_damping = 0
    box.locked_axes = ((True, False, False), (False, False, True))
    assert list(map(list, box.locked_axes)) == [[True, False, False], [False, False, True]]
    box.gravity_scale = -2
    world.gravity = (3, 0, -1)
    box.set_velocity((7, 0, 0), (0, 0, 7))
    world.step()
    assert box.linear_velocity == pytest.approx([0, 0, 2 * H]) and not box.angular_velocity.any()


def test_adhesion_holds_its_force_and_lets_go():
    world = drystone.World(timestep=H)
    cup = world.add_body(drystone.Box((1, 1, 0.1)), kind="static", position=(0, 0, 0.1))
    pane = world.add_body(drystone.Box((0.5, 0.5, 0.05)), mass=3, position=(0, 0, -0.05))
    assert cup.adhesion == 0
    cup.adhesion = 40
    world.step(10)
    assert cup.adhesion == 40
    assert pane.position == pytest.approx([0, 0, -0.05], abs=1e-7)
    assert world.contacts()["attraction"].sum() == pytest.approx(40 * H)
    assert cup.contact_force()[0] == pytest.approx([0, 0, -3 * G], abs=1e-6)
    (lasting,) = world.events().lasting
    assert lasting.attraction == pytest.approx(40 * H)
    now = world.time
    cup.set_adhesion([{"time": now, "force": 50}, {"time": now + 5 * H, "force": 0}])
    assert cup.adhesion == 50
    world.step(5)
    assert cup.adhesion == 0 and pane.linear_velocity == pytest.approx([0, 0, 0], abs=1e-9)
    world.step(5)
    assert pane.linear_velocity == pytest.approx([0, 0, -5 * H * G], abs=1e-9)
    with pytest.raises(drystone.InputError, match="a key has time and force, not 'pull'"):
        cup.set_adhesion([{"time": 0, "pull": 1}])
    with pytest.raises(drystone.InputError, match="adhesion must be within 0 and"):
        cup.adhesion = -1


def test_groups_surface_velocity_and_numbers():
    world, floor = floored()
    box = world.add_body(drystone.Box((0.5, 0.5, 0.5)), position=(0, 0, 0.5), mass=1)
    assert (box.group, box.mask) == (1, 0xFFFFFFFF)
    floor.surface_velocity = (1, 0, 0)
    world.step(100)
    assert box.linear_velocity == pytest.approx([1, 0, 0], abs=1e-5)
    box.group, box.mask = 2, 2
    assert (box.group, box.mask) == (2, 2)
    world.step(10)
    assert box.linear_velocity[2] == pytest.approx(-10 * G * H)
    box.user_data = 2**64 - 1
    assert box.user_data == 2**64 - 1 and floor.user_data == 0
    box.allow_sleep = False
    assert not box.allow_sleep


def test_materials_can_be_changed_paired_and_given():
    world, floor = floored()
    world.add_material("ice", friction=0, restitution=0.1)
    floor.material = "ice"
    box = world.add_body(drystone.Box((0.5, 0.5, 0.1)), position=(0, 0, 0.1), material="ice")
    assert box.material == "ice" and world.add_body(kind="static").material is None
    world.set_material("ice", friction=0.25)
    assert world.material("ice")["friction"] == 0.25 and world.material("ice")["restitution"] == 0.1
    box.linear_velocity = (3, 0, 0)
    world.step(10)
    assert box.linear_velocity[0] == pytest.approx(3 - 10 * 0.25 * G * H, rel=1e-5)
    world.set_material_pair("ice", "ice", friction=0)
    world.step(10)
    assert box.linear_velocity[0] == pytest.approx(3 - 10 * 0.25 * G * H, rel=1e-5)
    box.material = None
    world.set_material(None, friction=1)
    world.set_material_pair(None, "ice", friction=0.1)
    world.step(10)
    assert box.linear_velocity[0] == pytest.approx(3 - 10 * 0.35 * G * H, rel=1e-5)
    world.set_material_pair(None, "ice", adhesion=1000)
    box.linear_velocity = (0, 0, 0)
    world.step()
    assert world.contacts()["attraction"].sum() == pytest.approx(1000 * H)
    with pytest.raises(drystone.InputError, match="no material 'snow': add_material"):
        box.material = "snow"
    with pytest.raises(drystone.InputError, match="friction"):
        world.set_material("ice", friction=-1)
    assert world.material("ice")["friction"] == 0.25


def slider(**keys):
    world = drystone.World(timestep=0.001, gravity=(0, 0, 0))
    post = world.add_body(kind="static")
    cart = world.add_body(drystone.Box((0.1, 0.1, 0.1)), mass=2)
    return world, world.add_joint("slider", post, cart, anchor=(0, 0, 0), axis=(1, 0, 0), **keys), cart


def test_springs_friction_and_limits_of_joints():
    world, joint, cart = slider()
    joint.set_spring(100, damping=50, rest=0.1)
    world.step(4000)
    assert joint.coordinate() == pytest.approx(0.1, abs=1e-3)
    assert joint.axis_force()["spring"] == pytest.approx(100 * (0.1 - joint.coordinate()), abs=1e-2)
    joint.set_spring(force_table=[(-1, -50), (1, 50)], damping=50, rest=-0.1)
    world.step(6000)
    assert joint.coordinate() == pytest.approx(-0.1, abs=1e-2)
    joint.set_spring()
    joint.set_friction(4)
    cart.linear_velocity = (1, 0, 0)
    world.step(100)
    assert joint.rate() == pytest.approx(1 - 4 / 2 * 0.1, rel=1e-6)
    assert joint.limits() == (-math.inf, math.inf)
    joint.set_limits(-1, 2)
    assert joint.limits() == (-1, 2)
    with pytest.raises(drystone.InputError, match="has the coordinates 0 to 5, not 6"):
        joint.limits(6)
    with pytest.raises(drystone.InputError, match=r"force_table must have the shape \(n, 2\)"):
        joint.set_spring(force_table=[1, 2, 3])


def test_the_other_settings_of_joints():
    world, joint, cart = slider()
    assert joint.bodies == (world.bodies[0], cart) and joint.compliance is None
    joint.compliance, joint.collide, joint.user_data = 1e-6, True, 9
    assert (joint.compliance, joint.collide, joint.user_data) == (1e-6, True, 9)
    joint.compliance = None
    assert joint.compliance is None and joint.swing_limit == math.inf
    joint.set_frames(((1, 0, 0), (1, 0, 0, 0)), (None, None))
    assert joint.frames[0][0] == pytest.approx([1, 0, 0])
    assert joint.coordinate(drystone.ALONG_X) == pytest.approx(-1)
    with pytest.raises(drystone.InputError, match="frame_a must be a position and an orientation"):
        joint.set_frames((1, 0, 0), (0, 0, 0))
    # The reaction holds 2 kg against 1 m/s^2 along y: about frame a, 1 m off, that is a torque.
    world.gravity = (0, -1, 0)
    world.step(200)
    force, torque = joint.reaction()
    assert force == pytest.approx([0, 2, 0], abs=1e-4)
    assert joint.torque_about_frame_a() - torque == pytest.approx([0, 0, -2], abs=1e-4)
    with pytest.raises(drystone.InputError):
        joint.gear_ratio = 2


def test_a_winch_lifts_its_load():
    world = drystone.World(gravity=(0, 0, 0), timestep=H)
    post = world.add_body(kind="static", position=(0, 0, 5))
    load = world.add_body(drystone.Sphere(0.1), position=(0, 0, 0), mass=1)
    drum = world.add_body(drystone.Cylinder(0.2, 0.1), position=(3, 0, 5))
    cable = world.add_joint("distance", post, load, anchor_a=(0, 0, 0), anchor_b=(0, 0, 0), upper=10)
    hinge = world.add_joint("hinge", post, drum, anchor=(3, 0, 5), axis=(0, 0, 1))
    winch = world.add_joint("winch", cable, hinge, radius=0.2)
    hinge.set_motor(velocity=1)
    world.step(100)
    assert winch.bodies == (None, None)
    assert load.position[2] == pytest.approx(0.2, abs=1e-2)


def test_restore_by_name_brings_back_what_was_added_again():
    world, floor = floored()
    ball = world.add_body(drystone.Sphere(0.5), position=(0, 0, 3), name="ball")
    world.add_body(drystone.Sphere(0.5), position=(5, 0, 3), name="gone")
    world.step(10)
    height = ball.position[2]
    state = world.save()
    assert world.restore(state).is_complete
    world.remove_body(ball)
    world.remove_body(world.body("gone"))
    new = world.add_body(drystone.Sphere(0.5), position=(0, 0, 9), name="new")
    ball = world.add_body(drystone.Sphere(0.5), position=(0, 0, 8), name="ball")
    with pytest.raises(drystone.InputError, match="ball"):
        world.restore(state)
    assert ball.position[2] == 8
    report = world.restore(state, "by_name")
    assert ball.position[2] == height and new.position[2] == 9
    assert report.bodies_not_here == ["gone"] and report.bodies_not_saved == [new]
    assert not report.is_complete and report.joints_not_here == []
    report = world.restore(state, mode="matching")
    assert report.bodies_not_saved != [] and world.body("floor") == floor
    with pytest.raises(drystone.InputError, match="mode must be exact, matching or by_name"):
        world.restore(state, mode="some")


def test_the_solver_can_be_changed():
    world, _ = floored()
    world.add_body(drystone.Box((0.5, 0.5, 0.5)), position=(0, 0, 0.5))
    world.set_solver("sor-prox", tolerance=1e-3)
    world.step()
    assert world.solver == "sor-prox"
    with pytest.raises(drystone.InputError, match="no_such"):
        world.set_solver("no_such")
    assert world.solver == "sor-prox"
