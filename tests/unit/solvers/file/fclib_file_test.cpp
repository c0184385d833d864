// The form of FCLIB in HDF5: what we write of it, and files that others have written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <list>

#include "solvers/file/problem_file_hdf5.h"
#include "solvers/problem/judge.h"
#include "solvers/problem/problem_ops.h"
#include "tests/support/problems.h"
#include "tests/unit/solvers/file/problem_file_fixture.h"

namespace drystone {
namespace {

using test::ProblemFile;
using test::sameBits;
using testing::HasSubstr;

TEST_F(ProblemFile, Hdf5_HoldsTheFclibFormForItsTools) {
  // The group `drystone` removed by writing what a foreign tool would copy: contacts and bilateral
  // rows must say the same as the problem itself, so its solution is one there too.
  const StoredProblem problem = test::boxStack(FrictionModel::kCone, {2, 1}, 0.5);
  AssemblyWorkspace workspace;
  BlockSparseMatrix matrix;
  assembleDelassus(problem.view(), workspace, matrix);
  writeProblemFile(path("stack.hdf5"), problem.view(), {"stack", "", {}, {}, problem.b});
  detail::FileErrors errors(path("stack.hdf5"));
  detail::Hdf5File file = detail::Hdf5File::open(errors);
  EXPECT_EQ(file.integer("fclib_local/spacedim"), 3);
  EXPECT_EQ(file.integer("fclib_local/W/m"), 24);
  EXPECT_EQ(file.integer("fclib_local/W/n"), 24);
  EXPECT_EQ(file.integer("fclib_local/W/nz"), -2);
  EXPECT_TRUE(sameBits(file.reals("fclib_local/vectors/q"), problem.b));
  EXPECT_THAT(file.reals("fclib_local/vectors/mu"), testing::Each(0.5));
  EXPECT_TRUE(sameBits(file.reals("solution/r"), problem.b));
  EXPECT_EQ(file.text("fclib_local/info/title"), "stack");
  const std::vector<int> p = file.integers("fclib_local/W/p"), i = file.integers("fclib_local/W/i");
  const std::vector<Real> x = file.reals("fclib_local/W/x");
  MatX w = MatX::Zero(24, 24);
  for (int row = 0; row < 24; ++row) {
    for (int k = p[row]; k < p[row + 1]; ++k) w(row, i[k]) = x[k];
  }
  EXPECT_EQ(w, matrix.toDense());
  EXPECT_TRUE(errors.empty());
}

/// Writes FCLIB files by hand.
class FclibFile : public ProblemFile {
 protected:
  struct Matrix {
    int m, n, nz;
    std::vector<int> p, i;
    std::vector<Real> x;
  };
  detail::Hdf5File create(const std::string& name) {
    errors_.emplace_back(path(name));
    return detail::Hdf5File::create(path(name), errors_.back());
  }
  static void write(detail::Hdf5File& file, const std::string& group, const Matrix& matrix) {
    const int nzmax = static_cast<int>(matrix.x.size());
    file.writeIntegers(group + "/m", {&matrix.m, 1});
    file.writeIntegers(group + "/n", {&matrix.n, 1});
    file.writeIntegers(group + "/nz", {&matrix.nz, 1});
    file.writeIntegers(group + "/nzmax", {&nzmax, 1});
    file.writeIntegers(group + "/p", matrix.p);
    file.writeIntegers(group + "/i", matrix.i);
    file.writeReals(group + "/x", matrix.x);
  }
  /// One contact; every matrix of the tests below means W = [2 1 0; 0.5 3 0; 0 0 4].
  std::string writeLocal(const std::string& name, const Matrix& w, std::vector<Real> q = {-1, 2, 3},
                         std::vector<Real> mu = {0.5}, int spacedim = 3) {
    detail::Hdf5File file = create(name);
    file.writeIntegers("fclib_local/spacedim", {&spacedim, 1});
    write(file, "fclib_local/W", w);
    if (!q.empty()) file.writeReals("fclib_local/vectors/q", q);
    if (!mu.empty()) file.writeReals("fclib_local/vectors/mu", mu);
    file.close();
    return path(name);
  }
  static Matrix rowsStorage() {
    return {3, 3, -2, {0, 2, 4, 5}, {0, 1, 0, 1, 2}, {2, 1, .5, 3, 4}};
  }

