#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/hash.h"
#include "core/input_error.h"

namespace drystone {

/// Appends plain values to a byte array.
class StateWriter {
 public:
  static constexpr bool kReads = false;
  StateWriter() = default;
  /// Starts with the capacity of `reused`.
  explicit StateWriter(std::vector<std::byte>&& reused) : out_(std::move(reused)) { out_.clear(); }
  template <class T>
  void value(const T& value) {
    values(&value, 1);
  }
  template <class T>
  void values(const T* data, int count) {
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    out_.insert(out_.end(), bytes, bytes + static_cast<std::size_t>(count) * sizeof(T));
  }
  void count(std::size_t& size) { value(static_cast<std::uint64_t>(size)); }
  void text(const std::string& text) {
    value(static_cast<std::uint64_t>(text.size()));
    values(text.data(), static_cast<int>(text.size()));
  }
  std::vector<std::byte>& bytes() { return out_; }

 private:
  std::vector<std::byte> out_;
};

/// Takes them back, in the same order.
class StateReader {
 public:
  static constexpr bool kReads = true;
  explicit StateReader(std::span<const std::byte> in) : in_(in) {}
  template <class T>
  void value(T& value) {
    if (in_.size() < sizeof(T)) throw InputError("saved world: the data ends early");
    std::memcpy(static_cast<void*>(&value), in_.data(), sizeof(T));
    in_ = in_.subspan(sizeof(T));
  }
  template <class T>
  void values(T* data, int count) {
    for (int i = 0; i < count; ++i) value(data[i]);
  }
  void count(std::size_t& size) {
    std::uint64_t stored = 0;
    value(stored);
    if (stored > in_.size()) throw InputError("saved world: a length is damaged");
    size = stored;
  }
  void text(std::string& text) {
    std::size_t size = 0;
    count(size);
    text.resize(size);
    values(text.data(), static_cast<int>(size));
  }
  std::span<const std::byte> rest() const { return in_; }
  std::span<const std::byte> take(std::size_t size) {
    if (size > in_.size()) throw InputError("saved world: the data ends early");
    const auto taken = in_.first(size);
    in_ = in_.subspan(size);
    return taken;
  }

 private:
  std::span<const std::byte> in_;
};

/// Feeds the same walk to a hash.
class HashSink {
 public:
  static constexpr bool kReads = false;
  template <class T>
  void value(const T& value) {
    hasher_.bytes(&value, sizeof(T));
  }
  template <class T>
  void values(const T* data, int count) {
    hasher_.bytes(data, static_cast<std::size_t>(count) * sizeof(T));
  }
  void count(std::size_t& size) { value(size); }
  std::uint64_t result() const { return hasher_.value(); }

 private:
  Hasher hasher_;
};

inline void vector(auto& stream, auto& values) {
  stream.values(values.data(), static_cast<int>(values.size()));
}

/// A list of any length, element by element.
template <class Stream, class List, class Visit>
void walkList(Stream& stream, List& list, Visit&& visit) {
  std::size_t count = list.size();
  stream.count(count);
  if constexpr (Stream::kReads) list.resize(count);
  for (auto& element : list) visit(element);
}

}  // namespace drystone
