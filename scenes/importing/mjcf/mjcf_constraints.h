#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "scenes/importing/mjcf/mjcf.h"

namespace drystone::importing {

/// Which geoms meet: one's contype and the other's conaffinity share a bit, or the other way round.
struct ContactBits {
  std::uint32_t contype = 0, conaffinity = 0;
  bool operator==(const ContactBits&) const = default;
};

/// Lets joints that an `<equality>` couples start where it holds. Several joints of one body start
/// at their references: those that are held there are locked, other equalities of them left out.
void placeCoupledJoints(const XmlElement& mujoco, const std::map<std::string, MjcfJoint*>& joints,
                        ImportLog& log);

/// The joints of `<equality>`. `bodies` has the model's bodies by the names of the file.
void addEqualities(const XmlElement& mujoco, const std::map<std::string, int>& bodies,
                   ImportedModel& model, ImportLog& log);

/// Groups and masks of the bodies: of their bits, and of the pairs of `<contact>` that are
/// excluded. A scene has 32 groups, so there may be as many kinds of bodies.
void assignFilters(const XmlElement& mujoco, const std::map<std::string, int>& bodies,
                   std::vector<ContactBits> bits, ImportedModel& model, ImportLog& log);

}  // namespace drystone::importing
