// What lies where: rays, moved shapes, overlaps and distances.

#include <pybind11/stl.h>

#include <cmath>

#include "bindings/python/binding.h"
#include "bindings/python/handles.h"

namespace drystone::python {
namespace {

/// Which bodies a query sees, as Python gives it.
class Seen {
 public:
  Seen(const WorldPointer& world, std::uint32_t group, std::uint32_t mask,
       const py::object& without, bool sensors)
      : group_(group), mask_(mask), sensors_(sensors) {
    if (py::isinstance<PythonBody>(without)) {
      without_.push_back(bodyIdOf(world, without));
      return;
    }
    if (!py::isinstance<py::iterable>(without)) {
      throw InputError("without must be a body or a list of bodies, got " +
                       py::cast<std::string>(py::repr(without)));
    }
    for (const py::handle& body : without) without_.push_back(bodyIdOf(world, body));
  }
  QueryFilter filter() const {
    return {.filter = {.group = group_, .mask = mask_}, .without = without_, .sensors = sensors_};
  }

 private:
  std::uint32_t group_, mask_;
  bool sensors_;
  std::vector<BodyId> without_;
};

constexpr std::uint32_t kAllGroups = CollisionFilter{}.mask;
constexpr std::uint32_t kFirstGroup = CollisionFilter{}.group;

py::object hitObject(const WorldPointer& self, const BodyHit& hit) {
  return resultType("RayHit")(bodyObject(self, hit.body), hit.fraction, toArray(hit.position),
                              toArray(hit.normal), hit.part, hit.triangle);
}

py::object hitObject(const WorldPointer& self, const std::optional<BodyHit>& hit) {
  return hit ? hitObject(self, *hit) : py::none();
}

py::object distanceObject(const WorldPointer& self, const BodyDistance& distance) {
  return resultType("Distance")(bodyObject(self, distance.body), distance.gap,
                                toArray(distance.normal), toArray(distance.onShape),
                                toArray(distance.onOther), distance.part, distance.triangle);
}

py::object rayCast(const WorldPointer& self, const py::object& from, const py::object& to,
                   std::uint32_t group, std::uint32_t mask, const py::object& without,
                   bool sensors) {
  const Seen seen(self, group, mask, without, sensors);
  return hitObject(self, self->idle().queries().rayCast(vectorOf(from, "from_"), vectorOf(to, "to"),
                                                        seen.filter()));
}

py::list rayCastAll(const WorldPointer& self, const py::object& from, const py::object& to,
                    std::uint32_t group, std::uint32_t mask, const py::object& without,
                    bool sensors) {
  const Seen seen(self, group, mask, without, sensors);
  py::list hits;
  for (const BodyHit& hit : self->idle().queries().rayCastAll(vectorOf(from, "from_"),
                                                              vectorOf(to, "to"), seen.filter())) {
    hits.append(hitObject(self, hit));
  }
  return hits;
}

py::dict hitArrays(const std::vector<std::optional<BodyHit>>& hits, const Rows& rows) {
  const auto count = static_cast<py::ssize_t>(hits.size());
  RealArray position({count, py::ssize_t{3}}), normal({count, py::ssize_t{3}}), fraction(count);
  IndexArray body(count);
  for (py::ssize_t i = 0; i < count; ++i) {
    const BodyHit none{
        .position = Vec3::Constant(NAN), .normal = Vec3::Constant(NAN), .fraction = NAN};
    const BodyHit& hit = hits[i] ? *hits[i] : none;
    putVector(hit.position, position.mutable_data(i, 0));
    putVector(hit.normal, normal.mutable_data(i, 0));
    fraction.mutable_at(i) = hit.fraction;
    body.mutable_at(i) = rows.of(hit.body);
  }
  py::dict result;
  result["body"] = body;
  result["fraction"] = fraction;
  result["position"] = position;
  result["normal"] = normal;
  return result;
}

py::dict rayCasts(const WorldPointer& self, const py::object& from, const py::object& to,
                  int threads, std::uint32_t group, std::uint32_t mask, const py::object& without,
                  bool sensors) {
  const World& world = self->idle();
  const Seen seen(self, group, mask, without, sensors);
  const RealArray begin = arrayOf(from, "from_", {-1, 3}), end = arrayOf(to, "to", {-1, 3});
  const py::ssize_t count = begin.shape(0);
  if (end.shape(0) != count) {
    throw InputError("to must have as many rows as from_, " + std::to_string(count) + ", got " +
                     std::to_string(end.shape(0)));
  }
  std::vector<Ray> rays(count);
  for (py::ssize_t i = 0; i < count; ++i) {
    rays[i] = {Vec3(begin.data(i, 0)), Vec3(end.data(i, 0))};
  }
  std::vector<std::optional<BodyHit>> hits(count);
  world.queries().rayCasts(rays, hits, threads, seen.filter());
  return hitArrays(hits, Rows(world.bodies()));
}

py::object shapeCast(const WorldPointer& self, const py::object& shape, const py::object& from,
                     const py::object& to, const py::object& orientation, std::uint32_t group,
                     std::uint32_t mask, const py::object& without, bool sensors) {
  const Seen seen(self, group, mask, without, sensors);
  Pose start = poseOf(py::none(), orientation);
  start.position = vectorOf(from, "from_");
  return hitObject(self, self->idle().queries().shapeCast(shapeOf(shape, "shape_cast"), start,
                                                          vectorOf(to, "to"), seen.filter()));
}

py::list overlap(const WorldPointer& self, const py::object& shape, const py::object& position,
                 const py::object& orientation, std::uint32_t group, std::uint32_t mask,
                 const py::object& without, bool sensors) {
  const Seen seen(self, group, mask, without, sensors);
  py::list bodies;
  for (const BodyId id : self->idle().queries().overlap(
           shapeOf(shape, "overlap"), poseOf(position, orientation), seen.filter())) {
    bodies.append(bodyObject(self, id));
  }
  return bodies;
}

py::object closestPoints(const WorldPointer& self, const py::object& shape,
                         const py::object& position, const py::object& body,
                         const py::object& orientation) {
  return distanceObject(self, self->idle().queries().closestPoints(shapeOf(shape, "closest_points"),
                                                                   poseOf(position, orientation),
                                                                   bodyIdOf(self, body)));
}

py::object closestBody(const WorldPointer& self, const py::object& shape,
                       const py::object& position, Real reach, const py::object& orientation,
                       std::uint32_t group, std::uint32_t mask, const py::object& without,
                       bool sensors) {
  const Seen seen(self, group, mask, without, sensors);
  const std::optional<BodyDistance> found = self->idle().queries().closestBody(
      shapeOf(shape, "closest_body"), poseOf(position, orientation), reach, seen.filter());
  return found ? distanceObject(self, *found) : py::none();
}

}  // namespace

void addQueries(WorldClass& type) {
  const std::string seen =
      " It sees bodies that one of these groups and this mask would meet, but those of `without`; "
      "sensors where asked.";
  const auto filtered = [&](const char* name, auto function, const std::string& doc,
                            const auto&... arguments) {
    type.def(name, function, arguments..., py::arg("group") = kFirstGroup,
             py::arg("mask") = kAllGroups, py::arg("without") = py::tuple(),
             py::arg("sensors") = false, (doc + seen).c_str());
  };
  const py::arg from("from_"), to("to"), shape("shape"), position("position");
  const py::arg_v orientation("orientation", py::none());
  const py::kw_only named{};
  filtered("ray_cast", &rayCast,
           "The first surface that the segment between two points [m] enters from outside: a "
           "RayHit, or None.",
           from, to, named);
  filtered("ray_cast_all", &rayCastAll,
           "All surfaces that the segment enters, by ascending fraction: one of each convex part, "
           "and each triangle on the way.",
           from, to, named);
  filtered("ray_casts", &rayCasts,
           "The first surface that each of m segments enters, (m, 3) [m] both. Arrays by name: "
           "body (row of the other arrays, -1 for none), fraction of the way, position [m], "
           "normal; NaN where nothing is hit.",
           from, to, py::arg_v("threads", 1), named);
  filtered("shape_cast", &shapeCast,
           "The first hit of a bounded convex shape that moves between two points [m] without "
           "turning; fraction 0 where it touches from the start: a RayHit, or None.",
           shape, from, to, orientation, named);
  filtered("overlap", &overlap, "Bodies that touch or overlap a placed convex shape [m].", shape,
           position, orientation, named);
  type.def("closest_points", &closestPoints, shape, position, py::arg("body"), orientation,
           "Where a placed convex shape [m] and a body are closest, or overlap least: a Distance.");
  filtered("closest_body", &closestBody,
           "The same of the body that is closest, or overlaps deepest, of those nearer than "
           "`reach` [m]; None where there is none.",
           shape, position, py::arg("reach"), orientation, named);
}

}  // namespace drystone::python
