#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/support/json_values.h"
#include "engine/statics/static_contacts.h"
#include "engine/world/world.h"

namespace drystone::cli {

// What `verdict` and `inverse` share: bodies and vectors of the command line, and forces in words.

/// Three finite numbers with commas between them; none: the text is of another form.
std::optional<Vec3> parseVector(const std::string& text);

/// Throws UsageError with near names where the world has no dynamic body of the name.
BodyId dynamicBody(const std::string& name, const World& world);

/// Bodies of any kind, and moving surfaces are none.
int countMoving(const World& world);

std::string nameOfBody(const World& world, BodyId body);

/// `(1.5, 0, -2)`; what the interior point leaves of 0 is 0.
std::string vectorText(const Vec3& v);
/// A force or torque, or `any` where it is ∞; NaN: `not found`.
std::string amountText(Real amount, const char* unit);

Json vectorJson3(const Vec3& v);
/// "any" where it is ∞, null where it was not found.
Json numberJson(Real amount);
/// With the bodies by their names.
Json contactsJson(const std::vector<StaticContact>& contacts, const World& world);

}  // namespace drystone::cli
