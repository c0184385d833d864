// A contact solver of one's own: projected Gauss-Seidel. It registers by its name, worlds use it
// as any other, and the judge measures its answers beside those of drystone's solvers.
//
//     example_custom_solver [--record FILE]      `drystone render FILE` draws what was recorded
//
// z is up. Units are metres, kilograms, seconds; impulses in N s.
#include <drystone/drystone.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace drystone;

/// Sweeps over the contacts. Each takes one projected step: its normal impulse first, onto
/// λ_n ≥ 0, then its two tangential ones, onto the disc of radius μ λ_n.
class MySweeps final : public ContactSolver {
 public:
  MySweeps() {
    traits_.name = "my-sweeps";
    traits_.summary = "projected Gauss-Seidel, one step a contact and sweep";
    traits_.source = "own";
    traits_.frictionModels = {FrictionModel::kCone};
    traits_.iterations = 20000;
    traits_.handlesRows = false;         // contacts only, no joints
    traits_.takesAssembledForm = false;  // J and M⁻¹, not A
  }
  const SolverTraits& traits() const override { return traits_; }

 private:
  void visitSettings(SettingVisitor& visitor) override {
    visitor.real({"relaxation", "", "factor of every step"}, relaxation_, 0, 2);
  }

  void reserveOwn(const ProblemSize& size) override {
    velocities_.reserve(size.bodies);
    diagonal_.reserve(size.rows);
  }

  void run(const ContactProblem& problem, const SolveContext& context, ImpulseView impulses,
           SolverReport& report) override {
    velocities_.resize(problem.bodyCount());
    diagonal_.resize(problem.rowCount());
    for (int i = 0; i < problem.blockCount(); ++i) {
      Real block[kMaxBlockRows * kMaxBlockRows];
      const int rows = problem.blocks[i].rows;
      diagonalBlock(problem, i, block);
      for (int k = 0; k < rows; ++k) {
        diagonal_[problem.blocks[i].firstRow + k] = block[k * rows + k];
      }
    }
    impulseToVelocity(problem, impulses.lambda, velocities_);

    report.status = SolveStatus::kIterationLimit;
    for (report.iterations = 0; report.iterations < context.iterations; ++report.iterations) {
      // The judge has the last word, and is dear: it is asked every tenth sweep.
      if (report.iterations % 10 == 0) {
        judge_.verdict.b = nullptr;
        const Real residual = judge(problem, impulses.lambda, judge_).naturalMap;
        context.history.add(report.iterations, residual);
        if (residual <= context.tolerance) {
          report.status = SolveStatus::kConverged;
          return;
        }
      }
      if (context.deadline.passed()) {
        report.status = SolveStatus::kTimeLimit;
        return;
      }
      for (const ProblemBlock& contact : problem.blocks) sweep(problem, contact, impulses.lambda);
    }
  }

  void sweep(const ContactProblem& problem, const ProblemBlock& contact, std::span<Real> lambda) {
    const int n = contact.firstRow, t = n + 1;
    if (diagonal_[n] == 0) return;  // nothing moves it
    const Real step = relaxation_ / diagonal_[n];
    change(problem, contact, n,
           std::max(0.0, lambda[n] - step * velocity(problem, contact, n, lambda)), lambda);

    const Real tangentStep = relaxation_ / std::max(diagonal_[t], diagonal_[t + 1]) / 2;
    const Eigen::Vector2d w(velocity(problem, contact, t, lambda),
                            velocity(problem, contact, t + 1, lambda));
    Eigen::Vector2d friction = Eigen::Vector2d(lambda[t], lambda[t + 1]) - tangentStep * w;
    const Real radius = contact.friction * lambda[n], length = friction.norm();
    if (length > radius) friction *= radius / length;
    change(problem, contact, t, friction[0], lambda);
    change(problem, contact, t + 1, friction[1], lambda);
  }

  /// w = A λ + b of one row, by the velocities M⁻¹ Jᵀ λ of its two bodies.
  Real velocity(const ContactProblem& problem, const ProblemBlock& contact, int row,
                std::span<const Real> lambda) const {
    Real w = problem.b[row];
    if (!problem.compliance.empty()) w += problem.compliance[row] * lambda[row];
    if (contact.bodyA >= 0) w += problem.jacobianA[row].dot(velocities_[contact.bodyA]);
    if (contact.bodyB >= 0) w += problem.jacobianB[row].dot(velocities_[contact.bodyB]);
    return w;
  }

  void change(const ContactProblem& problem, const ProblemBlock& contact, int row, Real value,
              std::span<Real> lambda) {
    const Real by = value - lambda[row];
    lambda[row] = value;
    if (contact.bodyA >= 0) push(problem, contact.bodyA, by * problem.jacobianA[row]);
    if (contact.bodyB >= 0) push(problem, contact.bodyB, by * problem.jacobianB[row]);
  }
  void push(const ContactProblem& problem, int body, const Vec6& impulse) {
    velocities_[body] += applyInverseInertia(problem.bodies[body], impulse);
  }

  SolverTraits traits_;
  Real relaxation_ = 1;
  std::vector<Vec6> velocities_;  // [bodies] M⁻¹ Jᵀ λ
  std::vector<Real> diagonal_;    // [rows] A_ii
  JudgeWorkspace judge_;
};

std::unique_ptr<ContactSolver> makeMySweeps() { return std::make_unique<MySweeps>(); }

/// A small pile: four layers of boxes that fall on one another.
World pile(const std::string& solver, const SolverRegistry& solvers) {
  WorldSettings settings;
  settings.timestep = 0.01;
  settings.solver.name = solver;
  World world(settings, solvers);
  world.addBody({.kind = BodyKind::kStatic, .shape = Plane{}});
  for (int layer = 0; layer < 4; ++layer) {
    for (int i = 0; i < 4 - layer; ++i) {
      const Vec3 place(1.1 * i + 0.5 * layer, 0, 0.3 + 0.65 * layer);
      world.addBody({.shape = Box{{0.5, 0.3, 0.25}}, .pose = {place}, .density = 500});
    }
  }
  return world;
}

}  // namespace

int main(int argc, char** argv) {
  SolverRegistry solvers = makeDefaultRegistry();
  solvers.add(&makeMySweeps);

  bool isGood = true;
  std::vector<double> heights;  // of the top box at the end, by solver
  for (const std::string solver : {"my-sweeps", "nsgs", "auto"}) {
    World world = pile(solver, solvers);
    std::optional<Recorder> recorder;
    if (heights.empty() && argc == 3 && std::string_view(argv[1]) == "--record") {
      recorder.emplace(argv[2], recordingInfoOf(world), world);
    }
    Real residual = 0;
    int sweeps = 0, missed = 0;
    for (int i = 0; i < 150; ++i) {
      const StepReport& report = world.step();
      if (recorder) recorder->addStep(world);
      residual = std::max(residual, report.naturalMap);
      sweeps = std::max(sweeps, report.iterations);
      missed += !report.withinTolerance;
    }
    if (recorder) recorder->finish(world);
    heights.push_back(world.body(world.bodies().back()).pose().position.z());
    std::printf("%-10s largest residual %.1e m/s, %5d iterations at most, %d steps missed\n",
                solver.c_str(), residual, sweeps, missed);
    isGood = isGood && missed == 0;
  }
  // All of them find the same motion.
  for (double height : heights) isGood = isGood && std::abs(height - heights.back()) < 1e-3;
  if (!isGood) std::printf("steps missed their tolerances, or the piles differ\n");
  return isGood ? 0 : 1;
}
