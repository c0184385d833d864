#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/field_visitor.h"

namespace drystone {

/// Surface of a body, or what two surfaces make together.
struct Material {
  Real friction = 0.5;             ///< μ ≥ 0
  Real restitution = 0;            ///< e_n in [0, 1] (M.8)
  Real tangentialRestitution = 0;  ///< e_t in [-1, 1] (M.8)
  std::optional<Real> compliance;  ///< C of the contact rows [1/kg]; default: the world's
  Real contensouRadius = 0.01;     ///< R of the torsion row (M.6) [m]
  /// Yours, as BodyDefinition::userData. What two different materials make by the rule has 0.
  std::uint64_t userData = 0;
};

/// The fields that scenes may set, with their ranges.
void visitFields(Material& material, FieldVisitor& visitor);

using MaterialId = int;

/// Materials by index and the rule for pairs: an explicit pair wins; otherwise friction is the
/// geometric mean and every other value the larger of the two. Equal materials give themselves.
class MaterialTable {
 public:
  MaterialTable() : materials_(1) {}  ///< material 0 is the default one

  /// Throws InputError when a value is out of range.
  MaterialId add(const Material& material);
  // These throw likewise when there is no such material, and change nothing then.
  void set(MaterialId id, const Material& material);
  void setPair(MaterialId a, MaterialId b, const Material& material);
  const Material& at(MaterialId id) const;
  const Material& operator[](MaterialId id) const { return materials_[id]; }
  Material combine(MaterialId a, MaterialId b) const;
  int count() const { return static_cast<int>(materials_.size()); }

  using Pairs = std::map<std::pair<MaterialId, MaterialId>, Material>;
  const std::vector<Material>& materials() const { return materials_; }
  const Pairs& pairs() const { return pairs_; }  ///< the explicit ones, by ascending ids
  /// Takes the materials and pairs of another table; user data stay those of this one.
  void restore(std::vector<Material> materials, Pairs pairs);

 private:
  std::vector<Material> materials_;
  Pairs pairs_;
};

}  // namespace drystone
