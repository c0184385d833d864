#include "apps/derive/derive_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/support/static_words.h"
#include "apps/support/table.h"
#include "core/wording.h"

namespace drystone::cli {
namespace {

std::string radiusText(Real radius) {
  return std::isfinite(radius) ? fmt::format("{:.3g}", radius) : "any";
}

Json knownJson(Real value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace

std::string derivativesText(const ToldDerivatives& told) {
  std::string text =
      fmt::format("{}: {} of {:g} s\n", told.scene, counted(told.steps, "step"), told.timestep);
  constexpr auto kRight = Table::Align::kRight;
  Table table({{"of"},
               {"by"},
               {"derivative", kRight},
               {"difference", kRight},
               {"error", kRight},
               {"residual", kRight},
               {"t* < 0", kRight},
               {"t* > 0", kRight}});
  bool isAtKink = false, isOpen = false, isUncertain = false;
  for (const Derived& one : told.derivatives) {
    const bool isCompared = std::isfinite(one.difference);
    isAtKink = isAtKink || !isCompared;
    isOpen = isOpen || !one.isUnique;
    isUncertain = isUncertain || !one.isCertain;
    table.addRow(
        {fmt::format("{} [{}]", one.of.name, one.of.unit),
         fmt::format("{} [{}]", one.by.name, one.by.unit), fmt::format("{:.10g}", one.derivative),
         isCompared ? fmt::format("{:.10g}", one.difference) : "none",
         isCompared ? fmt::format("{:.1e}", one.error) : "none",
         fmt::format("{:.1e}", one.residual), radiusText(one.behind), radiusText(one.ahead)});
  }
  text += table.plain(2);
  if (isAtKink) {
    text +=
        "Kink          t* leaves no room for a difference: a contact changes its state at once, "
        "and the derivative is that of one side\n";
  }
  if (isUncertain) {
    text +=
        "Uncertain     the states of contacts are closer to others than the solve is exact: the "
        "derivative may be that of the other side\n";
  }
  if (isOpen) {
    text +=
        "Redundant     contacts or locks leave their forces open: the derivative is right where "
        "the residual is round-off\n";
  }
  return text;
}

Json derivativesJson(const ToldDerivatives& told) {
  Json json;
  json["scene"] = told.scene;
  json["steps"] = told.steps;
  json["timestep_s"] = told.timestep;
  json["derivatives"] = Json::array();
  for (const Derived& one : told.derivatives) {
    json["derivatives"].push_back({{"of", one.of.name},
                                   {"unit_of", one.of.unit},
                                   {"by", one.by.name},
                                   {"unit_by", one.by.unit},
                                   {"value", one.value},
                                   {"value_by", one.by.value},
                                   {"derivative", one.derivative},
                                   {"difference", knownJson(one.difference)},
                                   {"difference_step", knownJson(one.step)},
                                   {"error", knownJson(one.error)},
                                   {"residual_m_s", one.residual},
                                   {"behind", numberJson(one.behind)},
                                   {"ahead", numberJson(one.ahead)},
                                   {"certain", one.isCertain},
                                   {"unique", one.isUnique}});
  }
  return json;
}

}  // namespace drystone::cli
