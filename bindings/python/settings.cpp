// Settings of worlds for Python, by the keys of scene files.

#include <pybind11/stl.h>

#include <variant>

#include "bindings/python/binding.h"
#include "core/field_visitor.h"
#include "scenes/scene_reader.h"

namespace drystone::python {
namespace {

/// Puts the fields that it visits into a dict. What has no value is None, or not there in a part.
class FieldDict : public FieldVisitor {
 public:
  using FieldVisitor::part;
  void real(const SettingInfo& info, Real& value, Real, Real) override { put(info, value); }
  void optional(const SettingInfo& info, std::optional<Real>& value, Real, Real) override {
    if (value || !isPart_) put(info, value);
  }
  void integer(const SettingInfo& info, int& value, int, int) override { put(info, value); }
  void boolean(const SettingInfo& info, bool& value) override { put(info, value); }
  void choice(const SettingInfo& info, int& value,
              std::span<const std::string_view> names) override {
    put(info, std::string(names[static_cast<std::size_t>(value)]));
  }
  void vector(const SettingInfo& info, Vec3& value, Real, Real) override {
    put(info, toArray(value));
  }
  void part(const SettingInfo& info, const VisitPart& visit) override {
    FieldDict inner;
    inner.isPart_ = true;
    visit(inner, false);
    put(info, inner.values);
  }

  py::dict values;
  std::vector<std::pair<std::string, std::string>> helps;  ///< of each name

 private:
  template <class Value>
  void put(const SettingInfo& info, const Value& value) {
    const std::string name(info.name), unit(info.unit);
    values[py::str(name)] = value;
    helps.emplace_back(name, std::string(info.help) + (unit.empty() ? "" : " [" + unit + "]"));
  }

  bool isPart_ = false;
};

FieldDict fieldsOf(WorldSettings settings) {
  FieldDict fields;
  visitFields(settings, fields);
  return fields;
}

/// The keys of `solver`, without those that bound nothing.
py::dict solverKeys(const SolverChoice& solver) {
  py::dict keys, settings;
  keys["name"] = solver.name;
  keys["tolerance"] = solver.budget.tolerance;
  if (solver.budget.iterations) keys["max_iterations"] = *solver.budget.iterations;
  if (solver.budget.seconds < kUnlimited) keys["time_limit_s"] = solver.budget.seconds;
  if (solver.stepSeconds < kUnlimited) keys["budget_ms"] = 1e3 * solver.stepSeconds;
  if (!solver.fallback.empty()) keys["fallback"] = solver.fallback;
  keys["policy"] = std::string(kPolicyNames[static_cast<std::size_t>(solver.policy)]);
  keys["condense"] = std::string(kCondensationNames[static_cast<std::size_t>(solver.condensation)]);
  for (const auto& [name, value] : solver.settings) {
    settings[py::str(name)] = std::visit([](const auto& one) { return py::cast(one); }, value);
  }
  if (py::len(settings) > 0) keys["settings"] = settings;
  return keys;
}

}  // namespace

const std::vector<std::string>& worldSettingNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& [name, help] : fieldsOf({}).helps) list.push_back(name);
    return list;
  }();
  return names;
}

void addSettings(WorldClass& type) {
  type.def_property_readonly(
      "settings",
      [](SharedWorld& self) {
        const WorldSettings& settings = self.idle().settings();
        py::dict keys = fieldsOf(settings).values;
        keys["solver"] = solverKeys(settings.solver);
        return keys;
      },
      "All settings by the keys of `world` in a scene file, and those of `solver`: a copy.");
  for (const auto& [name, help] : fieldsOf({}).helps) {
    if (py::hasattr(type, name.c_str())) continue;  // can be set: gravity, timestep, threads
    type.def_property_readonly(
        name.c_str(),
        [name = name](SharedWorld& self) {
          return fieldsOf(self.idle().settings()).values[py::str(name)].cast<py::object>();
        },
        help.c_str());
  }
}

}  // namespace drystone::python
