#include "solvers/file/problem_file.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/text_file.h"
#include "solvers/file/problem_file_detail.h"

namespace drystone {
namespace detail {

void FileErrors::add(const std::string& place, const std::string& message) {
  if (++count_ <= kListed) {
    listed_.push_back(place.empty() ? fmt::format("{}: {}", path_, message)
                                    : fmt::format("{}: {}: {}", path_, place, message));
  }
}

void FileErrors::throwIfAny() const {
  if (empty()) return;
  std::vector<std::string> problems = listed_;
  if (count_ > kListed) {
    problems.push_back(fmt::format("{}: and {} more", path_, count_ - kListed));
  }
  throw InputError(std::move(problems));
}

void FileErrors::fail(const std::string& place, const std::string& message) {
  add(place, message);
  throwIfAny();
  std::abort();  // not reached: there is at least the entry just added
}

namespace {

using enum ProblemField;

void checkFinite(std::span<const Real> values, ProblemField field, const FieldPlace& place,
                 FileErrors& errors) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      errors.add(place(field, static_cast<int>(i)),
                 fmt::format("must be a finite number, got {}", values[i]));
    }
  }
}

void checkBounds(const ContactProblem& problem, int row, const FieldPlace& place,
                 FileErrors& errors) {
  const Real low = problem.lower[row], high = problem.upper[row];
  if (std::isnan(low) || low == kInfinity) {
    errors.add(place(kLower, row), fmt::format("must be a number or minus infinity, got {}", low));
  } else if (std::isnan(high) || high == -kInfinity) {
    errors.add(place(kUpper, row), fmt::format("must be a number or plus infinity, got {}", high));
  } else if (low > high) {
    errors.add(place(kLower, row),
               fmt::format("must not exceed the upper bound {}, got {}", high, low));
  }
}

void checkBlock(const ContactProblem& problem, int index, const FieldPlace& place,
                FileErrors& errors) {
  const ProblemBlock& block = problem.blocks[index];
  if (block.law == BlockLaw::kContact) {
    if (block.rows != contactRows(problem.friction)) {
      errors.add(place(kBlock, index),
                 fmt::format("a contact of the friction model '{}' has {} rows, got {}",
                             frictionModelName(problem.friction), contactRows(problem.friction),
                             block.rows));
    }
    if (!(std::isfinite(block.friction) && block.friction >= 0)) {
      errors.add(place(kFriction, index),
                 fmt::format("friction must be finite and >= 0, got {}", block.friction));
    }
    if (!(std::isfinite(block.normalBound) && block.normalBound >= 0)) {
      errors.add(place(kNormalBound, index),
                 fmt::format("must be finite and >= 0 N s, got {}", block.normalBound));
    }
    if (!(std::isfinite(block.rolling) && block.rolling >= 0)) {
      errors.add(place(kRolling, index),
                 fmt::format("rolling resistance must be finite and >= 0, got {}", block.rolling));
    }
  } else {
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      checkBounds(problem, row, place, errors);
    }
  }
  if (problem.assembled == nullptr && block.bodyA >= 0 && block.bodyA == block.bodyB) {
    errors.add(place(kBlock, index), fmt::format("joins body {} with itself; name two different "
                                                 "bodies, -1 for none",
                                                 block.bodyA));
  }
  for (int body : {block.bodyA, block.bodyB}) {
    if (problem.assembled == nullptr && (body < -1 || body >= problem.bodyCount())) {
      errors.add(place(kBlock, index),
                 fmt::format("names body {}, but bodies are numbered 0 to {} (-1: none)", body,
                             problem.bodyCount() - 1));
    }
  }
}

