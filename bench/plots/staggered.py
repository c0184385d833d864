#!/usr/bin/env python3
"""Draws the files that `bench_staggered --csv FOLDER` wrote as docs/plots/staggered_*.svg.

Needs python3-matplotlib. A plot whose data is missing is left out.
"""

from plotting import COLORS, column, draw, pick, plt, read, save, unique

ENGINES = ["schurpa", "pdasm-direct"]
HALVES = ["contact", "friction"]


def plot_qps(source, target):
    rows = read(source, "staggered_qps")
    if not rows:
        return
    figure, axes = plt.subplots(1, 2, figsize=(9.5, 3.4), sharey=True, layout="constrained")
    for color, engine in zip(COLORS, ENGINES):
        part = pick(rows, engine=engine)
        axes[0].plot(column(part, "delta"), column(part, "total_ms"), color=color, marker="o",
                     label=engine)
    axes[0].set_ylabel("time [ms]")
    part = pick(rows, engine="schurpa")
    for color, key, label in zip(COLORS[2:], ("total_ms", "factor_ms", "solve_ms"),
                                 ("all of schurpa", "factor", "solves")):
        axes[1].plot(column(part, "delta"), column(part, key), color=color, marker="o",
                     label=label)
    for axis in axes:
        axis.set_xlabel("variables whose first set is wrong")
        axis.set_ylim(bottom=0)
        axis.legend()
    save(figure, target, "staggered_qps")


def plot_banded(source, target):
    rows = read(source, "staggered_banded")
    if not rows:
        return
    figure, axes = plt.subplots(1, 2, figsize=(9.5, 3.4), layout="constrained")
    size = column(rows, "size")
    axes[0].plot(size, column(rows, "factor_ms"), marker="o", label="factor")
    axes[0].plot(size, column(rows, "invert_ms"), marker="o", label="inverses of the blocks")
    axes[1].plot(size, column(rows, "column_ms"), marker="o", label="column by column")
    axes[1].plot(size, column(rows, "block_ms"), marker="o", label="blocks")
    for axis, label in zip(axes, ("time [ms]", "time of ten right-hand sides [ms]")):
        axis.set_xlabel("variables")
        axis.set_ylabel(label)
        axis.set_ylim(bottom=0)
        axis.legend()
    save(figure, target, "staggered_banded")


def speed_up(rows, half):
    """Times of the frame over that of SCHURPA, where that has one."""
    times, ratios = [], []
    direct = {row["time_s"]: row["total_ms"] for row in pick(rows, qp=half, engine=ENGINES[1])}
    for row in pick(rows, qp=half, engine=ENGINES[0]):
        if row["total_ms"] > 0:
            times.append(row["time_s"])
            ratios.append(direct[row["time_s"]] / row["total_ms"])
    return times, ratios


def plot_collision(source, target):
    rows = read(source, "staggered_collision")
    scenes = unique(rows, "scene")
    if not scenes:
        return
    labels = ("contacts", "first sets that are right", "solves of a frame", "time of the QPs [ms]",
              "DIRECT/SCHURPA")
    figure, axes = plt.subplots(len(labels), len(scenes), figsize=(3.3 * len(scenes), 9.5),
                                sharex="col", squeeze=False, layout="constrained")
    for column_of_axes, scene in zip(axes.T, scenes):
        of_scene = pick(rows, scene=scene)
        for color, half in zip(COLORS, HALVES):
            part = pick(of_scene, qp=half, engine=ENGINES[0])
            time = column(part, "time_s")
            style = {"color": color, "marker": "o", "markersize": 2.5, "label": half}
            if half == "contact":
                column_of_axes[0].plot(time, column(part, "contacts"), color="#000000", marker="o",
                                       markersize=2.5)
            column_of_axes[1].plot(time, column(part, "correct"), **style)
            column_of_axes[2].plot(time, column(part, "solves"), **style)
            column_of_axes[3].plot(time, column(part, "total_ms"), **style)
            direct = pick(of_scene, qp=half, engine=ENGINES[1])
            column_of_axes[3].plot(column(direct, "time_s"), column(direct, "total_ms"),
                                   color=color, linestyle=":", label=f"{half}, DIRECT")
            column_of_axes[4].plot(*speed_up(of_scene, half), **style)
        column_of_axes[0].set_title(scene, fontsize=10, loc="left")
        column_of_axes[-1].set_xlabel("time [s]")
        column_of_axes[1].set_ylim(0, 1.05)
        for axis in column_of_axes[2:4]:
            axis.set_yscale("log", nonpositive="mask")
        column_of_axes[4].set_ylim(bottom=0)
    for axis, label in zip(axes[:, 0], labels):
        axis.set_ylabel(label)
    axes[3, -1].legend(bbox_to_anchor=(1.02, 1), loc="upper left")
    save(figure, target, "staggered_collision")


def plot_factors(source, target):
    rows = [row for row in read(source, "staggered_factors") if row["band_factor_ms"] != ""]
    rows = [row for row in rows if isinstance(row["band_factor_ms"], float)]
    if not rows:
        return
    figure, axes = plt.subplots(1, 2, figsize=(9.5, 3.6), layout="constrained")
    for color, half in zip(COLORS, HALVES):
        part = [row for row in pick(rows, qp=half) if row["band_factor_ms"] == row["band_factor_ms"]]
        band = [row["band_factor_ms"] / row["band_solve_ms"] for row in part]
        bodies = [row["bodies_factor_ms"] / row["bodies_solve_ms"] for row in part]
        gain = [(row["bodies_factor_ms"] + 20 * row["bodies_solve_ms"])
                / (row["band_factor_ms"] + 20 * row["band_solve_ms"]) for row in part]
        width = column(part, "bandwidth")
        axes[0].scatter(width, band, color=color, s=24, label=f"{half}, band")
        axes[0].scatter(width, bodies, color=color, s=24, marker="^", facecolors="none",
                        label=f"{half}, bodies")
        axes[1].scatter(width, gain, color=color, s=24, label=half)
    axes[1].axhline(1, color="#888888", linestyle=":")
    for axis, label in zip(axes, ("solves in the time of a factor",
                                  "time by bodies over that by band")):
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xlabel("half-bandwidth")
        axis.set_ylabel(label)
        axis.legend()
    save(figure, target, "staggered_factors")


if __name__ == "__main__":
    draw(__doc__, (plot_qps, plot_banded, plot_factors, plot_collision))
