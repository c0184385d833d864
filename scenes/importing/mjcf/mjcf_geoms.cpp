// Geoms of MJCF: shapes, their places and their masses.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/wording.h"
#include "scenes/importing/mjcf/mjcf.h"

namespace drystone::importing {
namespace {

constexpr Real kDensity = 1000;  // [kg/m³] MuJoCo's default

struct ShapeType {
  std::string_view name;
  std::size_t sizes;        ///< numbers of `size`
  std::size_t sizesOfLine;  ///< where `fromto` says the length; 0: it cannot
};
constexpr std::array<ShapeType, 5> kSizedTypes = {
    {{"sphere", 1, 0}, {"capsule", 2, 1}, {"cylinder", 2, 1}, {"ellipsoid", 3, 1}, {"box", 3, 1}}};

/// The place of a shape along z from one point to another, and its half length.
std::pair<Pose, Real> placeOfLine(const std::vector<Real>& ends) {
  const Vec3 from(ends[0], ends[1], ends[2]), to(ends[3], ends[4], ends[5]);
  const Vec3 way = from - to;
  Pose pose;
  pose.position = (from + to) / 2;
  if (way.norm() > 0) pose.rotation = rotationBetween(Vec3::UnitZ(), way);
  return {pose, way.norm() / 2};
}

Shape shapeOf(std::string_view type, const Vec3& size) {
  if (type == "sphere") return Sphere{size[0]};
  if (type == "capsule") return Capsule{size[0], size[1]};
  if (type == "cylinder") return Cylinder{size[0], size[1]};
  if (type == "ellipsoid") return Ellipsoid{size};
  return Box{size};
}

/// Shape and place of what has sizes.
bool readSized(const XmlElement& element, const ShapeType& type, MjcfGeom& geom) {
  Vec3 size = Vec3::Ones();
  const auto line = type.sizesOfLine > 0 ? element.reals("fromto", 6, 6) : std::nullopt;
  const std::size_t needed = line ? type.sizesOfLine : type.sizes;
  const auto given = element.reals("size", 1, 3);
  if (!given || given->size() < needed) {
    element.problem(fmt::format("a {} needs {} numbers of \"size\"{}", type.name, needed,
                                type.sizesOfLine > 0 ? ", or a \"fromto\" for its length" : ""));
    return false;
  }
  for (std::size_t i = 0; i < needed; ++i) size[static_cast<int>(i)] = (*given)[i];
  if (line) {
    const auto [pose, half] = placeOfLine(*line);
    geom.pose = pose;
    if (type.sizes == 3) {
      size[1] = size[0];
      size[2] = half;
    } else {
      size[1] = half;
    }
  }
  for (std::size_t i = 0; i < type.sizes; ++i) {
    if (size[static_cast<int>(i)] > 0) continue;
    element.problem(fmt::format("the sizes of a {} must be > 0 m", type.name));
    return false;
  }
  geom.shape = shapeOf(type.name, size);
  return true;
}

bool readMeshGeom(const XmlElement& element, const MjcfSettings& settings, MjcfGeom& geom) {
  const std::string name = element.requiredText("mesh");
  const auto found = settings.meshes.find(name);
  if (found != settings.meshes.end()) {
    geom.shape = found->second;
  } else if (!name.empty()) {
    element.problem(fmt::format("there is no mesh \"{}\" in <asset>", name));
  }
  return found != settings.meshes.end();
}

bool readGeomShape(const XmlElement& element, const MjcfSettings& settings, MjcfGeom& geom) {
  const std::string type = element.text("type", element.has("mesh") ? "mesh" : "sphere");
  geom.pose = readMjcfPose(element, settings);
  if (type == "plane") {
    geom.shape = Plane{};
    return true;
  }
  if (type == "mesh") return readMeshGeom(element, settings, geom);
  const auto known = std::ranges::find(kSizedTypes, type, &ShapeType::name);
  if (known != kSizedTypes.end()) return readSized(element, *known, geom);
  if (type == "hfield" || type == "sdf") {
    element.leftOut(fmt::format("a geom of type {}", type));
    return false;
  }
  std::vector<std::string> names = {"plane", "mesh", "hfield", "sdf"};
  for (const ShapeType& one : kSizedTypes) names.emplace_back(one.name);
  element.problem(
      fmt::format("there is no type of geom \"{}\"; {}", type, didYouMean(type, names)));
  return false;
}

void readGeomMass(const XmlElement& element, MjcfGeom& geom) {
  if (isStaticOnly(geom.shape)) return;
  const Real density = element.notNegative("density", kDensity);
  const Real given = element.notNegative("mass", 0);
  if (element.has("mass") ? given == 0 : density == 0) return;
  MassProperties mass = massProperties(geom.shape, element.has("mass") ? 1 : density);
  if (element.has("mass")) {
    mass.inertia *= given / mass.mass;
    mass.mass = given;
  }
  geom.mass = placedMass(mass, geom.pose);
}

/// MuJoCo keeps impedances within these.
constexpr Real kLeastImpedance = 1e-4, kMostImpedance = 0.9999;

std::optional<MjcfSoftness> readSoftness(const XmlElement& element) {
  if (!element.has("solref") && !element.has("solimp")) return std::nullopt;
  MjcfSoftness softness;
  const auto solref = element.reals("solref", 1, 2);
  const auto solimp = element.reals("solimp", 1, 5);
  if (solref) std::ranges::copy(*solref, softness.solref.begin());
  if (solimp && solimp->size() > 1) softness.impedance = (*solimp)[1];
  softness.impedance = std::clamp(softness.impedance, kLeastImpedance, kMostImpedance);
  return softness;
}

void readContact(const XmlElement& element, MjcfGeom& geom) {
  geom.contype = static_cast<std::uint32_t>(element.notNegative("contype", 1));
  geom.conaffinity = static_cast<std::uint32_t>(element.notNegative("conaffinity", 1));
  const auto friction = element.reals("friction", 1, 3);
  if (friction) geom.friction = friction->front();
  if (geom.friction < 0) element.problem("friction must be ≥ 0");
  geom.softness = readSoftness(element);
  const int dimension = static_cast<int>(element.real("condim", 3));
  if (dimension == 1) geom.friction = 0;
  if (dimension > 3) element.leftOut("friction against spinning and rolling (condim above 3)");
}

}  // namespace

std::optional<MjcfGeom> readMjcfGeom(const XmlElement& element, const MjcfSettings& settings) {
  MjcfGeom geom;
  if (!readGeomShape(element, settings, geom)) return std::nullopt;
  readGeomMass(element, geom);
  readContact(element, geom);
  return geom;
}

}  // namespace drystone::importing
