#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string>

#include "viewer/app/app_state.h"
#include "viewer/app/panels/section.h"
#include "viewer/app/plot_axis.h"
#include "viewer/app/style.h"
#include "viewer/app/widgets.h"
#include "viewer/scene/contact_state.h"

namespace drystone::viewer {
namespace {

/// Without the sign of what rounds to zero.
Real shown(Real value) { return std::abs(value) < 5e-4 ? 0.0 : value; }

std::string vectorText(const Vec3& v) {
  return fmt::format("{:.3f} {:.3f} {:.3f}", shown(v.x()), shown(v.y()), shown(v.z()));
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

void drawBody(const AppState& app, const ViewBody& body, const BodySnapshot& now) {
  if (!beginFigures("body")) return;
  figure("kind", fmt::format("{}{}", kindName(body.kind), body.isSensor ? ", sensor" : ""));
  if (body.shape) figure("shape", std::string(shapeName(*body.shape)));
  if (body.kind == BodyKind::kDynamic) figure("mass", shortNumber(body.mass) + " kg");
  figure("position [m]", vectorText(now.pose.position), "of the reference frame");
  const Quat& q = now.pose.rotation;
  figure("rotation",
         fmt::format("{:.3f} {:.3f} {:.3f} {:.3f}", shown(q.w()), shown(q.x()), shown(q.y()),
                     shown(q.z())),
         "unit quaternion w x y z");
  figure("velocity [m/s]", vectorText(now.linearVelocity), "of the centre of mass");
  figure("turning [rad/s]", vectorText(now.angularVelocity), "angular velocity");
  const auto& islands = app.frame->report.islands;
  if (app.status.recording) {
    figure("island", now.island < 0 ? "none" : fmt::format("{}", now.island));
    if (body.kind == BodyKind::kDynamic) figure("awake", "not recorded");
  } else if (now.island >= 0 && now.island < static_cast<int>(islands.size())) {
    const IslandReport& island = islands[static_cast<std::size_t>(now.island)];
    figure("island", fmt::format("{} of {} bodies", now.island, island.bodies));
    figure("awake", std::string(awakeReasonName(island.awake)), "why its island does not sleep");
    figure("island solved to", shortNumber(island.result.judge.naturalMap) + " m/s",
           island.result.withinTolerance ? kTextGood : kTextBad);
  } else {
    figure("island", now.awake ? "none" : "asleep");
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
  ImGui::TextUnformatted(measured ? shortNumber(app.frame->contactResidual[index]).c_str() : "-");
}

void drawContacts(const AppState& app, BodyId of) {
  const auto& contacts = app.frame->snapshot.contacts;
  const auto touches = [&](const ContactSnapshot& c) { return c.bodyA == of || c.bodyB == of; };
  const auto count = std::ranges::count_if(contacts, touches);
  ImGui::Spacing();
  ImGui::TextUnformatted(fmt::format("{} contacts", count).c_str());
  if (count == 0) return;
  const float height = ImGui::GetTextLineHeightWithSpacing() *
                       (1.4f + static_cast<float>(std::min<std::ptrdiff_t>(count, 8)));
  if (!ImGui::BeginTable("contacts", 4, ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY,
                         {0, height})) {
    return;
  }
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("with", ImGuiTableColumnFlags_WidthStretch, 1.1f);
  ImGui::TableSetupColumn("N s", ImGuiTableColumnFlags_WidthStretch, 0.9f);
  ImGui::TableSetupColumn("state", ImGuiTableColumnFlags_WidthStretch, 0.9f);
  ImGui::TableSetupColumn("residual", ImGuiTableColumnFlags_WidthStretch, 1);
  ImGui::TableHeadersRow();
  const Real negligible = kNegligibleShare * meanImpulse(contacts);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (touches(contacts[i])) drawContact(app, i, of, negligible);
  }
  ImGui::EndTable();
}

void drawJoints(const AppState& app, BodyId of) {
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
    if (beginFigures("joint")) {
      const Pose relative = joint.frameA.inverse() * joint.frameB;
      figure("with", nameOf(app, joint.bodyA == of ? joint.bodyB : joint.bodyA));
      figure("offset [m]", vectorText(relative.position), "frame B in frame A");
      figure("angle", fmt::format("{:.3f} rad", Eigen::AngleAxis<Real>(relative.rotation).angle()),
             "between the two frames");
      figure("force [N]", vectorText(joint.reaction.force), "on body B in the last step");
      figure("torque [N m]", vectorText(joint.reaction.torque), "on body B in the last step");
      endFigures();
    }
    ImGui::PopID();
  }
}

void draw(AppState& app) {
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

Section inspectorSection() { return {"inspector", "Inspector", false, false, &draw}; }

}  // namespace drystone::viewer
