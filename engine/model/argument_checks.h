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
/// The pose with its rotation made unit; throws where it is not unit within 0.001.
Pose requirePose(std::string_view function, std::string_view argument, const Pose& pose);

/// What is wrong with so many materials for the parts of a body; empty: nothing.
std::string partMaterialsProblem(const std::optional<Shape>& shape, std::size_t given);

/// Adds what is wrong with the scheduled load of a body.
void checkForces(const std::string& name, BodyKind kind, const std::vector<ForceKey>& forces,
                 std::vector<std::string>& problems);

}  // namespace drystone
