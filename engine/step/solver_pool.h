#pragma once

#include <memory>
#include <vector>

#include "engine/model/world_settings.h"
#include "solvers/driver/registry.h"
#include "solvers/driver/solve.h"

namespace drystone {

/// The solver asked for, its fallback and their work space, once per thread.
struct SolverPool {
  struct Lane {
    std::unique_ptr<ContactSolver> solver;
    std::unique_ptr<ContactSolver> fallback;  ///< null: none
    SolveWorkspace workspace;
    ProblemSize reserved;
  };
  std::vector<Lane> lanes;

  /// For the solver, threads and friction model of the settings. Throws InputError when a name or a
  /// setting is unknown, or a solver cannot run here or does not solve the friction model (and
  /// `none`, where the projection of the poses is on) or problems in body form.
  SolverPool(const WorldSettings& settings, const SolverRegistry& registry);
  SolverPool() = default;
  /// Makes room in every lane, with some to spare, when `size` is larger than before.
  void reserve(const ProblemSize& size);
};

}  // namespace drystone
