#include "scenes/reading/object_reader.h"

#include <fmt/format.h>

namespace drystone {
namespace {

/// The default of a key: what the output holds before the key is read.
template <class Value>
std::optional<Value> presetOf(const Value& value, Presence presence) {
  return presence == kOptional ? std::optional<Value>(value) : std::nullopt;
}

}  // namespace

ObjectReader::ObjectReader(const JsonCursor& at, std::string_view kind, std::string_view help)
    : at_(at), kind_(kind), problemsBefore_(at.log().problems.size()) {
  if (SceneDescription* description = at.log().description) description->begin(kind, help);
  if (!at_.isObject())
    at_.error(
        fmt::format("must be an object ({}), got {}{}", kind_, at_.describe(), formRemedy(at_)));
}

ObjectReader::~ObjectReader() {
  if (isGuess_) return;
  for (const std::string& key : at_.keys()) {
    if (known_.contains(key)) continue;
    const std::vector<std::string> known(known_.begin(), known_.end());
    at_.member(key)->keyError(
        fmt::format("unknown key of {}; {}", kind_, unknownKeyRemedy(at_, key, known)));
  }
}

ObjectReader::Group::Group(ObjectReader& in, std::string_view part) : in_(in) {
  in_.part_ = part;
  if (SceneDescription* description = in.at().log().description) {
    description->include(in.kind_, part);
  }
}

void ObjectReader::describe(const Key& key, const KeyType& type, Presence presence) {
  SceneDescription* const description = at_.log().description;
  if (description == nullptr) return;
  description->add(part_.empty() ? kind_ : part_, key.name, key.help, type, presence == kRequired);
}

bool ObjectReader::has(std::string_view key) const { return at_.member(key).has_value(); }

std::optional<JsonCursor> ObjectReader::find(const Key& key, Presence presence) {
  known_.insert(key.name);
  std::optional<JsonCursor> found = at_.member(key.name);
  if (!found && presence == kRequired && !isGuess_ && at_.isObject()) {
    at_.error(fmt::format("{} needs \"{}\"{}{}", kind_, key.name, key.remedy.empty() ? "" : ": ",
                          key.remedy));
  }
  return found;
}

std::optional<JsonCursor> ObjectReader::child(const Key& key, const KeyType& type,
                                              Presence presence) {
  describe(key, type, presence);
  return find(key, presence);
}

void ObjectReader::type(std::string_view family) {
  child("type", KeyType::constant(kind_), kRequired);
  if (SceneDescription* description = at_.log().description) description->join(family, kind_);
}

bool ObjectReader::real(const Key& key, Real& out, const Range& range, Presence presence) {
  const auto at = child(key, KeyType::number(range, presetOf(out, presence)), presence);
  return at && at->real(out, range);
}

bool ObjectReader::real(const Key& key, std::optional<Real>& out, const Range& range) {
  Real value = 0;
  if (!real(key, value, range, kNoDefault)) return false;
  out = value;
  return true;
}

bool ObjectReader::integer(const Key& key, int& out, int low, int high, Presence presence) {
  const auto at = child(key, KeyType::integer(low, high, presetOf(out, presence)), presence);
  return at && at->integer(out, low, high);
}

bool ObjectReader::natural(const Key& key, std::uint64_t& out, std::uint64_t high) {
  const auto at = child(key, KeyType::natural(out));
  return at && at->natural(out, high);
}

bool ObjectReader::boolean(const Key& key, bool& out) {
  const auto at = child(key, KeyType::boolean(out));
  return at && at->boolean(out);
}

bool ObjectReader::text(const Key& key, std::string& out, Presence presence) {
  const auto at = child(key, KeyType::text(presetOf(out, presence)), presence);
  return at && at->text(out);
}

bool ObjectReader::vector(const Key& key, Vec3& out, const Range& range, Presence presence) {
  const auto at = child(key, KeyType::vector(range, presetOf(out, presence)), presence);
  return at && at->vector(out, range);
}

bool ObjectReader::reals(const Key& key, std::vector<Real>& out, int least, int most,
                         const Range& range, Presence presence) {
  const auto at = child(key, KeyType::reals(least, most, range), presence);
  return at && at->reals(out, least, most, range);
}

bool ObjectReader::orientation(const Key& key, Quat& out) {
  const auto at = child(key, KeyType::orientation(out));
  return at && at->orientation(out);
}

bool ObjectReader::choice(const Key& key, int& out, std::span<const std::string_view> names) {
  const auto at = child(key, KeyType::choice(names, out));
  return at && at->choice(out, names);
}

bool ObjectReader::atMostOne(std::initializer_list<std::string_view> keys) {
  std::string_view first;
  bool good = true;
  for (const std::string_view key : keys) {
    if (!has(key)) continue;
    if (first.empty()) {
      first = key;
    } else {
      good =
          at_.member(key)->keyError(fmt::format("\"{}\" is given already; leave one out", first));
    }
  }
  return good;
}

bool ObjectReader::atLeastOne(std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (has(key)) return true;
  }
  if (isGuess_ || !at_.isObject()) return false;
  return at_.error(fmt::format("{} needs \"{}\"", kind_, fmt::join(keys, "\" or \"")));
}

bool ObjectReader::isList(const JsonCursor& at) {
  return at.isArray() || at.error(fmt::format("must be a list, got {}", at.describe()));
}

bool ObjectReader::isNamed(const JsonCursor& at) {
  return at.isObject() ||
         at.error(fmt::format("must be an object of named entries, got {}", at.describe()));
}

}  // namespace drystone
