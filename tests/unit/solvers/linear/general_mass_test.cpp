#include "solvers/linear/general_mass.h"

#include <gtest/gtest.h>

#include "tests/support/matrices.h"

namespace drystone {
namespace {

using SparseColumns = Eigen::SparseMatrix<Real>;

/// Against dense LU, for M = [4 s; −s 2] extended by a free mass, two rows.
void expectDenseAnswer(Real gyroscopic) {
  MatX mass = MatX::Zero(3, 3);
  mass << 4, gyroscopic, 0, -gyroscopic, 2, 0, 0, 0, 5;
  MatX jacobianT(3, 2);
  jacobianT << 1, 0, -1, 2, 0, 3;
  const VecX force = Vec3(1, -2, 0.5), offset = VecX::LinSpaced(2, -1, 4);
  const auto local = eliminateVelocities(mass.sparseView(), jacobianT.sparseView(), force, offset);
  ASSERT_TRUE(local);
  const MatX inverse = test::inverseDense(mass);
  const MatX delassus = jacobianT.transpose() * inverse * jacobianT;
  const VecX b = offset + jacobianT.transpose() * inverse * force;
  // Some ten operations on numbers of order one.
  EXPECT_LT((MatX(local->delassus) - delassus).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT((local->b - b).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(GeneralMass, Symmetric_GivesTheDenseAnswer) { expectDenseAnswer(0); }

TEST(GeneralMass, WithGyroscopicTerms_GivesTheDenseAnswer) { expectDenseAnswer(1.5); }

TEST(GeneralMass, Singular_GivesNothing) {
  const VecX zero = VecX::Zero(2);
  for (const Real gyroscopic : {0.0, 1.0}) {
    MatX mass(3, 3);
    mass << 1, gyroscopic, 0, -gyroscopic, 1, 0, 0, 0, 0;
    const MatX rows = MatX::Identity(3, 2);
    EXPECT_FALSE(eliminateVelocities(mass.sparseView(), rows.sparseView(), Vec3::Ones(), zero))
        << gyroscopic;
  }
}

}  // namespace
}  // namespace drystone
