#pragma once

#include <vector>

#include "core/random.h"
#include "solvers/driver/contact_solver.h"

namespace drystone::test {

/// An MLCP with one row a block.
StoredProblem mlcp(const MatX& a, const VecX& b, const VecX& lower, const VecX& upper);
/// λ ≥ 0.
StoredProblem lcp(const MatX& a, const VecX& b);

struct MlcpAnswer {
  SolverReport report;
  VecX lambda;
  std::vector<RowState> state;
};
MlcpAnswer solveMlcp(ContactSolver& solver, const StoredProblem& stored, const VecX& warm = {},
                     std::vector<RowState> states = {}, const Budget& budget = {});
inline MlcpAnswer solveMlcp(ContactSolver& solver, const StoredProblem& stored,
                            const Budget& budget) {
  return solveMlcp(solver, stored, {}, {}, budget);
}

/// w = A λ + b.
VecX velocityOf(const StoredProblem& stored, const VecX& lambda);

/// w of a solution found by trying all 3^n index sets, with least-squares answers where a set is
/// singular; w is unique for a positive semi-definite A.
VecX velocityByEnumeration(const MatX& a, const VecX& b, const VecX& lower, const VecX& upper);

struct RandomMlcp {
  MatX a;
  VecX b, lower, upper;
};
/// A of the given rank, with boxes, half-lines of both kinds, fixed and bilateral rows. b lies in
/// the range of A, so that there is a solution.
RandomMlcp randomMlcp(Random& random, int n, int rank);

}  // namespace drystone::test
