#include <fmt/format.h>

#include <cmath>

#include "collision/shape/shape_operations.h"
#include "core/input_error.h"

namespace drystone {
namespace {
namespace compound {

const std::vector<CompoundChild>& childrenOf(const Shape& shape) {
  return std::get<Compound>(shape).children;
}

void check(const Shape& shape, std::vector<std::string>& problems) {
  const std::vector<CompoundChild>& children = childrenOf(shape);
  if (children.empty()) problems.emplace_back("compound: has no children; give at least one");
  for (std::size_t i = 0; i < children.size(); ++i) {
    const CompoundChild& child = children[i];
    std::vector<std::string> childProblems = {
        "compounds do not nest; list its children here instead"};
    if (!std::holds_alternative<Compound>(child.shape)) childProblems = shapeProblems(child.shape);
    // 1e-9 lets pass what normalising in double or printing twelve digits leaves.
    const bool unit = std::abs(child.pose.rotation.coeffs().norm() - 1) <= 1e-9;
    if (!child.pose.position.allFinite() || !unit) {
      childProblems.emplace_back("pose must have a finite position and a unit quaternion");
    } else if (child.pose.position.cwiseAbs().maxCoeff() > kLargestInput) {
      childProblems.push_back(fmt::format("position must be within ±{:g} m, got {:g}",
                                          kLargestInput,
                                          child.pose.position.cwiseAbs().maxCoeff()));
    }
    for (const std::string& problem : childProblems) {
      problems.push_back(fmt::format("compound: children[{}]: {}", i, problem));
    }
  }
}

void hashData(const Shape& shape, Hasher& hasher) {
  for (const CompoundChild& child : childrenOf(shape)) {
    hasher.bytes(child.pose.position.data(), 3 * sizeof(Real));
    hasher.bytes(child.pose.rotation.coeffs().data(), 4 * sizeof(Real));
    addShape(hasher, child.shape);
  }
}

/// Inertia of a point of unit mass at `offset` about the origin (parallel-axis theorem).
Mat3 pointInertia(const Vec3& offset) {
  return offset.squaredNorm() * Mat3::Identity() - offset * offset.transpose();
}

MassProperties massOf(const Shape& shape, Real density) {
  const std::vector<CompoundChild>& children = childrenOf(shape);
  std::vector<MassProperties> parts;
  MassProperties total;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const CompoundChild& child = children[i];
    try {
      parts.push_back(massProperties(child.shape, density));
    } catch (const InputError& error) {
      throw InputError(fmt::format("compound: children[{}]: {}", i, error.what()));
    }
    MassProperties& part = parts.back();
    const Mat3 rotation = child.pose.rotation.toRotationMatrix();
    part.centerOfMass = child.pose * part.centerOfMass;
    part.inertia = rotation * part.inertia * rotation.transpose();
    total.mass += part.mass;
    total.centerOfMass += part.mass * part.centerOfMass;
  }
  total.centerOfMass /= total.mass;
  for (const MassProperties& part : parts) {
    total.inertia +=
        part.inertia + part.mass * pointInertia(part.centerOfMass - total.centerOfMass);
  }
  total.inertia = (total.inertia + total.inertia.transpose()).eval() / 2;
  return total;
}

std::optional<Bounds> bounds(const Shape& shape) {
  std::optional<Bounds> all;
  for (const CompoundChild& child : childrenOf(shape)) {
    const std::optional<Bounds> one = placedBounds(child.shape, child.pose);
    if (!one) return std::nullopt;
    if (!all) all = one;
    all->merge(*one);
  }
  return all;
}

}  // namespace compound
}  // namespace

const ShapeOperations Compound::operations = {
    .name = "compound",
    .help = "several shapes as one; compounds do not nest",
    .check = compound::check,
    .hashData = compound::hashData,
    .massProperties = compound::massOf,
    .bounds = compound::bounds,
};

}  // namespace drystone