bool blocksPartitionRows(const ContactProblem& problem, const FieldPlace& place,
                         FileErrors& errors) {
  int next = 0;
  for (int i = 0; i < problem.blockCount(); ++i) {
    const ProblemBlock& block = problem.blocks[i];
    if (block.firstRow != next || block.rows < 1 || block.rows > kMaxBlockRows ||
        block.rows > problem.rowCount() - next) {
      errors.add(place(kBlock, i),
                 fmt::format("takes {} rows from row {}, but must take 1 to {} from row {}, of {}",
                             block.rows, block.firstRow, kMaxBlockRows, next, problem.rowCount()));
      return false;
    }
    next += block.rows;
  }
  if (next != problem.rowCount()) {
    errors.add(place(kBlock, problem.blockCount()),
               fmt::format("the blocks take {} rows, but b has {}: give each row a block", next,
                           problem.rowCount()));
    return false;
  }
  return true;
}

void checkBodies(const ContactProblem& problem, const FieldPlace& place, FileErrors& errors) {
  for (int i = 0; i < problem.bodyCount(); ++i) {
    const InverseInertia& body = problem.bodies[i];
    if (!(std::isfinite(body.inverseMass) && body.inverseMass >= 0)) {
      errors.add(place(kInverseMass, i),
                 fmt::format("must be finite and >= 0 1/kg, got {}", body.inverseMass));
    }
    if (!body.inverseInertia.allFinite()) {
      errors.add(place(kInverseInertia, i), "must hold finite numbers only");
    }
  }
  for (int row = 0; row < problem.rowCount(); ++row) {
    if (!problem.jacobianA[row].allFinite()) {
      errors.add(place(kJacobianA, row), "must hold finite numbers only");
    }
    if (!problem.jacobianB[row].allFinite()) {
      errors.add(place(kJacobianB, row), "must hold finite numbers only");
    }
  }
}

bool sizesFit(const ContactProblem& problem, const FieldPlace& place, FileErrors& errors) {
  bool fit = true;
  const auto check = [&](ProblemField field, std::size_t size, bool mayBeEmpty) {
    if (size == problem.b.size() || (mayBeEmpty && size == 0)) return;
    errors.add(place(field, 0), fmt::format("has {} entries, but the problem has {} rows", size,
                                            problem.rowCount()));
    fit = false;
  };
  bool rows = false;
  for (const ProblemBlock& block : problem.blocks) rows |= block.law == BlockLaw::kRows;
  check(kCompliance, problem.compliance.size(), true);
  check(kLower, problem.lower.size(), !rows);
  check(kUpper, problem.upper.size(), !rows);
  if (problem.assembled == nullptr) {
    check(kJacobianA, problem.jacobianA.size(), false);
    check(kJacobianB, problem.jacobianB.size(), false);
  } else if (problem.assembled->rowStart != blockRowStarts(problem.blocks)) {
    errors.add(place(kMatrix, 0), "the matrix is not partitioned as the blocks are");
    fit = false;
  }
  return fit;
}

}  // namespace

std::vector<int> blockRowStarts(std::span<const ProblemBlock> blocks) {
  std::vector<int> starts = {0};
  for (const ProblemBlock& block : blocks) starts.push_back(starts.back() + block.rows);
  return starts;
}

void checkImpulses(std::span<const Real> lambda, int rows, ProblemField field,
                   const FieldPlace& place, FileErrors& errors) {
  if (!lambda.empty() && static_cast<int>(lambda.size()) != rows) {
    errors.add(place(field, 0),
               fmt::format("has {} entries, but the problem has {} rows", lambda.size(), rows));
  }
  checkFinite(lambda, field, place, errors);
}

void checkProblem(const ContactProblem& problem, const FieldPlace& place, FileErrors& errors) {
  if (!(std::isfinite(problem.timestep) && problem.timestep >= 0)) {
    errors.add("timestep", fmt::format("must be finite and >= 0 s, got {}", problem.timestep));
  }
  if (!blocksPartitionRows(problem, place, errors) || !sizesFit(problem, place, errors)) return;
  checkFinite(problem.b, kB, place, errors);
  for (int row = 0; row < static_cast<int>(problem.compliance.size()); ++row) {
    const Real value = problem.compliance[row];
    if (!(std::isfinite(value) && value >= 0)) {
      errors.add(place(kCompliance, row), fmt::format("must be finite and >= 0, got {}", value));
    }
  }
  for (int i = 0; i < problem.blockCount(); ++i) checkBlock(problem, i, place, errors);
  if (problem.assembled == nullptr) {
    checkBodies(problem, place, errors);
  } else {
    checkFinite(problem.assembled->values, kMatrix, place, errors);
  }
}

}  // namespace detail

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHdf5Signature = "\x89HDF\r\n\x1a\n";

