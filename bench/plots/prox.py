#!/usr/bin/env python3
"""Draws the files that `bench_prox --csv FOLDER` wrote as docs/plots/prox_*.svg.

Needs python3-matplotlib. A plot whose data is missing is left out.
"""

from plotting import (COLORS, MARKERS, column, draw, label_outer, legend_above, pick, plt, read, save,
                      small_multiples, unique)

SWEEPS = [1, 4, 16, 64, 256]  # ticks
MILLISECONDS = [1, 10, 100, 1000, 10000, 100000]


def dots(axis, rows, group, key, runs=None):
    """A line for every run, and on it a mark for every value of `group`."""
    runs = runs or unique(rows, "run")
    for color, marker, value in zip(COLORS, MARKERS, unique(rows, group)):
        part = pick(rows, **{group: value})
        axis.scatter(column(part, key), [runs.index(row["run"]) for row in part], color=color,
                     marker=marker, s=26, zorder=3, label=value)
    axis.set_yticks(range(len(runs)), runs)
    axis.set_ylim(len(runs) - 0.5, -0.5)


def name_threads(rows):
    for row in rows:
        row["threads"] = f"{row['threads']:.0f} thread" + ("s" if row["threads"] > 1 else "")


def plot_quality(source, target):
    rows = read(source, "prox_quality")
    scenes = unique(rows, "scene")
    if not scenes:
        return
    figure, axes = small_multiples(len(scenes), columns=min(3, len(scenes)), height=3)
    for axis, scene in zip(axes, scenes):
        for color, marker, run in zip(COLORS, MARKERS, unique(rows, "run")):
            part = pick(rows, scene=scene, run=run)
            axis.plot(column(part, "sweeps"), column(part, "gamma"), color=color, marker=marker,
                      markersize=3, label=run, linestyle="--" if "lanes" in run else "-")
        axis.set_title(scene, fontsize=10, loc="left")
        axis.set_xscale("log")
        axis.set_xticks(SWEEPS, SWEEPS)
        axis.minorticks_off()
        axis.set_yscale("log")
    label_outer(figure, "sweeps", "quality γ, R = 100 kg [N² s²]")
    legend_above(figure, axes[0], 3)
    save(figure, target, "prox_quality")


def plot_threads(source, target):
    rows = read(source, "prox_threads")
    scenes = unique(rows, "scene")
    if not scenes:
        return
    name_threads(rows)
    times = sorted(column(rows, "solve_ms"))
    runs = [run for run in unique(rows, "run") if not run.startswith("sequential")]
    figure, axes = small_multiples(len(scenes), columns=min(3, len(scenes)), height=2.8)
    for i, (axis, scene) in enumerate(zip(axes, scenes)):
        part = pick(rows, scene=scene)
        dots(axis, [row for row in part if row["run"] in runs], "threads", "solve_ms", runs)
        for row in part:
            if row["run"] in runs:
                continue
            axis.axvline(row["solve_ms"], color="black", linewidth=0.9, linestyle="--",
                         label="sequential")
        axis.set_xscale("log")
        axis.set_xlim(min(times) / 1.5, max(times) * 1.5)
        axis.set_xticks([time for time in MILLISECONDS if times[0] <= time <= times[-1]])
        axis.xaxis.set_major_formatter("{x:g}")
        axis.minorticks_off()
        axis.set_title(scene, fontsize=10, loc="left")
        if i % 3 > 0:
            axis.set_yticklabels([])
    label_outer(figure, "time to the quality of the sequential sweeps [ms]", "")
    legend_above(figure, axes[0], 3)
    save(figure, target, "prox_threads")


def plot_weak(source, target):
    rows = [row for row in read(source, "prox_weak") if row["threads"] > 1]
    if not rows:
        return
    name_threads(rows)
    figure, axis = plt.subplots(figsize=(7, 2.8), layout="constrained")
    dots(axis, rows, "threads", "efficiency")
    axis.axvline(1, color="black", linewidth=0.9, linestyle="--")
    axis.set_xlim(left=0)
    axis.set_xlabel("time of a sweep with one thread over that of a problem as many times larger")
    axis.legend(bbox_to_anchor=(1.01, 1), loc="upper left")
    save(figure, target, "prox_weak")


def plot_schemes(source, target):
    rows = read(source, "prox_schemes")
    if not rows:
        return
    for row in rows:
        row["ns"] = 1e6 * row["sweep_ms"] / row["contacts"]
    figure, axis = plt.subplots(figsize=(8, 3.4), layout="constrained")
    dots(axis, rows, "scene", "ns")
    axis.set_xscale("log")
    ticks = [10, 20, 50, 100, 200]
    axis.set_xticks(ticks, ticks)
    axis.minorticks_off()
    axis.set_xlabel("time of a contact and sweep [ns]")
    axis.legend(bbox_to_anchor=(1.01, 1), loc="upper left")
    save(figure, target, "prox_schemes")


def plot_bandwidth(source, target):
    rows = read(source, "prox_bandwidth")
    if not rows:
        return
    figure, axis = plt.subplots(figsize=(7, 2.3), layout="constrained")
    state = column(rows, "state_gbs")
    bodies = [row["state_gbs"] * row["body_bytes"] / row["state_bytes"] for row in rows]
    places = range(len(rows))
    axis.barh(places, state, height=0.6, color=COLORS[0], label="contacts", zorder=2)
    axis.barh(places, bodies, left=state, height=0.6, color=COLORS[5], label="bodies", zorder=2)
    copy = max(column(rows, "copy_gbs"))
    axis.axvline(copy, color="black", linewidth=0.9, linestyle="--", label="copy")
    axis.axvline(0.7 * copy, color="black", linewidth=0.9, linestyle=":", label="70 % of it")
    axis.set_yticks(places, column(rows, "run"))
    axis.invert_yaxis()
    axis.set_xlabel("moved by a sweep [GB/s]")
    axis.legend(bbox_to_anchor=(1.01, 1), loc="upper left")
    save(figure, target, "prox_bandwidth")


if __name__ == "__main__":
    draw(__doc__, (plot_quality, plot_threads, plot_weak, plot_schemes, plot_bandwidth))
