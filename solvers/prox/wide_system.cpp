#include "solvers/prox/wide_system.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "solvers/problem/laws.h"

namespace drystone {
namespace {

// Some 2 µs of work.
constexpr int kBatchesOfARange = 16;
constexpr int kJointsOfARange = 16;

}  // namespace

template <class Scalar>
template <class Function>
void WideSystem<Scalar>::withBatches(Function&& function) {
  switch (contactRows(problem_.friction)) {
    case 1:
      return function(batches1_);
    case 3:
      return function(batches3_);
    default:
      return function(batches4_);
  }
}

template <class Scalar>
template <class Function>
void WideSystem<Scalar>::withBatches(Function&& function) const {
  switch (contactRows(problem_.friction)) {
    case 1:
      return function(batches1_);
    case 3:
      return function(batches3_);
    default:
      return function(batches4_);
  }
}

/// Calls function(slot) for the lanes that have a contact, several at a time.
template <class Scalar>
template <class Function>
void WideSystem<Scalar>::forSlots(Function&& function) const {
  constexpr int kSlotsOfARange = 1024;  // some 10 µs of work
  parallelRanges(static_cast<int>(laneBlock_.size()), kSlotsOfARange, threads_,
                 [&](int begin, int end) {
                   for (int slot = begin; slot < end; ++slot) {
                     if (laneBlock_[slot] >= 0) function(slot);
                   }
                 });
}

template <class Scalar>
void WideSystem<Scalar>::reserve(const ProblemSize& size) {
  scaling_.reserve(size);
  phases_.reserve(SweepPlan::kMaxPhases);
  // Every phase may leave a batch part empty.
  const int batches = size.blocks / kLanes + SweepPlan::kMaxPhases;
  laneBlock_.reserve(batches * kLanes);
  bodies_.reserve(size.bodies + 1);
  jointStart_.reserve(size.blocks + 1);
  rows_.reserve(size.rows);
  rowChange_.reserve(size.rows);
  jointBlocks_.reserve(size.blocks);
  bodyVelocity_.reserve(size.bodies);
  lambda_.reserve(size.rows);
  batches1_.reserve(batches);
  batches3_.reserve(batches);
  batches4_.reserve(batches);
  contactChange_.reserve(static_cast<std::size_t>(batches) *
                         contactRows(FrictionModel::kContensou));
}

template <class Scalar>
template <int kRows>
void WideSystem<Scalar>::fillLane(const ScaledContact<kRows>& contact, int lane,
                                  Batch<kRows>& batch) const {
  const auto put = [lane](V& vector, Real value) { vector[lane] = static_cast<Scalar>(value); };
  for (int i = 0; i < kRows; ++i) {
    for (int k = 0; k < 12; ++k) put(batch.jacobian[i][k], contact.jacobian[i][k]);
    put(batch.b[i], contact.b[i]);
    put(batch.compliance[i], contact.compliance[i]);
  }
  put(batch.normalStep, contact.steps.normal);
  put(batch.tangentStep, contact.steps.tangent);
  for (int i = 1; i < kRows; ++i) put(batch.coupling[i - 1], contact.steps.coupling[i - 1]);
  put(batch.friction, problem_.friction == FrictionModel::kBox ? contact.second : contact.friction);
  batch.bodyA[lane] = contact.bodyA;
  batch.bodyB[lane] = contact.bodyB;
}

template <class Scalar>
void WideSystem<Scalar>::fillJoint(int block, Row* rows) const {
  std::array<ScaledJointRow, kMaxBlockRows> scaledRows;
  scaling_.scaleRows(block, scaledRows.data());
  for (int i = 0; i < problem_.blocks[block].rows; ++i) {
    const ScaledJointRow& scaled = scaledRows[i];
    Row& row = rows[i];
    for (int k = 0; k < 12; ++k) row.jacobian[k] = static_cast<Scalar>(scaled.jacobian[k]);
    row.b = static_cast<Scalar>(scaled.b);
    row.compliance = static_cast<Scalar>(scaled.compliance);
    row.lower = static_cast<Scalar>(scaled.lower);
    row.upper = static_cast<Scalar>(scaled.upper);
    row.step = static_cast<Scalar>(scaled.step);
    row.bodyA = scaled.bodyA;
    row.bodyB = scaled.bodyB;
    row.row = scaled.row;
  }
}

template <class Scalar>
template <int kRows>
void WideSystem<Scalar>::fillBatch(const int* blocks, Batch<kRows>& batch) const {
  if (blocks[kLanes - 1] < 0) {
    batch = Batch<kRows>{};
    std::fill_n(batch.bodyA, kLanes, fixedBody_);
    std::fill_n(batch.bodyB, kLanes, fixedBody_);
  }
  for (int lane = 0; lane < kLanes && blocks[lane] >= 0; ++lane) {
    ScaledContact<kRows> contact;
    scaling_.scale(blocks[lane], contact);
    fillLane(contact, lane, batch);
  }
}

/// Gives every block its place: contacts a lane, in the order of their colors.
template <class Scalar>
void WideSystem<Scalar>::placeBlocks() {
  phases_.clear();
  jointBlocks_.clear();
  jointStart_.assign(1, 0);
  laneBlock_.clear();
  for (const SweepPlan::Phase& phase : plan_->phases) {
    Phase& own = phases_.emplace_back();
    own.isSimultaneous = phase.isSimultaneous;
    own.firstJoint = static_cast<int>(jointBlocks_.size());
    own.firstBatch = static_cast<int>(laneBlock_.size()) / kLanes;
    for (int unit = phase.firstUnit; unit < phase.endUnit; ++unit) {
      DRYSTONE_ASSERT(plan_->unitStart[unit + 1] == plan_->unitStart[unit] + 1);
      const int index = plan_->blocks[plan_->unitStart[unit]];
      const ProblemBlock& block = problem_.blocks[index];
      if (block.law == BlockLaw::kRows) {
        jointBlocks_.push_back(index);
        jointStart_.push_back(jointStart_.back() + block.rows);
      } else {
        laneBlock_.push_back(index);
      }
    }
    while (laneBlock_.size() % kLanes != 0) laneBlock_.push_back(-1);
    own.endJoint = static_cast<int>(jointBlocks_.size());
    own.endBatch = static_cast<int>(laneBlock_.size()) / kLanes;
  }
}

template <class Scalar>
void WideSystem<Scalar>::prepare(const ContactProblem& problem, const SweepPlan& plan,
                                 const StepRule& rule, int threads) {
  DRYSTONE_ASSERT(!problem.assembled);
  problem_ = problem;
  plan_ = &plan;
  threads_ = threads;
  scaling_.prepare(problem, plan, rule);
  fixedBody_ = scaling_.fixedBody();
  bodies_.assign(fixedBody_ + 1, Body{});
  placeBlocks();
  rows_.resize(jointStart_.back());
  rowChange_.resize(rows_.size());
  bodyVelocity_.resize(problem.bodyCount());
  const int joints = static_cast<int>(jointBlocks_.size());
  parallelRanges(joints, kJointsOfARange, threads_, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) fillJoint(jointBlocks_[k], &rows_[jointStart_[k]]);
  });
  withBatches([&]<int kRows>(std::vector<Batch<kRows>>& batches) {
    const int count = static_cast<int>(laneBlock_.size()) / kLanes;
    batches.resize(count);
    contactChange_.resize(static_cast<std::size_t>(count) * kRows);
    parallelRanges(count, kBatchesOfARange, threads_, [&](int begin, int end) {
      for (int index = begin; index < end; ++index) {
        if (index + 1 < end) {
          for (int lane = 0; lane < kLanes; ++lane) {
            const int next = laneBlock_[(index + 1) * kLanes + lane];
            if (next >= 0) scaling_.prefetch(next);
          }
        }
        fillBatch(&laneBlock_[index * kLanes], batches[index]);
      }
    });
  });
}

