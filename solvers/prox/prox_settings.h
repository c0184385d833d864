#pragma once

#include <array>

#include "solvers/driver/settings.h"
#include "solvers/driver/stopping.h"

namespace drystone {

/// How the R factors of a prox iteration λ ← prox(λ − R (A λ + b)) are chosen (Poulsen 2010, §3.5).
enum class StepStrategy : std::uint8_t {
  kSplit,   ///< as `local`, with what meets in a body at the same time sharing its mass
  kLocal,   ///< α/A_ii per normal, α/max(A_tt) for the tangents of a contact (Nützi 2011,
            ///< Eq. 4.41–4.43)
  kGlobal,  ///< one 2α/(λ_min + λ_max) for all rows (Poulsen 2010, Eq. 3.24); suits rows of one
            ///< unit only
};

/// What the iteration works on (Poulsen 2010, §3.4).
enum class ProxScheme : std::uint8_t {
  kAuto,        ///< factorized for problems in body form, naive for assembled ones
  kNaive,       ///< A, block-sparse; assembled first when the problem comes in body form
  kT,           ///< T = 1 − R A; as `naive`
  kFactorized,  ///< J and body velocities; body form only
};

/// In which precision vector lanes or a device sweep; the judge and the stopping rule measure in
/// double.
enum class SweepPrecision : std::uint8_t {
  kFloat,  ///< ends as `stalled` at its round-off
  kMixed,  ///< float down to its round-off, then double
  kDouble,
};
/// Whether sweeps begin in float. Round-off is known as a velocity: by another measure there is no
/// telling when to go on in double.
inline bool startsInFloat(SweepPrecision precision, StopCriterion criterion) {
  return precision == SweepPrecision::kFloat ||
         (precision == SweepPrecision::kMixed && criterion == StopCriterion::kNaturalMap);
}
inline void visitPrecision(SettingVisitor& visitor, SweepPrecision& precision) {
  static constexpr std::array<std::string_view, 3> kPrecisions = {"float", "mixed", "double"};
  visitor.choice({"precision", "", "of the sweeps; measured is in double"}, precision, kPrecisions);
}

/// Settings of `sor-prox` and `jacobi-prox`.
struct ProxSettings {
  StoppingRule stopping;
  ProxScheme scheme = ProxScheme::kAuto;
  StepStrategy step = StepStrategy::kSplit;
  Real relaxation = 1;  ///< α, 0 < α < 2

  void visit(SettingVisitor& visitor) {
    static constexpr std::array<std::string_view, 4> kSchemes = {"auto", "naive", "T",
                                                                 "factorized"};
    visitSweeps(visitor);
    visitor.choice({"scheme", "", "what the sweeps work on"}, scheme, kSchemes);
  }
  /// Without the scheme, for solvers that have one of their own.
  void visitSweeps(SettingVisitor& visitor) {
    visitSteps(visitor);
    visitor.real(
        {"relaxation", "",
         "factor on every R; sor-prox is stable to 1.1, below 2 where tangents do not couple"},
        relaxation, 1e-6, 1.999);
  }
  /// Nor the relaxation.
  void visitSteps(SettingVisitor& visitor) {
    static constexpr std::array<std::string_view, 3> kSteps = {"split", "local", "global"};
    stopping.visit(visitor);
    visitor.choice({"step", "", "how the R factors are chosen"}, step, kSteps);
  }
};

}  // namespace drystone
