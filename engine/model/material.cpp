#include "engine/model/material.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/input_error.h"

namespace drystone {
namespace {

void checkMaterial(const Material& material) {
  const auto require = [](bool ok, const char* rule, Real value) {
    if (!ok) throw InputError(fmt::format("material: {}, got {}", rule, value));
  };
  require(std::isfinite(material.friction) && material.friction >= 0, "friction must be >= 0",
          material.friction);
  require(material.restitution >= 0 && material.restitution <= 1, "restitution must lie in [0, 1]",
          material.restitution);
  require(material.tangentialRestitution >= -1 && material.tangentialRestitution <= 1,
          "tangential restitution must lie in [-1, 1]", material.tangentialRestitution);
  require(std::isfinite(material.contensouRadius) && material.contensouRadius > 0,
          "contensou radius must be > 0 m", material.contensouRadius);
  if (material.compliance) {
    require(std::isfinite(*material.compliance) && *material.compliance >= 0,
            "compliance must be >= 0 1/kg", *material.compliance);
  }
}

std::optional<Real> largerCompliance(const std::optional<Real>& a, const std::optional<Real>& b) {
  if (a && b) return std::max(*a, *b);
  return a ? a : b;
}

}  // namespace

MaterialId MaterialTable::add(const Material& material) {
  checkMaterial(material);
  materials_.push_back(material);
  return count() - 1;
}

void MaterialTable::setPair(MaterialId a, MaterialId b, const Material& material) {
  checkMaterial(material);
  for (const MaterialId id : {a, b}) {
    if (id < 0 || id >= count()) {
      throw InputError(fmt::format("material {} does not exist; there are {}", id, count()));
    }
  }
  pairs_[std::minmax(a, b)] = material;
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