template <class Scalar>
Scalar WideSystem<Scalar>::updateRow(Row& row) const {
  const Scalar* a = bodies_[row.bodyA].value;
  const Scalar* b = bodies_[row.bodyB].value;
  Scalar w = row.b + row.compliance * row.lambda;
  for (int k = 0; k < 6; ++k) w += row.jacobian[k] * a[k] + row.jacobian[6 + k] * b[k];
  const Scalar lambda = std::clamp(row.lambda - row.step * w, row.lower, row.upper);
  const Scalar change = lambda - row.lambda;
  row.lambda = lambda;
  return change;
}

template <class Scalar>
void WideSystem<Scalar>::addRow(const Row& row, Scalar change) {
  if (row.bodyA != fixedBody_) {
    for (int k = 0; k < 6; ++k) bodies_[row.bodyA].value[k] += row.jacobian[k] * change;
  }
  if (row.bodyB != fixedBody_) {
    for (int k = 0; k < 6; ++k) bodies_[row.bodyB].value[k] += row.jacobian[6 + k] * change;
  }
}

/// ũ += J̃ᵀ x with x_i = impulse(i), contact by contact: lanes of an unsafe color share bodies.
template <class Scalar>
template <int kRows, class Impulse>
void WideSystem<Scalar>::addBatch(const Batch<kRows>& batch, const Impulse& impulse) {
  for (int lane = 0; lane < kLanes; ++lane) {
    for (const int side : {0, 6}) {
      const int body = side == 0 ? batch.bodyA[lane] : batch.bodyB[lane];
      if (body == fixedBody_) continue;
      Scalar* value = bodies_[body].value;
      for (int i = 0; i < kRows; ++i) {
        for (int k = 0; k < 6; ++k) {
          value[k] += batch.jacobian[i][side + k][lane] * impulse(i)[lane];
        }
      }
    }
  }
}

