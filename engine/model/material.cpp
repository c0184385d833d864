#include "engine/model/material.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/field_checks.h"
#include "core/input_error.h"

namespace drystone {
namespace {

void checkMaterial(const Material& material) {
  const std::vector<std::string> problems = fieldProblems("material", material);
  if (!problems.empty()) throw InputError(problems);
}

std::optional<Real> largerCompliance(const std::optional<Real>& a, const std::optional<Real>& b) {
  if (a && b) return std::max(*a, *b);
  return a ? a : b;
}

}  // namespace

void visitFields(Material& material, FieldVisitor& visitor) {
  visitor.notNegative({"friction", "", "coefficient of friction"}, material.friction);
  visitor.real({"restitution", "", "coefficient of restitution along the normal"},
               material.restitution, 0, 1);
  visitor.real({"tangential_restitution", "", "coefficient of restitution along the tangents"},
               material.tangentialRestitution, -1, 1);
  visitor.optional({"compliance", "1/kg", "of the contact rows; without it the world's"},
                   material.compliance, 0, kLargestInput);
  visitor.positive({"contensou_radius", "m", "effective contact radius of the contensou model"},
                   material.contensouRadius);
}

MaterialId MaterialTable::add(const Material& material) {
  checkMaterial(material);
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
  checkMaterial(material);
  materials_[id] = material;
}

void MaterialTable::setPair(MaterialId a, MaterialId b, const Material& material) {
  checkMaterial(material);
  for (const MaterialId id : {a, b}) at(id);  // checks that both are there
  pairs_[std::minmax(a, b)] = material;
}

void MaterialTable::restore(std::vector<Material> materials, Pairs pairs) {
  const std::size_t both = std::min(materials.size(), materials_.size());
  for (std::size_t i = 0; i < both; ++i) materials[i].userData = materials_[i].userData;
  for (auto& [ids, material] : pairs) {
    const auto present = pairs_.find(ids);
    material.userData = present != pairs_.end() ? present->second.userData : 0;
  }
  materials_ = std::move(materials);
  pairs_ = std::move(pairs);
}

Material MaterialTable::combine(MaterialId a, MaterialId b) const {
  if (!pairs_.empty()) {
    const auto pair = pairs_.find(std::minmax(a, b));
    if (pair != pairs_.end()) return pair->second;
  }
  const Material& first = materials_[a];
  if (a == b) return first;
  const Material& second = materials_[b];
  return {
      .friction = std::sqrt(first.friction * second.friction),
      .restitution = std::max(first.restitution, second.restitution),
      .tangentialRestitution = std::max(first.tangentialRestitution, second.tangentialRestitution),
      .compliance = largerCompliance(first.compliance, second.compliance),
      .contensouRadius = std::max(first.contensouRadius, second.contensouRadius)};
}

}  // namespace drystone
