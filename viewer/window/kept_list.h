#pragma once

#include <cstdint>
#include <optional>

#include "viewer/draw/draw_scene.h"

namespace drystone::viewer {

/// The draw list of the newest frame, built anew only where the frame or the options are others.
class KeptList {
 public:
  /// `number` tells frames apart (Simulation::frameNumber). The line is added to those of the
  /// frame; it changes with every picture.
  const DrawList& of(const ViewFrame& frame, std::uint64_t number, const DrawOptions& options,
                     const std::optional<Line>& line);

 private:
  SceneDrawer drawer_;
  DrawList list_;
  std::optional<std::uint64_t> number_;  // of the frame that the list is of
  DrawOptions options_;
  std::size_t ownLines_ = 0;  // of the frame
};

inline const DrawList& KeptList::of(const ViewFrame& frame, std::uint64_t number,
                                    const DrawOptions& options, const std::optional<Line>& line) {
  if (number_ != number || options_ != options) {
    drawer_.draw(frame, options, list_);
    number_ = number;
    options_ = options;
    ownLines_ = list_.lines.size();
  }
  list_.lines.resize(ownLines_);
  if (line) list_.lines.push_back(*line);
  return list_;
}

}  // namespace drystone::viewer
