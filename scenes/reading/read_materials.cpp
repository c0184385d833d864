// Sections `materials` and `pairs`.

#include <fmt/format.h>

#include <charconv>
#include <system_error>

#include "scenes/reading/scene_context.h"

namespace drystone {

namespace {

/// A direction has an effect only between two coefficients.
void checkDirection(const ObjectReader& in) {
  if (!in.clean() || !in.has("friction_direction") || in.has("friction_across")) return;
  in.at()
      .member("friction_direction")
      ->keyError("goes with \"friction_across\", the friction square to it, which is not given");
}

/// What the two materials make without the pair: that is so for all that the pair does not say.
SurfacePair combined(const SceneMaterialPair& pair, const SceneContext& context) {
  const auto& materials = context.scene.materials;
  MaterialTable table;
  const MaterialId a = table.add(materials[static_cast<std::size_t>(pair.a)].material);
  const MaterialId b = table.add(materials[static_cast<std::size_t>(pair.b)].material);
  return table.combine(a, b);
}

/// A pair that says how it yields says so in place of what the two make.
void leaveYieldToPair(const ObjectReader& in, Material& material) {
  const bool isSpring = in.has("stiffness") || in.has("youngs_modulus");
  if (isSpring || in.has("compliance")) {
    material.stiffness.reset();
    material.damping.reset();
    material.compliance.reset();
  }
  if (isSpring) material.restitution = material.tangentialRestitution = 0;
}

}  // namespace

SceneColor readColor(ObjectReader& in, std::string_view help) {
  std::string text;
  if (!in.text({"color", help}, text, kNoDefault)) return std::nullopt;
  unsigned color = 0;
  const char* begin = text.data() + 1;
  const char* end = text.data() + text.size();
  if (text.size() == 7 && text[0] == '#') {
    const auto [read, problem] = std::from_chars(begin, end, color, 16);
    if (problem == std::errc() && read == end) return color;
  }
  in.at().member("color")->error(
      fmt::format("a color is written \"#rrggbb\", as \"#d55e00\", and not \"{}\"", text));
  return std::nullopt;
}

void readMaterial(const std::string& name, const JsonCursor& at, SceneContext& context) {
  SceneMaterial entry{.name = name, .material = {}};
  ObjectReader in(at, "material", "a surface");
  FieldReader reader(in);
  visitFields(entry.material, reader);
  entry.color = readColor(in, "of its bodies in pictures, as \"#d55e00\"");
  checkDirection(in);
  for (const std::string& problem : contradictions(entry.material)) {
    at.error(problem);
    entry.material = {};
  }
  context.materials[name] = static_cast<int>(context.scene.materials.size());
  context.scene.materials.push_back(entry);
}

void readPair(const JsonCursor& at, SceneContext& context) {
  ObjectReader in(at, "pair",
                  "what two materials make together; what is not given follows from the two");
  SceneMaterialPair pair;
  if (const auto name = in.child({"a", "name of a material"}, KeyType::text(), kRequired))
    pair.a = resolveName(*name, "material", context.materials);
  if (const auto name = in.child({"b", "name of a material"}, KeyType::text(), kRequired))
    pair.b = resolveName(*name, "material", context.materials);
  const bool known = pair.a >= 0 && pair.b >= 0;
  if (known) {
    const SurfacePair both = combined(pair, context);
    pair.material = both.material;
    if (both.hasGrain() && !in.has("friction")) {
      at.error(
          "one of its materials has friction_across: the pair must give its friction, and "
          "friction_across where that shall differ");
    }
  }
  leaveYieldToPair(in, pair.material);
  FieldReader reader(in, kNoDefault);
  visitFields(pair.material, reader);
  checkDirection(in);
  if (!known) return;
  for (const std::string& problem : pairContradictions(pair.material, pair.a == pair.b)) {
    at.error(problem);
  }
  for (const SceneMaterialPair& other : context.scene.pairs) {
    if (std::minmax(other.a, other.b) == std::minmax(pair.a, pair.b)) {
      at.error("these two materials have a pair already");
      return;
    }
  }
  context.scene.pairs.push_back(pair);
}

}  // namespace drystone
