#!/usr/bin/env python3
"""Draws the file that `bench_problems --csv FOLDER` wrote as docs/plots/problems_*.svg.

Performance profiles (Dolan and Moré 2002): of each solver, the share of the problems that it solved
within a factor of the time of the fastest solver. Needs python3-matplotlib.
"""

from plotting import (COLORS, draw, label_outer, legend_above, pick, read, save, small_multiples,
                      unique)

FACTORS = [10 ** (k / 20) for k in range(0, 61)]  # 1 to 1000
MOST_SOLVERS = 7  # that lines can be told apart
LEAST_MS = 1e-3  # what the clock can tell


def fastest(rows):
    best = {}
    for row in rows:
        if row["solved"]:
            time = max(row["ms"], LEAST_MS)
            best[row["problem"]] = min(best.get(row["problem"], time), time)
    return best


def profile(rows, best, problems):
    """Share solved at each of the factors."""
    ratios = [max(row["ms"], LEAST_MS) / best[row["problem"]] for row in rows if row["solved"]]
    return [sum(ratio <= factor for ratio in ratios) / problems for factor in FACTORS]


def solved(rows, solver):
    return sum(row["solved"] for row in rows if row["solver"] == solver)


def plot_profiles(source, target):
    rows = read(source, "problems_profiles")
    tolerances = unique(rows, "tolerance")
    if not tolerances:
        return
    names = sorted(unique(rows, "solver"), key=lambda name: -solved(rows, name))[:MOST_SOLVERS]
    figure, axes = small_multiples(len(tolerances), columns=2, width=9.5, height=3.4)
    for axis, tolerance in zip(axes, tolerances):
        part = pick(rows, tolerance=tolerance)
        best = fastest(part)
        for color, name in zip(COLORS, names):
            own = pick(part, solver=name)
            axis.step(FACTORS, profile(own, best, len(unique(part, "problem"))), where="post",
                      color=color, label=name)
        axis.set_xscale("log")
        axis.set_ylim(0, 1.02)
        axis.set_title(f"tolerance {tolerance:g}", fontsize=10, loc="left")
    label_outer(figure, "time over that of the fastest solver", "share of problems solved")
    legend_above(figure, axes[0], 4)
    save(figure, target, "problems_profiles")


if __name__ == "__main__":
    draw(__doc__, [plot_profiles])
