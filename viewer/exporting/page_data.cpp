#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "viewer/draw/contact_state.h"
#include "viewer/draw/draw_bodies.h"
#include "viewer/draw/draw_scene.h"
#include "viewer/draw/meshes.h"
#include "viewer/exporting/html_page.h"
#include "viewer/exporting/number_text.h"

namespace drystone::viewer {
namespace {

using nlohmann::json;

/// Width by height of the picture that the first camera fills.
constexpr Real kAspect = 16.0 / 9;
/// Most points of a plot: a few per pixel of its width.
constexpr std::int64_t kMostPlotted = 1500;
/// Drawn length of the mean impulse, in half sides of the median body.
constexpr Real kMeanArrow = 0.8;

template <class Vector>
json numbers(const Vector& values) {
  json list = json::array();
  for (const auto value : values) list.push_back(value);
  return list;
}

json colorJson(const Color& color) { return {color.red, color.green, color.blue, color.alpha}; }

json meshJson(const TriangleMeshf& mesh) {
  std::string positions, normals, indices;
  for (const Vec3f& one : mesh.positions) {
    for (const float value : one) appendNumber(positions, value);
  }
  for (const Vec3f& one : mesh.normals) {
    for (const float value : one) appendShare<std::int8_t>(normals, value);
  }
  for (const std::uint32_t index : mesh.indices) appendNumber(indices, index);
  return {{"positions", base64(positions)},
          {"normals", base64(normals)},
          {"indices", base64(indices)},
          {"twoSided", mesh.twoSided}};
}

json partsJson(const BodyMeshes& bodies) {
  json list = json::array();
  for (const BodyPart& part : bodies.parts) {
    // Row by row: the matrix, then what is added.
    json rows = json::array();
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) rows.push_back(part.linear(row, column));
      rows.push_back(part.offset[row]);
    }
    list.push_back({{"body", part.body}, {"mesh", part.mesh}, {"rows", std::move(rows)}});
  }
  return list;
}

/// The meshes of contacts, behind those of the bodies, and where they are.
json marksJson(json& meshes) {
  json marks;
  const auto add = [&](const char* name, const TriangleMeshf& mesh) {
    marks[name] = meshes.size();
    meshes.push_back(meshJson(mesh));
  };
  add("ball", unitSphere(MeshDetail::kCoarse));
  add("shaft", unitCylinder(MeshDetail::kCoarse));
  add("cone", unitCone(MeshDetail::kMedium));
  // The apex at the origin, and the base with corners (±1, ±1) at z = 1.
  add("pyramid", shapeMesh(makeHull({{0, 0, 0}, {1, 1, 1}, {-1, 1, 1}, {-1, -1, 1}, {1, -1, 1}})));
  return marks;
}

/// Poses of all bodies: those that never move have one, the others one a frame.
class TrackWriter {
 public:
  TrackWriter(std::size_t bodies, const Vec3& origin) : bodies_(bodies), origin_(origin) {}

  void see(const WorldSnapshot& frame) {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      Body& body = bodies_[i];
      const Pose& pose = frame.bodies[i].pose;
      if (!body.isSeen) body.first = pose;
      body.isSeen = true;
      body.moves = body.moves || pose.position != body.first.position ||
                   pose.rotation.coeffs() != body.first.rotation.coeffs();
      body.grid.include(pose.position - origin_);
    }
  }
  void write(const WorldSnapshot& frame) {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      if (!bodies_[i].moves) continue;
      const Pose& pose = frame.bodies[i].pose;
      bodies_[i].grid.append(positions_, pose.position - origin_);
      const Quat& q = pose.rotation;
      for (const Real value : {q.w(), q.x(), q.y(), q.z()}) {
        appendShare<std::int16_t>(rotations_, value);
      }
    }
  }
  json tracks() const {
    return {{"positions", base64(positions_)}, {"rotations", base64(rotations_)}};
  }
  void describe(std::size_t body, json& out) const {
    const Body& one = bodies_[body];
    out["moves"] = one.moves;
    const Quat& q = one.first.rotation;
    out["rotation"] = {q.w(), q.x(), q.y(), q.z()};
    out["position"] = numbers(Vec3(one.first.position - origin_));
    if (!one.moves) return;
    out["lower"] = numbers(one.grid.lower());
    out["span"] = numbers(one.grid.span());
  }

 private:
  struct Body {
    Pose first;
    bool isSeen = false, moves = false;
    BoxGrid grid;
  };
  std::vector<Body> bodies_;
  Vec3 origin_;
  std::string positions_, rotations_;
};

