#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "solvers/automatic/quick_sweeps.h"
#include "solvers/condense/condensed_problem.h"
#include "solvers/driver/contact_solver.h"
#include "solvers/problem/judge.h"
#include "solvers/prox/nsgs.h"

namespace drystone {

/// Goes from method to method until the problem is solved: the default of every world. Each try is
/// a door; the first ones are those that solve most problems in the least time, the last ones are
/// rare. All depends on the problem and its warm start alone, so that a restored world goes on with
/// the same bits:
///
///   quick sweeps  nsgs, where a factor of so many bodies costs far more than a sweep, and as long
///               as it gets on
///   pivots      block principal pivoting and Newton steps (bpp-auto), from the warm start
///   condensed   the same without the rows of joints, where there are any
///   sweeps      nsgs, condensed where there are joints: local solves end where Newton steps circle
///   interior    cone-ip, then proximal points from its best answer and from nothing: a warm start
///               may lie where all ways lead astray
///   cold        pivots from nothing, for known bounds and what cone-ip does not take
///   staggered   staggered projections, condensed where there are joints, and then from nothing
///   tableau     lemke, for small assembled problems with known bounds: it takes any A
///   projected   sor-prox, for the friction models that have no other method
///
/// Where a limit of time is too short for the Newton steps of so many contacts, sweeps from the
/// warm start are the only door.
///
/// The best answer of all doors is returned, by the natural map (M.11) of the problem as given. The
/// report names the doors that were tried and what each left.
class AutoSolver final : public ContactSolver {
 public:
  /// `mostFactorBlocks`: of the largest factor, as QuickSweeps has them.
  explicit AutoSolver(int mostFactorBlocks = FactorCost::kMostBlocks);

  const SolverTraits& traits() const override { return traits_; }
  bool follow(std::span<const Real> miss, std::span<Real> step) override {
    return answered_ != nullptr && answered_->follow(miss, step);
  }

 private:
  enum class Method : std::uint8_t {
    kPivots,
    kSweeps,
    kInteriorPoint,
    kStaggered,
    kLemke,
    kProjectedSweeps
  };
  /// The problem as given, without the rows of its joints, or the latter where it has any.
  enum class Form : std::uint8_t { kAsGiven, kCondensed, kEither };
  /// From the warm start, from nothing, or from the warm start while it gets on.
  enum class Way : std::uint8_t { kWarm, kCold, kQuick };
  struct Door {
    const char* name;
    Method method;
    Form form;
    int iterations;  ///< at most; what the method solves takes far fewer
    Way way = Way::kWarm;
  };
  static const Door kDoors[];
  /// Of the pivots; those of the condensed problem follow them, and change places with them where
  /// joints leave few rows.
  static constexpr int kPivotDoor = 1;

  void visitSettings(SettingVisitor&) override {}
  void reserveOwn(const ProblemSize& size) override;
  void run(const ContactProblem& problem, const SolveContext& context, ImpulseView impulses,
           SolverReport& report) override;
  ContactSolver& solverOf(Method method) const {
    return *solvers_[static_cast<std::size_t>(method)];
  }
  bool opens(const Door& door, const ContactProblem& problem);
  /// Whether there is not the time for Newton steps, so that sweeps alone are left.
  bool isTooShort(const Deadline& deadline, const ContactProblem& problem) const;
  /// False: the door has no answer.
  bool enter(const Door& door, const ContactProblem& problem, const Budget& budget,
             const SolveContext& context, JudgeWorkspace& judgement, SolverReport& report);

  /// Of a door that was entered after so many iterations.
  void addHistory(const Door& door, int before, const SolveContext& context) const;

  SolverTraits traits_;
  std::unique_ptr<ContactSolver> solvers_[6];
  NsgsSolver* sweeps_;                 ///< of these
  ContactSolver* answered_ = nullptr;  ///< of these, if the last solve has its answer as given
  CondensedProblem condensed_;
  QuickSweeps quickSweeps_;
  bool sweepsFirst_ = false;         ///< of the problem at hand
  bool isWarm_ = false;              ///< the same
  std::optional<bool> canCondense_;  ///< the same, once a door has asked
  JudgeWorkspace ownJudgement_;      ///< for callers who do not judge
  std::vector<Real> start_, lambda_;
  std::vector<Real> swept_;  ///< by quick sweeps
  std::vector<RowState> startState_, state_;
};

std::unique_ptr<ContactSolver> makeAutoSolver();

}  // namespace drystone
