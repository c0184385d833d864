#!/usr/bin/env python3
"""Runs scenes for a long time and says what grows; `scripts/soak` calls it and draws what it wrote.

Each of the scenes runs with exact steps and with soft ones, in a process of its own, for N steps or
SECONDS of wall time, whichever comes first. FOLDER/soak.csv gets a row a sample. The exit code is 1
where the heap grows, a figure is not finite or a run ends early. Needs the Python package.
"""

import argparse
import csv
import ctypes
import gc
import math
import multiprocessing
import os
import pathlib
import statistics
import sys
import time

BOTH = ["exact", "soft"]
SCENES = {"stack_40": BOTH, "arch": BOTH, "card_house": BOTH, "chain_hanging": BOTH, "crane": BOTH,
          "vehicle": BOTH, "conveyor": BOTH, "stirred_pile": BOTH,
          "newtons_cradle": ["exact"]}  # soft steps have no Poisson impacts
COLUMNS = ["scene", "stepping", "step", "drift_m", "energy_J", "kinetic_J", "resident_MB", "heap_MB",
           "step_ms", "missed_steps"]
SAMPLES = 200
GROWTH_MB = 0.25  # of the heap over the second half of a run, above which memory grows


class MallInfo(ctypes.Structure):
    """struct mallinfo2 of glibc."""
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
        "fordblks", "keepcost")]


MALLINFO = ctypes.CDLL(None).mallinfo2
MALLINFO.restype = MallInfo


def heap_in_use():
    """Of malloc, without what it keeps for later [MB]. Resident memory moves by pages and arenas."""
    gc.collect()
    info = MALLINFO()
    return (info.uordblks + info.hblkhd) / 1e6


def resident():
    """[MB]"""
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def load(scene, stepping):
    import drystone
    overrides = {"world.stepping": stepping}
    if scene != "stirred_pile":
        return drystone.load(scene, overrides=overrides)
    pile = {"generators.0.count": 60, "generators.0.columns_x": 3, "generators.0.columns_y": 3}
    return drystone.load("pile_1000", overrides=overrides | pile)


def stir(world):
    """Tilts gravity by 45 degrees and turns it, once in ten seconds: 60 bodies slide round their bin."""
    turn = 2 * math.pi * world.time / 10
    world.gravity = (6.94 * math.cos(turn), 6.94 * math.sin(turn), -6.94)


def soak(scene, stepping, arguments):
    """Steps a world and writes a row a sample. Its first sample is where drift counts from."""
    import numpy
    world = load(scene, stepping)
    change = stir if scene == "stirred_pile" else lambda world: None
    dynamic = [row for row, body in enumerate(world.bodies) if body.kind == "dynamic"]
    begin, end = time.monotonic(), time.monotonic() + arguments.seconds
    start, step, missed, used, sampled, due = None, 0, 0, 0.0, 0, begin
    with (arguments.folder / "soak.csv").open("a") as file:
        rows = csv.writer(file)
        while step < arguments.steps and time.monotonic() < end:
            cpu = time.process_time()
            while True:
                change(world)
                report = world.step()
                step += 1
                missed += not report.within_tolerance
                now = time.monotonic()
                if (step % -(-arguments.steps // SAMPLES) == 0 or now >= min(due, end)
                        or step == arguments.steps):
                    break
            used = (time.process_time() - cpu) * 1e3 / (step - sampled)
            sampled, due = step, time.monotonic() + arguments.seconds / SAMPLES
            positions = world.positions()[dynamic]
            start = positions if start is None else start
            drift = float(numpy.linalg.norm(positions - start, axis=1).max())
            energy = report.energy
            rows.writerow([scene, stepping, step, drift, energy["kinetic"] + energy["potential"],
                           energy["kinetic"], resident(), heap_in_use(), used, missed])
            file.flush()


def verdict(rows):
    """A line of the table, and what is wrong with it. Changes are those of the second half."""
    last, kept = rows[-1], rows[len(rows) // 2]
    heap = last["heap_MB"] - kept["heap_MB"]
    quarter = -(-len(rows) // 4)
    before, after = (statistics.median(row["step_ms"] for row in part)
                     for part in (rows[quarter:2 * quarter], rows[-quarter:]))
    line = (f"| {last['scene']} | {last['stepping']} | {last['step']:,.0f} | {last['missed_steps']:,.0f} | "
            f"{last['drift_m']:.1e} | {last['drift_m'] - kept['drift_m']:+.1e} | "
            f"{last['energy_J'] - kept['energy_J']:+.1e} | {last['resident_MB'] - kept['resident_MB']:+.2f} | "
            f"{heap * 1e3:+.1f} | {after:.3f} | {after / before:.2f} |")
    faults = [f"{key} is {row[key]} at step {row['step']:.0f}" for row in rows for key in COLUMNS[3:]
              if not math.isfinite(row[key])]
    if heap > GROWTH_MB:
        faults.append(f"the heap grows by {heap:.2f} MB from step {kept['step']:.0f} on")
    return line, faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("seconds", nargs="?", type=float, default=math.inf, help="a run; default: no limit")
    parser.add_argument("--steps", type=int, default=1_000_000, help="a run; default: a million")
    parser.add_argument("--scenes", nargs="+", choices=SCENES, default=list(SCENES))
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("build/soak"))
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    path = arguments.folder / "soak.csv"
    path.write_text(",".join(COLUMNS) + "\n")

    print("| scene | stepping | steps | missed | drift, m | change of drift, m | of energy, J | of resident memory, MB "
          "| of heap, kB | time a step, ms | times that before |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    faults = []
    for scene in arguments.scenes:
        for stepping in SCENES[scene]:
            run = multiprocessing.Process(target=soak, args=(scene, stepping, arguments))
            run.start()
            run.join()
            with path.open() as file:
                rows = [{key: text if key in COLUMNS[:2] else float(text) for key, text in row.items()}
                        for row in csv.DictReader(file) if (row["scene"], row["stepping"]) == (scene, stepping)]
            wrong = [] if run.exitcode == 0 else [f"ended with exit code {run.exitcode}"]
            if rows:
                line, more = verdict(rows)
                print(line, flush=True)
                wrong += more
            faults += [f"{scene}, {stepping} steps: {text}" for text in wrong]
    for fault in faults:
        print(f"soak: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
