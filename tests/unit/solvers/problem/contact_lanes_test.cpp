#include "solvers/problem/contact_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/random.h"
#include "solvers/problem/judge.h"
#include "solvers/problem/problem_ops.h"
#include "tests/support/problems.h"

namespace drystone {
namespace {

const ContactLanes* const kKernels[] = {&plainContactLanes(), &contactLanes()};

/// Contacts of bodies with random inertia, some of them with static ones, with random rows, in a
/// number that does not fill the last lanes. Impulses reach all parts of the cone.
struct Heap {
  StoredProblem problem = test::randomPile(FrictionModel::kCone, 5, 5, 3, 0.5, 11);
  std::vector<Real> lambda, w, steps, diagonal;
  std::vector<Vec6> bodyVelocity;

  Heap() {
    Random random(5);
    for (InverseInertia& body : problem.bodies) {
      Mat3 root;
      for (Real& entry : root.reshaped()) entry = random.uniform(-1, 1);
      body.inverseInertia = root * root.transpose();
    }
    const auto mix = [&](int body, Vec6& row) {
      for (Real& entry : row) entry = body < 0 ? 0 : random.uniform(-1, 1);
    };
    for (const ProblemBlock& block : problem.blocks) {
      for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
        mix(block.bodyA, problem.jacobianA[row]);
        mix(block.bodyB, problem.jacobianB[row]);
      }
    }
    problem.compliance.resize(problem.b.size());
    for (Real& value : problem.compliance) value = random.uniform(0, 0.1);
    const ContactProblem view = problem.view();
    lambda.resize(view.rowCount());
    for (const ProblemBlock& block : view.blocks) {
      const bool isIdle = random.uniform(0, 1) < 0.2;
      for (int i = 0; i < block.rows; ++i) {
        const Real value = random.uniform(-1, 1);
        lambda[block.firstRow + i] = isIdle ? 0 : value;
      }
    }
    w.resize(lambda.size());
    bodyVelocity.resize(view.bodyCount());
    constraintVelocity(view, lambda, bodyVelocity, w);
    diagonal.resize(lambda.size());
    for (int block = 0; block < view.blockCount(); ++block) {
      const ProblemBlock& info = view.blocks[block];
      DiagonalBlock own;
      diagonalBlock(view, block, own.data());
      steps.push_back(blockStep(view, block, own));
      for (int i = 0; i < 3; ++i) diagonal[info.firstRow + i] = own[4 * i];
    }
  }
};

TEST(ContactLanes, Scales_AreThoseOfEachBlock) {
  const Heap heap;
  const ContactProblem problem = heap.problem.view();
  ASSERT_NE(problem.blockCount() % 4, 0);
  for (const ContactLanes* kernel : kKernels) {
    std::vector<Real> diagonal(problem.rowCount()), largest(problem.blockCount());
    kernel->measure({problem, 0, problem.blockCount()}, nullptr, diagonal.data(), largest.data());
    EXPECT_EQ(diagonal, heap.diagonal);
    for (Real& step : largest) step = 1 / step;
    EXPECT_EQ(largest, heap.steps);
  }
}

TEST(ContactLanes, Velocity_IsThatOfEachRow) {
  const Heap heap;
  const ContactProblem problem = heap.problem.view();
  for (const ContactLanes* kernel : kKernels) {
    std::vector<Real> velocity(problem.rowCount());
    kernel->velocity({problem, 0, problem.blockCount()}, heap.bodyVelocity.data(),
                     heap.lambda.data(), velocity.data());
    for (const ProblemBlock& block : problem.blocks) {
      for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
        Real expected = problem.compliance[row] * heap.lambda[row];
        if (block.bodyA >= 0) {
          expected += problem.jacobianA[row].dot(heap.bodyVelocity[block.bodyA]);
        }
        if (block.bodyB >= 0) {
          expected += problem.jacobianB[row].dot(heap.bodyVelocity[block.bodyB]);
        }
        EXPECT_EQ(velocity[row], expected) << row;
      }
    }
  }
}

TEST(ContactLanes, Errors_AreThoseOfEachBlock) {
  const Heap heap;
  const ContactProblem problem = heap.problem.view();
  for (const ContactLanes* kernel : kKernels) {
    std::vector<BlockError> errors(problem.blockCount());
    kernel->errors({problem, 0, problem.blockCount()}, heap.steps.data(), heap.lambda.data(),
                   heap.w.data(), errors.data());
    for (int block = 0; block < problem.blockCount(); ++block) {
      const int first = problem.blocks[block].firstRow;
      const BlockError expected =
          blockError(problem, block, heap.steps[block], &heap.lambda[first], &heap.w[first]);
      EXPECT_EQ(errors[block].squared, expected.squared) << block;
      EXPECT_EQ(errors[block].normal, expected.normal) << block;
    }
  }
}

// What the kernel adds to a part is the sum over the blocks, in their order.
TEST(ContactLanes, Figures_AreTheSumsOverTheBlocks) {
  const Heap heap;
  const ContactProblem problem = heap.problem.view();
  std::vector<char> idle;
  RelativeErrorSum relative;
  Real energySum = 0, energyMax = 0, gap = 0;
  for (int block = 0; block < problem.blockCount(); ++block) {
    const int first = problem.blocks[block].firstRow;
    const Real* lambda = &heap.lambda[first];
    const Real* w = &heap.w[first];
    relative.add(problem, block, lambda, w);
    gap += std::abs(lambda[0] * w[0]);
    idle.push_back(block % 5 == 0 ? 1 : 0);
    for (int i = 0; i < 3 && idle.back() == 0; ++i) {
      const Real energy = rowEnergyError(problem, block, i, heap.diagonal[first + i], lambda, w[i]);
      energySum += energy;
      energyMax = std::max(energyMax, energy);
    }
  }
  for (const ContactLanes* kernel : kKernels) {
    JudgePart part;
    kernel->figures({problem, 0, problem.blockCount()}, reinterpret_cast<const bool*>(idle.data()),
                    heap.diagonal.data(), heap.lambda.data(), heap.w.data(), part);
    EXPECT_EQ(part.relative.value(), relative.value());
    EXPECT_EQ(part.rest.energySum, energySum);
    EXPECT_EQ(part.rest.energyMax, energyMax);
    EXPECT_EQ(part.rest.complementarityGap, gap);
    EXPECT_TRUE(part.rest.finite);
  }
}

TEST(ContactLanes, NumbersThatAreNone_AreSeenInAnyLane) {
  Heap heap;
  const ContactProblem problem = heap.problem.view();
  const std::vector<char> idle(problem.blockCount());
  for (const ContactLanes* kernel : kKernels) {
    for (int row = 0; row < problem.rowCount(); ++row) {
      const Real kept = std::exchange(heap.lambda[row], kInfinity);
      JudgePart part;
      kernel->figures({problem, 0, problem.blockCount()},
                      reinterpret_cast<const bool*>(idle.data()), heap.diagonal.data(),
                      heap.lambda.data(), heap.w.data(), part);
      EXPECT_FALSE(part.rest.finite) << row;
      heap.lambda[row] = kept;
    }
  }
}

}  // namespace
}  // namespace drystone
