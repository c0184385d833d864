#include "solvers/prox/prox_solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/parallel.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {
namespace {

const std::vector<FrictionModel> kAllModels = {FrictionModel::kNone,    FrictionModel::kBox,
                                               FrictionModel::kPyramid, FrictionModel::kDiamond,
                                               FrictionModel::kCone,    FrictionModel::kContensou,
                                               FrictionModel::kRolling};

/// Reads divergence off the measured errors. Poulsen 2010, §3.5 takes any growth of max |Δλ| over
/// one sweep for divergence and halves R; but that figure grows in sound runs too, mostly in the
/// first sweeps, and every needless halving doubles the sweeps to come. So a run is left alone
/// until its error is far above the first one measured since the last restart, or is not finite, or
/// it circles: it has spent more than half of the run, and no short time, without getting better by
/// 1
/// %. Sound runs do pass through long plateaus while contacts change between sticking and slipping.
class Progress {
 public:
  enum class Verdict { kBetter, kWaiting, kDiverged };

  Verdict judge(int iteration, Real error) {
    if (first_ < 0 && std::isfinite(error)) first_ = error;
    if (start_ < 0) start_ = first_;
    if (error < best_) {
      best_ = error;
      if (error <= kProgress * reference_) {
        reference_ = error;
        progressAt_ = iteration;
      }
      return Verdict::kBetter;
    }
    const bool grown =
        !std::isfinite(error) || (first_ >= 0 && error > kGrowth * std::max(first_, best_));
    const int patience = best_ > kSettled * start_ ? kPatience : kSettledPatience;
    const bool circling = iteration - progressAt_ >= std::max(patience, iteration / 2 + 1);
    return grown || circling ? Verdict::kDiverged : Verdict::kWaiting;
  }
  void restart(int iteration) {
    first_ = -1;
    progressAt_ = iteration;
  }
  Real best() const { return best_; }

 private:
  static constexpr Real kGrowth = 10;
  // Sweeps: a quarter of the default limit, so that what circles gets another chance there.
  static constexpr int kPatience = 250;
  // What has come down to this share of its start does not circle, but may creep past redundant
  // contacts for thousands of sweeps.
  static constexpr Real kSettled = 1e-2;
  static constexpr int kSettledPatience = 10'000;
  static constexpr Real kProgress = 0.99;

  Real start_ = -1;  // first error of all
  Real first_ = -1;  // first error since the last restart
  Real best_ = kInfinity;
  Real reference_ = kInfinity;  // best error by as much better as counts
  int progressAt_ = 0;          // iteration of the best error, or of the restart after it
};

/// ν: R ← ν R when the iteration diverges (Poulsen 2010, §3.5), and so often at most.
constexpr Real kReduction = 0.5;
constexpr int kMostReductions = 5;
/// A last iterate with an error this many times the best one is not returned.
constexpr Real kMuchWorse = 2;
/// Where the system compares sweeps by itself, only so many checks are measured, for the guard
/// against divergence, until it says that they stand still.
constexpr int kComparedChecks = 10;

bool allFinite(std::span<const Real> values, int threads) {
  constexpr int kRowGrain = 1 << 14;  // rows of a range: some 10 µs of work
  return !parallelAny(static_cast<int>(values.size()), kRowGrain, threads, [&](int begin, int end) {
    return !std::all_of(values.begin() + begin, values.begin() + end,
                        [](Real value) { return std::isfinite(value); });
  });
}

SolverTraits proxTraits(std::string_view name, std::string_view summary, std::string_view source,
                        std::string_view whenToTake = "") {
  SolverTraits traits;
  traits.whenToTake = whenToTake;
  traits.name = name;
  traits.summary = summary;
  traits.source = source;
  traits.frictionModels = kAllModels;
  return traits;
}

SolverTraits parallelTraits(std::string_view name, std::string_view summary,
                            std::string_view source) {
  SolverTraits traits = proxTraits(name, summary, source);
  traits.parallel = true;
  return traits;
}

}  // namespace

ProxSolver::ProxSolver(SolverTraits traits) : traits_(std::move(traits)) {}

SorProxSolver::SorProxSolver()
    : ProxSolver(
          proxTraits("sor-prox", "projected Gauss-Seidel with relaxation (SOR prox)",
                     "Nützi 2011, section 4.6.2; Poulsen 2010, section 3.4",
                     "a fixed budget of sweeps, all friction models and both problem forms")) {}

void SorProxSolver::makePlan(const ContactProblem& problem, SweepPlan& plan) {
  plan.setSequential(problem);
}

