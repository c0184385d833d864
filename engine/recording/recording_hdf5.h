#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/observe/snapshot_part.h"

/// Arrays in an HDF5 file, without HDF5's types. Private to the recorder, to the reader of
/// recordings, to what tells kinds of files apart, and to tables of sweeps.
namespace drystone::detail {

enum class NumberType : std::uint8_t { kByte, kInt, kLong, kWord, kReal };
constexpr std::size_t sizeOf(NumberType type) {
  constexpr std::size_t kSizes[] = {1, 4, 8, 8, 8};
  return kSizes[static_cast<int>(type)];
}

constexpr bool isWhole(NumberType type) { return type != NumberType::kReal; }

/// An array of rows that grows by its end.
struct ArraySpec {
  std::string path;  ///< relative to the root, such as "frames/step"
  NumberType type = NumberType::kReal;
  int width = 1;     ///< numbers in a row
  std::string unit;  ///< stored beside the array; may be empty

  std::size_t rowBytes() const { return sizeOf(type) * static_cast<std::size_t>(width); }
};

/// Who writes a file.
enum class Writers : std::uint8_t { kThisProcess, kAllProcesses };

/// Whether all processes of MPI can write one file: whether HDF5 was built for it.
bool canShareFiles();

/// Writes a file of texts and growing arrays. First all texts and arrays are made, then start() is
/// called; from there on a killed program leaves a file whose arrays are whole as far as its mark
/// says. So does an error of writing: no more is written then, and the file is not closed. What
/// cannot be written throws std::runtime_error with the file and the reason: so does a file that
/// this process is writing already. Where all processes write one, they make the same calls in the
/// same order with the same values, but for the rows of appendPart(); a kill that meets a flush can
/// then leave a file that cannot be read.
class ArrayFileWriter {
 public:
  explicit ArrayFileWriter(const std::string& path, Writers writers = Writers::kThisProcess);
  ~ArrayFileWriter();
  ArrayFileWriter(const ArrayFileWriter&) = delete;
  ArrayFileWriter& operator=(const ArrayFileWriter&) = delete;

  void text(const std::string& path, std::string_view text);
  void number(const std::string& path, std::uint64_t value);
  /// Makes an array, whose number it returns.
  int addArray(const ArraySpec& spec);
  /// Makes the number at `path` the mark, at first 0, and lets readers in.
  void start(const std::string& markPath);

  /// Holds rows back until they fill a chunk.
  void append(int array, const void* rows, std::size_t count);
  /// Writes a part of the rows that all processes add. For files that all write.
  void appendPart(int array, const void* rows, std::size_t count, const RowPart& part);
  /// Another value for a number that is there.
  void setNumber(const std::string& path, std::uint64_t value);
  /// Brings all rows so far to where a reader finds them, and sets the mark after them.
  void flush(std::uint64_t mark);
  void close();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads such a file, of a running, killed or finished program. Throws InputError with the file and
/// what is wrong, also where this process is writing it still.
class ArrayFileReader {
 public:
  explicit ArrayFileReader(const std::string& path);
  ~ArrayFileReader();
  ArrayFileReader(ArrayFileReader&&) noexcept;

  bool has(const std::string& path) const;
  /// The writer closed the file; else it was killed or is still running.
  bool closed() const;
  std::string text(const std::string& path);
  std::uint64_t number(const std::string& path);
  /// Rows of an array, whose type and width must be those of the spec.
  std::int64_t rows(const ArraySpec& spec);
  void read(const ArraySpec& spec, std::int64_t first, std::int64_t count, void* out);
  [[noreturn]] void fail(const std::string& what) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace drystone::detail
