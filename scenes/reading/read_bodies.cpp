// Section `bodies`, and what generators share with it.

#include <fmt/format.h>

#include <array>

#include "collision/shape/shape.h"
#include "core/input_error.h"
#include "engine/model/argument_checks.h"
#include "scenes/reading/read_log.h"
#include "scenes/reading/scene_context.h"

namespace drystone {
namespace {

constexpr std::array<std::string_view, 3> kBodyKinds = {"dynamic", "static", "kinematic"};

/// Reports a key that is not later than the one before.
template <class TimeKey>
void appendKey(const ObjectReader& entry, const TimeKey& key, std::vector<TimeKey>& keys) {
  if (!keys.empty() && entry.clean() && key.time <= keys.back().time) {
    entry.at().member("time")->error(
        fmt::format("must be > {} s, the time of the key before", keys.back().time));
  }
  keys.push_back(key);
}

void readMotion(ObjectReader& in, std::vector<VelocityKey>& motion) {
  in.list(
      {"motion", "prescribed velocity of a kinematic body, piecewise linear in time"},
      KeyType::listOf("motion_key"), [&](const JsonCursor& at) {
        VelocityKey key;
        ObjectReader entry(
            at, "motion_key",
            "velocity at a time; linear between keys, held before the first and after the last");
        entry.real({"time", "ascending"}, key.time, notNegative("s"), kRequired);
        entry.vector({"velocity", "of the reference point, world axes"}, key.linear,
                     anyReal("m/s"));
        entry.vector({"angular_velocity", "world axes"}, key.angular, anyReal("rad/s"));
        appendKey(entry, key, motion);
      });
}

void readForces(ObjectReader& in, std::vector<ForceKey>& forces) {
  in.list({"forces", "prescribed load of a dynamic body, piecewise linear in time"},
          KeyType::listOf("force_key"), [&](const JsonCursor& at) {
            ForceKey key;
            ObjectReader entry(
                at, "force_key",
                "load at a time; linear between keys, held before the first and after the last");
            entry.real({"time", "ascending"}, key.time, notNegative("s"), kRequired);
            entry.vector({"force", "at the centre of mass, world axes"}, key.force, anyReal("N"));
            entry.vector({"torque", "world axes"}, key.torque, anyReal("N m"));
            appendKey(entry, key, forces);
          });
}

void readAdhesion(ObjectReader& in, std::vector<AdhesionKey>& adhesion) {
  in.list({"adhesion",
           "pull on what it touches, shared by its contact points, as of a suction cup or magnet"},
          KeyType::listOf("adhesion_key"), [&](const JsonCursor& at) {
            AdhesionKey key;
            ObjectReader entry(at, "adhesion_key",
                               "pull from a time on until that of the next key; none before the "
                               "first");
            entry.real({"time", "ascending"}, key.time, notNegative("s"), kRequired);
            entry.real({"force", "0: it lets go"}, key.force, notNegative("N"), kRequired);
            appendKey(entry, key, adhesion);
          });
}

void readFilter(ObjectReader& in, CollisionFilter& filter) {
  constexpr std::uint64_t kAllBits = 0xffffffffu;
  std::uint64_t group = filter.group;
  std::uint64_t mask = filter.mask;
  bool collide = true;
  in.natural({"group", "collision groups of the body, one bit each"}, group, kAllBits);
  in.natural({"mask", "groups that the body collides with, one bit each"}, mask, kAllBits);
  in.boolean({"collide", "false: the body collides with nothing"}, collide);
  for (const std::string_view key : {"group", "mask"}) {
    if (!collide || !in.has(key) || (key == "group" ? group : mask) != 0) continue;
    const JsonCursor place = *in.at().member(key);
    place.log().doubts["groups"].push_back(
        {.pointer = place.pointer(),
         .message = fmt::format("a \"{}\" of 0 lets the body meet nothing; where that is meant, "
                                "write \"collide\": false",
                                key)});
  }
  filter.group = static_cast<std::uint32_t>(group);
  filter.mask = collide ? static_cast<std::uint32_t>(mask) : 0;
}

/// A kind of body that does not move, or not as these keys say.
void checkMovement(const ObjectReader& in, BodyKind kind) {
  if (kind == BodyKind::kStatic) {
    for (const std::string_view key : {"velocity", "angular_velocity"}) {
      if (in.has(key)) in.at().member(key)->keyError("a static body does not move");
    }
  }
  if (kind != BodyKind::kKinematic && in.has("motion")) {
    in.at().member("motion")->keyError("only a kinematic body moves as prescribed");
  }
  if (kind != BodyKind::kDynamic && in.has("forces")) {
    in.at().member("forces")->keyError("only a dynamic body takes forces");
  }
  for (const std::string_view key : {"linear_damping", "angular_damping", "gravity_scale",
                                     "locked_translations", "locked_rotations"}) {
    if (kind != BodyKind::kDynamic && in.has(key)) {
      in.at().member(key)->keyError("only a dynamic body moves freely");
    }
  }
}

/// Axes of the world that are named by their letters, as "xz".
void readAxes(ObjectReader& in, const Key& key, std::array<bool, 3>& axes) {
  const auto at = in.child(key, KeyType::text());
  std::string letters;
  if (!at || !at->text(letters)) return;
  constexpr std::string_view kLetters = "xyz";
  for (const char letter : letters) {
    const std::size_t axis = kLetters.find(letter);
    if (axis == std::string_view::npos || axes[axis]) {
      at->error(fmt::format("must be letters of x, y and z, each once, got \"{}\"", letters));
      return;
    }
    axes[axis] = true;
  }
}

/// How a dynamic body moves when nothing touches it.
void readFreeMotion(ObjectReader& in, BodyDefinition& body) {
  in.real(
      {"linear_damping", "rate at which its velocity decays: a step of h divides it by 1 + h c"},
      body.linearDamping, notNegative("1/s"));
  in.real({"angular_damping", "likewise of its angular velocity"}, body.angularDamping,
          notNegative("1/s"));
  in.real({"gravity_scale", "factor of the world's gravity"}, body.gravityScale, anyReal(""));
  readAxes(in, {"locked_translations", "axes of the world that it never moves along, as \"xy\""},
           body.lockedAxes.translation);
  readAxes(in, {"locked_rotations", "axes of the world that it never turns about, as \"xy\""},
           body.lockedAxes.rotation);
}

Mat3 inertiaMatrix(const std::vector<Real>& values) {
  Mat3 inertia = Vec3(values[0], values[1], values[2]).asDiagonal();
  if (values.size() == 6) {
    inertia(0, 1) = inertia(1, 0) = values[3];
    inertia(0, 2) = inertia(2, 0) = values[4];
    inertia(1, 2) = inertia(2, 1) = values[5];
  }
  return inertia;
}

void readMass(ObjectReader& in, BodyTemplate& out) {
  in.real({"density", "where no mass is given"}, out.definition.density, positive("kg/m³"));
  in.real({"mass", "in place of the density"}, out.mass, positive("kg"));
  in.atMostOne({"mass", "density"});
  const auto inertia = in.child(
      {"inertia",
       "[Ixx, Iyy, Izz] or these and Ixy, Ixz, Iyz, about the centre of mass; without it the "
       "shape's, scaled to the mass. No principal moment may exceed the sum of the other two"},
      KeyType::reals(3, 6, anyReal("kg m²")));
  if (inertia && inertia->reals(out.inertia, 3, 6, anyReal("kg m²"))) {
    if (out.inertia.size() != 3 && out.inertia.size() != 6) {
      out.inertia.clear();
      inertia->error("must be [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]");
    } else {
      const std::string problem = inertiaProblem(inertiaMatrix(out.inertia));
      if (!problem.empty()) inertia->error(problem);
    }
  }
  out.hasCenter = in.vector({"center_of_mass", "in the reference frame; without it the shape's"},
                            out.centerOfMass, anyReal("m"), kNoDefault);
  for (const std::string_view key : {"inertia", "center_of_mass"}) {
    if (in.has(key) && !in.has("mass"))
      in.at().member(key)->keyError("goes with \"mass\", which is not given");
  }
}

/// The shape's own properties scaled to the mass, or what the template says instead.
MassProperties scaledMass(const BodyTemplate& from, const std::optional<Shape>& shape) {
  MassProperties out;
  if (shape && !isStaticOnly(*shape) && (from.inertia.empty() || !from.hasCenter)) {
    out = massOf(*shape, *from.mass);
  }
  out.mass = *from.mass;
  if (!from.inertia.empty()) out.inertia = inertiaMatrix(from.inertia);
  if (from.hasCenter) out.centerOfMass = from.centerOfMass;
  return out;
}

/// The mass of a body that has a shape and a density.
void checkDerivedMass(const Shape& shape, Real density) {
  const Real mass = massProperties(shape, density).mass;
  if (mass >= kSmallestPositiveInput) return;
  throw InputError(fmt::format("its mass, density times volume, must be ≥ {:g} kg, got {:g}",
                               kSmallestPositiveInput, mass));
}

}  // namespace

int resolveName(const JsonCursor& at, std::string_view kind, const NameIndex& index) {
  std::string name;
  if (!at.text(name)) return -1;
  if (const auto found = index.find(name); found != index.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, unused] : index) names.push_back(known);
  at.error(missingName(kind, name, std::move(names)));
  return -1;
}

