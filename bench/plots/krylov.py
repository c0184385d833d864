#!/usr/bin/env python3
"""Draws the files that `bench_krylov --csv FOLDER` wrote as docs/plots/krylov_*.svg.

Needs python3-matplotlib. A plot whose data is missing is left out.
"""

from plotting import COLORS, MARKERS, column, draw, pick, plt, read, save, unique

SOLVERS = ["bpp-pcg", "pgcg", "bpp-auto"]


def plot_preconditioners(source, target):
    rows = read(source, "krylov_preconditioners")
    # Other preconditioners have no imaginary columns.
    scatter(pick(rows, preconditioner="ic0-imaginary"), "slowest_imaginary_percent",
            "imaginary columns [%], slowest island", "slowest_inner", "inner iterations",
            SOLVERS[:2], "krylov_imaginary", target, logarithmic=False)
    rows = pick(rows, scene="chain_rod")
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


def plot_growth(source, target):
    rows = [row for row in read(source, "krylov_growth") if row["solved"] == 1]
    if not rows:
        return
    figure, axis = plt.subplots(figsize=(7.5, 4.2), layout="constrained")
    for color, marker, solver in zip(COLORS, MARKERS, unique(rows, "solver")):
        part = pick(rows, solver=solver)
        axis.scatter(column(part, "rows"), column(part, "ms"), color=color, marker=marker, s=28,
                     label=solver)
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlabel("rows")
    axis.set_ylabel("processor time of a step [ms]")
    axis.legend(bbox_to_anchor=(1.01, 1), loc="upper left")
    save(figure, target, "krylov_growth")


if __name__ == "__main__":
    draw(__doc__, (plot_preconditioners, plot_frames, plot_growth))
