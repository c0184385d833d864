#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/support/run_setup.h"
#include "viewer/draw/camera.h"
#include "viewer/draw/draw_options.h"

namespace drystone::cli {

/// The command line of `render`.
struct RenderOptions {
  SimulationOptions simulation;  ///< `scene` may be a recording
  std::string out, size = "1280x720", camera, coloring = "body";
  std::string show, hide;                        ///< names, separated by commas
  std::optional<double> framesPerSecond, speed;  ///< of a video
  std::optional<Real> from, to;                  ///< [s]
  std::optional<Real> orbit;                     ///< [degrees a second of the video]
  int samples = 4;
  bool legend = false;
  bool quiet = false;

  double videoRate() const { return framesPerSecond.value_or(30); }  ///< [1/s]
};

// Both throw UsageError with what is wrong, and near names.

/// PX,PY,PZ,TX,TY,TZ[,FOV] with the field of view in degrees.
viewer::Camera parseCamera(const std::string& text);

/// What --show, --hide and --color ask for. Contacts are colored by state, unless something else is
/// shown of them.
viewer::DrawOptions parseDrawing(const RenderOptions& options);

}  // namespace drystone::cli
