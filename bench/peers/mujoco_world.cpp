#include "bench/peers/worlds.h"

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "bench/peers/jump_guard.h"
#include "bench/peers/mujoco_xml.h"

namespace drystone::bench {
namespace {

struct FreeModel {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
};
struct FreeData {
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using Model = std::unique_ptr<mjModel, FreeModel>;
using Data = std::unique_ptr<mjData, FreeData>;

/// A file of MuJoCo's virtual file system, which is where it reads a model from memory.
Model load(const std::string& xml) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "scene.xml", static_cast<int>(xml.size()));
  std::memcpy(files->filedata[0], xml.data(), xml.size());
  std::array<char, 1000> error = {};
  Model model(mj_loadXML("scene.xml", files.get(), error.data(), error.size()));
  mj_deleteVFS(files.get());
  if (!model) throw PeerLimit(fmt::format("does not load the scene: {}", error.data()));
  return model;
}

/// Sizes of the memory that MuJoCo 2 sets aside before the first step, as it wants them in the
/// model. Without them it takes 100 contacts and drops the others.
MujocoXmlSettings memoryFor(const PeerScene& scene, MujocoSolver solver) {
  constexpr Real kContactsPerBody = 24;  // far more than a pile or a wall has
  // The buffer's size in bytes is an int. It holds a dense matrix of rows by rows and two of rows
  // by degrees of freedom, each entry a double and an int, and some hundred bytes a row.
  constexpr Real kMostBytes = 2.1e9;
  const auto bodies = static_cast<Real>(scene.bodies.size());
  const Real freedoms = 6 * bodies;
  const Real linear = 24 * freedoms + 600;
  const Real fitting = (std::sqrt(linear * linear + 48 * kMostBytes) - linear) / 24;
  const Real rows = std::min(3 * kContactsPerBody * bodies, fitting);
  // The Newton solver's Hessian and its factor are dense: three matrices were in use at most.
  const Real dense = solver == MujocoSolver::kNewton ? 4 * freedoms * freedoms : 0;
  const Real pairs = bodies * bodies;  // of its broad phase
  const Real stack = dense + pairs + 100 * (freedoms + rows) + 1e6;
  if (stack > std::numeric_limits<int>::max()) {
    throw PeerLimit("its scratch memory, counted in an int, does not hold the dense matrices");
  }
  return {.rowCapacity = static_cast<int>(rows),
          .contactCapacity = static_cast<int>(rows / 3) + 1,
          .stackNumbers = static_cast<int>(stack)};
}

class MujocoWorld : public PeerWorld {
 public:
  MujocoWorld(const PeerScene& scene, MujocoSolver solver) {
    mju_user_error = &jumpOut;
    // The default writes a file; step() looks at the counters instead.
    mju_user_warning = [](const char*) {};
    MujocoXmlSettings settings = memoryFor(scene, solver);
    settings.solver = solver == MujocoSolver::kNewton ? "Newton" : "CG";
    model_ = load(mujocoXml(scene, settings));
    mjData* data = nullptr;
    if (!attempt([&] { data = mj_makeData(model_.get()); })) throw PeerLimit(jumpMessage());
    if (data == nullptr) throw PeerLimit("could not allocate its memory");
    data_.reset(data);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      if (!scene.bodies[i].isDynamic) continue;
      bodies_.push_back(mj_name2id(model_.get(), mjOBJ_BODY, fmt::format("b{}", i).c_str()));
      setVelocity(scene.bodies[i], bodies_.back());
      std::copy_n(scene.bodies[i].force.data(), 3, data_->xfrc_applied + 6 * bodies_.back());
    }
  }

  void step() override {
    if (!attempt([&] { mj_step(model_.get(), data_.get()); })) throw PeerLimit(jumpMessage());
    const auto warned = [&](mjtWarning what) { return data_->warning[what].number > 0; };
    if (warned(mjWARN_CONTACTFULL) || warned(mjWARN_CNSTRFULL)) {
      throw PeerLimit(
          fmt::format("more than {} contacts or {} rows, the most that its buffer of 2 GiB holds",
                      model_->nconmax, model_->njmax));
    }
    if (warned(mjWARN_BADQPOS) || warned(mjWARN_BADQVEL) || warned(mjWARN_BADQACC)) {
      throw PeerLimit("diverged and reset itself");
    }
  }

  int contactCount() const override { return data_->ncon; }

  void readStates(std::vector<BodyState>& states) const override {
    // A step leaves the poses and velocities of bodies as they were before it; only its generalised
    // coordinates are new.
    mj_kinematics(model_.get(), data_.get());
    mj_comPos(model_.get(), data_.get());
    mj_comVel(model_.get(), data_.get());
    states.clear();
    for (const int body : bodies_) {
      const mjtNum* p = data_->xpos + 3 * body;
      const mjtNum* q = data_->xquat + 4 * body;
      std::array<mjtNum, 6> velocity;  // angular, linear
      mj_objectVelocity(model_.get(), data_.get(), mjOBJ_BODY, body, velocity.data(), 0);
      states.push_back({.pose = {Vec3(p[0], p[1], p[2]), Quat(q[0], q[1], q[2], q[3])},
                        .velocity = {velocity[3], velocity[4], velocity[5]},
                        .angularVelocity = {velocity[0], velocity[1], velocity[2]}});
    }
  }

  void readFloorForces(std::vector<FloorForce>& forces) const override {
    forces.clear();
    for (int i = 0; i < data_->ncon; ++i) {
      const mjContact& contact = data_->contact[i];
      const auto isFixed = [&](int geom) { return model_->geom_bodyid[geom] == 0; };
      if (!isFixed(contact.geom1) && !isFixed(contact.geom2)) continue;
      std::array<mjtNum, 6> force;  // in the frame of the contact, the normal first
      mj_contactForce(model_.get(), data_.get(), i, force.data());
      forces.push_back({Vec3(contact.pos[0], contact.pos[1], contact.pos[2]), force[0]});
    }
  }

 private:
  void setVelocity(const PeerBody& body, int id) {
    if (body.velocity.isZero() && body.angularVelocity.isZero()) return;
    if (model_->jnt_type[model_->body_jntadr[id]] != mjJNT_FREE) {
      throw PeerLimit("chains that move at the start are not built here");
    }
    // A free joint counts its turning in the axes of the body.
    const Vec3 turning = body.pose.rotation.conjugate() * body.angularVelocity;
    mjtNum* out = data_->qvel + model_->body_dofadr[id];
    std::copy_n(body.velocity.data(), 3, out);
    std::copy_n(turning.data(), 3, out + 3);
  }

  Model model_;
  Data data_;
  std::vector<int> bodies_;  // MuJoCo's ids of the dynamic ones
};

}  // namespace

PeerModel mujocoModel() {
  return {
      .name = "MuJoCo",
      .version = mj_versionString(),
      .contacts =
          "soft by default, only where bodies overlap: a spring and damper with the time "
          "constant of two steps (solref 0.02, raised to 2 h), so that bodies sink until it "
          "carries them, and slide slowly under any tangential load",
      .friction =
          "elliptic cone, regularised, in a convex problem, where sliding lifts the body (it "
          "hops); the larger μ of a pair",
      .joints =
          "reduced coordinates, in which none can part, for chains of up to 90; longer ones hang "
          "on soft constraints from there on",
      .stepping = "semi-implicit Euler in joint coordinates; starts from the last accelerations",
  };
}

std::unique_ptr<PeerWorld> makeMujocoWorld(const PeerScene& scene, MujocoSolver solver) {
  return std::make_unique<MujocoWorld>(scene, solver);
}

}  // namespace drystone::bench
