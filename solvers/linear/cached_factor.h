#pragma once

#include "solvers/linear/envelope_factor.h"
#include "solvers/linear/factor_cache.h"

namespace drystone {

/// An EnvelopeFactor with full columns in the natural order, but the factor after each row that was
/// taken out is kept within the solve, so that a candidate starts from the longest prefix of its
/// tight rows that was met before (Lefebvre 2020, ch. 3).
class CachedFactor : public FreeFactor {
 public:
  std::string_view name() const override { return "cached"; }
  void reserve(const ProblemSize& size) override;
  bool takes(BasisKind kind) const override { return kind == BasisKind::kRows; }
  bool needsMatrix(const ContactProblem&) const override { return true; }
  void analyze(const RowSystem& system, BasisKind kind) override;
  bool factor(const RowSystem& system, const FreeBasis& basis) override;
  bool sharpen(const RowSystem& system) override;
  void solve(std::span<Real> x) override;

  std::int64_t storage() const override { return matrix_.entries(); }
  std::size_t cacheBytes() const override { return cache_.bytes(); }
  const FactorCache& cache() const { return cache_; }

 private:
  EnvelopeMatrix matrix_;
  FactorCache cache_;
  std::vector<Real> whole_;
  bool hasWhole_ = false;
  Real wholeRegularization_ = 0;
  bool isSharp_ = false;  // the factor at hand is a fresh one
  TightRows tight_;
  std::vector<std::uint8_t> allIn_;
  std::vector<int> place_;
  std::vector<Real> work_;
};

}  // namespace drystone
