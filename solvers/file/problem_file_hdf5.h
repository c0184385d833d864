#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "solvers/file/problem_file_detail.h"

namespace drystone::detail {

/// Typed access to the datasets of one HDF5 file, without HDF5's types. What is missing, unreadable
/// or of a wrong type becomes an error with the dataset's path; the library's own messages are
/// silenced. Paths are relative to the root, such as "fclib_local/W/p".
class Hdf5File {
 public:
  static Hdf5File open(FileErrors& errors);
  /// Creates `path`; failures are reported under the name in `errors`.
  static Hdf5File create(const std::string& path, FileErrors& errors);
  Hdf5File(Hdf5File&&) noexcept;
  ~Hdf5File();

  bool has(const std::string& path) const;
  std::vector<Real> reals(const std::string& path, bool required = true);
  std::vector<int> integers(const std::string& path, bool required = true);
  std::vector<std::uint64_t> keys(const std::string& path);
  /// First entry of an integer dataset.
  int integer(const std::string& path);
  std::string text(const std::string& path);  ///< "" when there is none

  /// Datasets of one dimension, or of two with `columns` > 0. Groups are made as needed.
  void writeReals(const std::string& path, std::span<const Real> values, int columns = 0);
  void writeIntegers(const std::string& path, std::span<const int> values, int columns = 0);
  void writeKeys(const std::string& path, std::span<const std::uint64_t> values);
  void writeText(const std::string& path, const std::string& value);
  /// Flushes and closes; fails when not everything reached the disk.
  void close();

 private:
  struct State;
  explicit Hdf5File(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace drystone::detail
