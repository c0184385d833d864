#pragma once

#include <array>
#include <limits>

#include "solvers/driver/settings.h"

namespace drystone {

/// What an iterative solver measures to stop.
enum class StopCriterion : std::uint8_t {
  kNaturalMap,     ///< largest natural map in velocity units (M.11) [m/s]
  kRelative,       ///< relative error of the contact-solver literature (M.12)
  kImpulseChange,  ///< |Δλ| ≤ tolerance |λ| + absolute_tolerance, per element (003 Eq. 4.49)
};

/// When an iterative solver stops. Part of the settings of every such solver.
struct StoppingRule {
  StopCriterion criterion = StopCriterion::kNaturalMap;
  Real tolerance = 1e-6;           ///< [m/s] for natural_map, else dimensionless
  Real absoluteTolerance = 1e-12;  ///< [N s], impulse_change only
  int maxIterations = 1000;
  int checkEvery = 10;          ///< iterations between two measurements; one costs about as much
  Real timeLimit = kUnlimited;  ///< [s]; below the default, results depend on the machine's speed

  void visit(SettingVisitor& visitor) {
    static constexpr std::array<std::string_view, 3> kCriteria = {"natural_map", "relative",
                                                                  "impulse_change"};
    visitor.choice({"criterion", "", "what is measured to stop"}, criterion, kCriteria);
    visitor.real({"tolerance", "m/s or 1", "stop at this value of the criterion"}, tolerance, 0,
                 kUnlimited);
    visitor.real({"absolute_tolerance", "N s", "absolute part of impulse_change"},
                 absoluteTolerance, 0, kUnlimited);
    visitor.integer({"max_iterations", "", "stop after this many iterations"}, maxIterations, 0,
                    std::numeric_limits<int>::max());
    visitor.integer({"check_every", "", "iterations between two measurements"}, checkEvery, 1,
                    1'000'000);
    visitor.real({"time_limit_s", "s", "stop after this time; makes results depend on the machine"},
                 timeLimit, 0, kUnlimited);
  }
};

}  // namespace drystone
