#include "apps/run/contact_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "apps/support/command_line.h"
#include "apps/support/option_checks.h"
#include "apps/support/samples.h"
#include "core/check.h"

namespace drystone::cli {
namespace {

std::string checkedName(const World& world, BodyId body) {
  const std::string_view name = world.body(body).name();
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
  world.observe().onDetection([this](std::span<const ContactPoint> contacts) { add(contacts); });
}

ContactCheck::~ContactCheck() { world_.observe().onDetection({}); }

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
  const WorldObserver observer = world_.observe();
  const BodyId a = observer.bodyOfCollider(contacts.front().colliderA);
  const BodyId b = observer.bodyOfCollider(contacts.front().colliderB);
  const ConstBodyHandle bodyA = world_.body(a), bodyB = world_.body(b);
  DRYSTONE_ASSERT(bodyA.shape() && bodyB.shape());
  for (const certify::ContactDeviation& one : certify::contactDeviations(
           *bodyA.shape(), bodyA.pose(), *bodyB.shape(), bodyB.pose(), contacts)) {
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
