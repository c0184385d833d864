// The group `drystone` of an HDF5 problem file: everything that FCLIB's layout has no place for.
// docs/problem_file.md lists the datasets.

#include <fmt/format.h>

#include <algorithm>

#include "solvers/file/problem_file_fclib.h"

namespace drystone::detail {
namespace {

constexpr int kGroupVersion = 1;

std::string placeInGroup(ProblemField field, int index) {
  static constexpr std::string_view kDatasets[] = {
      "b",          "compliance", "lower",        "upper",      "jacobian_a",   "jacobian_b",
      "block_rows", "mu",         "normal_bound", "mu_rolling", "inverse_mass", "inverse_inertia",
      "A/values",   "warm_start", "solution"};
  return fmt::format("drystone/{}[{}]", kDatasets[static_cast<int>(field)], index);
}

/// Reads the datasets of the group and checks that their sizes agree.
class GroupReader {
 public:
  GroupReader(Hdf5File& file, FileErrors& errors) : file_(file), errors_(errors) {}

  template <class T>
  std::vector<T> sized(const char* name, std::vector<T> values, std::size_t size, int before) {
    if (errors_.count() == before && values.size() != size) {
      errors_.add(path(name), fmt::format("must have {} entries, got {}", size, values.size()));
    }
    values.resize(size);
    return values;
  }
  std::vector<Real> reals(const char* name, std::size_t size) {
    const int before = errors_.count();
    return sized(name, file_.reals(path(name)), size, before);
  }
  std::vector<Real> optionalReals(const char* name, std::size_t size) {
    return file_.has(path(name)) ? reals(name, size) : std::vector<Real>();
  }
  std::vector<int> integers(const char* name, std::size_t size) {
    const int before = errors_.count();
    return sized(name, file_.integers(path(name)), size, before);
  }
  std::vector<int> integers(const char* name) { return file_.integers(path(name)); }
  std::vector<Real> reals(const char* name) { return file_.reals(path(name)); }
  std::vector<std::uint64_t> keys(const char* name) { return file_.keys(path(name)); }
  std::string text(const char* name) { return file_.text(path(name)); }
  bool has(const char* name) { return file_.has(path(name)); }
  int integer(const char* name) { return file_.integer(path(name)); }

  static std::string path(const char* name) { return fmt::format("drystone/{}", name); }
  FileErrors& errors() { return errors_; }

 private:
  Hdf5File& file_;
  FileErrors& errors_;
};

void readBlocks(GroupReader& reader, StoredProblem& problem) {
  const std::vector<std::uint64_t> keys = reader.keys("block_key");
  const std::size_t count = keys.size();
  const std::vector<int> rows = reader.integers("block_rows", count);
  const std::vector<int> contact = reader.integers("block_is_contact", count);
  const std::vector<int> bodies = reader.integers("block_bodies", 2 * count);
  const std::vector<Real> mu = reader.reals("mu", count);
  const std::vector<Real> bound = reader.reals("normal_bound", count);
  // Files of programs before this one lack it.
  std::vector<Real> rolling = reader.optionalReals("mu_rolling", count);
  rolling.resize(count);
  int next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (rows[i] < 1 || rows[i] > kMaxBlockRows) {
      reader.errors().add(placeInGroup(ProblemField::kBlock, static_cast<int>(i)),
                          fmt::format("must be 1 to {}, got {}", kMaxBlockRows, rows[i]));
      return;
    }
    problem.blocks.push_back({keys[i], next, rows[i],
                              contact[i] != 0 ? BlockLaw::kContact : BlockLaw::kRows, bodies[2 * i],
                              bodies[2 * i + 1], mu[i], bound[i], rolling[i]});
    next += rows[i];
  }
}

std::vector<Vec6> toVectors(const std::vector<Real>& values) {
  std::vector<Vec6> vectors(values.size() / 6);
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    vectors[i] = Eigen::Map<const Vec6>(&values[6 * i]);
  }
  return vectors;
}

