#include "tests/conformance/conformance.h"

#include <algorithm>

#include "solvers/default_registry.h"
#include "solvers/problem/laws.h"

namespace drystone::test {
namespace {

/// The ways of working that are not the default.
const std::vector<SolverCase> kVariants = {
    {.solver = "sor-prox", .setting = "scheme", .value = "naive"},
    {.solver = "sor-prox", .setting = "scheme", .value = "T"},
    {.solver = "jacobi-prox", .setting = "scheme", .value = "naive"},
    {.solver = "jacobi-prox", .setting = "scheme", .value = "T"},
    {.solver = "sor-prox-colored", .setting = "scheme", .value = "naive"},
    {.solver = "sor-prox-colored", .setting = "scheme", .value = "T"},
    {.solver = "sor-prox-colored", .setting = "coloring", .value = "balanced"},
    {.solver = "sor-prox-colored", .setting = "color_unit", .value = "contact"},
    {.solver = "apgd", .setting = "law", .value = "exact"},
    {.solver = "sor-prox-wide", .setting = "precision", .value = "double"},
    {.solver = "bpp-pcg", .setting = "preconditioner", .value = "none"},
    {.solver = "bpp-pcg", .setting = "preconditioner", .value = "jacobi"},
    {.solver = "bpp-pcg", .setting = "preconditioner", .value = "ic0"},
    {.solver = "bpp-pcg", .setting = "preconditioner", .value = "ic0-shift"},
    {.solver = "bpp-pcg", .setting = "preconditioner", .value = "ic0-partial-shift"},
    {.solver = "bpp-pcg", .setting = "preconditioner", .value = "ic0-imaginary"},
    {.solver = "pgcg", .setting = "preconditioner", .value = "none"},
    {.solver = "pgcg", .setting = "preconditioner", .value = "jacobi"},
    {.solver = "pgcg", .setting = "preconditioner", .value = "ic0"},
    {.solver = "pgcg", .setting = "preconditioner", .value = "ic0-shift"},
    {.solver = "pgcg", .setting = "preconditioner", .value = "ic0-partial-shift"},
    {.solver = "pgcg", .setting = "preconditioner", .value = "ic0-imaginary"},
    {.solver = "staggered", .setting = "engine", .value = "pdasm-direct"},
    {.solver = "staggered", .setting = "factor", .value = "sparse"},
};

std::vector<SolverCase> cases(bool supported) {
  const SolverRegistry registry = makeDefaultRegistry();
  std::vector<SolverCase> result;
  for (const std::string& name : registry.names()) {
    if (!registry.traits(name).unavailable().empty()) continue;
    for (int i = 0; i < kFrictionModelCount; ++i) {
      const auto model = static_cast<FrictionModel>(i);
      if (registry.traits(name).supports(model) == supported) result.push_back({name, model});
    }
  }
  for (SolverCase variant : kVariants) {
    for (int i = 0; i < kFrictionModelCount; ++i) {
      variant.model = static_cast<FrictionModel>(i);
      if (registry.traits(variant.solver).supports(variant.model) == supported) {
        result.push_back(variant);
      }
    }
  }
  return result;
}

}  // namespace

std::vector<SolverCase> supportedCases() { return cases(true); }
std::vector<SolverCase> unsupportedCases() { return cases(false); }

std::string caseName(const ::testing::TestParamInfo<SolverCase>& info) {
  std::string name = info.param.solver + "_" + std::string(frictionModelName(info.param.model));
  if (!info.param.setting.empty()) name += "_" + info.param.setting + "_" + info.param.value;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::unique_ptr<ContactSolver> Conformance::makeSolver() {
  std::unique_ptr<ContactSolver> solver = makeDefaultRegistry().create(GetParam().solver);
  if (!GetParam().setting.empty()) applySetting(*solver, GetParam().setting, GetParam().value);
  return solver;
}

void Conformance::setIfPresent(const std::string& name, const SettingValue& value) {
  for (const SettingDescription& setting : describeSettings(*solver_)) {
    if (setting.name == name) applySetting(*solver_, name, value);
  }
}

bool Conformance::takes(const StoredProblem& problem) const {
  return whyNot(solver_->traits(), needsOf(problem.view())).empty();
}

std::vector<NamedProblem> Conformance::problems() const {
  std::vector<NamedProblem> result;
  for (NamedProblem& named : problemSet(GetParam().model)) {
    NamedProblem twin{named.name + "_assembled", assembled(named.problem)};
    if (takes(named.problem)) result.push_back(std::move(named));
    if (takes(twin.problem)) result.push_back(std::move(twin));
  }
  return result;
}

Solution Conformance::solve(const StoredProblem& problem, const Solution* start) {
  Solution solution;
  if (start) solution = *start;
  solution.lambda.resize(problem.b.size());
  solution.state.resize(problem.b.size(), RowState::kUnknown);
  solution.result =
      solveProblem(*solver_, problem.view(), budget_, {solution.lambda, solution.state}, workspace_,
                   nullptr, Condensation::kNever);
  solution.w = workspace_.judge.w;
  return solution;
}

bool isSolved(const Solution& solution) {
  return solution.result.judge.finite &&
         solution.result.solver.status != SolveStatus::kUnsupported &&
         solution.result.judge.naturalMap <= allowedNaturalMap(solution);
}

Real largestShift(const StoredProblem& problem, const Solution& solution) {
  Real largest = 0;
  for (const ProblemBlock& block : problem.blocks) {
    if (block.law != BlockLaw::kContact || !(solution.lambda[block.firstRow] > 0)) continue;
    const Real* tangents = solution.w.data() + block.firstRow + 1;
    largest = std::max(largest, deSaxceShift(problem.friction, block, tangents));
  }
  return largest;
}

}  // namespace drystone::test
