#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "solvers/driver/contact_solver.h"
#include "solvers/problem/contact_problem.h"

namespace drystone {

/// In which order a sweep updates the blocks of a problem, and which of them at the same time.
///
/// A unit is a run of blocks that one thread updates one after another. The units of a phase may go
/// at the same time: in a safe phase no two share a body that moves, so that any order gives the
/// bits of the stored one; in a simultaneous phase all see the state before the phase (Jacobi).
///
///   phases      |        0        |       1       |
///   unitStart   0         2       4   5           7
///   blocks      | j0  j1 | c0  c1 | c4 | c2   c3  |    j: joints, c: contacts
struct SweepPlan {
  struct Phase {
    int firstUnit = 0, endUnit = 0;
    bool isSimultaneous = false;
    /// Units are whole islands, for devices: each is swept by a block of threads, which update at
    /// the same time what shares no body. Comes first.
    bool isOfIslands = false;
  };
  std::vector<int> blocks;     ///< [blocks] in the order of execution
  std::vector<int> unitStart;  ///< [units + 1] into `blocks`
  static constexpr int kMaxPhases = 66;
  std::vector<Phase> phases;
  std::vector<int> phaseOf;  ///< [blocks], by the problem's index of the block
  /// Plans of the same revision other than 0 are the same, for problems of the same GraphPattern.
  std::uint64_t revision = 0;

  void reserve(const ProblemSize& size);
  /// One phase, one unit: Gauss–Seidel, joints before contacts, each in the problem's order.
  void setSequential(const ContactProblem& problem);
  /// One simultaneous phase: Jacobi.
  void setSimultaneous(const ContactProblem& problem);

  /// Rows of the blocks of a phase.
  void copyPhase(const Phase& phase, const ContactProblem& problem, std::span<const Real> from,
                 std::span<Real> to) const;

  int blockCount() const { return static_cast<int>(blocks.size()); }
  bool isSimultaneous(int block) const { return phases[phaseOf[block]].isSimultaneous; }
};

/// Which bodies and rows the blocks of a problem in body form have: what decides on plans and
/// layouts, and often stays from solve to solve while all numbers change.
class GraphPattern {
 public:
  void reserve(const ProblemSize& size) { blocks_.reserve(size.blocks); }
  /// Whether the problem has the pattern of the last call. Takes its pattern over.
  bool isKept(const ContactProblem& problem, int threads);

 private:
  struct Block {
    int firstRow, bodyA, bodyB;
    int rows;  ///< negative: of a joint
    bool operator==(const Block&) const = default;
  };
  static Block patternOf(const ProblemBlock& block);

  std::vector<Block> blocks_;
  int bodies_ = -1;  ///< −1: there was none
};
/// One that no plan has had.
std::uint64_t newRevision();

/// Calls `update(firstUnit, endUnit)` for ranges that cover the phase, at the same time where there
/// are threads and more than a handful of units.
template <class Update>
void forUnits(const SweepPlan::Phase& phase, int threads, Update&& update) {
  constexpr int kLeastUnits = 64;      // of a range: some 5 µs of work
  constexpr int kRangesPerThread = 4;  // evens out threads that lag
  const int count = phase.endUnit - phase.firstUnit;
  const int share = count / std::max(threads * kRangesPerThread, 1);
  parallelRanges(count, std::max(share, kLeastUnits), threads, [&](int begin, int end) {
    update(phase.firstUnit + begin, phase.firstUnit + end);
  });
}

/// Calls `update(block)` for the blocks of a phase.
template <class Update>
void forBlocks(const SweepPlan& plan, const SweepPlan::Phase& phase, int threads, Update&& update) {
  forUnits(phase, threads, [&](int first, int end) {
    for (int k = plan.unitStart[first]; k < plan.unitStart[end]; ++k) update(plan.blocks[k]);
  });
}

}  // namespace drystone
