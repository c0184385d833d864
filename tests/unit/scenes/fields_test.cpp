// Every field that a part lists is held to its range by the world and by the reader alike. The
// tests walk the lists, so that no field is forgotten.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/input_error.h"
#include "tests/unit/scenes/scene_testing.h"

namespace drystone {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::EndsWith;

/// Puts one of the bounds of all fields, by its number, out of reach.
class Spoiler : public FieldVisitor {
 public:
  explicit Spoiler(int target) : target_(target) {}

  using FieldVisitor::part;
  void real(const SettingInfo& info, Real& value, Real low, Real high) override {
    spoil(info, value, low, high, low - 1, 2 * high + 1);
  }
  void optional(const SettingInfo& info, std::optional<Real>& value, Real low, Real high) override {
    Real spoilt = 0;
    if (spoil(info, spoilt, low, high, low - 1, 2 * high + 1)) value = spoilt;
  }
  void integer(const SettingInfo& info, int& value, int low, int high) override {
    spoil(info, value, low, high, low - 1, high + 1);
  }
  void boolean(const SettingInfo&, bool&) override {}
  void choice(const SettingInfo&, int&, std::span<const std::string_view>) override {}
  void vector(const SettingInfo& info, Vec3& value, Real low, Real high) override {
    if (spoil(info, value[1], low, high, 2 * low - 1, 2 * high + 1)) {
      given = {value.x(), value.y(), value.z()};
    }
  }
  void part(const SettingInfo& info, const VisitPart& visit) override {
    if (!given.is_null()) return;
    path.push_back(std::string(info.name));
    visit(*this, false);
    if (given.is_null()) path.pop_back();
  }

  std::vector<std::string> path;  ///< of the spoilt field
  json given;                     ///< its value; null: there are fewer bounds
  std::string problem;            ///< what both must say of it

 private:
  template <class Number>
  bool spoil(const SettingInfo& info, Number& value, Number low, Number high, Number below,
             Number above) {
    const bool isBelow = next_ == target_, isAbove = next_ + 1 == target_;
    next_ += 2;
    if (!isBelow && !isAbove) return false;
    value = isBelow ? below : above;
    given = value;
    path.push_back(std::string(info.name));
    problem = fmt::format("must be {} {:.10g}", isBelow ? "≥" : "≤",
                          static_cast<Real>(isBelow ? low : high));
    if (!info.unit.empty()) problem += fmt::format(" {}", info.unit);
    problem += fmt::format(", got {}", value);
    return true;
  }

  int target_;
  int next_ = 0;
};

/// An object with the value at the end of the path.
json objectWith(const std::vector<std::string>& path, const json& value) {
  json object = value;
  for (auto name = path.rbegin(); name != path.rend(); ++name) object = {{*name, object}};
  return object;
}

template <class Function>
std::vector<std::string> problemsThrownBy(Function&& function) {
  try {
    function();
  } catch (const InputError& error) {
    return error.problems();
  }
  return {};
}

/// The problems of a scene that has the spoilt value in its section.
std::vector<std::string> problemsOfScene(std::vector<std::string> section, const Spoiler& spoiler) {
  section.insert(section.end(), spoiler.path.begin(), spoiler.path.end());
  const std::string& name = spoiler.path.back();
  json scene = objectWith(section, spoiler.given);
  scene["version"] = 1;
  // Where one end of a pair of keys is out of its range, the other must be there.
  if (section.front() == "materials") {
    if (name == "damping") scene["materials"]["m"]["stiffness"] = 1;
  } else {
    if (name == "stiffness") scene["world"]["stabilization"]["damping"] = 1;
    if (name == "damping") scene["world"]["stabilization"]["stiffness"] = 1;
  }
  return problemsOf(scene.dump());
}

TEST(Fields, OfTheWorldOutOfRange_AreRefusedByReaderAndWorldWithOneRange) {
  int bounds = 0;
  for (;; ++bounds) {
    Spoiler spoiler(bounds);
    Scene scene;
    visitWorldKeys(scene, spoiler);
    if (spoiler.given.is_null()) break;
    const std::string name = spoiler.path.back();
    SCOPED_TRACE(name + " " + spoiler.problem);
    EXPECT_THAT(problemsOfScene({"world"}, spoiler), ElementsAre(EndsWith(spoiler.problem)));
    if (name == "duration") continue;  // which no world has
    if (name == "stiffness") scene.settings.stabilization.damping = 1;
    if (name == "damping") scene.settings.stabilization.stiffness = 1;
    EXPECT_THAT(problemsThrownBy([&] { checkSettings(scene.settings); }),
                ElementsAre(testing::AllOf(testing::StartsWith("world settings: "),
                                           testing::HasSubstr(name + " " + spoiler.problem))));
  }
  EXPECT_GT(bounds, 30);
}

TEST(Fields, OfAMaterialOutOfRange_AreRefusedByReaderAndWorldWithOneRange) {
  int bounds = 0;
  for (;; ++bounds) {
    Spoiler spoiler(bounds);
    Material material;
    visitFields(material, spoiler);
    if (spoiler.given.is_null()) break;
    const std::string name = spoiler.path.back();
    SCOPED_TRACE(name + " " + spoiler.problem);
    EXPECT_THAT(problemsOfScene({"materials", "m"}, spoiler),
                ElementsAre(EndsWith(spoiler.problem)));
    if (name == "damping") material.stiffness = 1;
    if (name == "youngs_modulus") material.contactArea = 1;
    if (name == "contact_area") material.youngsModulus = 1;
    MaterialTable table;
    EXPECT_THAT(problemsThrownBy([&] { table.add(material); }),
                ElementsAre("material: " + name + " " + spoiler.problem));
  }
  EXPECT_GE(bounds, 10);
}

}  // namespace
}  // namespace drystone
