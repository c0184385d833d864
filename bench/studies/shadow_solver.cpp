#include "bench/studies/shadow_solver.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "core/check.h"
#include "solvers/default_registry.h"
#include "solvers/krylov/krylov_solvers.h"
#include "solvers/problem/judge.h"
#include "solvers/staggered/staggered.h"

namespace drystone::bench {
namespace {

/// The one that solvers made now belong to.
Shadow* current = nullptr;

Real largestOf(std::span<const Real> values) {
  Real largest = 0;
  for (const Real value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

Real largestDifference(std::span<const Real> a, std::span<const Real> b) {
  Real largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

Real ratio(Real a, Real b) { return b > 0 ? a / b : a; }

class ShadowSolver : public ContactSolver {
 public:
  explicit ShadowSolver(Shadow& shadow) : shadow_(shadow) {
    const SolverRegistry library = makeDefaultRegistry();
    for (const ShadowRun& run : shadow.runs()) {
      Lane lane{library.create(run.solver)};
      for (const auto& [name, value] : run.settings) {
        if (!applySetting(lane.budget, name, value)) applySetting(*lane.solver, name, value);
      }
      lanes_.push_back(std::move(lane));
    }
    traits_ = lanes_.front().solver->traits();
    traits_.name = "shadow";
    traits_.summary = "several solvers side by side";
  }

  const SolverTraits& traits() const override { return traits_; }

 protected:
  void visitSettings(SettingVisitor&) override {}
  void reserveOwn(const ProblemSize& size) override {
    for (Lane& lane : lanes_) lane.solver->reserve(size);
  }

  void run(const ContactProblem& problem, const SolveContext&, ImpulseView impulses,
           SolverReport& report) override {
    if (!shadow_.isOn || problem.friction != shadow_.friction) {
      report = lanes_.front().solver->solve(problem, lanes_.front().budget, impulses);
      return;
    }
    for (int repeat = 0; repeat < shadow_.repeats(); ++repeat) {
      for (std::size_t i = 0; i < lanes_.size(); ++i) {
        const std::size_t turn = (i + repeat + turns_) % lanes_.size();
        // What did not converge is not timed: once is enough.
        if (repeat > 0 && lanes_[turn].best.status != SolveStatus::kConverged) continue;
        runLane(lanes_[turn], shadow_.runs()[turn].startsFree, repeat == 0, problem, impulses);
      }
    }
    ++turns_;
    record(problem);
    const Lane& first = lanes_.front();
    if (shadow_.observer) {
      shadow_.observer({problem, impulses.lambda, impulses.state, first.lambda, first.state,
                        shadow_.records.back()});
    }
    std::copy(first.lambda.begin(), first.lambda.end(), impulses.lambda.begin());
    std::copy(first.state.begin(), first.state.end(), impulses.state.begin());
    report = first.best;
  }

 private:
  struct Lane {
    std::unique_ptr<ContactSolver> solver;
    Budget budget = {};
    SolverReport best = {};
    double cpuMs = 0;              // of that run
    KrylovStatistics krylov = {};  // of that run
    QpTotals contactQps = {}, frictionQps = {};
    std::vector<Real> lambda = {};
    std::vector<RowState> state = {};
  };

  static void runLane(Lane& lane, bool startsFree, bool isFirstRepeat,
                      const ContactProblem& problem, const ImpulseView& start) {
    lane.lambda.assign(start.lambda.begin(), start.lambda.end());
    lane.state.assign(start.state.begin(), start.state.end());
    if (startsFree) {
      std::fill(lane.lambda.begin(), lane.lambda.end(), 0.0);
      std::fill(lane.state.begin(), lane.state.end(), RowState::kFree);
    }
    const std::clock_t begin = std::clock();  // of the process, which has one thread
    const SolverReport report = lane.solver->solve(problem, lane.budget, {lane.lambda, lane.state});
    const std::clock_t end = std::clock();
    if (!isFirstRepeat && report.timeMs >= lane.best.timeMs) return;
    lane.best = report;
    lane.cpuMs = 1e3 * static_cast<double>(end - begin) / CLOCKS_PER_SEC;
    const auto* krylov = dynamic_cast<const KrylovSolver*>(lane.solver.get());
    if (krylov != nullptr) lane.krylov = krylov->statistics();
    if (const auto* staggered = dynamic_cast<const StaggeredSolver*>(lane.solver.get())) {
      lane.contactQps = staggered->contactTotals();
      lane.frictionQps = staggered->frictionTotals();
    }
  }

  void record(const ContactProblem& problem) {
    const Lane& first = lanes_.front();
    ShadowRecord record;
    record.rows = problem.rowCount();
    record.contacts = problem.contactCount();
    record.tightRows =
        static_cast<int>(std::count_if(first.state.begin(), first.state.end(), [](RowState state) {
          return state == RowState::kLower || state == RowState::kUpper;
        }));
    for (const Lane& lane : lanes_) {
      ShadowFigures figures{lane.best};
      figures.cpuMs = lane.cpuMs;
      figures.krylov = lane.krylov;
      const JudgeReport judged = judge(problem, lane.lambda, workspace_);
      figures.energyMax = judged.energyMax;
      figures.naturalMap = judged.naturalMap;
      figures.contactQps = lane.contactQps;
      figures.frictionQps = lane.frictionQps;
      if (&lane == &first) {
        firstVelocity_ = workspace_.w;
      } else {
        figures.velocityError =
            ratio(largestDifference(workspace_.w, firstVelocity_), largestOf(problem.b));
        figures.impulseError =
            ratio(largestDifference(lane.lambda, first.lambda), largestOf(first.lambda));
      }
      record.runs.push_back(figures);
    }
    shadow_.records.push_back(std::move(record));
  }

  Shadow& shadow_;
  SolverTraits traits_;
  std::vector<Lane> lanes_;
  std::size_t turns_ = 0;
  JudgeWorkspace workspace_;
  std::vector<Real> firstVelocity_;
};

}  // namespace

Shadow::Shadow(std::vector<ShadowRun> runs, int repeats)
    : runs_(std::move(runs)), repeats_(repeats), registry_(makeDefaultRegistry()) {
  DRYSTONE_ASSERT(current == nullptr && !runs_.empty());
  current = this;
  registry_.add([]() -> std::unique_ptr<ContactSolver> {
    DRYSTONE_ASSERT(current != nullptr);
    return std::make_unique<ShadowSolver>(*current);
  });
}

Shadow::~Shadow() { current = nullptr; }

}  // namespace drystone::bench
