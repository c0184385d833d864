#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/field_visitor.h"
#include "core/types.h"
#include "engine/model/contact_spring.h"

namespace drystone {

/// Surface of a body, or what two surfaces make together.
struct Material {
  Real friction = 0.5;  ///< μ ≥ 0; with `frictionAcross`: along `frictionDirection`
  /// μ > 0 square to `frictionDirection`, where it differs: friction within an ellipse. Then
  /// `friction` is > 0, too.
  std::optional<Real> frictionAcross{};
  Vec3 frictionDirection = Vec3::UnitX();  ///< in the body's reference frame, any length > 0
  Real restitution = 0;                    ///< e_n in [0, 1] (M.8)
  Real tangentialRestitution = 0;          ///< e_t in [-1, 1] (M.8)
  std::optional<Real> compliance{};        ///< C of the contact rows [1/kg]; default: the world's
  // Elastic contacts: k and d of a contact point, or E with the area that two bodies touch with.
  std::optional<Real> stiffness{};      ///< k > 0 [N/m]; none of it and no E: rigid
  std::optional<Real> damping{};        ///< d ≥ 0 [N s/m], with either; default: 0
  std::optional<Real> youngsModulus{};  ///< E > 0 [Pa]: k is that of a patch, see patchStiffness
  Real poissonsRatio = 0.3;             ///< ν in [0, 0.5]
  std::optional<Real> contactArea{};    ///< A > 0 of the patch [m²]
  int contactPoints = 4;                ///< that share the patch alike, as those of flat faces do
  Real contensouRadius = 0.01;          ///< R of the torsion row (M.6) [m]
  Real rollingResistance = 0;           ///< μ_r ≥ 0 of the `rolling` model (M.9) [m]
  /// F ≥ 0 with which the two surfaces hold together [N], shared alike by all contact points of two
  /// bodies that touch. The bodies' own come on top (M.17).
  Real adhesion = 0;
  /// Yours, as BodyDefinition::userData. What two different materials make by the rule has 0.
  std::uint64_t userData = 0;
};

/// What a contact point of the material yields by against a rigid partner; none: it is rigid.
std::optional<ContactSpring> springOf(const Material& material);

/// The fields that scenes may set, with their ranges.
void visitFields(Material& material, FieldVisitor& visitor);

/// What is wrong between fields that are each in range; empty: nothing.
std::vector<std::string> contradictions(const Material& material);

/// Those of them that are about stiffness and damping.
std::vector<std::string> springContradictions(const Material& material);

/// The same of a pair. `isOfOne`: of a material with itself, where a direction could be either
/// body's.
std::vector<std::string> pairContradictions(const Material& material, bool isOfOne);

using MaterialId = int;

/// What one body adds to the ellipse of a pair: along its direction friction is exp(stretch) times
/// that of the pair, square to it exp(-stretch) times.
struct FrictionGrain {
  Real stretch = 0;                ///< 0: alike in all directions
  Vec3 direction = Vec3::UnitX();  ///< in the body's reference frame
};

/// What two surfaces make together. Its `friction` is the geometric mean over the directions.
struct SurfacePair {
  Material material{};
  FrictionGrain grainA{}, grainB{};  ///< of the bodies of the first and the second material

  bool hasGrain() const { return grainA.stretch != 0 || grainB.stretch != 0; }
};

/// Materials by index and the rule for pairs: an explicit pair wins; otherwise friction is the
/// geometric mean and every other value the larger of the two. Equal materials give themselves.
///
/// Springs are in series, those of equal materials too: the pair has `stiffness` and `damping`, and
/// neither compliance nor restitution.
///
/// Friction with a direction: the geometric mean of two ellipses is that of their matrices (the
/// exponential of the mean of their logarithms) in the plane of contact. So a smooth partner takes
/// from both coefficients alike, and equal ellipses at right angles make a circle. An explicit pair
/// with `frictionAcross` has its direction in the frame of the body of its first material.
class MaterialTable {
 public:
  MaterialTable() : materials_(1) {}  ///< material 0 is the default one

  /// Throws InputError when a value is out of range, or for a pair of a material with itself that
  /// has a direction: it could not tell whose.
  MaterialId add(const Material& material);
  // These throw likewise when there is no such material, and change nothing then.
  void set(MaterialId id, const Material& material);
  void setPair(MaterialId a, MaterialId b, const Material& material);
  const Material& at(MaterialId id) const;
  const Material& operator[](MaterialId id) const { return materials_[id]; }
  SurfacePair combine(MaterialId a, MaterialId b) const;
  int count() const { return static_cast<int>(materials_.size()); }
  /// Whether a material or an explicit pair has adhesion.
  bool adhere() const;

  struct ExplicitPair {
    MaterialId owner = 0;  ///< of the direction
    Material material{};
  };
  using Pairs = std::map<std::pair<MaterialId, MaterialId>, ExplicitPair>;
  const std::vector<Material>& materials() const { return materials_; }
  const Pairs& pairs() const { return pairs_; }  ///< the explicit ones, by ascending ids
  /// Takes the materials and pairs of another table; user data stay those of this one. If that has
  /// fewer materials the others stay, with their pairs.
  void restore(std::vector<Material> materials, Pairs pairs);

 private:
  std::vector<Material> materials_;
  Pairs pairs_;
};

}  // namespace drystone
