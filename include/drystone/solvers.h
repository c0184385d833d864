#pragma once

/// Solvers, and contact problems without a world. Read `internal/solvers/driver/solve.h` first;
/// docs/solvers/README.md says what each solver is for.
///
/// - `SolverRegistry`: solvers by name. `makeDefaultRegistry` has all but those for CUDA devices,
///   which `gpu::addGpuSolvers` adds. A world keeps a copy of the registry that it is made with.
/// - `SolverChoice`, `Budget`: name and settings of a solver; tolerance, iterations, time, threads.
/// - `ContactProblem`: the rows of one island, a view of arrays that others own. `readProblemFile`
///   reads stored ones, from JSON, HDF5 and FCLIB files.
/// - `solveProblem`: trivial cases, the warm start, the solver, its fallback, and the judge in one
///   call.
/// - `judge`: how well impulses solve a problem, by measures that all solvers share.
///
/// The worlds of a program on the first device, where there is one:
///
///     drystone::SolverRegistry solvers = drystone::makeDefaultRegistry();
///     drystone::gpu::addGpuSolvers(solvers);
///     drystone::WorldSettings settings;
///     if (!drystone::gpu::devices().empty()) settings.solver.name = "gpu-sor";
///     drystone::World world(settings, solvers);  // <drystone/world.h>
///
/// A solver of your own derives from `ContactSolver` and joins a registry by its name.

#include "gpu/devices.h"
#include "gpu/gpu_solvers.h"
#include "solvers/default_registry.h"
#include "solvers/driver/solve.h"
#include "solvers/file/problem_file.h"
#include "solvers/problem/judge.h"
#include "solvers/problem/problem_ops.h"
