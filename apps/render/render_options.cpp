#include "apps/render/render_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "apps/support/command_line.h"
#include "apps/support/program.h"

namespace drystone::cli {
namespace {

using viewer::BodyColoring;

/// A word of --show or --hide and what it does.
struct Switch {
  const char* name;
  void (*apply)(viewer::DrawOptions&);
};

constexpr Switch kShown[] = {
    {"contacts", [](viewer::DrawOptions& d) { d.contactPoints = true; }},
    {"residuals",
     [](viewer::DrawOptions& d) {
       d.contactPoints = true;
       d.contacts = viewer::ContactColoring::kResidual;
     }},
    {"graph",
     [](viewer::DrawOptions& d) {
       d.contactPoints = true;
       d.contacts = viewer::ContactColoring::kGraph;
     }},
    {"normals", [](viewer::DrawOptions& d) { d.contactNormals = true; }},
    {"impulses", [](viewer::DrawOptions& d) { d.impulses = true; }},
    {"cones", [](viewer::DrawOptions& d) { d.cones = true; }},
    {"joints", [](viewer::DrawOptions& d) { d.joints = true; }},
    {"islands", [](viewer::DrawOptions& d) { d.bodies = BodyColoring::kIsland; }},
    {"bounds", [](viewer::DrawOptions& d) { d.bounds = true; }},
    {"centers", [](viewer::DrawOptions& d) { d.centersOfMass = true; }},
    {"wireframe", [](viewer::DrawOptions& d) { d.wireframe = true; }},
    {"transparent", [](viewer::DrawOptions& d) { d.transparent = true; }},
};
constexpr Switch kHidden[] = {
    {"bodies", [](viewer::DrawOptions& d) { d.shapes = false; }},
    {"ground", [](viewer::DrawOptions& d) { d.ground = false; }},
    {"shadows", [](viewer::DrawOptions& d) { d.shadows = false; }},
};

template <std::size_t kCount>
void applySwitches(const std::string& option, const std::string& words,
                   const Switch (&switches)[kCount], viewer::DrawOptions& drawing) {
  if (words.empty()) return;
  std::vector<std::string> names;
  for (const Switch& one : switches) names.emplace_back(one.name);
  for (const std::string& word : split(words, ',')) {
    const int at = chooseName("word of " + option, word, names);
    switches[static_cast<std::size_t>(at)].apply(drawing);
  }
}

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace

viewer::Camera parseCamera(const std::string& text) {
  const std::vector<std::string> parts = split(text, ',');
  std::vector<double> values;
  for (const std::string& part : parts) {
    if (const auto value = number(part)) values.push_back(*value);
  }
  if (values.size() != parts.size() || (parts.size() != 6 && parts.size() != 7)) {
    throw UsageError(fmt::format(
        "--camera: must be PX,PY,PZ,TX,TY,TZ or PX,PY,PZ,TX,TY,TZ,FOV: position and target [m] and "
        "vertical field of view [degrees]; got '{}'",
        text));
  }
  viewer::Camera camera;
  camera.position = {values[0], values[1], values[2]};
  camera.target = {values[3], values[4], values[5]};
  if (values.size() == 7) {
    if (values[6] < 1 || values[6] > 150) {
      throw UsageError(
          fmt::format("--camera: the field of view must be from 1 to 150 degrees, got "
                      "{:g}",
                      values[6]));
    }
    camera.fieldOfView = values[6] * std::numbers::pi / 180;
  }
  const Vec3 way = camera.target - camera.position;
  if (way.norm() < 1e-6) throw UsageError("--camera: position and target are the same place");
  // Straight up or down z is no way up of the picture; y is.
  if (way.cross(camera.up).norm() < 1e-6 * way.norm()) camera.up = Vec3::UnitY();
  return camera;
}

viewer::DrawOptions parseDrawing(const RenderOptions& options) {
  static const std::vector<std::string> kColorings = {"body", "islands", "speed"};
  viewer::DrawOptions drawing;
  drawing.contacts = viewer::ContactColoring::kState;
  drawing.axes = drawing.legends = options.legend;
  drawing.bodies =
      static_cast<BodyColoring>(chooseName("coloring of bodies", options.coloring, kColorings));
  applySwitches("--show", options.show, kShown, drawing);
  applySwitches("--hide", options.hide, kHidden, drawing);
  const std::vector<std::string> shown = split(options.show, ',');
  if (std::ranges::count(shown, "residuals") > 0 && std::ranges::count(shown, "graph") > 0) {
    throw UsageError("--show: residuals and graph both color the contacts; leave one of them out");
  }
  return drawing;
}

}  // namespace drystone::cli
