#include "solvers/krylov/preconditioner.h"

#include "core/check.h"
#include "core/timer.h"
#include "solvers/krylov/diagonal_preconditioner.h"
#include "solvers/krylov/incomplete_cholesky.h"
#include "solvers/krylov/threshold_cholesky.h"

namespace drystone {

void PreconditionerSettings::visit(SettingVisitor& visitor) {
  static constexpr std::string_view kKinds[] = {
      "none", "jacobi", "ic0", "ic0-shift", "ic0-partial-shift", "ict", "ic0-imaginary"};
  static constexpr std::string_view kOrders[] = {"natural", "rcm", "amd"};
  static constexpr std::string_view kScalings[] = {"none", "diagonal", "column-norm"};
  visitor.choice({"preconditioner", "", "what is applied to the residual of conjugate gradients"},
                 kind, kKinds);
  visitor.choice({"row_order", "", "order of the rows in an incomplete factor"}, order, kOrders);
  visitor.choice({"prescaling", "", "scaling of the matrix before an incomplete factor"},
                 prescaling, kScalings);
  visitor.real({"shift", "", "first diagonal shift after a breakdown, over the mean diagonal"},
               shift, 1e-12, 1);
  visitor.real({"shift_growth", "", "growth of the shift from one breakdown to the next"},
               shiftGrowth, 1.5, 100);
  visitor.real({"drop_tolerance", "", "ict: least entry over the norm of its column"},
               dropTolerance, 0, 1);
  visitor.real({"fill_cap", "", "ict: entries of a column over those of the matrix"}, fillCap, 1,
               kUnlimited);
}

void Preconditioner::factor(const SymmetricSparse& a, std::span<const std::uint8_t> isOut) {
  DRYSTONE_ASSERT(isOut.empty() || static_cast<int>(isOut.size()) == a.size);
  const Timer timer;
  statistics_ = {};
  statistics_.rows = a.size;
  isOut_.assign(isOut.begin(), isOut.end());
  make(a, isOut);
  statistics_.timeMs = timer.milliseconds();
}

std::unique_ptr<Preconditioner> makePreconditioner(const PreconditionerSettings& settings) {
  switch (settings.kind) {
    case PreconditionerKind::kNone:
    case PreconditionerKind::kJacobi:
      return std::make_unique<DiagonalPreconditioner>(settings.kind);
    case PreconditionerKind::kIct:
      return std::make_unique<ThresholdCholesky>(settings);
    case PreconditionerKind::kIc0:
    case PreconditionerKind::kIc0Shift:
    case PreconditionerKind::kIc0PartialShift:
    case PreconditionerKind::kIc0Imaginary:
      return std::make_unique<IncompleteCholesky>(settings);
  }
  DRYSTONE_ASSERT(false);
  return nullptr;
}

}  // namespace drystone
