#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/world/world.h"
#include "scenes/scene_reader.h"

namespace drystone::test {

/// A library scene on its way, with what its steps said of themselves.
class Machine {
 public:
  explicit Machine(const std::string& scene, const std::vector<ParameterOverride>& overrides = {});

  World& world() { return world_; }
  /// Parts by name; throws std::invalid_argument for an unknown one, which fails the test.
  BodyId body(std::string_view name) const;
  JointId joint(std::string_view name) const;
  Pose pose(std::string_view name) const { return world_.body(body(name)).pose(); }
  /// Pose of one body in the frame of another.
  Pose relative(std::string_view name, std::string_view frame) const;
  Vec3 velocity(std::string_view name) const { return world_.body(body(name)).linearVelocity(); }

  /// Steps until the world's time is `end` [s]; `look` sees every step.
  void runUntil(Real end, const std::function<void(const StepReport&)>& look = {});

  /// Most rows of a step so far.
  int rows() const { return rows_; }
  /// Heaviest over lightest dynamic body.
  Real massRatio() const;
  /// Every step met all its tolerances, the ledger closed to round-off, nothing flew off faster
  /// than the one limit [m/s], and no joint was off by more than the other [m].
  void expectSound(Real speedLimit, Real driftLimit) const;

 private:
  World world_;
  int rows_ = 0;
  int missed_ = 0;       ///< steps that missed a tolerance
  Real naturalMap_ = 0;  ///< worst [m/s]
  Real drift_ = 0;       ///< worst joint [m]
  Real overlap_ = 0;     ///< worst beyond what is forgiven [m]
  Real speed_ = 0;       ///< fastest centre of mass [m/s]
  Real ledger_ = 0;      ///< worst error of the energy ledger [J]
  Real energy_ = 0;      ///< largest |kinetic| + |potential| [J], the scale of its round-off
};

/// How far a body gets in the frame of another, from the first look on.
class Slip {
 public:
  void look(const Pose& relative);
  Real largest() const { return largest_; }  ///< [m]

 private:
  std::optional<Vec3> start_;
  Real largest_ = 0;
};

}  // namespace drystone::test