void readBodies(GroupReader& reader, StoredProblem& problem) {
  const std::vector<Real> masses = reader.reals("inverse_mass");
  const std::vector<Real> inertias = reader.reals("inverse_inertia", 9 * masses.size());
  for (std::size_t i = 0; i < masses.size(); ++i) {
    using RowMajor = Eigen::Matrix<Real, 3, 3, Eigen::RowMajor>;
    problem.bodies.push_back({masses[i], Eigen::Map<const RowMajor>(&inertias[9 * i])});
  }
  problem.jacobianA = toVectors(reader.reals("jacobian_a", 6 * problem.b.size()));
  problem.jacobianB = toVectors(reader.reals("jacobian_b", 6 * problem.b.size()));
}

/// The block-sparse matrix as it lay in memory; its derived arrays are built anew.
void readMatrix(GroupReader& reader, StoredProblem& problem) {
  BlockSparseMatrix matrix;
  const int blocks = static_cast<int>(problem.blocks.size());
  matrix.rowStart = blockRowStarts(problem.blocks);
  matrix.blockStart = reader.integers("A/block_start", blocks + 1);
  matrix.blockColumn = reader.integers("A/block_column");
  matrix.values = reader.reals("A/values");
  FileErrors& errors = reader.errors();
  errors.throwIfAny();
  const std::string place = GroupReader::path("A/block_start");
  if (matrix.blockStart.front() != 0 ||
      !std::is_sorted(matrix.blockStart.begin(), matrix.blockStart.end()) ||
      matrix.blockStart.back() != static_cast<int>(matrix.blockColumn.size())) {
    errors.fail(place, "must ascend from 0 to the number of stored blocks");
  }
  std::int64_t next = 0;
  for (int i = 0; i < blocks; ++i) {
    int last = -1;
    bool diagonal = false;
    for (int stored = matrix.blockStart[i]; stored < matrix.blockStart[i + 1]; ++stored) {
      const int column = matrix.blockColumn[stored];
      if (column <= last || column >= blocks) {
        errors.fail(GroupReader::path("A/block_column"),
                    fmt::format("must ascend within block row {} and be below {}", i, blocks));
      }
      last = column;
      if (column == i) {
        matrix.diagonal.push_back(stored);
        diagonal = true;
      }
      matrix.valueStart.push_back(static_cast<int>(next));
      next += std::int64_t{matrix.blockRows(i)} * matrix.blockRows(column);
    }
    if (!diagonal) errors.fail(place, fmt::format("block row {} has no diagonal block", i));
  }
  if (next != static_cast<std::int64_t>(matrix.values.size())) {
    errors.fail(GroupReader::path("A/values"),
                fmt::format("must have {} entries, got {}", next, matrix.values.size()));
  }
  matrix.valueStart.push_back(static_cast<int>(next));
  problem.assembled = std::move(matrix);
}

void readHeader(GroupReader& reader, ReadProblem& read) {
  const int version = reader.integer("version");
  reader.errors().throwIfAny();
  if (version != kGroupVersion) {
    reader.errors().fail(GroupReader::path("version"),
                         fmt::format("this program reads version {}, got {}: use a newer one",
                                     kGroupVersion, version));
  }
  read.name = reader.text("name");
  read.info = reader.text("info");
  const std::string model = reader.text("friction_model");
  if (const auto known = frictionModelFromName(model)) {
    read.problem.friction = *known;
  } else {
    reader.errors().add(GroupReader::path("friction_model"),
                        fmt::format("unknown model '{}': use none, box, pyramid, diamond, cone or "
                                    "contensou",
                                    model));
  }
  read.problem.timestep = reader.reals("timestep", 1)[0];
}

}  // namespace

void readDrystoneGroup(Hdf5File& file, ReadProblem& read, FileErrors& errors) {
  GroupReader reader(file, errors);
  StoredProblem& problem = read.problem;
  readHeader(reader, read);
  problem.b = reader.reals("b");
  const std::size_t rows = problem.b.size();
  problem.compliance = reader.optionalReals("compliance", rows);
  problem.lower = reader.optionalReals("lower", rows);
  problem.upper = reader.optionalReals("upper", rows);
  readBlocks(reader, problem);
  read.warmStart = reader.optionalReals("warm_start", rows);
  read.solution = reader.optionalReals("solution", rows);
  if (reader.has("row_state")) {
    for (int state : reader.integers("row_state", rows)) {
      if (state < 0 || state > static_cast<int>(RowState::kUpper)) {
        errors.add(GroupReader::path("row_state"), "must hold 0 to 3");
        break;
      }
      read.warmStates.push_back(static_cast<RowState>(state));
    }
  }
  errors.throwIfAny();
  if (reader.has("A")) {
    readMatrix(reader, problem);
  } else {
    readBodies(reader, problem);
  }
  errors.throwIfAny();
  checkProblem(problem.view(), placeInGroup, errors);
  checkImpulses(read.warmStart, static_cast<int>(rows), ProblemField::kWarmStart, placeInGroup,
                errors);
  checkImpulses(read.solution, static_cast<int>(rows), ProblemField::kSolution, placeInGroup,
                errors);
}

