"""Functions of Python that a step asks about pairs and contacts."""

import gc
import threading
import weakref

import pytest

import drystone

G, H = 9.81, 0.01


def two_balls(**settings):
    """Two balls of 1 kg that rest on a floor."""
    world = drystone.World(timestep=H, **settings)
    floor = world.add_body(drystone.Plane(), kind="static", name="floor")
    balls = [world.add_body(drystone.Sphere(0.5), position=(3 * i, 0, 0.5), mass=1) for i in (0, 1)]
    return world, floor, balls


def test_a_refused_pair_falls_through():
    world, floor, balls = two_balls()
    asked = []

    def meets(a, b):
        asked.append({a, b})
        return balls[0] not in (a, b)

    world.set_pair_filter(meets)
    world.step(10)
    assert balls[0].linear_velocity[2] == pytest.approx(-10 * G * H)
    assert balls[1].linear_velocity[2] == pytest.approx(0, abs=1e-6)
    assert {floor, balls[0]} in asked and {floor, balls[1]} in asked
    world.set_pair_filter(None)
    count = len(asked)
    world.step()
    assert len(asked) == count


def test_a_modifier_makes_a_belt_and_ice_and_takes_contacts_out():
    world, floor, balls = two_balls()
    box = world.add_body(drystone.Box((0.5, 0.5, 0.1)), position=(0, 5, 0.1), mass=1)
    box.linear_velocity = (1, 0, 0)
    seen = []

    def change(contact):
        seen.append(contact)
        if box in (contact.body_a, contact.body_b):
            assert contact.friction == 0.5 and contact.compliance is None
            contact.friction = 0
        contact.is_disabled = balls[0] in (contact.body_a, contact.body_b)

    world.set_contact_modifier(change)
    world.step(10)
    assert box.linear_velocity[0] == pytest.approx(1, abs=1e-9)
    assert balls[0].linear_velocity[2] == pytest.approx(-10 * G * H)
    assert balls[1].linear_velocity[2] == pytest.approx(0, abs=1e-6)
    first = seen[0]  # a copy, which may be kept
    assert abs(first.normal[2]) == 1 and first.gap == pytest.approx(0, abs=1e-12)
    assert (first.part_a, first.triangle_b) == (-1, -1) and first.position[2] == pytest.approx(0)

    def belt(contact):
        side = 1 if contact.body_b == floor else -1  # of b relative to a
        contact.surface_velocity = (side, 0, 0)

    world.set_contact_modifier(belt)
    box.linear_velocity = (0, 0, 0)
    world.step(100)
    assert box.linear_velocity[0] == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("kind", ["filter", "modifier"])
def test_what_a_function_raises_ends_the_step_and_leaves_a_world_to_go_on_with(kind):
    world, floor, balls = two_balls()
    twin, _, _ = two_balls()

    def fail(*_):
        raise KeyError("no such thing")

    if kind == "filter":
        world.set_pair_filter(fail)
    else:
        world.set_contact_modifier(fail)
    with pytest.raises(KeyError, match="no such thing") as caught:
        world.step(5)
    assert caught.traceback[-1].name == "fail"
    # The first step is complete, as if there were no function, and the others were not begun.
    twin.step()
    assert world.step_count == 1 and world.hash == twin.hash
    with pytest.raises(KeyError):
        world.step()
    world.set_pair_filter(None)
    world.set_contact_modifier(None)
    twin.step(2)
    world.step()
    assert world.hash == twin.hash and world.report.within_tolerance


def test_answers_and_values_are_checked():
    world, _, _ = two_balls()
    world.set_pair_filter(lambda a, b: None)
    with pytest.raises(drystone.InputError, match="must return True or False, got None"):
        world.step()
    world.set_pair_filter(None)

    def negative(contact):
        contact.friction = -1

    world.set_contact_modifier(negative)
    with pytest.raises(drystone.InputError, match="contact modifier, bodies 'floor' and 'body_1'"):
        world.step()

    def short(contact):
        contact.surface_velocity = (1, 0)

    world.set_contact_modifier(short)
    with pytest.raises(drystone.InputError, match=r"surface_velocity must have the shape \(3,\)"):
        world.step()
    with pytest.raises(drystone.InputError, match="must be a function or None, got 3"):
        world.set_pair_filter(3)


def test_a_function_may_read_the_world_and_not_change_it():
    world, _, balls = two_balls()
    read = []

    def look(a, b):
        read.append((balls[0].position[2], world.time, len(world.positions()), repr(a)))
        return True

    world.set_pair_filter(look)
    world.step()
    assert read[0] == (0.5, 0, 3, "<Body 'floor'>")
    attempts = {
        "change of a body": lambda: balls[0].set_pose((0, 0, 3)),
        "step": world.step,
        "save": world.save,
        "observe": world.contacts,
        "queries": lambda: world.ray_cast((0, 0, 9), (0, 0, 1)),
        "record": lambda: world.record("never.h5"),
        "set_pair_filter": lambda: world.set_pair_filter(None),
    }
    for name, attempt in attempts.items():
        world.set_pair_filter(lambda a, b, attempt=attempt: attempt() or True)
        with pytest.raises(drystone.InputError, match=f"{name}: not from within a callback"):
            world.step()
    assert world.step_count == 1 + len(attempts) and list(balls[0].position[:2]) == [0, 0]
    world.set_pair_filter(None)
    world.step()


def test_another_thread_may_not_read_while_a_function_runs():
    world, _, balls = two_balls()
    refusals = []

    def read():
        try:
            balls[0].position
        except RuntimeError as error:
            refusals.append(str(error))

    def filter(a, b):
        with pytest.raises(drystone.InputError):
            world.step()  # refused, and the world is busy as before
        thread = threading.Thread(target=read)
        thread.start()
        thread.join()
        return True

    world.set_pair_filter(filter)
    world.step()
    assert refusals and all("another thread steps this world" in text for text in refusals)
    assert balls[0].position[2] == pytest.approx(0.5, abs=1e-6)


def test_runs_with_functions_repeat_for_every_number_of_threads():
    def run(threads):
        world = drystone.load("brick_wall_8x4" if "brick_wall_8x4" in drystone.scenes() else "arch")
        world.threads = threads
        world.set_pair_filter(lambda a, b: True)

        def soften(contact):
            contact.friction = 0.4 + 0.1 * (contact.position[0] > 0)

        world.set_contact_modifier(soften)
        world.step(10)
        return world.hash

    assert run(1) == run(2) == run(1)


def test_a_world_and_its_function_go_together():
    world, _, balls = two_balls()
    world.set_pair_filter(lambda a, b: world.time >= 0 and balls[0].exists)
    world.step()
    gone = weakref.ref(world)
    del world, balls
    gc.collect()
    assert gone() is None


def test_functions_of_two_worlds_do_not_meet():
    outer, _, _ = two_balls()
    inner, _, balls = two_balls()
    inner.set_pair_filter(lambda a, b: False)
    outer.set_pair_filter(lambda a, b: inner.step() is not None)
    outer.step()
    assert inner.step_count > 0 and balls[0].linear_velocity[2] < 0
    assert outer.report.within_tolerance
