#!/usr/bin/env python3
"""Draws docs/plots/theory_schur.svg, theory_factor.svg and theory_coloring.svg.

All that they show is computed here, for walls and a stack of bricks. Needs python3-matplotlib.
"""

import numpy as np

from planar import GRAVITY, Wall
from plotting import COLORS, draw_computed, plt, save

BLUE, RED, GREEN = COLORS[:3]
GREY = "#999999"
STEP = 1 / 60  # s


def active_sets(hessian, linear, free):
    """Working sets of min ½ xᵀHx − cᵀx over x >= 0 by the primal-dual active-set method."""
    while True:
        x = np.zeros(len(linear))
        x[free] = np.linalg.solve(hessian[np.ix_(free, free)], linear[free])
        yield free, x
        pull = hessian @ x - linear
        following = np.where(free, x >= 0, pull < 0)
        if (following == free).all():
            return
        free = following


def bordered(hessian, first, free, changes):
    """(K_0 U; Uᵀ 0) of the sets `free`, K_0 = (H E; Eᵀ 0) of the `first`: E of what is fixed."""
    size, fixed = len(first), np.flatnonzero(~first)
    system = np.zeros((size + len(fixed) + len(changes),) * 2)
    system[:size, :size] = hessian
    for place, variable in enumerate(fixed, start=size):
        system[variable, place] = system[place, variable] = 1
    base = size + len(fixed)
    for place, variable in enumerate(changes, start=base):
        # A released variable frees the row that fixed it; another one gets such a row.
        row = variable if first[variable] else size + list(fixed).index(variable)
        system[row, place] = system[place, row] = 1
    return system, base


def spy(axis, system, base, colors):
    """Entries as squares: those of K_0 grey, those of each later column in its color."""
    for row, column in zip(*np.nonzero(np.abs(system) > 1e-12)):
        last = max(row, column)
        color = GREY if last < base else colors[last - base]
        axis.add_patch(plt.Rectangle((column - 0.42, row - 0.42), 0.84, 0.84, color=color, lw=0))


def plot_schur(target):
    """Rounds of the normals of a wall with a brick that turns, by one factor of the first sets."""
    wall = Wall(2, 3)
    jacobian = wall.jacobian(False)
    hessian = jacobian * wall.inverse_mass() @ jacobian.T + 1e-6 * np.eye(len(jacobian))

    def linear(brick):  # which turns by 1 rad/s, while gravity pulls at all
        velocity = np.zeros(3 * len(wall.boxes))
        velocity[1::3] = -GRAVITY * STEP
        velocity[3 * brick + 2] = -1
        return -jacobian @ velocity

    *_, (first, _) = active_sets(hessian, linear(0), np.ones(len(hessian), bool))
    rounds = list(active_sets(hessian, linear(3), first))
    figure, axes = plt.subplots(1, len(rounds), figsize=(9.5, 3.2), layout="constrained")
    kept = []
    for number, (axis, (free, x)) in enumerate(zip(axes, rounds)):
        gone = [variable for variable in kept if free[variable] == first[variable]]
        came = [variable for variable in np.flatnonzero(free != first) if variable not in kept]
        shown = kept + came  # with those that go, to show them
        system, base = bordered(hessian, first, free, shown)
        colors = [RED if variable in gone else GREEN if variable in came else BLUE
                  for variable in shown]
        spy(axis, system, base, colors)
        kept = [variable for variable in shown if variable not in gone]

        # The bordered system has the x of a fresh factor: C π = −Uᵀ v, x = v − R π.
        system, _ = bordered(hessian, first, free, kept)
        start = np.zeros(base)
        start[:len(first)] = linear(3)
        border = system[:base, base:]
        v, r = (np.linalg.solve(system[:base, :base], right) for right in (start, border))
        answer = v - r @ np.linalg.solve(-border.T @ r, -border.T @ v) if kept else v
        assert np.allclose(answer[:len(first)][free], x[free], atol=1e-8)

        axis.axhline(base - 0.5, color="black", lw=0.8)
        axis.axvline(base - 0.5, color="black", lw=0.8)
        size = base + 3
        axis.set_xlim(-0.7, size - 0.3)
        axis.set_ylim(size - 0.3, -0.7)
        axis.set_aspect("equal")
        axis.set_xticks([])
        axis.set_yticks([])
        axis.grid(False)
        axis.set_title(f"round {number + 1}: C is {len(kept)} × {len(kept)}", fontsize=10,
                       loc="left")
        words = [f"{sum(first[v] for v in came)} fixed" if any(first[v] for v in came) else "",
                 f"{sum(not first[v] for v in came)} released"
                 if any(not first[v] for v in came) else "",
                 f"{len(gone)} undone" if gone else ""]
        axis.set_xlabel(", ".join(filter(None, words)) or "the factor of $K_0$ is made")
    axes[0].text(2, len(first) - 0.6, "H", color="black", ha="center", va="bottom", fontsize=12)
    handles = [plt.Rectangle((0, 0), 1, 1, color=color) for color in (GREY, GREEN, BLUE, RED)]
    figure.legend(handles, ["$K_0$", "column of U, added", "kept", "taken out"], ncols=4,
                  loc="lower center", bbox_to_anchor=(0.5, 1))
    save(figure, target, "theory_schur")


