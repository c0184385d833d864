#include "solvers/prox/nsgs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/check.h"

namespace drystone {

void NsgsSettings::visit(SettingVisitor& visitor) {
  static constexpr std::array<std::string_view, 2> kAccelerations = {"none", "anderson"};
  static constexpr std::array<std::string_view, 3> kSchemes = {"auto", "assembled", "factorized"};
  stopping.visit(visitor);
  visitor.choice({"acceleration", "", "how the sweeps are sped up"}, acceleration, kAccelerations);
  visitor.choice({"scheme", "", "what the sweeps work on"}, scheme, kSchemes);
}

NsgsSolver::NsgsSolver() {
  traits_.name = "nsgs";
  traits_.summary = "non-smooth Gauss-Seidel: an exact Coulomb cone solve per contact, accelerated";
  traits_.whenToTake =
      "to compare with: the reference method of contact dynamics, on the exact cone";
  traits_.source = "Moreau 1999; Jean 1999; Bonnefon & Daviet 2011; Walker & Ni 2011";
  traits_.frictionModels = {FrictionModel::kNone, FrictionModel::kBox, FrictionModel::kCone,
                            FrictionModel::kRolling};
  traits_.iterations = 20000;
}

void NsgsSolver::reserveOwn(const ProblemSize& size) {
  system_.reserve(size);
  meter_.reserve(size);
  anderson_.reserve(size.rows, settings.memory);
  for (std::vector<Real>* values : {&start_, &before_, &w_, &best_, &weights_}) {
    values->reserve(size.rows);
  }
}

void NsgsSolver::run(const ContactProblem& problem, const SolveContext& context,
                     ImpulseView impulses, SolverReport& report) {
  const std::size_t rows = problem.b.size();
  system_.prepare(problem, settings.scheme);
  report.assemblyMs = system_.assemblyMs();
  meter_.start(problem, settings.stopping);
  tolerance_ = settings.stopping.toleranceOf(context.tolerance);
  before_.clear();
  for (std::vector<Real>* values : {&start_, &w_, &best_}) values->resize(rows);
  system_.setImpulses(impulses.lambda);
  if (settings.acceleration == NsgsAcceleration::kAnderson) {
    // Changes count by the kinetic energy that they stand for: rows of all units compare.
    weights_.resize(rows);
    system_.blockSizes(weights_);
    for (Real& weight : weights_) weight = weight > 0 ? std::sqrt(weight) : 1;
    anderson_.start(weights_, settings.memory);
  }
  report.status = iterate(problem, context, report);
  std::copy(best_.begin(), best_.end(), impulses.lambda.begin());
}

/// When to measure, and when to give up. A sweep tells by how much it moved the impulses, which
/// estimates what the criterion will be: far from the tolerance only every tenth check is made.
class NsgsSolver::Pace {
 public:
  /// `error`: where the sweeps begin.
  Pace(const NsgsSettings& settings, Real tolerance, int iterations, Real scale, Real error)
      : rule_(settings.stopping),
        tolerance_(tolerance),
        accelerated_(settings.acceleration == NsgsAcceleration::kAnderson),
        scale_(scale),
        trigger_(3 * tolerance),
        iterations_(iterations),
        nextOutlook_(settings.givesUp ? kFirstOutlook : std::numeric_limits<int>::max()),
        outlookError_(error) {}

  int period() const { return accelerated_ ? kPeriods[mode_] : 1; }

  bool measureNow(int iteration, const SweepChange& moved) {
    if (rule_.criterion == StopCriterion::kNaturalMap) estimate_ = moved.velocity;
    if (rule_.criterion == StopCriterion::kRelative) estimate_ = std::sqrt(moved.squared) / scale_;
    const bool seldom = iteration >= nextSeldom_;
    const bool often = iteration >= nextOften_ && estimate_ <= 100 * tolerance_;
    if (iteration < nextOutlook_ && !seldom && !often && estimate_ > trigger_) return false;
    // The estimate may be off: it has to fall before it may call again.
    if (estimate_ <= trigger_) trigger_ = 0.7 * estimate_;
    nextOften_ = iteration + rule_.checkEvery;
    nextSeldom_ = iteration + 10 * std::int64_t{rule_.checkEvery};
    return true;
  }

  enum class Verdict { kGoOn, kChangeMode, kStalled };
  Verdict afterMeasurement(int iteration, Real best) {
    if (iteration >= nextOutlook_ && !hasOutlook(iteration, best)) return Verdict::kStalled;
    if (best <= kProgress * reference_) {
      reference_ = best;
      lastProgress_ = modeStart_ = iteration;
      return Verdict::kGoOn;
    }
    if (iteration - lastProgress_ >= kStallSweeps) return Verdict::kStalled;
    if (!accelerated_ || iteration - modeStart_ < kModeSweeps) return Verdict::kGoOn;
    mode_ = (mode_ + 1) % static_cast<int>(kPeriods.size());
    modeStart_ = iteration;
    return Verdict::kChangeMode;
  }

 private:
  // Two sweeps to an acceleration step halve its cost at nearly the same number of sweeps. Where
  // contacts change their states in step with it, the iteration may settle on a cycle; another
  // period breaks it.
  static constexpr std::array<int, 3> kPeriods = {2, 1, 3};
  static constexpr int kModeSweeps = 2000;
  static constexpr int kStallSweeps = 10000;
  static constexpr Real kProgress = 0.99;
  // The first look ahead. Each later one comes after as many sweeps again, which tell the pace.
  static constexpr int kFirstOutlook = 40;
  // The acceleration gains with time: hope is left where the pace would take so many times the
  // sweeps that are left.
  static constexpr Real kHope = 2;

