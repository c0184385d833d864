#include "apps/verdict/verdict_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "apps/support/static_words.h"
#include "apps/support/table.h"
#include "core/wording.h"

namespace drystone::cli {
namespace {

/// Contacts that bear less of what they may are not at their limit.
constexpr Real kAtLimit = 0.999;
/// Factors below this are none: the interior point leaves as much.
constexpr Real kNoFactor = 1e-9;
/// Rows that a summary shows of a list; the JSON has all.
constexpr std::size_t kShown = 10;

std::string verdictWord(StaticVerdict verdict) {
  switch (verdict) {
    case StaticVerdict::kStands:
      return "stands";
    case StaticVerdict::kFalls:
      return "falls";
    case StaticVerdict::kUndecided:
      break;
  }
  return "undecided";
}

std::string factorText(const ToldVerdict& told) {
  const Real factor = told.answer.factor;
  if (std::isnan(factor)) return "not found\n";
  if (std::isinf(factor)) return fmt::format("any: no factor of the load {} moves it\n", told.load);
  if (factor < kNoFactor) {
    return fmt::format("0: any load {}{} moves it\n", told.isWeights ? "along " : "", told.load);
  }
  return told.isWeights ? fmt::format("{:.6g} of the weights along {}\n", factor, told.load)
                        : fmt::format("{:.6g} times {}\n", factor, told.load);
}

std::string moreText(std::size_t all, std::string_view what) {
  return all > kShown ? fmt::format("  and {} more {}: --json has all\n", all - kShown, what) : "";
}

bool isAtLimit(const StaticContact& contact) { return contact.use >= kAtLimit; }

std::string contactsText(const std::vector<StaticContact>& contacts, const World& world) {
  std::vector<const StaticContact*> full;
  for (const StaticContact& contact : contacts) {
    if (isAtLimit(contact)) full.push_back(&contact);
  }
  if (full.empty()) return "At limit      no contact uses all of its friction\n";
  std::string text = fmt::format("At limit      {} of {}\n", counted(std::ssize(full), "contact"),
                                 contacts.size());
  Table table({{"bodies"},
               {"at [m]"},
               {"normal [N]", Table::Align::kRight},
               {"friction [N]", Table::Align::kRight}});
  for (std::size_t i = 0; i < std::min(full.size(), kShown); ++i) {
    const StaticContact& one = *full[i];
    table.addRow({nameOfBody(world, one.bodyA) + ", " + nameOfBody(world, one.bodyB),
                  vectorText(one.position), fmt::format("{:.4g}", one.normalForce),
                  fmt::format("{:.4g}", one.friction)});
  }
  return text + table.plain(2) + moreText(full.size(), "contacts");
}

std::string mechanismText(const StaticAnswer& answer, const World& world) {
  const std::vector<StaticMotion>& mechanism = answer.mechanism;
  if (mechanism.empty()) return "";
  std::string text = fmt::format(
      "Mechanism     {} of {} {} as it gives way, the fastest {}first\n"
      "              That one has the speed 1: of its centre, or of its turning at its least "
      "extent\n",
      mechanism.size(), counted(std::ssize(world.bodies()), "body", "bodies"),
      mechanism.size() == 1 ? "moves" : "move", answer.falling > 1 ? "of each group " : "");
  Table table({{"body"}, {"linear"}, {"angular [1/m]"}});
  for (std::size_t i = 0; i < std::min(mechanism.size(), kShown); ++i) {
    const StaticMotion& one = mechanism[i];
    table.addRow({nameOfBody(world, one.body), vectorText(one.linear), vectorText(one.angular)});
  }
  return text + table.plain(2) + moreText(mechanism.size(), "bodies");
}

/// `: 2 of 3 groups (slope_slippery; beam, post and 4 more)`, of those that fall; empty where all
/// bodies are one group.
std::string fallingText(const StaticAnswer& answer, const World& world) {
  constexpr int kNamedGroups = 3, kNamedBodies = 2;  // that are named
  if (answer.falling == 0 || answer.groups < 2) return "";
  std::string names;
  auto motion = answer.mechanism.begin();
  for (int group = 0; group < std::min(answer.falling, kNamedGroups); ++group) {
    int bodies = 0;
    for (; motion != answer.mechanism.end() && motion->group == group; ++motion, ++bodies) {
      if (bodies >= kNamedBodies) continue;
      names += bodies > 0 ? ", " : group > 0 ? "; " : "";
      names += nameOfBody(world, motion->body);
    }
    if (bodies > kNamedBodies) names += fmt::format(" and {} more", bodies - kNamedBodies);
  }
  return fmt::format(": {} of {} groups ({}{})", answer.falling, answer.groups, names,
                     answer.falling > kNamedGroups ? "; …" : "");
}

/// Why a scene may fall that looks as if it stood: what is near and does not touch. The reach that
/// it names closes all the gaps that were found.
std::string apartText(const ToldVerdict& told) {
  if (told.answer.verdict == StaticVerdict::kStands) return "";
  std::string text;
  if (told.alone > 0) {
    const std::string remedy =
        told.wider > 0 ? fmt::format(", and {} with --reach {:.3g}", told.aloneWider, told.wider)
                       : "";
    text += fmt::format(
        "Apart         {} nothing within {:.3g} mm{}:\n"
        "              move them into contact, raise --reach, or leave them out by --without\n",
        counted(told.alone, "body touches", "bodies touch"), 1e3 * told.reach, remedy);
  }
  if (told.apart > 0) {
    constexpr Real kRoundUp = 1.01;  // three digits of it are no less than the gap
    text += fmt::format(
        "Apart         {} with gaps of {:.3g} mm to {:.3g} mm bear nothing:\n"
        "              move them into contact, or take --reach {:.3g}, which closes them\n",
        counted(told.apart, "near contact"), 1e3 * told.reach, 1e3 * told.widestGap,
        kRoundUp * told.widestGap);
  }
  return text;
}

std::string sharesText(const ToldShares& told, const World& world) {
  const std::string name = nameOfBody(world, told.body);
  if (told.shares.empty()) return fmt::format("Shares        {} meets nothing\n", name);
  std::string text = fmt::format("Shares        normal forces on {} in any balance\n", name);
  Real largest = 0;
  for (const StaticShare& share : told.shares) largest = std::max(largest, share.least);
  Table table({{"contact"}, {"least", Table::Align::kRight}, {"most", Table::Align::kRight}});
  for (const StaticShare& share : told.shares) {
    const std::string where =
        share.position ? " at " + vectorText(*share.position) : ", all of them";
    const Real least = share.least < kNoFactor * largest ? 0 : share.least;
    table.addRow({nameOfBody(world, share.other) + where, amountText(least, "N"),
                  amountText(share.most, "N")});
  }
  return text + table.plain(2);
}

std::string resistanceText(const ToldResistance& told, const World& world) {
  const auto line = [](const char* label, Real amount, const char* unit, const char* where,
                       const Vec3& direction) {
    std::string text = fmt::format("{:<14}{}", label, amountText(amount, unit));
    if (amount > 0 && std::isfinite(amount)) text += where + vectorText(direction);
    return text + "\n";
  };
  const StaticResistance& one = told.resistance;
  const std::string undecided =
      one.undecided == 0
          ? ""
          : fmt::format(" ({} of {} searches ended undecided)", one.undecided, one.searches);
  return fmt::format("Disturbed     {} bears in every direction{}\n", nameOfBody(world, told.body),
                     undecided) +
         line("  force", one.force, "N", ", least along ", one.forceDirection) +
         line("  torque", one.torque, "N m", ", least about ", one.torqueAxis);
}

/// What the verdict is worth.
std::string worthText(const ToldVerdict& told) {
  const StaticAnswer& answer = told.answer;
  std::string text;
  if (told.moving > 0) {
    text += fmt::format("Caveat        {} at the start; taken as at rest\n",
                        counted(told.moving, "body moves", "bodies move"));
  }
  if (answer.verdict != StaticVerdict::kStands || !std::isfinite(answer.factor)) return text;
  if (std::ranges::none_of(answer.contacts, isAtLimit)) {
    return text +
           "Exact         nothing slips, so the factor holds for real friction too\n"
           "              A body that is only wedged between others may still slip out\n";
  }
  return text +
         "Caveat        a contact that slips is taken to lift as it does\n"
         "              With real friction it does not, so the true factor may be smaller\n";
}

Json sharesJson(const ToldShares& told, const World& world) {
  Json contacts = Json::array();
  for (const StaticShare& share : told.shares) {
    contacts.push_back({{"body", nameOfBody(world, share.other)},
                        {"position", share.position ? vectorJson3(*share.position) : Json()},
                        {"least_N", numberJson(share.least)},
                        {"most_N", numberJson(share.most)}});
  }
  return {{"body", nameOfBody(world, told.body)}, {"contacts", contacts}};
}

}  // namespace

std::string verdictText(const ToldVerdict& told, const World& world) {
  const StaticAnswer& answer = told.answer;
  std::string text = fmt::format("{}: {}{}\n", told.scene, verdictWord(answer.verdict),
                                 fallingText(answer, world));
  if (answer.verdict == StaticVerdict::kStands) {
    text += "Load factor   " + factorText(told);
    text += contactsText(answer.contacts, world);
  }
  text += mechanismText(answer, world);
  text += fmt::format("Balance       {}, {}, error {:.1e}, {}\n", counted(told.contacts, "contact"),
                      counted(told.rows, "row"), answer.error, counted(answer.steps, "step"));
  const bool isFound = answer.verdict == StaticVerdict::kFalls || !std::isnan(answer.factor);
  if (answer.verdict == StaticVerdict::kUndecided || !isFound) {
    text +=
        fmt::format("Undecided     the search ended after {} at error {:.1e} (1e-7 decides): {}\n",
                    counted(answer.steps, "step"), answer.error, answer.reason);
  }
  if (answer.verdict == StaticVerdict::kStands) {
    if (told.shares) text += sharesText(*told.shares, world);
    if (told.resistance) text += resistanceText(*told.resistance, world);
  }
  return text + apartText(told) + worthText(told);
}

Json verdictJson(const ToldVerdict& told, const World& world) {
  const StaticAnswer& answer = told.answer;
  const bool hasFactor = answer.verdict == StaticVerdict::kStands;
  Json json;
  json["scene"] = told.scene;
  json["verdict"] = verdictWord(answer.verdict);
  json["load"] = told.load;
  json["factor"] = hasFactor ? Json(answer.factor) : Json(nullptr);
  json["unbounded"] = std::isinf(answer.factor);
  json["error"] = answer.error;
  json["steps"] = answer.steps;
  json["rows"] = told.rows;
  json["reach_m"] = told.reach;
  json["apart"] = told.apart;
  json["widest_gap_m"] = told.widestGap;
  json["alone"] = told.alone;
  json["moving"] = told.moving;
  json["groups"] = answer.groups;
  json["falling"] = answer.falling;
  json["contacts"] = contactsJson(answer.contacts, world);
  json["mechanism"] = Json::array();
  for (const StaticMotion& one : answer.mechanism) {
    json["mechanism"].push_back({{"body", nameOfBody(world, one.body)},
                                 {"group", one.group},
                                 {"linear", vectorJson3(one.linear)},
                                 {"angular", vectorJson3(one.angular)}});
  }
  if (told.shares) json["shares"] = sharesJson(*told.shares, world);
  if (told.resistance) {
    const StaticResistance& one = told.resistance->resistance;
    json["disturbed"] = {{"body", nameOfBody(world, told.resistance->body)},
                         {"force_N", numberJson(one.force)},
                         {"force_direction", vectorJson3(one.forceDirection)},
                         {"torque_Nm", numberJson(one.torque)},
                         {"torque_axis", vectorJson3(one.torqueAxis)},
                         {"searches", one.searches},
                         {"undecided", one.undecided}};
  }
  return json;
}

}  // namespace drystone::cli
