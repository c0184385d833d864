#pragma once

#include "engine/model/body.h"

namespace drystone::viewer {

/// What the color of a body means.
enum class BodyColoring {
  kBody,    ///< one of the palette by its number; static bodies gray
  kIsland,  ///< by island; sleeping bodies dimmed
  kSpeed,   ///< by the speed of its centre of mass
};

/// What the color of a contact means.
enum class ContactColoring {
  kResidual,  ///< judged residual, logarithmic
  kState,     ///< sticks, slips, open, outside the friction cone
  kGraph,     ///< color in the contact graph
};

/// What is drawn beside the bodies; one switch each.
struct DrawOptions {
  BodyColoring bodies = BodyColoring::kBody;
  ContactColoring contacts = ContactColoring::kResidual;
  bool shapes = true;
  bool shadows = true;
  bool ground = true;  ///< the grid with its scale
  bool wireframe = false;
  bool transparent = false;
  bool contactPoints = false;
  bool contactNormals = false;
  bool impulses = false;  ///< arrows of the contact impulses
  bool cones = false;     ///< friction cones with the impulse in them
  bool joints = false;    ///< frames of the joints
  bool rods = true;       ///< distance joints as lines, where `joints` does not draw them
  bool bounds = false;    ///< axis-aligned bounding boxes of all but huge statics
  bool centersOfMass = false;
  bool axes = false;     ///< of the world, with the scale of the grid, in the corner of the picture
  bool legends = false;  ///< of colors and arrows
  Real forceScale = 1;   ///< factor on the automatic length of arrows and cones
  bool residualAuto = true;  ///< for windows: the range follows what there is
  Real residualLow = 1e-9;   ///< color range of the residuals [m/s]
  Real residualHigh = 1e-2;
  Real speedLow = 1e-3;  ///< color range of the speeds, logarithmic [m/s]
  Real speedHigh = 10;
  BodyId selected;  ///< drawn with an outline or highlight; index -1: none

  /// Whether anything has the colors of `contacts`: cones have none, and arrows that only come with
  /// them those of the states.
  bool colorsContacts() const { return contactPoints || contactNormals || impulses; }

  bool operator==(const DrawOptions&) const = default;
};

}  // namespace drystone::viewer
