#include <fmt/format.h>

#include <array>
#include <string_view>
#include <type_traits>
#include <utility>

#include "viewer/exporting/data_files.h"
#include "viewer/exporting/number_text.h"
#include "viewer/exporting/quantities.h"

namespace drystone::viewer {
namespace {

/// VTK's name of a type of numbers.
template <class Number>
constexpr const char* kVtkType = std::is_floating_point_v<Number> ? "Float64" : "Int32";

/// The numbers of a DataArray: in base 64, after their length in bytes.
template <class Number>
class VtkArray {
 public:
  explicit VtkArray(std::string name, std::size_t width = 1)
      : name_(std::move(name)), width_(width) {}

  void add(Number value) { appendNumber(bytes_, value); }
  void add(const Vec3& vector) {
    for (const Real value : vector) appendNumber(bytes_, value);
  }
  std::string xml() const {
    std::string counted;
    appendNumber(counted, static_cast<std::uint64_t>(bytes_.size()));
    return fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">\n{}\n"
        "</DataArray>\n",
        kVtkType<Number>, name_, width_, base64(counted += bytes_));
  }

 private:
  std::string name_;
  std::size_t width_;
  std::string bytes_;
};

/// Cells of `size` points each: the points in their order, or those that `indices` name.
class VtkCells {
 public:
  explicit VtkCells(int size) : size_(size) {}

  void add(std::size_t point) { connectivity_.add(static_cast<std::int32_t>(point)), ++points_; }
  std::int32_t count() const { return points_ / size_; }
  std::string xml(std::string_view kind) const {
    VtkArray<std::int32_t> offsets("offsets");
    for (std::int32_t end = size_; end <= points_; end += size_) offsets.add(end);
    return fmt::format("<{0}>\n{1}{2}</{0}>\n", kind, connectivity_.xml(), offsets.xml());
  }

 private:
  int size_;
  std::int32_t points_ = 0;
  VtkArray<std::int32_t> connectivity_{"connectivity"};
};

/// One PolyData of the given cells; `data` are its elements but the cells.
std::string polyData(std::size_t points, std::string_view kind, const VtkCells& cells,
                     const std::string& data) {
  return fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<PolyData>\n"
      "<Piece NumberOfPoints=\"{}\" NumberOf{}=\"{}\">\n{}{}</Piece>\n</PolyData>\n</VTKFile>\n",
      points, kind, cells.count(), data, cells.xml(kind));
}

std::string element(std::string_view name, const std::string& content) {
  return fmt::format("<{0}>\n{1}</{0}>\n", name, content);
}

}  // namespace

std::string vtkBodies(const BodyMeshes& meshes, const WorldSnapshot& frame) {
  VtkArray<Real> points("points", 3), velocities("velocity", 3);
  VtkArray<std::int32_t> bodies("body");
  VtkCells triangles(3);
  std::size_t count = 0;
  for (const BodyPart& part : meshes.parts) {
    const TriangleMeshf& mesh = *meshes.meshes[part.mesh];
    const BodySnapshot& body = frame.bodies[static_cast<std::size_t>(part.body)];
    for (const Vec3f& position : mesh.positions) {
      const Vec3f onBody = part.linear * position + part.offset;
      const Vec3 place = body.pose * onBody.cast<Real>();
      points.add(place);
      velocities.add(
          Vec3(body.linearVelocity + body.angularVelocity.cross(place - body.centerOfMass)));
    }
    for (const std::uint32_t index : mesh.indices) triangles.add(count + index);
    for (std::size_t i = 0; i < mesh.indices.size() / 3; ++i) bodies.add(part.body);
    count += mesh.positions.size();
  }
  return polyData(count, "Polys", triangles,
                  element("PointData", velocities.xml()) + element("CellData", bodies.xml()) +
                      element("Points", points.xml()));
}

std::string vtkContacts(const ExportedRun& run, const WorldSnapshot& frame) {
  VtkArray<std::int32_t> bodyA("body_a"), bodyB("body_b");
  VtkCells vertices(1);
  for (const ContactSnapshot& contact : frame.contacts) {
    bodyA.add(bodyIndex(*run.scene, contact.bodyA));
    bodyB.add(bodyIndex(*run.scene, contact.bodyB));
    vertices.add(static_cast<std::size_t>(vertices.count()));
  }
  std::string points, data = bodyA.xml() + bodyB.xml();
  for (const Quantity<ContactSnapshot>& one : contactQuantities()) {
    VtkArray<Real> array(one.name, one.width());
    for (const ContactSnapshot& contact : frame.contacts) {
      std::array<Real, kMostParts> numbers;
      one.put(contact, numbers.data());
      for (std::size_t k = 0; k < one.width(); ++k) array.add(numbers[k]);
    }
    const bool isPlace = std::string_view(one.name) == "position";
    (isPlace ? points : data) += array.xml();
  }
  return polyData(frame.contacts.size(), "Verts", vertices,
                  element("PointData", data) + element("Points", points));
}

std::string vtkFrameName(const std::string& series, std::size_t index) {
  return fmt::format("{}_{:06}.vtp", series, index);
}

std::string vtkSeries(const std::string& series, const std::vector<Real>& times) {
  std::string sets;
  for (std::size_t i = 0; i < times.size(); ++i) {
    sets += fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", times[i],
                        vtkFrameName(series, i));
  }
  return fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n{}</VTKFile>\n",
      element("Collection", sets));
}

}  // namespace drystone::viewer
