#pragma once

#include <initializer_list>
#include <set>

#include "scenes/reading/json_cursor.h"

namespace drystone {

enum class Presence { kOptional, kRequired };
using enum Presence;

/// Reads the members of one JSON object by name. Every key that is asked for becomes a known one;
/// when the reader goes out of scope, it reports all others with their near names. So a reading
/// function is a table of its keys, and must ask for all of them whatever it finds. Each read
/// returns whether it stored a value.
class ObjectReader {
 public:
  /// `kind` names the sort of object in messages and in the schema ("body", "sphere").
  ObjectReader(const JsonCursor& at, std::string_view kind);
  ~ObjectReader();
  ObjectReader(const ObjectReader&) = delete;
  ObjectReader& operator=(const ObjectReader&) = delete;

  bool has(std::string_view key) const;
  std::optional<JsonCursor> child(std::string_view key, Presence presence = kOptional);

  bool real(std::string_view key, Real& out, const Range& range, Presence presence = kOptional);
  bool real(std::string_view key, std::optional<Real>& out, const Range& range);
  bool integer(std::string_view key, int& out, int low, int high, Presence presence = kOptional);
  bool natural(std::string_view key, std::uint64_t& out,
               std::uint64_t high = std::numeric_limits<std::uint64_t>::max());
  bool boolean(std::string_view key, bool& out);
  bool text(std::string_view key, std::string& out, Presence presence = kOptional);
  bool vector(std::string_view key, Vec3& out, const Range& range, Presence presence = kOptional);
  bool reals(std::string_view key, std::vector<Real>& out, int least, int most, const Range& range,
             Presence presence = kOptional);
  bool orientation(std::string_view key, Quat& out);
  template <class Enum>
  bool choice(std::string_view key, Enum& out, std::span<const std::string_view> names) {
    int index = static_cast<int>(out);
    const auto at = child(key);
    if (!at || !at->choice(index, names)) return false;
    out = static_cast<Enum>(index);
    return true;
  }

  /// Calls `read(cursor)` for every element of a list.
  template <class Read>
  void list(std::string_view key, Read&& read, Presence presence = kOptional) {
    const auto at = child(key, presence);
    if (!at || !isList(*at)) return;
    for (int i = 0; i < at->size(); ++i) read(at->element(i));
  }
  /// Calls `read(name, cursor)` for every member of an object whose keys are names.
  template <class Read>
  void entries(std::string_view key, Read&& read) {
    const auto at = child(key);
    if (!at || !isNamed(*at)) return;
    for (const std::string& name : at->keys()) read(name, *at->member(name));
  }

  /// Reports all but the first of the keys that are present: only one of them has a meaning.
  bool atMostOne(std::initializer_list<std::string_view> keys);
  /// Reports the object when none of the keys is present.
  bool atLeastOne(std::initializer_list<std::string_view> keys);

  const JsonCursor& at() const { return at_; }
  /// No problem was added since this reader was made.
  bool clean() const { return at_.log().problems.size() == problemsBefore_; }

 private:
  static bool isList(const JsonCursor& at);
  static bool isNamed(const JsonCursor& at);

  JsonCursor at_;
  std::string_view kind_;
  std::set<std::string_view> known_;
  std::size_t problemsBefore_;
};

/// Reads every field that it visits from the member of its name, where there is one. `presence`
/// says whether numbers and vectors must be there. Units of whole numbers go unsaid.
class FieldReader : public FieldVisitor {
 public:
  explicit FieldReader(ObjectReader& in, Presence presence = kOptional)
      : in_(in), presence_(presence) {}

  using FieldVisitor::part;
  void real(const SettingInfo& info, Real& value, Real low, Real high) override {
    in_.real(info.name, value, within(low, high, info.unit), presence_);
  }
  void optional(const SettingInfo& info, std::optional<Real>& value, Real low, Real high) override {
    in_.real(info.name, value, within(low, high, info.unit));
  }
  void integer(const SettingInfo& info, int& value, int low, int high) override {
    in_.integer(info.name, value, low, high, presence_);
  }
  void boolean(const SettingInfo& info, bool& value) override { in_.boolean(info.name, value); }
  void choice(const SettingInfo& info, int& value,
              std::span<const std::string_view> names) override {
    in_.choice(info.name, value, names);
  }
  void vector(const SettingInfo& info, Vec3& value, Real low, Real high) override {
    in_.vector(info.name, value, within(low, high, info.unit), presence_);
  }
  void part(const SettingInfo& info, const VisitPart& visit) override {
    const auto at = in_.child(info.name);
    if (!at) return;
    ObjectReader in(*at, info.name);
    FieldReader reader(in);
    visit(reader, true);
  }

 private:
  ObjectReader& in_;
  Presence presence_;
};

}  // namespace drystone
