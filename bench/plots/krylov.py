#!/usr/bin/env python3
"""Draws the files that `bench_krylov --csv FOLDER` wrote as docs/plots/krylov_*.svg.

Needs python3-matplotlib. A plot whose data is missing is left out.
"""

from plotting import COLORS, MARKERS, column, draw, pick, plt, read, save, unique

SOLVERS = ["bpp-pcg", "pgcg", "bpp-auto"]


def plot_preconditioners(source, target):
    """Figure 6.1 of Ho 2022: the chain."""
    rows = pick(read(source, "krylov_preconditioners"), scene="chain_rod")
    solvers = unique(rows, "solver")
    if not solvers:
        return
    figure, axes = plt.subplots(1, len(solvers), figsize=(9.5, 3.8), sharey=True, squeeze=False,
                                layout="constrained")
    for axis, solver in zip(axes.flat, solvers):
        for color, marker, kind in zip(COLORS, MARKERS, unique(rows, "preconditioner")):
            part = pick(rows, solver=solver, preconditioner=kind)
            axis.plot(column(part, "time_s"), column(part, "inner"), color=color, marker=marker,
                      markersize=3.5, label=kind)
        axis.set_yscale("log")
        axis.set_title(f"{solver}, chain_rod", fontsize=10, loc="left")
        axis.set_xlabel("time [s]")
    axes.flat[0].set_ylabel("inner iterations of a frame")
    axes.flat[-1].legend(bbox_to_anchor=(1.02, 1), loc="upper left")
    save(figure, target, "krylov_preconditioners")


def scatter(rows, key, x_label, y_key, y_label, solvers, name, target, logarithmic=True):
    rows = [row for row in rows if row["solved"] == 1]
    scenes = unique(rows, "scene")
    if not scenes:
        return
    figure, axes = plt.subplots(1, len(solvers), figsize=(9.5, 3.6), sharey=True, sharex=True,
                                squeeze=False, layout="constrained")
    for axis, solver in zip(axes.flat, solvers):
        for color, marker, scene in zip(COLORS, MARKERS, scenes):
            part = pick(rows, scene=scene, solver=solver)
            axis.scatter(column(part, key), column(part, y_key), color=color, marker=marker, s=16,
                         label=scene)
        if logarithmic:
            axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_title(solver, fontsize=10, loc="left")
        axis.set_xlabel(x_label)
    axes.flat[0].set_ylabel(y_label)
    axes.flat[-1].legend(bbox_to_anchor=(1.02, 1), loc="upper left")
    save(figure, target, name)


def plot_frames(source, target):
    rows = read(source, "krylov_frames")
    scatter(rows, "condition", "condition number of A, largest island", "ms",
            "processor time of a frame [ms]", SOLVERS, "krylov_condition", target)
    scatter(rows, "rows", "rows of a frame", "ms", "processor time of a frame [ms]", SOLVERS,
            "krylov_rows", target)


def plot_imaginary(source, target):
    rows = pick(read(source, "krylov_preconditioners"), preconditioner="ic0-imaginary")
    scatter(rows, "negative_percent", "imaginary columns of a factor [%]", "inner",
            "inner iterations of a frame", SOLVERS[:2], "krylov_imaginary", target,
            logarithmic=False)


def plot_growth(source, target):
    """A line of points for each scene, the least rows at the top."""
    rows = read(source, "krylov_growth")
    scenes = sorted({(row["rows"], row["scene"]) for row in rows}, reverse=True)
    if not scenes:
        return
    figure, axis = plt.subplots(figsize=(8.5, 4.6), layout="constrained")
    lines = [scene for _, scene in scenes]
    for color, marker, solver in zip(COLORS, MARKERS, unique(rows, "solver")):
        part = [row for row in pick(rows, solver=solver) if row["solved"] == 1]
        axis.scatter(column(part, "ms"), [lines.index(row["scene"]) for row in part], color=color,
                     marker=marker, s=34, label=solver)
    axis.set_yticks(range(len(scenes)), [f"{scene}, {int(count):,} rows" for count, scene in scenes])
    axis.set_xscale("log")
    axis.set_xlabel("processor time of a step [ms]")
    axis.legend(bbox_to_anchor=(1.01, 1), loc="upper left")
    save(figure, target, "krylov_growth")


if __name__ == "__main__":
    draw(__doc__, (plot_preconditioners, plot_frames, plot_imaginary, plot_growth))
