#include "solvers/file/problem_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "core/input_error.h"
#include "core/random.h"
#include "solvers/problem/judge.h"
#include "tests/support/problems.h"
#include "tests/unit/solvers/file/problem_file_fixture.h"

namespace drystone {
namespace {

namespace fs = std::filesystem;
using test::ProblemFile;
using test::sameBits;
using testing::HasSubstr;
using testing::ThrowsMessage;

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
    EXPECT_EQ(x.rolling, y.rolling) << i;
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
  samples.push_back(
      test::withRolling(test::pileWithJoints(FrictionModel::kRolling, 0.4, 3), 1.0 / 3));
  samples.push_back(test::assembled(samples.back()));
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
      {"-1.0, 2.5", "-1.0, NaN", "3:62: NaN and infinities are no numbers of JSON"},
      {"-1.0, 2.5", "-1.0 /* of b */ 2.5", "3:60: a comma is missing here"},
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

TEST_F(ProblemFile, BlockOfABodyAndItself_IsRefused) {
  const std::string file = writeText("same.json", R"({"format": "drystone-problem", "version": 1,
    "form": "body", "friction_model": "cone", "timestep": 0.01,
    "bodies": [{"inverse_mass": 1, "inverse_inertia": [1, 0, 0, 0, 1, 0, 0, 0, 1]}],
    "blocks": [{"key": 1, "law": "rows", "bodies": [0, 0],
                "rows": [{"b": -1, "jacobian_a": [1, 0, 0, 0, 0, 0],
                          "jacobian_b": [-1, 0, 0, 0, 0, 0]}]}]})");
  EXPECT_THAT(complaint(file), HasSubstr("/blocks/0: joins body 0 with itself"));
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
  for (const char* name : {"none/a.json", "none/a.hdf5"}) {
    EXPECT_THAT([&] { writeProblemFile(path(name), problem.view()); },
                ThrowsMessage<std::runtime_error>(HasSubstr("cannot be written")));
  }
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
