#pragma once

#include "gpu/device_dense_system.h"
#include "solvers/prox/prox_solver.h"

namespace drystone::gpu {

/// Who compares the impulses of two sweeps, for the criterion `impulse_change`.
enum class Termination : std::uint8_t {
  kHost,    ///< the processor, with λ of both
  kDevice,  ///< a kernel, of which the processor reads one number (Nützi 2011, §5.2.1)
};

/// A prox solver that sweeps over a dense T on a device (Nützi 2011, ch. 5): contacts only, up to
/// DeviceDenseSystem::kMostRows rows. For comparison with the thesis; the sparse solvers need far
/// less memory and time.
class DeviceDenseSolver : public ProxSolver {
 public:
  SweepPrecision precision = SweepPrecision::kMixed;
  Termination termination = Termination::kHost;
  bool isAligned = true;  ///< columns of T (DenseSizes)

 protected:
  DeviceDenseSolver(SolverTraits traits, Target target);
  void visitSettings(SettingVisitor& visitor) override;
  /// Kernels and their sizes.
  virtual DensePlan method() const = 0;

 private:
  void reserveOwn(const ProblemSize& size) override;
  bool takes(const ContactProblem& problem) const override;
  DensePlan plan() const;
  ProxSystem* layOut(const ContactProblem& problem, const SweepPlan& plan, const StepRule& rule,
                     SolverReport& report) override;
  ProxSystem* sharper(const ContactProblem& problem, const SweepPlan& plan,
                      const StepRule& rule) override;

  DeviceDenseSystem<float> floats_;
  DeviceDenseSystem<double> doubles_;
};

/// `gpu-jor-dense`: all contacts at the same time (Nützi 2011, §5.2).
class DeviceJorDenseSolver final : public DeviceDenseSolver {
 public:
  enum class Kernels : std::uint8_t {
    kSplit,        ///< table 6.1, JOR variant 5
    kAllInOne126,  ///< table 5.1 option 1: 126 rows a block of 128 threads
    kAllInOne192,  ///< table 5.1 option 2: 192 of 192
    kGemvAdd,      ///< table 6.1, JOR variant 1: cuBLAS's product, addition, projection
    kGemv,         ///< table 6.1, JOR variant 2: cuBLAS's product, the rest in one
  };
  explicit DeviceJorDenseSolver(Target target = Target::kCuda);

  Kernels kernels = Kernels::kSplit;

 private:
  void visitSettings(SettingVisitor& visitor) override;
  DensePlan method() const override;
  void makePlan(const ContactProblem& problem, SweepPlan& plan) override;
};

/// `gpu-sor-dense`: Gauss–Seidel in the order of the contacts (Nützi 2011, §5.3.1).
class DeviceSorDenseSolver final : public DeviceDenseSolver {
 public:
  explicit DeviceSorDenseSolver(Target target = Target::kCuda);

  enum class BlockContacts : std::uint8_t { k32, k64 };  ///< of a diagonal block (table 5.2)
  BlockContacts blockContacts = BlockContacts::k32;

 private:
  void visitSettings(SettingVisitor& visitor) override;
  DensePlan method() const override;
  void makePlan(const ContactProblem& problem, SweepPlan& plan) override;
};

/// `gpu-sor-relaxed`: groups of contacts at the same time, one group after another (Nützi 2011,
/// §5.3.2).
class DeviceSorRelaxedSolver final : public DeviceDenseSolver {
 public:
  explicit DeviceSorRelaxedSolver(Target target = Target::kCuda);

  enum class Group : std::uint8_t { k2, k4, k16, k128 };
  Group group = Group::k16;

 private:
  void visitSettings(SettingVisitor& visitor) override;
  int contactsOfGroup() const;
  DensePlan method() const override;
  void makePlan(const ContactProblem& problem, SweepPlan& plan) override;
};

}  // namespace drystone::gpu
