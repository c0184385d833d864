// Shapes: the section `shapes`, and those given in place. A table of the kinds, one reader each.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/input_error.h"
#include "core/wording.h"
#include "scenes/reading/scene_context.h"

namespace drystone {
namespace {

constexpr Real kLargestSize = 1e6;  ///< [m]

Range size() { return positive("m", kLargestSize); }

std::optional<Shape> readSphere(ObjectReader& in, SceneContext&) {
  Sphere sphere;
  in.real({"radius", "of the ball"}, sphere.radius, size(), kRequired);
  return sphere;
}

std::optional<Shape> readBox(ObjectReader& in, SceneContext&) {
  Box box;
  Vec3 full;
  in.vector({"half_extents", "or size"}, box.halfExtents, size());
  if (in.vector({"size", "full lengths; or half_extents"}, full, size()))
    box.halfExtents = full / 2;
  in.atLeastOne({"half_extents", "size"});
  in.atMostOne({"half_extents", "size"});
  return box;
}

std::optional<Shape> readCapsule(ObjectReader& in, SceneContext&) {
  Capsule capsule;
  in.real({"radius", "of the sphere"}, capsule.radius, size(), kRequired);
  in.real({"half_length", "of the segment"}, capsule.halfLength, size(), kRequired);
  return capsule;
}

std::optional<Shape> readCylinder(ObjectReader& in, SceneContext&) {
  Cylinder cylinder;
  in.real({"radius", "of the disc"}, cylinder.radius, size(), kRequired);
  in.real({"half_length", "along z"}, cylinder.halfLength, size(), kRequired);
  return cylinder;
}

std::optional<Shape> readCone(ObjectReader& in, SceneContext&) {
  Cone cone;
  in.real({"radius", "of the base"}, cone.radius, size(), kRequired);
  in.real({"height", "along z"}, cone.height, size(), kRequired);
  return cone;
}

std::optional<Shape> readPlane(ObjectReader&, SceneContext&) { return Plane{}; }

/// The text of a file that the scene names, kept with the scene.
const std::string& attachedText(const std::string& name, SceneContext& context) {
  const auto find = [&](const auto& files) {
    return std::ranges::find(files, name, &SceneFile::name);
  };
  std::vector<SceneFile>& kept = context.scene.attachments;
  if (const auto known = find(kept); known != kept.end()) return known->text;
  if (const auto given = find(context.attachments); given != context.attachments.end()) {
    return kept.emplace_back(*given).text;
  }
  if (context.directory.empty()) {
    throw InputError("a scene without a folder of its own cannot name files");
  }
  const std::string path = (std::filesystem::path(context.directory) / name).string();
  kept.push_back({name, readObjText(path)});
  context.scene.files.push_back(path);
  return kept.back().text;
}

/// What `parse` finds in the OBJ file that the key `file` names. None after an error.
template <class Content>
std::optional<Content> readObjFile(ObjectReader& in, SceneContext& context,
                                   Content (*parse)(std::string_view text,
                                                    const std::string& path)) {
  std::string name;
  const auto at = in.child({"file", "OBJ file, relative to the scene file"}, KeyType::text());
  if (!at || !at->text(name)) return std::nullopt;
  try {
    const std::string path = (std::filesystem::path(context.directory) / name).string();
    return parse(attachedText(name, context), path);
  } catch (const InputError& error) {
    at->error(error.what());
    return std::nullopt;
  }
}

std::vector<Vec3> readPoints(ObjectReader& in) {
  std::vector<Vec3> points;
  in.list({"points", "whose hull it is"}, KeyType::listOf("vector", "m"),
          [&](const JsonCursor& at) {
            Vec3 point;
            if (at.vector(point, within(-kLargestSize, kLargestSize, "m"))) points.push_back(point);
          });
  return points;
}

Vec3 readScale(ObjectReader& in) {
  Vec3 scale = Vec3::Ones();
  in.vector({"scale", "factor per axis"}, scale, positive("", kLargestSize));
  return scale;
}

std::optional<Shape> readHull(ObjectReader& in, SceneContext& context) {
  const Vec3 scale = readScale(in);
  std::vector<Vec3> points = readPoints(in);
  if (auto vertices = readObjFile(in, context, &parseObjVertices)) points = std::move(*vertices);
  for (Vec3& point : points) point = point.cwiseProduct(scale);
  in.atLeastOne({"points", "file"});
  in.atMostOne({"points", "file"});
  if (!in.clean()) return std::nullopt;
  return makeHull(points);
}

std::optional<Shape> readMesh(ObjectReader& in, SceneContext& context) {
  const Vec3 scale = readScale(in);
  std::optional<MeshData> mesh = readObjFile(in, context, &parseObj);
  in.atLeastOne({"file"});
  if (!mesh) return std::nullopt;
  for (Vec3& vertex : mesh->vertices) vertex = vertex.cwiseProduct(scale);
  return TriangleMesh{std::make_shared<MeshData>(std::move(*mesh))};
}

std::optional<Shape> readHeightfield(ObjectReader& in, SceneContext&) {
  constexpr int kMostSamples = 1 << 14;
  auto field = std::make_shared<HeightfieldData>();
  std::vector<Real> spacing;
  in.integer({"columns", "samples along x"}, field->columns, 2, kMostSamples, kRequired);
  in.integer({"rows", "samples along y"}, field->rows, 2, kMostSamples, kRequired);
  if (in.reals({"spacing", "along x and y"}, spacing, 2, 2, size(), kRequired)) {
    field->spacingX = spacing[0];
    field->spacingY = spacing[1];
  }
  const int samples = field->columns * field->rows;
  if (in.reals({"heights", "columns × rows heights, x fastest"}, field->heights, 0,
               std::numeric_limits<int>::max(), within(-kLargestSize, kLargestSize, "m"),
               kRequired) &&
      in.clean() && static_cast<int>(field->heights.size()) != samples) {
    in.at().member("heights")->error(fmt::format("must hold columns x rows = {} numbers, got {}",
                                                 samples, field->heights.size()));
  }
  if (!in.clean()) return std::nullopt;
  return Heightfield{field};
}

std::optional<Shape> readCompound(ObjectReader& in, SceneContext& context);

struct ShapeKind {
  std::string_view name, help;
  std::optional<Shape> (*read)(ObjectReader&, SceneContext&);
};
constexpr ShapeKind kShapeKinds[] = {
    {"sphere", "ball about the origin", readSphere},
    {"box", "box about the origin; give one of its two keys", readBox},
    {"capsule", "segment along z swept by a sphere", readCapsule},
    {"cylinder", "axis z, centred", readCylinder},
    {"cone", "axis z, apex at +height/2", readCone},
    {"plane", "half-space below z = 0; static bodies only", readPlane},
    {"hull", "convex hull of points or of an OBJ file's vertices", readHull},
    {"mesh", "triangle surface; static and kinematic bodies only", readMesh},
    {"heightfield", "regular grid of heights about the origin; static bodies only",
     readHeightfield},
    {"compound", "several shapes as one; compounds do not nest", readCompound},
};

const ShapeKind* findKind(const JsonCursor& at) {
  const auto type = at.member("type");
  if (!type) {
    at.error("a shape needs \"type\"");
    return nullptr;
  }
  std::string name;
  if (!type->text(name)) return nullptr;
  std::vector<std::string> names;
  for (const ShapeKind& kind : kShapeKinds) {
    if (kind.name == name) return &kind;
    names.emplace_back(kind.name);
  }
  type->error(fmt::format("unknown type of shape \"{}\"; {}", name, didYouMean(name, names)));
  return nullptr;
}

std::optional<Shape> readShapeObject(const JsonCursor& at, SceneContext& context) {
  if (!at.isObject()) {
    at.error("must be the name of a shape or an object, got " + at.describe());
    return std::nullopt;
  }
  const ShapeKind* kind = findKind(at);
  if (kind == nullptr) return std::nullopt;
  try {
    ObjectReader in(at, kind->name, kind->help);
    in.type("shape");
    std::optional<Shape> shape = kind->read(in, context);
    if (!shape || !in.clean()) return std::nullopt;
    checkShape(*shape);
    return shape;
  } catch (const InputError& error) {
    at.error(error.what());
    return std::nullopt;
  }
}

CompoundChild readChild(const JsonCursor& at, SceneContext& context) {
  CompoundChild child;
  ObjectReader in(at, "child", "a part of a compound");
  child.pose = readPose(in);
  if (const auto part = in.child("shape", KeyType::of("shape"), kRequired)) {
    if (auto shape = readShapeObject(*part, context)) child.shape = std::move(*shape);
  }
  return child;
}

std::optional<Shape> readCompound(ObjectReader& in, SceneContext& context) {
  Compound compound;
  in.list(
      {"children", "the parts"}, KeyType::listOf("child"),
      [&](const JsonCursor& at) { compound.children.push_back(readChild(at, context)); },
      kRequired);
  return compound;
}

}  // namespace

std::vector<std::string_view> shapeTypes() {
  std::vector<std::string_view> types;
  for (const ShapeKind& kind : kShapeKinds) types.push_back(kind.name);
  return types;
}

void readNamedShape(const std::string& name, const JsonCursor& at, SceneContext& context) {
  // A name is known even when its shape is wrong, so that one error is not reported as many.
  context.shapes[name] = static_cast<int>(context.scene.shapes.size());
  context.scene.shapes.push_back({name, readShapeObject(at, context).value_or(Sphere{})});
}

std::optional<Shape> readShape(const JsonCursor& at, SceneContext& context) {
  if (!at.isString()) return readShapeObject(at, context);
  const int index = resolveName(at, "shape", context.shapes);
  if (index < 0) return std::nullopt;
  return context.scene.shapes[static_cast<std::size_t>(index)].shape;
}

}  // namespace drystone
