#pragma once

/// Numbers, frames and errors, which all other headers use. Read `internal/core/types.h` first.
///
/// - `Real`: double.
/// - `Vec3`, `Mat3`, `Quat`: fixed-size matrices and quaternions of Eigen. `Quat(w, x, y, z)`.
/// - `Pose`: position and rotation of a frame; `pose * point` takes a local point to the world.
/// - `InputError`: thrown for bad arguments and files, in every build. `what()` names each problem
///   with its place and the remedy. A call that throws it has changed nothing.
///
/// Units are SI: metres, kilograms, seconds and radians. Axes are right-handed. Gravity points
/// along -z unless WorldSettings::gravity says otherwise.
///
///     drystone::Pose pose{.position = {0, 0, 2}};
///     pose.rotation = Eigen::AngleAxisd(0.3, drystone::Vec3::UnitX());
///     const drystone::Vec3 corner = pose * drystone::Vec3(0.5, 0.5, 0.5);
///
/// Headers of this folder are for users and stay what they are within a minor version. Those below
/// `internal/` are what they are made of: read them, but include them only through these.
///
/// | header         | what                                                   |
/// |----------------|--------------------------------------------------------|
/// | `shapes.h`     | shapes, mass properties, contacts of shapes on their own |
/// | `model.h`      | definitions of bodies, joints, materials and settings  |
/// | `world.h`      | the simulated world                                    |
/// | `report.h`     | what a step tells                                      |
/// | `scenes.h`     | scene files                                            |
/// | `recordings.h` | runs as files                                          |
/// | `solvers.h`    | solvers, and contact problems on their own             |

#include "core/input_error.h"
#include "core/types.h"
