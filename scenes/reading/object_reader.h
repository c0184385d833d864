#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>

#include "scenes/reading/json_cursor.h"
#include "scenes/reading/scene_description.h"

namespace drystone {

enum class Presence {
  kOptional,   ///< without it, the output keeps what it holds: the default
  kRequired,   ///< an error without it
  kNoDefault,  ///< may be left out, and then no one value stands for it
};
using enum Presence;

/// A key, and what it is, for the schema and the tables of the docs. The unit goes unsaid: the
/// range has it.
struct Key {
  Key(const char* key, std::string_view text = "") : name(key), help(text) {}
  Key(std::string_view key, std::string_view text = "", std::string_view remedyText = "")
      : name(key), help(text), remedy(remedyText) {}

  std::string_view name, help;
  std::string_view remedy;  ///< what to write where a required key is missing; may be empty
};

/// Reads the members of one JSON object by name. Every key that is asked for becomes a known one;
/// when the reader goes out of scope, it reports all others with their near names. So a reading
/// function is a table of its keys, and must ask for all of them whatever it finds: the schema is
/// what readers ask for (ReadLog::description). Each read returns whether it stored a value.
class ObjectReader {
 public:
  /// `kind` names the sort of object in messages and in the schema ("body", "sphere"); `help` says
  /// what it is.
  ObjectReader(const JsonCursor& at, std::string_view kind, std::string_view help = "");
  ~ObjectReader();
  ObjectReader(const ObjectReader&) = delete;
  ObjectReader& operator=(const ObjectReader&) = delete;

  bool has(std::string_view key) const;
  /// A member of a type of its own, which the schema gets from `type`.
  std::optional<JsonCursor> child(const Key& key, const KeyType& type = {},
                                  Presence presence = kOptional);
  /// Says that the kind is only a guess: from here on the keys that it needs may be missing, those
  /// that it lacks may be there, and the reader is not clean.
  void guess() { isGuess_ = true; }
  /// The key "type", which makes this object one kind of a family ("generator").
  void type(std::string_view family);

  bool real(const Key& key, Real& out, const Range& range, Presence presence = kOptional);
  bool real(const Key& key, std::optional<Real>& out, const Range& range);
  bool integer(const Key& key, int& out, int low, int high, Presence presence = kOptional);
  bool natural(const Key& key, std::uint64_t& out,
               std::uint64_t high = std::numeric_limits<std::uint64_t>::max());
  bool boolean(const Key& key, bool& out);
  bool text(const Key& key, std::string& out, Presence presence = kOptional);
  bool vector(const Key& key, Vec3& out, const Range& range, Presence presence = kOptional);
  bool reals(const Key& key, std::vector<Real>& out, int least, int most, const Range& range,
             Presence presence = kOptional);
  bool orientation(const Key& key, Quat& out);
  template <class Enum>
  bool choice(const Key& key, Enum& out, std::span<const std::string_view> names) {
    int index = static_cast<int>(out);
    if (!choice(key, index, names)) return false;
    out = static_cast<Enum>(index);
    return true;
  }
  bool choice(const Key& key, int& out, std::span<const std::string_view> names);

  /// Calls `read(cursor)` for every element of a list.
  template <class Read>
  void list(const Key& key, const KeyType& type, Read&& read, Presence presence = kOptional) {
    const auto at = child(key, type, presence);
    if (!at || !isList(*at)) return;
    for (int i = 0; i < at->size(); ++i) read(at->element(i));
  }
  /// Calls `read(name, cursor)` for every member of an object whose keys are names.
  template <class Read>
  void entries(const Key& key, const KeyType& type, Read&& read) {
    const auto at = child(key, type);
    if (!at || !isNamed(*at)) return;
    for (const std::string& name : at->keys()) read(name, *at->member(name));
  }

  /// Reports all but the first of the keys that are present: only one of them has a meaning.
  bool atMostOne(std::initializer_list<std::string_view> keys);
  /// Reports the object when none of the keys is present.
  bool atLeastOne(std::initializer_list<std::string_view> keys);

