#pragma once

#include <gtest/gtest.h>

#include "solvers/problem/judge.h"
#include "solvers/prox/prox_solver.h"
#include "tests/support/problems.h"
#include "tests/support/solved.h"

/// Every prox solver in every scheme.
namespace drystone::test {

enum class Order { kSor, kJacobi, kColored };
/// Every solver in every scheme.
struct Variant {
  Order order;
  ProxScheme scheme;
};

/// Colors of less than the share `leastColor` of all units are merged.
inline std::unique_ptr<ProxSolver> makeSolver(Variant variant, Real leastColor = 0.1) {
  std::unique_ptr<ProxSolver> solver;
  if (variant.order == Order::kJacobi) {
    solver = std::make_unique<JacobiProxSolver>();
  } else if (variant.order == Order::kSor) {
    solver = std::make_unique<SorProxSolver>();
  } else {
    auto colored = std::make_unique<SorProxColoredSolver>();
    colored->coloringSettings.leastShare = leastColor;
    solver = std::move(colored);
  }
  solver->settings.scheme = variant.scheme;
  return solver;
}

/// A solver of one variant that goes on to a natural map of 1e-11 m/s.
class ProxVariants : public ::testing::TestWithParam<Variant> {
 protected:
  std::unique_ptr<ProxSolver> solver = makeSolver(GetParam());
  Budget budget{.tolerance = 1e-11, .iterations = 200'000};
};

inline std::vector<Variant> allVariants() {
  std::vector<Variant> variants;
  for (const Order order : {Order::kSor, Order::kJacobi, Order::kColored}) {
    for (const auto scheme : {ProxScheme::kFactorized, ProxScheme::kNaive, ProxScheme::kT}) {
      variants.push_back({order, scheme});
    }
  }
  return variants;
}
inline std::string variantName(const ::testing::TestParamInfo<Variant>& variant) {
  static const char* const kOrders[] = {"Sor", "Jacobi", "Colored"};
  static const char* const kSchemes[] = {"Auto", "Naive", "T", "Factorized"};
  return std::string(kOrders[static_cast<int>(variant.param.order)]) +
         kSchemes[static_cast<int>(variant.param.scheme)];
}

}  // namespace drystone::test