def eliminate(neighbours):
    """Minimum degree: the order, and the pairs that elimination joins (fill)."""
    graph = [set(found) for found in neighbours]
    order, fill, left = [], set(), set(range(len(graph)))
    while left:
        body = min(left, key=lambda b: (len(graph[b] & left), b))
        left.remove(body)
        order.append(body)
        around = graph[body] & left
        for a in around:
            for b in around - graph[a] - {a}:
                fill.add(frozenset((a, b)))
        for a in around:
            graph[a] |= around - {a}
    return order, fill


def draw_bricks(axis, wall, labels=None):
    axis.axhline(0, color="black", lw=1.2)
    for body, (x, y, width) in enumerate(wall.boxes):
        axis.add_patch(plt.Rectangle((x - width / 2, y - wall.HEIGHT / 2), width, wall.HEIGHT,
                                     facecolor="#f2f2f2", edgecolor=GREY, lw=0.8))
        if labels:
            axis.text(x, y, labels[body], ha="center", va="center", fontsize=8)
    axis.set_aspect("equal")
    axis.axis("off")
    axis.margins(0.03)


def plot_factor(target):
    """A, H and the factor of H for a stack and for a wall, in the order of minimum degree."""
    figure, axes = plt.subplots(2, 4, figsize=(9.5, 5.2), layout="constrained",
                                width_ratios=(1.25, 1, 1, 1))
    for line, (wall, name) in zip(axes, ((Stack(8), "stack"), (Wall(5, 4), "wall"))):
        neighbours = wall.neighbours()
        order, fill = eliminate(neighbours)
        place = {body: k for k, body in enumerate(order)}
        draw_bricks(line[0], wall, {body: str(place[body] + 1) for body in place})
        for a, found in enumerate(neighbours):
            for b in found:
                if a < b:
                    (x, y, _), (x2, y2, _) = wall.boxes[a], wall.boxes[b]
                    line[0].plot(np.array([0.72, 0.28]) * x + np.array([0.28, 0.72]) * x2,
                                 np.array([0.72, 0.28]) * y + np.array([0.28, 0.72]) * y2,
                                 color=BLUE, lw=1.4)
        line[0].set_title(f"{name}: {len(order)} bodies, {len(wall.pairs)} pairs", fontsize=10,
                          loc="left")

        jacobian = wall.jacobian(True)
        rows = np.abs(jacobian * wall.inverse_mass() @ jacobian.T) > 1e-12
        line[1].imshow(rows, cmap="Greys", interpolation="nearest", vmax=1.7)
        line[1].set_title(f"A: {rows.mean():.0%} of {len(rows)}²", fontsize=10, loc="left")

        pattern = np.eye(len(order), dtype=int)
        for a, found in enumerate(neighbours):
            for b in found:
                pattern[place[a], place[b]] = 1
        factor = np.tril(pattern)
        for a, b in map(tuple, fill):
            factor[max(place[a], place[b]), min(place[a], place[b])] = 2
        # The fill is that of the elimination of numbers.
        matrix = np.where(pattern, -0.01, 0) + 2 * np.eye(len(order))
        assert ((np.abs(np.linalg.cholesky(matrix)) > 1e-30) == (factor > 0)).all()
        for axis, entries in ((line[2], pattern), (line[3], factor)):
            for row, column in zip(*np.nonzero(entries)):
                axis.add_patch(plt.Rectangle((column - 0.44, row - 0.44), 0.88, 0.88, lw=0,
                                             color=(GREY, RED)[entries[row, column] - 1]))
            axis.set_xlim(-0.7, len(order) - 0.3)
            axis.set_ylim(len(order) - 0.3, -0.7)
            axis.set_aspect("equal")
        line[2].set_title(f"H: {len(order)}² blocks", fontsize=10, loc="left")
        line[3].set_title(f"its factor: {len(fill)} blocks of fill", fontsize=10, loc="left")
        for axis in line[1:]:
            axis.set_xticks([])
            axis.set_yticks([])
            axis.grid(False)
    save(figure, target, "theory_factor")


