#!/usr/bin/env python3
"""Draws docs/plots/soak.svg of the samples that `scripts/soak` wrote. Needs python3-matplotlib."""

from matplotlib.ticker import EngFormatter

from plotting import COLORS, column, draw, legend_above, pick, plt, read, save, unique

FIGURES = [("drift_m", "drift [m]"), ("energy_J", "energy [J]"), ("resident_MB", "resident [MB]"),
           ("step_ms", "CPU time a step [ms]"), ("missed_steps", "missed steps")]


def soak(source, target):
    """A row of panels a scene: each figure against the step number."""
    rows = read(source, "soak")
    scenes = unique(rows, "scene")
    figure, axes = plt.subplots(len(scenes), len(FIGURES), figsize=(13, 1.7 * len(scenes)),
                                squeeze=False, layout="constrained")
    for line, scene in zip(axes, scenes):
        for axis, (key, title) in zip(line, FIGURES):
            for color, stepping in zip(COLORS, ("exact", "soft")):
                run = pick(rows, scene=scene, stepping=stepping)[::2]  # of 200 samples
                axis.plot(column(run, "step"), column(run, key), color=color, label=stepping)
            axis.xaxis.set_major_formatter(EngFormatter(sep=""))
            axis.ticklabel_format(axis="y", useOffset=key == "energy_J")
            if key in ("resident_MB", "step_ms", "missed_steps"):
                axis.set_ylim(0, max(1, 1.2 * axis.get_ylim()[1]) if key != "step_ms" else None)
            if scene == scenes[0]:
                axis.set_title(title, fontsize=10)
        line[0].set_ylabel(scene)
    figure.supxlabel("step", fontsize=10)
    legend_above(figure, axes[0][0], 2)
    save(figure, target, "soak")


if __name__ == "__main__":
    draw(__doc__, [soak])
