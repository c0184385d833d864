#!/usr/bin/env python3
"""Draws the file that `bench_peers --csv FOLDER` wrote as docs/plots/peers.svg: how well each engine
held a scene against the processor time of a step, one panel a scene.

Needs python3-matplotlib. Without the data nothing is drawn.
"""

import matplotlib

from plotting import MARKERS, draw, pick, plt, read, save, small_multiples, unique

# By engine (Okabe, Ito), and by configuration of it.
ENGINES = {"drystone": "#0072b2", "Bullet": "#d55e00", "ODE": "#009e73", "MuJoCo": "#cc79a7"}

# What a kind of scene is judged by: column, factor to the unit shown, label of the axis.
MEASURES = {
    "stands": ("drift_m", 1e3, "drift [mm]"),
    "flows": ("overlap_largest_m", 1e3, "largest overlap [mm]"),
    "hangs": ("joint_gap_m", 1e3, "largest joint gap [mm]"),
    "slides": ("acceleration_error", 100, "error of acceleration [%]"),
}
FLOOR = 1e-9  # of the logarithmic axes, for what is exactly zero


def engine_of(configuration):
    return configuration.split()[0].strip(",")


def short(configuration):
    """The name without drystone's, which most points would bear."""
    return configuration.removeprefix("drystone").lstrip(", ").removeprefix("the ")


def marker_of(configuration, configurations):
    siblings = [name for name in configurations if engine_of(name) == engine_of(configuration)]
    return MARKERS[siblings.index(configuration)]


def place_labels(figure, axis, labels):
    """Writes each (x, y, text, color) beside its point where nothing else stands."""
    renderer = figure.canvas.get_renderer()
    points = [axis.transData.transform((x, y)) for x, y, _, _ in labels]
    taken = [matplotlib.transforms.Bbox.from_bounds(px - 4, py - 4, 8, 8) for px, py in points]
    frame = axis.get_window_extent(renderer)
    shifts = sorted(((dx, dy) for dx in (7, -7) for dy in range(-60, 61, 4)),
                    key=lambda shift: (abs(shift[1]), shift[0] < 0))
    for x, y, text, color in labels:
        for dx, dy in shifts:
            label = axis.annotate(text, (x, y), xytext=(dx, dy), textcoords="offset points",
                                  ha="left" if dx > 0 else "right", va="center", fontsize=6.5,
                                  color=color, arrowprops={
                                      "arrowstyle": "-", "color": color, "linewidth": 0.4,
                                      "shrinkA": 0, "shrinkB": 2} if abs(dy) > 6 else None)
            label.update_positions(renderer)
            box = matplotlib.text.Text.get_window_extent(label, renderer)
            inside = frame.x0 <= box.x0 and box.x1 <= frame.x1 + 8 and \
                frame.y0 <= box.y0 and box.y1 <= frame.y1
            if inside and not any(box.overlaps(other) for other in taken):
                taken.append(box.padded(2))
                break
            label.remove()


def draw_scene(axis, rows, configurations):
    column, factor, measure = MEASURES[rows[0]["kind"]]
    labels = []
    for row in rows:
        name = row["configuration"]
        color = ENGINES[engine_of(name)]
        x = row["cpu_mean_ms"]
        y = max(abs(row[column]) * factor, FLOOR)
        held = row["outcome"] in ("stands", "ran")
        axis.plot(x, y, marker=marker_of(name, configurations), markersize=5, color=color,
                  markerfacecolor=color if held else "white", linestyle="none")
        labels.append((x, y, short(name), color))
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.xaxis.set_minor_formatter(matplotlib.ticker.NullFormatter())
    axis.margins(x=0.3, y=0.12)
    axis.set_title(rows[0]["scene"], fontsize=10, loc="left")
    axis.set_ylabel(measure, fontsize=8)
    axis.tick_params(labelsize=7)
    return labels


def plot_peers(source, target):
    rows = [row for row in read(source, "peers_figures") if row["outcome"] != "refused"]
    if not rows:
        return
    scenes = unique(rows, "scene")
    configurations = unique(rows, "configuration")
    with plt.rc_context({"font.size": 9, "axes.axisbelow": True}):
        figure, axes = small_multiples(len(scenes), width=11, height=2.7)
        labels = [draw_scene(axis, pick(rows, scene=scene), configurations)
                  for axis, scene in zip(axes, scenes)]
        figure.supxlabel("processor time of a step, mean [ms]", fontsize=10)
        handles = [plt.Line2D([], [], color=color, marker="o", linestyle="none", label=engine)
                   for engine, color in ENGINES.items()]
        handles.append(plt.Line2D([], [], color="black", marker="o", markerfacecolor="white",
                                  linestyle="none", label="fell, or ended before the last step"))
        figure.legend(handles=handles, loc="lower center", bbox_to_anchor=(0.5, 1),
                      ncols=len(handles))
        figure.canvas.draw()  # settles the layout that the labels are placed in
        figure.set_layout_engine("none")
        for axis, of_scene in zip(axes, labels):
            place_labels(figure, axis, of_scene)
        save(figure, target, "peers")


if __name__ == "__main__":
    draw(__doc__, (plot_peers,))
