// What a picture of a world shows, and from where. No OpenGL: the module _render draws it.

#include <pybind11/stl.h>

#include <algorithm>

#include "bindings/python/binding.h"
#include "core/input_error.h"
#include "viewer/draw/draw_scene.h"
#include "viewer/draw/view_frame.h"

namespace drystone::python {
namespace {

// Wider and narrower ones show nothing: 1 to 150 degrees.
constexpr Real kLeastFieldOfView = 0.0174, kMostFieldOfView = 2.62;  // [rad]
// Closer to its target a camera has no direction [m].
constexpr Real kLeastDistance = 1e-6;
// Sine of the angle to z below which z is no way up of the picture.
constexpr Real kAlongUp = 1e-6;

/// A camera from one place to another. Throws InputError.
viewer::Camera cameraBetween(const Vec3& position, const Vec3& target) {
  viewer::Camera camera;
  camera.position = position;
  camera.target = target;
  const Vec3 way = target - position;
  if (way.norm() < kLeastDistance) {
    throw InputError(
        "render: position and target are the same place; a camera looks from one to "
        "the other");
  }
  if (way.cross(camera.up).norm() < kAlongUp * way.norm()) camera.up = Vec3::UnitY();
  return camera;
}

/// Draws one world again and again. Keeps where its pictures are taken from.
class WorldDrawing {
 public:
  explicit WorldDrawing(WorldPointer world) : world_(std::move(world)) {
    if (world_->camera) {
      scene_.camera = *world_->camera;
      scene_.hasCamera = true;
    }
  }

  /// What there is to draw now, and the camera. Without a place the camera is that of the scene,
  /// else one that shows all that moved in the first picture of these bodies and this aspect.
  /// Contacts have the colors of their states, as those of `drystone render`.
  py::tuple draw(Real aspect, const py::object& position, const py::object& target,
                 std::optional<Real> fieldOfView, bool contacts) {
    if (position.is_none() != target.is_none()) {
      throw InputError("render: position and target go together: give both or none");
    }
    if (fieldOfView && !(*fieldOfView >= kLeastFieldOfView && *fieldOfView <= kMostFieldOfView)) {
      throw InputError("render: field_of_view must be from 0.0174 to 2.62 rad, got " +
                       std::to_string(*fieldOfView));
    }
    std::optional<viewer::Camera> given;
    if (!position.is_none()) {
      given = cameraBetween(vectorOf(position, "position"), vectorOf(target, "target"));
    }
    look();
    viewer::Camera camera = given ? *given : usualCamera(aspect);
    if (fieldOfView) camera.fieldOfView = *fieldOfView;
    auto list = std::make_shared<viewer::DrawList>();
    viewer::DrawOptions options;
    options.contactPoints = contacts;
    options.contacts = viewer::ContactColoring::kState;
    drawer_.draw(frame_, options, *list);
    return py::make_tuple(list, camera);
  }

 private:
  /// Takes the world as it is. The scene is laid out anew where bodies came or went.
  void look() {
    World& world = world_->idle();
    world.observe().snapshot(frame_.snapshot);
    frame_.friction = world.settings().friction;
    const std::vector<BodyId> bodies = world.bodies();
    const auto& before = frame_.scene;
    const bool isSame =
        before && std::ranges::equal(bodies, before->bodies, {}, {}, &viewer::ViewBody::id);
    if (!isSame) camera_.reset();
    frame_.scene = std::make_shared<const viewer::SceneView>(
        isSame ? viewer::sceneViewOf(scene_, world, *before) : viewer::sceneViewOf(scene_, world));
  }

  const viewer::Camera& usualCamera(Real aspect) {
    if (!camera_ || aspect != aspect_) camera_ = viewer::initialCamera(frame_, aspect);
    aspect_ = aspect;
    return *camera_;
  }

  WorldPointer world_;
  Scene scene_;  ///< what its file says of the camera
  viewer::SceneDrawer drawer_;
  viewer::ViewFrame frame_;
  std::optional<viewer::Camera> camera_;  ///< chosen for the bodies of the frame
  Real aspect_ = 0;                       ///< and for pictures of this width by height
};

}  // namespace

void addDrawing(py::module_& module) {
  py::class_<viewer::DrawList, std::shared_ptr<viewer::DrawList>>(module, "_DrawList");
  py::class_<viewer::Camera>(module, "_Camera");
  py::class_<WorldDrawing> type(module, "_Drawing");
  type.def(py::init<WorldPointer>());
  type.def("draw", &WorldDrawing::draw);
}

}  // namespace drystone::python
