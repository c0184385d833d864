#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/types.h"
#include "engine/recording/recording_hdf5.h"

/// Records of one type as a folder of arrays, one a field. Private to the recorder and the reader
/// of recordings. A new table is a struct, a list of its columns and one TableWriter.
namespace drystone::detail {

/// How a value lies in a row of an array.
template <class T>
struct Stored {
  static constexpr int kWidth = 1;
  static constexpr NumberType kType = std::is_same_v<T, Real>            ? NumberType::kReal
                                      : std::is_same_v<T, std::int64_t>  ? NumberType::kLong
                                      : std::is_same_v<T, std::uint64_t> ? NumberType::kWord
                                      : sizeof(T) == 1                   ? NumberType::kByte
                                                                         : NumberType::kInt;
  static_assert(sizeof(T) == sizeOf(kType) && std::is_trivially_copyable_v<T>);
  static void store(const T& value, std::byte* out) { std::memcpy(out, &value, sizeof(T)); }
  static void load(const std::byte* in, T& value) { std::memcpy(&value, in, sizeof(T)); }
};
/// Any byte but 0 is true: a bool of another byte than 0 or 1 is no value at all.
template <>
struct Stored<bool> {
  static constexpr int kWidth = 1;
  static constexpr NumberType kType = NumberType::kByte;
  static void store(const bool& value, std::byte* out) { *out = std::byte{value}; }
  static void load(const std::byte* in, bool& value) { value = *in != std::byte{0}; }
};
template <>
struct Stored<Vec3> {
  static constexpr int kWidth = 3;
  static constexpr NumberType kType = NumberType::kReal;
  static void store(const Vec3& v, std::byte* out) { std::memcpy(out, v.data(), 3 * sizeof(Real)); }
  static void load(const std::byte* in, Vec3& v) { std::memcpy(v.data(), in, 3 * sizeof(Real)); }
};
/// w, x, y, z.
template <>
struct Stored<Quat> {
  static constexpr int kWidth = 4;
  static constexpr NumberType kType = NumberType::kReal;
  static void store(const Quat& q, std::byte* out) {
    const Real values[4] = {q.w(), q.x(), q.y(), q.z()};
    std::memcpy(out, values, sizeof(values));
  }
  static void load(const std::byte* in, Quat& q) {
    Real values[4];
    std::memcpy(values, in, sizeof(values));
    q = Quat(values[0], values[1], values[2], values[3]);
  }
};
/// NaN: none.
template <>
struct Stored<std::optional<Vec3>> {
  static constexpr int kWidth = 3;
  static constexpr NumberType kType = NumberType::kReal;
  static void store(const std::optional<Vec3>& v, std::byte* out) {
    const Vec3 none = Vec3::Constant(std::numeric_limits<Real>::quiet_NaN());
    Stored<Vec3>::store(v.value_or(none), out);
  }
  static void load(const std::byte* in, std::optional<Vec3>& v) {
    Stored<Vec3>::load(in, v.emplace());
    if (std::isnan(v->x())) v.reset();
  }
};
template <class T, std::size_t kSize>
struct Stored<std::array<T, kSize>> {
  static constexpr int kWidth = static_cast<int>(kSize);
  static constexpr NumberType kType = Stored<T>::kType;
  using Array = std::array<T, kSize>;
  static void store(const Array& a, std::byte* out) { std::memcpy(out, a.data(), sizeof(a)); }
  static void load(const std::byte* in, Array& a) { std::memcpy(a.data(), in, sizeof(a)); }
};

template <class Record>
struct Column {
  const char* name;
  const char* unit;
  NumberType type;
  int width;
  void (*store)(const Record& record, std::byte* out);
  void (*load)(const std::byte* in, Record& record);
  bool isOptional = false;  ///< a file may lack it; the field then keeps its default

