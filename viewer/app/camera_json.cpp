#include "viewer/app/camera_json.h"

#include <fmt/format.h>

namespace drystone::viewer {
namespace {

std::string vectorJson(const Vec3& v) {
  return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", v.x(), v.y(), v.z());
}

}  // namespace

std::string cameraJson(const SceneCamera& camera) {
  return fmt::format(
      "\"camera\": {{\"position\": {}, \"target\": {}, \"up\": {}, \"field_of_view_deg\": {:.6g}}}",
      vectorJson(camera.position), vectorJson(camera.target), vectorJson(camera.up),
      camera.fieldOfViewDeg);
}

}  // namespace drystone::viewer
