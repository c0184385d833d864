// Attributes of worlds, bodies and joints: what they do not have cannot be set, and the message
// says what was meant. Python's own looks for none.

#include <algorithm>
#include <string>
#include <vector>

#include "bindings/python/binding.h"
#include "core/wording.h"

namespace drystone::python {
namespace {

std::string textOf(const py::handle& object) { return py::cast<std::string>(py::str(object)); }

std::string classOf(const py::handle& self) {
  return textOf(py::type::handle_of(self).attr("__name__"));
}

/// What the class has under this name; none: nothing.
py::object found(const py::handle& self, const std::string& name) {
  return py::getattr(py::type::handle_of(self), name.c_str(), py::none());
}

bool isProperty(const py::handle& found) {
  return py::isinstance(found, py::module_::import("builtins").attr("property"));
}

/// Names that can be set.
std::vector<std::string> settable(const py::handle& self) {
  std::vector<std::string> names;
  for (const py::handle& item : py::module_::import("builtins").attr("dir")(self.get_type())) {
    const std::string name = textOf(item);
    const py::object one = found(self, name);
    if (name.front() != '_' && isProperty(one) && !one.attr("fset").is_none()) {
      names.push_back(name);
    }
  }
  return names;
}

bool isWorldSetting(const std::string& name) {
  const std::vector<std::string>& names = worldSettingNames();
  return std::ranges::find(names, name) != names.end();
}

/// Why nothing can be set under this name.
std::string refusal(const py::handle& self, const std::string& name) {
  const std::string type = classOf(self), start = "'" + name + "' of a " + type + " ";
  const py::object known = found(self, name);
  const bool isOfWorld = py::isinstance<SharedWorld>(self);
  const std::string setter = "set_" + name;
  if (!found(self, setter).is_none()) {
    return start + "is set by " + setter + "()";
  }
  if (isOfWorld && isWorldSetting(name)) {
    return start + "is a setting that it is made with, World(" + name +
           "=…): it cannot change later";
  }
  if (isProperty(known)) return start + "can be read, and not set";
  if (!known.is_none()) return start + "is a function, which cannot be set";
  if (type == "VectorWorld" && isWorldSetting(name)) {
    return start + "is a setting of each of its worlds: give it to the scene, in overrides=";
  }
  const std::vector<std::string> names = settable(self);
  std::string message = "a " + type + " has no '" + name + "'";
  if (names.empty()) return message + ", and nothing else that can be set";
  if (!nearNames(name, names).empty()) return message + "; " + didYouMean(name, names);
  message += "; what can be set is";
  for (const std::string& one : names) message += (&one == names.data() ? " " : ", ") + one;
  return message;
}

/// What is wrong with a value that pybind11 could not convert.
std::string wrongValue(const py::handle& self, const std::string& name, const py::handle& value) {
  std::string help = textOf(found(self, name).attr("__doc__"));
  return name + " of a " + classOf(self) + " cannot be " + py::cast<std::string>(py::repr(value)) +
         (help == "None" ? "" : "; it is: " + help);
}

int setAttribute(PyObject* self, PyObject* name, PyObject* value) {
  if (PyObject_GenericSetAttr(self, name, value) == 0) return 0;
  const bool isUnknown = PyErr_ExceptionMatches(PyExc_AttributeError) != 0;
  if (value == nullptr || (!isUnknown && PyErr_ExceptionMatches(PyExc_TypeError) == 0)) return -1;
  PyErr_Clear();
  try {
    const std::string text = textOf(name);
    if (isUnknown) {
      PyErr_SetString(PyExc_AttributeError, refusal(self, text).c_str());
    } else {
      const py::object error = py::module_::import("drystone._drystone").attr("InputError");
      PyErr_SetString(error.ptr(), wrongValue(self, text, value).c_str());
    }
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return -1;
}

}  // namespace

py::custom_type_setup closedType() {
  return py::custom_type_setup(
      [](PyHeapTypeObject* type) { type->ht_type.tp_setattro = &setAttribute; });
}

}  // namespace drystone::python