  ArraySpec spec(const std::string& folder) const {
    return {folder + "/" + name, type, width, unit};
  }
};

/// The column of one field, reached by a path of members.
template <auto kFirst, auto... kRest, class Record, class First>
Column<Record> columnOf(First Record::*, const char* name, const char* unit) {
  using Field = std::remove_cvref_t<decltype(((std::declval<Record&>().*kFirst).*....*kRest))>;
  return {name,
          unit,
          Stored<Field>::kType,
          Stored<Field>::kWidth,
          [](const Record& record, std::byte* out) {
            Stored<Field>::store(((record.*kFirst).*....*kRest), out);
          },
          [](const std::byte* in, Record& record) {
            Stored<Field>::load(in, ((record.*kFirst).*....*kRest));
          }};
}
template <auto kFirst, auto... kRest>
auto column(const char* name, const char* unit = "") {
  return columnOf<kFirst, kRest...>(kFirst, name, unit);
}

/// A stretch of rows of a table.
struct RowRange {
  std::int64_t start = 0, count = 0;
};

template <class Record>
class TableWriter {
 public:
  TableWriter(ArrayFileWriter& file, const std::string& folder,
              const std::vector<Column<Record>>& columns)
      : file_(file), columns_(columns) {
    for (const Column<Record>& one : columns_) arrays_.push_back(file.addArray(one.spec(folder)));
  }

  /// Returns where they lie.
  RowRange add(std::span<const Record> records) { return add(records, nullptr); }
  /// Likewise the rows of all processes, where all write the file and each has a part.
  RowRange add(std::span<const Record> records, const RowPart* part) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::size_t size = columns_[i].spec("").rowBytes();
      bytes_.resize(records.size() * size);
      std::byte* out = bytes_.data();
      for (const Record& record : records) {
        columns_[i].store(record, out);
        out += size;
      }
      if (part == nullptr) {
        file_.append(arrays_[i], bytes_.data(), records.size());
      } else {
        file_.appendPart(arrays_[i], bytes_.data(), records.size(), *part);
      }
    }
    const std::size_t added = part == nullptr ? records.size() : part->total;
    const RowRange range = {rows_, static_cast<std::int64_t>(added)};
    rows_ += range.count;
    return range;
  }
  std::int64_t rows() const { return rows_; }

 private:
  ArrayFileWriter& file_;
  const std::vector<Column<Record>>& columns_;
  std::vector<int> arrays_;
  std::vector<std::byte> bytes_;
  std::int64_t rows_ = 0;
};

template <class Record>
class TableReader {
 public:
  TableReader(ArrayFileReader& file, const std::string& folder,
              const std::vector<Column<Record>>& columns)
      : file_(file) {
    for (const Column<Record>& one : columns) {
      const ArraySpec spec = one.spec(folder);
      if (one.isOptional && !file.has(spec.path)) continue;
      columns_.push_back(one);
      specs_.push_back(spec);
      rows_.push_back(file.rows(spec));
    }
  }

  /// Rows that every column has.
  std::int64_t rows() const { return *std::min_element(rows_.begin(), rows_.end()); }

  std::vector<Record> read(const RowRange& range) const {
    if (range.count < 0 || range.count > rows()) {
      file_.fail("an array is shorter than another one says: the file is damaged");
    }
    std::vector<Record> records(static_cast<std::size_t>(range.count));
    read(range.start, records);
    return records;
  }

  void read(std::int64_t first, std::span<Record> out) const {
    if (first < 0 || first + static_cast<std::int64_t>(out.size()) > rows()) {
      file_.fail("an array is shorter than another one says: the file is damaged");
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::size_t size = specs_[i].rowBytes();
      bytes_.resize(out.size() * size);
      file_.read(specs_[i], first, static_cast<std::int64_t>(out.size()), bytes_.data());
      const std::byte* in = bytes_.data();
      for (Record& record : out) {
        columns_[i].load(in, record);
        in += size;
      }
    }
  }

 private:
  ArrayFileReader& file_;
  std::vector<Column<Record>> columns_;  ///< that the file has
  std::vector<ArraySpec> specs_;
  std::vector<std::int64_t> rows_;
  mutable std::vector<std::byte> bytes_;
};

}  // namespace drystone::detail
