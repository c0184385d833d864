// Forces of a recorded motion.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

#include "apps/inverse/inverse_output.h"
#include "apps/support/csv_values.h"
#include "apps/support/samples.h"
#include "apps/support/static_words.h"
#include "apps/support/table.h"
#include "core/wording.h"

namespace drystone::cli {
namespace {

constexpr std::size_t kShownSteps = 5;

/// Those that are not possible, the worst first.
std::string worstSteps(const ToldMotion& told) {
  std::vector<const StepForces*> bad;
  for (const StepForces& step : told.steps) {
    if (step.isSolved && !told.isPossible(step)) bad.push_back(&step);
  }
  if (bad.empty()) return "";
  std::ranges::stable_sort(bad, std::greater(),
                           [](const StepForces* step) { return step->violation; });
  std::string text =
      fmt::format("Worst         of {} that no forces make\n", counted(std::ssize(bad), "step"));
  Table table({{"step", Table::Align::kRight},
               {"time [s]", Table::Align::kRight},
               {"where"},
               {"by [m/s²]", Table::Align::kRight},
               {"lacks [N]", Table::Align::kRight}});
  for (std::size_t i = 0; i < std::min(bad.size(), kShownSteps); ++i) {
    const StepForces& one = *bad[i];
    table.addRow({std::to_string(one.step), fmt::format("{:.4g}", one.time), one.where,
                  fmt::format("{:.4g}", one.violation), fmt::format("{:.4g}", one.lack)});
  }
  return text + table.plain(2);
}

std::string motorTable(const ToldMotion& told) {
  if (told.motors.empty()) return "";
  Real largest = 0;
  for (const StepForces& step : told.steps) {
    for (const Real force : step.motors) largest = std::max(largest, std::abs(force));
    largest = std::max(largest, step.largest);
  }
  std::string text = fmt::format("Motors        {}\n", counted(std::ssize(told.motors), "motor"));
  Table table({{"joint"},
               {"least", Table::Align::kRight},
               {"most", Table::Align::kRight},
               {"mean size", Table::Align::kRight}});
  for (std::size_t i = 0; i < told.motors.size(); ++i) {
    Samples forces, sizes;
    for (const StepForces& step : told.steps) {
      if (!step.isSolved || std::isnan(step.motors[i])) continue;
      forces.add(step.motors[i]);
      sizes.add(std::abs(step.motors[i]));
    }
    const char* const unit = told.motors[i].unit;
    if (forces.count() == 0) {
      table.addRow({told.motors[i].name, "unknown", "unknown", "unknown"});
      continue;
    }
    const auto shown = [&](Real force) { return amountText(shownForce(force, largest), unit); };
    table.addRow(
        {told.motors[i].name, shown(forces.min()), shown(forces.max()), shown(sizes.mean())});
  }
  return text + table.plain(2);
}

std::string contactLine(const ToldMotion& told) {
  const auto largest = std::ranges::max_element(told.steps, {}, &StepForces::largest);
  if (largest == told.steps.end() || !(largest->largest > 0))
    return "Contacts      carry nothing\n";
  return fmt::format("Contacts      at most {:.4g} N on one, in step {}\n", largest->largest,
                     largest->step);
}

}  // namespace

StepForces stepForces(const InverseAnswer& answer, const std::vector<MotorPlace>& motors,
                      const World& world) {
  StepForces out;
  const Real h = world.settings().substep();
  out.isSolved = answer.isSolved;
  out.violation = violationOf(answer, h);
  const Real lacking = answer.lacks.empty() ? 0 : answer.lacks.front().speed;
  if (!answer.blocked.empty() && answer.blocked.front().speed > lacking) {
    const BlockedContact& blocked = answer.blocked.front();
    out.where = nameOfBody(world, blocked.bodyA) + ", " + nameOfBody(world, blocked.bodyB);
  } else if (!answer.lacks.empty()) {
    out.where = nameOfBody(world, answer.lacks.front().body);
    out.lack = answer.lacks.front().force.norm();
  }
  out.contacts = static_cast<int>(answer.contacts.size());
  for (const StaticContact& one : answer.contacts) {
    out.largest = std::max(out.largest, one.normalForce);
  }
  for (const MotorPlace& place : motors) {
    const auto found = std::ranges::find_if(answer.motors, [&](const WantedMotor& motor) {
      return motor.joint == place.joint && motor.coordinate == place.coordinate;
    });
    out.motors.push_back(found == answer.motors.end() ? std::numeric_limits<Real>::quiet_NaN()
                                                      : found->force);
  }
  return out;
}

std::int64_t ToldMotion::possible() const {
  return std::ranges::count_if(steps, [&](const StepForces& step) { return isPossible(step); });
}

std::int64_t ToldMotion::unsolved() const {
  return std::ranges::count(steps, false, &StepForces::isSolved);
}

std::string motionText(const ToldMotion& told) {
  std::string text =
      fmt::format("{}: {} of {} {} possible\n", told.recording, told.possible(),
                  counted(std::ssize(told.steps), "step"), told.possible() == 1 ? "is" : "are");
  text += worstSteps(told) + motorTable(told) + contactLine(told);
  if (told.unsolved() > 0) {
    text += fmt::format("Undecided     in {} the search for forces ended before\n",
                        counted(told.unsolved(), "step"));
  }
  if (std::ssize(told.steps) < told.recorded) {
    text += fmt::format("Recorded      {}, of which these were asked for\n",
                        counted(told.recorded, "step"));
  }
  return text;
}

Json motionJson(const ToldMotion& told) {
  Json json;
  json["recording"] = told.recording;
  json["recorded_steps"] = told.recorded;
  json["possible"] = told.possible();
  json["undecided"] = told.unsolved();
  json["tolerance_m_s2"] = told.tolerance;
  json["steps"] = Json::array();
  for (const StepForces& step : told.steps) {
    Json one = {{"step", step.step}, {"time_s", step.time}};
    const auto figure = [&](const char* key, Json value) {
      one[key] = step.isSolved ? std::move(value) : Json(nullptr);
    };
    figure("possible", told.isPossible(step));
    figure("violation_m_s2", step.violation);
    figure("where", step.where);
    figure("lack_N", step.lack);
    figure("contacts", step.contacts);
    figure("largest_normal_N", step.largest);
    one["motors"] = Json::object();
    for (std::size_t i = 0; i < told.motors.size(); ++i) {
      one["motors"][told.motors[i].name] = numberJson(step.motors[i]);
    }
    json["steps"].push_back(std::move(one));
  }
  return json;
}

std::vector<std::string> motionCsv(const ToldMotion& told) {
  constexpr std::size_t kFigures = 6;  // of a step that is solved, beside the motors
  std::string titles = "step,time_s,possible,violation_m_s2,where,lack_N,contacts,largest_normal_N";
  for (const MotorPlace& motor : told.motors) {
    titles += "," + csvText(csvTitle(motor.name, motor.unit));
  }
  std::vector<std::string> lines = {titles};
  for (const StepForces& step : told.steps) {
    std::string row = csvRow(step.step, step.time) + ",";
    if (!step.isSolved) {
      lines.push_back(row + std::string(kFigures - 1 + told.motors.size(), ','));
      continue;
    }
    row += csvRow(static_cast<int>(told.isPossible(step)), step.violation, step.where, step.lack,
                  step.contacts, step.largest);
    for (const Real force : step.motors) row += "," + csvNumber(force);
    lines.push_back(row);
  }
  return lines;
}

}  // namespace drystone::cli