  /// Whether the tolerance is met in time at the pace since the last look ahead.
  bool hasOutlook(int iteration, Real best) {
    const Real pace = std::log(outlookError_ / best) / (iteration - outlookAt_);
    outlookError_ = best;
    outlookAt_ = iteration;
    nextOutlook_ = 2 * std::int64_t{iteration};
    return std::log(best / tolerance_) <= kHope * pace * (iterations_ - iteration);
  }

  const StoppingRule& rule_;
  Real tolerance_;  ///< of the criterion
  bool accelerated_;
  Real scale_;    ///< ‖b‖ [m/s]
  Real trigger_;  ///< measure when the estimate is below
  Real estimate_ = 0;
  Real reference_ = kInfinity;
  int mode_ = 0;
  int iterations_;  ///< at most
  std::int64_t nextOutlook_;
  Real outlookError_;
  int outlookAt_ = 0;
  std::int64_t nextOften_ = 0, nextSeldom_ = 0, lastProgress_ = 0, modeStart_ = 0;
};

Measurement NsgsSolver::measure(int iteration, ResidualHistory& history) {
  system_.constraintVelocity(w_);
  const Measurement now = meter_.measure(system_.lambda(), before_, w_);
  if (iteration > 0 || !meter_.needsPrevious()) history.add(iteration, now.residual);
  if (now.error < smallestError_ || now.residual <= tolerance_) {
    smallestError_ = std::min(smallestError_, now.error);
    std::copy(system_.lambda().begin(), system_.lambda().end(), best_.begin());
  }
  return now;
}

SweepChange NsgsSolver::sweepOnce() {
  if (meter_.needsPrevious()) {
    before_.assign(system_.lambda().begin(), system_.lambda().end());
  }
  return system_.sweep(settings.relaxation);
}

void NsgsSolver::changeMode(bool returnToBest) {
  if (returnToBest) system_.setImpulses(best_);
  anderson_.restart();
  smallestChange_ = kInfinity;
}

void NsgsSolver::accelerate() {
  constexpr Real kDivergence = 100;
  const std::span<Real> lambda = system_.lambda();
  Real squared = 0;
  for (std::size_t row = 0; row < lambda.size(); ++row) {
    const Real weighted = weights_[row] * (lambda[row] - start_[row]);
    squared += weighted * weighted;
  }
  if (squared > kDivergence * smallestChange_) {
    // The last combination led astray: the plain sweep stands, and the memory starts anew.
    anderson_.restart();
    smallestChange_ = kInfinity;
    return;
  }
  smallestChange_ = std::min(smallestChange_, squared);
  anderson_.next(lambda, start_);
  system_.setImpulses(lambda);
}

SolveStatus NsgsSolver::iterate(const ContactProblem& problem, const SolveContext& context,
                                SolverReport& report) {
  constexpr Real kFarFromBest = 10;
  const bool accelerated = settings.acceleration == NsgsAcceleration::kAnderson;
  Real bSquared = 0;
  for (const Real b : problem.b) bSquared += b * b;
  smallestError_ = smallestChange_ = kInfinity;
  std::copy(system_.lambda().begin(), system_.lambda().end(), best_.begin());
  // A warm start may be the answer already, and no answer may be worse than it.
  if (measure(0, context.history).residual <= tolerance_) return SolveStatus::kConverged;
  Pace pace(settings, tolerance_, context.iterations, std::sqrt(bSquared), smallestError_);

  int inPeriod = 0;
  for (int iteration = 1; iteration <= context.iterations; ++iteration) {
    report.iterations = iteration;
    if (accelerated && inPeriod == 0) {
      std::copy(system_.lambda().begin(), system_.lambda().end(), start_.begin());
    }
    const SweepChange moved = sweepOnce();
    const bool last = iteration == context.iterations;
    const bool late = context.deadline.passed();
    if (pace.measureNow(iteration, moved) || last || late || !(moved.squared > 0)) {
      const auto [residual, error] = measure(iteration, context.history);
      if (residual <= tolerance_) return SolveStatus::kConverged;
      if (!std::isfinite(residual)) return SolveStatus::kNumericalFailure;
      // A fixed point to the last bit; or impulses so large that a sweep vanishes in their
      // round-off.
      if (moved.squared == 0 && error <= smallestError_) return SolveStatus::kStalled;
      switch (moved.squared == 0 ? Pace::Verdict::kChangeMode
                                 : pace.afterMeasurement(iteration, smallestError_)) {
        case Pace::Verdict::kGoOn:
          break;
        case Pace::Verdict::kChangeMode:
          changeMode(moved.squared == 0 || error > kFarFromBest * smallestError_);
          inPeriod = 0;
          continue;
        case Pace::Verdict::kStalled:
          return SolveStatus::kStalled;
      }
      if (late) return SolveStatus::kTimeLimit;
    }
    if (accelerated && ++inPeriod >= pace.period()) {
      inPeriod = 0;
      accelerate();
    }
  }
  return SolveStatus::kIterationLimit;
}

std::unique_ptr<ContactSolver> makeNsgs() { return std::make_unique<NsgsSolver>(); }

}  // namespace drystone
