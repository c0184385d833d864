#!/usr/bin/env python3
"""Draws the files that `bench_direct --csv FOLDER` wrote as docs/plots/direct_*.svg.

Needs python3-matplotlib. A plot whose data is missing is left out.
"""

from plotting import (COLORS, MARKERS, column, draw, label_outer, legend_above, pick, plt, read, save,
                      small_multiples, unique)

SOLVERS = ["bpp", "bpp-downdate", "bpp-skyline", "bpp-sparse", "bpp-auto"]


def smooth(values, reach=5):
    """Running mean over 2 reach + 1 frames."""
    result = []
    for i in range(len(values)):
        part = values[max(0, i - reach):i + reach + 1]
        result.append(sum(part) / len(part))
    return result


def name_frames(axis, rows):
    names = [f"{row['scene']}\n{row['rows']:.0f} rows" for row in rows]
    axis.set_xticks(range(len(rows)), names, rotation=60, ha="right", fontsize=8)


def plot_tight(source, target):
    rows = read(source, "direct_tight")
    scenes = unique(rows, "scene")
    if not scenes:
        return
    figure, axes = small_multiples(len(scenes))
    top = max(column(rows, "share_percent"))
    for axis, scene in zip(axes, scenes):
        part = pick(rows, scene=scene)
        axis.fill_between(column(part, "time_s"), column(part, "share_percent"), color=COLORS[0],
                          alpha=0.7, linewidth=0)
        axis.axhline(15, color=COLORS[1], linewidth=1, linestyle="--")
        axis.set_title(scene, fontsize=10, loc="left")
        axis.set_ylim(0, max(top, 16))
        axis.margins(x=0)
    label_outer(figure, "time [s]", "tight rows [%]")
    save(figure, target, "direct_tight")


def plot_times(source, target):
    rows = read(source, "direct_times")
    scenes = unique(rows, "scene")
    if not scenes:
        return
    for start in unique(rows, "start"):
        figure, axes = small_multiples(len(scenes))
        for axis, scene in zip(axes, scenes):
            for color, solver in zip(COLORS, SOLVERS):
                part = pick(rows, scene=scene, start=start, solver=solver)
                axis.plot(column(part, "time_s"), smooth(column(part, "solve_ms")), label=solver,
                          color=color)
            axis.set_title(scene, fontsize=10, loc="left")
            axis.set_yscale("log")
            axis.margins(x=0)
        label_outer(figure, "time [s]", "solve time of a frame [ms], mean of 11 frames")
        legend_above(figure, axes[0], len(SOLVERS))
        save(figure, target, f"direct_times_{start}")


def plot_random(source, target):
    rows = read(source, "direct_random")
    if not rows:
        return
    figure, axes = plt.subplots(1, 2, figsize=(9.5, 3.6), sharey=True, layout="constrained")
    kinds = [("blocked_ratio", "against Eigen's blocked Cholesky factor"),
             ("columns_ratio", "against a factor column by column")]
    for axis, (key, title) in zip(axes, kinds):
        for color, share in zip(COLORS, unique(rows, "tight_percent")):
            part = pick(rows, tight_percent=share)
            axis.plot(column(part, "rows"), column(part, key), color=color, marker="o",
                      markersize=3, label=f"{share:.0f} % tight")
        axis.axhline(1, color="black", linewidth=0.8, linestyle="--")
        axis.set_yscale("log")
        axis.set_xlabel("rows")
        axis.set_title(title, fontsize=10, loc="left")
    axes[0].set_ylabel("time of a fresh factor over\ncopy and downdates")
    axes[1].legend(bbox_to_anchor=(1.02, 1), loc="upper left")
    save(figure, target, "direct_random")


