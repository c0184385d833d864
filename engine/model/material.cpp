#include "engine/model/material.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/field_checks.h"
#include "core/input_error.h"

namespace drystone {
namespace {

/// Throws with what is out of range and with the contradictions.
void checkMaterial(const Material& material, std::vector<std::string> contradictions) {
  std::vector<std::string> problems = fieldProblems("material", material);
  for (const std::string& one : contradictions) problems.push_back("material: " + one);
  if (!problems.empty()) throw InputError(problems);
}

std::optional<Real> largerCompliance(const std::optional<Real>& a, const std::optional<Real>& b) {
  if (a && b) return std::max(*a, *b);
  return a ? a : b;
}

bool hasGrain(const Material& material) {
  return material.frictionAcross.value_or(material.friction) != material.friction;
}

/// Geometric mean over the directions.
Real meanFriction(const Material& material) {
  if (!hasGrain(material)) return material.friction;
  return std::sqrt(material.friction) * std::sqrt(*material.frictionAcross);
}

/// `share` of the pair's logarithm is the material's.
FrictionGrain grainOf(const Material& material, Real share) {
  FrictionGrain grain;
  if (!hasGrain(material)) return grain;
  grain.stretch = share * 0.5 * std::log(material.friction / *material.frictionAcross);
  grain.direction = material.frictionDirection.stableNormalized();
  return grain;
}

constexpr int kMostContactPoints = 1'000'000;

}  // namespace

std::optional<ContactSpring> springOf(const Material& material) {
  const Real damping = material.damping.value_or(0);
  if (material.stiffness) return ContactSpring{*material.stiffness, damping};
  if (!material.youngsModulus || !material.contactArea) return std::nullopt;
  const Real patch =
      patchStiffness(*material.youngsModulus, material.poissonsRatio, *material.contactArea);
  return ContactSpring{patch / material.contactPoints, damping};
}

void visitFields(Material& material, FieldVisitor& visitor) {
  visitor.notNegative(
      {"friction", "", "coefficient of friction, along friction_direction where it has one"},
      material.friction);
  visitor.optional({"friction_across", "", "coefficient of friction square to friction_direction"},
                   material.frictionAcross, kSmallestPositiveInput, kLargestInput);
  visitor.vector({"friction_direction", "", "where friction_across is given, in the body's frame"},
                 material.frictionDirection, -kLargestInput, kLargestInput);
  visitor.real({"restitution", "", "coefficient of restitution along the normal"},
               material.restitution, 0, 1);
  visitor.real({"tangential_restitution", "", "coefficient of restitution along the tangents"},
               material.tangentialRestitution, -1, 1);
  visitor.optional({"compliance", "1/kg", "of the contact rows; without it the world's"},
                   material.compliance, 0, kLargestInput);
  visitor.optional({"stiffness", "N/m", "of each contact point; without it contacts are rigid"},
                   material.stiffness, kSmallestPositiveInput, kLargestInput);
  visitor.optional({"damping", "N s/m", "of each contact point, with stiffness or youngs_modulus"},
                   material.damping, 0, kLargestInput);
  visitor.optional({"youngs_modulus", "Pa", "with contact_area, in place of stiffness"},
                   material.youngsModulus, kSmallestPositiveInput, kLargestInput);
  visitor.real({"poissons_ratio", "", "with youngs_modulus"}, material.poissonsRatio, 0, 0.5);
  visitor.optional({"contact_area", "m²", "area that two bodies touch with, for youngs_modulus"},
                   material.contactArea, kSmallestPositiveInput, kLargestInput);
  visitor.integer({"contact_points", "", "contact points that share contact_area alike"},
                  material.contactPoints, 1, kMostContactPoints);
  visitor.positive({"contensou_radius", "m", "effective contact radius of the contensou model"},
                   material.contensouRadius);
  visitor.notNegative({"rolling_resistance", "m",
                       "arm of the normal force that a roll must overcome, of the rolling model"},
                      material.rollingResistance);
  visitor.notNegative(
      {"adhesion", "N",
       "pull of two bodies that touch on each other, shared by their contact points"},
      material.adhesion);
}

std::vector<std::string> springContradictions(const Material& material) {
  std::vector<std::string> problems;
  const bool isElastic = material.youngsModulus.has_value();
  const bool isSpring = isElastic || material.stiffness;
  if (isElastic && material.stiffness) {
    problems.emplace_back("give stiffness, or youngs_modulus with contact_area, not both");
  }
  if (isElastic && !material.contactArea) {
    problems.emplace_back("youngs_modulus needs contact_area, the area that bodies touch with");
  }
  if (material.contactArea && !isElastic) {
    problems.emplace_back("contact_area goes with youngs_modulus, which is not given");
  }
  if (material.damping && !isSpring) {
    problems.emplace_back("damping goes with stiffness or youngs_modulus; neither is given");
  }
  if (isSpring && material.compliance) {
    problems.emplace_back("give compliance, or stiffness and damping, not both");
  }
  if (isSpring && (material.restitution != 0 || material.tangentialRestitution != 0)) {
    problems.emplace_back(
        "restitution is for rigid contacts: one with stiffness rebounds by its spring, less what "
        "damping takes; leave restitution out");
  }
  return problems;
}

std::vector<std::string> contradictions(const Material& material) {
  std::vector<std::string> problems = springContradictions(material);
  if (material.frictionAcross && !(material.friction > 0)) {
    problems.emplace_back("friction must be > 0 where friction_across is given");
  }
  if (material.frictionDirection.isZero(0)) {
    problems.emplace_back("friction_direction must not be zero");
  }
  return problems;
}

std::vector<std::string> pairContradictions(const Material& material, bool isOfOne) {
  std::vector<std::string> problems = contradictions(material);
  if (isOfOne && hasGrain(material)) {
    problems.emplace_back(
        "a pair of a material with itself does not tell whose direction counts; give "
        "friction_across to the material");
  }
  return problems;
}

MaterialId MaterialTable::add(const Material& material) {
  checkMaterial(material, contradictions(material));
  materials_.push_back(material);
  return count() - 1;
}

const Material& MaterialTable::at(MaterialId id) const {
  if (id < 0 || id >= count()) {
    throw InputError(
        fmt::format("material {} does not exist; there are {}: add it first", id, count()));
  }
  return materials_[id];
}

void MaterialTable::set(MaterialId id, const Material& material) {
  at(id);  // checks that it is there
  checkMaterial(material, contradictions(material));
  materials_[id] = material;
}

void MaterialTable::setPair(MaterialId a, MaterialId b, const Material& material) {
  checkMaterial(material, pairContradictions(material, a == b));
  for (const MaterialId id : {a, b}) at(id);  // checks that both are there
  pairs_[std::minmax(a, b)] = {a, material};
}

bool MaterialTable::adhere() const {
  return std::ranges::any_of(materials_, [](const Material& one) { return one.adhesion > 0; }) ||
         std::ranges::any_of(pairs_,
                             [](const auto& one) { return one.second.material.adhesion > 0; });
}

void MaterialTable::restore(std::vector<Material> materials, Pairs pairs) {
  const std::size_t both = std::min(materials.size(), materials_.size());
  for (std::size_t i = 0; i < both; ++i) materials[i].userData = materials_[i].userData;
  for (auto& [ids, pair] : pairs) {
    const auto present = pairs_.find(ids);
    pair.material.userData = present != pairs_.end() ? present->second.material.userData : 0;
  }
  const auto count = static_cast<MaterialId>(materials.size());
  for (const auto& [ids, pair] : pairs_) {
    if (ids.second >= count) pairs.emplace(ids, pair);
  }
  materials.insert(materials.end(), materials_.begin() + static_cast<std::ptrdiff_t>(both),
                   materials_.end());
  materials_ = std::move(materials);
  pairs_ = std::move(pairs);
}

SurfacePair MaterialTable::combine(MaterialId a, MaterialId b) const {
  SurfacePair out;
  if (!pairs_.empty()) {
    const auto pair = pairs_.find(std::minmax(a, b));
    if (pair != pairs_.end()) {
      out.material = pair->second.material;
      (pair->second.owner == a ? out.grainA : out.grainB) = grainOf(out.material, 1);
      out.material.friction = meanFriction(out.material);
      return out;
    }
  }
  const Material& first = materials_[a];
  const Material& second = materials_[b];
  out.grainA = grainOf(first, 0.5);
  out.grainB = grainOf(second, 0.5);
  const std::optional<ContactSpring> spring = inSeries(springOf(first), springOf(second));
  const Real frictionA = meanFriction(first), frictionB = meanFriction(second);
  out.material = {
      .friction = a == b ? frictionA : std::sqrt(frictionA * frictionB),
      .restitution = std::max(first.restitution, second.restitution),
      .tangentialRestitution = std::max(first.tangentialRestitution, second.tangentialRestitution),
      .compliance = largerCompliance(first.compliance, second.compliance),
      .contensouRadius = std::max(first.contensouRadius, second.contensouRadius),
      .rollingResistance = std::max(first.rollingResistance, second.rollingResistance),
      .adhesion = std::max(first.adhesion, second.adhesion),
      .userData = a == b ? first.userData : 0};
  if (spring) {
    out.material.stiffness = spring->stiffness;
    out.material.damping = spring->damping;
    out.material.compliance.reset();
    out.material.restitution = out.material.tangentialRestitution = 0;
  }
  return out;
}

}  // namespace drystone
