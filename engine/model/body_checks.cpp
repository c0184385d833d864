// What is wrong with the definition of a body, all of it together.
#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "collision/shape/shape.h"
#include "core/field_visitor.h"
#include "core/input_error.h"
#include "core/wording.h"
#include "engine/model/argument_checks.h"
#include "engine/model/body_store.h"

namespace drystone {
namespace {

/// Parts that may have a material each: children, else triangles; 0 of other shapes.
std::size_t materialParts(const Shape& shape) {
  if (const auto* compound = std::get_if<Compound>(&shape)) return compound->children.size();
  if (const auto* mesh = std::get_if<TriangleMesh>(&shape)) return mesh->data->triangles.size();
  const auto* field = std::get_if<Heightfield>(&shape);
  if (field == nullptr) return 0;
  return 2 * static_cast<std::size_t>(field->data->columns - 1) *
         static_cast<std::size_t>(field->data->rows - 1);
}

std::string countedParts(const Shape& shape) {
  const auto count = static_cast<std::int64_t>(materialParts(shape));
  return std::holds_alternative<Compound>(shape) ? counted(count, "child", "children")
                                                 : counted(count, "triangle");
}

/// Where the inertia was left out.
std::string_view inertiaRemedy(const BodyDefinition& definition) {
  if (!definition.mass->inertia.isZero(0)) return "";
  return definition.shape
             ? "; it was left out: massOf(shape, mass) gives that of the shape with the mass"
             : "; it was left out: without a shape give it, in kg m² about the centre of mass";
}

/// Throws InputError where the mass of a shape is none to compute with: numbers that are each in
/// range may make one whose reciprocal is none, or moments that round-off takes below 0.
void checkShapeMass(const std::string& name, const Shape& shape, Real density) {
  const MassProperties mass = massProperties(shape, density);
  const auto [moments, rotation] = principalInertia(mass.inertia);
  const bool isFinite = std::isfinite(mass.mass) && mass.centerOfMass.allFinite() &&
                        moments.allFinite() && rotation.coeffs().allFinite();
  if (isFinite && mass.mass >= kSmallestPositiveInput && moments.minCoeff() > 0) return;
  throw InputError(fmt::format(
      "body '{}': its shape, a {}, and its density of {:g} kg/m^3 make a mass of {:g} kg with "
      "principal moments of {:g}, {:g} and {:g} kg m^2, which must be finite, ≥ {:g} kg and > 0 "
      "kg m^2: give `mass`, or sizes and a density that are nearer to each other",
      name, shapeName(shape), density, mass.mass, moments[0], moments[1], moments[2],
      kSmallestPositiveInput));
}

}  // namespace

std::string partMaterialsProblem(const std::optional<Shape>& shape, std::size_t given) {
  const std::size_t parts = shape ? materialParts(*shape) : 0;
  if (parts == 0) {
    return fmt::format(
        "{} has no parts: give one material for all of it instead; only the children of a "
        "compound and the triangles of a mesh or height field are parts",
        shape ? fmt::format("the shape \"{}\"", shapeName(*shape)) : "a body without a shape");
  }
  if (given == parts) return "";
  return fmt::format("{} for {}: give one for each, in their order",
                     counted(static_cast<std::int64_t>(given), "material"), countedParts(*shape));
}

void checkForces(const std::string& name, BodyKind kind, const std::vector<ForceKey>& forces,
                 std::vector<std::string>& problems) {
  const auto require = [&](bool ok, std::string_view rule) {
    if (!ok) problems.push_back(fmt::format("body '{}': {}", name, rule));
  };
  require(forces.empty() || kind == BodyKind::kDynamic, "only a dynamic body takes forces");
  for (const ForceKey& key : forces) {
    require(std::isfinite(key.time) && key.force.allFinite() && key.torque.allFinite(),
            "times, forces and torques of a schedule must be finite");
  }
  for (std::size_t key = 1; key < forces.size(); ++key) {
    require(forces[key].time > forces[key - 1].time, "the times of forces must ascend");
  }
}

void BodyStore::check(const BodyDefinition& definition, int index) {
  const std::string name =
      definition.name.empty() ? fmt::format("body_{}", index) : definition.name;
  std::vector<std::string> problems;
  // Words are made where they are needed: worlds of many bodies are built in a loop.
  const auto require = [&]<class... Values>(bool ok, fmt::format_string<const Values&...> rule,
                                            const Values&... values) {
    if (!ok) problems.push_back(fmt::format("body '{}': {}", name, fmt::format(rule, values...)));
  };
  const auto requireBounded = [&](std::string_view what, const Vec3& value, std::string_view unit) {
    require(value.allFinite(), "{} must be finite", what);
    const Real largest = value.cwiseAbs().maxCoeff();
    require(!value.allFinite() || largest <= kLargestInput, "{} must be within ±{:g}{}{}, got {:g}",
            what, kLargestInput, unit.empty() ? "" : " ", unit, largest);
  };
  // With a reciprocal that is a number.
  const auto requirePositive = [&](std::string_view what, Real value, std::string_view unit) {
    require(std::isfinite(value) && value > 0, "{} must be > 0 {}, got {}", what, unit, value);
    require(!(value > kLargestInput), "{} must be ≤ {:g} {}, got {:g}", what, kLargestInput, unit,
            value);
    require(!(value > 0) || value >= kSmallestPositiveInput, "{} must be ≥ {:g} {}, got {:g}", what,
            kSmallestPositiveInput, unit, value);
  };
  require(definition.kind <= BodyKind::kKinematic, "kind must be one of BodyKind, got {}",
          static_cast<int>(definition.kind));
  requireBounded("position", definition.pose.position, "m");
  require(std::abs(definition.pose.rotation.norm() - 1) < 1e-3,
          "rotation must be a unit quaternion");
  requireBounded("linear velocity", definition.linearVelocity, "m/s");
  requireBounded("angular velocity", definition.angularVelocity, "rad/s");
  requireBounded("surface velocity", definition.surfaceVelocity, "m/s");
  require(definition.shape || !definition.isSensor, "a sensor needs a shape");
  const bool dynamic = definition.kind == BodyKind::kDynamic;
  if (dynamic) {
    require(definition.shape || definition.mass, "needs a mass when it has no shape");
    require(!definition.shape || !isStaticOnly(*definition.shape),
            "planes, meshes and heightfields are for static bodies; make it static or use a hull");
    if (definition.mass) {
      const MassProperties& mass = *definition.mass;
      requirePositive("mass", mass.mass, "kg");
      const std::string problem = inertiaProblem(mass.inertia);
      require(problem.empty(), "inertia: {}{}", problem, inertiaRemedy(definition));
      // Symmetric to round-off of its own size.
      require((mass.inertia - mass.inertia.transpose()).cwiseAbs().maxCoeff() <=
                  1e-9 * mass.inertia.cwiseAbs().maxCoeff(),
              "inertia must be symmetric");
      requireBounded("centre of mass", mass.centerOfMass, "m");
    } else {
      requirePositive("density", definition.density, "kg/m^3");
    }
  } else {
    require(definition.kind == BodyKind::kKinematic ||
                (definition.linearVelocity.isZero() && definition.angularVelocity.isZero()),
            "a static body has no velocity; make it kinematic");
  }
  require(definition.motion.empty() || definition.kind == BodyKind::kKinematic,
          "only a kinematic body follows a motion");
  for (const VelocityKey& key : definition.motion) {
    require(std::isfinite(key.time) && key.linear.allFinite() && key.angular.allFinite(),
            "times and velocities of a motion must be finite");
    requireBounded("velocity of a motion", key.linear, "m/s");
    requireBounded("angular velocity of a motion", key.angular, "rad/s");
  }
  for (std::size_t key = 1; key < definition.motion.size(); ++key) {
    require(definition.motion[key].time > definition.motion[key - 1].time,
            "the times of a motion must ascend");
  }
  checkForces(name, definition.kind, definition.forces, problems);
  require(definition.adhesion.empty() || (definition.shape && !definition.isSensor),
          "adhesion pulls at contacts: it needs a shape, and not that of a sensor");
  for (std::size_t key = 0; key < definition.adhesion.size(); ++key) {
    const auto [time, force] = definition.adhesion[key];
    require(std::isfinite(time), "the times of adhesion must be finite");
    require(force >= 0 && force <= kLargestInput, "adhesion must be within 0 and {:g} N, got {:g}",
            kLargestInput, force);
    require(key == 0 || time > definition.adhesion[key - 1].time,
            "the times of adhesion must ascend");
  }
  const auto requireDamping = [&](std::string_view which, Real rate) {
    require(std::isfinite(rate) && rate >= 0, "{} damping must be finite and >= 0 1/s, got {}",
            which, rate);
  };
  requireDamping("linear", definition.linearDamping);
  requireDamping("angular", definition.angularDamping);
  requireBounded("gravity scale", Vec3(definition.gravityScale, 0, 0), "");
  if (!definition.partMaterials.empty()) {
    const std::string problem =
        partMaterialsProblem(definition.shape, definition.partMaterials.size());
    require(problem.empty(), "part materials: {}", problem);
  }
  if (!problems.empty()) throw InputError(problems);
  if (definition.shape) checkShape(*definition.shape);
  if (dynamic && !definition.mass) checkShapeMass(name, *definition.shape, definition.density);
}

}  // namespace drystone
