#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/random.h"
#include "solvers/staggered/qp/banded_k0.h"
#include "solvers/staggered/qp/pdasm.h"

namespace drystone::test {

inline std::span<const Real> spanOf(const VecX& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}
inline std::span<Real> spanOf(VecX& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

inline std::string engineName(const ::testing::TestParamInfo<QpEngine>& info) {
  return info.param == QpEngine::kSchurpa ? "Schurpa" : "Direct";
}

/// A QP with bounds that owns its arrays.
struct OwnedQp {
  MatX dense;
  VecX c, lower, upper;
};

/// Positive semi-definite of the given rank, with bounds on one side, on both, on none, and of zero
/// width. c lies in the range of H, so that there is a solution.
inline OwnedQp randomQp(Random& random, int n, int rank, Real shift = 0) {
  const MatX root = MatX::NullaryExpr(n, rank, [&] { return random.uniform(-1, 1); });
  OwnedQp qp;
  qp.dense = root * root.transpose() + shift * MatX::Identity(n, n);
  qp.c = qp.dense * VecX::NullaryExpr(n, [&] { return random.uniform(-2, 2); });
  qp.lower.resize(n);
  qp.upper.resize(n);
  for (int i = 0; i < n; ++i) {
    qp.lower[i] = random.uniform() < 0.25 ? -kInfinity : random.uniform(-1, 0);
    qp.upper[i] = random.uniform() < 0.4 ? kInfinity : random.uniform(0, 1);
    if (random.uniform() < 0.1) qp.lower[i] = qp.upper[i] = random.uniform(-1, 1);
  }
  return qp;
}

/// x ≥ 0 with a random band matrix: what §7.1 of the thesis solves.
inline OwnedQp randomBandQp(Random& random, int n, int bandwidth) {
  OwnedQp qp;
  qp.dense = MatX::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = std::max(0, i - bandwidth); j < i; ++j) {
      qp.dense(i, j) = qp.dense(j, i) = random.uniform(-1, 1);
    }
  }
  for (int i = 0; i < n; ++i) qp.dense(i, i) = 0.1 + qp.dense.row(i).cwiseAbs().sum();
  qp.c = VecX::NullaryExpr(n, [&] { return random.uniform(-1, 1); });
  qp.lower = VecX::Zero(n);
  qp.upper = VecX::Constant(n, kInfinity);
  return qp;
}

/// A QP with all that a solve needs.
class QpBench {
 public:
  QpBench(QpEngine engine, const OwnedQp& qp, QpSettings settings = {})
      : owned(qp), hessian(symmetricFromDense(qp.dense)) {
    settings.engine = engine;
    metric = VecX::Constant(qp.c.size(), std::max(qp.dense.diagonal().maxCoeff(), 1e-12));
    k0.attach(hessian);
    pdasm.attach(hessian, spanOf(metric), k0, settings);
    x = VecX::Zero(qp.c.size());
    sets.assign(qp.c.size(), RowState::kUnknown);
  }
  BoxQp view() const {
    return {&hessian, spanOf(owned.c), spanOf(owned.lower), spanOf(owned.upper)};
  }
  QpReport solve() { return pdasm.solve(view(), sets, spanOf(x)); }

  OwnedQp owned;
  SymmetricMatrix hessian;
  VecX metric, x;
  std::vector<RowState> sets;
  BandedK0 k0;
  Pdasm pdasm;
};

}  // namespace drystone::test
