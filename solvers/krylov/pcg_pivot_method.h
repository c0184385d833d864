#pragma once

#include <memory>
#include <span>

#include "solvers/krylov/generalized_cg.h"
#include "solvers/krylov/pcg_factor.h"
#include "solvers/pivoting/block_method.h"

namespace drystone {

/// Block pivoting whose free systems are solved by conjugate gradients. Where blocks circle,
/// descent within the bounds goes on, with the same preconditioner: an interior point would ask
/// conjugate gradients for systems that are conditioned the worse the nearer it comes.
class PcgPivotMethod final : public BlockMethod {
 public:
  PcgPivotMethod(std::shared_ptr<FreePreconditioner> preconditioner, PivotSettings settings);

  void visitSettings(SettingVisitor& visitor) override;
  void reserve(const ProblemSize& size) override;

 protected:
  PivotOutcome rescue(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                      ResidualHistory* history) override;

 private:
  /// Takes the factor over.
  PcgPivotMethod(PcgFactor* factor, std::shared_ptr<FreePreconditioner> preconditioner,
                 PivotSettings settings);

  PcgFactor* factor_;
  GeneralizedCg descent_;
};

}  // namespace drystone
