#pragma once

#include "gpu/counts_device_work.h"
#include "gpu/device_block_system.h"
#include "gpu/device_system.h"
#include "solvers/prox/prox_solver.h"

namespace drystone::gpu {

/// What the sweeps work on, as ProxScheme.
enum class DeviceScheme : std::uint8_t {
  kAuto,        ///< factorized for problems in body form, naive for assembled ones
  kNaive,       ///< A, block-sparse; assembled first when the problem comes in body form
  kFactorized,  ///< J and body velocities; body form only
};

/// A prox solver whose sweeps run on a device. Stopping, divergence guard and settings are those of
/// ProxSolver.
class DeviceProxSolver : public ProxSolver, public CountsDeviceWork {
 public:
  SweepPrecision precision = SweepPrecision::kMixed;
  DeviceScheme scheme = DeviceScheme::kAuto;

 protected:
  DeviceProxSolver(SolverTraits traits, Target target);
  /// Whether `plan`, as the last call of `makePlan` left it, is one of this problem's pattern.
  bool keepsPlan(const ContactProblem& problem, const SweepPlan& plan);
  bool isNaive(const ContactProblem& problem) const;
  void visitSettings(SettingVisitor& visitor) override;
  void reserveOwn(const ProblemSize& size) override;

 private:
  bool takes(const ContactProblem& problem) const override;
  void run(const ContactProblem& problem, const SolveContext& context, ImpulseView impulses,
           SolverReport& report) override;
  DeviceWork workSoFar() const;
  ProxSystem* layOut(const ContactProblem& problem, const SweepPlan& plan, const StepRule& rule,
                     SolverReport& report) override;
  ProxSystem* sharper(const ContactProblem& problem, const SweepPlan& plan,
                      const StepRule& rule) override;

  template <class Scalar>
  ProxSystem* prepare(const ContactProblem& problem, const SweepPlan& plan, const StepRule& rule,
                      DeviceSystem<Scalar>& factorized, DeviceBlockSystem<Scalar>& naive);

  GraphPattern pattern_;
  DeviceSystem<float> floats_;
  DeviceSystem<double> doubles_;
  DeviceBlockSystem<float> naiveFloats_;
  DeviceBlockSystem<double> naiveDoubles_;
};

/// `gpu-sor`: one color of contacts at a time, as `sor-prox-colored`. Small islands are swept by a
/// block of threads each, many sweeps in one launch.
class DeviceSorSolver final : public DeviceProxSolver {
 public:
  explicit DeviceSorSolver(Target target = Target::kCuda);

  ColoringSettings coloringSettings;

 private:
  void visitSettings(SettingVisitor& visitor) override;
  void reserveOwn(const ProblemSize& size) override;
  void makePlan(const ContactProblem& problem, SweepPlan& plan) override;

  Coloring coloring_;
  ColoringSettings plannedWith_;  ///< settings of the last plan
};

/// `gpu-jor`: all contacts at a time, as `jacobi-prox`.
class DeviceJorSolver final : public DeviceProxSolver {
 public:
  explicit DeviceJorSolver(Target target = Target::kCuda);

 private:
  void makePlan(const ContactProblem& problem, SweepPlan& plan) override;
};

}  // namespace drystone::gpu
