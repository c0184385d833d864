#pragma once

/// Shapes, and contacts of shapes without bodies. Read `internal/collision/shape/shape.h` first.
///
/// - `Shape`: a `Sphere`, `Box`, `Capsule`, `Cylinder`, `Cone`, `Ellipsoid`, `ConvexHull`, `Plane`,
/// mesh, height
///   field or compound. Sizes in metres, each in the frame of the shape.
/// - `MassProperties`: of a shape and a density, by `massProperties`.
/// - `CollisionFilter`: groups and masks that say which shapes meet.
/// - `CollisionWorld`: placed shapes that are asked for contacts, ray casts, overlaps and closest
///   points. A `World` has one of its own, whose bodies `World::queries` asks for.
///
/// Contacts of two balls that overlap by 0.1 m:
///
///     drystone::CollisionWorld shapes({});
///     shapes.add(drystone::Sphere{0.5}, {.position = {0, 0, 0}}, {}, false);
///     shapes.add(drystone::Sphere{0.5}, {.position = {0.9, 0, 0}}, {}, false);
///     std::vector<drystone::ContactPoint> contacts;
///     shapes.detect(contacts);  // contacts[0].gap is -0.1 m
///
/// Meshes and height fields are for static bodies; hulls and compounds share what they point to.
/// `overlap`, `shapeCast`, `closestPoints` and `closest` take bounded convex shapes, and ask any
/// shape.
///
/// A shape is copied into what it is given to. Bad sizes throw InputError where the shape is used.
/// Contacts come sorted, so that the same shapes give the same list for every number of threads.
///
/// Normals point from the first shape of a contact to the second. Gaps are negative where shapes
/// overlap.

#include "collision/collision_world.h"
#include "collision/shape/shape.h"
