#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"
#include "engine/model/body.h"

namespace drystone {

/// What is wrong with an id that names nothing in a store of `slots`: `body 7 does not exist: it
/// was removed`.
std::string missingProblem(std::string_view what, int index, int slots);

/// Throw InputError for an argument of a public function: `applyForceAt: point is not finite`.
void requireFinite(std::string_view function, std::string_view argument, const Vec3& value);
void requireFinite(std::string_view function, std::string_view argument, Real value);
/// Throws where a component is not finite, or larger than inputs may be (kLargestInput).
void requireBounded(std::string_view function, std::string_view argument, const Vec3& value,
                    std::string_view unit);
/// The pose with its rotation made unit; throws where it is not unit within 0.001, or too
/// far away.
Pose requirePose(std::string_view function, std::string_view argument, const Pose& pose);

/// What is wrong with so many materials for the parts of a body; empty: nothing.
std::string partMaterialsProblem(const std::optional<Shape>& shape, std::size_t given);

/// What is wrong with a moment of inertia about the centre of mass; empty: nothing. For the
/// principal moments of any distribution of mass I_3 = ∫ (x² + y²) dm ≤ ∫ (x² + y² + 2 z²) dm =
/// I_1 + I_2, with equality for a flat body.
std::string inertiaProblem(const Mat3& inertia);

/// Adds what is wrong with the scheduled load of a body.
void checkForces(const std::string& name, BodyKind kind, const std::vector<ForceKey>& forces,
                 std::vector<std::string>& problems);

}  // namespace drystone
