#pragma once

#include "solvers/problem/residual.h"

namespace drystone {

struct JudgePart;

/// Blocks [first, last) of three rows each.
struct LaneBlocks {
  const ContactProblem& problem;
  int first, last;
};

/// Blocks of three rows, four of them at a time: where the judge of a resting world spends its
/// time. Lanes are blocks, each of which sums in the order of the functions for one block, and all
/// kernels give the same bits. Arrays by block start at the first of them, those by row at the
/// first row of the problem.
struct ContactLanes {
  /// A_ii, and the largest eigenvalue of Â_cc, in body form. `skip`, where given: blocks that may
  /// be left out.
  void (*measure)(const LaneBlocks& blocks, const bool* skip, Real* diagonal, Real* largest);
  /// y = J v + C x for the velocities of the bodies, in body form.
  void (*velocity)(const LaneBlocks& blocks, const Vec6* bodyVelocity, const Real* x, Real* y);
  /// blockError() of contacts of the `cone` model.
  void (*errors)(const LaneBlocks& blocks, const Real* steps, const Real* lambda, const Real* w,
                 BlockError* errors);
  /// Adds the other figures of such contacts to the part. Idle ones have no energies.
  void (*figures)(const LaneBlocks& blocks, const bool* idle, const Real* diagonal,
                  const Real* lambda, const Real* w, JudgePart& part);
};

/// With AVX2 where the machine has it.
const ContactLanes& contactLanes();
/// For any machine.
const ContactLanes& plainContactLanes();

/// Whether a block goes in lanes: into `velocity`, and contacts into `measure` and, where their
/// friction is exact, into the others.
inline bool isLaneBlock(const ContactProblem& problem, const ProblemBlock& block) {
  return block.rows == 3 && problem.assembled == nullptr;
}
inline bool isLaneContact(const ContactProblem& problem, const ProblemBlock& block) {
  return block.law == BlockLaw::kContact && isLaneBlock(problem, block);
}
inline bool isLaneCone(const ContactProblem& problem, const ProblemBlock& block) {
  return block.law == BlockLaw::kContact && block.rows == 3 &&
         problem.friction == FrictionModel::kCone;
}

/// Goes through the blocks in [begin, end) in their order: many(first, last) of a run of such that
/// go in lanes, else one(block).
template <class GoesInLanes, class Many, class One>
void forEachRun(const ContactProblem& problem, int begin, int end, GoesInLanes&& goesInLanes,
                Many&& many, One&& one) {
  for (int block = begin; block < end; ++block) {
    const int first = block;
    while (block < end && goesInLanes(problem, problem.blocks[block])) ++block;
    if (block > first) many(first, block);
    if (block < end) one(block);
  }
}

}  // namespace drystone
