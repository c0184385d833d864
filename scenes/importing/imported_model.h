#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collision/shape/shape.h"
#include "engine/model/body.h"
#include "engine/model/contact_spring.h"
#include "engine/model/joint.h"
#include "scenes/importing/import_log.h"

namespace drystone::importing {

/// A body of the scene to be, where it starts.
struct ImportedBody {
  std::string name;
  int line = 0;
  Pose pose;  ///< of its frame in the world
  BodyKind kind = BodyKind::kDynamic;
  MassProperties mass;                 ///< in its frame; a mass of 0: none was said yet
  std::vector<CompoundChild> parts;    ///< what it collides with
  std::vector<std::string> materials;  ///< a name for each part; "": that of all bodies
  CollisionFilter filter;
  Real gravityScale = 1;
};

struct ImportedMaterial {
  Real friction = 0;
  std::optional<ContactSpring> spring;  ///< none: rigid
};

/// A joint as the scene format has it.
struct ImportedJoint {
  std::string type;  ///< as `drystone list keys joint` names it
  std::string name;
  int line = 0;
  int bodyA = -1, bodyB = -1;
  Vec3 anchor = Vec3::Zero();             ///< in the world at the start [m]
  Vec3 axis = Vec3::UnitX();              ///< likewise, of hinges and sliders
  Quat orientation = Quat::Identity();    ///< of the frames, of `six_dof` joints
  JointAxis coordinate;                   ///< of hinges and sliders
  Real start = 0;                         ///< of it [m], [rad]; all others start at 0
  std::map<std::string, JointAxis> axes;  ///< of `six_dof`; those that are missing are locked
  bool collide = false;                   ///< the two bodies may touch
  // Of gears: q_a + ratio q_b stays.
  int jointA = -1, jointB = -1;
  Real ratio = 1;
};

/// What a model file says, before it is written as a scene.
struct ImportedModel {
  std::string name;
  std::optional<Vec3> gravity;       ///< [m/s²]
  std::optional<Real> timestep;      ///< [s]
  bool takesLargerFriction = false;  ///< of two materials; else the geometric mean of theirs
  std::map<std::string, ImportedMaterial> materials;  ///< by name
  std::vector<ImportedBody> bodies;
  std::vector<ImportedJoint> joints;
};

/// The same mass in the axes of another frame, in which the old one has the pose.
MassProperties placedMass(const MassProperties& mass, const Pose& pose);
/// Two masses in one frame as one: the inertia about the common centre (Steiner).
MassProperties sumOfMasses(const MassProperties& one, const MassProperties& two);
/// A symmetric matrix from Ixx, Iyy, Izz, Ixy, Ixz, Iyz.
Mat3 symmetricInertia(Real xx, Real yy, Real zz, Real xy, Real xz, Real yz);

/// Makes `part` a rigid piece of `body`.
void attachRigidly(const ImportedBody& part, ImportedBody& body);

/// Gives a hinge or slider the coordinate of the file, which starts there.
void takeCoordinate(Real start, const JointAxis& axis, ImportedJoint& joint, ImportLog& log);

/// A coordinate of the file as the scene has it, which counts from the start: sign (q - start).
JointAxis countedFrom(Real start, const JointAxis& axis, Real sign = 1);

/// Notes that a joint counts in this way, where it makes a difference.
void noteCount(std::string_view joint, Real start, int line, ImportLog& log);

/// The coordinate at which a joint starts: `wanted`, or the limit that is nearest, which is noted.
Real startWithin(const JointAxis& limits, Real wanted, std::string_view joint, int line,
                 ImportLog& log);

/// Couples two joints of the model, so that q_a = ratio q_b + constant. Where no gear can do this,
/// it is left out, which is logged.
void addCoupling(std::string name, int line, int follower, int leader, Real ratio,
                 ImportedModel& model, ImportLog& log);

/// Looks at what was made: names, and bodies that move without a mass.
void checkModel(const ImportedModel& model, ImportLog& log);

/// The scene file.
std::string sceneText(const ImportedModel& model);

}  // namespace drystone::importing
