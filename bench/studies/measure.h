#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/world/world.h"
#include "scenes/scene_reader.h"
#include "solvers/problem/contact_problem.h"

namespace drystone::bench {

/// Median and share below a bound of a list of measurements.
Real median(std::vector<Real> values);
Real shareAtMost(std::span<const Real> values, Real bound);

/// A library scene with the solver and single settings replaced ("max_iterations=20").
Scene sceneWith(const std::string& name, const std::string& solver,
                const std::vector<std::string>& settings = {},
                const std::vector<std::string>& overrides = {});

/// A scene as `drystone run NAME --solver SOLVER --set …` has it (no solver: its own), and with the
/// errors of that command.
Scene sceneAsRun(const std::string& name, const std::vector<std::string>& sets,
                 const std::string& solver = "");

/// What one run of a scene shows.
struct RunFigures {
  int steps = 0;
  int contactsMax = 0;
  std::vector<Real> naturalMap;  ///< per step, worst island [m/s]
  std::vector<Real> stepMs;      ///< per step
  Real driftMax = 0;             ///< farthest any dynamic body was from its start, any step [m]
  Real driftEnd = 0;             ///< the same at the end [m]
  Real sinkMax = 0;              ///< largest fall of a body below its start, any step [m]
  Real creep = 0;                ///< fastest body's mean speed over the last half [m/s]
  Real ledgerError = 0;          ///< largest [J]
};

/// Simulates `steps` steps and keeps the figures.
RunFigures run(const Scene& scene, const SolverRegistry& registry, int steps);

/// Largest mass of a dynamic body over the least.
Real massRatio(const World& world);

struct Condition {
  Real value = 0;        ///< largest eigenvalue of A over the smallest one above round-off
  int singularRows = 0;  ///< eigenvalues at round-off; of a bound: not known, 0
  bool isBound = false;  ///< from below, by the Lanczos method
};

/// By all eigenvalues up to `denseRows` rows, beyond by Lanczos steps, which find the largest
/// eigenvalue and come down to the smallest one.
Condition conditionOf(const ContactProblem& problem, int denseRows = 1500);

}  // namespace drystone::bench
