#!/usr/bin/env python3
"""Draws docs/plots/theory_cone.svg, theory_natural_map.svg and theory_rounds.svg.

All that they show is computed here, for a block and for a leaning rod. Needs python3-matplotlib.
"""

import numpy as np

from planar import Rod, project_on_cone
from plotting import COLORS, MARKERS, draw_computed, plt, save

BLUE, RED, GREEN, PURPLE = COLORS[:4]
GREY = "#777777"


def arrow(axis, start, end, color, **style):
    axis.annotate("", xy=end, xytext=start,
                  arrowprops={"arrowstyle": "-|>", "color": color, "lw": 1.6, "shrinkA": 0,
                              "shrinkB": 0, **style})


def cone(axis, friction, height, color, label=None):
    """|x| <= friction y."""
    axis.fill([0, -friction * height, friction * height], [0, height, height], color=color,
              alpha=0.12, lw=0, label=label)
    axis.plot([-friction * height, 0, friction * height], [height, 0, height], color=color, lw=0.8)


def block_impulse(start, friction, is_convex):
    """λ/m as (n, t) of a block of mass m with the velocity `start`; A = 1/m."""
    if is_convex:
        return project_on_cone(-start, friction)
    normal = max(0, -start[0])
    return np.array([normal, np.clip(-start[1], -friction * normal, friction * normal)])


def plot_cone(target):
    """λ and w of one contact in each of its states, with the shift of De Saxcé."""
    friction = 0.5
    cases = [("opens", (0.15, 0.5), False), ("sticks", (-0.6, 0.15), False),
             ("slips", (-0.6, 0.9), False), ("slips, without the shift (M.15)", (-0.6, 0.9), True)]
    figure, axes = plt.subplots(1, 4, figsize=(9.5, 3.1), sharey=True, layout="constrained")
    for axis, (title, start, is_convex) in zip(axes, cases):
        start = np.array(start)
        impulse = block_impulse(start, friction, is_convex)
        w = start + impulse
        shift = 0 if is_convex else friction * abs(w[1])
        hat = w + np.array([shift, 0])
        # The law of docs/theory: λ in K, ŵ in K*, and the two at right angles.
        assert abs(impulse[1]) <= friction * impulse[0] + 1e-12
        assert hat[0] >= friction * abs(hat[1]) - 1e-12 and abs(impulse @ hat) < 1e-12
        cone(axis, friction, 0.92, BLUE)
        cone(axis, 1 / friction, 0.42, GREEN)
        if impulse[0] > 0:
            arrow(axis, (0, 0), start[::-1], GREY, linestyle=":")
            axis.annotate("u*", start[::-1], (4, -4), textcoords="offset points", color=GREY)
            arrow(axis, (0, 0), impulse[::-1], BLUE)
            is_inside = abs(impulse[1]) < 0.9 * friction * impulse[0]
            axis.annotate("λ/m", impulse[::-1], (4, 0) if is_inside else (-4, 3),
                          textcoords="offset points", color=BLUE,
                          ha="left" if is_inside else "right")
        if np.linalg.norm(w) > 0:
            arrow(axis, (0, 0), w[::-1], RED)
            axis.annotate("w" if impulse[0] > 0 else "w = u*, λ = 0", w[::-1],
                          (5, -4) if impulse[0] > 0 else (-60, -26), textcoords="offset points",
                          color=RED)
        else:
            axis.annotate("w = 0", (0, 0), (-8, -12), textcoords="offset points", color=RED,
                          ha="right")
        if shift > 0:
            arrow(axis, (0, 0), hat[::-1], GREEN)
            axis.plot([w[1], hat[1]], [w[0], hat[0]], color=GREEN, lw=1, ls="--")
            axis.annotate("ŵ", hat[::-1], (2, 5), textcoords="offset points", color=GREEN)
            axis.annotate(r"$\mu\,\|w_t\|$", (w[1], (w[0] + hat[0]) / 2), (4, -4),
                          textcoords="offset points", color=GREEN)
        axis.text(0, 0.8, "K", color=BLUE, ha="center")
        axis.text(-0.72, 0.44, "K*", color=GREEN)
        axis.set_title(title, fontsize=10, loc="left")
        axis.set_aspect("equal")
        axis.set_xlim(-0.9, 1.12)
        axis.set_ylim(-0.75, 1.05)
        axis.set_xlabel("along the ground [m/s]")
    axes[0].set_ylabel("along the normal [m/s]")
    save(figure, target, "theory_cone")


def iterate(rod, impulse, count):
    """Fixed-point iteration λ ← P_K(λ − ρ ŵ)."""
    way = [np.array(impulse, dtype=float)]
    for _ in range(count):
        way.append(rod.natural_map(way[-1])[1])
    return np.array(way)