class Stack(Wall):
    """One brick upon the other."""

    def __init__(self, layers):
        super().__init__(0, 0)
        for layer in range(layers):
            self.boxes.append((0.5, (layer + 0.5) * self.HEIGHT, 1.0))
            self.pairs.append((layer - 1, layer, (0, 1, layer * self.HEIGHT)))


def color_pairs(pairs, count=None):
    """The first color that no pair of either body has; with `count` the least used of as many."""
    taken, uses, colors = {}, [], []
    for lower, upper, _ in pairs:
        busy = taken.setdefault(upper, set()) | (taken.setdefault(lower, set()) if lower >= 0
                                                 else set())
        choice = [color for color in range(count or len(uses) + 1) if color not in busy]
        color = min(choice, key=lambda c: uses[c] if c < len(uses) else 0) if count else choice[0]
        uses += [0] * (color + 1 - len(uses))
        uses[color] += 1
        colors.append(color)
        for body in (lower, upper):
            if body >= 0:
                taken[body].add(color)
    return colors


def plot_coloring(target):
    """Pairs of a wall that may be updated at the same time, by both choices of a color."""
    wall = Wall(6, 5)
    greedy = color_pairs(wall.pairs)
    balanced = color_pairs(wall.pairs, max(greedy) + 1)
    figure, axes = plt.subplots(1, 3, figsize=(9.5, 3.0), width_ratios=(1.4, 1.4, 1),
                                layout="constrained")
    for axis, name, colors in ((axes[0], "greedy", greedy), (axes[1], "balanced", balanced)):
        for body in range(len(wall.boxes)):
            own = [color for color, pair in zip(colors, wall.pairs) if body in pair[:2]]
            assert len(own) == len(set(own))
        draw_bricks(axis, wall)
        for color, (_, _, (left, right, y)) in zip(colors, wall.pairs):
            axis.plot([left + 0.05, right - 0.05], [y, y], color=COLORS[color], lw=6,
                      solid_capstyle="butt")
            axis.text((left + right) / 2, y, str(color + 1), ha="center", va="center", fontsize=6.5,
                      bbox={"boxstyle": "circle,pad=0.05", "fc": "white", "ec": "none"})
        axis.set_title(f"{name}: color of each pair", fontsize=10, loc="left")
    for shift, colors, hatch in ((-0.2, greedy, ""), (0.2, balanced, "///")):
        counts = np.bincount(colors)
        axes[2].bar(np.arange(len(counts)) + 1 + shift, counts, 0.38, hatch=hatch,
                    color=COLORS[:len(counts)], edgecolor="white", lw=0)
    axes[2].set_xlabel("color; hatched: balanced")
    axes[2].set_title("pairs at the same time", fontsize=10, loc="left")
    axes[2].set_xticks(range(1, max(greedy) + 2))
    save(figure, target, "theory_coloring")


if __name__ == "__main__":
    draw_computed(__doc__, (plot_schur, plot_factor, plot_coloring))
