// Shapes: the section `shapes`, and those given in place. The fields of a kind say what it is read
// from; kinds that take more than fields have a reader here.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "core/input_error.h"
#include "scenes/reading/scene_context.h"

namespace drystone {
namespace {

std::optional<Shape> readBox(ObjectReader& in, SceneContext&) {
  Shape shape = Box{};
  FieldReader reader(in, kNoDefault);  // one of two keys stands for both
  visitFields(shape, reader);
  Vec3 full;
  if (in.vector({"size", "full lengths; or half_extents"}, full, positive("m", kLargestShapeSize),
                kNoDefault))
    shape = Box{full / 2};
  in.atLeastOne({"half_extents", "size"});
  in.atMostOne({"half_extents", "size"});
  return shape;
}

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

std::vector<Vec3> readPoints(ObjectReader& in, const Key& key) {
  std::vector<Vec3> points;
  in.list(key, KeyType::listOf("vector", "m"), [&](const JsonCursor& at) {
    Vec3 point;
    if (at.vector(point, within(-kLargestShapeSize, kLargestShapeSize, "m")))
      points.push_back(point);
  });
  return points;
}

Vec3 readScale(ObjectReader& in) {
  Vec3 scale = Vec3::Ones();
  in.vector({"scale", "factor per axis"}, scale, positive("", kLargestShapeSize));
  return scale;
}

std::optional<Shape> readHull(ObjectReader& in, SceneContext& context) {
  const Vec3 scale = readScale(in);
  std::vector<Vec3> points = readPoints(in, {"points", "whose hull it is"});
  if (auto vertices = readObjFile(in, context, &parseObjVertices)) points = std::move(*vertices);
  for (Vec3& point : points) point = point.cwiseProduct(scale);
  in.atLeastOne({"points", "file"});
  in.atMostOne({"points", "file"});
  if (!in.clean()) return std::nullopt;
  return makeHull(points);
}

/// Each of three numbers of vertices.
std::vector<std::array<int, 3>> readTriangles(ObjectReader& in, int vertices) {
  std::vector<std::array<int, 3>> triangles;
  in.list({"triangles", "three numbers of vertices each, which count from 0"},
          KeyType::listOf("triangle"), [&](const JsonCursor& at) {
            std::array<int, 3>& corners = triangles.emplace_back();
            if (!at.isArray() || at.size() != 3) {
              at.error("must be three numbers of vertices, got " + at.describe());
              return;
            }
            for (int i = 0; i < 3; ++i) at.element(i).integer(corners[i], 0, vertices - 1);
          });
  return triangles;
}

std::optional<Shape> readMesh(ObjectReader& in, SceneContext& context) {
  const Vec3 scale = readScale(in);
  MeshData given{.vertices = readPoints(in, {"vertices", "its corners, where it is no file"})};
  given.triangles = readTriangles(in, static_cast<int>(given.vertices.size()));
  std::optional<MeshData> mesh = readObjFile(in, context, &parseObj);
  in.atLeastOne({"file", "vertices"});
  in.atMostOne({"file", "vertices"});
  if (!mesh) mesh = std::move(given);
  if (!in.clean()) return std::nullopt;
  for (Vec3& vertex : mesh->vertices) vertex = vertex.cwiseProduct(scale);
  return TriangleMesh{std::make_shared<MeshData>(std::move(*mesh))};
}

std::optional<Shape> readHeightfield(ObjectReader& in, SceneContext&) {
  constexpr int kMostSamples = 1 << 14;
  auto field = std::make_shared<HeightfieldData>();
  std::vector<Real> spacing;
  in.integer({"columns", "samples along x"}, field->columns, 2, kMostSamples, kRequired);
  in.integer({"rows", "samples along y"}, field->rows, 2, kMostSamples, kRequired);
  if (in.reals({"spacing", "along x and y"}, spacing, 2, 2, positive("m", kLargestShapeSize),
               kRequired)) {
    field->spacingX = spacing[0];
    field->spacingY = spacing[1];
  }
  const int samples = field->columns * field->rows;
  if (in.reals({"heights", "columns × rows heights, x fastest"}, field->heights, 0,
               std::numeric_limits<int>::max(), within(-kLargestShapeSize, kLargestShapeSize, "m"),
               kRequired) &&
      in.clean() && static_cast<int>(field->heights.size()) != samples) {
    in.at().member("heights")->error(fmt::format("must hold columns x rows = {} numbers, got {}",
                                                 samples, field->heights.size()));
  }
  if (!in.clean()) return std::nullopt;
  return Heightfield{field};
}

std::optional<Shape> readCompound(ObjectReader& in, SceneContext& context);

/// A shape that is made of its fields alone.
std::optional<Shape> readFields(Shape shape, ObjectReader& in) {
  FieldReader reader(in, kRequired);
  visitFields(shape, reader);
  return shape;
}

struct ShapeReader {
  std::string_view name;
  std::optional<Shape> (*read)(ObjectReader&, SceneContext&);
};
constexpr ShapeReader kShapeReaders[] = {{"box", readBox},
                                         {"hull", readHull},
                                         {"mesh", readMesh},
                                         {"heightfield", readHeightfield},
                                         {"compound", readCompound}};

std::optional<Shape> readKind(const Shape& kind, ObjectReader& in, SceneContext& context) {
  const auto reader = std::ranges::find(kShapeReaders, shapeName(kind), &ShapeReader::name);
  return reader != std::end(kShapeReaders) ? reader->read(in, context) : readFields(kind, in);
}

std::optional<Shape> readShapeObject(const JsonCursor& at, SceneContext& context) {
  if (!at.isObject()) {
    at.error("must be the name of a shape or an object, got " + at.describe());
    return std::nullopt;
  }
  std::vector<std::string_view> names;
  for (const Shape& kind : shapeKinds()) names.push_back(shapeName(kind));
  const ObjectType type = readType(at, "shape", names);
  const Shape& kind = shapeKinds()[static_cast<std::size_t>(type.index)];
  try {
    ObjectReader in(at, shapeName(kind), shapeHelp(kind));
    if (type.isGuess) in.guess();
    in.type("shape");
    std::optional<Shape> shape = readKind(kind, in, context);
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
