#!/usr/bin/env python3
"""Draws docs/plots/convergence_SOLVER.svg: what each solver leaves after so many iterations.

Needs python3-matplotlib and the program drystone. It dumps two problems of library scenes and solves
each from zero with growing limits of iterations. The judge measures every answer. The pictures
hold no times, so every machine draws the same.
"""

import csv
import io
import pathlib
import subprocess
import tempfile

from plotting import COLORS, plt, save, style, target_parser

PROBLEMS = {  # what a panel shows: scene, options and the step whose largest island is taken
    "dominoes fall: 28 contacts": ("domino_run", [], 150),
    "heavy on light, 1000 : 1: 24 contacts": ("heavy_on_light", [], 2),
}
REFERENCES = {"sor-prox": ":", "nsgs": "--", "bpp-auto": "-."}  # grey on the page of every other solver
VARIANTS = {"apgd": [("apgd, law=exact", ["--set", "law=exact"])]}
MOST = 1000  # iterations
LIMITS = sorted({round(10 ** (k / 6)) for k in range(19)})  # 1 to MOST, six a decade
TOLERANCE = 1e-6  # [m/s] as `solve` has it
LEAST = 1e-15  # [m/s] round-off: lower answers are drawn here


def run(program, *words):
    words = [str(word) for word in words]
    return subprocess.run([str(program), *words], check=True, capture_output=True, text=True).stdout


def dump(program, folder, scene, options, step):
    """The problem file of the step's largest island."""
    run(program, "run", scene, *options, "--steps", step, "--dump-problems", folder, "--dump-when",
        f"step={step}", "--quiet")
    return max(folder.glob("*.json"), key=lambda path: path.stat().st_size)


def solve(program, problem, solver, options, limit):
    text = run(program, "solve", problem, "--solver", solver, "--from", "zero", "--max-iterations", limit,
               "--time-limit", 100, "--csv", "--quiet", *options)
    return next(csv.DictReader(io.StringIO(text)))


def trace(program, problem, solver, options=()):
    """Iterations and natural maps; whether the last of them ended by itself."""
    iterations, errors = [], []
    for limit in LIMITS:
        row = solve(program, problem, solver, options, limit)
        if row["status"] == "unsupported":
            raise SystemExit(f"convergence: {solver} does not take {problem}: {row['note']}")
        iterations.append(min(int(row["iterations"]), limit) or 1)
        errors.append(max(float(row["natural_map_m_s"]), LEAST))
        ended = row["status"] != "iteration_limit"
        if ended and iterations[-1] < limit:  # at the limit itself the answer may be good by chance
            break
    return iterations, errors, ended


def solvers_of_pages():
    pages = pathlib.Path(__file__).resolve().parents[2] / "docs" / "solvers"
    names = sorted(page.stem for page in pages.glob("*.md"))
    return [name for name in names if name != "README" and not name.startswith("gpu-")]


def line(axis, traced, label, **look):
    iterations, errors, ended = traced
    axis.plot(iterations, errors, label=label, **look)
    if ended:
        axis.plot(iterations[-1:], errors[-1:], marker="o", markersize=6, color=look["color"],
                  zorder=look.get("zorder", 2))


def draw_page(solver, traces, target):
    figure, axes = plt.subplots(1, len(PROBLEMS), figsize=(9.5, 2.9), sharey=True, layout="constrained")
    for axis, title in zip(axes, PROBLEMS):
        axis.axhline(TOLERANCE, color="#b0b0b0", linewidth=0.8)
        for reference, dashes in REFERENCES.items():
            if reference != solver:
                line(axis, traces[title, reference], reference, color="#888888", linestyle=dashes,
                     linewidth=1.3)
        own = [solver] + [label for label, _ in VARIANTS.get(solver, [])]
        for color, label in zip(COLORS, own):
            line(axis, traces[title, label], label, color=color, linewidth=2.4, zorder=3)
        axis.set_title(title, fontsize=10, loc="left")
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xlim(0.9, MOST * 1.1)
        axis.set_ylim(LEAST / 3, 1)
        axis.minorticks_off()
    axes[0].set_ylabel("natural map [m/s]")
    figure.supxlabel("iterations", fontsize=10)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="center left", bbox_to_anchor=(1, 0.5))
    save(figure, target, f"convergence_{solver}")


def main():
    parser = target_parser(__doc__)
    parser.add_argument("program", type=pathlib.Path, help="drystone, as in build/release/bin/drystone")
    arguments = parser.parse_args()
    style()
    solvers = solvers_of_pages()
    traces = {}
    with tempfile.TemporaryDirectory() as scratch:
        for title, (scene, options, step) in PROBLEMS.items():
            problem = dump(arguments.program, pathlib.Path(scratch) / scene, scene, options, step)
            for solver in solvers:
                traces[title, solver] = trace(arguments.program, problem, solver)
                for label, settings in VARIANTS.get(solver, []):
                    traces[title, label] = trace(arguments.program, problem, solver, settings)
    for solver in solvers:
        draw_page(solver, traces, arguments.target)


if __name__ == "__main__":
    main()
