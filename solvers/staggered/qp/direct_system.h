#pragma once

#include "solvers/staggered/qp/working_set_system.h"

namespace drystone {

/// A factor for every working set that differs from the one before (Litven's DIRECT).
class DirectSystem final : public WorkingSetSystem {
 public:
  bool solve(std::span<const RowState> sets, std::span<Real> x) override;
  void correct(std::span<const Real> r, std::span<Real> x) override;
  bool refactor(std::span<const RowState>) override { return false; }

 private:
  void forget() override {}
  void forgetLinear() override {}
  bool isFactorOf(std::span<const RowState> sets) const;

  std::vector<Real> right_;  // [free]
};

}  // namespace drystone
