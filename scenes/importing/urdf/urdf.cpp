// A URDF robot: the tree of its links, and where they start.
#include "scenes/importing/urdf/urdf.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/wording.h"

namespace drystone::importing {
namespace {

class UrdfRobot {
 public:
  UrdfRobot(const XmlElement& robot, const std::string& directory, const ImportOptions& options)
      : log_(robot.log()), line_(robot.line()), options_(options) {
    model_.name = robot.text("name");
    checkNames(robot, urdfNames());
    readElements(robot, directory);
    connect();
    log_.throwProblems();
    order();
    log_.throwProblems();
  }

  ImportedModel take() {
    findStarts();
    log_.throwProblems();
    placeLinks();
    makeBodies();
    for (const int link : order_) {
      if (links_[at(link)].parentJoint >= 0) makeJoint(joints_[at(links_[at(link)].parentJoint)]);
    }
    for (const UrdfJoint& joint : joints_) makeCoupling(joint);
    return std::move(model_);
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  void readElements(const XmlElement& robot, const std::string& directory) {
    const std::map<std::string, MotorKind> motors = readTransmissions(robot);
    for (const XmlElement& element : robot.children()) {
      if (element.tag() == "link") {
        links_.push_back(readUrdfLink(element, directory));
        addName(links_.back().body.name, static_cast<int>(links_.size()) - 1, element, linkIndex_);
      } else if (element.tag() == "joint") {
        joints_.push_back(readUrdfJoint(element, motors, options_));
        addName(joints_.back().name, static_cast<int>(joints_.size()) - 1, element, jointIndex_);
      } else if (element.tag().starts_with("xacro:")) {
        element.problem("this is a xacro file; expand it first: xacro robot.xacro > robot.urdf");
      } else if (element.tag() != "transmission" && element.tag() != "material") {
        element.leftOut(fmt::format("<{}>", element.tag()));
      }
    }
    if (links_.empty()) robot.problem("the robot has no <link>");
  }

  void addName(const std::string& name, int index, const XmlElement& element,
               std::map<std::string, int>& names) {
    if (name.empty() || names.emplace(name, index).second) return;
    element.problem(fmt::format("another {} is named '{}' already", element.tag(), name));
  }

  /// -1 after a problem; so it is where the name is missing, which was one.
  int find(const std::string& name, std::string_view kind, int line,
           const std::map<std::string, int>& names) {
    if (name.empty()) return -1;
    if (const auto found = names.find(name); found != names.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [one, unused] : names) known.push_back(one);
    log_.problem(line, fmt::format("there is no {} '{}'; {}", kind, name, didYouMean(name, known)));
    return -1;
  }

  void connect() {
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      UrdfJoint& joint = joints_[i];
      joint.parent = find(joint.parentName, "link", joint.line, linkIndex_);
      joint.child = find(joint.childName, "link", joint.line, linkIndex_);
      if (joint.parent < 0 || joint.child < 0) continue;
      int& parentJoint = links_[at(joint.child)].parentJoint;
      if (parentJoint >= 0) {
        log_.problem(joint.line,
                     fmt::format("link '{}' is the child of joint '{}' already; a URDF robot is a "
                                 "tree, each link with one parent",
                                 joint.childName, joints_[at(parentJoint)].name));
        continue;
      }
      parentJoint = static_cast<int>(i);
    }
  }

  /// Parents before children; a single root from which all is reached.
  void order() {
    std::vector<std::vector<int>> children(links_.size());
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const int parentJoint = links_[i].parentJoint;
      if (parentJoint >= 0) {
        children[at(joints_[at(parentJoint)].parent)].push_back(static_cast<int>(i));
      } else {
        order_.push_back(static_cast<int>(i));
      }
    }
    if (order_.size() > 1) {
      std::vector<std::string> roots;
      for (const int root : order_) roots.push_back(links_[at(root)].body.name);
      log_.problem(line_, fmt::format("the robot has several roots ({}); join all but one to the "
                                      "others, or remove them",
                                      fmt::join(roots, ", ")));
    }
    std::vector<char> isReached(links_.size(), 0);
    for (std::size_t next = 0; next < order_.size(); ++next) {
      isReached[at(order_[next])] = 1;
      for (const int child : children[at(order_[next])]) order_.push_back(child);
    }
    const auto lost = std::ranges::find(isReached, 0);
    if (lost == isReached.end()) return;
    const UrdfLink& link = links_[static_cast<std::size_t>(lost - isReached.begin())];
    const UrdfJoint& joint = joints_[at(link.parentJoint)];
    log_.problem(joint.line, fmt::format("joint '{}' closes a cycle of links around '{}'; a URDF "
                                         "robot is a tree with one root",
                                         joint.name, link.body.name));
  }

  /// Joints start at 0, or at the nearest limit; those that mimic where the others have them.
  void findStarts() {
    std::vector<char> state(joints_.size(), 0);  // 1: being found, 2: found
    for (std::size_t i = 0; i < joints_.size(); ++i) findStart(static_cast<int>(i), state);
  }

  void findStart(int index, std::vector<char>& state) {
    if (state[at(index)] == 2) return;
    UrdfJoint& joint = joints_[at(index)];
    if (state[at(index)] == 1) {
      log_.problem(joint.line, fmt::format("joint '{}' mimics itself", joint.name));
      return;
    }
    state[at(index)] = 1;
    if (!joint.mimic) {
      joint.start = startWithin(joint.coordinate, 0, joint.name, joint.line, log_);
    } else if (const int leader = find(joint.mimic->joint, "joint", joint.mimic->line, jointIndex_);
               leader >= 0) {
      findStart(leader, state);
      joint.start = joint.mimic->multiplier * joints_[at(leader)].start + joint.mimic->offset;
      if (joint.start < joint.coordinate.lower || joint.start > joint.coordinate.upper) {
        log_.note(joint.mimic->line,
                  fmt::format("joint '{}' starts at {:g} by its <mimic>, beyond its limits",
                              joint.name, joint.start));
      }
    }
    if (joint.coordinate.motor) joint.coordinate.motor->target = heldAt(joint);
    state[at(index)] = 2;
  }