class ContactWriter {
 public:
  ContactWriter(const ExportedRun& run) : run_(run) {}

  void see(const WorldSnapshot& frame) {
    for (const ContactSnapshot& contact : frame.contacts) {
      grid_.include(contact.position - run_.scene->layout.origin);
    }
    if (const Real mean = meanImpulse(frame.contacts); mean > 0) {
      logOfMeans_ += std::log(mean);
      ++means_;
    }
  }
  void write(const WorldSnapshot& frame) {
    appendNumber(starts_, count_);
    const Real negligible = kNegligibleShare * meanImpulse(frame.contacts);
    for (const ContactSnapshot& contact : frame.contacts) {
      grid_.append(positions_, contact.position - run_.scene->layout.origin);
      const Mat3 axes = contactAxes(contact);
      for (int k = 0; k < 3; ++k) appendShare<std::int8_t>(normals_, contact.normal[k]);
      for (int k = 0; k < 3; ++k) appendShare<std::int8_t>(tangents_, axes(k, 0));
      for (int k = 0; k < 3; ++k) appendNumber(impulses_, static_cast<float>(contact.impulse[k]));
      appendNumber(frictions_, static_cast<float>(contact.friction));
      appendNumber(frictions_, static_cast<float>(contact.friction * frictionRatio(contact)));
      appendNumber<std::int32_t>(bodies_, bodyIndex(*run_.scene, contact.bodyA));
      appendNumber<std::int32_t>(bodies_, bodyIndex(*run_.scene, contact.bodyB));
      states_ += static_cast<char>(contactState(contact, run_.friction, negligible));
    }
    count_ += static_cast<std::uint32_t>(frame.contacts.size());
  }
  json contacts() {
    appendNumber(starts_, count_);
    const Real mean = means_ > 0 ? std::exp(logOfMeans_ / means_) : 0;
    const FrictionModel model = run_.friction;
    const bool isRound = model == FrictionModel::kCone || model == FrictionModel::kContensou ||
                         model == FrictionModel::kRolling;
    return {{"starts", base64(starts_)},
            {"lower", numbers(grid_.lower())},
            {"span", numbers(grid_.span())},
            {"positions", base64(positions_)},
            {"normals", base64(normals_)},
            {"tangents", base64(tangents_)},
            {"impulses", base64(impulses_)},
            {"frictions", base64(frictions_)},
            {"bodies", base64(bodies_)},
            {"states", base64(states_)},
            {"lengthPerImpulse", mean > 0 ? kMeanArrow * run_.scene->layout.bodySize / mean : 0},
            {"up", numbers(Vec3(-run_.scene->gravity.stableNormalized()))},
            {"set", model == FrictionModel::kNone      ? "none"
                    : isRound                          ? "cone"
                    : model == FrictionModel::kDiamond ? "diamond"
                                                       : "pyramid"}};
  }

 private:
  const ExportedRun& run_;
  BoxGrid grid_;
  Real logOfMeans_ = 0;
  int means_ = 0;
  std::uint32_t count_ = 0;
  std::string starts_, positions_, normals_, tangents_, impulses_, frictions_, bodies_, states_;
};

/// Residual and energies over time: of long runs the largest residual and the last energies of some
/// steps each.
json plotJson(const Recording& recording, std::int64_t first, std::int64_t last) {
  const std::int64_t each = std::max<std::int64_t>(1, (last - first) / kMostPlotted);
  std::string times, residuals, kinetic, potential;
  for (std::int64_t step = first + 1; step <= last; step += each) {
    const std::vector<RecordedStep> steps = recording.steps(step, std::min(each, last - step + 1));
    if (steps.empty()) break;
    Real residual = 0;
    for (const RecordedStep& one : steps) residual = std::max(residual, one.report.naturalMap);
    const StepReport& report = steps.back().report;
    appendNumber(times, static_cast<float>(report.time));
    appendNumber(residuals, static_cast<float>(residual));
    appendNumber(kinetic, static_cast<float>(report.energy.kinetic));
    appendNumber(potential, static_cast<float>(report.energy.potential));
  }
  return {{"times", base64(times)},
          {"residuals", base64(residuals)},
          {"kinetic", base64(kinetic)},
          {"potential", base64(potential)}};
}

