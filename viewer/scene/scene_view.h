#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/body.h"
#include "scenes/scene.h"

namespace drystone::viewer {

/// What a picture needs of a body and no step changes.
struct ViewBody {
  BodyId id;
  std::string name;
  BodyKind kind = BodyKind::kDynamic;
  std::optional<Shape> shape;  ///< none: there is nothing to draw
  bool isSensor = false;
  Real mass = 0;  ///< [kg]; +∞ unless dynamic
};

/// The part of a world that stays as it is from step to step. Shared between the threads; a new one
/// is made when bodies come or go.
struct SceneView {
  std::string name;
  std::string description;
  std::vector<ViewBody> bodies;         ///< ascending by BodyId::index
  std::vector<std::string> jointNames;  ///< by JointId::index
  SceneCamera camera;
  bool hasCamera = false;  ///< false: the camera is only the default; frame the bodies instead

  /// Null when the scene does not have the body.
  const ViewBody* find(BodyId body) const;
};

}  // namespace drystone::viewer
