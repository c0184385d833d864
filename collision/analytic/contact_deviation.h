#pragma once

// How far the contacts of two shapes are from the truth, by closed forms of the shapes alone: for
// tests, and for the contacts of running steps.

#include <span>
#include <vector>

#include "collision/narrow/contact_point.h"
#include "collision/shape/shape.h"
#include "core/types.h"

namespace drystone::certify {

/// What is wrong with one contact.
struct ContactDeviation {
  bool isKnown = false;  ///< false: no truth is known for this contact, and the rest is 0
  Real gap = 0;          ///< from the distance, or the least overlap, near the contact [m]
  Real normal = 0;       ///< angle from the direction in which the shapes are that far apart [rad]
  Real place = 0;        ///< how far the contact's two points are from the two surfaces [m]
};

/// A step moves bodies by millimetres and its solve is judged to micrometres a second, so a
/// micrometre of gap is seen nowhere; rounding is a thousand times less for bodies of metres [m].
constexpr Real kGapTolerance = 1e-6;
/// It turns a thousandth of the normal force into a tangential one, which is less than coefficients
/// of friction are known to [rad].
constexpr Real kNormalTolerance = 1e-3;
/// It moves the point where a force acts, so that a micrometre matters as little as it does for the
/// gap [m].
constexpr Real kPlaceTolerance = 1e-6;

/// Whether a known deviation is beyond one of these tolerances.
bool isBeyond(const ContactDeviation& deviation);

/// Judges all contacts of two colliders as of one detection, at the poses of that detection; `a` is
/// the collider that the normals lead away from. A point of every manifold, the deepest, stands for
/// it: its gap must be the distance along the best normal near its own, or near those of faces and
/// axes. Other points of a manifold may lie higher, not lower, and share its normal. All must lie
/// between the two surfaces. A compound or surface of triangles is judged by those of its parts
/// that the contact is nearest to. What is not known: contacts that lie ahead,
/// contacts of two surfaces of triangles or of
/// shapes without closed forms, and those that overlap a surface by more than kGapTolerance along
/// another normal than that of a triangle there, since one triangle does not tell which way leads
/// out of the whole; and those that stand on a triangle along its normal without being nearest to
/// it, as neighbours make them.
std::vector<ContactDeviation> contactDeviations(const Shape& a, const Pose& poseA, const Shape& b,
                                                const Pose& poseB,
                                                std::span<const ContactPoint> contacts);

}  // namespace drystone::certify
