"""The thinnest arch of stones that stands, by bisection over runs that are certified: in a step
counts only what met its tolerances. Milankovitch's limit for a half circle of any joints is a
thickness of 0.1075 of the mean radius; stones that hinge at few joints stand a little thinner."""

import drystone

STONES, RADIUS = 15, 5.0


def stands(thickness: float) -> bool:
    """Whether an arch of that thickness [m] keeps its keystone for a second and a half."""
    world = drystone.load(
        {
            "version": 1,
            "world": {"timestep": 0.01},
            "solver": {"tolerance": 1e-8},
            "materials": {"default": {"friction": 1.0}},
            "bodies": [{"name": "ground", "kind": "static", "shape": {"type": "plane"}}],
            "generators": [
                {
                    "type": "arch",
                    "name": "stone",
                    "count": STONES,
                    "inner_radius": RADIUS - thickness / 2,
                    "outer_radius": RADIUS + thickness / 2,
                    "depth": 1,
                    "density": 2400,
                }
            ],
        }
    )
    keystone = world.body(f"stone_{STONES // 2}")
    start = keystone.position[2]
    while world.time < 1.5 and start - keystone.position[2] < 0.002:
        assert world.step().within_tolerance, "a certificate is missing"
    return start - keystone.position[2] < 0.002


low, high = 0.08, 0.13  # of the radius: falls, stands
assert stands(high * RADIUS) and not stands(low * RADIUS)
while high - low > 5e-4:
    middle = (low + high) / 2
    if stands(middle * RADIUS):
        high = middle
    else:
        low = middle
    print(f"the limit lies between {low:.4f} and {high:.4f}")

assert 0.100 < high < 0.1085
