#pragma once

#include <chrono>
#include <functional>

#include "solvers/driver/registry.h"
#include "viewer/session/race.h"
#include "viewer/session/race_problem.h"

namespace drystone::viewer {

/// Runs one solver of a race to its end and writes its points into the entry. A solver that
/// stops at a tolerance is run from the start again and again, for 1, 2, 3, 5, 8, … iterations, so
/// that every point is the true answer of so many; it goes on until it stops by itself, its own
/// `max_iterations`, or the time limit. One that ends at round-off gives one point. Times are those
/// of a solver that has run before, in memory that it has, and the least of several where they are
/// short. Calls `progress` after each point and ends early when that returns false. What is wrong
/// with the choice becomes the note of the entry.
void raceSolver(const RaceProblem& problem, const SolverRegistry& registry,
                std::chrono::duration<double> timeLimit, RaceEntry& entry,
                const std::function<bool()>& progress);

}  // namespace drystone::viewer
