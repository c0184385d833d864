#include "solvers/file/problem_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <list>
#include <sstream>

#include "core/input_error.h"
#include "core/random.h"
#include "solvers/file/problem_file_hdf5.h"
#include "solvers/problem/judge.h"
#include "solvers/problem/problem_ops.h"
#include "tests/support/problems.h"

#ifdef __SANITIZE_ADDRESS__
// HDF5 itself loses memory when it gives up on a damaged file.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }
#endif

namespace drystone {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A folder of its own for each test.
class ProblemFile : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        fs::temp_directory_path() / ("drystone_" + std::to_string(::getpid()) + "_" + info->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string writeText(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  std::string text(const std::string& file) const {
    std::ostringstream out;
    out << std::ifstream(file, std::ios::binary).rdbuf();
    return out.str();
  }
  /// What the reader says about a file; "" when it takes it.
  static std::string complaint(const std::string& file) {
    try {
      readProblemFile(file);
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  }

  fs::path folder_;
};

template <class T>
bool sameBits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

void expectSameProblem(const StoredProblem& a, const StoredProblem& b) {
  EXPECT_EQ(a.friction, b.friction);
  EXPECT_EQ(a.timestep, b.timestep);
  ASSERT_EQ(a.blocks.size(), b.blocks.size());
  for (std::size_t i = 0; i < a.blocks.size(); ++i) {
    const ProblemBlock &x = a.blocks[i], &y = b.blocks[i];
    EXPECT_TRUE(x.key == y.key && x.firstRow == y.firstRow && x.rows == y.rows && x.law == y.law &&
                x.bodyA == y.bodyA && x.bodyB == y.bodyB && x.friction == y.friction)
        << i;
    EXPECT_EQ(x.law == BlockLaw::kContact ? x.normalBound : 0, y.normalBound) << i;
    for (int row = x.firstRow; x.law == BlockLaw::kRows && row < x.firstRow + x.rows; ++row) {
      EXPECT_EQ(a.lower[row], b.lower[row]);
      EXPECT_EQ(a.upper[row], b.upper[row]);
    }
  }
  EXPECT_TRUE(sameBits(a.b, b.b));
  EXPECT_TRUE(sameBits(a.compliance, b.compliance));
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_EQ(a.bodies[i].inverseMass, b.bodies[i].inverseMass);
    EXPECT_EQ(a.bodies[i].inverseInertia, b.bodies[i].inverseInertia);
  }
  EXPECT_TRUE(a.jacobianA == b.jacobianA && a.jacobianB == b.jacobianB);
  ASSERT_EQ(a.assembled.has_value(), b.assembled.has_value());
  if (!a.assembled) return;
  EXPECT_EQ(a.assembled->rowStart, b.assembled->rowStart);
  EXPECT_EQ(a.assembled->blockStart, b.assembled->blockStart);
  EXPECT_EQ(a.assembled->blockColumn, b.assembled->blockColumn);
  EXPECT_EQ(a.assembled->valueStart, b.assembled->valueStart);
  EXPECT_EQ(a.assembled->diagonal, b.assembled->diagonal);
  EXPECT_TRUE(sameBits(a.assembled->values, b.assembled->values));
}

/// A warm start of awkward numbers: thirds, denormals, minus zero, the largest double.
std::vector<Real> awkwardImpulses(std::size_t rows) {
  const Real numbers[] = {1.0 / 3, 5e-324, -0.0, 1.7976931348623157e308, -1e-17};
  std::vector<Real> values(rows);
  for (std::size_t i = 0; i < rows; ++i) values[i] = numbers[i % std::size(numbers)];
  return values;
}

std::vector<StoredProblem> sampleProblems() {
  std::vector<StoredProblem> samples;
  for (const FrictionModel model : {FrictionModel::kCone, FrictionModel::kNone, FrictionModel::kBox,
                                    FrictionModel::kContensou}) {
    samples.push_back(test::pileWithJoints(model, 0.4, 3));
    samples.push_back(test::assembled(samples.back()));
  }
  samples.push_back(test::boxStack(FrictionModel::kCone, {1000, 10}, 0.5, 1e-7));
  samples.push_back(test::hangingChain(3));
  return samples;
}

TEST_F(ProblemFile, WrittenAndRead_EveryNumberIsTheSameBitForBit) {
  int index = 0;
  for (const StoredProblem& problem : sampleProblems()) {
    const std::vector<Real> warm = awkwardImpulses(problem.b.size());
    std::vector<RowState> states(problem.b.size());
    for (std::size_t i = 0; i < states.size(); ++i) states[i] = static_cast<RowState>(i % 4);
    ProblemFileNotes notes{"pile \"one\"", "two\nlines", warm, states, {}};
    notes.solution = problem.b;
    for (const char* extension : {".json", ".hdf5", ".h5"}) {
      const std::string file = path("problem" + std::to_string(index) + extension);
      writeProblemFile(file, problem.view(), notes);
      const ReadProblem read = readProblemFile(file);
      expectSameProblem(problem, read.problem);
      EXPECT_EQ(read.name, notes.name);
      EXPECT_EQ(read.info, notes.info);
      EXPECT_TRUE(sameBits(read.warmStart, warm));
      EXPECT_EQ(read.warmStates, states);
      EXPECT_TRUE(sameBits(read.solution, problem.b));
      EXPECT_FALSE(fs::exists(file + ".part"));
    }
    ++index;
  }
}

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

constexpr const char* kSmallJson = R"({"format": "drystone-problem", "version": 1, "name": "two",
 "form": "assembled", "size": 2, "A": {"rows": [0, 1, 1], "cols": [0, 0, 1],
 "values": [2.0, 1.0, 3.0], "symmetric": false}, "b": [-1.0, 2.5], "lower": [0.0, null],
 "upper": [null, null], "contacts": [], "solution": {"impulse": [0.5, -1.0]}})";