Pose readPose(ObjectReader& in) {
  Pose pose;
  const ObjectReader::Group group(in, "pose_keys");
  in.vector({"position", "of the reference frame"}, pose.position, anyReal("m"));
  in.orientation({"orientation", "of the reference frame"}, pose.rotation);
  return pose;
}

void readBodyTemplate(ObjectReader& in, SceneContext& context, BodyTemplate& out) {
  const ObjectReader::Group group(in, "body_keys");
  BodyDefinition& body = out.definition;
  in.choice({"kind", "how the body moves"}, body.kind, kBodyKinds);
  readMass(in, out);
  in.vector({"velocity", "of the centre of mass"}, body.linearVelocity, anyReal("m/s"));
  in.vector({"angular_velocity", "world axes"}, body.angularVelocity, anyReal("rad/s"));
  readMotion(in, body.motion);
  readForces(in, body.forces);
  readAdhesion(in, body.adhesion);
  checkMovement(in, body.kind);
  in.vector({"surface_velocity",
             "of the surface relative to the body, in the reference frame, as of a conveyor belt"},
            body.surfaceVelocity, anyReal("m/s"));
  in.boolean({"sensor", "true: touches nothing and reports what its shape meets"}, body.isSensor);
  in.boolean({"allow_sleep", "false: the body keeps its island awake"}, body.allowSleep);
  readFreeMotion(in, body);
  readFilter(in, body.filter);
  if (const auto at = in.child({"material", "name of a material"}, KeyType::text())) {
    body.material = resolveName(*at, "material", context.materials) + 1;
  } else if (const auto found = context.materials.find("default");
             found != context.materials.end()) {
    body.material = found->second + 1;
  }
  in.list({"part_materials",
           "names of materials for the children of a compound, or the triangles of a mesh or "
           "height field, in their order"},
          KeyType::listOf("material_name"), [&](const JsonCursor& at) {
            body.partMaterials.push_back(resolveName(at, "material", context.materials) + 1);
          });
}