JacobiProxSolver::JacobiProxSolver()
    : ProxSolver(parallelTraits("jacobi-prox", "projected Jacobi with relaxation (JOR prox)",
                                "Nützi 2011, section 4.6.1; Poulsen 2010, section 3.3")) {}

void JacobiProxSolver::makePlan(const ContactProblem& problem, SweepPlan& plan) {
  plan.setSimultaneous(problem);
}

SorProxColoredSolver::SorProxColoredSolver()
    : ProxSolver(parallelTraits("sor-prox-colored",
                                "projected Gauss-Seidel, colors of independent contacts at a time",
                                "Poulsen 2010, chapters 4 and 7")) {}

void SorProxColoredSolver::visitSettings(SettingVisitor& visitor) {
  ProxSolver::visitSettings(visitor);
  coloringSettings.visit(visitor);
}

void SorProxColoredSolver::reserveOwn(const ProblemSize& size) {
  ProxSolver::reserveOwn(size);
  coloring_.reserve(size);
}

void SorProxColoredSolver::makePlan(const ContactProblem& problem, SweepPlan& plan) {
  coloring_.plan(problem, coloringSettings, plan);
}

void ProxSolver::reserveSystems(const ProblemSize& size) {
  factorized_.reserve(size);
  naive_.reserve(size);
  t_.reserve(size);
}

void ProxSolver::reserveOwn(const ProblemSize& size) {
  reserveSystems(size);
  plan_.reserve(size);
  meter_.reserve(size);
  lambda_.reserve(size.rows);
  previous_.reserve(size.rows);
  w_.reserve(size.rows);
  spectrum_.x.reserve(size.rows);
  spectrum_.y.reserve(size.rows);
  spectrum_.bodyVelocity.reserve(size.bodies);
}

StepRule ProxSolver::stepRule(const ContactProblem& problem) {
  StepRule rule;
  rule.strategy = settings.step;
  rule.relaxation = settings.relaxation;
  if (settings.step == StepStrategy::kGlobal) rule.globalStep = globalStep(problem, spectrum_);
  return rule;
}

bool ProxSolver::takes(const ContactProblem& problem) const {
  return !problem.assembled || settings.scheme != ProxScheme::kFactorized;
}

ProxSystem* ProxSolver::layOut(const ContactProblem& problem, const SweepPlan& plan,
                               const StepRule& rule, SolverReport& report) {
  if (settings.scheme == ProxScheme::kT) {
    t_.prepare(problem, plan, rule, threads_);
    report.assemblyMs = t_.assemblyMs();
    return &t_;
  }
  if (settings.scheme == ProxScheme::kNaive ||
      (settings.scheme == ProxScheme::kAuto && problem.assembled)) {
    naive_.prepare(problem, plan, rule, threads_);
    report.assemblyMs = naive_.assemblyMs();
    return &naive_;
  }
  factorized_.prepare(problem, plan, rule, threads_);
  return &factorized_;
}

/// Null: what is asked for needs λ and w here, or the system has none.
OwnMeasurement* ProxSolver::ownMeasurement(ProxSystem& system) const {
  return meter_.asksForNaturalMap() ? system.measurement() : nullptr;
}

Measurement ProxSolver::measure(ProxSystem& system) {
  if (OwnMeasurement* own = ownMeasurement(system)) {
    const Real error = own->naturalMap(meter_.steps());
    return {.residual = error, .error = error};
  }
  system.getImpulses(lambda_);
  system.constraintVelocity(w_);
  return meter_.measure(lambda_, previous_, w_);
}

