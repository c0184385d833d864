#include "viewer/window/camera_json.h"

#include <fmt/format.h>

namespace drystone::viewer {
namespace {

/// As many digits as it takes to read the same numbers back.
std::string vectorJson(const Vec3& v) { return fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z()); }

}  // namespace

std::string cameraJson(const SceneCamera& camera) {
  return fmt::format(
      "\"camera\": {{\"position\": {}, \"target\": {}, \"up\": {}, \"field_of_view_deg\": {}}}",
      vectorJson(camera.position), vectorJson(camera.target), vectorJson(camera.up),
      camera.fieldOfViewDeg);
}

}  // namespace drystone::viewer
