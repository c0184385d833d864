#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <utility>

#include "core/wording.h"
#include "viewer/draw/contact_state.h"
#include "viewer/window/app_state.h"
#include "viewer/window/panels/section.h"
#include "viewer/window/panels/windows.h"
#include "viewer/window/plot_axis.h"
#include "viewer/window/style.h"
#include "viewer/window/widgets.h"

namespace drystone::viewer {
namespace {

constexpr float kValueShare = 0.68f;                  // of the width, for values of three numbers
constexpr int kMostDecimals = 6, kLeastDecimals = 3;  // [m] a millionth where there is room

/// Numbers side by side, without the sign of what rounds to zero.
std::string numbersText(std::initializer_list<Real> values, int decimals) {
  std::string text;
  for (const Real value : values) {
    const Real shown = std::abs(value) < 0.5 * std::pow(10.0, -decimals) ? 0.0 : value;
    text += fmt::format("{}{:.{}f}", text.empty() ? "" : " ", shown, decimals);
  }
  return text;
}

/// Figures of several numbers. Made before its table, whose width it takes for its own.
class NumberRows {
 public:
  NumberRows() : room_(kValueShare * ImGui::GetContentRegionAvail().x - ImGui::GetFontSize()) {}

  /// With as many decimals as have room; under the mouse with all digits.
  void add(const char* name, std::initializer_list<Real> values, const char* help) const {
    std::string all = help;
    for (const Real value : values) all += fmt::format("\n{}", value);
    figure(name, fitting(values), all.c_str());
  }
  void add(const char* name, const Vec3& v, const char* help) const {
    add(name, {v.x(), v.y(), v.z()}, help);
  }

 private:
  std::string fitting(std::initializer_list<Real> values) const {
    for (int decimals = kMostDecimals; decimals > kLeastDecimals; --decimals) {
      const std::string text = numbersText(values, decimals);
      if (ImGui::CalcTextSize(text.c_str()).x <= room_) return text;
    }
    return numbersText(values, kLeastDecimals);
  }

  float room_;
};

/// In a tooltip, which has room.
std::string vectorText(const Vec3& v) { return numbersText({v.x(), v.y(), v.z()}, kMostDecimals); }

/// In words that say what of it is the island's.
std::string awakeText(AwakeReason reason) {
  if (reason == AwakeReason::kDisabled) return "sleeping is off";
  if (reason == AwakeReason::kNone) return "falls asleep";
  return std::string(awakeReasonName(reason));
}

std::string nameOf(const AppState& app, BodyId id) {
  const ViewBody* body = app.frame->scene->find(id);
  return body == nullptr ? "?" : body->name.empty() ? fmt::format("body {}", id.index) : body->name;
}

/// In the words of the legend.
const char* stateName(ContactState state) {
  switch (state) {
    case ContactState::kOpen:
      return "open";
    case ContactState::kStick:
      return "sticks";
    case ContactState::kSlip:
      return "slips";
    case ContactState::kViolating:
      return "outside";
  }
  return "";
}

const char* kindName(BodyKind kind) {
  switch (kind) {
    case BodyKind::kDynamic:
      return "dynamic";
    case BodyKind::kStatic:
      return "static";
    case BodyKind::kKinematic:
      return "kinematic";
  }
  return "";
}

/// The methods by name; under the mouse how each of them went. One line, whatever their number:
/// what stands below stays where it is.
void drawTried(const SolveResult& result) {
  std::string help = "one after the other", names;
  for (const std::string& line : triedLines(result)) help += "\n" + line;
  if (wasSolved(result.reason)) {
    for (int i = 0; i < result.solver.doorCount; ++i) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ",
                           result.solver.doors[static_cast<std::size_t>(i)].name);
    }
    if (names.empty()) names = kNotKnown;  // a solver of one method names none
  }
  figure("island tried", names.empty() ? "nothing" : names, help.c_str());
}

/// As many rows as an awake body has.
void drawNoIsland(const char* awake) {
  figure("island", "none");
  figure("awake", awake);
  unknownFigure("island solved to", "it was in no solve of the last step");
  unknownFigure("island tried", "it was in no solve of the last step");
}

void drawBody(const AppState& app, const ViewBody& body, const BodySnapshot& now) {
  const NumberRows rows;
  if (!beginFigures("body", kValueShare)) return;
  figure("kind", fmt::format("{}{}", kindName(body.kind), body.isSensor ? ", sensor" : ""));
  if (body.shape) figure("shape", std::string(shapeName(*body.shape)));
  if (body.kind == BodyKind::kDynamic) figure("mass", shortNumber(body.mass) + " kg");
  rows.add("position [m]", now.pose.position, "of the reference frame: x y z");
  const Quat& q = now.pose.rotation;
  rows.add("turned w x y z", {q.w(), q.x(), q.y(), q.z()}, "unit quaternion: w x y z");
  rows.add("velocity [m/s]", now.linearVelocity, "of the centre of mass: x y z");
  rows.add("spin [rad/s]", now.angularVelocity, "angular velocity: x y z");
  const auto& islands = app.frame->report.islands;
  if (app.status.recording) {
    figure("island", now.island < 0 ? "none" : fmt::format("{}", now.island));
    if (body.kind == BodyKind::kDynamic) unknownFigure("awake", "not recorded");
  } else if (now.island >= 0 && now.island < static_cast<int>(islands.size())) {
    const IslandReport& island = islands[static_cast<std::size_t>(now.island)];
    figure("island",
           fmt::format("{}, of {}", now.island, counted(island.bodies, "body", "bodies")));
    figure("awake", awakeText(island.awake), "why its island does not sleep");
    figure("island solved to", shortNumber(island.result.judge.naturalMap) + " m/s",
           island.result.withinTolerance ? kTextGood : kTextBad);
    drawTried(island.result);
  } else {
    drawNoIsland(now.awake ? "yes" : "asleep");
  }
  endFigures();
}