TEST_F(ProblemFile, AssembledJson_NullBoundsAreInfinite) {
  const ReadProblem read = readProblemFile(writeText("two.json", kSmallJson));
  MatX expected(2, 2);
  expected << 2, 0, 1, 3;
  EXPECT_EQ(read.problem.assembled->toDense(), expected);
  EXPECT_EQ(read.problem.lower, (std::vector<Real>{0, -kInfinity}));
  EXPECT_EQ(read.problem.upper, (std::vector<Real>{kInfinity, kInfinity}));
  EXPECT_EQ(read.solution, (std::vector<Real>{0.5, -1}));
  EXPECT_EQ(read.name, "two");
}

/// kSmallJson with one text replaced by another.
std::string spoilt(const std::string& from, const std::string& to) {
  std::string text = kSmallJson;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST_F(ProblemFile, SpoiltJson_SaysWhereAndWhatToDo) {
  const struct {
    const char *from, *to, *says;
  } cases[] = {
      {"\"version\": 1", "\"version\": 2", "/version: this program reads version 1, got 2"},
      {"drystone-problem", "other", "/format: must be \"drystone-problem\""},
      {"assembled", "dense", "/form: must be"},
      {"-1.0, 2.5", "-1.0", "/b: must have \"size\" = 2 entries, got 1"},
      {"-1.0, 2.5", "-1.0, \"x\"", "/b/1: must be a number"},
      {"-1.0, 2.5", "-1.0, 1e999", "3:62: the number 1e999 does not fit a double"},
      {"-1.0, 2.5", "-1.0, NaN", "3:62: syntax error"},
      {"[0, 1, 1]", "[0, 1, 5]", "/A/rows/2: must be 0 to 1, got 5"},
      {"[0, 1, 1]", "[0, 1]", "rows, cols and values must have one length, got 2, 3 and 3"},
      {"[0.0, null]", "[0.0, 3, 1]", "/lower: must have \"size\" = 2 entries"},
      {"[0.0, null],\n \"upper\": [null, null]", "[0.0, 3], \"upper\": [null, 2.0]",
       "/lower/1: must not exceed the upper bound 2, got 3"},
      {"\"size\": 2", "\"size\": 2000000000", "/b: must have \"size\" = 2000000000 entries"},
      {"\"contacts\": []", "\"contacts\": [{\"row\": 0, \"mu\": -1}]", "/contacts/0"},
      {"\"contacts\": []", "\"kontakte\": []", "/contacts: is missing"},
      {"\"symmetric\"", "\"symetric\"",
       "/A/symetric: is not a key of this format; did you mean \"symmetric\"?"},
      {"\"contacts\": []", "\"contacts\": [], \"warmstart\": []", "\"warm_start\""},
      {"\"contacts\": []", "\"contacts\": [{\"row\": 7, \"mu\": 0}]", "/contacts/0: rows 7 to 9"},
      {"0.5, -1.0", "0.5", "/solution/impulse/0: has 1 entries, but the problem has 2 rows"},
  };
  for (const auto& [from, to, says] : cases) {
    const std::string file = writeText("spoilt.json", spoilt(from, to));
    EXPECT_THAT(complaint(file), HasSubstr(says)) << to;
    EXPECT_THAT(complaint(file), HasSubstr("spoilt.json: ")) << to;
  }
}

TEST_F(ProblemFile, JsonWithManyFaults_ListsThemTogether) {
  std::string text = spoilt("-1.0, 2.5", "\"a\", \"b\"");
  text.replace(text.find("[0.0, null]"), 11, "[0.0, \"c\"]");
  const std::string says = complaint(writeText("many.json", text));
  for (const char* place : {"/b/0", "/b/1", "/lower/1"}) EXPECT_THAT(says, HasSubstr(place));
}

TEST_F(ProblemFile, NoProblemFile_IsRefusedByName) {
  EXPECT_THAT(complaint(path("nowhere.json")), HasSubstr("no such file"));
  EXPECT_THAT(complaint(folder_.string()), HasSubstr("is a folder"));
  EXPECT_THAT(complaint(writeText("empty.json", "")), HasSubstr("is empty"));
  EXPECT_THAT(complaint(writeText("list.json", "[1, 2]")), HasSubstr("is neither"));
  EXPECT_THAT(complaint(writeText("image.png", "\x89PNG")), HasSubstr("is neither"));
}

TEST_F(ProblemFile, UnwritableTargets_AreRefusedAndLeaveNothing) {
  const StoredProblem problem = test::boxOnPlane(FrictionModel::kCone, 1, 0.5);
  EXPECT_THROW(writeProblemFile(path("a.txt"), problem.view()), InputError);
  EXPECT_THROW(writeProblemFile(path("none/a.json"), problem.view()), InputError);
  EXPECT_THROW(writeProblemFile(path("none/a.hdf5"), problem.view()), InputError);
  StoredProblem broken = problem;
  broken.b[4] = NAN;
  broken.blocks[1].friction = -1;
  try {
    writeProblemFile(path("b.hdf5"), broken.view());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("b 4: must be a finite number"));
    EXPECT_THAT(error.what(), HasSubstr("friction 1: friction must be finite and >= 0, got -1"));
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

/// Reading must end in an answer or an InputError, whatever the bytes are.
void expectSurvives(const std::string& file) {
  try {
    const ReadProblem read = readProblemFile(file);
    std::vector<Real> lambda(read.problem.b.size(), 1);
    JudgeWorkspace workspace;
    judge(read.problem.view(), lambda, workspace);
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(file));
  }
}

TEST_F(ProblemFile, CutAnywhere_IsAnErrorAndNeverACrash) {
  const StoredProblem problem = test::pileWithJoints(FrictionModel::kCone, 0.4, 3);
  for (const char* name : {"whole.json", "whole.hdf5"}) {
    writeProblemFile(path(name), problem.view(), {"whole", "", problem.b, {}, {}});
    const std::string whole = text(path(name));
    const std::size_t step = std::max<std::size_t>(1, whole.size() / 100);
    for (std::size_t size = 0; size < whole.size() - 2; size += step) {
      EXPECT_THROW(readProblemFile(writeText("cut", whole.substr(0, size))), InputError) << size;
    }
  }
}

TEST_F(ProblemFile, FlippedBits_AreAnErrorOrAnotherProblemAndNeverACrash) {
  const StoredProblem problem = test::pileWithJoints(FrictionModel::kCone, 0.4, 3);
  Random random(7);
  for (const char* name : {"whole.json", "whole.hdf5"}) {
    writeProblemFile(path(name), problem.view(), {"whole", "", problem.b, {}, {}});
    const std::string whole = text(path(name));
    for (int flip = 0; flip < 200; ++flip) {
      std::string damaged = whole;
      for (int bits = 0; bits < 1 + flip % 3; ++bits) {
        const auto at =
            static_cast<std::size_t>(random.uniform() * static_cast<Real>(whole.size()));
        damaged[at] =
            static_cast<char>(damaged[at] ^ (1 << static_cast<int>(random.uniform(0, 8))));
      }
      expectSurvives(writeText("damaged", damaged));
    }
  }
}

}  // namespace
}  // namespace drystone
