#include "bench/peers/worlds.h"

#include <fmt/format.h>
#include <ode/ode.h>

#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <list>
#include <utility>
#include <vector>

#include "bench/peers/jump_guard.h"

namespace drystone::bench {
namespace {

// Rows beyond which a step of the dense solver takes longer than anyone would wait: at 3000 it has
// a matrix of 72 MB and takes seconds.
constexpr int kMostDenseRows = 3000;
constexpr int kMostPoints = 8;  // of a pair; two boxes have no more

/// A failed assertion in ODE, or an error of its user.
void reportError(int, const char* format, std::va_list arguments) {
  std::array<char, 1000> message;
  std::vsnprintf(message.data(), message.size(), format, arguments);
  jumpOut(message.data());
}

/// ODE's library state, set up once for the process.
void initialise() {
  static const bool done = [] {
    dInitODE2(0);
    dSetErrorHandler(&reportError);
    dSetDebugHandler(&reportError);
    dSetMessageHandler([](int, const char*, std::va_list) {});  // of LCPs that it gives up
    return true;
  }();
  static_cast<void>(done);
}

/// What ODE keeps pointers to: a hull as half-spaces, points and polygons.
struct OdeHull {
  explicit OdeHull(const HullData& hull) {
    for (const Vec3& vertex : hull.vertices) {
      points.insert(points.end(), {vertex.x(), vertex.y(), vertex.z()});
    }
    for (std::size_t i = 0; i < hull.faces.size(); ++i) {
      const Vec3& normal = hull.faceNormals[i];
      const Real offset = normal.dot(hull.vertices[hull.faces[i].front()]);
      planes.insert(planes.end(), {normal.x(), normal.y(), normal.z(), offset});
      polygons.push_back(static_cast<unsigned>(hull.faces[i].size()));
      polygons.insert(polygons.end(), hull.faces[i].begin(), hull.faces[i].end());
    }
  }
  std::vector<dReal> planes, points;
  std::vector<unsigned> polygons;
};

void toOde(const Quat& q, dQuaternion out) {
  out[0] = q.w();
  out[1] = q.x();
  out[2] = q.y();
  out[3] = q.z();
}

Vec3 fromOde(const dReal* v) { return {v[0], v[1], v[2]}; }

class OdeWorld : public PeerWorld {
 public:
  OdeWorld(const PeerScene& scene, OdeStepper stepper)
      : timestep_(scene.timestep), stepper_(stepper), hasFeet_(!scene.feet.empty()) {
    dWorldSetGravity(world_, scene.gravity.x(), scene.gravity.y(), scene.gravity.z());
    // ODE hands back a pointer to the friction of a body, so the list must not grow later.
    friction_.reserve(scene.bodies.size());
    for (const PeerBody& body : scene.bodies) addBody(body);
    for (const PeerJoint& joint : scene.joints) addJoint(scene, joint);
    jointCount_ = static_cast<int>(scene.joints.size());
  }

  ~OdeWorld() override {
    if (isBroken_) return;  // locked in mid-step: ODE would refuse to destroy it
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }

  OdeWorld(const OdeWorld&) = delete;
  OdeWorld& operator=(const OdeWorld&) = delete;

  void step() override {
    const bool collided = attempt([this] { collideAll(); });
    const int rows = 3 * (contactCount_ + jointCount_);
    if (collided && stepper_ == OdeStepper::kExact && rows > kMostDenseRows) {
      throw PeerLimit(fmt::format("{} rows are too many for its dense matrix", rows));
    }
    if (collided && attempt([this] { advance(); })) return;
    isBroken_ = true;
    throw PeerLimit(fmt::format("stops itself: {}", jumpMessage()));
  }

  int contactCount() const override { return contactCount_; }

  void readFloorForces(std::vector<FloorForce>& forces) const override {
    forces.clear();
    for (const Pressed& point : floorPoints_) {
      // On whichever of the two ODE takes for the first body: the other one does not move.
      const Real force = fromOde(point.feedback.f1).dot(point.normal);
      forces.push_back({point.position, std::abs(force)});
    }
  }

