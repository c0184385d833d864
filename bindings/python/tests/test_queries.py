"""Rays, moved shapes, overlaps and distances, and which bodies they see."""

import numpy as np
import pytest

import drystone


def shelves():
    """Three static slabs at z = 0, 2, 4, each 0.2 thick."""
    world = drystone.World()
    slab = drystone.Box((1, 1, 0.1))
    return world, [world.add_body(slab, kind="static", position=(0, 0, 2 * i)) for i in range(3)]


DOWN = ((0, 0, 10), (0, 0, -10))


def test_a_ray_finds_the_first_or_all():
    world, slabs = shelves()
    hit = world.ray_cast(*DOWN)
    assert hit.body == slabs[2] and hit.fraction == pytest.approx(5.9 / 20)
    assert (hit.part, hit.triangle) == (-1, -1)
    hits = world.ray_cast_all(*DOWN)
    assert [one.body for one in hits] == slabs[::-1]
    assert [one.position[2] for one in hits] == pytest.approx([4.1, 2.1, 0.1])
    assert world.ray_cast_all((5, 0, 10), (5, 0, -10)) == []


def test_filters_leave_bodies_out():
    world, slabs = shelves()
    assert world.ray_cast(*DOWN, without=[slabs[2]]).body == slabs[1]
    slabs[2].group, slabs[1].mask = 2, 2
    # The top one is of no group of the mask, and the middle one meets none of the group.
    assert world.ray_cast(*DOWN, group=1, mask=1).body == slabs[0]
    assert world.ray_cast(*DOWN, group=2, mask=1).body == slabs[1]
    many = world.ray_casts([DOWN[0]], [DOWN[1]], without=(slabs[2], slabs[1]))
    assert list(many["body"]) == [0]
    slabs[2].is_sensor = True
    assert world.ray_cast(*DOWN, group=2).body == slabs[1]
    assert world.ray_cast(*DOWN, group=2, sensors=True).body == slabs[2]
    gone = world.add_body(kind="static")
    world.remove_body(gone)
    with pytest.raises(drystone.InputError):
        world.ray_cast(*DOWN, without=[gone])
    with pytest.raises(drystone.InputError, match="must be a Body"):
        world.ray_cast(*DOWN, without=["slab"])


def test_a_ball_is_cast_until_it_touches():
    world, slabs = shelves()
    hit = world.shape_cast(drystone.Sphere(0.5), (0, 0, 10), (0, 0, 0))
    assert hit.body == slabs[2] and hit.fraction == pytest.approx(5.4 / 10, abs=1e-6)
    assert hit.normal == pytest.approx([0, 0, 1], abs=1e-6)
    # A box of 0.1 by 0.1 by 0.5 that lies on its side, by 90 degrees about x, is 0.1 high.
    half = np.sqrt(0.5)
    box = drystone.Box((0.1, 0.1, 0.5))
    lying = world.shape_cast(box, (0, 0, 10), (0, 0, 0), (half, half, 0, 0))
    assert lying.fraction == pytest.approx(5.8 / 10, abs=1e-6)
    assert world.shape_cast(box, (0, 0, 10), (0, 0, 0), without=slabs) is None


def test_overlaps_and_distances():
    world, slabs = shelves()
    ball = drystone.Sphere(1)
    assert world.overlap(ball, (0, 0, 1)) == slabs[:2]
    assert world.overlap(ball, (0, 0, 1), without=slabs[:1]) == slabs[1:2]
    assert world.overlap(drystone.Sphere(0.5), (0, 0, 1)) == []
    found = world.closest_points(drystone.Sphere(0.5), (0, 0, 1.2), slabs[0])
    assert found.gap == pytest.approx(0.6, abs=1e-9) and found.body == slabs[0]
    assert found.normal == pytest.approx([0, 0, -1], abs=1e-9)
    assert found.on_shape == pytest.approx([0, 0, 0.7], abs=1e-9)
    assert found.on_body == pytest.approx([0, 0, 0.1], abs=1e-9)
    nearest = world.closest_body(drystone.Sphere(0.5), (0, 0, 1.2), reach=1)
    assert nearest.body == slabs[1] and nearest.gap == pytest.approx(0.2, abs=1e-9)
    assert world.closest_body(drystone.Sphere(0.5), (0, 0, 1.2), 0.1) is None
    assert world.closest_body(ball, (0, 0, 2.3), 1).gap == pytest.approx(-0.8, abs=1e-6)


def test_parts_and_triangles_are_told():
    world = drystone.World()
    children = [{"shape": drystone.Sphere(0.5), "position": (x, 0, 0)} for x in (0, 3)]
    world.add_body(drystone.Compound(children), kind="static")
    field = drystone.Heightfield(columns=2, rows=2, spacing=(2, 2), heights=[0, 0, 0, 0])
    world.add_body(field, kind="static", position=(0, 0, -2))
    assert world.ray_cast((3, 0, 5), (3, 0, -5)).part == 1
    assert world.ray_cast((0.5, 0.9, 5), (0.5, 0.9, -5)).triangle == 1


@pytest.mark.parametrize(
    "ask, message",
    [
        (lambda w: w.ray_cast((0, 0, 0), (0, 0, 0)), "are one point"),
        (lambda w: w.ray_cast((0, 0), (0, 0, 0)), "from_ must have the shape"),
        (lambda w: w.overlap(drystone.Plane(), (0, 0, 0)), "plane: only bounded convex shapes"),
        (lambda w: w.overlap(drystone.Sphere(-1), (0, 0, 0)), "radius"),
        (lambda w: w.overlap(None, (0, 0, 0)), "overlap: shape is missing"),
        (lambda w: w.overlap(3, (0, 0, 0)), "overlap"),
        (lambda w: w.shape_cast(drystone.Sphere(1), (0, 0, 0), (0, 0, 1), (2, 0, 0, 0)), "unit"),
        (lambda w: w.closest_body(drystone.Sphere(1), (0, 0, 0), -1), "reach"),
    ],
)
def test_bad_questions_are_named(ask, message):
    world, _ = shelves()
    with pytest.raises(drystone.InputError, match=message):
        ask(world)