const char* kindName(BodyKind kind) {
  if (kind == BodyKind::kStatic) return "static";
  return kind == BodyKind::kKinematic ? "kinematic" : "dynamic";
}

json bodiesJson(const SceneView& scene, const TrackWriter& tracks) {
  json list = json::array();
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const ViewBody& body = scene.bodies[i];
    json one = {{"name", body.name},
                {"kind", kindName(body.kind)},
                {"color", colorJson(plainColor(body))},
                {"casts", !body.isHuge && !body.isSensor && !body.isWall}};
    if (body.kind == BodyKind::kDynamic) one["mass"] = body.mass;
    tracks.describe(i, one);
    list.push_back(std::move(one));
  }
  return list;
}

json cameraJson(const ExportedRun& run, const WorldSnapshot& begin) {
  ViewFrame frame;
  frame.scene = run.scene;
  frame.snapshot = begin;
  const Camera camera = initialCamera(frame, kAspect);
  const Vec3& origin = run.scene->layout.origin;
  return {{"position", numbers(Vec3(camera.position - origin))},
          {"target", numbers(Vec3(camera.target - origin))},
          {"up", numbers(camera.up)},
          {"fieldOfView", camera.fieldOfView}};
}

json layoutJson(const SceneLayout& layout) {
  const GroundGrid& ground = layout.ground;
  return {{"lower", numbers(Vec3(layout.moving.lower - layout.origin))},
          {"upper", numbers(Vec3(layout.moving.upper - layout.origin))},
          {"bodySize", layout.bodySize},
          {"ground",
           {{"visible", ground.visible},
            {"height", ground.height},
            {"spacing", ground.spacing},
            {"radius", ground.radius},
            {"center", numbers(ground.center)}}}};
}

}  // namespace

std::string pageData(const ExportedRun& run, const std::vector<std::int64_t>& frames) {
  const Recording& recording = run.recording;
  const SceneView& scene = *run.scene;
  TrackWriter tracks(scene.bodies.size(), scene.layout.origin);
  ContactWriter contacts(run);
  WorldSnapshot begin;
  recording.frame(0, begin);
  // Twice through the file: what lies where decides how finely places are cut.
  visitFrames(run, frames, [&](const WorldSnapshot& frame) {
    tracks.see(frame);
    contacts.see(frame);
  });
  std::string times;
  visitFrames(run, frames, [&](const WorldSnapshot& frame) {
    appendNumber(times, static_cast<float>(frame.time));
    tracks.write(frame);
    contacts.write(frame);
  });
  const BodyMeshes bodies = bodyMeshes(scene, begin, false);
  json meshes = json::array();
  for (const auto& mesh : bodies.meshes) meshes.push_back(meshJson(*mesh));
  json marks = marksJson(meshes);
  json rods = json::array();
  for (const ExportedRod& rod : run.rods) {
    rods.push_back({{"bodyA", rod.bodyA},
                    {"bodyB", rod.bodyB},
                    {"onA", numbers(rod.onA)},
                    {"onB", numbers(rod.onB)}});
  }
  const json data = {{"name", scene.name},
                     {"description", scene.description},
                     {"version", recording.info().version},
                     {"timestep", scene.timestep},
                     {"times", base64(times)},
                     {"camera", cameraJson(run, begin)},
                     {"layout", layoutJson(scene.layout)},
                     {"bodies", bodiesJson(scene, tracks)},
                     {"tracks", tracks.tracks()},
                     {"meshes", std::move(meshes)},
                     {"parts", partsJson(bodies)},
                     {"marks", std::move(marks)},
                     {"rods", std::move(rods)},
                     {"contacts", contacts.contacts()},
                     {"plot", plotJson(recording, recording.stepOfFrame(frames.front()),
                                       recording.stepOfFrame(frames.back()))}};
  // Names are as their writer typed them, in whatever bytes.
  return data.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace drystone::viewer
