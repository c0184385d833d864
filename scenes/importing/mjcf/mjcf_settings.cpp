// What an MJCF file says once for all: compiler, defaults, meshes; and poses, which depend on it.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "core/input_error.h"
#include "core/wording.h"
#include "scenes/importing/mesh_file.h"
#include "scenes/importing/mjcf/mjcf.h"

namespace drystone::importing {
namespace {

void readCompiler(const XmlElement& compiler, std::string& meshFolder, MjcfSettings& settings) {
  const std::string angle = compiler.text("angle", "degree");
  settings.angleUnit = angle == "radian" ? 1 : std::numbers::pi / 180;
  if (angle != "radian" && angle != "degree") {
    compiler.problem(fmt::format("angle must be \"radian\" or \"degree\", got \"{}\"", angle));
  }
  settings.eulerOrder = compiler.text("eulerseq", "xyz");
  if (settings.eulerOrder.size() != 3 ||
      settings.eulerOrder.find_first_not_of("xyzXYZ") != std::string::npos) {
    compiler.problem("eulerseq must be three letters of x, y and z");
    settings.eulerOrder = "xyz";
  }
  settings.hasAutoLimits = compiler.flag("autolimits", true);
  const std::string inertia = compiler.text("inertiafromgeom", "auto");
  if (inertia == "true") settings.inertia = MjcfSettings::Inertia::kOfShapes;
  if (inertia == "false") settings.inertia = MjcfSettings::Inertia::kOfInertials;
  if (compiler.text("coordinate", "local") != "local") {
    compiler.problem("only local coordinates are read; save the model by a present MuJoCo");
  }
  meshFolder = compiler.text("meshdir", compiler.text("assetdir"));
}

/// What a class has, changed by the children of a `<default>` element.
MjcfClass changedBy(const XmlElement& element, MjcfClass defaults) {
  for (const XmlElement& child : element.children()) {
    if (child.tag() == "default") continue;
    for (const auto& [attribute, value] : child.ownAttributes()) {
      defaults[std::string(child.tag())][attribute] = value;
    }
  }
  return defaults;
}

/// The class of a `<default>` element, and those in it.
void readDefaults(const XmlElement& element, const MjcfClass& parent, std::string name,
                  MjcfSettings& settings) {
  MjcfClass mine = changedBy(element, parent);
  for (const XmlElement& child : element.children("default")) {
    readDefaults(child, mine, child.requiredText("class"), settings);
  }
  if (!settings.classes.emplace(std::move(name), std::move(mine)).second) {
    element.problem("another class of defaults has this name");
  }
}

void readMeshAsset(const XmlElement& own, MjcfSettings& settings) {
  const XmlElement mesh = withDefaults(own, "main", settings);
  const std::string file = mesh.text("file");
  std::string name = mesh.text("name", std::filesystem::path(file).stem().string());
  if (file.empty()) {
    mesh.leftOut("a mesh without a file");
    return;
  }
  for (const char* pose : {"refpos", "refquat"}) {
    if (mesh.has(pose)) mesh.problem(fmt::format("{} of <mesh> is not read; turn the file", pose));
  }
  mesh.log().note(mesh.line(), "a mesh is its convex hull, also for its mass");
  try {
    settings.meshes.emplace(std::move(name), hullOfMesh(findMeshFile(file, settings.directory),
                                                        mesh.vector("scale", Vec3::Ones())));
  } catch (const InputError& error) {
    mesh.problem(error.what());
  }
}

Quat turnAbout(const Vec3& axis, Real angle) { return Quat(Eigen::AngleAxis<Real>(angle, axis)); }

/// Small letters turn about the axes that turn along, capital ones about the fixed axes.
Quat eulerTurn(const Vec3& angles, const MjcfSettings& settings) {
  Quat turn = Quat::Identity();
  for (int i = 0; i < 3; ++i) {
    const char letter = settings.eulerOrder[static_cast<std::size_t>(i)];
    const bool isFixed = letter < 'a';
    const Quat one =
        turnAbout(Vec3::Unit(letter - (isFixed ? 'X' : 'x')), settings.angleUnit * angles[i]);
    turn = isFixed ? one * turn : turn * one;
  }
  return turn;
}

/// A direction of an orientation; none where it is zero, which is reported.
std::optional<Vec3> direction(const XmlElement& element, std::string_view name, const Vec3& v) {
  if (v.norm() > 0) return v.normalized();
  element.problem(fmt::format("{} of <{}> must not be zero", name, element.tag()));
  return std::nullopt;
}

Quat readOrientation(const XmlElement& element, const MjcfSettings& settings) {
  const auto first = [](const std::vector<Real>& v) { return Vec3(v[0], v[1], v[2]); };
  if (const auto v = element.reals("quat", 4, 4)) {
    const Quat quat((*v)[0], (*v)[1], (*v)[2], (*v)[3]);
    if (quat.norm() > 0) return quat.normalized();
    element.problem("quat must not be zero");
  } else if (const auto w = element.reals("axisangle", 4, 4)) {
    const auto axis = direction(element, "axisangle", first(*w));
    if (axis) return turnAbout(*axis, settings.angleUnit * (*w)[3]);
  } else if (element.has("euler")) {
    return eulerTurn(
        settings.angleUnit == 1 ? element.angles("euler") : element.vector("euler", Vec3::Zero()),
        settings);
  } else if (const auto axes = element.reals("xyaxes", 6, 6)) {
    const auto x = direction(element, "xyaxes", first(*axes));
    if (!x) return Quat::Identity();
    const Vec3 given((*axes)[3], (*axes)[4], (*axes)[5]);
    const auto y = direction(element, "y of xyaxes", given - x->dot(given) * *x);
    if (!y) return Quat::Identity();
    Mat3 turn;
    turn << *x, *y, x->cross(*y);
    return Quat(turn);
  } else if (const auto z = element.reals("zaxis", 3, 3)) {
    const auto axis = direction(element, "zaxis", first(*z));
    if (axis) return rotationBetween(Vec3::UnitZ(), *axis);
  }
  return Quat::Identity();
}

}  // namespace

MjcfSettings readMjcfSettings(const XmlElement& mujoco, const std::string& directory) {
  MjcfSettings settings;
  settings.angleUnit = std::numbers::pi / 180;
  std::string meshFolder;
  for (const XmlElement& compiler : mujoco.children("compiler")) {
    readCompiler(compiler, meshFolder, settings);
  }
  settings.directory = (std::filesystem::path(directory) / meshFolder).string();
  // Several, as of files that are included, count as one.
  MjcfClass& main = settings.classes["main"];
  for (const XmlElement& defaults : mujoco.children("default")) {
    main = changedBy(defaults, std::move(main));
    for (const XmlElement& child : defaults.children("default")) {
      readDefaults(child, main, child.requiredText("class"), settings);
    }
    const std::string name = defaults.text("class", "main");
    if (name != "main") settings.classes[name] = main;
  }
  for (const XmlElement& asset : mujoco.children("asset")) {
    for (const XmlElement& child : asset.children()) {
      if (child.tag() == "mesh") {
        readMeshAsset(child, settings);
      } else if (child.tag() != "texture" && child.tag() != "material") {
        child.leftOut(fmt::format("<{}> of <asset>", child.tag()));
      }
    }
  }
  return settings;
}

XmlElement withDefaults(const XmlElement& element, std::string_view childClass,
                        const MjcfSettings& settings) {
  const std::string name = element.text("class", childClass.empty() ? "main" : childClass);
  const auto found = settings.classes.find(name);
  if (found == settings.classes.end()) {
    std::vector<std::string> known;
    for (const auto& [one, unused] : settings.classes) known.push_back(one);
    element.problem(
        fmt::format("there is no class \"{}\" of defaults; {}", name, didYouMean(name, known)));
    return element;
  }
  const auto defaults = found->second.find(element.tag());
  return defaults == found->second.end() ? element : element.with(defaults->second);
}

Pose readMjcfPose(const XmlElement& element, const MjcfSettings& settings) {
  return {element.vector("pos", Vec3::Zero()), readOrientation(element, settings)};
}

}  // namespace drystone::importing
