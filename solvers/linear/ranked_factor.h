#pragma once

#include <memory>
#include <span>

#include "core/types.h"

namespace drystone {

/// A dense square matrix K, of any rank and not symmetric, factored for systems with K and with its
/// transpose. LU with partial pivoting where K is regular; else a complete orthogonal
/// decomposition, whose answers are those of the pseudo-inverse: of all least-squares answers the
/// shortest.
class RankedFactor {
 public:
  RankedFactor();
  ~RankedFactor();

  /// `scale`: K is taken as S K S with S = diag(scale), so that rank and length have no units: an
  /// answer is short in x/scale. False: K is not finite, and nothing is kept.
  bool factor(const MatX& matrix, std::span<const Real> scale);
  /// x: r on entry, K⁺ r on return.
  void solve(std::span<Real> x) const;
  /// The same for Kᵀ, by the transpose of the same K⁺.
  void solveTransposed(std::span<Real> x) const;
  int rank() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace drystone
