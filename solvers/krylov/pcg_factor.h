#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "solvers/krylov/free_preconditioner.h"
#include "solvers/krylov/pcg.h"
#include "solvers/linear/free_factor.h"

namespace drystone {

/// Free systems solved by preconditioned conjugate gradients: `factor` makes the preconditioner, or
/// keeps that of nearly the same rows, and `solve` iterates. Products are those of the body form,
/// without A, where the problem comes in it. For symmetric A.
class PcgFactor final : public FreeFactor {
 public:
  explicit PcgFactor(
      std::shared_ptr<FreePreconditioner> preconditioner = std::make_shared<FreePreconditioner>())
      : preconditioner_(std::move(preconditioner)) {}

  void visitSettings(SettingVisitor& visitor);
  std::string_view name() const override { return "pcg"; }
  void reserve(const ProblemSize& size) override;
  bool takes(BasisKind kind) const override { return kind != BasisKind::kGeneral; }
  bool needsMatrix(const ContactProblem&) const override { return preconditioner_->needsEntries(); }
  void analyze(const RowSystem& system, BasisKind kind) override;
  bool factor(const RowSystem& system, const FreeBasis& basis) override;
  bool isFresh() const override { return isFresh_; }
  /// To a residual of 1e-8 of x.
  void solve(std::span<Real> x) override;
  void solveTo(Real tolerance, std::span<Real> x) override;
  bool iterates() const override { return true; }
  int factorsWithinSolves() const override { return renewals_; }
  std::int64_t innerIterations() const override { return innerIterations_; }

  const FreePreconditioner& preconditioner() const { return *preconditioner_; }
  /// The most iterations of one solve.
  int maxIterations() const { return maxIterations_; }

 private:
  /// In at most `left` steps, which it takes off.
  PcgStatus iterate(Real tolerance, int& left);

  std::shared_ptr<FreePreconditioner> preconditioner_;
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
  int renewals_ = 0;            // of the preconditioner, within solves
  std::int64_t innerIterations_ = 0;
};

}  // namespace drystone
