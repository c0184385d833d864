// What an MJCF file says between bodies beside its tree: equalities, and who meets whom.
#include "scenes/importing/mjcf/mjcf_constraints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace drystone::importing {
namespace {

/// The first two numbers of a polynomial: q1 = constant + factor q2, both from their references.
struct LinearCoupling {
  Real constant = 0, factor = 1;
};

LinearCoupling readCoupling(const XmlElement& element) {
  const auto numbers = element.reals("polycoef", 1, 5);
  if (!numbers) return {};
  for (std::size_t i = 2; i < numbers->size(); ++i) {
    if ((*numbers)[i] != 0) element.leftOut("powers above 1 of a polycoef");
  }
  return {(*numbers)[0], numbers->size() > 1 ? (*numbers)[1] : 0};
}

bool isActive(const XmlElement& element) {
  if (element.flag("active", true)) return true;
  element.leftOut("equalities that are not active");
  return false;
}

std::vector<XmlElement> equalitiesOf(const XmlElement& mujoco) {
  std::vector<XmlElement> all;
  for (const XmlElement& list : mujoco.children("equality")) {
    for (const XmlElement& element : list.children()) all.push_back(element);
  }
  return all;
}

/// A body that an attribute names; the world where it is missing. -1 after a problem.
int bodyOf(const XmlElement& element, std::string_view attribute,
           const std::map<std::string, int>& bodies) {
  const std::string name = element.text(attribute, "world");
  if (name == "world") return 0;
  const auto found = bodies.find(name);
  if (found != bodies.end()) return found->second;
  element.problem(fmt::format("there is no body '{}'", name));
  return -1;
}

void addPairJoint(const XmlElement& element, const std::map<std::string, int>& bodies,
                  ImportedModel& model) {
  const std::string tag(element.tag());
  if (!element.has("body1")) return element.leftOut(fmt::format("<{}> between sites", tag));
  ImportedJoint joint;
  joint.type = tag == "connect" ? "ball" : "fixed";
  joint.name = element.text("name", fmt::format("equality_{}", model.joints.size()));
  joint.line = element.line();
  joint.bodyA = bodyOf(element, "body1", bodies);
  joint.bodyB = bodyOf(element, "body2", bodies);
  joint.collide = true;
  if (joint.bodyA < 0 || joint.bodyB < 0) return;
  const Pose& pose = model.bodies[static_cast<std::size_t>(joint.bodyA)].pose;
  joint.anchor = pose * element.vector("anchor", Vec3::Zero());
  if (element.has("relpose")) element.leftOut("relpose of <weld>: it holds the start");
  if (joint.bodyA == joint.bodyB) return element.problem("its two bodies are one");
  model.joints.push_back(std::move(joint));
}

void addJointEquality(const XmlElement& element, ImportedModel& model, ImportLog& log) {
  const auto indexOf = [&](const std::string& name) {
    // Several joints of one body are one `six_dof`, which has the name of the first.
    const auto found = std::ranges::find_if(model.joints, [&](const ImportedJoint& joint) {
      return joint.name == name && joint.type != "six_dof";
    });
    return found == model.joints.end() ? -1 : static_cast<int>(found - model.joints.begin());
  };
  const int one = indexOf(element.text("joint1")), two = indexOf(element.text("joint2"));
  const Real factor = element.has("joint2") ? readCoupling(element).factor : 0;
  if (one < 0 || (two < 0 && factor != 0)) return;  // placeCoupledJoints() saw to these
  addCoupling(element.text("name", model.joints[static_cast<std::size_t>(one)].name + "_equality"),
              element.line(), one, factor == 0 ? one : two, factor, model, log);
}

/// One of several joints of a body stays at its reference, or the equality is left out: a gear
/// needs hinges and sliders, and the frames of `six_dof` are alike where the bodies are in the
/// file.
void holdShared(const XmlElement& element, const LinearCoupling& coupling, MjcfJoint& joint) {
  if (coupling.factor != 0) {
    return element.leftOut("<joint> of <equality> with a joint that shares its body with others");
  }
  if (coupling.constant != 0) {
    return element.leftOut(
        "<joint> of <equality> that holds one of several joints of a body away from its ref");
  }
  joint.coordinate = JointAxis::locked(joint.reference);
}

/// Bodies that meet the same others.
struct ContactKind {
  ContactBits bits;
  int body = -1;  ///< of those with excluded pairs each is a kind of its own
  auto key() const { return std::tuple(bits.contype, bits.conaffinity, body); }
};

bool meet(const ContactBits& a, const ContactBits& b) {
  return (a.contype & b.conaffinity) != 0 || (b.contype & a.conaffinity) != 0;
}

std::set<std::pair<int, int>> excludedPairs(const XmlElement& mujoco,
                                            const std::map<std::string, int>& bodies) {
  std::set<std::pair<int, int>> pairs;
  for (const XmlElement& list : mujoco.children("contact")) {
    for (const XmlElement& element : list.children()) {
      if (element.tag() != "exclude") {
        element.leftOut(fmt::format("<{}> of <contact>", element.tag()));
        continue;
      }
      const int one = bodyOf(element, "body1", bodies), two = bodyOf(element, "body2", bodies);
      if (one >= 0 && two >= 0) pairs.insert({std::min(one, two), std::max(one, two)});
    }
  }
  return pairs;
}

}  // namespace

