#pragma once

#include <cstddef>
#include <vector>

#include "distributed/ghosts.h"
#include "distributed/processes.h"
#include "engine/step/world_parts.h"
#include "solvers/first_order/apgd.h"

namespace drystone {

/// What the solves of a step took that several processes did together.
struct CoupledSolve {
  int rows = 0;          ///< of this process
  int sharedBodies = 0;  ///< own ones that contacts of other processes touch
  SolverReport solver;   ///< the same on all
};

/// Solves the islands of a process's world: those that no other process reaches as ever, all others
/// together with it, by the accelerated projected gradient on the exact law (ApgdSolver). A contact
/// is a row of one process only, which adds the velocity that it gives to a ghost to what the owner
/// of the body knows; see docs/scale.md.
class CoupledIslands final : public IslandCoupling, private DescentCoupling {
 public:
  /// Both must outlive it.
  CoupledIslands(Processes& processes, const GhostLists& ghosts);

  void solve(WorldParts& world, const Deadline& until) override;
  bool isAlone() const override { return processes_.count() == 1; }
  /// Of the last solve.
  const CoupledSolve& last() const { return last_; }

 private:
  void findShared(const WorldParts& world);
  void markIslands(const Islands& islands);
  void gatherProblem(const WorldParts& world);
  void finish(WorldParts& world);
  void addVelocities(std::span<Vec6> bodyVelocity) override;
  void addUp(std::span<Real> numbers) override;
  void takeLargest(std::span<Real> numbers) override;
  void send(const std::vector<std::vector<int>>& slots, const std::vector<std::vector<int>>& asked,
            std::span<const Vec6> bodyVelocity);

  Processes& processes_;
  const GhostLists& ghosts_;
  ApgdSolver solver_;
  CoupledSolve last_;
  JudgeWorkspace judge_;
  StoredProblem problem_;          ///< of the shared islands of this process
  std::vector<Real> lambda_;       ///< [rows of it]
  std::vector<RowState> state_;    ///< likewise
  std::vector<Vec6> own_, total_;  ///< [bodies of it] M⁻¹ Jᵀ λ of own rows, of all
  std::vector<int> shared_;        ///< the islands
  std::vector<char> isShared_;     ///< [islands]
  std::vector<int> place_;         ///< [body slots] in the problem; -1: not there
  std::vector<std::vector<int>> lent_, touched_;  ///< [processes] as GhostLists, where rows touch
  std::vector<std::vector<std::byte>> out_, in_;  ///< [processes]
  std::vector<Real> scratch_;
};

}  // namespace drystone
