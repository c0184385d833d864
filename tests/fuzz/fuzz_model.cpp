// Bytes are a model in URDF or MJCF. It is refused, or becomes a scene that the reader takes or
// refuses. Meshes that it names are looked for in a folder that is empty.

#include "scenes/importing/import_model.h"
#include "scenes/scene_reader.h"
#include "tests/fuzz/fuzz_input.h"

namespace drystone::fuzz {
namespace {

constexpr const char* kNoFolder = "/proc/self/fdinfo/none";

/// A byte of options before the model's text.
ImportOptions optionsOf(FuzzInput& in) {
  static constexpr RobotBase kBases[] = {RobotBase::kAutomatic, RobotBase::kFixed,
                                         RobotBase::kFree};
  ImportOptions options;
  // XML begins with '<', which stands for the defaults: models are inputs as they are.
  const int code = in.byte();
  if (code == '<') return options;
  options.base = kBases[code % 3];
  options.holdJoints = code >= 128;
  return options;
}

}  // namespace
}  // namespace drystone::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace drystone;
  fuzz::FuzzInput in(data, size);
  const ImportOptions options = fuzz::optionsOf(in);
  const std::string text = "<" + std::string(in.text());
  ImportedScene scene;
  if (!fuzz::isAccepted(
          [&] { scene = importModelText(text, "model.xml", fuzz::kNoFolder, options); })) {
    return 0;
  }
  fuzz::isAccepted([&] { readSceneText(scene.text, "imported.json"); });
  return 0;
}