namespace {

void writeBlocks(Hdf5File& file, const ContactProblem& problem) {
  std::vector<std::uint64_t> keys;
  std::vector<int> rows, contact, bodies;
  std::vector<Real> mu, bound, rolling;
  for (const ProblemBlock& block : problem.blocks) {
    keys.push_back(block.key);
    rows.push_back(block.rows);
    contact.push_back(block.law == BlockLaw::kContact ? 1 : 0);
    bodies.push_back(block.bodyA);
    bodies.push_back(block.bodyB);
    mu.push_back(block.friction);
    bound.push_back(block.normalBound);
    rolling.push_back(block.rolling);
  }
  file.writeKeys("drystone/block_key", keys);
  file.writeIntegers("drystone/block_rows", rows);
  file.writeIntegers("drystone/block_is_contact", contact);
  file.writeIntegers("drystone/block_bodies", bodies, 2);
  file.writeReals("drystone/mu", mu);
  file.writeReals("drystone/normal_bound", bound);
  file.writeReals("drystone/mu_rolling", rolling);
}

void writeBodies(Hdf5File& file, const ContactProblem& problem) {
  std::vector<Real> masses, inertias;
  for (const InverseInertia& body : problem.bodies) {
    masses.push_back(body.inverseMass);
    for (int i = 0; i < 9; ++i) inertias.push_back(body.inverseInertia(i / 3, i % 3));
  }
  file.writeReals("drystone/inverse_mass", masses);
  file.writeReals("drystone/inverse_inertia", inertias, 9);
  const auto writeRows = [&](const char* name, std::span<const Vec6> vectors) {
    std::vector<Real> values;
    for (const Vec6& vector : vectors) values.insert(values.end(), vector.begin(), vector.end());
    file.writeReals(name, values, 6);
  };
  writeRows("drystone/jacobian_a", problem.jacobianA);
  writeRows("drystone/jacobian_b", problem.jacobianB);
}

}  // namespace

void writeDrystoneGroup(Hdf5File& file, const ContactProblem& problem,
                        const ProblemFileNotes& notes) {
  const auto writeOptional = [&](const char* name, std::span<const Real> values) {
    if (!values.empty()) file.writeReals(name, values);
  };
  file.writeIntegers("drystone/version", {&kGroupVersion, 1});
  file.writeText("drystone/name", notes.name);
  file.writeText("drystone/info", notes.info);
  file.writeText("drystone/friction_model", std::string(frictionModelName(problem.friction)));
  file.writeReals("drystone/timestep", {&problem.timestep, 1});
  file.writeReals("drystone/b", problem.b);
  writeOptional("drystone/compliance", problem.compliance);
  writeOptional("drystone/lower", problem.lower);
  writeOptional("drystone/upper", problem.upper);
  writeBlocks(file, problem);
  if (problem.assembled != nullptr) {
    file.writeIntegers("drystone/A/block_start", problem.assembled->blockStart);
    file.writeIntegers("drystone/A/block_column", problem.assembled->blockColumn);
    file.writeReals("drystone/A/values", problem.assembled->values);
  } else {
    writeBodies(file, problem);
  }
  writeOptional("drystone/warm_start", notes.warmStart);
  writeOptional("drystone/solution", notes.solution);
  if (!notes.warmStates.empty()) {
    std::vector<int> states;
    for (RowState state : notes.warmStates) states.push_back(static_cast<int>(state));
    file.writeIntegers("drystone/row_state", states);
  }
}

}  // namespace drystone::detail
