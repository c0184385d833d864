#pragma once

#include <array>

#include "core/setting_visitor.h"
#include "core/types.h"

namespace drystone {

/// What a warm start must meet to be the answer as it is, as a share of the tolerance. An answer
/// that is off by the tolerance moves bodies, whose next problem is off by more: what rests would
/// be let go and solved in turns, and jitter at the tolerance (docs/results/accuracy.md). After an
/// exact solve it is off by far less.
constexpr Real kWarmShare = 1e-3;
/// A warm start whose natural map is at most so many tolerances is that of bodies at rest, which
/// will ask the same again: what is taken below kWarmShare then is accepted as it is. Where bodies
/// move, the next problem is another, and going on costs as much as the answer.
constexpr Real kRestingTolerances = 100;

/// What an iterative solver measures to stop.
enum class StopCriterion : std::uint8_t {
  kNaturalMap,     ///< largest natural map in velocity units (M.11) [m/s]
  kRelative,       ///< relative error of the contact-solver literature (M.12)
  kImpulseChange,  ///< |Δλ| ≤ tolerance |λ| + absolute_tolerance, per element (Nützi 2011,
                   ///< Eq. 4.49)
};

/// What an iterative solver measures, and when. Its limits are in the budget.
struct StoppingRule {
  StopCriterion criterion = StopCriterion::kNaturalMap;
  Real relativeTolerance = 1e-6;   ///< of `relative` and `impulse_change`
  Real absoluteTolerance = 1e-12;  ///< [N s], impulse_change only
  int checkEvery = 10;             ///< iterations between two measurements; one costs about as much

  /// What the criterion must come down to, where the natural map must come down to `naturalMap`:
  /// [m/s] for natural_map, else dimensionless.
  Real toleranceOf(Real naturalMap) const {
    return criterion == StopCriterion::kNaturalMap ? naturalMap : relativeTolerance;
  }

  void visit(SettingVisitor& visitor) {
    static constexpr std::array<std::string_view, 3> kCriteria = {"natural_map", "relative",
                                                                  "impulse_change"};
    visitor.choice({"criterion", "", "what is measured to stop"}, criterion, kCriteria);
    visitor.real({"relative_tolerance", "", "stop at this value of relative or impulse_change"},
                 relativeTolerance, 0, kUnlimited);
    visitor.integer({"check_every", "", "iterations between two measurements"}, checkEvery, 1,
                    1'000'000);
  }
};

}  // namespace drystone
