#include "gpu/device_apgd_solver.h"

#include <cmath>
#include <utility>

#include "gpu/devices.h"

namespace drystone::gpu {
namespace {

/// Looks in turn that find nothing better, after which steps in float give way to those in double:
/// the residual wavers on its way down, and at last about what float can tell.
constexpr int kMostLooksWithoutGain = 20;

}  // namespace

template <class Scalar>
void DeviceDescent<Scalar>::start(const ContactProblem& problem, const SweepPlan& plan, ApgdLaw law,
                                  int threads, std::span<const Real> steps,
                                  std::span<const Real> lambda) {
  this->unitPlan_.isExact = law == ApgdLaw::kExact;
  this->prepare(problem, plan, {.strategy = StepStrategy::kLocal}, threads);
  this->sendSteps(steps);
  this->setImpulses(lambda);
  figures_ = descentStart();
}

template <class Scalar>
int DeviceDescent<Scalar>::advance(int count, const Deadline& deadline) {
  const int before = figures_.steps, wanted = before + count;
  do {
    for (int left = wanted - figures_.steps; left > 0; --left) this->sweep();
    this->backend_->fetch(this->view_->figures, sizeof(DescentFigures));
    figures_ = *this->view_->figures;
  } while (figures_.steps < wanted && figures_.stoodStill == 0 && !deadline.passed());
  return figures_.steps - before;
}

DeviceApgdSolver::DeviceApgdSolver(Target target) : floats_(target), doubles_(target) {
  traits_.name = "gpu-apgd";
  traits_.summary = "apgd on a CUDA device: no colors, bodies gather from their contacts";
  traits_.source = "Mazhar et al. 2015; O'Donoghue & Candès 2015";
  traits_.iterations = 20000;
  traits_.relaxesFriction = true;
  traits_.takesAssembledForm = false;
  traits_.frictionModels = {FrictionModel::kNone,    FrictionModel::kBox,
                            FrictionModel::kPyramid, FrictionModel::kDiamond,
                            FrictionModel::kCone,    FrictionModel::kContensou};
  traits_.parallel = true;
  traits_.batchesIslands = true;
  if (target == Target::kCuda) traits_.whyUnavailable = &whyUnavailable;
  traits_.cpuTwin = "apgd";
}

void DeviceApgdSolver::visitSettings(SettingVisitor& visitor) {
  settings.visit(visitor);
  visitPrecision(visitor, precision);
}

void DeviceApgdSolver::reserveOwn(const ProblemSize& size) {
  if (precision != SweepPrecision::kDouble) floats_.reserve(size);
  if (precision != SweepPrecision::kFloat) doubles_.reserve(size);
  pattern_.reserve(size);
  plan_.reserve(size);
  meter_.reserve(size);
  for (auto* array : {&lambda_, &previous_, &w_}) array->reserve(size.rows);
  bodyVelocity_.reserve(size.bodies);
}

void DeviceApgdSolver::run(const ContactProblem& problem, const SolveContext& context,
                           ImpulseView impulses, SolverReport& report) {
  const auto workSoFar = [&] {
    DeviceWork sum = floats_.work();
    return sum += doubles_.work();
  };
  countWork(workSoFar, [&] {
    problem_ = problem;
    best_ = impulses.lambda;
    threads_ = context.threads;
    if (!pattern_.isKept(problem, threads_) || plan_.revision == 0) {
      plan_.setSimultaneous(problem);
      plan_.revision = newRevision();
    }
    for (auto* array : {&lambda_, &w_}) array->resize(problem.rowCount());
    previous_.clear();
    meter_.start(problem, settings.stopping, threads_);
    inFloat_ = startsInFloat(precision, settings.stopping.criterion);
    startSystem();
    report.status = descend(*this, settings.stopping, context, report);
    fetchKept();
    report.stepReductions += with([](auto& system) { return system.figures().reductions; });
    if (settings.law == ApgdLaw::kRelaxed) {
      bodyVelocity_.resize(problem.bodyCount());
      constraintVelocity(problem, best_, bodyVelocity_, w_);
      report.relaxationError = relaxationError(problem, best_, w_);
    }
  });
}

void DeviceApgdSolver::startSystem() {
  isKeptThere_ = isAtRoundOff_ = false;
  looksWithoutGain_ = 0;
  with([&](auto& system) {
    system.start(problem_, plan_, settings.law, threads_, meter_.steps(), best_);
  });
}

void DeviceApgdSolver::fetchKept() {
  if (!std::exchange(isKeptThere_, false)) return;
  with([&](auto& system) { system.measurement()->getKept(best_); });
}

/// Goes on in double from the best iterate.
void DeviceApgdSolver::sharpen() {
  fetchKept();
  inFloat_ = false;
  startSystem();
}

/// Nothing more is to be had in the present precision.
bool DeviceApgdSolver::isSpent() const {
  return isAtRoundOff_ || with([](auto& system) { return system.figures().stoodStill == 1; });
}

int DeviceApgdSolver::advance(int iteration, int end, const Deadline& deadline) {
  const bool isStale = looksWithoutGain_ > kMostLooksWithoutGain;
  if (canSharpen() && (isSpent() || isStale)) sharpen();
  return with([&](auto& system) {
    int count = end - iteration;
    if (!meter_.needsPrevious()) return iteration + system.advance(count, deadline);
    // λ before the last step.
    int done = count > 1 ? system.advance(count - 1, deadline) : 0;
    previous_.resize(problem_.rowCount());
    system.getImpulses(previous_);
    if (system.figures().stoodStill == 0) done += system.advance(1, deadline);
    return iteration + done;
  });
}

Measurement DeviceApgdSolver::measure(int) {
  ++looksWithoutGain_;
  return with([&](auto& system) -> Measurement {
    if (meter_.asksForNaturalMap()) {
      const Real error = system.measurement()->naturalMap(meter_.steps());
      isAtRoundOff_ = error <= system.roundOff();
      return {.residual = error, .error = error};
    }
    system.getImpulses(lambda_);
    system.constraintVelocity(w_);
    return meter_.measure(lambda_, previous_, w_);
  });
}

void DeviceApgdSolver::keep() {
  looksWithoutGain_ = 0;
  isKeptThere_ = meter_.asksForNaturalMap();
  if (!isKeptThere_) return parallelCopy(std::span<const Real>(lambda_), best_.data(), threads_);
  with([](auto& system) { system.measurement()->keep(); });
}

bool DeviceApgdSolver::stoodStill() const { return isSpent() && !canSharpen(); }

bool DeviceApgdSolver::isFinite() const {
  return with([](auto& system) { return std::isfinite(system.figures().curvature); });
}

template class DeviceDescent<float>;
template class DeviceDescent<double>;

}  // namespace drystone::gpu
