#include "bench/peers/mujoco_xml.h"

#include <fmt/format.h>

#include "bench/peers/peer_world.h"

namespace drystone::bench {
namespace {

std::string text(const Vec3& v) {
  return fmt::format("{:.17g} {:.17g} {:.17g}", v.x(), v.y(), v.z());
}

std::string text(const Quat& q) {
  return fmt::format("{:.17g} {:.17g} {:.17g} {:.17g}", q.w(), q.x(), q.y(), q.z());
}

std::string place(const Pose& pose) {
  return fmt::format("pos=\"{}\" quat=\"{}\"", text(pose.position), text(pose.rotation));
}

/// Writes the document piece by piece, bodies nested as their joints hang on each other.
class Writer {
 public:
  explicit Writer(const PeerScene& scene) : scene_(scene), parents_(scene.bodies.size(), kNone) {
    for (const PeerBody& body : scene.bodies) {
      if (body.friction == scene.bodies.front().friction) continue;
      throw PeerLimit("takes the larger friction of a pair where the scene has the geometric mean");
    }
    std::vector<int> depth(scene.bodies.size(), 0);
    for (std::size_t j = 0; j < scene.joints.size(); ++j) {
      const auto& [a, b, anchorA, anchorB] = scene.joints[j];
      depth[b] = depth[a] + 1;
      // Joints in order along a tree; what is left over, or nested too deep, is a constraint.
      const bool nests = a < b && parents_[b] == kNone && depth[b] <= kDeepest;
      if (nests) parents_[b] = static_cast<int>(j);
    }
  }

  std::string document(const MujocoXmlSettings& settings) {
    add("<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n");
    add("<option timestep=\"{:.17g}\" gravity=\"{}\" solver=\"{}\" cone=\"elliptic\"/>\n",
        scene_.timestep, text(scene_.gravity), settings.solver);
    add("<size njmax=\"{}\" nconmax=\"{}\" nstack=\"{}\"/>\n", settings.rowCapacity,
        settings.contactCapacity, settings.stackNumbers);
    addMeshes();
    add("<worldbody>\n");
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      const PeerBody& body = scene_.bodies[i];
      if (!body.isDynamic) {
        addGeom(static_cast<int>(i), body.pose);
      } else if (!hangsOnBody(static_cast<int>(i))) {
        addBody(static_cast<int>(i), Pose{});
      }
    }
    add("</worldbody>\n");
    addConstraints();
    add("</mujoco>\n");
    return out_;
  }

 private:
  static constexpr int kNone = -1;
  static constexpr int kDeepest = 90;  // MuJoCo's XML reader takes 100 nested elements

  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    out_ += fmt::format(format, std::forward<Values>(values)...);
  }

  void addMeshes() {
    add("<asset>\n");
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      if (!scene_.bodies[i].shape) continue;
      const auto* hull = std::get_if<ConvexHull>(&*scene_.bodies[i].shape);
      if (hull == nullptr) continue;
      add("<mesh name=\"m{}\" vertex=\"", i);
      for (const Vec3& vertex : hull->data->vertices) add("{} ", text(vertex));
      add("\"/>\n");
    }
    add("</asset>\n");
  }

  bool isNested(std::size_t joint) const {
    return parents_[scene_.joints[joint].bodyB] == static_cast<int>(joint);
  }

  /// The joints that are no nesting. The anchor is a point of the first body; without a second one
  /// it is tied to the world.
  void addConstraints() {
    add("<equality>\n");
    for (std::size_t j = 0; j < scene_.joints.size(); ++j) {
      const PeerJoint& joint = scene_.joints[j];
      if (isNested(j)) continue;
      add("<connect body1=\"b{}\"", joint.bodyB);
      if (scene_.bodies[joint.bodyA].isDynamic) add(" body2=\"b{}\"", joint.bodyA);
      add(" anchor=\"{}\"/>\n", text(joint.anchorB));
    }
    add("</equality>\n");
  }

  bool hangsOnBody(int body) const {
    return parents_[body] != kNone && scene_.bodies[scene_.joints[parents_[body]].bodyA].isDynamic;
  }

  void addBody(int index, const Pose& parent) {
    const PeerBody& body = scene_.bodies[index];
    add("<body name=\"b{}\" {}>", index, place(parent.inverse() * body.pose));
    if (body.rail) {
      const Vec3 axis = body.pose.rotation.conjugate() * *body.rail;
      add("<joint type=\"slide\" axis=\"{}\"/>", text(axis));
    } else if (parents_[index] == kNone) {
      add("<freejoint/>");
    } else {
      add("<joint type=\"ball\" pos=\"{}\"/>", text(scene_.joints[parents_[index]].anchorB));
    }
    add("<inertial pos=\"0 0 0\" mass=\"{:.17g}\" diaginertia=\"{}\"/>\n", body.mass,
        text(body.moments));
    addGeom(index, Pose{});
    for (std::size_t j = 0; j < scene_.joints.size(); ++j) {
      if (scene_.joints[j].bodyA == index && isNested(j))
        addBody(scene_.joints[j].bodyB, body.pose);
    }
    add("</body>\n");
  }

  void addGeom(int index, const Pose& pose) {
    const PeerBody& body = scene_.bodies[index];
    if (!body.shape) return;
    if (const auto* compound = std::get_if<Compound>(&*body.shape)) {
      for (const CompoundChild& child : compound->children)
        addGeom(index, child.shape, pose * child.pose);
    } else {
      addGeom(index, *body.shape, pose);
    }
  }

  void addGeom(int index, const Shape& shape, const Pose& pose) {
    add("<geom {} friction=\"{:.17g} 0.005 0.0001\" {}/>\n", place(pose),
        scene_.bodies[index].friction, shapeText(index, shape));
  }

  static std::string shapeText(int index, const Shape& shape) {
    if (const auto* sphere = std::get_if<Sphere>(&shape)) {
      return fmt::format("type=\"sphere\" size=\"{:.17g}\"", sphere->radius);
    }
    if (const auto* box = std::get_if<Box>(&shape)) {
      return fmt::format("type=\"box\" size=\"{}\"", text(box->halfExtents));
    }
    if (const auto* capsule = std::get_if<Capsule>(&shape)) {
      return fmt::format("type=\"capsule\" size=\"{:.17g} {:.17g}\"", capsule->radius,
                         capsule->halfLength);
    }
    if (std::holds_alternative<Plane>(shape)) return "type=\"plane\" size=\"0 0 1\"";
    return fmt::format("type=\"mesh\" mesh=\"m{}\"", index);
  }

  const PeerScene& scene_;
  std::vector<int> parents_;  // joint on which a body hangs
  std::string out_;
};

}  // namespace

std::string mujocoXml(const PeerScene& scene, const MujocoXmlSettings& settings) {
  return Writer(scene).document(settings);
}

}  // namespace drystone::bench
