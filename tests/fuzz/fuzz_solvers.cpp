// Bytes make a small problem, well or ill posed, and name a solver of this build. Whatever the
// problem: impulses are finite, the judge's figures no NaN, a status of `converged` is true, and
// the solve ends within its budget of iterations.

#include <cmath>

#include "solvers/default_registry.h"
#include "solvers/driver/solve.h"
#include "solvers/file/problem_file_detail.h"
#include "solvers/problem/problem_ops.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/support/problem_builder.h"

namespace drystone::fuzz {
namespace {

constexpr Real kTolerance = 1e-6;  // [m/s]

/// A finite number: problems hold no others.
Real finite(FuzzInput& in) {
  const Real value = in.real();
  return std::isfinite(value) ? value : 1;
}

void addBodies(FuzzInput& in, int bodies, test::ProblemBuilder& builder) {
  for (int i = 0; i < bodies; ++i) {
    const Real mass = std::pow(10.0, in.within(-6, 6));
    const Vec3 half(in.within(0.01, 2), in.within(0.01, 2), in.within(0.01, 2));
    const Vec3 position(in.within(-2, 2), in.within(-2, 2), in.within(-2, 2));
    const Vec3 linear(in.within(-4, 4), in.within(-4, 4), in.within(-4, 4));
    builder.addBox(mass, half, position, test::twist(linear, Vec3(in.within(-4, 4), 0, 0)));
  }
}

void addBlock(FuzzInput& in, int bodies, test::ProblemBuilder& builder) {
  // B is another body than A, and neither may be none.
  const int a = in.below(bodies + 1) - 1;
  int b = in.below(bodies);
  if (b == a) b = (a + 1) % bodies;
  if (b == a) return;
  const Vec3 point(in.within(-2, 2), in.within(-2, 2), in.within(-2, 2));
  const Vec3 tilted(in.within(-1, 1), in.within(-1, 1), 0.3);
  const Vec3 normal = in.flag() ? Vec3(Vec3::UnitZ()) : Vec3(tilted.normalized());
  switch (in.below(5)) {
    case 0:
    case 1:
      builder.addContact(a, b, point, normal, in.flag() ? in.within(0, 3) : in.within(0, 1e4),
                         in.within(0, 10));
      break;
    case 2:
      builder.addBallJoint(a, b, point);
      break;
    case 3:
      builder.addHinge(a, b, point, normal);
      break;
    default: {
      const Real lower = -in.within(0, 5);
      builder.addAngularRow(a, b, normal, lower, in.flag() ? kInfinity : lower + in.within(0, 5));
    }
  }
}

/// Numbers of a problem in the places of others: what no scene makes, but a file may hold.
void spoil(FuzzInput& in, StoredProblem& problem) {
  const auto rows = static_cast<int>(problem.b.size());
  for (int changes = in.below(6); changes > 0 && rows > 0; --changes) {
    const auto row = static_cast<std::size_t>(in.below(rows < 256 ? rows : 256));
    const int column = in.below(6);
    switch (in.below(7)) {
      case 0:
        problem.b[row] = finite(in);
        break;
      case 1:
        problem.jacobianB[row][column] = finite(in);
        break;
      case 2:
        problem.jacobianB[row].setZero();
        break;
      case 3:
        problem.compliance[row] = std::abs(finite(in));
        break;
      case 4:
        problem.blocks[row % problem.blocks.size()].friction = std::abs(finite(in));
        break;
      case 5:
        problem.bodies[row % problem.bodies.size()].inverseMass = std::abs(finite(in));
        break;
      default:
        problem.jacobianB[row] = problem.jacobianB[0];
    }
  }
}

/// The same problem with its matrix in place of its bodies.
void assemble(StoredProblem& problem) {
  BlockSparseMatrix matrix;
  AssemblyWorkspace workspace;
  assembleDelassus(problem.view(), workspace, matrix);
  problem.assembled = std::move(matrix);
  problem.bodies.clear();
  problem.jacobianA.clear();
  problem.jacobianB.clear();
  problem.compliance.clear();
}

StoredProblem problemOf(FuzzInput& in) {
  test::ProblemBuilder builder(static_cast<FrictionModel>(in.below(kFrictionModelCount)));
  const int bodies = 1 + in.below(5);
  addBodies(in, bodies, builder);
  for (int blocks = 1 + in.below(12); blocks > 0; --blocks) addBlock(in, bodies, builder);
  builder.setCompliance(in.flag() ? 0 : std::pow(10.0, in.within(-14, 2)));
  return builder.build();
}

void checkSolve(FuzzInput& in, const SolverRegistry& registry, const ContactProblem& problem) {
  const std::vector<std::string> names = registry.names();
  const std::string& name =
      names[static_cast<std::size_t>(in.below(static_cast<int>(names.size())))];
  const std::unique_ptr<ContactSolver> solver = registry.create(name);
  if (!whyNot(solver->traits(), needsOf(problem)).empty()) return;
  const Budget budget{.tolerance = kTolerance, .iterations = in.below(200)};
  std::vector<Real> lambda(problem.b.size(), 0);
  if (in.flag()) {
    for (Real& one : lambda) one = finite(in);
  }
  std::vector<RowState> states(problem.b.size(), RowState::kUnknown);
  SolveWorkspace workspace;
  const SolveResult result = solveProblem(*solver, problem, budget, {lambda, states}, workspace);
  for (const Real one : lambda) require(std::isfinite(one), name + ": an impulse is not finite");
  JudgeWorkspace judging;
  const JudgeReport judged = judge(problem, lambda, judging);
  for (const Real figure :
       {judged.naturalMap, judged.relative, judged.energyMax, judged.coneExcess})
    require(!std::isnan(figure), name + ": a figure of the judge is no number");
  require(judged.naturalMap == result.judge.naturalMap, name + ": another judge's figure");
  if (result.withinTolerance) {
    require(judged.naturalMap <= kTolerance, name + ": within the tolerance, and is not, for " +
                                                 std::string(solveReasonName(result.reason)) +
                                                 ": " + std::to_string(judged.naturalMap));
  }
  require(result.solver.iterations <= *budget.iterations, name + ": more iterations than allowed");
}

}  // namespace
}  // namespace drystone::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace drystone;
  static const SolverRegistry registry = makeDefaultRegistry();
  fuzz::FuzzInput in(data, size);
  StoredProblem problem = fuzz::problemOf(in);
  if (problem.b.empty()) return 0;
  fuzz::spoil(in, problem);
  if (in.flag()) fuzz::assemble(problem);
  // What no reader lets through is none of the solvers' business.
  detail::FileErrors errors("problem");
  detail::checkProblem(
      problem.view(), [](auto, int) { return "entry"; }, errors);
  if (!errors.empty()) return 0;
  fuzz::checkSolve(in, registry, problem.view());
  return 0;
}