  /// Keys asked for while a group is open are those of a part that many kinds of objects share
  /// ("body_keys"): the schema has it once.
  class Group {
   public:
    Group(ObjectReader& in, std::string_view part);
    ~Group() { in_.part_ = {}; }
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;

   private:
    ObjectReader& in_;
  };

  const JsonCursor& at() const { return at_; }
  /// No problem was added since this reader was made, and its kind is no guess.
  bool clean() const { return !isGuess_ && at_.log().problems.size() == problemsBefore_; }

 private:
  static bool isList(const JsonCursor& at);
  static bool isNamed(const JsonCursor& at);
  /// Tells the schema of a key, where one is asked for.
  void describe(const Key& key, const KeyType& type, Presence presence);
  std::optional<JsonCursor> find(const Key& key, Presence presence);

  JsonCursor at_;
  std::string_view kind_;
  std::string_view part_;  ///< of the group that is open; empty: none
  std::set<std::string_view> known_;
  std::size_t problemsBefore_;
  bool isGuess_ = false;
};

/// Which type of its family an object is of.
struct ObjectType {
  int index = 0;  ///< into the names of the family
  /// The type is only the one whose keys are likest. The reader of the object then judges no more
  /// than the values (ObjectReader::guess).
  bool isGuess = false;
};

/// Reads the key "type" of an object. A type that is missing or unknown is reported, and the object
/// is still read, so that its other mistakes are found: as the type of the nearest name, or else as
/// the one that has most of its keys. Keys that no type of the family has are then reported here.
ObjectType readType(const JsonCursor& at, std::string_view family,
                    std::span<const std::string_view> names);

/// Where a key stands: the key of its object, or the list or section that this is an entry of, and
/// what the object gives as its "type", if anything.
struct ForeignPlace {
  std::string section, type;
};
/// What to write in place of a key of another engine; empty: it is none that is known.
std::string_view foreignKeyRemedy(const ForeignPlace& place, std::string_view key);

/// What to write in place of a value of another form, to be appended to what is wrong with it:
/// `; write [0, 0, -9.81]`. Empty: nothing is known of it.
std::string formRemedy(const JsonCursor& at);

/// Which of the names another engine's type or kind has here; empty: it is none that is known.
std::string_view nameOfForeign(std::string_view name, std::span<const std::string_view> names);

/// What to do about a key that an object has and none of whose readers asks for: the place of the
/// format where it belongs (`materials.NAME.friction`), or the near ones of the `known` names.
std::string unknownKeyRemedy(const JsonCursor& at, std::string_view key,
                             std::span<const std::string> known);

/// Reads every field that it visits from the member of its name, where there is one. `presence` is
/// that of numbers and vectors. Units of whole numbers go unsaid.
class FieldReader : public FieldVisitor {
 public:
  explicit FieldReader(ObjectReader& in, Presence presence = kOptional)
      : in_(in), presence_(presence) {}

  using FieldVisitor::part;
  void real(const SettingInfo& info, Real& value, Real low, Real high) override {
    in_.real(keyOf(info), value, within(low, high, info.unit), presence_);
  }
  void optional(const SettingInfo& info, std::optional<Real>& value, Real low, Real high) override {
    in_.real(keyOf(info), value, within(low, high, info.unit));
  }
  void integer(const SettingInfo& info, int& value, int low, int high) override {
    in_.integer(keyOf(info), value, low, high, presence_);
  }
  void boolean(const SettingInfo& info, bool& value) override { in_.boolean(keyOf(info), value); }
  void choice(const SettingInfo& info, int& value,
              std::span<const std::string_view> names) override {
    in_.choice(keyOf(info), value, names);
  }
  void vector(const SettingInfo& info, Vec3& value, Real low, Real high) override {
    in_.vector(keyOf(info), value, within(low, high, info.unit), presence_);
  }
  void part(const SettingInfo& info, const VisitPart& visit) override {
    const auto at = in_.child(info.name, KeyType::of(info.name));
    if (!at) return;
    ObjectReader in(*at, info.name, info.help);
    FieldReader reader(in);
    visit(reader, true);
  }

 private:
  static Key keyOf(const SettingInfo& info) { return {info.name, info.help}; }

  ObjectReader& in_;
  Presence presence_;
};

}  // namespace drystone
