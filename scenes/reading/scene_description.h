#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"

namespace drystone {

struct Range;

/// What may stand under a key. Its part of a JSON schema is made only where one is asked for.
struct KeyType {
  std::string_view unit;
  std::function<nlohmann::ordered_json()> schema;  ///< none: anything

  // `preset`: the value without the key, where there is one. What is infinite or empty is none.
  static KeyType number(const Range& range, std::optional<Real> preset = {});
  static KeyType integer(Real low, Real high, std::optional<int> preset = {});
  static KeyType boolean(std::optional<bool> preset = {});
  /// Of 64 bits, unsigned.
  static KeyType natural(std::uint64_t preset);
  static KeyType text(const std::optional<std::string>& preset = {});
  static KeyType choice(std::span<const std::string_view> names, std::optional<int> preset = {});
  static KeyType vector(const Range& range, const std::optional<Vec3>& preset = {});
  static KeyType reals(int least, int most, const Range& range);
  static KeyType orientation(const Quat& preset);
  static KeyType constant(std::string_view text);
  /// What the schema defines under this name: a kind of object, a family of them, or a part that
  /// the template has ("schedule").
  static KeyType of(std::string_view definition, std::string_view unit = "");
  static KeyType listOf(std::string_view definition, std::string_view unit = "");
};

/// Collects what the readers of a scene ask for: the definitions of a JSON schema.
class SceneDescription {
 public:
  SceneDescription();
  ~SceneDescription();

  void begin(std::string_view kind, std::string_view help);
  void add(std::string_view kind, std::string_view key, std::string_view help, const KeyType& type,
           bool isRequired);
  /// A kind has the keys of a part that others share.
  void include(std::string_view kind, std::string_view part);
  /// A kind is one of a family, of which an object is told by its "type".
  void join(std::string_view family, std::string_view kind);
  /// By kind, family and part.
  nlohmann::ordered_json definitions() const;
  /// "KIND.KEY" of every key that has no help.
  const std::vector<std::string>& unexplained() const { return unexplained_; }

 private:
  struct Definitions;
  std::unique_ptr<Definitions> all_;
  std::vector<std::string> unexplained_;
};

/// What the readers of the format ask for, all of it.
void describeScene(SceneDescription& description);

}  // namespace drystone