void placeCoupledJoints(const XmlElement& mujoco, const std::map<std::string, MjcfJoint*>& joints,
                        ImportLog& log) {
  for (const XmlElement& element : equalitiesOf(mujoco)) {
    if (element.tag() != "joint" || !isActive(element)) continue;
    const auto one = joints.find(element.requiredText("joint1"));
    const auto two = joints.find(element.text("joint2"));
    if (one == joints.end() || (element.has("joint2") && two == joints.end())) {
      element.problem("its joint1 or joint2 is no hinge or slide joint of the model");
      continue;
    }
    LinearCoupling coupling = readCoupling(element);
    if (two == joints.end()) coupling.factor = 0;
    const bool follows = coupling.factor != 0;
    if (one->second->sharesBody || (follows && two->second->sharesBody)) {
      holdShared(element, coupling, *one->second);
      continue;
    }
    one->second->start = one->second->reference + coupling.constant;
    if (!follows) continue;
    MjcfJoint& leader = *two->second;
    leader.start = startWithin(leader.coordinate, leader.start, leader.name, leader.line, log);
    one->second->start += coupling.factor * (leader.start - leader.reference);
  }
}

void addEqualities(const XmlElement& mujoco, const std::map<std::string, int>& bodies,
                   ImportedModel& model, ImportLog& log) {
  for (const XmlElement& element : equalitiesOf(mujoco)) {
    if (!element.flag("active", true)) {
      if (element.tag() != "joint") isActive(element);
    } else if (element.tag() == "connect" || element.tag() == "weld") {
      addPairJoint(element, bodies, model);
    } else if (element.tag() == "joint") {
      addJointEquality(element, model, log);
    } else {
      element.leftOut(fmt::format("<{}> of <equality>", element.tag()));
    }
  }
}

void assignFilters(const XmlElement& mujoco, const std::map<std::string, int>& bodies,
                   std::vector<ContactBits> bits, ImportedModel& model, ImportLog& log) {
  bits.resize(model.bodies.size());
  const std::set<std::pair<int, int>> excluded = excludedPairs(mujoco, bodies);
  const auto isExcluded = [&](int a, int b) {
    return a >= 0 && b >= 0 && excluded.contains({std::min(a, b), std::max(a, b)});
  };
  std::vector<ContactKind> kinds;
  std::vector<std::size_t> kindOf(bits.size(), 0);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (model.bodies[i].parts.empty()) continue;
    const int body = static_cast<int>(i);
    const bool isSpecial = std::ranges::any_of(
        excluded, [&](const auto& pair) { return pair.first == body || pair.second == body; });
    const ContactKind kind{bits[i], isSpecial ? body : -1};
    const auto known = std::ranges::find(kinds, kind.key(), &ContactKind::key);
    kindOf[i] = static_cast<std::size_t>(known - kinds.begin());
    if (known == kinds.end()) kinds.push_back(kind);
  }
  if (kinds.size() > 32) {
    log.problem(mujoco.line(),
                "more than 32 kinds of bodies by contype, conaffinity and <exclude>; "
                "a scene tells 32 apart");
    return;
  }
  std::vector<std::uint32_t> masks(kinds.size(), 0);
  bool isAll = true;
  for (std::size_t a = 0; a < kinds.size(); ++a) {
    for (std::size_t b = 0; b < kinds.size(); ++b) {
      if (meet(kinds[a].bits, kinds[b].bits) && !isExcluded(kinds[a].body, kinds[b].body)) {
        masks[a] |= std::uint32_t{1} << b;
      } else {
        isAll = false;
      }
    }
  }
  if (isAll) return;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (model.bodies[i].parts.empty()) continue;
    model.bodies[i].filter = {std::uint32_t{1} << kindOf[i], masks[kindOf[i]]};
  }
}

}  // namespace drystone::importing
