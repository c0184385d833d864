#include "apps/run/contact_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "apps/support/command_line.h"
#include "apps/support/option_checks.h"
#include "core/check.h"

namespace drystone::cli {
namespace {

std::string checkedName(const World& world, BodyId body) {
  const std::string_view name = world.name(body);
  return name.empty() ? fmt::format("body {}", body.index) : std::string(name);
}

/// "3e-12 m" and, where it is of a step, " (step 4, a - b)".
std::string worstText(const WorstContact& worst, const char* unit) {
  const std::string value = fmt::format("{:.2g} {}", worst.value, unit);
  if (worst.step == 0) return value;
  return fmt::format("{} (step {}, '{}' - '{}')", value, worst.step, worst.bodyA, worst.bodyB);
}

}  // namespace

ContactCheck::ContactCheck(World& world) : world_(world) {
  world.observeDetections([this](std::span<const ContactPoint> contacts) { add(contacts); });
}

ContactCheck::~ContactCheck() { world_.observeDetections({}); }

// Contacts come sorted by their pair of colliders.
void ContactCheck::add(std::span<const ContactPoint> contacts) {
  while (!contacts.empty()) {
    const ContactPoint& first = contacts.front();
    const auto end = std::find_if(contacts.begin(), contacts.end(), [&](const ContactPoint& one) {
      return one.colliderA != first.colliderA || one.colliderB != first.colliderB;
    });
    const auto count = static_cast<std::size_t>(end - contacts.begin());
    addPair(contacts.first(count));
    contacts = contacts.subspan(count);
  }
}

void ContactCheck::addPair(std::span<const ContactPoint> contacts) {
  const BodyId a = world_.bodyOfCollider(contacts.front().colliderA);
  const BodyId b = world_.bodyOfCollider(contacts.front().colliderB);
  const Shape *shapeA = world_.shape(a), *shapeB = world_.shape(b);
  DRYSTONE_ASSERT(shapeA && shapeB);
  for (const certify::ContactDeviation& one :
       certify::contactDeviations(*shapeA, world_.pose(a), *shapeB, world_.pose(b), contacts)) {
    if (!one.isKnown) {
      ++unchecked;
      continue;
    }
    ++checked;
    note(one.gap, a, b, gap);
    note(one.normal, a, b, normal);
    note(one.place, a, b, place);
    if (!certify::isBeyond(one)) continue;
    if (beyond++ == 0) firstBeyond = world_.stepCount() + 1;
  }
}

void ContactCheck::note(Real value, BodyId a, BodyId b, WorstContact& worst) const {
  if (!isBelow(worst.value, value)) return;
  // The step that detects is not counted yet.
  worst = {value, world_.stepCount() + 1, checkedName(world_, a), checkedName(world_, b)};
}

bool wantsContactCheck(const std::string& text) {
  if (text.empty()) return false;
  static const std::vector<std::string> kChecks = {"contacts"};
  chooseName("check", text, kChecks);
  return true;
}

std::vector<std::string> contactCheckLines(const ContactCheck& check) {
  return {
      fmt::format("{} checked, {} beyond {:.0e} m or {:.0e} rad; {} not checked", check.checked,
                  check.beyond, certify::kGapTolerance, certify::kNormalTolerance, check.unchecked),
      fmt::format("largest gap error {}", worstText(check.gap, "m")),
      fmt::format("largest normal error {}", worstText(check.normal, "rad")),
      fmt::format("farthest from a surface {}", worstText(check.place, "m"))};
}

}  // namespace drystone::cli
