// Sections `materials` and `pairs`.

#include <fmt/format.h>

#include "scenes/reading/scene_context.h"

namespace drystone {

void readMaterial(const std::string& name, const JsonCursor& at, SceneContext& context) {
  SceneMaterial entry{.name = name, .material = {}};
  ObjectReader in(at, "material", "a surface");
  FieldReader reader(in);
  visitFields(entry.material, reader);
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
    // What the pair does not say is as it would be without the pair.
    MaterialTable table;
    const auto& materials = context.scene.materials;
    const MaterialId a = table.add(materials[static_cast<std::size_t>(pair.a)].material);
    const MaterialId b = table.add(materials[static_cast<std::size_t>(pair.b)].material);
    pair.material = table.combine(a, b);
  }
  FieldReader reader(in, kNoDefault);
  visitFields(pair.material, reader);
  if (!known) return;
  for (const SceneMaterialPair& other : context.scene.pairs) {
    if (std::minmax(other.a, other.b) == std::minmax(pair.a, pair.b)) {
      at.error("these two materials have a pair already");
      return;
    }
  }
  context.scene.pairs.push_back(pair);
}

}  // namespace drystone
