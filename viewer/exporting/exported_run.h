#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/recording/recording.h"
#include "viewer/draw/draw_list.h"
#include "viewer/draw/scene_view.h"

namespace drystone::viewer {

/// A distance joint, drawn as a line.
struct ExportedRod {
  int bodyA = 0, bodyB = 0;  ///< index into Recording::bodies()
  Vec3 onA, onB;             ///< in the bodies' reference frames [m]
};

/// A recording and what pictures of it need of its scene.
struct ExportedRun {
  const Recording& recording;
  std::shared_ptr<const SceneView> scene;  ///< its bodies are those of the recording, in its order
  FrictionModel friction = FrictionModel::kCone;
  Real innerStep = 0;  ///< that impulses of contacts are of: the timestep over its substeps [s]
  std::vector<ExportedRod> rods;
};

/// `world`: as built from the scene, with the bodies of the recording. The recording must outlive
/// the result.
ExportedRun exportedRun(const Recording& recording, const Scene& scene, const World& world);

/// Which frames of a recording are wanted. Times are in [s].
struct FrameChoice {
  std::optional<Real> from, to;
  std::optional<Real> perSecond;  ///< at most so many frames of a second; none: all
};

/// Indices of the wanted frames, ascending: of the first and the last one in the range, and those
/// between that are the first of their 1/perSecond. Throws InputError where the range holds none.
std::vector<std::int64_t> chosenFrames(const ExportedRun& run, const FrameChoice& choice);

/// Hands each of the frames to `visit`, in their order. A frame is valid until the next one.
void visitFrames(const ExportedRun& run, const std::vector<std::int64_t>& frames,
                 const std::function<void(const WorldSnapshot& frame)>& visit);

/// Index into Recording::bodies(); -1 where it does not have the body.
int bodyIndex(const SceneView& scene, BodyId body);

/// A copy of a mesh that moves with a body.
struct BodyPart {
  int body = 0;  ///< index into Recording::bodies()
  std::size_t mesh = 0;
  Eigen::Matrix3f linear = Eigen::Matrix3f::Identity();  ///< mesh to body
  Vec3f offset = Vec3f::Zero();                          ///< [m]
};

/// The bodies' shapes as meshes, each kept once.
struct BodyMeshes {
  std::vector<std::shared_ptr<const TriangleMeshf>> meshes;
  std::vector<BodyPart> parts;  ///< body by body
};

/// Planes become squares around what moves. `withGround`: also of the body that the ground's grid
/// stands for. `begin`: the first frame.
BodyMeshes bodyMeshes(const SceneView& scene, const WorldSnapshot& begin, bool withGround);

}  // namespace drystone::viewer