  void readStates(std::vector<BodyState>& states) const override {
    states.clear();
    for (const dBodyID body : bodies_) {
      if (body == nullptr) continue;
      const dReal* q = dBodyGetQuaternion(body);
      states.push_back({.pose = {fromOde(dBodyGetPosition(body)), Quat(q[0], q[1], q[2], q[3])},
                        .velocity = fromOde(dBodyGetLinearVel(body)),
                        .angularVelocity = fromOde(dBodyGetAngularVel(body))});
    }
  }

 private:
  /// A contact with what does not move, into which ODE writes its force.
  struct Pressed {
    Vec3 position, normal;
    dJointFeedback feedback;
  };

  void collideAll() {
    dJointGroupEmpty(contacts_);
    contactCount_ = 0;
    floorPoints_.clear();
    dSpaceCollide(space_, this, &OdeWorld::collide);
  }

  void advance() {
    for (const auto& [body, force] : pressed_) dBodyAddForce(body, force.x(), force.y(), force.z());
    if (stepper_ == OdeStepper::kQuick) {
      dWorldQuickStep(world_, timestep_);
    } else {
      dWorldStep(world_, timestep_);
    }
  }

  static void collide(void* self, dGeomID a, dGeomID b) {
    static_cast<OdeWorld*>(self)->collide(a, b);
  }

  void collide(dGeomID a, dGeomID b) {
    const dBodyID bodyA = dGeomGetBody(a), bodyB = dGeomGetBody(b);
    if (bodyA == nullptr && bodyB == nullptr) return;
    if (bodyA != nullptr && bodyB != nullptr &&
        dAreConnectedExcluding(bodyA, bodyB, dJointTypeContact) != 0) {
      return;
    }
    std::array<dContactGeom, kMostPoints> points;
    const int count = dCollide(a, b, kMostPoints, points.data(), sizeof(dContactGeom));
    dContact contact = {};
    contact.surface.mode = dContactApprox1;
    contact.surface.mu = std::sqrt(frictionOf(a) * frictionOf(b));
    for (int i = 0; i < count; ++i) {
      contact.geom = points[i];
      const dJointID joint = dJointCreateContact(world_, contacts_, &contact);
      dJointAttach(joint, bodyA, bodyB);
      if (!hasFeet_ || (bodyA != nullptr && bodyB != nullptr)) continue;
      floorPoints_.push_back({fromOde(points[i].pos), fromOde(points[i].normal), {}});
      dJointSetFeedback(joint, &floorPoints_.back().feedback);
    }
    contactCount_ += count;
  }

  static Real frictionOf(dGeomID geom) { return *static_cast<const Real*>(dGeomGetData(geom)); }

  void addBody(const PeerBody& body) {
    friction_.push_back(body.friction);
    const bool isCompound = body.shape && std::holds_alternative<Compound>(*body.shape);
    dGeomID geom = body.shape && !isCompound ? makeGeom(*body.shape, body.pose) : nullptr;
    dQuaternion rotation;
    toOde(body.pose.rotation, rotation);
    const Vec3& at = body.pose.position;
    if (!body.isDynamic) {
      bodies_.push_back(nullptr);
      if (geom == nullptr || dGeomGetClass(geom) == dPlaneClass) return;
      dGeomSetPosition(geom, at.x(), at.y(), at.z());
      dGeomSetQuaternion(geom, rotation);
      return;
    }
    const dBodyID out = dBodyCreate(world_);
    bodies_.push_back(out);
    dMass mass;
    dMassSetParameters(&mass, body.mass, 0, 0, 0, body.moments.x(), body.moments.y(),
                       body.moments.z(), 0, 0, 0);
    dBodySetMass(out, &mass);
    dBodySetPosition(out, at.x(), at.y(), at.z());
    dBodySetQuaternion(out, rotation);
    const Vec3 &v = body.velocity, &w = body.angularVelocity;
    dBodySetLinearVel(out, v.x(), v.y(), v.z());
    dBodySetAngularVel(out, w.x(), w.y(), w.z());
    if (geom != nullptr) dGeomSetBody(geom, out);
    if (isCompound) addParts(std::get<Compound>(*body.shape), out);
    if (body.rail) addRail(out, *body.rail);
    if (!body.force.isZero()) pressed_.emplace_back(out, body.force);
  }

