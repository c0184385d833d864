#include "engine/observe/body_properties.h"

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "core/field_visitor.h"

namespace drystone {
namespace {

void optional(auto& stream, auto& value, auto&& walk) {
  bool has = value.has_value();
  stream.value(has);
  if constexpr (std::remove_reference_t<decltype(stream)>::kReads) {
    if (has) value.emplace();
    if (!has) value.reset();
  }
  if (has) walk(*value);
}

void matrix(auto& stream, auto& values) {
  stream.values(values.data(), static_cast<int>(values.size()));
}

void pose(auto& stream, auto& pose) {
  matrix(stream, pose.position);
  auto&& rotation = pose.rotation.coeffs();
  matrix(stream, rotation);
}

/// All but the shape.
void walkProperties(auto& stream, auto& body) {
  stream.value(body.kind);
  stream.value(body.density);
  optional(stream, body.mass, [&](auto& mass) {
    stream.value(mass.mass);
    matrix(stream, mass.centerOfMass);
    matrix(stream, mass.inertia);
  });
  stream.value(body.material);
  stream.value(body.filter.group);
  stream.value(body.filter.mask);
  walkList(stream, body.motion, [&](auto& key) {
    stream.value(key.time);
    matrix(stream, key.linear);
    matrix(stream, key.angular);
  });
  walkList(stream, body.forces, [&](auto& key) {
    stream.value(key.time);
    matrix(stream, key.force);
    matrix(stream, key.torque);
  });
  matrix(stream, body.surfaceVelocity);
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

/// Walks the numbers of a shape.
template <class Stream>
class FieldStream : public FieldVisitor {
 public:
  explicit FieldStream(Stream& stream) : stream_(stream) {}

  using FieldVisitor::part;
  void real(const SettingInfo&, Real& value, Real, Real) override { stream_.value(value); }
  void optional(const SettingInfo&, std::optional<Real>& value, Real, Real) override {
    drystone::optional(stream_, value, [&](auto& one) { stream_.value(one); });
  }
  void integer(const SettingInfo&, int& value, int, int) override { stream_.value(value); }
  void boolean(const SettingInfo&, bool& value) override { stream_.value(value); }
  void choice(const SettingInfo&, int& value, std::span<const std::string_view>) override {
    stream_.value(value);
  }
  void vector(const SettingInfo&, Vec3& value, Real, Real) override { matrix(stream_, value); }
  void part(const SettingInfo&, const VisitPart& visit) override { visit(*this, false); }

 private:
  Stream& stream_;
};

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
  walkList(stream, list, [&](auto& v) { matrix(stream, v); });
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
      pose(stream, child.pose);
    });
  }
}

void walkOptionalShape(auto& stream, std::optional<Shape>& shape) {
  optional(stream, shape, [&](Shape& one) { walkShape(stream, one); });
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
