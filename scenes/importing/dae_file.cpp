// COLLADA files (DAE): the corners of the polygons of their scene, where its nodes put them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <utility>

#include "core/input_error.h"
#include "scenes/importing/mesh_file.h"
#include "scenes/importing/xml_element.h"

namespace drystone::importing {
namespace {

using Transform = Eigen::Transform<Real, 3, Eigen::Affine>;

/// Nodes may use others many times over; meshes of robots have some tens.
constexpr int kMostNodes = 100'000;
constexpr int kDeepestNode = 200;
constexpr std::size_t kMostCorners = 10'000'000;

[[noreturn]] void fail(const XmlElement& element, std::string_view what) {
  throw InputError(fmt::format("{}: {}", element.log().place(element.line()), what));
}

/// The numbers between the tags.
std::vector<Real> numbersOf(const XmlElement& element) {
  auto numbers = parseReals(element.content());
  if (!numbers) fail(element, fmt::format("<{}> must hold finite numbers", element.tag()));
  return *std::move(numbers);
}

std::vector<Real> numbersOf(const XmlElement& element, std::size_t count) {
  std::vector<Real> numbers = numbersOf(element);
  if (numbers.size() == count) return numbers;
  fail(element,
       fmt::format("<{}> must hold {} numbers, got {}", element.tag(), count, numbers.size()));
}

/// A whole number from 0 on.
std::optional<std::size_t> wholeNumber(Real number) {
  if (!(number >= 0) || number != std::floor(number)) return std::nullopt;
  return static_cast<std::size_t>(number);
}

std::size_t wholeAttribute(const XmlElement& element, std::string_view name, Real otherwise) {
  const auto number = wholeNumber(element.real(name, otherwise));
  element.log().throwProblems();
  if (number) return *number;
  fail(element, fmt::format("{} of <{}> must be a whole number ≥ 0", name, element.tag()));
}

XmlElement childOf(const XmlElement& element, std::string_view tag) {
  if (const auto child = element.child(tag)) return *child;
  fail(element, fmt::format("<{}> needs a <{}>; export the mesh anew", element.tag(), tag));
}

class DaeFile {
 public:
  explicit DaeFile(const XmlElement& root) : root_(root) {
    if (root.tag() != "COLLADA") {
      fail(root, fmt::format("<{}> is no mesh; DAE files begin with <COLLADA>", root.tag()));
    }
    collect(root);
  }

  std::vector<Vec3> corners() {
    const XmlElement scene = childOf(childOf(root_, "scene"), "instance_visual_scene");
    for (const XmlElement& node : target(scene, "url").children("node")) {
      addNode(node, axesAndUnit(), 1);
    }
    if (corners_.empty()) fail(scene, "the scene shows no polygons; export the mesh anew");
    return std::move(corners_);
  }

 private:
  /// Elements by their ids.
  void collect(const XmlElement& element) {
    for (const XmlElement& child : element.children()) {
      if (const std::string id = child.text("id"); !id.empty()) byId_.emplace("#" + id, child);
      collect(child);
    }
  }

  /// The element that an attribute points to.
  const XmlElement& target(const XmlElement& element, std::string_view attribute) const {
    const std::string url = element.text(attribute);
    const auto found = byId_.find(url);
    if (found != byId_.end()) return found->second;
    fail(element, url.starts_with('#')
                      ? fmt::format("there is no element with the id \"{}\"", url.substr(1))
                      : fmt::format("{} of <{}> must be \"#\" and the id of an element of this "
                                    "file, got \"{}\"",
                                    attribute, element.tag(), url));
  }

  /// From the file's unit and axes to [m] with z up.
  Transform axesAndUnit() const {
    Transform turn = Transform::Identity();
    std::string up = "Y_UP";
    Real meters = 1;
    if (const auto asset = root_.child("asset")) {
      if (const auto axis = asset->child("up_axis")) up = axis->content();
      if (const auto unit = asset->child("unit")) {
        meters = unit->real("meter", 1);
        if (!(meters > 0)) fail(*unit, "meter of <unit> must be > 0");
      }
      if (up != "X_UP" && up != "Y_UP" && up != "Z_UP") {
        fail(*asset, fmt::format("<up_axis> must be X_UP, Y_UP or Z_UP, got \"{}\"", up));
      }
    }
    if (up == "Y_UP") turn.linear() << 1, 0, 0, 0, 0, -1, 0, 1, 0;
    if (up == "X_UP") turn.linear() << 0, -1, 0, 0, 0, -1, 1, 0, 0;
    turn.linear() *= meters;
    return turn;
  }

  static Transform ownTransform(const XmlElement& element) {
    Transform own = Transform::Identity();
    const std::string_view tag = element.tag();
    if (tag == "matrix") {
      const std::vector<Real> m = numbersOf(element, 16);
      for (int i = 0; i < 12; ++i) own.matrix()(i / 4, i % 4) = m[static_cast<std::size_t>(i)];
    } else if (tag == "translate") {
      const std::vector<Real> v = numbersOf(element, 3);
      own.translation() = Vec3(v[0], v[1], v[2]);
    } else if (tag == "scale") {
      const std::vector<Real> v = numbersOf(element, 3);
      own.linear() = Vec3(v[0], v[1], v[2]).asDiagonal();
    } else if (tag == "rotate") {
      const std::vector<Real> v = numbersOf(element, 4);
      const Vec3 axis(v[0], v[1], v[2]);
      if (!(axis.norm() > 0)) fail(element, "the axis of <rotate> must not be zero");
      own.linear() = Eigen::AngleAxis<Real>(v[3] * std::numbers::pi / 180, axis.normalized())
                         .toRotationMatrix();
    } else if (tag == "lookat" || tag == "skew") {
      fail(element, fmt::format("<{}> is not read; use <matrix>", tag));
    }
    return own;
  }

