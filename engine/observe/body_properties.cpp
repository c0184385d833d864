#include "engine/observe/body_properties.h"

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "engine/observe/property_streams.h"

namespace drystone {
namespace {

/// All but the shape.
void walkProperties(auto& stream, auto& body) {
  stream.value(body.kind);
  stream.value(body.density);
  walkOptional(stream, body.mass, [&](auto& mass) {
    stream.value(mass.mass);
    vector(stream, mass.centerOfMass);
    vector(stream, mass.inertia);
  });
  stream.value(body.material);
  walkList(stream, body.partMaterials, [&](auto& material) { stream.value(material); });
  stream.value(body.filter.group);
  stream.value(body.filter.mask);
  walkList(stream, body.motion, [&](auto& key) {
    stream.value(key.time);
    vector(stream, key.linear);
    vector(stream, key.angular);
  });
  walkList(stream, body.forces, [&](auto& key) {
    stream.value(key.time);
    vector(stream, key.force);
    vector(stream, key.torque);
  });
  walkList(stream, body.adhesion, [&](auto& key) {
    stream.value(key.time);
    stream.value(key.force);
  });
  vector(stream, body.surfaceVelocity);
  stream.value(body.isSensor);
  stream.value(body.allowSleep);
  stream.value(body.linearDamping);
  stream.value(body.angularDamping);
  stream.value(body.gravityScale);
  for (int i = 0; i < 3; ++i) {
    stream.value(body.lockedAxes.translation[i]);
    stream.value(body.lockedAxes.rotation[i]);
  }
}

/// The data that shapes share, made anew where they are read.
template <class Stream, class Data, class Walk>
void walkShared(std::shared_ptr<const Data>& data, Walk&& walk) {
  Data copy;
  if constexpr (!Stream::kReads) copy = *data;
  walk(copy);
  if constexpr (Stream::kReads) data = std::make_shared<const Data>(std::move(copy));
}

void pairs(auto& stream, auto& list) {
  walkList(stream, list, [&](auto& pair) {
    stream.value(pair.first);
    stream.value(pair.second);
  });
}

void vectors(auto& stream, auto& list) {
  walkList(stream, list, [&](auto& v) { vector(stream, v); });
}

/// A copy is walked, since visitors may write.
template <class Stream>
void walkShape(Stream& stream, Shape& shape) {
  std::uint8_t kind = static_cast<std::uint8_t>(shape.index());
  stream.value(kind);
  if constexpr (Stream::kReads) {
    if (kind >= shapeKinds().size()) throw InputError("saved world: a kind of shape is damaged");
    shape = shapeKinds()[kind];
  }
  FieldStream<Stream> fields(stream);
  visitFields(shape, fields);
  if (auto* hull = std::get_if<ConvexHull>(&shape)) {
    walkShared<Stream>(hull->data, [&](HullData& data) {
      vectors(stream, data.vertices);
      walkList(stream, data.faces, [&](auto& face) {
        walkList(stream, face, [&](auto& vertex) { stream.value(vertex); });
      });
      vectors(stream, data.faceNormals);
      pairs(stream, data.edges);
      pairs(stream, data.edgeFaces);
    });
  } else if (auto* mesh = std::get_if<TriangleMesh>(&shape)) {
    walkShared<Stream>(mesh->data, [&](MeshData& data) {
      vectors(stream, data.vertices);
      walkList(stream, data.triangles, [&](auto& triangle) { stream.value(triangle); });
    });
  } else if (auto* field = std::get_if<Heightfield>(&shape)) {
    walkShared<Stream>(field->data, [&](HeightfieldData& data) {
      stream.value(data.columns);
      stream.value(data.rows);
      stream.value(data.spacingX);
      stream.value(data.spacingY);
      walkList(stream, data.heights, [&](auto& height) { stream.value(height); });
    });
  } else if (auto* compound = std::get_if<Compound>(&shape)) {
    walkList(stream, compound->children, [&](CompoundChild& child) {
      walkShape(stream, child.shape);
      walkPose(stream, child.pose);
    });
  }
}

void walkOptionalShape(auto& stream, std::optional<Shape>& shape) {
  walkOptional(stream, shape, [&](Shape& one) { walkShape(stream, one); });
}

}  // namespace

void writeProperties(const BodyRecord& record, StateWriter& writer) {
  const SavedProperties properties = propertiesOf(record);
  writer.values(properties.bytes.data(), static_cast<int>(properties.bytes.size()));
  writer.value(properties.hasAddedShape);
  if (properties.hasAddedShape) return;
  writer.values(properties.shapeBytes.data(), static_cast<int>(properties.shapeBytes.size()));
}

void readProperties(StateReader& reader, SavedProperties& properties) {
  const auto taken = [&](auto&& read) {
    const std::span<const std::byte> before = reader.rest();
    read();
    const auto part = before.first(before.size() - reader.rest().size());
    return std::vector<std::byte>(part.begin(), part.end());
  };
  properties.bytes = taken([&] { walkProperties(reader, properties.definition); });
  reader.value(properties.hasAddedShape);
  if (properties.hasAddedShape) return;
  properties.shapeBytes = taken([&] { walkOptionalShape(reader, properties.definition.shape); });
}

SavedProperties propertiesOf(const BodyRecord& record) {
  SavedProperties properties;
  properties.hasAddedShape = record.addedShape == nullptr;
  StateWriter writer;
  walkProperties(writer, record);
  properties.bytes = std::move(writer.bytes());
  if (properties.hasAddedShape) return properties;
  StateWriter shapeWriter;
  std::optional<Shape> shape = record.shape;
  walkOptionalShape(shapeWriter, shape);
  properties.shapeBytes = std::move(shapeWriter.bytes());
  return properties;
}

}  // namespace drystone
