#pragma once

#include <vector>

#include "solvers/problem/problem_ops.h"
#include "solvers/prox/prox_system.h"
#include "solvers/prox/scaled_blocks.h"
#include "solvers/prox/wide_kernel.h"

namespace drystone {

/// The factorized scheme with contacts of one color in lanes: eight in single precision, four in
/// double. Every unit of the plan must be a single block. Joint rows go one at a time, before the
/// contacts of their phase. w is measured in double precision from the problem itself.
template <class Scalar>
class WideSystem : public ProxSystem {
 public:
  void reserve(const ProblemSize& size) override;
  void prepare(const ContactProblem& problem, const SweepPlan& plan, const StepRule& rule,
               int threads) override;
  void setImpulses(std::span<const Real> lambda) override;
  void getImpulses(std::span<Real> lambda) const override;
  void sweep() override;
  void constraintVelocity(std::span<Real> w) override;
  void scaleSteps(Real factor) override;
  Real roundOff() const override;

 private:
  static constexpr int kLanes = wide::kLanes<Scalar>;
  using V = wide::Lanes<Scalar>;
  using Slot = wide::LaneSlot<Scalar>;
  using Body = wide::BodyRecord<Scalar>;
  template <int kRows>
  using Batch = wide::Batch<Scalar, kRows>;

  /// One row of a joint; ũ is that of the lanes.
  struct Row {
    Scalar jacobian[12];
    Scalar b, compliance, lambda, lower, upper, step;
    int bodyA, bodyB, row;
  };
  /// What belongs to a phase of the plan.
  struct Phase {
    int firstJoint = 0, endJoint = 0;
    int firstBatch = 0, endBatch = 0;  // contacts
    bool isSimultaneous = false;
  };

  template <class Function>
  void withBatches(Function&& function);
  template <class Function>
  void withBatches(Function&& function) const;
  template <class Function>
  void forSlots(Function&& function) const;
  template <int kRows>
  void fillLane(const ScaledContact<kRows>& contact, int lane, Batch<kRows>& batch) const;
  /// `blocks`: one a lane; -1 where there are no more.
  template <int kRows>
  void fillBatch(const int* blocks, Batch<kRows>& batch) const;
  void fillJoint(int block, Row* rows) const;
  void placeBlocks();
  template <int kRows>
  void sweepPhase(const Phase& phase, std::vector<Batch<kRows>>& batches);
  Scalar updateRow(Row& row) const;
  void addRow(const Row& row, Scalar change);
  void recomputeVelocities();
  template <int kRows, class Impulse>
  void addBatch(const Batch<kRows>& batch, const Impulse& impulse);

  ContactProblem problem_;
  const SweepPlan* plan_ = nullptr;
  BlockScaling scaling_;
  int threads_ = 1;
  int fixedBody_ = 0;
  std::vector<Phase> phases_;
  std::vector<int> laneBlock_;  ///< [lanes of all batches]; -1: no contact
  std::vector<Body> bodies_;
  std::vector<int> jointBlocks_;  ///< [joints]
  std::vector<int> jointStart_;   ///< [joints + 1] into rows_
  std::vector<Row> rows_;
  std::vector<Batch<1>> batches1_;
  std::vector<Batch<3>> batches3_;
  std::vector<Batch<4>> batches4_;
  std::vector<Slot> contactChange_;  ///< Δλ of a simultaneous phase
  std::vector<Scalar> rowChange_;
  std::vector<Vec6> bodyVelocity_;  ///< work space of constraintVelocity
  /// As set, until a sweep: no rounded warm start counts as another. Then the same.
  std::vector<Real> lambda_;
  bool isAtStart_ = true;
};

extern template class WideSystem<float>;
extern template class WideSystem<double>;

}  // namespace drystone