  void addRail(dBodyID body, const Vec3& axis) {
    const dJointID slider = dJointCreateSlider(world_, nullptr);
    dJointAttach(slider, body, nullptr);
    dJointSetSliderAxis(slider, axis.x(), axis.y(), axis.z());
  }

  void addParts(const Compound& compound, dBodyID body) {
    for (const CompoundChild& child : compound.children) {
      const dGeomID geom = makeGeom(child.shape, child.pose);
      dGeomSetBody(geom, body);
      const Vec3& at = child.pose.position;
      dQuaternion rotation;
      toOde(child.pose.rotation, rotation);
      dGeomSetOffsetPosition(geom, at.x(), at.y(), at.z());
      dGeomSetOffsetQuaternion(geom, rotation);
    }
  }

  /// With the friction of the body that was added last. Only planes are in their place.
  dGeomID makeGeom(const Shape& shape, const Pose& pose) {
    const dGeomID geom = makeBareGeom(shape, pose);
    dGeomSetData(geom, &friction_.back());
    return geom;
  }

  dGeomID makeBareGeom(const Shape& shape, const Pose& pose) {
    if (const auto* sphere = std::get_if<Sphere>(&shape)) {
      return dCreateSphere(space_, sphere->radius);
    }
    if (const auto* box = std::get_if<Box>(&shape)) {
      const Vec3 size = 2 * box->halfExtents;
      return dCreateBox(space_, size.x(), size.y(), size.z());
    }
    if (const auto* capsule = std::get_if<Capsule>(&shape)) {
      return dCreateCapsule(space_, capsule->radius, 2 * capsule->halfLength);
    }
    if (const auto* hull = std::get_if<ConvexHull>(&shape)) {
      const OdeHull& data = hulls_.emplace_back(*hull->data);
      return dCreateConvex(space_, data.planes.data(),
                           static_cast<unsigned>(data.planes.size() / 4), data.points.data(),
                           static_cast<unsigned>(data.points.size() / 3), data.polygons.data());
    }
    const Vec3 normal = pose.rotation * Vec3::UnitZ();
    return dCreatePlane(space_, normal.x(), normal.y(), normal.z(), normal.dot(pose.position));
  }

  void addJoint(const PeerScene& scene, const PeerJoint& joint) {
    const dJointID ball = dJointCreateBall(world_, nullptr);
    dJointAttach(ball, bodies_[joint.bodyA], bodies_[joint.bodyB]);
    const Vec3 anchor = scene.bodies[joint.bodyA].pose * joint.anchorA;
    dJointSetBallAnchor(ball, anchor.x(), anchor.y(), anchor.z());
  }

  dWorldID world_ = (initialise(), dWorldCreate());
  dSpaceID space_ = dHashSpaceCreate(nullptr);
  dJointGroupID contacts_ = dJointGroupCreate(0);
  std::vector<dBodyID> bodies_;  // null: static
  std::vector<Real> friction_;
  std::vector<std::pair<dBodyID, Vec3>> pressed_;
  std::list<OdeHull> hulls_;        // whose addresses stay
  std::list<Pressed> floorPoints_;  // likewise
  Real timestep_;
  OdeStepper stepper_;
  bool hasFeet_;
  int jointCount_ = 0;
  int contactCount_ = 0;
  bool isBroken_ = false;
};

}  // namespace

PeerModel odeModel() {
  return {
      .name = "ODE",
      .version = dODE_VERSION " double",
      .contacts =
          "rigid (CFM 1e-10), only where bodies overlap, as ODE's own collision finds it; "
          "velocities take 0.2 of it back a step (ERP)",
      .friction =
          "pyramid of two fixed directions, each at most μ times the normal force, which "
          "Step takes from a first solve without friction",
      .joints = "velocities take 0.2 of the error back a step",
      .stepping =
          "semi-implicit Euler, gyroscopic term implicit; no warm start; rows in random "
          "order (QuickStep)",
  };
}

std::unique_ptr<PeerWorld> makeOdeWorld(const PeerScene& scene, OdeStepper stepper) {
  return std::make_unique<OdeWorld>(scene, stepper);
}

}  // namespace drystone::bench