template <class Scalar>
void WideSystem<Scalar>::setImpulses(std::span<const Real> lambda) {
  lambda_.assign(lambda.begin(), lambda.end());
  isAtStart_ = true;
  for (Row& row : rows_) {
    row.lambda = std::clamp(static_cast<Scalar>(lambda[row.row]), row.lower, row.upper);
  }
  withBatches([&]<int kRows>(std::vector<Batch<kRows>>& batches) {
    forSlots([&](int slot) {
      const Real* own = &lambda[problem_.blocks[laneBlock_[slot]].firstRow];
      Batch<kRows>& batch = batches[slot / kLanes];
      for (int i = 0; i < kRows; ++i) {
        batch.lambda[i][slot % kLanes] = static_cast<Scalar>(own[i]);
      }
    });
  });
  recomputeVelocities();
}

/// Takes back the round-off that sweeps have added up in ũ.
template <class Scalar>
void WideSystem<Scalar>::recomputeVelocities() {
  std::fill(bodies_.begin(), bodies_.end(), Body{});
  for (const Row& row : rows_) addRow(row, row.lambda);
  withBatches([&]<int kRows>(const std::vector<Batch<kRows>>& batches) {
    const auto addRange = [&](int begin, int end) {
      for (int index = begin; index < end; ++index) {
        const Batch<kRows>& batch = batches[index];
        addBatch(batch, [&](int i) -> const V& { return batch.lambda[i]; });
      }
    };
    for (const Phase& phase : phases_) {
      if (phase.isSimultaneous) {
        addRange(phase.firstBatch, phase.endBatch);  // its contacts share bodies
        continue;
      }
      parallelRanges(
          phase.endBatch - phase.firstBatch, kBatchesOfARange, threads_,
          [&](int begin, int end) { addRange(phase.firstBatch + begin, phase.firstBatch + end); });
    }
  });
}

/// Contacts once more on their friction set, from which the change of precision may have moved
/// them.
template <class Scalar>
void WideSystem<Scalar>::getImpulses(std::span<Real> lambda) const {
  if (isAtStart_) {
    std::copy(lambda_.begin(), lambda_.end(), lambda.begin());
    return;
  }
  for (const Row& row : rows_) lambda[row.row] = row.lambda;
  withBatches([&]<int kRows>(const std::vector<Batch<kRows>>& batches) {
    forSlots([&](int slot) {
      Real* own = &lambda[problem_.blocks[laneBlock_[slot]].firstRow];
      const Batch<kRows>& batch = batches[slot / kLanes];
      for (int i = 0; i < kRows; ++i) own[i] = batch.lambda[i][slot % kLanes];
    });
  });
  if (sizeof(Scalar) < sizeof(Real)) returnToLaws(problem_, lambda, threads_);
}

