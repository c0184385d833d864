#pragma once

#include <string>
#include <vector>

#include "engine/model/joint_presets.h"
#include "scenes/reading/object_reader.h"
#include "scenes/reading/scene_context.h"
#include "scenes/scene.h"

namespace drystone {

/// Units of a joint coordinate, for ranges and messages.
struct AxisUnits {
  std::string_view coordinate, rate, force, stiffness, damping;
  bool isDistance = false;  ///< never negative
};
constexpr AxisUnits kAlongAxis = {"m", "m/s", "N", "N/m", "N s/m"};
constexpr AxisUnits kDistanceAxis = {"m", "m/s", "N", "N/m", "N s/m", true};
/// For the schema, which has the keys of lengths and angles once.
constexpr AxisUnits kAnyAxis = {"m], [rad", "m/s], [rad/s", "N], [N m", "N/m], [N m/rad",
                                "N s/m], [N m s/rad"};
constexpr AxisUnits kAboutAxis = {"rad", "rad/s", "N m", "N m/rad", "N m s/rad"};

/// Reads what a joint does to one coordinate from the keys of an object: `lower`, `upper`,
/// `spring`, `motor`, `friction`.
void readAxisKeys(ObjectReader& in, const AxisUnits& units, JointAxis& axis);

/// Reads an object of those keys under `key`, or where `mayLock` the text "free" or "locked".
void readAxis(ObjectReader& in, const Key& key, const AxisUnits& units, bool mayLock,
              JointAxis& axis);

/// Reads the joints that a gear couples from `joint_a` and `joint_b`, and reports those that it
/// cannot couple.
void readGearJoints(ObjectReader& in, const JointPreset& preset, const SceneContext& context,
                    SceneJoint& gear);

/// Looks at the joints of a scene that was read without an error, at its start: warns of anchors
/// far from their bodies, of joints whose points do not meet, of angles that start outside their
/// range or are likely in degrees, and of motors whose target lies outside it, and reports loops of
/// joints that no placement of their bodies can close.
void checkJoints(SceneContext& context);

/// Error of positions that typed numbers of this size may leave without a word [m].
inline Real closingTolerance(Real reach) { return 1e-6 + 1e-3 * reach; }

/// How far the points of a joint are at the start from where the joint wants them [m]; gears: 0.
Real gapAtStart(const Scene& scene, const SceneJoint& joint);

/// A loop of bodies and joints one part of which is longer than all others together.
struct OpenLoop {
  std::vector<int> joints;  ///< indices into Scene::joints, the one that closes the loop first
  std::string longest;      ///< the part, in words
  Real needs = 0;           ///< least length of that part [m]
  Real reach = 0;           ///< of all others together [m]
};

/// Loops that no placement closes. Finds those that the lengths forbid, in one loop for each joint
/// that a spanning tree leaves over; loops that only their axes forbid are not found.
std::vector<OpenLoop> loopsThatCannotClose(const Scene& scene);

}  // namespace drystone