void drawContact(const AppState& app, std::size_t index, BodyId of, Real negligible) {
  const ContactSnapshot& contact = app.frame->snapshot.contacts[index];
  const char* state = stateName(contactState(contact, app.frame->friction, negligible));
  const BodyId other = contact.bodyA == of ? contact.bodyB : contact.bodyA;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(nameOf(app, other).c_str());
  const bool measured = index < app.frame->contactResidual.size();
  tooltip(fmt::format(
      "with {}\nat {} m\ngap {} m\nimpulse {} N s\nnormal impulse {} N s\nfriction {:.3g}\n{}{}",
      nameOf(app, other), vectorText(contact.position), shortNumber(contact.gap),
      vectorText(contact.impulse), shortNumber(contact.normalImpulse), contact.friction, state,
      measured ? fmt::format("\nresidual {} m/s", shortNumber(app.frame->contactResidual[index]))
               : ""));
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(shortNumber(contact.normalImpulse).c_str());
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(state);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(measured ? shortNumber(app.frame->contactResidual[index]).c_str()
                                  : kNotKnown);
}

constexpr float kContactRows = 5;  // that are seen at once

/// Of the contacts, with the share of the width that each has.
constexpr std::pair<const char*, float> kColumns[] = {
    {"with", 1.0f}, {"impulse\n[N s]", 0.9f}, {"state", 0.8f}, {"residual\n[m/s]", 1.0f}};

/// Names with their units below; the headers of the library have one line.
void drawHeaders() {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (const auto& column : kColumns) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(column.first);
  }
}

void drawContacts(const AppState& app, BodyId of) {
  const auto& contacts = app.frame->snapshot.contacts;
  const auto touches = [&](const ContactSnapshot& c) { return c.bodyA == of || c.bodyB == of; };
  const auto count = std::ranges::count_if(contacts, touches);
  ImGui::Spacing();
  ImGui::TextUnformatted(counted(count, "contact").c_str());
  // Of one height, so that the joints below stand still while contacts come and go.
  const float height = ImGui::GetTextLineHeightWithSpacing() * (2.4f + kContactRows);
  if (!ImGui::BeginTable("contacts", 4, ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY,
                         {0, height})) {
    return;
  }
  ImGui::TableSetupScrollFreeze(0, 1);
  for (const auto& [name, weight] : kColumns) {
    ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthStretch, weight);
  }
  drawHeaders();
  const Real negligible = kNegligibleShare * meanImpulse(contacts);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (touches(contacts[i])) drawContact(app, i, of, negligible);
  }
  ImGui::EndTable();
}

void drawJoints(AppState& app, BodyId of) {
  const auto& names = app.frame->scene->jointNames;
  if (app.status.recording && !names.empty()) dimText("Joints are not recorded.");
  for (const JointSnapshot& joint : app.frame->snapshot.joints) {
    if (joint.bodyA != of && joint.bodyB != of) continue;
    const auto index = static_cast<std::size_t>(joint.id.index);
    const std::string name = index < names.size() && !names[index].empty()
                                 ? names[index]
                                 : fmt::format("joint {}", joint.id.index);
    ImGui::Spacing();
    ImGui::TextUnformatted(name.c_str());
    ImGui::PushID(joint.id.index);
    const NumberRows rows;
    if (beginFigures("joint", kValueShare)) {
      const Pose relative = joint.frameA.inverse() * joint.frameB;
      figure("with", nameOf(app, joint.bodyA == of ? joint.bodyB : joint.bodyA));
      rows.add("offset [m]", relative.position, "frame B in frame A: x y z");
      rows.add("angle [rad]", {Eigen::AngleAxis<Real>(relative.rotation).angle()},
               "between the two frames");
      rows.add("force [N]", joint.reaction.force, "on body B in the last step: x y z");
      rows.add("torque [N m]", joint.reaction.torque, "on body B in the last step: x y z");
      endFigures();
    }
    drawAxes(app, joint.id);
    ImGui::PopID();
  }
}

void drawInspector(AppState& app) {
  const ViewBody* body = app.selectedBody();
  if (body == nullptr) {
    dimText("Click a body to see its motion, contacts and joints.");
    return;
  }
  const auto now = std::ranges::find(app.frame->snapshot.bodies, body->id, &BodySnapshot::id);
  if (now == app.frame->snapshot.bodies.end()) return;
  ImGui::PushFont(app.bold);
  ImGui::TextUnformatted(nameOf(app, body->id).c_str());
  ImGui::PopFont();
  ImGui::SameLine();
  ImGui::Checkbox("follow", &app.follow);
  drawBody(app, *body, *now);
  drawContacts(app, body->id);
  drawJoints(app, body->id);
}

}  // namespace

Section inspectorSection() { return {"inspector", "Inspector", false, false, &drawInspector}; }

}  // namespace drystone::viewer
