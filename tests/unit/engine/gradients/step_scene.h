#pragma once

#include <cstddef>
#include <vector>

#include "engine/gradients/step_derivative.h"
#include "engine/world/world.h"

namespace drystone::test {

/// All that a step is differentiated by, or a direction in it; rotations of bodies as vectors from
/// the left, of frames from the right in their own axes.
struct StepNumbers {
  std::vector<Vec6> pose, velocity, load;  ///< [bodies]
  std::vector<Real> mass;                  ///< [bodies]
  std::vector<Real> goal, cap;             ///< [joints] of all that they lead to, and press with
  std::vector<Vec6> frameA, frameB;        ///< [joints]
  Real friction = 0;
  Vec3 gravity = Vec3::Zero();
};

/// A world over a static plane, body 0. Its other bodies begin with `numbers`, rotations apart.
struct StepScene {
  explicit StepScene(Real friction = 0.5);
  void add(const Shape& shape, Real mass, const Pose& pose, const Vec3& velocity = Vec3::Zero(),
           const Vec3& spin = Vec3::Zero());
  /// The world of numbers + t direction. Poses move after the joints are made: gears stay.
  World make(const StepNumbers& direction = {}, Real t = 0) const;

  std::vector<Shape> shapes;
  std::vector<Quat> rotations;
  std::vector<JointDefinition> joints;  ///< bodies named by their index alone
  StepNumbers numbers;                  ///< of joints nothing: these are as defined
  Material material;
  Integrator integrator = Integrator::kSemiImplicitEuler;
  Real damping = 0;  ///< [1/s]
  int substeps = 1;
  bool holdJoints = true;  ///< as in the settings
  /// No frames are moved: a gear holds what it has where its joints are made.
  bool gearsKeepFrames = false;
};

/// Compares each kind of data with central differences of step t, and the adjoint with the forward
/// derivative. Errors are relative to the largest entry.
void expectDerivative(const StepScene& scene, std::size_t contacts, Real tolerance = 1e-6,
                      Real t = 1e-6);

}  // namespace drystone::test
