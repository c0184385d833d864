#include "scenes/reading/object_reader.h"

#include <fmt/format.h>

#include "core/wording.h"

namespace drystone {

ObjectReader::ObjectReader(const JsonCursor& at, std::string_view kind)
    : at_(at), kind_(kind), problemsBefore_(at.log().problems.size()) {
  if (!at_.isObject())
    at_.error(fmt::format("must be an object ({}), got {}", kind_, at_.describe()));
}

ObjectReader::~ObjectReader() {
  ReadLog& log = at_.log();
  if (log.recordKeys) log.keys[std::string(kind_)].insert(known_.begin(), known_.end());
  for (const std::string& key : at_.keys()) {
    if (known_.contains(key)) continue;
    const std::vector<std::string> known(known_.begin(), known_.end());
    at_.member(key)->keyError(fmt::format("unknown key of {}; {}", kind_, didYouMean(key, known)));
  }
}

bool ObjectReader::has(std::string_view key) const { return at_.member(key).has_value(); }

std::optional<JsonCursor> ObjectReader::child(std::string_view key, Presence presence) {
  known_.insert(key);
  std::optional<JsonCursor> found = at_.member(key);
  if (!found && presence == kRequired && at_.isObject()) {
    at_.error(fmt::format("{} needs \"{}\"", kind_, key));
  }
  return found;
}

bool ObjectReader::real(std::string_view key, Real& out, const Range& range, Presence presence) {
  const auto at = child(key, presence);
  return at && at->real(out, range);
}

bool ObjectReader::real(std::string_view key, std::optional<Real>& out, const Range& range) {
  Real value = 0;
  if (!real(key, value, range)) return false;
  out = value;
  return true;
}

bool ObjectReader::integer(std::string_view key, int& out, int low, int high, Presence presence) {
  const auto at = child(key, presence);
  return at && at->integer(out, low, high);
}

bool ObjectReader::natural(std::string_view key, std::uint64_t& out, std::uint64_t high) {
  const auto at = child(key);
  return at && at->natural(out, high);
}

bool ObjectReader::boolean(std::string_view key, bool& out) {
  const auto at = child(key);
  return at && at->boolean(out);
}

bool ObjectReader::text(std::string_view key, std::string& out, Presence presence) {
  const auto at = child(key, presence);
  return at && at->text(out);
}

bool ObjectReader::vector(std::string_view key, Vec3& out, const Range& range, Presence presence) {
  const auto at = child(key, presence);
  return at && at->vector(out, range);
}

bool ObjectReader::reals(std::string_view key, std::vector<Real>& out, int least, int most,
                         const Range& range, Presence presence) {
  const auto at = child(key, presence);
  return at && at->reals(out, least, most, range);
}

bool ObjectReader::orientation(std::string_view key, Quat& out) {
  const auto at = child(key);
  return at && at->orientation(out);
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
  if (!at_.isObject()) return false;
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
