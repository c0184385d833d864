#include "gpu/device_dense_solver.h"

#include <algorithm>
#include <array>

#include "gpu/devices.h"

namespace drystone::gpu {
namespace {

SolverTraits denseTraits(std::string_view name, std::string_view summary, std::string_view source,
                         std::string_view cpuTwin, Target target) {
  SolverTraits traits;
  traits.name = name;
  traits.summary = summary;
  traits.source = source;
  traits.frictionModels = {FrictionModel::kNone,    FrictionModel::kBox,
                           FrictionModel::kPyramid, FrictionModel::kDiamond,
                           FrictionModel::kCone,    FrictionModel::kContensou};
  traits.handlesRows = false;
  traits.parallel = true;
  if (target == Target::kCuda) traits.whyUnavailable = &whyUnavailable;
  traits.cpuTwin = cpuTwin;
  return traits;
}

/// No solver of the processor renews groups of contacts at the same time.
SolverTraits relaxedTraits(Target target) {
  SolverTraits traits =
      denseTraits("gpu-sor-relaxed", "gpu-sor-dense with groups of contacts at the same time",
                  "Nützi 2011, section 5.3.2", "", target);
  traits.cpuNearest = "sor-prox";
  return traits;
}

/// Contacts one after another without gaps, which the dense forms count on.
bool hasContactsOnly(const ContactProblem& problem) {
  const int rows = contactRows(problem.friction);
  for (int block = 0; block < problem.blockCount(); ++block) {
    const ProblemBlock& info = problem.blocks[block];
    if (info.law != BlockLaw::kContact || info.firstRow != block * rows) return false;
  }
  return true;
}

}  // namespace

DeviceDenseSolver::DeviceDenseSolver(SolverTraits traits, Target target)
    : ProxSolver(std::move(traits)), floats_(target), doubles_(target) {}

void DeviceDenseSolver::visitSettings(SettingVisitor& visitor) {
  static constexpr std::array<std::string_view, 2> kTerminations = {"host", "device"};
  settings.visitSteps(visitor);
  visitPrecision(visitor, precision);
  visitor.choice({"termination", "", "where sweeps are compared for criterion=impulse_change"},
                 termination, kTerminations);
}

DensePlan DeviceDenseSolver::plan() const {
  const StoppingRule& rule = settings.stopping;
  DensePlan plan = method();
  plan.isAligned = isAligned;
  plan.comparesSweeps =
      termination == Termination::kDevice && rule.criterion == StopCriterion::kImpulseChange;
  plan.tolerance = {rule.relativeTolerance, rule.absoluteTolerance};
  return plan;
}

void DeviceDenseSolver::reserveOwn(const ProblemSize& size) {
  ProxSolver::reserveOwn(size);
  if (precision != SweepPrecision::kDouble) floats_.reserve(size);
  if (precision != SweepPrecision::kFloat) doubles_.reserve(size);
}

bool DeviceDenseSolver::takes(const ContactProblem& problem) const {
  return problem.rowCount() <= DeviceDenseSystem<double>::kMostRows && hasContactsOnly(problem);
}

ProxSystem* DeviceDenseSolver::layOut(const ContactProblem& problem, const SweepPlan& sweeps,
                                      const StepRule& rule, SolverReport& report) {
  const bool inFloat = startsInFloat(precision, settings.stopping.criterion);
  const auto prepare = [&](auto& system) -> ProxSystem* {
    system.setMethod(plan());
    system.prepare(problem, sweeps, rule, threads());
    report.assemblyMs = system.assemblyMs();
    return &system;
  };
  return inFloat ? prepare(floats_) : prepare(doubles_);
}

ProxSystem* DeviceDenseSolver::sharper(const ContactProblem& problem, const SweepPlan& sweeps,
                                       const StepRule& rule) {
  if (precision != SweepPrecision::kMixed) return nullptr;
  doubles_.setMethod(plan());
  doubles_.prepare(problem, sweeps, rule, threads());
  return &doubles_;
}

DeviceJorDenseSolver::DeviceJorDenseSolver(Target target)
    : DeviceDenseSolver(
          denseTraits("gpu-jor-dense", "jacobi-prox over a dense matrix on a CUDA device",
                      "Nützi 2011, section 5.2", "jacobi-prox", target),
          target) {}

void DeviceJorDenseSolver::visitSettings(SettingVisitor& visitor) {
  static constexpr std::array<std::string_view, 5> kKernels = {
      "split", "all-in-one-126", "all-in-one-192", "gemv-add", "gemv"};
  DeviceDenseSolver::visitSettings(visitor);
  visitor.choice({"kernels", "",
                  "product and projection apart, in one with so many rows a block, or cuBLAS's "
                  "product"},
                 kernels, kKernels);
  visitor.boolean({"aligned", "", "columns of the matrix start where a warp reads at once"},
                  isAligned);
}

/// Sizes of table 6.1, JOR variants 3, 4, 1, 2 and 5.
DensePlan DeviceJorDenseSolver::method() const {
  switch (kernels) {
    case Kernels::kAllInOne126:
      return {.method = DenseMethod::kJorAllInOne, .shape = {128, 126, 4}};
    case Kernels::kAllInOne192:
      return {.method = DenseMethod::kJorAllInOne, .shape = {192, 192, 4}};
    case Kernels::kGemvAdd:
      return {.method = DenseMethod::kJorGemvAdd};
    case Kernels::kGemv:
      return {.method = DenseMethod::kJorGemv};
    case Kernels::kSplit:
      break;
  }
  return {.method = DenseMethod::kJorSplit, .shape = {128, 128, 4}};
}

void DeviceJorDenseSolver::makePlan(const ContactProblem& problem, SweepPlan& plan) {
  plan.setSimultaneous(problem);
}

DeviceSorDenseSolver::DeviceSorDenseSolver(Target target)
    : DeviceDenseSolver(
          denseTraits("gpu-sor-dense", "sor-prox over a dense matrix on a CUDA device",
                      "Nützi 2011, section 5.3.1", "sor-prox", target),
          target) {}

void DeviceSorDenseSolver::visitSettings(SettingVisitor& visitor) {
  static constexpr std::array<std::string_view, 2> kSizes = {"32", "64"};
  DeviceDenseSolver::visitSettings(visitor);
  visitor.choice({"block_contacts", "", "contacts of a diagonal block"}, blockContacts, kSizes);
}

/// Sizes of table 6.1, full SOR variants 1 and 2.
DensePlan DeviceSorDenseSolver::method() const {
  const bool isLarge = blockContacts == BlockContacts::k64;
  return {.method = DenseMethod::kSor,
          .shape = {128, 128, isLarge ? 2 : 1},
          .group = isLarge ? 64 : 32};
}

void DeviceSorDenseSolver::makePlan(const ContactProblem& problem, SweepPlan& plan) {
  plan.setSequential(problem);
}

DeviceSorRelaxedSolver::DeviceSorRelaxedSolver(Target target)
    : DeviceDenseSolver(relaxedTraits(target), target) {}

void DeviceSorRelaxedSolver::visitSettings(SettingVisitor& visitor) {
  static constexpr std::array<std::string_view, 4> kGroups = {"2", "4", "16", "128"};
  DeviceDenseSolver::visitSettings(visitor);
  visitor.choice({"group", "", "contacts at the same time"}, group, kGroups);
}

int DeviceSorRelaxedSolver::contactsOfGroup() const {
  static constexpr std::array<int, 4> kContacts = {2, 4, 16, 128};
  return kContacts[static_cast<std::size_t>(group)];
}

/// Sizes of table 6.1, relaxed SOR variants 1 to 4.
DensePlan DeviceSorRelaxedSolver::method() const {
  return {.method = DenseMethod::kSorRelaxed, .shape = {128, 128, 4}, .group = contactsOfGroup()};
}

/// Each group a simultaneous phase.
void DeviceSorRelaxedSolver::makePlan(const ContactProblem& problem, SweepPlan& plan) {
  plan.setSimultaneous(problem);
  plan.phases.clear();
  const int blocks = problem.blockCount(), size = contactsOfGroup();
  for (int first = 0; first < blocks; first += size) {
    plan.phases.push_back({first, std::min(first + size, blocks), true});
  }
  for (int block = 0; block < blocks; ++block) plan.phaseOf[block] = block / size;
}

}  // namespace drystone::gpu