  static Real heldAt(const UrdfJoint& joint) {
    return joint.coordinate.motor->kind == MotorKind::kPosition ? joint.start : 0;
  }

  void placeLinks() {
    for (const int link : order_) {
      if (links_[at(link)].parentJoint < 0) continue;
      const UrdfJoint& joint = joints_[at(links_[at(link)].parentJoint)];
      Pose motion;
      if (joint.start != 0 && joint.type == UrdfJointType::kPrismatic) {
        motion.position = joint.start * joint.axis;
      } else if (joint.start != 0) {
        motion.rotation = Quat(Eigen::AngleAxis<Real>(joint.start, joint.axis));
      }
      links_[at(link)].body.pose = links_[at(joint.parent)].body.pose * joint.origin * motion;
    }
  }

  bool isFixed(int link) const {
    const int joint = links_[at(link)].parentJoint;
    return joint >= 0 && joints_[at(joint)].type == UrdfJointType::kFixed;
  }

  bool isRootStatic() {
    if (options_.base != RobotBase::kAutomatic) return options_.base == RobotBase::kFixed;
    const ImportedBody& root = links_[at(order_.front())].body;
    if (root.name == "world") return true;
    std::vector<char> isOfRoot(links_.size(), 0);
    isOfRoot[at(order_.front())] = 1;
    for (const int link : order_) {
      if (isFixed(link))
        isOfRoot[at(link)] = isOfRoot[at(joints_[at(links_[at(link)].parentJoint)].parent)];
      if (isOfRoot[at(link)] != 0 && links_[at(link)].body.mass.mass > 0) return false;
    }
    log_.note(root.line, fmt::format("the root '{}' has no mass, so that it is fixed", root.name));
    return true;
  }

  /// A body for each link. What is fixed to static bodies is static; links without a mass become
  /// parts of what they are fixed to.
  void makeBodies() {
    bodyOf_.assign(links_.size(), -1);
    const bool isStatic = isRootStatic();
    for (const int link : order_) {
      ImportedBody& body = links_[at(link)].body;
      if (isFixed(link)) {
        const int of = bodyOf_[at(joints_[at(links_[at(link)].parentJoint)].parent)];
        ImportedBody& parent = model_.bodies[at(of)];
        if (parent.kind == BodyKind::kStatic) {
          body.kind = BodyKind::kStatic;
          log_.note(body.line, "a link that is fixed to a static one is static");
        } else if (parent.mass.mass == 0 || body.mass.mass == 0) {
          attachRigidly(body, parent);
          bodyOf_[at(link)] = of;
          log_.note(body.line, "a link without mass is one body with what it is fixed to");
          continue;
        }
      } else if (links_[at(link)].parentJoint < 0 && isStatic) {
        body.kind = BodyKind::kStatic;
      }
      bodyOf_[at(link)] = static_cast<int>(model_.bodies.size());
      model_.bodies.push_back(body);
    }
  }

  void makeJoint(const UrdfJoint& from) {
    ImportedJoint joint;
    joint.bodyA = bodyOf_[at(from.parent)];
    joint.bodyB = bodyOf_[at(from.child)];
    const bool isOneBody =
        joint.bodyA == joint.bodyB || model_.bodies[at(joint.bodyB)].kind == BodyKind::kStatic;
    if (isOneBody || from.type == UrdfJointType::kFloating) return;
    const Pose& pose = links_[at(from.child)].body.pose;
    joint.name = from.name;
    joint.line = from.line;
    joint.anchor = pose.position;
    joint.axis = pose.rotation * from.axis;
    joint.type = "hinge";
    if (from.type == UrdfJointType::kFixed) joint.type = "fixed";
    if (from.type == UrdfJointType::kPrismatic) joint.type = "slider";
    takeCoordinate(from.start, from.coordinate, joint, log_);
    if (from.type == UrdfJointType::kPlanar) {  // x of the frames stands on the plane
      joint.type = "six_dof";
      joint.orientation = rotationBetween(Vec3::UnitX(), joint.axis);
      for (const char* key : {"y", "z", "about_x"}) joint.axes[key] = {};
    }
    indexOf_[from.name] = static_cast<int>(model_.joints.size());
    model_.joints.push_back(std::move(joint));
  }

  void makeCoupling(const UrdfJoint& joint) {
    if (!joint.mimic) return;
    const auto leader = indexOf_.find(joint.mimic->joint);
    if (leader == indexOf_.end()) {
      log_.leftOut(joint.mimic->line, "a <mimic> of a joint without a coordinate");
      return;
    }
    addCoupling(joint.name + "_mimic", joint.mimic->line, indexOf_.at(joint.name), leader->second,
                joint.mimic->multiplier, model_, log_);
  }

  ImportLog& log_;
  int line_ = 0;
  ImportOptions options_;
  std::vector<UrdfLink> links_;
  std::vector<UrdfJoint> joints_;
  std::map<std::string, int> linkIndex_, jointIndex_;
  std::vector<int> order_;              ///< links, parents first
  std::vector<int> bodyOf_;             ///< of the model, by link
  std::map<std::string, int> indexOf_;  ///< of the model's joints, by name
  ImportedModel model_;
};

}  // namespace

ImportedModel readUrdf(const XmlElement& robot, const std::string& directory,
                       const ImportOptions& options) {
  return UrdfRobot(robot, directory, options).take();
}

}  // namespace drystone::importing
