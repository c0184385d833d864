#!/usr/bin/env python3
"""Fits a model to what `bench_scale traffic --csv FOLDER` counted, and draws docs/plots/scale_model.svg.

Ends with an error where the fit leaves more than RESIDUALS says. Then it prints what the model
predicts for 16 to 4,096 processes. Network and time of a contact are assumptions: see --help.
Needs python3-matplotlib and python3-numpy.
"""

import math
import pathlib

import numpy as np

from plotting import COLORS, MARKERS, plt, read, save, style, target_parser, unique

# Largest relative residuals. Bytes are arithmetic of the code and fit to rounding. So are sums, but
# for a trial step that fails now and then, which takes one more. A surface is a law of large regions: those of fewer spheres than BODIES_LEAST are mostly edges.
RESIDUALS = {"ghosts": 0.15, "iterations": 0.15, "sums": 0.01, "bytes": 1e-3}
BODIES_LEAST = 60
BODY_BYTES = 161  # the state of a ghost, and whether rows touch it
VELOCITY_BYTES = 96  # of a shared body in an iteration, to and fro
SUM_BYTES = 16
SUMS_OF_STEP = 7  # boxes, two tables of sizes, rows, the report's two, the first measurement
CONTACTS = [1e6, 1e7, 1e8, 1e9]
PROCESSES = [16, 64, 256, 1024, 4096]
CONTACTS_A_BODY = 3  # of a grid of spheres
CATALOG_BYTES = 500  # of every body, on every process: sizeof(BodyDefinition) is 480
FRAME_BYTES = 224 + 152 * CONTACTS_A_BODY  # of a body in a recording, with its contacts
LOADS = [1e4, 1e5, 1e6]  # bodies a process
FRAME_EVERY = [1, 10, 100]  # steps
NOTED_SHARE = 0.1  # of a step, from which parallel writing pays
BOX_SECONDS = 5e-9  # assumed, of a ball against the box of another process


def surface(bodies, processes):
    """Spheres beside inner borders of a cube that is cut into cubes, by the law of surfaces."""
    return processes * (bodies / processes) ** (2 / 3) * (1 - processes ** (-1 / 3))


def least_squares(x, y):
    """The factor of x of the smallest relative residuals, and the largest of these."""
    ratio = np.array(x) / np.array(y)
    factor = ratio.sum() / (ratio @ ratio)
    return factor, float(np.max(np.abs(factor * ratio - 1)))


def require(name, residual):
    print(f"{name}: largest relative residual {residual:.3f}, allowed {RESIDUALS[name]}")
    assert residual <= RESIDUALS[name], f"the model does not fit: {name}"


def fit(rows):
    """Ghosts by the surface, shared bodies a ghost, sums and velocities an iteration."""
    cubes = [row for row in rows if row["scene"].startswith("grid") and row["step"] == 1
             and row["processes"] > 1 and row["bodies_most"] >= BODIES_LEAST]
    for row in cubes:
        row["bodies"] = row["processes"] * row["bodies_most"]
        row["surface"] = surface(row["bodies"], row["processes"])
    ghosts, residual = least_squares([row["surface"] for row in cubes],
                                     [row["ghosts"] for row in cubes])
    require("ghosts", residual)
    shared = sum(row["shared_bodies"] for row in cubes) / sum(row["ghosts"] for row in cubes)

    cold = {row["bodies"]: row["iterations"] for row in cubes}
    growth, residual = least_squares([n ** (1 / 3) for n in cold], list(cold.values()))
    require("iterations", residual)

    solved = [row for row in rows if row["processes"] > 1 and row["iterations"] >= 10]
    balance = [1 if row["step"] == 1 else 0 for row in solved]  # the look at the load
    sums, residual = least_squares(
        [row["iterations"] for row in solved],
        [row["gathers"] - SUMS_OF_STEP - b for row, b in zip(solved, balance)])
    errors = [abs((SUMS_OF_STEP + b + sums * row["iterations"]) / row["gathers"] - 1)
              for row, b in zip(solved, balance)]
    require("sums", max(errors))
    # Trials and steps each take a product: as many as sums of them, less one a step.
    errors = []
    for row, b in zip(solved, balance):
        measured = row["iterations"] // 10 + (row["iterations"] % 10 > 0)
        products = row["gathers"] - SUMS_OF_STEP - b - measured - row["iterations"] + 2
        row["predicted_bytes"] = (BODY_BYTES * row["ghosts"]
                                  + VELOCITY_BYTES * row["shared_bodies"] * products)
        errors.append(abs(row["predicted_bytes"] / row["bytes"] - 1))
    require("bytes", max(errors))
    return {"cubes": cubes, "ghosts": ghosts, "shared": shared, "sums": sums,
            "iterations": growth}


def iteration(model, contacts, processes, network):
    """Seconds of an iteration: work, neighbours, sums as they are, and sums along a tree."""
    bodies = contacts / CONTACTS_A_BODY
    work = contacts / processes * network.contact
    shared = model["shared"] * model["ghosts"] * surface(bodies, processes) / processes
    neighbours = 4 * network.latency + VELOCITY_BYTES * shared / network.bandwidth
    rounds = math.log2(processes)
    gathers = model["sums"] * (rounds * network.latency
                               + SUM_BYTES * processes / network.bandwidth)
    tree = model["sums"] * (2 * rounds * network.latency + SUM_BYTES / network.bandwidth)
    return work, neighbours, gathers, tree