  std::list<detail::FileErrors> errors_;
};

TEST_F(FclibFile, AllThreeStorages_MeanTheSameMatrix) {
  Mat3 expected;
  expected << 2, 1, 0, 0.5, 3, 0, 0, 0, 4;
  const Matrix columns = {3, 3, -1, {0, 2, 4, 5}, {0, 1, 0, 1, 2}, {2, .5, 1, 3, 4}};
  // Triplets have p = columns and i = rows, as Siconos writes them.
  const Matrix triplets = {3, 3, 5, {0, 1, 0, 1, 2}, {0, 0, 1, 1, 2}, {2, 1, .5, 3, 4}};
  int index = 0;
  for (const Matrix& matrix : {rowsStorage(), columns, triplets}) {
    const ReadProblem read =
        readProblemFile(writeLocal("w" + std::to_string(index++) + ".hdf5", matrix));
    EXPECT_EQ(read.problem.assembled->toDense(), MatX(expected));
    EXPECT_EQ(read.problem.b, (std::vector<Real>{-1, 2, 3}));
    EXPECT_EQ(read.problem.blocks[0].friction, 0.5);
  }
}

TEST_F(FclibFile, PlaneProblem_GetsADecoupledThirdRow) {
  const Matrix plane = {2, 2, -2, {0, 2, 4}, {0, 1, 0, 1}, {2, 1, 1, 3}};
  const ReadProblem read = readProblemFile(writeLocal("plane.hdf5", plane, {-1, 2}, {0.5}, 2));
  MatX expected = MatX::Zero(3, 3);
  expected << 2, 1, 0, 1, 3, 0, 0, 0, 3;
  EXPECT_EQ(read.problem.assembled->toDense(), expected);
  EXPECT_EQ(read.problem.b, (std::vector<Real>{-1, 2, 0}));
}

TEST_F(FclibFile, GlobalProblem_IsCondensedByTheMasses) {
  // M = diag(2, 4, 8), H = 1: W = M⁻¹ and q = w + M⁻¹ f. One joint row G = (1, 0, 0)ᵀ, b = 7,
  // couples to the first contact row by 1/2.
  detail::Hdf5File file = create("global.hdf5");
  const int spacedim = 3;
  file.writeIntegers("fclib_global/spacedim", {&spacedim, 1});
  write(file, "fclib_global/M", {3, 3, 3, {0, 1, 2}, {0, 1, 2}, {2, 4, 8}});
  write(file, "fclib_global/H", {3, 3, -1, {0, 1, 2, 3}, {0, 1, 2}, {1, 1, 1}});
  write(file, "fclib_global/G", {3, 1, 1, {0}, {0}, {1}});
  file.writeReals("fclib_global/vectors/f", std::vector<Real>{2, 4, 16});
  file.writeReals("fclib_global/vectors/w", std::vector<Real>{-10, 0, 1});
  file.writeReals("fclib_global/vectors/mu", std::vector<Real>{0.3});
  file.writeReals("fclib_global/vectors/b", std::vector<Real>{7});
  file.close();
  const ReadProblem read = readProblemFile(path("global.hdf5"));
  MatX expected = Eigen::Vector4d(0.5, 0.25, 0.125, 0.5).asDiagonal();
  expected(0, 3) = expected(3, 0) = 0.5;
  EXPECT_EQ(read.problem.assembled->toDense(), expected);
  EXPECT_EQ(read.problem.b, (std::vector<Real>{-9, 1, 3, 8}));
  ASSERT_EQ(read.problem.blocks.size(), 2u);
  EXPECT_EQ(read.problem.blocks[1].law, BlockLaw::kRows);
}

TEST_F(FclibFile, RollingProblem_HasFiveRowsAContactAndASecondCoefficient) {
  // As above, of two contacts whose five velocities are those of the unknowns: W = M⁻¹.
  const auto writeRolling = [&](const std::string& name, int spacedim, std::vector<Real> muR) {
    const int size = 2 * spacedim;
    std::vector<int> index;
    std::vector<Real> mass, ones(size, 1), w, r;
    for (int i = 0; i < size; ++i) {
      index.push_back(i);
      mass.push_back(1 << i);
      w.push_back(i);
      r.push_back(10 + i);
    }
    detail::Hdf5File file = create(name);
    file.writeIntegers("fclib_global_rolling/spacedim", {&spacedim, 1});
    write(file, "fclib_global_rolling/M", {size, size, size, index, index, mass});
    write(file, "fclib_global_rolling/H", {size, size, size, index, index, ones});
    file.writeReals("fclib_global_rolling/vectors/f", std::vector<Real>(size, 0));
    file.writeReals("fclib_global_rolling/vectors/w", w);
    file.writeReals("fclib_global_rolling/vectors/mu", std::vector<Real>{0.3, 0.4});
    if (!muR.empty()) file.writeReals("fclib_global_rolling/vectors/mu_r", muR);
    file.writeReals("solution/r", r);
    file.close();
    return path(name);
  };
  const ReadProblem space = readProblemFile(writeRolling("space.hdf5", 5, {0.01, 0.02}));
  EXPECT_EQ(space.problem.friction, FrictionModel::kRolling);
  ASSERT_EQ(space.problem.blocks.size(), 2u);
  EXPECT_EQ(space.problem.blocks[1].rows, 5);
  EXPECT_EQ(space.problem.blocks[1].friction, 0.4);
  EXPECT_EQ(space.problem.blocks[1].rolling, 0.02);
  EXPECT_EQ(space.problem.b, (std::vector<Real>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(space.problem.assembled->toDense()(9, 9), 1.0 / 512);
  EXPECT_EQ(space.solution[9], 19);
  // Of the plane: normal, tangent and the rate about the axis square to both.
  const ReadProblem plane = readProblemFile(writeRolling("plane.hdf5", 3, {0.01, 0.02}));
  EXPECT_EQ(plane.problem.b, (std::vector<Real>{0, 1, 0, 2, 0, 3, 4, 0, 5, 0}));
  const MatX matrix = plane.problem.assembled->toDense();
  EXPECT_EQ(VecX(matrix.diagonal()),
            (VecX(10) << 1, 0.5, 0.5, 0.25, 0.25, 0.125, 1.0 / 16, 1.0 / 16, 1.0 / 32, 1.0 / 32)
                .finished());
  EXPECT_EQ(plane.solution, (std::vector<Real>{10, 11, 0, 12, 0, 13, 14, 0, 15, 0}));
  EXPECT_THAT([&] { readProblemFile(writeRolling("none.hdf5", 5, {})); },
              testing::ThrowsMessage<InputError>(HasSubstr("vectors/mu_r")));
  EXPECT_THAT(
      [&] {
        readProblemFile(writeRolling("two.hdf5", 2, {1, 1}));
      },
      testing::ThrowsMessage<InputError>(HasSubstr("must be 3 or 5, got 2")));
}

TEST_F(FclibFile, BilateralRows_ComeBackFromVAndR) {
  // What FCLIB calls V, R and s: read without the own group, the problem must judge the same.
  const StoredProblem pendulum =
      test::assembled(test::pileWithJoints(FrictionModel::kCone, 0.4, 5));
  StoredProblem bilateral = pendulum;
  for (Real& bound : bilateral.lower) bound = -kInfinity;
  for (Real& bound : bilateral.upper) bound = kInfinity;
  writeProblemFile(path("own.hdf5"), bilateral.view(), {"joints", "", {}, {}, bilateral.b});
  detail::FileErrors errors(path("own.hdf5"));
  detail::Hdf5File own = detail::Hdf5File::open(errors);
  detail::Hdf5File foreign = create("foreign.hdf5");
  for (const char* group : {"fclib_local/W", "fclib_local/V", "fclib_local/R"}) {
    const std::string g = group;
    write(foreign, g,
          {own.integer(g + "/m"), own.integer(g + "/n"), -2, own.integers(g + "/p"),
           own.integers(g + "/i"), own.reals(g + "/x")});
  }
  for (const char* vector : {"vectors/q", "vectors/s", "vectors/mu"}) {
    foreign.writeReals(std::string("fclib_local/") + vector,
                       own.reals(std::string("fclib_local/") + vector));
  }
  const int spacedim = 3;
  foreign.writeIntegers("fclib_local/spacedim", {&spacedim, 1});
  for (const char* name : {"solution/r", "solution/l"}) foreign.writeReals(name, own.reals(name));
  foreign.close();
  const ReadProblem read = readProblemFile(path("foreign.hdf5"));
  JudgeWorkspace workspace;
  // Any impulse is as wrong in both; sums run in another order, hence the rounding.
  EXPECT_NEAR(judge(read.problem.view(), read.solution, workspace).relative,
              judge(bilateral.view(), bilateral.b, workspace).relative, 1e-13);
}

TEST_F(FclibFile, MissingAndWrongData_AreAllListedWithPlaceAndRemedy) {
  EXPECT_THAT(complaint(writeLocal("a.hdf5", rowsStorage(), {})),
              HasSubstr("fclib_local/vectors/q: is missing"));
  EXPECT_THAT(complaint(writeLocal("b.hdf5", rowsStorage(), {1, 2, 3}, {})),
              HasSubstr("fclib_local/vectors/mu: is missing"));
  const std::string both = complaint(writeLocal("c.hdf5", rowsStorage(), {1, NAN}, {-0.1}));
  EXPECT_THAT(both, HasSubstr("c.hdf5: fclib_local/vectors/q: must have 3 entries, got 2"));
  EXPECT_THAT(both, HasSubstr("fclib_local/vectors/q[1]: must be a finite number, got nan"));
  EXPECT_THAT(both, HasSubstr("fclib_local/vectors/mu[0]: friction must be >= 0, got -0.1"));
  Matrix broken = rowsStorage();
  broken.i[2] = 7;
  EXPECT_THAT(complaint(writeLocal("d.hdf5", broken)), HasSubstr("indices from 0 to 2"));
  broken = rowsStorage();
  broken.p[1] = 900;
  EXPECT_THAT(complaint(writeLocal("e.hdf5", broken)), HasSubstr("ascending"));
  broken = rowsStorage();
  broken.nz = -7;
  EXPECT_THAT(complaint(writeLocal("f.hdf5", broken)), HasSubstr("must be -2"));
  broken = rowsStorage();
  broken.x[0] = std::numeric_limits<Real>::infinity();
  EXPECT_THAT(complaint(writeLocal("g.hdf5", broken)), HasSubstr("fclib_local/W/x[0]"));
  EXPECT_THAT(complaint(writeLocal("h.hdf5", rowsStorage(), {1, 2, 3}, {1}, 5)),
              HasSubstr("spacedim: must be 2 or 3, got 5"));
  create("i.hdf5").close();
  EXPECT_THAT(complaint(path("i.hdf5")), HasSubstr("none of the groups"));
}

}  // namespace
}  // namespace drystone
