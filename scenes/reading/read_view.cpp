// Sections `camera` and `output`.

#include "scenes/reading/scene_context.h"

namespace drystone {

void readCamera(const JsonCursor& at, SceneContext& context) {
  SceneCamera& camera = context.scene.camera;
  context.scene.hasCamera = true;
  ObjectReader in(at, "camera");
  in.vector("position", camera.position, anyReal("m"));
  in.vector("target", camera.target, anyReal("m"));
  in.vector("up", camera.up, anyReal(""));
  in.real("field_of_view_deg", camera.fieldOfViewDeg, within(1, 170, "degrees"));
  if (!in.clean()) return;
  const Vec3 view = camera.target - camera.position;
  if (!(view.cross(camera.up).norm() > 1e-9 * view.norm() * camera.up.norm())) {
    at.error("the camera must look from its position to another point, and not along \"up\"");
  }
}

void readOutput(const JsonCursor& at, SceneContext& context) {
  ObjectReader in(at, "output");
  in.integer("every", context.scene.output.every, 1, 1'000'000);
}

}  // namespace drystone
