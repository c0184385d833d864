#pragma once

#include <algorithm>
#include <atomic>
#include <memory>

#include "solvers/default_registry.h"

namespace drystone::viewer::test {

/// A solver of contacts that takes as long as a test wants: each solve waits until the gate is
/// open. Its answer is λ = 0.
struct Gate {
  static inline std::atomic<bool> isOpen = true;
  static inline std::atomic<int> waiting = 0;  ///< solves that stand before it
};

class GateSolver final : public ContactSolver {
 public:
  const SolverTraits& traits() const override {
    static const SolverTraits traits = {
        .name = "gate",
        .summary = "waits for a test",
        .frictionModels = {FrictionModel::kNone, FrictionModel::kCone},
        .handlesRows = false};
    return traits;
  }

 private:
  void visitSettings(SettingVisitor&) override {}
  void reserveOwn(const ProblemSize&) override {}
  void run(const ContactProblem&, const SolveContext&, ImpulseView impulses,
           SolverReport&) override {
    ++Gate::waiting;
    Gate::isOpen.wait(false);
    --Gate::waiting;
    std::ranges::fill(impulses.lambda, 0);
  }
};

/// All solvers, and that one.
inline const SolverRegistry& gateRegistry() {
  static const SolverRegistry instance = [] {
    SolverRegistry solvers = makeDefaultRegistry();
    solvers.add([]() -> std::unique_ptr<ContactSolver> { return std::make_unique<GateSolver>(); });
    return solvers;
  }();
  return instance;
}

/// Closed as long as the object lives.
class ClosedGate {
 public:
  ClosedGate() { Gate::isOpen = false; }
  ~ClosedGate() { open(); }
  void open() {
    Gate::isOpen = true;
    Gate::isOpen.notify_all();
  }
};

}  // namespace drystone::viewer::test
