#include "viewer/exporting/exported_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/input_error.h"
#include "viewer/draw/mesh_cache.h"

namespace drystone::viewer {
namespace {

/// Half side of a plane's square, in lengths of what moves.
constexpr Real kPlaneReach = 1.5;
/// Bodies from which on round ones are cut more coarsely: files stay small, and pages quick.
constexpr std::size_t kFineBodies = 200, kMediumBodies = 3000;
/// Share of the time between two frames that counts as round-off of their times.
constexpr Real kTimeSlack = 1e-6;

MeshDetail detailOf(std::size_t bodies) {
  if (bodies <= kFineBodies) return MeshDetail::kFine;
  return bodies <= kMediumBodies ? MeshDetail::kMedium : MeshDetail::kCoarse;
}

/// Collects the parts of shapes.
class PartCollector {
 public:
  PartCollector(const SceneLayout& layout, MeshDetail detail, BodyMeshes& out)
      : layout_(layout), detail_(detail), out_(out) {}

  void add(int body, const Shape& shape, const Pose& toBody, const Pose& toWorld) {
    if (const auto* compound = std::get_if<Compound>(&shape)) {
      for (const CompoundChild& child : compound->children) {
        add(body, child.shape, toBody * child.pose, toWorld);
      }
      return;
    }
    const MeshCache::Stretched stretched = cache_.meshOf(shape, detail_);
    Eigen::Matrix3f linear =
        toBody.rotation.toRotationMatrix().cast<float>() * stretched.factors.asDiagonal();
    Vec3 offset = toBody.position;
    if (std::holds_alternative<Plane>(shape)) {
      const Vec3 extent = layout_.moving.upper - layout_.moving.lower;
      linear.leftCols<2>() *= static_cast<float>(kPlaneReach * extent.maxCoeff());
      // The place of the plane that is nearest to what moves.
      const Vec3 middle = toWorld.rotation.conjugate() *
                          (0.5 * (layout_.moving.lower + layout_.moving.upper) - toWorld.position);
      const Vec3 normal = toBody.rotation * Vec3::UnitZ();
      offset = middle - normal.dot(middle - offset) * normal;
    }
    out_.parts.push_back({body, indexOf(stretched.mesh), linear, offset.cast<float>()});
  }

 private:
  std::size_t indexOf(const std::shared_ptr<const TriangleMeshf>& mesh) {
    const auto at = std::ranges::find(out_.meshes, mesh);
    const auto index = static_cast<std::size_t>(at - out_.meshes.begin());
    if (at == out_.meshes.end()) out_.meshes.push_back(mesh);
    return index;
  }

  const SceneLayout& layout_;
  MeshDetail detail_;
  BodyMeshes& out_;
  MeshCache cache_;
};

}  // namespace

ExportedRun exportedRun(const Recording& recording, const Scene& scene, const World& world) {
  ExportedRun run{recording,
                  std::make_shared<const SceneView>(sceneViewOf(scene, world)),
                  world.settings().friction,
                  world.settings().substep(),
                  {}};
  for (const JointId id : world.joints()) {
    const JointDefinition joint = world.joint(id).definition();
    if (joint.geometry != JointGeometry::kDistance) continue;
    run.rods.push_back({bodyIndex(*run.scene, joint.bodyA), bodyIndex(*run.scene, joint.bodyB),
                        joint.frameA.position, joint.frameB.position});
  }
  return run;
}

std::vector<std::int64_t> chosenFrames(const ExportedRun& run, const FrameChoice& choice) {
  const Recording& recording = run.recording;
  const Real dt = run.scene->timestep, slack = kTimeSlack * dt;
  std::vector<std::int64_t> chosen;
  std::int64_t last = -1;
  Real due = 0;  // time from which on the next frame is wanted
  for (std::int64_t i = 0; i < recording.frameCount(); ++i) {
    const Real time = static_cast<Real>(recording.stepOfFrame(i)) * dt;
    if (choice.from && time < *choice.from - slack) continue;
    if (choice.to && time > *choice.to + slack) break;
    last = i;
    if (chosen.empty()) due = time;
    if (time < due - slack) continue;
    chosen.push_back(i);
    if (!choice.perSecond) continue;
    while (due <= time + slack) due += 1 / *choice.perSecond;
  }
  if (chosen.empty()) {
    const Real end = static_cast<Real>(recording.stepCount()) * dt;
    throw InputError(fmt::format(
        "the recording has no frame in this range of time; it reaches from 0 to {:g} s", end));
  }
  if (chosen.back() != last) chosen.push_back(last);
  return chosen;
}

void visitFrames(const ExportedRun& run, const std::vector<std::int64_t>& frames,
                 const std::function<void(const WorldSnapshot& frame)>& visit) {
  WorldSnapshot frame;
  for (const std::int64_t index : frames) {
    run.recording.frame(index, frame);
    visit(frame);
  }
}

int bodyIndex(const SceneView& scene, BodyId body) {
  const ViewBody* known = scene.find(body);
  return known == nullptr ? -1 : static_cast<int>(known - scene.bodies.data());
}

BodyMeshes bodyMeshes(const SceneView& scene, const WorldSnapshot& begin, bool withGround) {
  BodyMeshes out;
  PartCollector collector(scene.layout, detailOf(scene.bodies.size()), out);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const ViewBody& body = scene.bodies[i];
    if (!body.shape || (body.isGround && !withGround)) continue;
    collector.add(static_cast<int>(i), *body.shape, {}, begin.bodies[i].pose);
  }
  return out;
}

}  // namespace drystone::viewer
