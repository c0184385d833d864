// An MJCF model: the tree of its bodies.
#include "scenes/importing/mjcf/mjcf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <span>

#include "core/input_error.h"
#include "core/wording.h"
#include "scenes/importing/mjcf/mjcf_constraints.h"

namespace drystone::importing {
namespace {

/// A body of the file while its tree is walked.
struct TreeNode {
  int body = -1;  ///< of the model; -1: it does not move
  Pose pose;      ///< of the element in the world
  std::string childClass;
};

class MjcfTree {
 public:
  MjcfTree(const XmlElement& mujoco, const std::string& directory)
      : mujoco_(mujoco), log_(mujoco.log()), settings_(readMjcfSettings(mujoco, directory)) {
    checkNames(mujoco, mjcfNames());
    model_.name = mujoco.text("model");
    model_.gravity = Vec3(0, 0, -9.81);
    model_.timestep = 0.002;
    model_.takesLargerFriction = true;
    model_.bodies.push_back({.name = "world", .kind = BodyKind::kStatic});
    readSections();
  }

  ImportedModel take() {
    const std::vector<XmlElement> worlds = mujoco_.children("worldbody");
    if (worlds.empty()) mujoco_.problem("the model has no <worldbody>");
    for (const XmlElement& world : worlds) collectJoints(world, "");
    std::map<std::string, MjcfJoint*> byName;
    for (MjcfJoint& joint : joints_) {
      if (!joint.name.empty()) byName.emplace(joint.name, &joint);
    }
    readActuators(mujoco_, settings_, byName);
    placeCoupledJoints(mujoco_, byName, log_);
    for (const XmlElement& world : worlds) {
      const TreeNode node{.childClass = world.text("childclass")};
      readGeoms(world, node, "world");
      walkChildren(world, node);
    }
    makeSoft();
    log_.throwProblems();
    addEqualities(mujoco_, names_, model_, log_);
    assignFilters(mujoco_, names_, contacts_, model_, log_);
    return std::move(model_);
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  void readSections() {
    constexpr std::array<std::string_view, 9> kRead = {"compiler",  "default",  "asset",
                                                       "worldbody", "actuator", "equality",
                                                       "contact",   "visual",   "statistic"};
    for (const XmlElement& section : mujoco_.children()) {
      if (section.tag() == "option") {
        readOption(section);
      } else if (std::ranges::find(kRead, section.tag()) == kRead.end()) {
        section.leftOut(fmt::format("<{}>", section.tag()));
      }
    }
  }

  void readOption(const XmlElement& option) {
    model_.gravity = option.vector("gravity", *model_.gravity);
    model_.timestep = option.real("timestep", *model_.timestep);
    if (!(*model_.timestep > 0)) option.problem("timestep must be > 0 s");
    for (const XmlElement& child : option.children()) child.leftOut("<flag> of <option>");
  }

  /// All hinges and slides in the order of the walk, since actuators and couplings change them.
  void collectJoints(const XmlElement& parent, const std::string& childClass) {
    const std::size_t first = joints_.size();
    for (const XmlElement& own : parent.children("joint")) {
      if (parent.tag() != "body") own.problem("only a <body> has joints");
      const XmlElement element = withDefaults(own, childClass, settings_);
      const std::string type = element.text("type", "hinge");
      if (type == "hinge" || type == "slide") {
        joints_.push_back(readMjcfJoint(element, settings_));
      } else if (type != "ball" && type != "free") {
        const std::vector<std::string> known = {"hinge", "slide", "ball", "free"};
        element.problem(
            fmt::format("there is no type of joint \"{}\"; {}", type, didYouMean(type, known)));
      }
    }
    for (std::size_t i = first; i < joints_.size(); ++i) {
      joints_[i].sharesBody = joints_.size() > first + 1;
    }
    for (const XmlElement& own : parent.children()) {
      if (own.tag() != "body" && own.tag() != "frame") continue;
      collectJoints(own, own.text("childclass", childClass));
    }
  }

  void walkChildren(const XmlElement& element, const TreeNode& node) {
    for (const XmlElement& child : element.children()) {
      const std::string inner = child.text("childclass", node.childClass);
      if (child.tag() == "body") {
        walkBody(child, {node.body, node.pose * readMjcfPose(child, settings_), inner});
      } else if (child.tag() == "frame") {
        walkChildren(child, {node.body, node.pose * readMjcfPose(child, settings_), inner});
      } else if (child.tag() != "geom" && child.tag() != "joint" && child.tag() != "freejoint" &&
                 child.tag() != "inertial") {
        child.leftOut(fmt::format("<{}> of a body", child.tag()));
      }
    }
  }

  /// The joints of a body that have one coordinate: the next ones that were collected.
  std::span<MjcfJoint> takeJoints(const XmlElement& element, const std::string& childClass,
                                  bool& isFree, std::optional<XmlElement>& ball) {
    std::size_t count = 0;
    for (const XmlElement& own : element.children()) {
      if (own.tag() == "freejoint") isFree = true;
      if (own.tag() != "joint") continue;
      const XmlElement joint = withDefaults(own, childClass, settings_);
      const std::string type = joint.text("type", "hinge");
      if (type == "free") isFree = true;
      if (type == "ball") ball = joint;
      if (type == "hinge" || type == "slide") ++count;
    }
    taken_.assign(joints_.begin() + next_, joints_.begin() + next_ + static_cast<long>(count));
    next_ += static_cast<long>(count);
    return taken_;
  }

  void walkBody(const XmlElement& element, TreeNode node) {
    const std::string name = element.text("name", fmt::format("body_{}", names_.size() + 1));
    bool isFree = false;
    std::optional<XmlElement> ball;
    const std::span<MjcfJoint> joints = takeJoints(element, node.childClass, isFree, ball);
    if (element.text("mocap") == "true") element.leftOut("motion of a mocap body");
    const int parent = node.body;
    const bool moves = isFree || ball || !joints.empty();
    if (moves) {
      if (int{isFree} + int{ball.has_value()} + int{!joints.empty()} > 1) {
        element.problem("a free or ball joint cannot share its body with other joints");
        return;
      }
      if (joints.size() == 1) {
        joints[0].start = startWithin(joints[0].coordinate, joints[0].start, joints[0].name,
                                      joints[0].line, log_);
      }
      addJoint(element, name, joints, ball, parent, node.pose);
      node.pose = node.pose * startOf(joints);
      node.body = static_cast<int>(model_.bodies.size());
      model_.bodies.push_back({.name = name, .line = element.line(), .pose = node.pose});
      model_.bodies.back().gravityScale = 1 - element.real("gravcomp", 0);
    }
    if (!names_.emplace(name, node.body < 0 ? 0 : node.body).second) {
      element.problem(fmt::format("another body is named '{}' already", name));
    }
    readGeoms(element, node, name);
    walkChildren(element, node);
  }

  void addJoint(const XmlElement& element, const std::string& body, std::span<MjcfJoint> joints,
                const std::optional<XmlElement>& ball, int parent, const Pose& pose) {
    std::optional<ImportedJoint> joint;
    if (ball) {
      joint = ImportedJoint{.type = "ball"};
      joint->anchor = pose * ball->vector("pos", Vec3::Zero());
      joint->name = ball->text("name");
      for (const char* lost : {"range", "stiffness", "damping", "frictionloss"}) {
        if (ball->has(lost)) ball->leftOut(fmt::format("{} of a ball joint", lost));
      }
    } else if (!joints.empty()) {
      try {
        joint = stackedJoint(joints, pose, log_);
      } catch (const InputError& error) {
        return element.problem(error.what());
      }
      joint->name = joints.front().name;
    } else {
      return;
    }
    if (joint->name.empty()) joint->name = body + "_joint";
    joint->line = element.line();
    joint->bodyA = parent < 0 ? 0 : parent;
    joint->bodyB = static_cast<int>(model_.bodies.size());
    model_.joints.push_back(std::move(*joint));
  }

  /// Geoms and the mass of the body, in the frame of the model's body that it belongs to.
  void readGeoms(const XmlElement& element, const TreeNode& node, const std::string& name) {
    ImportedBody part;
    part.name = node.body < 0 && name == "world" ? "world_geoms" : name;
    part.line = element.line();
    part.pose = node.pose;
    part.kind = node.body < 0 ? BodyKind::kStatic : BodyKind::kDynamic;
    ContactBits bits;
    addGeoms(element, {}, node, part, bits);
    const auto inertial = element.child("inertial");
    if (inertial && settings_.inertia != MjcfSettings::Inertia::kOfShapes) {
      part.mass = readInertial(*inertial);
    } else if (settings_.inertia == MjcfSettings::Inertia::kOfInertials) {
      part.mass = {};
    }
    if (node.body >= 0) {
      attachRigidly(part, model_.bodies[at(node.body)]);
      addBits(node.body, bits);
    } else if (!part.parts.empty()) {
      const int index = static_cast<int>(model_.bodies.size());
      if (name != "world") names_[name] = index;
      addBits(index, bits);
      model_.bodies.push_back(std::move(part));
    }
  }

  /// Those in frames of the body, too; `frame` is where they lie in it.
  void addGeoms(const XmlElement& element, const Pose& frame, const TreeNode& node,
                ImportedBody& part, ContactBits& bits) {
    for (const XmlElement& own : element.children()) {
      if (own.tag() == "frame") {
        TreeNode inner = node;
        inner.childClass = own.text("childclass", node.childClass);
        addGeoms(own, frame * readMjcfPose(own, settings_), inner, part, bits);
      }
      if (own.tag() != "geom") continue;
      auto geom = readMjcfGeom(withDefaults(own, node.childClass, settings_), settings_);
      if (!geom) continue;
      geom->mass = placedMass(geom->mass, frame);
      geom->pose = frame * geom->pose;
      addGeom(own, *geom, node, part, bits);
    }
  }

  void addGeom(const XmlElement& element, const MjcfGeom& geom, const TreeNode& node,
               ImportedBody& part, ContactBits& bits) {
    part.mass = sumOfMasses(part.mass, geom.mass);
    if (geom.contype == 0 && geom.conaffinity == 0) return;  // only to be seen
    const std::string material = materialOf(element, geom, node.body);
    if (std::holds_alternative<Plane>(geom.shape)) {
      if (node.body >= 0) return element.problem("a plane belongs to a body that does not move");
      addBits(static_cast<int>(model_.bodies.size()), {geom.contype, geom.conaffinity});
      ImportedBody plane;
      plane.name = element.text("name", fmt::format("plane_{}", model_.bodies.size()));
      plane.line = element.line();
      plane.kind = BodyKind::kStatic;
      plane.pose = node.pose * geom.pose;
      plane.parts = {{geom.shape, {}}};
      plane.materials = {material};
      model_.bodies.push_back(std::move(plane));
      return;
    }
    if (!part.parts.empty() && bits != ContactBits{geom.contype, geom.conaffinity}) {
      element.log().note(
          element.line(),
          "geoms of a body with several contypes and conaffinities have all of them");
    }
    bits.contype |= geom.contype;
    bits.conaffinity |= geom.conaffinity;
    part.parts.push_back({geom.shape, geom.pose});
    part.materials.push_back(material);
  }

  /// Softness is of the mass of the body, which is known when all of its geoms are.
  std::string materialOf(const XmlElement& element, const MjcfGeom& geom, int body) {
    std::string name = fmt::format("friction_{}", geom.friction);
    if (geom.softness && body < 0) {
      element.log().note(element.line(),
                         "solref of what does not move: that of the geom it meets counts alone");
    } else if (geom.softness) {
      element.log().note(element.line(),
                         "solref becomes stiffness and damping, by the mass of the body");
      const auto [timeOrStiffness, ratioOrDamping] = geom.softness->solref;
      name += fmt::format("_solref_{}_{}_{}_body_{}", timeOrStiffness, ratioOrDamping,
                          geom.softness->impedance, body);
      soft_[name] = {*geom.softness, body};
    }
    model_.materials[name].friction = geom.friction;
    return name;
  }

  void makeSoft() {
    // MuJoCo raises shorter ones.
    const Real leastTime = 2 * *model_.timestep;
    for (const auto& [name, soft] : soft_) {
      const ImportedBody& body = model_.bodies[at(soft.body)];
      if (!(body.mass.mass > 0)) continue;  // told by checkModel
      std::array<Real, 2> solref = soft.softness.solref;
      if (solref[0] > 0) solref[0] = std::max(solref[0], leastTime);
      try {
        model_.materials[name].spring =
            springFromSolref(solref, soft.softness.impedance, body.mass.mass);
      } catch (const InputError& error) {
        log_.problem(body.line, fmt::format("geom of \"{}\": {}", body.name, error.what()));
      }
    }
  }

  MassProperties readInertial(const XmlElement& inertial) {
    MassProperties mass;
    const auto value = inertial.required("mass");
    if (!value) return mass;
    if (!(*value > 0)) inertial.problem(fmt::format("mass must be > 0 kg, got {:g}", *value));
    mass.mass = *value;
    if (const auto full = inertial.reals("fullinertia", 6, 6)) {
      const auto& i = *full;
      mass.inertia = symmetricInertia(i[0], i[1], i[2], i[3], i[4], i[5]);
    } else if (const auto diagonal = inertial.reals("diaginertia", 3, 3)) {
      mass.inertia = Vec3((*diagonal)[0], (*diagonal)[1], (*diagonal)[2]).asDiagonal();
    } else {
      inertial.problem("<inertial> needs a \"diaginertia\" or a \"fullinertia\"");
    }
    return placedMass(mass, readMjcfPose(inertial, settings_));
  }

  void addBits(int body, const ContactBits& bits) {
    if (contacts_.size() <= at(body)) contacts_.resize(at(body) + 1);
    contacts_[at(body)].contype |= bits.contype;
    contacts_[at(body)].conaffinity |= bits.conaffinity;
  }

  const XmlElement& mujoco_;
  ImportLog& log_;
  MjcfSettings settings_;
  std::deque<MjcfJoint> joints_;  ///< in the order of the walk
  long next_ = 0;                 ///< of them, not yet taken
  std::vector<MjcfJoint> taken_;
  std::map<std::string, int> names_;   ///< bodies of the model by the names of the file
  std::vector<ContactBits> contacts_;  ///< by body of the model
  struct SoftMaterial {
    MjcfSoftness softness;
    int body = -1;
  };
  std::map<std::string, SoftMaterial> soft_;  ///< by the names of materials
  ImportedModel model_;
};

}  // namespace

ImportedModel readMjcf(const XmlElement& mujoco, const std::string& directory) {
  return MjcfTree(mujoco, directory).take();
}

}  // namespace drystone::importing