template <class Scalar>
template <int kRows>
void WideSystem<Scalar>::sweepPhase(const Phase& phase, std::vector<Batch<kRows>>& batches) {
  Slot* change = phase.isSimultaneous ? contactChange_.data() : nullptr;
  const auto sweepJoint = [&](int joint) {
    for (int i = jointStart_[joint]; i < jointStart_[joint + 1]; ++i) {
      const Scalar own = updateRow(rows_[i]);
      if (phase.isSimultaneous) {
        rowChange_[i] = own;
      } else {
        addRow(rows_[i], own);
      }
    }
  };
  parallelRanges(phase.endJoint - phase.firstJoint, kJointsOfARange, threads_,
                 [&](int begin, int end) {
                   for (int k = begin; k < end; ++k) sweepJoint(phase.firstJoint + k);
                 });
  const auto sweepRange = [&](int begin, int end) {
    wide::sweepBatches<Scalar, kRows>({problem_.friction, batches.data(), phase.firstBatch + begin,
                                       phase.firstBatch + end, fixedBody_, bodies_.data(), change});
  };
  parallelRanges(phase.endBatch - phase.firstBatch, kBatchesOfARange, threads_, sweepRange);
  if (!phase.isSimultaneous) return;
  for (int i = jointStart_[phase.firstJoint]; i < jointStart_[phase.endJoint]; ++i) {
    addRow(rows_[i], rowChange_[i]);
  }
  for (int index = phase.firstBatch; index < phase.endBatch; ++index) {
    const Slot* own = &contactChange_[static_cast<std::size_t>(index) * kRows];
    addBatch(batches[index], [&](int i) -> const V& { return own[i].value; });
  }
}

template <class Scalar>
void WideSystem<Scalar>::sweep() {
  isAtStart_ = false;
  withBatches([&]<int kRows>(std::vector<Batch<kRows>>& batches) {
    for (const Phase& phase : phases_) sweepPhase(phase, batches);
  });
}

template <class Scalar>
void WideSystem<Scalar>::constraintVelocity(std::span<Real> w) {
  if (!isAtStart_) getImpulses(lambda_);
  drystone::constraintVelocity(problem_, lambda_, bodyVelocity_, w);
  if (!isAtStart_) recomputeVelocities();
}

template <class Scalar>
void WideSystem<Scalar>::scaleSteps(Real factor) {
  const auto own = static_cast<Scalar>(factor);
  for (Row& row : rows_) row.step *= own;
  withBatches([&](auto& batches) {
    for (auto& batch : batches) {
      batch.normalStep *= own;
      batch.tangentStep *= own;
    }
  });
}

/// Sweeps add up ũ with the relative precision of its parts, of which the largest impulse makes the
/// largest: A_ii |λ_i|, read as |λ_i|/R_i.
template <class Scalar>
Real WideSystem<Scalar>::roundOff() const {
  if (sizeof(Scalar) == sizeof(Real)) return 0;
  constexpr Real kTerms = 16;  // roundings that meet in one w
  Real largest = 0;
  for (const Row& row : rows_) {
    if (row.step > 0) largest = std::max<Real>(largest, std::abs(row.lambda) / row.step);
  }
  withBatches([&](const auto& batches) {
    for (const auto& batch : batches) {
      for (int lane = 0; lane < kLanes; ++lane) {
        const Scalar step = batch.normalStep[lane];
        if (step > 0) largest = std::max<Real>(largest, std::abs(batch.lambda[0][lane]) / step);
      }
    }
  });
  return kTerms * std::numeric_limits<Scalar>::epsilon() * largest;
}

template class WideSystem<float>;
template class WideSystem<double>;

}  // namespace drystone
