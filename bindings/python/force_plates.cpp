// Force plates for Python: those of a world, live, and those of a recording.

#include <pybind11/stl.h>

#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings/python/binding.h"
#include "bindings/python/handles.h"
#include "core/input_error.h"

namespace drystone::python {
namespace {

constexpr const char *kSiteAxes = "site", *kWorldAxes = "world";

bool isInWorldAxes(const py::handle& axes) {
  const auto name = py::cast<std::string>(py::str(axes));
  if (name != kSiteAxes && name != kWorldAxes) {
    throw InputError("force_plates: axes must be 'site' or 'world', got " +
                     py::cast<std::string>(py::repr(axes)));
  }
  return name == kWorldAxes;
}

ForcePlateDefinition plateOf(const WorldPointer& self, const py::handle& plate) {
  if (!py::isinstance(plate, resultType("ForcePlate"))) {
    throw InputError("force_plates must be a list of ForcePlate, got " +
                     py::cast<std::string>(py::repr(plate)));
  }
  ForcePlateDefinition made;
  made.name = py::cast<std::string>(py::str(plate.attr("name")));
  made.body = bodyIdOf(self, plate.attr("body"));
  if (!plate.attr("other").is_none()) made.other = bodyIdOf(self, plate.attr("other"));
  made.part = py::cast<int>(plate.attr("part"));
  made.site = poseOf(plate.attr("position"), plate.attr("orientation"));
  made.inWorldAxes = isInWorldAxes(plate.attr("axes"));
  return made;
}

void setPlates(const WorldPointer& self, const py::iterable& plates) {
  std::vector<ForcePlateDefinition> made;
  for (const py::handle plate : plates) made.push_back(plateOf(self, plate));
  self->idle().setForcePlates(std::move(made));
}

py::list platesOf(const WorldPointer& self) {
  py::list list;
  for (const ForcePlate& plate : self->idle().forcePlates()) {
    list.append(plateObject(plate.definition, [&self](BodyId id) { return handleOf(self, id); }));
  }
  return list;
}

py::list contactsOf(const WorldPointer& self, const ForcePlateReading& reading) {
  py::list list;
  for (const PlateContact& one : reading.contacts) {
    list.append(resultType("PlateContact")(
        handleOf(self, one.other), one.part.part, one.part.triangle, one.otherPart.part,
        one.otherPart.triangle, toArray(one.point), toArray(one.force), toArray(one.torque)));
  }
  return list;
}

py::object readingObject(const WorldPointer& self, const ForcePlate& plate) {
  if (!plate.hasReading) return py::none();
  const ForcePlateReading& one = plate.reading;
  const py::object center = one.center ? py::object(toArray(*one.center)) : py::none();
  return resultType("ForcePlateReading")(toArray(one.force), toArray(one.torque), center,
                                         one.forceError, one.torqueError, one.centerError,
                                         one.isSumUnique, one.areSharesUnique, one.rank,
                                         one.unknowns, contactsOf(self, one));
}

py::list readingsOf(const WorldPointer& self) {
  py::list list;
  for (const ForcePlate& plate : self->idle().forcePlates()) {
    list.append(readingObject(self, plate));
  }
  return list;
}

/// An array with a number, or the three of a vector, of each plate in each frame.
template <class Get>
py::object ofFrames(std::span<const ForcePlateReading> readings, py::ssize_t frames, Get&& get) {
  using Value = std::remove_cvref_t<decltype(get(readings[0]))>;
  const auto count = static_cast<py::ssize_t>(readings.size());
  const py::ssize_t plates = count / frames;
  if constexpr (std::is_same_v<Value, Vec3>) {
    RealArray array({frames, plates, py::ssize_t{3}});
    Real* row = array.mutable_data();
    for (const ForcePlateReading& one : readings) {
      putVector(get(one), row);
      row += 3;
    }
    return array;
  } else {
    py::array_t<Value> array({frames, plates});
    Value* to = array.mutable_data();
    for (const ForcePlateReading& one : readings) *to++ = get(one);
    return array;
  }
}

}  // namespace

py::object plateObject(const ForcePlateDefinition& plate, const BodyNamer& bodyOf) {
  const py::object other = plate.other ? bodyOf(*plate.other) : py::none();
  return resultType("ForcePlate")(bodyOf(plate.body), other, plate.part,
                                  toArray(plate.site.position), toArray(plate.site.rotation),
                                  plate.inWorldAxes ? kWorldAxes : kSiteAxes, plate.name);
}

py::dict plateArrays(const Recording& recording) {
  using Reading = ForcePlateReading;
  const py::ssize_t frames = recording.frameCount();
  std::vector<Reading> all;
  for (py::ssize_t i = 0; i < frames; ++i) {
    for (const auto& one : recording.plateReadings(i)) {
      all.push_back(one.value_or(missingPlateReading()));
    }
  }
  const Vec3 none = missingPlateReading().force;
  const auto of = [&](auto get) { return ofFrames(all, frames, get); };
  py::dict result;
  result["force"] = of([](const Reading& one) { return one.force; });
  result["torque"] = of([](const Reading& one) { return one.torque; });
  result["center"] = of([&none](const Reading& one) { return one.center.value_or(none); });
  result["force_error"] = of([](const Reading& one) { return one.forceError; });
  result["torque_error"] = of([](const Reading& one) { return one.torqueError; });
  result["center_error"] = of([](const Reading& one) { return one.centerError; });
  result["is_sum_unique"] = of([](const Reading& one) { return one.isSumUnique; });
  result["are_shares_unique"] = of([](const Reading& one) { return one.areSharesUnique; });
  result["rank"] = of([](const Reading& one) { return one.rank; });
  result["unknowns"] = of([](const Reading& one) { return one.unknowns; });
  return result;
}

void addForcePlates(WorldClass& type) {
  type.def_property("force_plates", &platesOf, &setPlates,
                    "Sensors of what contacts do to bodies, as ForcePlate. Set: in place of those "
                    "before, from the next step on.");
  type.def("force_plate_readings", &readingsOf,
           "What each of force_plates measured in the last step: a ForcePlateReading, or None "
           "before the first step, after restore() and once its body was removed.");
}

}  // namespace drystone::python
