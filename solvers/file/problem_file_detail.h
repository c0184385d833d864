#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/input_error.h"
#include "solvers/file/problem_file.h"

/// What the readers and writers of the problem file formats share. Private to `solvers`.
namespace drystone::detail {

/// Collects what is wrong with a file, each entry with file, place and remedy.
class FileErrors {
 public:
  explicit FileErrors(std::string path) : path_(std::move(path)) {}

  /// `place` is a line:column, a JSON pointer or a dataset; empty: the file as a whole.
  void add(const std::string& place, const std::string& message);
  bool empty() const { return count_ == 0; }
  int count() const { return count_; }
  /// Throws an InputError of all entries, if there is one. Lists the first kListed and counts the
  /// rest.
  void throwIfAny() const;
  /// Adds an entry and throws all of them.
  [[noreturn]] void fail(const std::string& place, const std::string& message);

  const std::string& path() const { return path_; }

 private:
  static constexpr int kListed = 25;
  std::string path_;
  std::vector<std::string> listed_;
  int count_ = 0;
};

/// The fields of a stored problem that a check can point at.
enum class ProblemField {
  kB,
  kCompliance,
  kLower,
  kUpper,
  kJacobianA,
  kJacobianB,
  kBlock,
  kFriction,
  kNormalBound,
  kRolling,
  kInverseMass,
  kInverseInertia,
  kMatrix,
  kWarmStart,
  kSolution,
};

/// Tells where a format keeps entry `index` of a field: its row, block, body or matrix block.
using FieldPlace = std::function<std::string(ProblemField field, int index)>;

/// Checks values and structure of a problem as far as sizes are known to fit: finite numbers, μ ≥
/// 0, ordered bounds, blocks that partition the rows, bodies that exist.
void checkProblem(const ContactProblem& problem, const FieldPlace& place, FileErrors& errors);
/// Checks that impulses are finite, and [rows] where there are any.
void checkImpulses(std::span<const Real> lambda, int rows, ProblemField field,
                   const FieldPlace& place, FileErrors& errors);

/// Coordinate entries of a sparse matrix.
struct SparseEntries {
  int rows = 0, columns = 0;
  std::vector<int> row, column;
  std::vector<Real> value;

  void add(int r, int c, Real v) {
    row.push_back(r);
    column.push_back(c);
    value.push_back(v);
  }
};

/// Row partition [blocks + 1] that the blocks give.
std::vector<int> blockRowStarts(std::span<const ProblemBlock> blocks);

ReadProblem readProblemJson(const std::string& text, FileErrors& errors);
std::string writeProblemJson(const ContactProblem& problem, const ProblemFileNotes& notes);

ReadProblem readProblemHdf5(FileErrors& errors);
void writeProblemHdf5(const std::string& path, const ContactProblem& problem,
                      const ProblemFileNotes& notes, FileErrors& errors);

}  // namespace drystone::detail
