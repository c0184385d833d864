#include "solvers/krylov/preconditioner.h"

#include "core/check.h"
#include "core/timer.h"
#include "solvers/krylov/incomplete_cholesky.h"
#include "solvers/krylov/threshold_cholesky.h"

namespace drystone {

void PreconditionerSettings::visit(SettingVisitor& visitor) {
  static constexpr std::string_view kKinds[] = {
      "none", "jacobi", "ic0", "ic0-shift", "ic0-partial-shift", "ict", "ic0-imaginary"};
  visitor.choice({"preconditioner", "", "what is applied to the residual of conjugate gradients"},
                 kind, kKinds);
  visitor.real({"drop_tolerance", "", "ict: least entry over the norm of its column"},
               dropTolerance, 0, 1);
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
