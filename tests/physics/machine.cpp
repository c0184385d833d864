#include "tests/physics/machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "scenes/scene_builder.h"
#include "tests/support/worlds.h"

namespace drystone::test {

Machine::Machine(const std::string& scene, const std::vector<ParameterOverride>& overrides)
    : world_(buildWorld(readScene(scene, {.overrides = overrides}), registry())) {}

BodyId Machine::body(std::string_view name) const {
  const BodyId found = world_.findBody(name);
  if (found.index < 0) throw std::invalid_argument("no body " + std::string(name));
  return found;
}

JointId Machine::joint(std::string_view name) const {
  const JointId found = world_.findJoint(name);
  if (found.index < 0) throw std::invalid_argument("no joint " + std::string(name));
  return found;
}

Pose Machine::relative(std::string_view name, std::string_view frame) const {
  return pose(frame).inverse() * pose(name);
}

void Machine::runUntil(Real end, const std::function<void(const StepReport&)>& look) {
  while (world_.time() < end - 0.5 * world_.settings().timestep) {
    const StepReport& report = world_.step();
    rows_ = std::max(rows_, report.rows);
    missed_ += report.withinTolerance ? 0 : 1;
    overlap_ = std::max(overlap_, report.overlapError);
    naturalMap_ = std::max(naturalMap_, report.naturalMap);
    drift_ = std::max(drift_, report.maxJointDrift);
    speed_ = std::max(speed_, report.maxSpeed);
    ledger_ = std::max(ledger_, std::abs(report.energy.ledgerError));
    energy_ =
        std::max(energy_, std::abs(report.energy.kinetic) + std::abs(report.energy.potential));
    if (look) look(report);
  }
}

Real Machine::massRatio() const {
  Real least = kInfinity, most = 0;
  for (const BodyId body : world_.bodies()) {
    if (world_.body(body).kind() != BodyKind::kDynamic) continue;
    least = std::min(least, world_.body(body).mass());
    most = std::max(most, world_.body(body).mass());
  }
  return most / least;
}

void Machine::expectSound(Real speedLimit, Real driftLimit) const {
  EXPECT_EQ(missed_, 0) << "worst natural map " << naturalMap_ << ", joint drift " << drift_
                        << ", overlap " << overlap_;
  EXPECT_LE(ledger_, 1e-13 * energy_);  // some hundred roundings of its terms
  EXPECT_LE(speed_, speedLimit);
  EXPECT_LE(drift_, driftLimit);
}

void Slip::look(const Pose& relative) {
  if (!start_) start_ = relative.position;
  largest_ = std::max(largest_, (relative.position - *start_).norm());
}

}  // namespace drystone::test
