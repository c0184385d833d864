// Scenes of the library that are imports: they are what the importer makes of their models.
#include <nlohmann/json.hpp>

#include "scenes/scene_library.h"
#include "tests/unit/scenes/importing/importing.h"

namespace drystone {
namespace {

using nlohmann::json;

struct ModelOfTheLibrary {
  std::string scene, model;
};

void PrintTo(const ModelOfTheLibrary& one, std::ostream* out) { *out << one.model; }

/// All values by their paths, without what a library scene says beside its model.
json valuesOf(std::string_view text) {
  json scene = json::parse(text);
  for (const char* key : {"description", "peak_rows", "camera"}) scene.erase(key);
  scene.at("world").erase("duration");
  return scene.flatten();
}

class LibraryModels : public testing::TestWithParam<ModelOfTheLibrary> {};

TEST_P(LibraryModels, AreWhatTheImportMakes) {
  const LibraryScene* scene = findLibraryScene(GetParam().scene);
  ASSERT_NE(scene, nullptr);
  const json library = valuesOf(scene->text);
  const json imported = valuesOf(importData(GetParam().model).text);
  EXPECT_GT(library.size(), 200u);
  EXPECT_EQ(library.size(), imported.size());
  for (const auto& [path, value] : library.items()) {
    ASSERT_TRUE(imported.contains(path)) << path;
    if (!value.is_number()) {
      EXPECT_EQ(value, imported[path]) << path;
    } else {
      EXPECT_NEAR(value.get<Real>(), imported[path].get<Real>(), kAsInFile) << path;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Mjcf, LibraryModels,
                         testing::Values(ModelOfTheLibrary{"humanoid_drop", "humanoid.xml"},
                                         ModelOfTheLibrary{"mug_grasp", "mug_grasp.xml"}),
                         [](const auto& one) { return one.param.scene; });

}  // namespace
}  // namespace drystone
