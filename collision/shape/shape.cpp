#include "collision/shape/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "collision/shape/shape_operations.h"
#include "core/field_checks.h"
#include "core/field_hasher.h"
#include "core/input_error.h"

namespace drystone {
namespace {

template <class... Kinds>
constexpr auto tableOf(std::type_identity<std::variant<Kinds...>>) {
  return std::array{&Kinds::operations...};
}

template <class... Kinds>
std::vector<Shape> oneOfEach(std::type_identity<std::variant<Kinds...>>) {
  return {Kinds{}...};
}

}  // namespace

constinit const std::array<const ShapeOperations*, std::variant_size_v<Shape>> kShapeOperations =
    tableOf(std::type_identity<Shape>{});
static_assert(std::is_same_v<Compound, std::variant_alternative_t<
                                           static_cast<std::size_t>(ShapeKind::kCompound), Shape>>);

const std::vector<Shape>& shapeKinds() {
  static const std::vector<Shape> kinds = oneOfEach(std::type_identity<Shape>{});
  return kinds;
}

std::string_view shapeName(const Shape& shape) { return operationsOf(shape).name; }

std::string_view shapeHelp(const Shape& shape) { return operationsOf(shape).help; }

void visitFields(Shape& shape, FieldVisitor& visitor) {
  if (const auto visit = operationsOf(shape).visitFields) visit(shape, visitor);
}

std::vector<std::string> shapeProblems(const Shape& shape) {
  std::vector<std::string> problems = fieldProblems(shapeName(shape), shape);
  if (const auto check = operationsOf(shape).check) check(shape, problems);
  return problems;
}

void checkShape(const Shape& shape) {
  std::vector<std::string> problems = shapeProblems(shape);
  if (!problems.empty()) throw InputError(std::move(problems));
}

void requireBounded(const std::vector<Vec3>& points, std::string_view what,
                    std::vector<std::string>& problems) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if ((points[i].array().abs() <= kLargestShapeSize).all()) continue;
    problems.push_back(fmt::format("{}[{}] must be within ±{:g} m, got ({}, {}, {})", what, i,
                                   kLargestShapeSize, points[i].x(), points[i].y(), points[i].z()));
  }
}

void addShape(Hasher& hasher, const Shape& shape) {
  hasher.add(shape.index());
  addFields(hasher, shape);
  if (const auto hashData = operationsOf(shape).hashData) hashData(shape, hasher);
}

bool isStaticOnly(const Shape& shape) {
  if (const auto* compound = std::get_if<Compound>(&shape)) {
    return std::ranges::any_of(
        compound->children, [](const CompoundChild& child) { return isStaticOnly(child.shape); });
  }
  return operationsOf(shape).massProperties == nullptr;
}

MassProperties massProperties(const Shape& shape, Real density) {
  checkShape(shape);
  if (!(density > 0) || !std::isfinite(density)) {
    throw InputError(fmt::format("density must be finite and > 0 kg/m³, got {}", density));
  }
  const auto propertiesOf = operationsOf(shape).massProperties;
  if (propertiesOf == nullptr) {
    throw InputError(fmt::format(
        "{}: encloses no volume, so it has no mass; use it on a static body, or give the mass and "
        "inertia",
        shapeName(shape)));
  }
  return propertiesOf(shape, density);
}

MassProperties massOf(const Shape& shape, Real mass) {
  if (!(mass > 0) || !std::isfinite(mass)) {
    throw InputError(fmt::format("mass must be finite and > 0 kg, got {}", mass));
  }
  MassProperties properties = massProperties(shape, 1);
  properties.inertia *= mass / properties.mass;
  properties.mass = mass;
  return properties;
}

Bounds boundsOfPoints(const std::vector<Vec3>& points) {
  Bounds bounds{points.front(), points.front()};
  for (const Vec3& point : points) bounds.merge({point, point});
  return bounds;
}

std::optional<Bounds> shapeBounds(const Shape& shape) {
  const auto boundsOf = operationsOf(shape).bounds;
  return boundsOf != nullptr ? boundsOf(shape) : std::nullopt;
}

Bounds placedBounds(const Bounds& local, const Pose& pose, bool turns) {
  const Vec3 half = 0.5 * (local.upper - local.lower);
  const Vec3 center = pose * (0.5 * (local.lower + local.upper));
  const Vec3 reach = turns ? Vec3(pose.rotation.toRotationMatrix().cwiseAbs() * half) : half;
  return {center - reach, center + reach};
}

std::optional<Bounds> placedBounds(const Shape& shape, const Pose& pose) {
  const std::optional<Bounds> local = shapeBounds(shape);
  if (!local) return std::nullopt;
  return placedBounds(*local, pose, !std::holds_alternative<Sphere>(shape));
}

Vec3 support(const PlacedShape& shape, const Vec3& direction, bool coreOnly) {
  const Vec3 local = shape.rotation.transpose() * direction;
  Vec3 point = operationsOf(shape.kind).support(shape, local);
  if (!coreOnly && shape.coreRadius > 0) point += shape.coreRadius * local.normalized();
  return shape.rotation * point;
}

Real thickness(const PlacedShape& a, const PlacedShape& b) {
  const auto ownThickness = [](const PlacedShape& shape) {
    const auto thicknessOf = operationsOf(shape.kind).thickness;
    return thicknessOf != nullptr ? thicknessOf(shape) : 1e300;
  };
  return std::min(ownThickness(a), ownThickness(b));
}

}  // namespace drystone
