// Links of a URDF robot: mass and what they collide with.
#include <fmt/format.h>

#include "core/input_error.h"
#include "engine/model/argument_checks.h"
#include "scenes/importing/mesh_file.h"
#include "scenes/importing/urdf/urdf.h"

namespace drystone::importing {
namespace {

/// Turns about the fixed axes x, then y, then z: R = Rz Ry Rx.
Quat turnOf(const Vec3& rollPitchYaw) {
  return Quat(Eigen::AngleAxis<Real>(rollPitchYaw.z(), Vec3::UnitZ())) *
         Quat(Eigen::AngleAxis<Real>(rollPitchYaw.y(), Vec3::UnitY())) *
         Quat(Eigen::AngleAxis<Real>(rollPitchYaw.x(), Vec3::UnitX()));
}

/// The mass in the frame of the inertial, about its origin.
MassProperties readMass(const XmlElement& inertial) {
  MassProperties mass;
  const auto element = inertial.child("mass");
  const auto inertia = inertial.child("inertia");
  if (!element) inertial.problem("<inertial> needs a <mass value=\"…\"/>");
  const auto value = element ? element->required("value") : std::nullopt;
  if (!value) return mass;
  if (*value < 0) {
    element->problem(fmt::format("mass must be > 0 kg, got {:g}", *value));
    return mass;
  }
  if (*value == 0) {
    element->log().note(element->line(), "a mass of 0 counts as none");
    return mass;
  }
  mass.mass = *value;
  if (!inertia) {
    inertial.problem("<inertial> needs an <inertia>, as a body that turns has one");
    return mass;
  }
  const auto xx = inertia->required("ixx"), yy = inertia->required("iyy"),
             zz = inertia->required("izz");
  if (!xx || !yy || !zz) return mass;
  mass.inertia = symmetricInertia(*xx, *yy, *zz, inertia->real("ixy", 0), inertia->real("ixz", 0),
                                  inertia->real("iyz", 0));
  if (const std::string wrong = inertiaProblem(mass.inertia); !wrong.empty()) {
    inertia->problem("inertia: " + wrong);
  }
  return mass;
}

/// An attribute of a shape that must be there and be > 0; 1 after a problem.
Real readLength(const XmlElement& element, std::string_view name) {
  const auto length = element.required(name);
  if (!length) return 1;
  if (*length > 0) return *length;
  element.problem(fmt::format("{} of <{}> must be > 0 m, got {:g}", name, element.tag(), *length));
  return 1;
}

std::optional<Shape> readMesh(const XmlElement& mesh, const std::string& directory) {
  const std::string name = mesh.requiredText("filename");
  const Vec3 scale = mesh.vector("scale", Vec3::Ones());
  if (name.empty()) return std::nullopt;
  mesh.log().note(mesh.line(), "a mesh collides as its convex hull");
  try {
    return hullOfMesh(findMeshFile(name, directory), scale);
  } catch (const InputError& error) {
    mesh.problem(error.what());
    return std::nullopt;
  }
}

std::optional<Shape> readShape(const XmlElement& element, const std::string& directory) {
  const std::string_view tag = element.tag();
  if (tag == "sphere") return Sphere{readLength(element, "radius")};
  if (tag == "cylinder" || tag == "capsule") {
    const Real radius = readLength(element, "radius"), half = readLength(element, "length") / 2;
    return tag == "cylinder" ? Shape(Cylinder{radius, half}) : Shape(Capsule{radius, half});
  }
  if (tag == "box") {
    element.requiredText("size");
    const Vec3 size = element.vector("size", Vec3::Ones());
    if (!(size.array() > 0).all()) element.problem("size of <box> must be three lengths > 0 m");
    return Box{size / 2};
  }
  if (tag == "mesh") return readMesh(element, directory);
  return std::nullopt;  // no name of the format, which was a problem
}

void readCollision(const XmlElement& collision, const std::string& directory, ImportedBody& body) {
  const Pose pose = readUrdfOrigin(collision);
  const auto geometry = collision.child("geometry");
  const std::vector<XmlElement> shapes =
      geometry ? geometry->children() : std::vector<XmlElement>{};
  if (shapes.size() != 1) {
    collision.problem("<collision> needs a <geometry> with one shape");
    return;
  }
  if (const auto shape = readShape(shapes.front(), directory)) {
    body.parts.push_back({*shape, pose});
    body.materials.emplace_back();
  }
}

}  // namespace

Pose readUrdfOrigin(const XmlElement& parent) {
  const auto origin = parent.child("origin");
  if (!origin) return {};
  return {origin->vector("xyz", Vec3::Zero()), turnOf(origin->angles("rpy"))};
}

UrdfLink readUrdfLink(const XmlElement& element, const std::string& directory) {
  UrdfLink link;
  link.body.name = element.requiredText("name");
  link.body.line = element.line();
  if (const auto inertial = element.child("inertial")) {
    link.body.mass = placedMass(readMass(*inertial), readUrdfOrigin(*inertial));
  }
  for (const XmlElement& part : element.children()) {
    if (part.tag() == "collision") {
      readCollision(part, directory, link.body);
    } else if (part.tag() != "inertial") {
      part.leftOut(fmt::format("<{}> of a link", part.tag()));
    }
  }
  return link;
}

}  // namespace drystone::importing
