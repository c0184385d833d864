#include "apps/support/static_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "apps/support/command_line.h"

namespace drystone::cli {

std::optional<Vec3> parseVector(const std::string& text) {
  const std::vector<std::string> parts = split(text, ',');
  if (parts.size() != 3) return std::nullopt;
  Vec3 out;
  for (int i = 0; i < 3; ++i) {
    const std::string& part = parts[i];
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), out[i]);
    const bool isWhole = error == std::errc() && end == part.data() + part.size();
    if (!isWhole || !std::isfinite(out[i])) return std::nullopt;
  }
  return out;
}

BodyId dynamicBody(const std::string& name, const World& world) {
  std::vector<std::string> names;
  std::vector<BodyId> ids;
  for (const BodyId id : world.bodies()) {
    if (world.body(id).kind() != BodyKind::kDynamic) continue;
    names.emplace_back(world.body(id).name());
    ids.push_back(id);
  }
  return ids[chooseName("dynamic body", name, names)];
}

int countMoving(const World& world) {
  return static_cast<int>(std::ranges::count_if(world.bodies(), [&](BodyId id) {
    const auto body = world.body(id);
    return !body.linearVelocity().isZero(0) || !body.angularVelocity().isZero(0);
  }));
}

std::string nameOfBody(const World& world, BodyId body) {
  return std::string(world.body(body).name());
}

std::string vectorText(const Vec3& v) {
  const auto shown = [](Real x) { return std::abs(x) < 5e-5 ? 0.0 : x; };
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", shown(v.x()), shown(v.y()), shown(v.z()));
}

std::string amountText(Real amount, const char* unit) {
  if (std::isnan(amount)) return fmt::format("not found [{}]", unit);
  return std::isinf(amount) ? "any" : fmt::format("{:.5g} {}", amount, unit);
}

Json vectorJson3(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

Json numberJson(Real amount) {
  if (std::isnan(amount)) return nullptr;
  return std::isinf(amount) ? Json("any") : Json(amount);
}

Json contactsJson(const std::vector<StaticContact>& contacts, const World& world) {
  Json list = Json::array();
  for (const StaticContact& one : contacts) {
    list.push_back({{"body_a", nameOfBody(world, one.bodyA)},
                    {"body_b", nameOfBody(world, one.bodyB)},
                    {"position", vectorJson3(one.position)},
                    {"normal", vectorJson3(one.normal)},
                    {"normal_N", one.normalForce},
                    {"friction_N", one.friction},
                    {"use", one.use}});
  }
  return list;
}

}  // namespace drystone::cli
