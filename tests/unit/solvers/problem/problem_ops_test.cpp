#include "solvers/problem/problem_ops.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/problem_builder.h"
#include "tests/support/problems.h"

namespace drystone {
namespace {

std::span<Real> all(VecX& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

using test::NamedProblem;
using test::problemSet;

/// J M⁻¹ Jᵀ + C by dense matrices.
MatX denseDelassus(const ContactProblem& problem) {
  const int rows = problem.rowCount();
  MatX jacobian = MatX::Zero(rows, 6 * problem.bodyCount());
  MatX inverseMass = MatX::Zero(6 * problem.bodyCount(), 6 * problem.bodyCount());
  for (const ProblemBlock& block : problem.blocks) {
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      if (block.bodyA >= 0) jacobian.block<1, 6>(row, 6 * block.bodyA) = problem.jacobianA[row];
      if (block.bodyB >= 0) jacobian.block<1, 6>(row, 6 * block.bodyB) = problem.jacobianB[row];
    }
  }
  for (int body = 0; body < problem.bodyCount(); ++body) {
    for (int i = 0; i < 3; ++i) {
      inverseMass(6 * body + i, 6 * body + i) = problem.bodies[body].inverseMass;
    }
    inverseMass.block<3, 3>(6 * body + 3, 6 * body + 3) = problem.bodies[body].inverseInertia;
  }
  MatX a = jacobian * inverseMass * jacobian.transpose();
  for (int row = 0; row < rows; ++row) {
    if (!problem.compliance.empty()) a(row, row) += problem.compliance[row];
  }
  return a;
}

BlockSparseMatrix assemble(const ContactProblem& problem) {
  AssemblyWorkspace workspace;
  BlockSparseMatrix matrix;
  assembleDelassus(problem, workspace, matrix);
  return matrix;
}

class ProblemOps : public ::testing::TestWithParam<FrictionModel> {};
INSTANTIATE_TEST_SUITE_P(AllModels, ProblemOps,
                         ::testing::Values(FrictionModel::kNone, FrictionModel::kCone,
                                           FrictionModel::kContensou),
                         [](const auto& suite) {
                           return std::string(frictionModelName(suite.param));
                         });

// Sums of at most 12 products: 100 ulp of the largest entry is generous.
TEST_P(ProblemOps, AssembledMatrix_EqualsDenseProduct) {
  for (const NamedProblem& named : problemSet(GetParam())) {
    SCOPED_TRACE(named.name);
    const ContactProblem problem = named.problem.view();
    if (problem.rowCount() == 0) continue;
    const MatX expected = denseDelassus(problem);
    const MatX actual = assemble(problem).toDense();
    EXPECT_LE((actual - expected).cwiseAbs().maxCoeff(), 2e-14 * expected.cwiseAbs().maxCoeff());
  }
}

TEST_P(ProblemOps, AssembledMatrix_IsSymmetricToTheLastBit) {
  for (const NamedProblem& named : problemSet(GetParam())) {
    EXPECT_EQ(assemble(named.problem.view()).asymmetry(), 0) << named.name;
  }
}

TEST_P(ProblemOps, DiagonalBlock_IsThatOfTheAssembledMatrix) {
  for (const NamedProblem& named : problemSet(GetParam())) {
    SCOPED_TRACE(named.name);
    const ContactProblem problem = named.problem.view();
    const BlockSparseMatrix matrix = assemble(problem);
    for (int block = 0; block < problem.blockCount(); ++block) {
      Real values[kMaxBlockRows * kMaxBlockRows];
      diagonalBlock(problem, block, values);
      const int rows = problem.blocks[block].rows;
      for (int i = 0; i < rows * rows; ++i) {
        const Real expected = matrix.values[matrix.valueStart[matrix.diagonal[block]] + i];
        EXPECT_NEAR(values[i], expected, 1e-14 * (1 + std::abs(expected)));
      }
    }
  }
}

TEST_P(ProblemOps, DiagonalEntries_AreThoseOfTheDiagonalBlockToTheLastBit) {
  for (const NamedProblem& named : problemSet(GetParam())) {
    SCOPED_TRACE(named.name);
    const ContactProblem problem = named.problem.view();
    for (int block = 0; block < problem.blockCount(); ++block) {
      Real whole[kMaxBlockRows * kMaxBlockRows], entries[kMaxBlockRows * kMaxBlockRows];
      diagonalBlock(problem, block, whole);
      diagonalEntries(problem, block, entries);
      const int rows = problem.blocks[block].rows;
      for (int i = 0; i < rows; ++i) EXPECT_EQ(entries[i * (rows + 1)], whole[i * (rows + 1)]);
    }
  }
}

TEST_P(ProblemOps, ConstraintVelocity_IsALambdaPlusB_InBothForms) {
  Random random(3);
  for (const NamedProblem& named : problemSet(GetParam())) {
    SCOPED_TRACE(named.name);
    const ContactProblem problem = named.problem.view();
    if (problem.rowCount() == 0) continue;
    VecX lambda(problem.rowCount()), w(problem.rowCount()), twinW(problem.rowCount());
    for (Real& value : lambda) value = random.uniform(-1, 1);
    std::vector<Vec6> velocity(problem.bodyCount());
    constraintVelocity(problem, all(lambda), velocity, all(w));
    const VecX b = VecX::Map(problem.b.data(), problem.rowCount());
    const VecX expected = denseDelassus(problem) * lambda + b;
    EXPECT_LE((w - expected).cwiseAbs().maxCoeff(), 1e-13 * (1 + expected.cwiseAbs().maxCoeff()));

    const StoredProblem twin = test::assembled(named.problem);
    constraintVelocity(twin.view(), all(lambda), {}, all(twinW));
    EXPECT_LE((twinW - expected).cwiseAbs().maxCoeff(),
              1e-13 * (1 + expected.cwiseAbs().maxCoeff()));
  }
}

// Threads share the bodies of problems with so many blocks.
TEST(ImpulseToVelocity, ThreadCount_DoesNotChangeABit) {
  constexpr int kBodies = 301, kContacts = 1500;
  Random random(7);
  const auto corner = [&] {
    return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  };
  test::ProblemBuilder builder(FrictionModel::kCone);
  for (int i = 0; i < kBodies; ++i) builder.addSphere(random.uniform(1, 9), 1, corner());
  for (int i = 0; i < kContacts; ++i) {
    const int body = i % kBodies;
    builder.addContact(i % 7 == 0 ? -1 : (body + 1 + i % 50) % kBodies, body, corner(),
                       corner().normalized(), 0.5);
  }
  const StoredProblem stored = builder.build();
  const ContactProblem problem = stored.view();
  VecX lambda(problem.rowCount());
  for (Real& value : lambda) value = random.uniform(-1, 1);
  std::vector<Vec6> one(kBodies), many(kBodies);
  impulseToVelocity(problem, all(lambda), one);
  for (const int threads : {2, 3, 8}) {
    many.assign(kBodies, Vec6::Constant(1));  // what was there before must go
    impulseToVelocity(problem, all(lambda), many, threads);
    EXPECT_EQ(many, one) << threads << " threads";
  }
}

// A body that cannot move couples nothing: two contacts on it share no block.
TEST(AssembleDelassus, ImmovableBody_MakesNoBlock) {
  test::ProblemBuilder builder(FrictionModel::kCone);
  const int table = builder.addSphere(1, 1, Vec3(0, 0, -1));
  for (const Real x : {-2.0, 2.0}) {
    const int sphere = builder.addSphere(1, 0.5, Vec3(x, 0, 0.5));
    builder.addContact(table, sphere, Vec3(x, 0, 0), Vec3::UnitZ(), 0.5);
  }
  StoredProblem problem = builder.build();
  EXPECT_EQ(assemble(problem.view()).blockColumn.size(), 4u);
  problem.bodies[table] = InverseInertia{};
  EXPECT_EQ(assemble(problem.view()).blockColumn.size(), 2u);
}

TEST(AssembleDelassus, SecondCall_AllocatesNothing) {
  const StoredProblem problem = test::pileWithJoints(FrictionModel::kCone, 0.5, 1);
  AssemblyWorkspace workspace;
  BlockSparseMatrix matrix;
  assembleDelassus(problem.view(), workspace, matrix);
  const auto before = test::allocationCount();
  assembleDelassus(problem.view(), workspace, matrix);
  EXPECT_EQ(test::allocationCount(), before);
}

TEST(BlockSparse, Triplets_AddUpAndStoreEmptyDiagonalBlocks) {
  const int rowStart[] = {0, 2, 3};
  const int rows[] = {0, 0, 1};
  const int columns[] = {2, 2, 0};
  const Real values[] = {1, 2, 5};
  const BlockSparseMatrix matrix = blockSparseFromTriplets(rowStart, rows, columns, values);
  MatX expected = MatX::Zero(3, 3);
  expected(0, 2) = 3;
  expected(1, 0) = 5;
  EXPECT_EQ(matrix.toDense(), expected);
  EXPECT_EQ(matrix.blockColumn[matrix.diagonal[1]], 1);
}

// [[2, 1], [0.5, 4]]: |1 − 0.5| / 4. An entry without a mirror image counts whole.
TEST(BlockSparse, Asymmetry_IsTheLargestDifferenceOverTheLargestEntry) {
  const int rowStart[] = {0, 1, 2};
  const int rows[] = {0, 0, 1, 1};
  const int columns[] = {0, 1, 0, 1};
  const Real values[] = {2, 1, 0.5, 4};
  EXPECT_EQ(blockSparseFromTriplets(rowStart, rows, columns, values).asymmetry(), 0.125);
  EXPECT_EQ(blockSparseFromTriplets(rowStart, std::span(rows).first(2), std::span(columns).first(2),
                                    std::span(values).first(2))
                .asymmetry(),
            0.5);
}

TEST(BlockSparse, MultiplyWithMixedBlockSizes_EqualsDense) {
  const StoredProblem problem = test::pileWithJoints(FrictionModel::kContensou, 0.5, 1);
  const BlockSparseMatrix matrix = assemble(problem.view());
  Random random(1);
  VecX x(matrix.size()), y(matrix.size());
  for (Real& value : x) value = random.uniform(-1, 1);
  matrix.multiply(all(x), all(y));
  EXPECT_LE((y - matrix.toDense() * x).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(ReplaceNonFinite, OnlyBadEntriesBecomeZero) {
  Real lambda[] = {1, std::numeric_limits<Real>::quiet_NaN(), kInfinity, -2};
  replaceNonFinite(lambda);
  EXPECT_EQ(lambda[0], 1);
  EXPECT_EQ(lambda[1], 0);
  EXPECT_EQ(lambda[2], 0);
  EXPECT_EQ(lambda[3], -2);
}

}  // namespace
}  // namespace drystone
