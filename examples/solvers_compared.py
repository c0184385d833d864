"""One contact problem, five solvers: the largest island of a brick wall that is hit, stored by a
run and solved from zero. Plots residual over time where matplotlib is there.

    python3 solvers_compared.py [PROBLEM_FILE]       FCLIB's files too
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import drystone

SOLVERS = ("auto", "nsgs", "apgd", "prox-newton", "sor-prox")
LIMITS = (1, 3, 10, 30, 100, 300, 1000)


def stored_problem(folder: str) -> Path:
    """The largest problem of the first steps of a scene."""
    subprocess.run(
        [sys.executable, "-m", "drystone", "run", "wall", "--steps", "40", "--quiet"]
        + ["--dump-problems", folder, "--dump-when", "largest"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return sorted(Path(folder).iterdir())[-1]


with tempfile.TemporaryDirectory() as folder:
    path = sys.argv[1] if len(sys.argv) > 1 else stored_problem(folder)
    problem = drystone.read_problem(path)
curves = {}
for name in SOLVERS:
    curves[name] = [
        (answer.time_ms, answer.natural_map)
        for answer in (
            drystone.solve(problem, name, tolerance=1e-9, max_iterations=limit) for limit in LIMITS
        )
    ]
    time, residual = curves[name][-1]
    print(f"{name:12} {residual:8.1e} m/s after {time:8.2f} ms")

assert min(points[-1][1] for points in curves.values()) < 1e-6
try:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
except ImportError:
    sys.exit("no picture: matplotlib is missing" if "--plot" in sys.argv else 0)
for name, points in curves.items():
    pyplot.loglog(*zip(*points), marker="o", label=name)
pyplot.xlabel("time [ms]")
pyplot.ylabel("natural map [m/s]")
pyplot.legend()
pyplot.savefig("solvers_compared.png")
