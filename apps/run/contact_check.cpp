#include "apps/run/contact_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>
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

/// "'a' - 'b': 2 contacts in steps 16 to 17, gap off by 6e-05 m": only what is beyond is said.
std::string pairText(const PairBeyond& pair) {
  std::vector<std::string> off;
  const certify::ContactDeviation& most = pair.largest;
  if (!(most.gap <= certify::kGapTolerance)) off.push_back(fmt::format("gap {:.2g} m", most.gap));
  if (!(most.normal <= certify::kNormalTolerance)) {
    off.push_back(fmt::format("normal {:.2g} rad", most.normal));
  }
  if (!(most.place <= certify::kPlaceTolerance)) {
    off.push_back(fmt::format("place {:.2g} m", most.place));
  }
  const std::string steps = pair.firstStep == pair.lastStep
                                ? fmt::format("step {}", pair.firstStep)
                                : fmt::format("steps {} to {}", pair.firstStep, pair.lastStep);
  return fmt::format("'{}' - '{}': {} in {}, off by {}", pair.bodyA, pair.bodyB,
                     counted(pair.contacts, "contact"), steps, joined(off));
}

/// What contacts are known to be beyond a tolerance though they are as promised, by what is off.
struct KnownDeviation {
  Real certify::ContactDeviation::*measure;
  Real tolerance;
  const char* text;
};
constexpr KnownDeviation kKnownDeviations[] = {
    {&certify::ContactDeviation::gap, certify::kGapTolerance,
     "gap: a face within a degree of another is laid on it, and a manifold keeps four points; "
     "each costs up to 1e-4 of the size. Deep overlaps of round shapes are searched to 1 %"},
    {&certify::ContactDeviation::normal, certify::kNormalTolerance,
     "normal: parallel edges that meet get the one halfway between their faces; a face within a "
     "degree of another lends its own"},
    {&certify::ContactDeviation::place, certify::kPlaceTolerance,
     "place: an edge, or the side of a capsule or cylinder, that leans by less than 5 degrees "
     "counts as laid on the other shape"},
};

/// The pairs with most contacts beyond, and the known deviations of what is off in any pair.
void addPairsBeyond(const ContactCheck& check, std::vector<std::string>& lines) {
  constexpr std::size_t kMostNamed = 5;  // the others are alike, as a rule
  std::vector<PairBeyond> pairs = check.pairsBeyond;
  std::ranges::stable_sort(pairs, std::greater<>(), &PairBeyond::contacts);
  for (const PairBeyond& pair : std::span(pairs).first(std::min(pairs.size(), kMostNamed))) {
    lines.push_back("beyond: " + pairText(pair));
  }
  if (pairs.size() > kMostNamed) {
    lines.push_back(fmt::format(
        "and {}", counted(static_cast<std::int64_t>(pairs.size() - kMostNamed), "more pair")));
  }
  for (const KnownDeviation& known : kKnownDeviations) {
    const bool isOff = std::ranges::any_of(pairs, [&](const PairBeyond& pair) {
      return !(pair.largest.*known.measure <= known.tolerance);
    });
    if (isOff) lines.push_back(fmt::format("known of {}", known.text));
  }
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
    if (certify::isBeyond(one)) noteBeyond(one, a, b);
  }
}

void ContactCheck::noteBeyond(const certify::ContactDeviation& one, BodyId a, BodyId b) {
  const std::int64_t step = world_.stepCount() + 1;
  if (beyond++ == 0) firstBeyond = step;
  const std::string nameA = checkedName(world_, a), nameB = checkedName(world_, b);
  auto pair = std::ranges::find_if(pairsBeyond, [&](const PairBeyond& known) {
    return known.bodyA == nameA && known.bodyB == nameB;
  });
  if (pair == pairsBeyond.end()) {
    pairsBeyond.push_back({.bodyA = nameA, .bodyB = nameB, .firstStep = step});
    pair = std::prev(pairsBeyond.end());
  }
  ++pair->contacts;
  pair->lastStep = step;
  pair->largest.gap = std::max(pair->largest.gap, one.gap);
  pair->largest.normal = std::max(pair->largest.normal, one.normal);
  pair->largest.place = std::max(pair->largest.place, one.place);
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
  std::vector<std::string> lines = {
      fmt::format("{} checked, {} beyond {:.0e} m or {:.0e} rad; {} not checked", check.checked,
                  check.beyond, certify::kGapTolerance, certify::kNormalTolerance, check.unchecked),
      fmt::format("largest gap error {}", worstText(check.gap, "m")),
      fmt::format("largest normal error {}", worstText(check.normal, "rad")),
      fmt::format("farthest from a surface {}", worstText(check.place, "m"))};
  addPairsBeyond(check, lines);
  return lines;
}

}  // namespace drystone::cli
