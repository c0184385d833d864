#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "solids/advection.h"
#include "solids/grid.h"
#include "solids/node_extension.h"
#include "solids/solid_cells.h"
#include "solids/solid_material.h"
#include "solids/solid_shape.h"

namespace drystone {

/// What a solid begins as. SI units, one frame for all: that of the grid.
struct SolidSetup {
  SolidGrid grid;  ///< the space that it may be in; at least 5 nodes a side
  SolidShape shape = SolidShape::ball(0.5);
  SolidMaterial material;
  Pose pose;                            ///< of the frame of the shape
  Vec3 velocity = Vec3::Zero();         ///< of the centre of the shape [m/s]
  Vec3 angularVelocity = Vec3::Zero();  ///< [rad/s]
  Vec3 gravity = Vec3::Zero();          ///< [m/s²]
  Advection velocityAdvection = Advection::kQuadratic;
  Advection referenceAdvection = Advection::kQuadratic;
  /// Sub-steps are this share of the longest that a wave on an infinite grid bears, in (0, 0.5].
  Real courant = 0.5;
  int threads = 1;  ///< the bits do not depend on it
};

enum class SolidStatus {
  kOk,
  kInverted,  ///< some of the body was turned inside out: it is too coarse, too soft or hit too
              ///< hard
  kTooFast,   ///< a node moved by more than a cell: a sub-step above stableStep(), or an impulse
  kLeftGrid,  ///< the body reached the border of the grid
};

/// What step() did. After a status that is not kOk the body stays as it is: further steps do
/// nothing.
struct SolidReport {
  SolidStatus status = SolidStatus::kOk;
  int substeps = 0;
  Real smallestStep = 0;  ///< [s]
  /// Largest speed by which a sub-step moved a node to keep momentum and spin [m/s].
  Real correction = 0;
};

/// A deformable solid on a fixed grid, after [Levin et al. 2011; Litven 2013, ch. 4]. Its state is
/// two fields on the nodes: the reference map X(x), which says what material is at x, and the
/// velocity. A sub-step is begin(), impulses at nodes, finish(). One thread at a time may call it.
class Solid {
 public:
  /// Throws InputError with all that is wrong with the setup.
  explicit Solid(const SolidSetup& setup);

  /// Puts the material X(x) at each point x of space: a body that begins deformed. The map is
  /// called on all nodes, so it must go on outside of the body. Throws InputError where the map
  /// turns the body inside out or lets it reach the border of the grid.
  void setReference(const std::function<Vec3(const Vec3& point)>& map);
  void setVelocity(const std::function<Vec3(const Vec3& point)>& velocity);
  /// Holds the nodes in a box of space still. The body then hangs on the outside, and momentum and
  /// spin are no longer kept. It is carriers that are held: a follower in the box moves with those
  /// that it hangs on, and stops once it carries, so that a body which moves in is caught there.
  void hold(const Vec3& low, const Vec3& high);

  /// Advances by `duration` [s] in sub-steps of equal length without contact.
  SolidReport step(Real duration);

  /// The longest sub-step [s]: no wave and no node passes more than the share `courant` of a cell.
  Real stableStep() const;
  /// Begins a sub-step: velocity() is then the free velocity v + Δt (M⁻¹ f + g). It lasts at most
  /// stableStep().
  void begin(Real duration);
  /// An impulse at a node [N s], between begin() and finish(). That of a follower goes to the
  /// carriers that it hangs on; a far node has no shares and takes none.
  void applyImpulse(int node, const Vec3& impulse);
  /// Brings the velocity of followers up to date after impulses.
  void extendVelocity();
  /// Moves X and the velocity by the velocity, and ends the sub-step.
  SolidStatus finish();

  SolidStatus status() const { return status_; }
  const SolidGrid& grid() const { return setup_.grid; }
  /// On carriers and followers; zero on other nodes or what was left there.
  std::span<const Vec3> reference() const { return reference_; }  ///< X [m]
  std::span<const Vec3> velocity() const { return velocity_; }    ///< [m/s]
  /// Lumped masses, on carriers [kg].
  std::span<const Real> mass() const { return mass_; }
  /// Of a carrier; 0 where it is held [1/kg].
  Real inverseMass(int carrier) const { return isHeld_[carrier] != 0 ? 0 : 1 / mass_[carrier]; }
  /// Carriers and followers. The velocity of a follower is Σ weight · that of the carriers, so a
  /// row with the entry j on it has the entries weight · j on them.
  const NodeExtension& nodes() const { return nodes_; }
  /// The surface at the present X, by ascending cell. Valid until the next call.
  std::span<const SolidSurfacePoint> findSurface();
  /// Whether all corners of a cell are carriers or followers, so that fields have values in it.
  bool covers(int cell) const;
  /// Of a point in a cell that the body covers.
  SolidSide sideOf(const Vec3& point) const;
  Real fastest() const;  ///< largest speed of a carrier [m/s]

  Real totalMass() const { return totalMass_; }  ///< [kg], constant
  Vec3 centreOfMass() const;                     ///< [m]
  Vec3 momentum() const;                         ///< [kg m/s]
  Vec3 spin() const;                             ///< about the centre of mass [kg m²/s]
  Real kineticEnergy() const;                    ///< [J]
  Real elasticEnergy() const { return scale_ * totals_.elasticEnergy; }  ///< [J]
  Real largestStrain() const { return totals_.strain; }  ///< entry of Green's strain

 private:
  void place();
  void extendBoth();
  void integrate();
  bool chooseCarriers();
  void advect();
  void keep(const Vec3& momentum, const Vec3& spin);
  CellFields fields() const;

  SolidSetup setup_;
  SolidStatus status_ = SolidStatus::kOk;
  std::vector<Vec3> reference_, velocity_;
  std::vector<Vec3> nextReference_, nextVelocity_;
  std::vector<Vec3> force_;
  std::vector<Real> mass_;
  std::vector<char> isHeld_;
  bool anyHeld_ = false;
  bool hasImpulses_ = false;
  NodeExtension nodes_;
  CellIntegrals cells_;
  CellTotals totals_;
  std::vector<int> chosen_;
  std::vector<SolidSurfacePoint> surface_;
  Real totalMass_;
  Real scale_ = 1;  ///< of the integrals, so that the mass stays what it is
  Real duration_ = 0;
  Real correction_ = 0;
};

}  // namespace drystone
