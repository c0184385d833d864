#!/usr/bin/env python3
"""Draws the file that `bench_peers --csv FOLDER` wrote as docs/plots/peers.svg: how well each engine
held a scene against the time of a step in units of Bullet's, one panel a scene.

Needs python3-matplotlib. Without the data nothing is drawn.
"""

import math

import matplotlib

from plotting import draw, pick, plt, read, save, small_multiples, unique

# Shades by configuration, of one hue an engine, and a marker. What has none gets the last.
STYLES = {
    "drystone auto": ("#00406b", "o"),
    "drystone exact": ("#0072b2", "s"),
    "drystone realtime": ("#56b4e9", "D"),
    "drystone soft": ("#7b3fbf", "*"),
    "drystone auto, implicit and projected": ("#5b7fff", "P"),
    "drystone, the scene's solver": ("#1f2fbf", "^"),
    "drystone sor-prox-wide 20": ("#8ea9c9", "v"),
    "Bullet SI 10": ("#d55e00", "o"),
    "ODE QuickStep 20": ("#009e73", "o"),
    "ODE Step": ("#7fceb9", "s"),
    "MuJoCo Newton": ("#cc79a7", "o"),
    "MuJoCo CG": ("#8a3a66", "s"),
}
OTHER = ("#000000", "o")

# What a kind of scene is judged by: column, factor to the unit shown, label of the axis.
MEASURES = {
    "stands": ("drift_m", 1e3, "drift [mm]"),
    "flows": ("overlap_largest_m", 1e3, "largest overlap [mm]"),
    "hangs": ("joint_gap_m", 1e3, "largest joint gap [mm]"),
    "slides": ("acceleration_error", 100, "error of acceleration [%]"),
}
FLOOR = 1e-9  # of the logarithmic axes, for what is exactly zero
TOP = 0.96  # height of what did not hold its scene, as a share of the panel's


def held_in(rows):
    return [row for row in rows if row["outcome"] in ("stands", "ran")]


def height_of(row):
    column, factor, _ = MEASURES[row["kind"]]
    return max(abs(row[column]) * factor, FLOOR)


def draw_scene(axis, rows, limits):
    held = held_in(rows)
    for row in reversed(rows):  # the first is on top
        color, marker = STYLES.get(row["configuration"], OTHER)
        x = row["bullets"]
        error = [[x - row["bullets_least"]], [row["bullets_most"] - x]]
        line = {"color": color, "linestyle": "none", "elinewidth": 0.8}
        if row in held:
            # A star fills less of its square, so it is larger and above the others.
            size, order = (11, 4) if marker == "*" else (6, 3)
            axis.errorbar(x, height_of(row), xerr=error, marker=marker, markersize=size,
                          zorder=order, markeredgecolor="white", markeredgewidth=0.5, **line)
        else:
            axis.errorbar(x, TOP, xerr=error, marker="x", markersize=6, markeredgewidth=1.8,
                          transform=axis.get_xaxis_transform(), **line)
    axis.axvline(1, color="#a0a0a0", linewidth=0.8, zorder=0)
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.xaxis.set_major_formatter("{x:g}")
    axis.yaxis.set_major_locator(matplotlib.ticker.LogLocator(numticks=6))
    axis.yaxis.set_minor_locator(matplotlib.ticker.NullLocator())
    axis.set_ylim(limits)
    axis.set_title(title_of(rows), fontsize=10, loc="left")
    axis.set_ylabel(MEASURES[rows[0]["kind"]][2], fontsize=8)
    axis.tick_params(labelsize=7)


def limits_of(rows):
    """Of the panels of a kind of scene. Nothing that held its scene comes near the crosses."""
    heights = [height_of(row) for row in held_in(rows)]
    low, high = math.log10(min(heights, default=0.1)), math.log10(max(heights, default=1))
    span = max(high - low, 1)
    return 10 ** (low - 0.1 * span), 10 ** (high + 0.25 * span)


def title_of(rows):
    bullet = [row for row in rows if row["bullets"] == 1]
    return rows[0]["scene"] + (f" (1 = {bullet[0]['cpu_mean_ms']:.2g} ms)" if bullet else "")


def legend_handles(configurations):
    handles = []
    for name in configurations:
        color, marker = STYLES.get(name, OTHER)
        handles.append(plt.Line2D([], [], color=color, marker=marker, linestyle="none", label=name))
    handles.append(plt.Line2D([], [], color="black", marker="x", markeredgewidth=1.8,
                              linestyle="none", label="fell, or ended before the last step"))
    return handles


def plot_peers(source, target):
    rows = [row for row in read(source, "peers_figures")
            if row["outcome"] != "refused" and not math.isnan(row["bullets"])]
    if not rows:
        return
    scenes = unique(rows, "scene")
    with plt.rc_context({"font.size": 9, "axes.axisbelow": True}):
        figure, axes = small_multiples(len(scenes), width=11, height=2.5)
        for axis, scene in zip(axes, scenes):
            of_scene = pick(rows, scene=scene)
            draw_scene(axis, of_scene, limits_of(pick(rows, kind=of_scene[0]["kind"])))
            axis.sharex(axes[0])
        axes[0].autoscale(axis="x")
        figure.supxlabel("processor time of a step, in units of Bullet's in the same run",
                         fontsize=10)
        figure.legend(handles=legend_handles([name for name in STYLES
                                              if name in unique(rows, "configuration")]),
                      loc="lower center", bbox_to_anchor=(0.5, 1), ncols=4, fontsize=8)
        save(figure, target, "peers")


if __name__ == "__main__":
    draw(__doc__, (plot_peers,))
