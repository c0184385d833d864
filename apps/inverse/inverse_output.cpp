// Forces of the motion that was asked for, of a scene.
#include "apps/inverse/inverse_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <string_view>

#include "apps/support/static_words.h"
#include "apps/support/table.h"
#include "core/wording.h"
#include "engine/model/joint_coordinates.h"

namespace drystone::cli {
namespace {

/// Rows that a summary shows of a list; the JSON has all.
constexpr std::size_t kShownRows = 10;

std::string moreRows(std::size_t all, std::string_view what) {
  return all > kShownRows
             ? fmt::format("  and {} more {}: --json has all\n", all - kShownRows, what)
             : "";
}

const MotorPlace& placeOfMotor(const ToldForces& told, const WantedMotor& motor) {
  return *std::ranges::find_if(told.motors, [&](const MotorPlace& place) {
    return place.joint == motor.joint && place.coordinate == motor.coordinate;
  });
}

/// Of all contacts and motors [N], [N m].
Real largestForce(const InverseAnswer& answer) {
  Real largest = 0;
  for (const StaticContact& one : answer.contacts) largest = std::max(largest, one.normalForce);
  for (const WantedMotor& one : answer.motors) largest = std::max(largest, std::abs(one.force));
  return largest;
}

std::string motorsText(const ToldForces& told) {
  const std::vector<WantedMotor>& motors = told.answer.motors;
  if (motors.empty()) return "";
  const Real largest = largestForce(told.answer);
  std::string text = fmt::format("Motors        {}\n", counted(std::ssize(motors), "motor"));
  Table table({{"joint"}, {"force", Table::Align::kRight}, {"cap", Table::Align::kRight}});
  for (std::size_t i = 0; i < std::min(motors.size(), kShownRows); ++i) {
    const MotorPlace& place = placeOfMotor(told, motors[i]);
    table.addRow({place.name, amountText(shownForce(motors[i].force, largest), place.unit),
                  amountText(motors[i].most, place.unit)});
  }
  return text + table.plain(2) + moreRows(motors.size(), "motors");
}

std::string lacksText(const ToldForces& told, const World& world) {
  const std::vector<LackingMotion>& lacks = told.answer.lacks;
  if (lacks.empty()) return "";
  std::string text = fmt::format("Lacking       for {}: what would do it\n",
                                 counted(std::ssize(lacks), "body", "bodies"));
  Table table({{"body"}, {"force [N]"}, {"torque [N m]"}, {"of [m/s²]", Table::Align::kRight}});
  for (std::size_t i = 0; i < std::min(lacks.size(), kShownRows); ++i) {
    const LackingMotion& one = lacks[i];
    table.addRow({nameOfBody(world, one.body), vectorText(one.force), vectorText(one.torque),
                  fmt::format("{:.4g}", one.speed / told.h)});
  }
  return text + table.plain(2) + moreRows(lacks.size(), "bodies");
}

std::string blockedText(const ToldForces& told, const World& world) {
  const std::vector<BlockedContact>& blocked = told.answer.blocked;
  if (blocked.empty()) return "";
  std::string text = fmt::format("Blocked       {} would be pressed in\n",
                                 counted(std::ssize(blocked), "contact"));
  Table table({{"bodies"}, {"at [m]"}, {"by [m/s²]", Table::Align::kRight}});
  for (std::size_t i = 0; i < std::min(blocked.size(), kShownRows); ++i) {
    const BlockedContact& one = blocked[i];
    table.addRow({nameOfBody(world, one.bodyA) + ", " + nameOfBody(world, one.bodyB),
                  vectorText(one.position), fmt::format("{:.4g}", one.speed / told.h)});
  }
  return text + table.plain(2) + moreRows(blocked.size(), "contacts");
}

std::string contactTable(const ToldForces& told, const World& world) {
  std::vector<StaticContact> contacts = told.answer.contacts;
  if (contacts.empty()) return "Contacts      none touches\n";
  std::ranges::stable_sort(contacts, std::greater(), &StaticContact::normalForce);
  const Real largest = largestForce(told.answer);
  std::string text = fmt::format("Contacts      {}\n", counted(std::ssize(contacts), "contact"));
  Table table({{"bodies"},
               {"at [m]"},
               {"normal [N]", Table::Align::kRight},
               {"friction [N]", Table::Align::kRight},
               {"of its most", Table::Align::kRight}});
  for (std::size_t i = 0; i < std::min(contacts.size(), kShownRows); ++i) {
    const StaticContact& one = contacts[i];
    table.addRow({nameOfBody(world, one.bodyA) + ", " + nameOfBody(world, one.bodyB),
                  vectorText(one.position),
                  fmt::format("{:.4g}", shownForce(one.normalForce, largest)),
                  fmt::format("{:.4g}", shownForce(one.friction, largest)),
                  fmt::format("{:.0f} %", 100 * one.use)});
  }
  return text + table.plain(2) + moreRows(contacts.size(), "contacts");
}

}  // namespace

std::vector<MotorPlace> motorPlaces(const World& world) {
  // As the keys of `six_dof` in a scene.
  constexpr const char* kCoordinates[] = {"along_x", "along_y", "along_z",
                                          "about_x", "about_y", "about_z"};
  std::vector<MotorPlace> out;
  for (const JointId id : world.joints()) {
    const JointDefinition joint = world.joint(id).definition();
    std::vector<int> driven;
    for (int i = 0; i < world.joint(id).coordinateCount(); ++i) {
      if (joint.axes[i].motor) driven.push_back(i);
    }
    for (const int i : driven) {
      const std::string coordinate = driven.size() > 1 ? fmt::format(".{}", kCoordinates[i]) : "";
      out.push_back({id, i, joint.name + coordinate, isAngle(joint.geometry, i) ? "N m" : "N"});
    }
  }
  return out;
}

Real violationOf(const InverseAnswer& answer, Real h) {
  Real speed = 0;
  if (!answer.lacks.empty()) speed = answer.lacks.front().speed;
  if (!answer.blocked.empty()) speed = std::max(speed, answer.blocked.front().speed);
  return speed / h;
}

Real shownForce(Real force, Real largest) { return std::abs(force) < 1e-6 * largest ? 0 : force; }

std::string forcesText(const ToldForces& told, const World& world) {
  const InverseAnswer& answer = told.answer;
  std::string text;
  if (!answer.isSolved) {
    text =
        fmt::format("{}: undecided\nUndecided     the search ended after {} at error {:.1e}: {}\n",
                    told.scene, counted(answer.steps, "step"), answer.error, answer.reason);
  } else if (answer.isPossible) {
    text = fmt::format("{}: possible\n", told.scene);
  } else {
    text =
        fmt::format("{}: not possible, by {:.4g} m/s²\n", told.scene, violationOf(answer, told.h));
  }
  text += lacksText(told, world) + blockedText(told, world);
  if (answer.isSolved) {
    text += motorsText(told) + contactTable(told, world);
    text += fmt::format("Balance       error {:.1e}, {}\n", answer.error,
                        counted(answer.steps, "step"));
  }
  if (told.keeping > 0) {
    text += fmt::format(
        "Moving        {} at the start, and {} the velocity unless told otherwise\n",
        counted(told.keeping, "body moves", "bodies move"), told.keeping == 1 ? "keeps" : "keep");
  }
  return text;
}

Json forcesJson(const ToldForces& told, const World& world) {
  const InverseAnswer& answer = told.answer;
  Json json;
  json["scene"] = told.scene;
  json["verdict"] = !answer.isSolved    ? "undecided"
                    : answer.isPossible ? "possible"
                                        : "not_possible";
  json["violation_m_s2"] = answer.isSolved ? Json(violationOf(answer, told.h)) : Json(nullptr);
  json["error"] = answer.error;
  json["steps"] = answer.steps;
  json["moving"] = told.keeping;
  json["motors"] = Json::array();
  for (const WantedMotor& one : answer.motors) {
    const MotorPlace& place = placeOfMotor(told, one);
    json["motors"].push_back({{"joint", place.name},
                              {"force", one.force},
                              {"most", numberJson(one.most)},
                              {"unit", place.unit}});
  }
  json["contacts"] = contactsJson(answer.contacts, world);
  json["lacks"] = Json::array();
  for (const LackingMotion& one : answer.lacks) {
    json["lacks"].push_back({{"body", nameOfBody(world, one.body)},
                             {"force_N", vectorJson3(one.force)},
                             {"torque_Nm", vectorJson3(one.torque)},
                             {"linear_m_s2", vectorJson3(one.linear / told.h)},
                             {"angular_rad_s2", vectorJson3(one.angular / told.h)}});
  }
  json["blocked"] = Json::array();
  for (const BlockedContact& one : answer.blocked) {
    json["blocked"].push_back({{"body_a", nameOfBody(world, one.bodyA)},
                               {"body_b", nameOfBody(world, one.bodyB)},
                               {"position", vectorJson3(one.position)},
                               {"by_m_s2", one.speed / told.h}});
  }
  return json;
}

}  // namespace drystone::cli
