#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/direct/free_factor.h"
#include "solvers/krylov/free_preconditioner.h"
#include "solvers/krylov/pcg.h"

namespace drystone {

/// Free systems solved by preconditioned conjugate gradients: `factor` makes the preconditioner, or
/// keeps that of nearly the same rows, and `solve` iterates. Products are those of the body form,
/// without A, where the problem comes in it. For symmetric A.
class PcgFactor final : public FreeFactor {
 public:
  void visitSettings(SettingVisitor& visitor) override;
  void reserve(const ProblemSize& size) override;
  bool takes(BasisKind kind) const override { return kind != BasisKind::kGeneral; }
  bool needsMatrix(const ContactProblem&) const override { return preconditioner_.needsEntries(); }
  void analyze(const RowSystem& system, BasisKind kind) override;
  bool factor(const RowSystem& system, const FreeBasis& basis) override;
  bool isFresh() const override { return isFresh_; }
  /// To a residual of 1e-8 of x.
  void solve(std::span<Real> x) override;
  void solveTo(Real tolerance, std::span<Real> x) override;
  bool iterates() const override { return true; }
  std::int64_t innerIterations() const override { return innerIterations_; }

  FreePreconditioner& preconditioner() { return preconditioner_; }

 private:
  PcgStatus iterate(Real tolerance);

  FreePreconditioner preconditioner_;
  int maxIterations_ = 20'000;
  Pcg pcg_;
  const RowSystem* system_ = nullptr;
  std::vector<int> row_;                // of each unknown
  std::vector<std::uint8_t> isOut_;     // [rows]
  std::vector<Real> extra_;             // [rows] E
  std::vector<Real> diagonal_;          // [rows] A_ii
  std::vector<Real> right_, solution_;  // [rows]
  std::vector<Vec6> bodyImpulse_;       // [bodies] work space
  bool isFresh_ = true;
  bool isRegularized_ = false;  // since a direction without curvature was met
  std::int64_t innerIterations_ = 0;
};

}  // namespace drystone
