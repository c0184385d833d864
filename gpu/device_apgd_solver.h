#pragma once

#include <vector>

#include "gpu/counts_device_work.h"
#include "gpu/device_system.h"
#include "solvers/first_order/descend.h"
#include "solvers/prox/prox_settings.h"

namespace drystone::gpu {

/// NesterovDescent on a device: a sweep is a trial, and what decides stays there. The R factors are
/// those of the rows alone; ρ of contacts is that of the natural map.
template <class Scalar>
class DeviceDescent final : public DeviceSystem<Scalar, DescentForm<Scalar>> {
 public:
  explicit DeviceDescent(Target target) : DeviceSystem<Scalar, DescentForm<Scalar>>(target) {}

  /// Starts at `lambda`, without momentum. `steps`: ρ_c of every block.
  void start(const ContactProblem& problem, const SweepPlan& plan, ApgdLaw law, int threads,
             std::span<const Real> steps, std::span<const Real> lambda);
  /// Does `count` steps, less where it stands still or the time has passed; returns how many. Looks
  /// at the device after as many trials, and again for those that were too long.
  int advance(int count, const Deadline& deadline);
  /// As they were at the last look.
  const DescentFigures& figures() const { return figures_; }

 private:
  DescentFigures figures_ = descentStart();
};

/// `gpu-apgd`: `apgd` on a device, in body form. Needs no colors: contacts step at the same time,
/// and bodies gather what they give. Launches do not grow with the graph.
class DeviceApgdSolver final : public ContactSolver, public CountsDeviceWork, private Descent {
 public:
  explicit DeviceApgdSolver(Target target = Target::kCuda);

  const SolverTraits& traits() const override { return traits_; }

  ApgdSettings settings;
  SweepPrecision precision = SweepPrecision::kMixed;

 private:
  void visitSettings(SettingVisitor& visitor) override;
  void reserveOwn(const ProblemSize& size) override;
  void run(const ContactProblem& problem, const SolveContext& context, ImpulseView impulses,
           SolverReport& report) override;

  int advance(int iteration, int end, const Deadline& deadline) override;
  Measurement measure(int iteration) override;
  void keep() override;
  bool stoodStill() const override;
  bool isFinite() const override;

  void startSystem();
  void fetchKept();
  void sharpen();
  bool canSharpen() const { return inFloat_ && precision == SweepPrecision::kMixed; }
  bool isSpent() const;
  /// Calls `use` with the system at work.
  template <class Use>
  auto with(Use&& use) {
    return inFloat_ ? use(floats_) : use(doubles_);
  }
  template <class Use>
  auto with(Use&& use) const {
    return inFloat_ ? use(floats_) : use(doubles_);
  }

  SolverTraits traits_;
  DeviceDescent<float> floats_;
  DeviceDescent<double> doubles_;
  GraphPattern pattern_;
  SweepPlan plan_;
  ConvergenceMeter meter_;
  std::vector<Real> lambda_, previous_, w_;  ///< of criteria that are measured here [rows]
  std::vector<Vec6> bodyVelocity_;

  // Within a solve.
  ContactProblem problem_;
  std::span<Real> best_;  ///< the answer so far, but where it is kept on the device
  int threads_ = 1;
  bool inFloat_ = false;
  bool isKeptThere_ = false;
  bool isAtRoundOff_ = false;  ///< what was measured last, of steps in float
  int looksWithoutGain_ = 0;
};

}  // namespace drystone::gpu
