#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/gradients/trajectory_derivative.h"
#include "scenes/scene.h"
#include "solvers/driver/registry.h"

namespace drystone::cli {

/// A number at the end of the steps: a coordinate or velocity of a body.
struct DerivedQuantity {
  std::string name;  ///< as asked for: bodies.NAME.x
  const char* unit = "m";
  int body = 0;  ///< slot
  bool isVelocity = false;
  int entry = 0;  ///< of Vec6
};

/// What a scene is changed by.
struct DerivedParameter {
  enum class Kind { kPose, kVelocity, kLoad, kMass, kFriction, kGravity };
  std::string name;  ///< as asked for: materials.NAME.friction
  const char* unit = "m";
  Kind kind = Kind::kPose;
  int index = 0;  ///< slot of a body, or id of a material
  int entry = 0;  ///< of Vec6, or of gravity
  Real value = 0;
};

/// Quantity, parameter, and what is known of the derivative.
struct Derived {
  DerivedQuantity of;
  DerivedParameter by;
  Real value = 0;  ///< of the quantity
  Real derivative = 0;
  /// Of the central difference, which stays within half of t*; NaN: t* leaves no room for one.
  Real difference = 0, step = 0;
  Real error = 0;     ///< relative, to 1e-3 where both are below; NaN likewise
  Real residual = 0;  ///< [m/s per unit of the parameter]
  Real ahead = 0, behind = 0;
  bool isCertain = false, isUnique = false;
};

/// Bodies and materials by the names that the scene has. Both throw UsageError, with near names,
/// for what is none.
DerivedQuantity quantityOf(const std::string& text, const World& world);
DerivedParameter parameterOf(const std::string& text, const Scene& scene, const World& world);

/// The derivative of each quantity after `steps` by each parameter. Throws InputError where a step
/// has none. `isInterrupted` is asked before each parameter; what is done by then comes back.
std::vector<Derived> derive(const Scene& scene, const SolverRegistry& registry, int steps,
                            const std::vector<DerivedQuantity>& quantities,
                            const std::vector<DerivedParameter>& parameters,
                            const std::function<bool()>& isInterrupted);

}  // namespace drystone::cli
