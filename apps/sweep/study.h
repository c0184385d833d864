#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"

namespace drystone::cli {

enum class Sampling : std::uint8_t { kGrid, kRandom, kLatinHypercube };

/// One key of `--set` that a study varies: by a list of values, or over a range.
struct StudyParameter {
  std::string key;
  std::vector<std::string> values;  ///< as `--set` takes them; empty: a range
  Real from = 0, to = 0;            ///< ends of the range, both of them in a grid
  int count = 0;                    ///< of the values of a range in a grid, at least 2
  bool isLogarithmic = false;       ///< both ends are above 0
  bool isWhole = false;             ///< whole numbers only, as the ends are
  std::string pointer;              ///< JSON pointer in the file

  /// The value at a share of the list or range, as `--set` takes it. The share is in [0, 1), and
  /// shares of equal length are as likely as each other.
  std::string valueAt(Real share) const;
  /// Value i of a grid.
  std::string gridValue(int i) const;
  int gridCount() const { return values.empty() ? count : static_cast<int>(values.size()); }
};

/// A study as its file has it: docs/sweep.md lists the keys.
struct Study {
  std::string label;  ///< the file, for messages
  std::string text;   ///< of the file
  std::string scene;  ///< library name, or path from here
  std::optional<std::int64_t> steps;
  std::optional<Real> seconds;             ///< simulated
  std::vector<std::string> set;            ///< KEY=VALUE, for every run
  std::vector<StudyParameter> parameters;  ///< in the order of the file
  Sampling sampling = Sampling::kGrid;
  int samples = 0;        ///< of random and latin_hypercube
  std::int64_t seed = 1;  ///< of the samples, and of the scene where there are repeats
  int repeats = 0;        ///< of each sample with other seeds of the scene; 0: as the scene is
  std::vector<std::string> figures;  ///< names of columns

  /// A problem with the value at the pointer, as its reader reports it: with line and column.
  std::string problemAt(const std::string& pointer, const std::string& message) const;
};

/// Most runs of a study.
constexpr std::int64_t kMostRuns = 10'000'000;

/// Throws InputError with every problem of the file, each with its place.
Study readStudy(const std::string& path);

/// One run of a study.
struct StudyRun {
  std::int64_t number = 0;           ///< from 1, in the order of the study
  std::vector<std::string> values;   ///< of the parameters, as `--set` takes them
  std::optional<std::int64_t> seed;  ///< of the scene, where there are repeats
};

/// The runs that a study means. In a grid the last parameter changes fastest; the repeats of a
/// sample follow each other. Every run can be made by itself. Keeps a reference to the study.
class StudyRuns {
 public:
  /// Throws InputError where there are more than kMostRuns.
  explicit StudyRuns(const Study& study);
  std::int64_t count() const { return count_; }
  StudyRun run(std::int64_t number) const;

 private:
  const Study& study_;
  std::int64_t count_ = 0;
  std::vector<std::vector<int>> strata_;  ///< of a latin hypercube: of each parameter, by sample
};

}  // namespace drystone::cli
