#include "solvers/staggered/qp/working_set_system.h"

namespace drystone {

void WorkingSetSystem::attach(const SymmetricMatrix& hessian, std::span<const Real> extra,
                              K0Solve& k0, int maxSolves) {
  hessian_ = &hessian;
  extra_ = extra;
  k0_ = &k0;
  maxSolves_ = maxSolves;
  isFactored_ = false;
  factorizations_ = 0;
  solves_ = 0;
  forget();
}

void WorkingSetSystem::begin(const BoxQp& qp) {
  qp_ = qp;
  forgetLinear();
}

bool WorkingSetSystem::factorFree(std::span<const RowState> sets) {
  free_.clear();
  for (int i = 0; i < static_cast<int>(sets.size()); ++i) {
    if (sets[i] == RowState::kFree) free_.push_back(i);
  }
  ++factorizations_;
  isFactored_ = k0_->factor(free_, extra_);
  return isFactored_;
}

}  // namespace drystone
