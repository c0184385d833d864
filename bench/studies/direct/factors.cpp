#include "bench/studies/direct/factors.h"

#include "solvers/problem/problem_ops.h"

namespace drystone::bench {

BlockSparseMatrix assemble(const ContactProblem& problem) {
  AssemblyWorkspace workspace;
  BlockSparseMatrix matrix;
  assembleDelassus(problem, workspace, matrix);
  return matrix;
}

std::vector<std::uint8_t> tightByPlace(const EnvelopeMatrix& envelope,
                                       std::span<const RowState> states) {
  std::vector<std::uint8_t> isOut(envelope.size(), 0);
  for (int row = 0; row < envelope.size(); ++row) {
    isOut[envelope.place(row)] = isTight(states[row]) ? 1 : 0;
  }
  return isOut;
}

Real factorCost(const EnvelopeMatrix& envelope) {
  Real cost = 0;
  for (int j = 0; j < envelope.size(); ++j) {
    const Real length = envelope.last(j) - j + 1;
    cost += length * length / 2;
  }
  return cost;
}

Real downdateCost(const EnvelopeMatrix& envelope, std::span<const std::uint8_t> isOut) {
  Real cost = 0, entriesAfter = 0;
  for (int j = envelope.size() - 1; j >= 0; --j) {
    if (isOut[j]) cost += 4 * entriesAfter;
    entriesAfter += envelope.last(j) - j + 1;
  }
  return cost;
}

}  // namespace drystone::bench