/// Sweeps until the rule says stop. `impulses` holds the best iterate measured so far, at first the
/// warm start. A run that ends at a limit returns its last iterate all the same unless that is much
/// worse: sweeps lower the energy of all contacts together, while the residual is that of one
/// contact and wavers, so that the earlier iterate with the better figure is mostly the poorer
/// answer (a wall of bricks at 50 sweeps a step: overlaps nine times deeper).
SolveStatus ProxSolver::iterate(const ContactProblem& problem, const SolveContext& context,
                                ProxSystem* system, ImpulseView impulses, SolverReport& report) {
  const StoppingRule& rule = settings.stopping;
  const Real tolerance = rule.toleranceOf(context.tolerance);
  const bool measures = rule.checkEvery <= context.iterations;
  Progress progress;
  bool isKeptThere = false;  // the best iterate is with the system that measured it
  const auto keep = [&] {
    OwnMeasurement* own = ownMeasurement(*system);
    isKeptThere = own != nullptr;
    if (isKeptThere) return own->keep();
    parallelCopy(std::span<const Real>(lambda_), impulses.lambda.data(), threads_);
  };
  const auto fetchKept = [&] {
    if (std::exchange(isKeptThere, false)) ownMeasurement(*system)->getKept(impulses.lambda);
  };

  const auto isRoundOff = [&](Real residual) {
    return rule.criterion == StopCriterion::kNaturalMap && residual <= system->roundOff();
  };
  const auto sharpen = [&] {
    fetchKept();
    system = sharper(problem, plan_, stepRule(problem));
    if (system == nullptr) return false;
    system->setImpulses(impulses.lambda);
    // What diverged with longer steps does so again.
    system->scaleSteps(std::pow(kReduction, report.stepReductions));
    return true;
  };

  // The start is an iterate too: it may be the solution, and it sets the scale of divergence.
  if (measures) {
    const auto [residual, error] = measure(*system);
    progress.judge(0, error);
    if (!meter_.needsPrevious()) context.history.add(0, residual);
    if (residual <= tolerance) return SolveStatus::kConverged;
    if (isRoundOff(residual) && !sharpen()) return SolveStatus::kStalled;
  }

  bool outOfTime = false;
  int compared = 0;  // checks by the system's own comparison
  Real last = 0;     // error of the present iterate, where measured
  while (report.iterations < context.iterations && !outOfTime) {
    outOfTime = context.deadline.passed();
    const bool atEnd = outOfTime || report.iterations + 1 == context.iterations;
    const bool check = measures && ((report.iterations + 1) % rule.checkEvery == 0 || atEnd);
    SweepComparison* comparison = check ? system->comparison() : nullptr;
    if (check && meter_.needsPrevious()) {
      previous_.resize(problem.rowCount());
      if (comparison == nullptr) system->getImpulses(previous_);
    }
    system->sweep();
    ++report.iterations;
    if (comparison != nullptr) {
      const bool isDue = atEnd || ++compared % kComparedChecks == 0;
      if (!isDue && !comparison->standsStill()) continue;
      comparison->getPrevious(previous_);
    }
    if (check) {
      const auto [residual, error] = measure(*system);
      last = error;
      context.history.add(report.iterations, residual);
      const Progress::Verdict verdict = progress.judge(report.iterations, error);
      if (residual <= tolerance) {
        system->getImpulses(impulses.lambda);
        return SolveStatus::kConverged;
      }
      if (verdict == Progress::Verdict::kBetter) keep();
      if (isRoundOff(residual)) {
        if (!sharpen()) return SolveStatus::kStalled;
        continue;
      }
      if (verdict == Progress::Verdict::kDiverged) {
        fetchKept();
        if (report.stepReductions == kMostReductions) return SolveStatus::kStalled;
        ++report.stepReductions;
        system->setImpulses(impulses.lambda);
        system->scaleSteps(kReduction);
        progress.restart(report.iterations);
      }
    }
  }
  const SolveStatus status = outOfTime ? SolveStatus::kTimeLimit : SolveStatus::kIterationLimit;
  system->getImpulses(lambda_);
  const bool measured = !context.history.entries().empty();
  if (allFinite(lambda_, threads_) && last <= kMuchWorse * progress.best()) {
    parallelCopy(std::span<const Real>(lambda_), impulses.lambda.data(), threads_);
    return status;
  }
  fetchKept();
  return measured ? status : SolveStatus::kNumericalFailure;
}

ProxSystem* ProxSolver::prepare(const ContactProblem& problem, int threads, SolverReport& report) {
  threads_ = traits_.parallel ? threads : 1;
  makePlan(problem, plan_);
  return layOut(problem, plan_, stepRule(problem), report);
}

void ProxSolver::run(const ContactProblem& problem, const SolveContext& context,
                     ImpulseView impulses, SolverReport& report) {
  ProxSystem* system = prepare(problem, context.threads, report);
  lambda_.resize(problem.rowCount());
  previous_.clear();
  w_.resize(problem.rowCount());
  system->setImpulses(impulses.lambda);
  meter_.start(problem, settings.stopping, threads_);
  report.status = iterate(problem, context, system, impulses, report);
}

std::vector<double> ProxSolver::timeSweeps(const ContactProblem& problem, int sweeps, int repeats,
                                           int threads) {
  if (!supports(problem)) return {};
  lambda_.assign(problem.rowCount(), 0);
  IdleRows idleRows;
  const ContactProblem& solvable = idleRows.answer(problem, lambda_, threads);
  SolverReport report;
  ProxSystem* system = prepare(solvable, threads, report);
  std::vector<double> times;
  for (int i = 0; i <= repeats; ++i) {
    system->setImpulses(lambda_);
    const double time = system->timeSweeps(sweeps);
    if (i > 0) times.push_back(time);
  }
  return times;
}

}  // namespace drystone
