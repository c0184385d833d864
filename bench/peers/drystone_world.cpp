#include "bench/peers/worlds.h"

#include "scenes/scene_builder.h"
#include "solvers/default_registry.h"

namespace drystone::bench {
namespace {

class DrystoneWorld : public PeerWorld {
 public:
  DrystoneWorld(const Scene& scene, const PeerScene& peers) : world_(buildWorld(scene, registry_)) {
    world_.setThreads(1);
    const std::vector<BodyId> ids = world_.bodies();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (peers.bodies[i].isDynamic) {
        bodies_.push_back({ids[i], peers.bodies[i].frame});
      } else {
        floors_.push_back(ids[i]);
      }
    }
  }

  void step() override { world_.step(); }

  int contactCount() const override { return world_.lastReport().contacts; }

  void readStates(std::vector<BodyState>& states) const override {
    states.clear();
    for (const auto& [id, frame] : bodies_) {
      const ConstBodyHandle body = world_.body(id);
      states.push_back({.pose = body.pose() * frame,
                        .velocity = body.linearVelocity(),
                        .angularVelocity = body.angularVelocity()});
    }
  }

  void readFloorForces(std::vector<FloorForce>& forces) const override {
    forces.clear();
    for (const BodyId floor : floors_) {
      for (const BodyContact& contact : world_.body(floor).contacts()) {
        forces.push_back({contact.position, contact.normalImpulse / world_.settings().substep()});
      }
    }
  }

 private:
  struct Body {
    BodyId id;
    Pose frame;  // of PeerBody
  };

  SolverRegistry registry_ = makeDefaultRegistry();
  World world_;
  std::vector<Body> bodies_;
  std::vector<BodyId> floors_;  // whatever does not move
};

}  // namespace

PeerModel drystoneModel() {
  return {
      .name = "drystone",
      .version = "double",
      .contacts =
          "rigid (C = 1e-9 1/kg), from a gap of 1 cm on, up to 4 points a pair of faces; "
          "velocities take 0.2 of an overlap back a step, at most at 1 m/s",
      .friction = "exact circular cone in a solve of normals and tangents together",
      .joints = "velocities take 0.2 of the error back a step",
      .stepping = "semi-implicit Euler, gyroscopic term implicit; starts from the last impulses",
  };
}

std::unique_ptr<PeerWorld> makeDrystoneWorld(const Scene& scene, const PeerScene& peers) {
  return std::make_unique<DrystoneWorld>(scene, peers);
}

}  // namespace drystone::bench