  void addNode(const XmlElement& node, Transform pose, int depth) {
    if (node.tag() != "node") fail(node, "an <instance_node> must point to a <node>");
    if (depth > kDeepestNode || ++nodes_ > kMostNodes) {
      fail(node, "nodes contain each other, or nest too deep; export the mesh anew");
    }
    for (const XmlElement& child : node.children()) {
      if (child.tag() == "node") {
        addNode(child, pose, depth + 1);
      } else if (child.tag() == "instance_node") {
        addNode(target(child, "url"), pose, depth + 1);
      } else if (child.tag() == "instance_geometry") {
        addGeometry(target(child, "url"), pose);
      } else if (child.tag() == "instance_controller") {
        fail(child, "skinned meshes are not read; export the mesh without its armature");
      } else {
        pose = pose * ownTransform(child);  // in their order, before all others
      }
    }
  }

  void addGeometry(const XmlElement& geometry, const Transform& pose) {
    if (geometry.tag() != "geometry") {
      fail(geometry, "an <instance_geometry> must point to a <geometry>");
    }
    const auto mesh = geometry.child("mesh");
    if (!mesh) return;  // a curve
    for (const XmlElement& part : mesh->children()) {
      constexpr std::array<std::string_view, 5> kPolygons = {"triangles", "polylist", "polygons",
                                                             "tristrips", "trifans"};
      if (std::ranges::find(kPolygons, part.tag()) != kPolygons.end()) addPolygons(part, pose);
    }
  }

  /// `<p>` holds a group of indices for each corner, one of them that of the point.
  void addPolygons(const XmlElement& part, const Transform& pose) {
    std::size_t group = 0;
    std::optional<std::size_t> offset;
    std::vector<Vec3> points;
    for (const XmlElement& input : part.children("input")) {
      const std::size_t at = wholeAttribute(input, "offset", 0);
      group = std::max(group, at + 1);
      if (input.text("semantic") != "VERTEX") continue;
      offset = at;
      points = pointsOf(target(input, "source"));
    }
    if (!offset) fail(part, fmt::format("<{}> needs an <input> with VERTEX", part.tag()));
    for (const XmlElement& list : part.children("p")) {
      const std::vector<Real> indices = numbersOf(list);
      if (indices.size() % group != 0) {
        fail(list,
             fmt::format("<p> holds {} numbers, which are no groups of {}", indices.size(), group));
      }
      for (std::size_t i = *offset; i < indices.size(); i += group) {
        const auto index = wholeNumber(indices[i]);
        if (!index || *index >= points.size()) {
          fail(list,
               fmt::format("<p> names the point {}, and there are {}", indices[i], points.size()));
        }
        corners_.push_back(pose * points[*index]);
        if (!corners_.back().allFinite()) fail(list, "a point lies beyond all bounds");
        if (corners_.size() > kMostCorners) fail(list, "the scene has too many polygons");
      }
    }
  }

  std::vector<Vec3> pointsOf(const XmlElement& vertices) const {
    for (const XmlElement& input : vertices.children("input")) {
      if (input.text("semantic") == "POSITION") return pointsOfSource(target(input, "source"));
    }
    fail(vertices, "<vertices> needs an <input> with POSITION");
  }

  static std::vector<Vec3> pointsOfSource(const XmlElement& source) {
    const XmlElement array = childOf(source, "float_array");
    const std::vector<Real> numbers = numbersOf(array);
    const XmlElement accessor = childOf(childOf(source, "technique_common"), "accessor");
    const std::size_t stride = wholeAttribute(accessor, "stride", 1),
                      first = wholeAttribute(accessor, "offset", 0),
                      count = wholeAttribute(accessor, "count", 0);
    if (stride < 3) fail(accessor, "points need a stride of 3 or more");
    if (first > numbers.size() || count > (numbers.size() - first) / stride) {
      fail(accessor, fmt::format("{} points of {} numbers are more than the {} of <float_array>",
                                 count, stride, numbers.size()));
    }
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < count; ++i) {
      const Real* at = numbers.data() + first + i * stride;
      points.emplace_back(at[0], at[1], at[2]);
    }
    return points;
  }

  XmlElement root_;
  std::map<std::string, XmlElement> byId_;  ///< by "#" and their ids
  std::vector<Vec3> corners_;
  int nodes_ = 0;  ///< seen so far
};

}  // namespace

std::vector<Vec3> parseDae(std::string_view text, const std::string& path) {
  ImportLog log;
  const XmlFile file(text, path, log);
  std::vector<Vec3> corners = DaeFile(file.root()).corners();
  log.throwProblems();
  return corners;
}

}  // namespace drystone::importing
