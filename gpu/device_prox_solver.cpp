#include "gpu/device_prox_solver.h"

#include <array>

#include "gpu/devices.h"

namespace drystone::gpu {
namespace {

SolverTraits deviceTraits(std::string_view name, std::string_view summary, std::string_view source,
                          std::string_view cpuTwin, Target target,
                          std::string_view whenToTake = "") {
  SolverTraits traits;
  traits.whenToTake = whenToTake;
  traits.name = name;
  traits.summary = summary;
  traits.source = source;
  traits.frictionModels = {FrictionModel::kNone,    FrictionModel::kBox,
                           FrictionModel::kPyramid, FrictionModel::kDiamond,
                           FrictionModel::kCone,    FrictionModel::kContensou};
  traits.parallel = true;
  traits.batchesIslands = true;
  if (target == Target::kCuda) traits.whyUnavailable = &whyUnavailable;
  traits.cpuTwin = cpuTwin;
  return traits;
}

}  // namespace

DeviceProxSolver::DeviceProxSolver(SolverTraits traits, Target target)
    : ProxSolver(std::move(traits)),
      floats_(target),
      doubles_(target),
      naiveFloats_(target),
      naiveDoubles_(target) {}

void DeviceProxSolver::visitSettings(SettingVisitor& visitor) {
  static constexpr std::array<std::string_view, 3> kSchemes = {"auto", "naive", "factorized"};
  settings.visitSteps(visitor);
  visitor.choice({"scheme", "", "what the sweeps work on"}, scheme, kSchemes);
  visitPrecision(visitor, precision);
}

void DeviceProxSolver::reserveOwn(const ProblemSize& size) {
  ProxSolver::reserveOwn(size);
  pattern_.reserve(size);
  // The naive systems grow when they are used, as their matrix does.
  if (scheme == DeviceScheme::kNaive) return;
  if (precision != SweepPrecision::kDouble) floats_.reserve(size);
  if (precision != SweepPrecision::kFloat) doubles_.reserve(size);
}

bool DeviceProxSolver::takes(const ContactProblem& problem) const {
  return !problem.assembled || isNaive(problem);
}

DeviceWork DeviceProxSolver::workSoFar() const {
  DeviceWork sum = floats_.work();
  for (const DeviceWork& other : {doubles_.work(), naiveFloats_.work(), naiveDoubles_.work()}) {
    sum += other;
  }
  return sum;
}

void DeviceProxSolver::run(const ContactProblem& problem, const SolveContext& context,
                           ImpulseView impulses, SolverReport& report) {
  countWork([&] { return workSoFar(); },
            [&] {
              const Real tolerance = settings.stopping.toleranceOf(context.tolerance);
              floats_.setTolerance(tolerance);
              doubles_.setTolerance(tolerance);
              ProxSolver::run(problem, context, impulses, report);
            });
}

bool DeviceProxSolver::keepsPlan(const ContactProblem& problem, const SweepPlan& plan) {
  return pattern_.isKept(problem, threads()) && plan.revision != 0;
}

bool DeviceProxSolver::isNaive(const ContactProblem& problem) const {
  return scheme == DeviceScheme::kNaive || (scheme == DeviceScheme::kAuto && problem.assembled);
}

template <class Scalar>
ProxSystem* DeviceProxSolver::prepare(const ContactProblem& problem, const SweepPlan& plan,
                                      const StepRule& rule, DeviceSystem<Scalar>& factorized,
                                      DeviceBlockSystem<Scalar>& naive) {
  if (isNaive(problem)) {
    naive.prepare(problem, plan, rule, threads());
    return &naive;
  }
  factorized.prepare(problem, plan, rule, threads());
  return &factorized;
}

ProxSystem* DeviceProxSolver::layOut(const ContactProblem& problem, const SweepPlan& plan,
                                     const StepRule& rule, SolverReport& report) {
  const bool inFloat = startsInFloat(precision, settings.stopping.criterion);
  ProxSystem* system = inFloat ? prepare(problem, plan, rule, floats_, naiveFloats_)
                               : prepare(problem, plan, rule, doubles_, naiveDoubles_);
  if (isNaive(problem))
    report.assemblyMs = inFloat ? naiveFloats_.assemblyMs() : naiveDoubles_.assemblyMs();
  return system;
}

ProxSystem* DeviceProxSolver::sharper(const ContactProblem& problem, const SweepPlan& plan,
                                      const StepRule& rule) {
  if (precision != SweepPrecision::kMixed) return nullptr;
  return prepare(problem, plan, rule, doubles_, naiveDoubles_);
}

DeviceSorSolver::DeviceSorSolver(Target target)
    : DeviceProxSolver(
          deviceTraits("gpu-sor", "sor-prox-colored on a CUDA device",
                       "Nützi 2011, section 5.4; Poulsen 2010, chapter 4", "sor-prox-colored",
                       target, "the largest piles at a fixed budget of sweeps"),
          target) {
  coloringSettings.unit = ColorUnit::kContact;
  coloringSettings.islandSize = kIslandThreads;
}

void DeviceSorSolver::visitSettings(SettingVisitor& visitor) {
  DeviceProxSolver::visitSettings(visitor);
  coloringSettings.visitUnit(visitor);
}

void DeviceSorSolver::reserveOwn(const ProblemSize& size) {
  DeviceProxSolver::reserveOwn(size);
  coloring_.reserve(size);
}

void DeviceSorSolver::makePlan(const ContactProblem& problem, SweepPlan& plan) {
  ColoringSettings asked = coloringSettings;
  if (isNaive(problem)) asked.islandSize = 0;
  if (keepsPlan(problem, plan) && plannedWith_ == asked) return;
  plan.revision = 0;
  coloring_.plan(problem, asked, plan);
  plannedWith_ = asked;
  plan.revision = newRevision();
}

DeviceJorSolver::DeviceJorSolver(Target target)
    : DeviceProxSolver(deviceTraits("gpu-jor", "jacobi-prox on a CUDA device",
                                    "Nützi 2011, sections 4.6.1 and 5.4", "jacobi-prox", target),
                       target) {}

void DeviceJorSolver::makePlan(const ContactProblem& problem, SweepPlan& plan) {
  if (keepsPlan(problem, plan)) return;
  plan.revision = 0;
  plan.setSimultaneous(problem);
  plan.revision = newRevision();
}

}  // namespace drystone::gpu