bool completeBody(const BodyTemplate& from, std::optional<Shape> shape, const ObjectReader& in,
                  BodyDefinition& out) {
  if (shape && isStaticOnly(*shape)) {
    const bool isMesh = std::holds_alternative<TriangleMesh>(*shape);
    if (out.kind == BodyKind::kDynamic || (out.kind == BodyKind::kKinematic && !isMesh)) {
      return in.at().error(fmt::format("a {} has no volume: only a static {}body may carry it",
                                       shapeName(*shape), isMesh ? "or kinematic " : ""));
    }
  }
  if (const auto parts = in.at().member("part_materials")) {
    const std::string problem = partMaterialsProblem(shape, out.partMaterials.size());
    if (!problem.empty()) return parts->error(problem);
  }
  if (out.isSensor && !shape) return in.at().error("a sensor needs a \"shape\"");
  if (out.kind == BodyKind::kDynamic) {
    if (!shape && (!from.mass || from.inertia.empty())) {
      return in.at().error("a dynamic body without a shape needs \"mass\" and \"inertia\"");
    }
    try {
      if (from.mass) {
        out.mass = scaledMass(from, shape);
      } else {
        checkDerivedMass(*shape, out.density);
      }
    } catch (const InputError& error) {
      return in.at().error(error.what());
    }
  }
  out.shape = std::move(shape);
  return true;
}

bool appendBody(BodyDefinition body, SceneContext& context) {
  std::vector<BodyDefinition>& bodies = context.scene.bodies;
  if (!context.bodies.insert({body.name, static_cast<int>(bodies.size())}).second) return false;
  bodies.push_back(std::move(body));
  return true;
}

void readBody(const JsonCursor& at, SceneContext& context) {
  ObjectReader in(at, "body", "a body");
  BodyTemplate from;
  BodyDefinition& body = from.definition;
  body.name = fmt::format("body_{}", context.scene.bodies.size());
  in.text({"name", "unique; body_N unless given"}, body.name, kNoDefault);
  std::optional<Shape> shape;
  if (const auto child = in.child({"shape", "a shape or its name"}, KeyType::of("named_shape")))
    shape = readShape(*child, context);
  body.pose = readPose(in);
  const SceneColor color =
      readColor(in, "in pictures, as \"#d55e00\"; the material's unless given");
  readBodyTemplate(in, context, from);
  // Errors of the shape or the mass would only be repeated by what follows from them.
  if (in.clean()) completeBody(from, std::move(shape), in, body);
  const std::string name = body.name;
  if (!appendBody(std::move(body), context)) {
    const auto key = at.member("name");
    (key ? *key : at).error(fmt::format("another body is named \"{}\" already", name));
  } else if (color) {
    context.scene.bodyColors.resize(context.scene.bodies.size());
    context.scene.bodyColors.back() = color;
  }
}

}  // namespace drystone