def plot_scaling(source, target):
    rows = read(source, "direct_scaling")
    if not rows:
        return
    rows.sort(key=lambda row: row["rows"])
    figure, axis = plt.subplots(figsize=(7.5, 4.2), layout="constrained")
    for color, marker, key, label in [(COLORS[2], "o", "skyline_ms", "bpp-skyline"),
                                      (COLORS[3], "s", "sparse_ms", "bpp-sparse"),
                                      (COLORS[4], "^", "auto_ms", "bpp-auto")]:
        part = [(i, row[key]) for i, row in enumerate(rows) if row[key] != ""]
        axis.scatter(*zip(*part), color=color, marker=marker, s=28, label=label, zorder=3)
    axis.set_yscale("log")
    name_frames(axis, rows)
    axis.set_ylabel("solve time of a frame [ms]")
    axis.legend(loc="upper left")
    save(figure, target, "direct_scaling")


def plot_cache(source, target):
    rows = read(source, "direct_cache")
    scenes = unique(rows, "scene")
    if not scenes:
        return
    for key, label, name, log in [
            ("speedup", "time of bpp-downdate over bpp-cached", "cache_speedup", False),
            ("cache_mib", "memory of the cache [MiB]", "cache_memory", True)]:
        figure, axes = small_multiples(len(scenes))
        for axis, scene in zip(axes, scenes):
            part = pick(rows, scene=scene)
            axis.plot(column(part, "time_s"), column(part, key), marker="o", markersize=3)
            axis.set_title(scene, fontsize=10, loc="left")
            if log:
                axis.set_yscale("log")
            else:
                axis.axhline(1, color="black", linewidth=0.8, linestyle="--")
                axis.set_ylim(bottom=0)
        label_outer(figure, "time [s]", label)
        save(figure, target, f"direct_{name}")


def plot_spaces(source, target):
    rows = [row for row in read(source, "direct_spaces") if row["sets"] == "final"]
    if not rows:
        return
    spaces = [("rows_simplicial_ms", "rows, sparse"), ("rows_cholmod_ms", "rows, CHOLMOD"),
              ("rows_envelope_ms", "rows, envelope"),
              ("quasidefinite_ms", "rows and bodies, sparse LDLᵀ"),
              ("bodies_simplicial_ms", "bodies, sparse"), ("bodies_block_ms", "bodies, bpp-sparse")]
    rows.sort(key=lambda row: row["rows"])
    figure, axis = plt.subplots(figsize=(9.5, 4.4), layout="constrained")
    for color, marker, (key, label) in zip(COLORS, MARKERS, spaces):
        part = [(i, row[key]) for i, row in enumerate(rows) if row[key] == row[key]]  # not NaN
        if part:
            axis.scatter(*zip(*part), color=color, marker=marker, s=30, label=label, zorder=3)
    axis.set_yscale("log")
    name_frames(axis, rows)
    axis.set_ylabel("time to factor a frame [ms]")
    axis.legend(bbox_to_anchor=(1.01, 1), loc="upper left")
    save(figure, target, "direct_spaces")


def plot_exponential(source, target):
    rows = read(source, "direct_exponential")
    if not rows:
        return
    titles = {"murty_upper": "Murty, 2 above the diagonal",
              "murty_lower": "Murty, 2 below the diagonal",
              "fathi_upper": "Fathi, U Uᵀ", "fathi_lower": "Fathi, L Lᵀ"}
    matrices = unique(rows, "matrix")
    figure, axes = plt.subplots(1, len(matrices), figsize=(11, 3.2), sharey=True,
                                layout="constrained", squeeze=False)
    for axis, matrix in zip(axes.flat, matrices):
        for color, marker, solver in zip(COLORS, MARKERS, unique(rows, "solver")):
            part = pick(rows, matrix=matrix, solver=solver)
            axis.plot(column(part, "n"), column(part, "pivots"), color=color, marker=marker,
                      markersize=3.5, label=solver)
        axis.set_yscale("log", base=2)
        axis.set_xlabel("n")
        axis.set_title(titles.get(matrix, matrix), fontsize=10, loc="left")
    axes.flat[0].set_ylabel("pivots: rows that changed their set")
    axes.flat[0].legend()
    save(figure, target, "direct_exponential")


if __name__ == "__main__":
    draw(__doc__, (plot_tight, plot_times, plot_random, plot_scaling, plot_cache, plot_spaces,
                   plot_exponential))