def step(model, contacts, processes, network):
    """Iterations of a cold step, and seconds of it: those, boxes, tables of sizes."""
    bodies = contacts / CONTACTS_A_BODY
    count = model["iterations"] * bodies ** (1 / 3)
    boxes = bodies * BOX_SECONDS  # own bodies times processes
    tables = 2 * 8 * processes ** 2 / network.bandwidth
    return count, count * sum(iteration(model, contacts, processes, network)[:3]), boxes, tables


def predict(model, network):
    print("\n| contacts | processes | ghosts a process | work ms | neighbours ms | sums ms | share of "
          "work | iterations | they take s | boxes s | tables s | catalog GB a process |\n"
          "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for contacts in CONTACTS:
        for processes in PROCESSES:
            bodies = contacts / CONTACTS_A_BODY
            work, neighbours, gathers, _ = iteration(model, contacts, processes, network)
            ghosts = model["ghosts"] * surface(bodies, processes) / processes
            count, solve, boxes, tables = step(model, contacts, processes, network)
            print(f"| {contacts:.0e} | {processes:,} | {ghosts:,.0f} | {1e3 * work:.3g} | "
                  f"{1e3 * neighbours:.3f} | {1e3 * gathers:.3f} | "
                  f"{work / (work + neighbours + gathers):.2f} | {count:,.0f} | {solve:.3g} | "
                  f"{boxes:.2g} | {tables:.2g} | {CATALOG_BYTES * bodies / 1e9:.1f} |")
    print("\nContacts a process below which sums and neighbours take more than the work:")
    for processes in PROCESSES:
        least = next(c for c in np.geomspace(1e3, 1e12, 2000)
                     if (parts := iteration(model, c, processes, network))[0] >= parts[1] + parts[2])
        print(f"  {processes} processes: {least / processes:.0f}")


def predict_recording(model, network):
    """From where the first process, which gathers and writes all frames, holds up the others."""
    def share(bodies, processes, every):
        """Of gathering and writing, which are one after the other, in a cold step."""
        frame = bodies * FRAME_BYTES * (network.gather + network.write)
        return frame / every / step(model, CONTACTS_A_BODY * bodies, processes, network)[1]

    print(f"\nProcesses and bodies from which a frame takes {NOTED_SHARE:.0%} of the steps:\n"
          "| bodies a process | " + " | ".join(f"every {e} steps" for e in FRAME_EVERY) + " |\n"
          "|--:|" + "--:|" * len(FRAME_EVERY))
    for load in LOADS:
        cells = []
        for every in FRAME_EVERY:
            least = next((p for p in range(2, 100_000)
                          if share(load * p, p, every) >= NOTED_SHARE), None)
            cells.append(f"{least:,}: {load * least:.1e}" if least else "beyond 100,000")
        print(f"| {load:.0e} | " + " | ".join(cells) + " |")


def plot(model, network, target):
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.4), layout="constrained")
    for color, marker, scene in zip(COLORS, MARKERS, unique(model["cubes"], "scene")):
        part = [row for row in model["cubes"] if row["scene"] == scene]
        left.plot([row["surface"] for row in part], [row["ghosts"] for row in part], marker,
                  color=color, markersize=5, label=scene)
    ends = np.array([min(row["surface"] for row in model["cubes"]),
                     max(row["surface"] for row in model["cubes"])])
    left.plot(ends, model["ghosts"] * ends, color="black", linewidth=0.9, linestyle="--",
              label=f"{model['ghosts']:.2f} × surface")
    left.set(xscale="log", yscale="log", xlabel="surface $P (N/P)^{2/3} (1 - P^{-1/3})$",
             ylabel="ghosts, counted")
    left.legend()
    processes = np.geomspace(2, 8192, 60)
    for color, contacts in zip(COLORS, CONTACTS):
        parts = [iteration(model, contacts, p, network) for p in processes]
        name = f"$10^{{{math.log10(contacts):.0f}}}$ contacts"
        right.plot(processes, [w / (w + n + g) for w, n, g, _ in parts], color=color, label=name)
        right.plot(processes, [w / (w + n + t) for w, n, _, t in parts], color=color,
                   linestyle=":")
    right.set(xscale="log", ylim=(0, 1.02), xlabel="processes",
              ylabel="share of work in an iteration")
    right.set_xticks(PROCESSES, [f"{p:,}" for p in PROCESSES])
    right.minorticks_off()
    right.legend(loc="lower left")
    save(figure, target, "scale_model")


def main():
    parser = target_parser(__doc__.splitlines()[0])
    parser.add_argument("source", type=pathlib.Path, help="folder given to --csv")
    parser.add_argument("--latency", type=float, default=2e-6, help="of a message [s]")
    parser.add_argument("--bandwidth", type=float, default=10e9, help="of a process [bytes/s]")
    parser.add_argument("--contact", type=float, default=100e-9,
                        help="work of an iteration a contact [s]")
    parser.add_argument("--gather", type=float, default=3e-9,
                        help="of a byte of a frame, on the first process [s]")
    parser.add_argument("--write", type=float, default=2.2e-9, help="likewise, to write it [s]")
    arguments = parser.parse_args()
    rows = read(arguments.source, "scale_traffic")
    if not rows:
        parser.error(f"{arguments.source} has no scale_traffic.csv")
    style()
    model = fit(rows)
    print(f"ghosts = {model['ghosts']:.2f} surface, shared bodies = {model['shared']:.3f} ghosts, "
          f"sums = {model['sums']:.2f} iterations + {SUMS_OF_STEP}, "
          f"iterations = {model['iterations']:.1f} N^(1/3)")
    predict(model, arguments)
    predict_recording(model, arguments)
    plot(model, arguments, arguments.target)


if __name__ == "__main__":
    main()
