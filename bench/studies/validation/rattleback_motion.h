#pragma once

#include "core/types.h"

namespace drystone::bench {

/// A rattleback, or celt: an ellipsoid on the plane z = 0 whose principal axes of inertia are
/// turned about the vertical against those of the shape. It rolls without slip. All vectors are in
/// the axes of the shape; the centre of mass is the middle. A state has the direction that is up,
/// then the spin [rad/s].
struct Rattleback {
  Vec3 halfAxes = {0.12, 0.03, 0.025};  ///< along x, y and z [m]
  Real mass = 1;                        ///< [kg]
  Real turned = 0.15;                   ///< of the principal axes, from x to y [rad]
  Real gravity = 9.81;                  ///< [m/s²]

  /// That of the solid ellipsoid, turned about z [kg m²].
  Mat3 inertia() const;
  /// At rest but for a spin [rad/s].
  static VecX start(const Vec3& spin);
  /// Of a state: the spin about the vertical [rad/s].
  static Real spinAboutVertical(const VecX& state) { return state.head<3>().dot(state.tail<3>()); }

  /// From the middle to the contact, where `up` is up: the point S² up / |S up| below the middle,
  /// with the half axes S on a diagonal [m].
  Vec3 contact(const Vec3& up) const;

  /// The force F of the floor and I ω' follow from the momentum of the middle, whose velocity is
  /// r × ω with the way r to the contact, and from the angular momentum about it:
  ///     m (r' × ω + r × ω' + ω × (r × ω)) = F − m g up,   I ω' + ω × I ω = r × F.
  /// So (I − m [r]²) ω' = m r × (r' × ω + ω × (r × ω) + g up) − ω × I ω, and up' = up × ω.
  VecX rate(const VecX& state) const;

  /// Kinetic and potential [J]; it stays.
  Real energy(const VecX& state) const;
};

}  // namespace drystone::bench