def plot_natural_map(target):
    """What (M.11) projects, and its size over all impulses of a contact that slips."""
    rod = Rod(np.radians(60), 0.5, (-1.0, 1.2))
    guess = np.array([0.10, -0.03])
    way = iterate(rod, guess, 400)
    assert rod.residual(way[-1]) < 1e-10
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.6, 4.1), layout="constrained")

    point, foot, _ = rod.natural_map(guess)
    for axis in (left, right):
        cone(axis, rod.friction, 1.1, BLUE)
        axis.set_aspect("equal")
        axis.set_xlabel(r"$\lambda_t$ [N s]")
    arrow(left, guess[::-1], point[::-1], RED)
    arrow(left, point[::-1], foot[::-1], GREY, linestyle=":")
    left.plot([guess[1], foot[1]], [guess[0], foot[0]], color=PURPLE, lw=2.4)
    for place, name, offset, color in ((guess, "λ, a guess", (-64, -10), BLUE),
                                       (point, "λ − ρŵ", (-14, -15), RED),
                                       (foot, r"$P_K$(λ − ρŵ)", (8, 4), GREY),
                                       ((guess + foot) / 2, r"$F$", (5, 3), PURPLE)):
        left.annotate(name, place[::-1], offset, textcoords="offset points", color=color)
    left.plot(*guess[::-1], "o", color=BLUE, ms=5)
    left.plot(*way[-1][::-1], "*", color="black", ms=10)
    left.annotate("solution: F = 0", way[-1][::-1], (9, 2), textcoords="offset points")
    left.text(0, 0.48, "K", color=BLUE, ha="center")
    left.set_title(f"the map of a guess: ‖F‖/ρ = {rod.residual(guess):.2f} m/s", fontsize=10,
                   loc="left")
    left.set_ylabel(r"$\lambda_n$ [N s]")

    tangent, normal = np.meshgrid(np.linspace(-0.7, 0.55, 76), np.linspace(-0.2, 1.1, 79))
    sizes = np.array([[rod.residual(np.array([n, t])) for n, t in zip(*line)]
                      for line in zip(normal, tangent)])
    lines = right.contour(tangent, normal, sizes, levels=[0.25, 0.5, 1, 1.5, 2, 3],
                          colors=GREY, linewidths=np.linspace(1.6, 0.6, 6))
    right.clabel(lines, fmt="%g", fontsize=8)
    right.plot(way[:, 1], way[:, 0], "o-", color=RED, ms=3.5, lw=1,
               label=r"$\lambda \leftarrow P_K(\lambda - \rho\hat{w})$")
    right.plot(*way[-1][::-1], "*", color="black", ms=10)
    right.legend(loc="lower left", facecolor="white", framealpha=1, frameon=True, edgecolor="white")
    right.set_title("‖F‖/ρ of all impulses [m/s]", fontsize=10, loc="left")
    left.set_xlim(-0.42, 0.24)
    left.set_ylim(-0.08, 0.58)
    right.set_xlim(-0.7, 0.55)
    right.set_ylim(-0.2, 1.1)
    save(figure, target, "theory_natural_map")


def stagger(rod, count):
    """Rounds from λ = 0: the normal with friction held, then friction with the normal held."""
    way = [np.zeros(2)]
    for _ in range(count):
        normal = max(0, -(rod.b[0] + rod.A[0, 1] * way[-1][1]) / rod.A[0, 0])
        way.append(np.array([normal, way[-1][1]]))
        bound = rod.friction * normal
        tangent = np.clip(-(rod.b[1] + rod.A[1, 0] * normal) / rod.A[1, 1], -bound, bound)
        way.append(np.array([normal, tangent]))
    return np.array(way)


def plot_rounds(target):
    """Staggered rounds of a rod that sticks and of one that slips, and how fast they end."""
    b = (-1.0, 0.0)
    figure, axes = plt.subplots(1, 3, figsize=(9.5, 3.6), width_ratios=(1, 1, 1.15),
                                layout="constrained")
    for axis, (title, friction) in zip(axes, (("sticks, μ = 1", 1.0), ("slips, μ = 0.3", 0.3))):
        rod = Rod(np.radians(60), friction, b)
        way = stagger(rod, 30)
        assert rod.residual(way[-1]) < 1e-9
        cone(axis, friction, 1.2, BLUE)
        tangent = np.linspace(-0.2, 0.7, 2)
        axis.plot(tangent, -(rod.b[0] + rod.A[0, 1] * tangent) / rod.A[0, 0], color=GREEN, lw=1)
        axis.plot(tangent, -(rod.b[1] + rod.A[1, 1] * tangent) / rod.A[1, 0], color=RED, lw=1)
        axis.plot(way[:13, 1], way[:13, 0], "-", color="black", lw=1)
        axis.plot(way[1:13:2, 1], way[1:13:2, 0], "s", color=GREEN, ms=4)
        axis.plot(way[2:13:2, 1], way[2:13:2, 0], "o", color=RED, ms=4)
        axis.plot(*way[-1][::-1], "*", color="black", ms=11)
        axis.text(0.5, 0.83, r"$w_n = 0$", color=GREEN)
        axis.text(0.49, 1.12, r"$w_t = 0$", color=RED)
        axis.set_xlim(-0.2, 0.7)
        axis.set_ylim(-0.05, 1.2)
        axis.set_title(title, fontsize=10, loc="left")
        axis.set_xlabel(r"$\lambda_t$ [N s]")
    axes[0].set_ylabel(r"$\lambda_n$ [N s]")
    for color, marker, lean in zip(COLORS, MARKERS, (75, 60, 45)):
        rod = Rod(np.radians(lean), 2.0, b)
        rate = rod.A[0, 1]**2 / (rod.A[0, 0] * rod.A[1, 1])
        sizes = [rod.residual(impulse) for impulse in stagger(rod, 20)[::2]]
        axes[2].semilogy(sizes, color=color, marker=marker, ms=3.5,
                         label=f"leans at {lean}°: {rate:.2f} a round")
    axes[2].set_ylim(1e-9, 300)
    axes[2].set_title("‖F‖/ρ after each round [m/s], sticks", fontsize=10, loc="left")
    axes[2].set_xlabel("round")
    axes[2].legend(loc="upper right", fontsize=9)
    save(figure, target, "theory_rounds")


if __name__ == "__main__":
    draw_computed(__doc__, (plot_cone, plot_natural_map, plot_rounds))