/// Some 10 million rows. HDF5 files hold larger problems.
constexpr std::uintmax_t kMostJsonBytes = std::uintmax_t{1} << 30;

/// Whether the file on disk is HDF5. A pipe is not asked: what is read of it is gone.
bool isHdf5(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  std::array<char, kHdf5Signature.size()> start{};
  std::ifstream(path, std::ios::binary).read(start.data(), start.size());
  return std::string_view(start.data(), start.size()) == kHdf5Signature;
}

ReadProblem readJson(detail::FileErrors& errors) {
  const std::string text =
      readTextFile(errors.path(), {"problem file", kMostJsonBytes, "write it as HDF5"});
  if (text.empty()) errors.fail("", "is empty: write the problem again");
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '{') {
    return detail::readProblemJson(text, errors);
  }
  errors.fail("", "is neither a drystone-problem JSON file (starts with '{') nor an HDF5 file");
}

void checkWritable(const ContactProblem& problem, const ProblemFileNotes& notes,
                   detail::FileErrors& errors) {
  static constexpr std::string_view kNames[] = {
      "b",          "compliance", "lower",        "upper",        "jacobianA",       "jacobianB",
      "block",      "friction",   "normal bound", "inverse mass", "inverse inertia", "matrix value",
      "warm start", "solution"};
  const detail::FieldPlace place = [](detail::ProblemField field, int index) {
    return fmt::format("{} {}", kNames[static_cast<int>(field)], index);
  };
  checkProblem(problem, place, errors);
  checkImpulses(notes.warmStart, problem.rowCount(), detail::ProblemField::kWarmStart, place,
                errors);
  checkImpulses(notes.solution, problem.rowCount(), detail::ProblemField::kSolution, place, errors);
  if (!notes.warmStates.empty() && notes.warmStates.size() != problem.b.size()) {
    errors.add("row states", "there must be one for each row");
  }
  errors.throwIfAny();
}

void writeText(const std::string& path, const std::string& text, detail::FileErrors& errors) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) errors.fail("", "cannot be written: check folder, permissions and free space");
}

}  // namespace

ReadProblem readProblemFile(const std::string& path) {
  detail::FileErrors errors(path);
  ReadProblem read = isHdf5(path) ? detail::readProblemHdf5(errors) : readJson(errors);
  errors.throwIfAny();
  if (read.name.empty()) read.name = fs::path(path).stem().string();
  return read;
}

void writeProblemFile(const std::string& path, const ContactProblem& problem,
                      const ProblemFileNotes& notes) {
  detail::FileErrors errors(path);
  const std::string extension = fs::path(path).extension().string();
  const bool json = extension == ".json";
  if (!json && extension != ".hdf5" && extension != ".h5") {
    errors.fail("", fmt::format("unknown extension '{}': use .json, .hdf5 or .h5", extension));
  }
  checkWritable(problem, notes, errors);
  // A reader never sees half a file: it is written aside and takes its name in one step.
  const std::string part = path + ".part";
  std::error_code error;
  try {
    if (json) {
      writeText(part, detail::writeProblemJson(problem, notes), errors);
    } else {
      detail::writeProblemHdf5(part, problem, notes, errors);
    }
    fs::rename(part, path, error);
    if (error) errors.fail("", "cannot be written: " + error.message());
  } catch (const InputError& refused) {
    // The problem was checked: it is the disk that refuses.
    fs::remove(part, error);
    throw std::runtime_error(refused.what());
  } catch (...) {
    fs::remove(part, error);
    throw;
  }
}

}  // namespace drystone
