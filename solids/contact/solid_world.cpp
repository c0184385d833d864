#include "solids/contact/solid_world.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/field_visitor.h"
#include "core/input_error.h"

namespace drystone {
namespace {

constexpr Real kLargestMove = 0.25;  // of a node in a sub-step, in cells: contacts reach that far

bool isSame(const SolidGrid& a, const SolidGrid& b) {
  return a.origin == b.origin && a.spacing == b.spacing && a.nodes == b.nodes;
}

void check(const SolidWorldSetup& setup, const SolverTraits& traits) {
  std::vector<std::string> problems;
  const auto need = [&](bool holds, const std::string& problem) {
    if (!holds) problems.push_back("solid world: " + problem);
  };
  need(!setup.bodies.empty(), "it must have a body");
  for (std::size_t i = 1; i < setup.bodies.size(); ++i) {
    need(isSame(setup.bodies[i].grid, setup.bodies[0].grid),
         "body " + std::to_string(i) + " must have the grid of body 0");
  }
  for (std::size_t i = 0; i < setup.walls.size(); ++i) {
    const SolidWall& wall = setup.walls[i];
    const std::string name = "wall " + std::to_string(i);
    need(wall.point.allFinite() && std::abs(wall.normal.norm() - 1) < 1e-9,
         name + " must have a finite point and a normal of unit length");
    need(wall.friction >= 0 && wall.friction <= kLargestInput, name + " must have friction >= 0");
  }
  need(setup.friction >= 0 && setup.friction <= kLargestInput, "friction must be >= 0");
  const SolidStabilization& stabilization = setup.stabilization;
  need(stabilization.gamma >= 0 && stabilization.gamma <= 1, "gamma must lie in [0, 1]");
  need(stabilization.maxPushSpeed >= 0, "max_push_speed must be >= 0 m/s");
  need(setup.budget.tolerance > 0, "tolerance must be > 0 m/s");
  const FrictionModel model = setup.frictionModel;
  need(model == FrictionModel::kNone || model == FrictionModel::kPyramid ||
           model == FrictionModel::kDiamond || model == FrictionModel::kCone,
       "the friction model must be none, pyramid, diamond or cone");
  const std::string refusal = whyNot(traits, {.friction = model, .isAssembled = true});
  need(refusal.empty(), "solver " + setup.solver.name + " " + refusal);
  if (!problems.empty()) throw InputError(problems);
}

}  // namespace

SolidWorld::SolidWorld(const SolidWorldSetup& setup, const SolverRegistry& registry)
    : setup_(setup), solver_(registry.create(setup.solver.name, setup.solver.settings)) {
  check(setup_, solver_->traits());
  for (const SolidSetup& body : setup_.bodies) bodies_.emplace_back(body);
}

Real SolidWorld::stableStep() const {
  Real step = kUnlimited;
  for (const Solid& body : bodies_) {
    step = std::min(step, body.stableStep());
    const Real speed = body.fastest(), move = kLargestMove * body.grid().spacing;
    if (speed > 0) step = std::min(step, move / speed);
  }
  return step;
}

SolidWorldReport SolidWorld::step(Real duration) {
  if (!(duration >= 0 && duration <= kLargestInput)) {
    throw InputError("solid world: the duration of a step must be >= 0 s");
  }
  SolidWorldReport report;
  report.smallestStep = duration;
  const auto takeStatus = [&] {
    for (int i = bodyCount() - 1; i >= 0; --i) {
      if (bodies_[i].status() == SolidStatus::kOk) continue;
      report.status = bodies_[i].status();
      report.body = i;
    }
  };
  takeStatus();
  for (Real left = duration; left > 0 && report.status == SolidStatus::kOk;) {
    const Real parts = std::ceil(left / stableStep());
    const Real part = left / parts;
    for (Solid& body : bodies_) body.begin(part);
    solveContacts(part);
    for (Solid& body : bodies_) body.finish();
    takeStatus();
    left = parts > 1 ? left - part : 0;
    ++report.substeps;
    report.smallestStep = std::min(report.smallestStep, part);
    report.mostContacts = std::max(report.mostContacts, static_cast<int>(keys_.size()));
    report.naturalMap = std::max(report.naturalMap, last_.result.judge.naturalMap);
    if (!last_.result.withinTolerance) ++report.missed;
  }
  return report;
}

void SolidWorld::solveContacts(Real duration) {
  const std::span<const ContactCell> contacts =
      finder_.find(bodies_, setup_.walls, setup_.friction, duration);
  rows_.build(contacts, bodies_, duration, setup_.stabilization, setup_.frictionModel);
  startFromLast(contacts, contactRows(setup_.frictionModel));
  startStates_ = states_;
  last_.contacts = contacts;
  last_.problem = rows_.problem();
  last_.result =
      solveProblem(*solver_, last_.problem, setup_.budget, {impulses_, states_}, workspace_);
  last_.startStates = startStates_;
  last_.states = states_;
  last_.impulses = impulses_;
  rows_.apply(impulses_, bodies_);
}

void SolidWorld::startFromLast(std::span<const ContactCell> contacts, int rowsOfOne) {
  std::swap(impulses_, lastImpulses_);
  std::swap(states_, startStates_);
  impulses_.assign(contacts.size() * rowsOfOne, 0);
  states_.assign(contacts.size() * rowsOfOne, RowState::kUnknown);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const auto same = std::lower_bound(keys_.begin(), keys_.end(), contacts[c].key);
    if (same == keys_.end() || *same != contacts[c].key) continue;
    const std::size_t from = rowsOfOne * (same - keys_.begin()), to = rowsOfOne * c;
    std::copy_n(lastImpulses_.begin() + from, rowsOfOne, impulses_.begin() + to);
    std::copy_n(startStates_.begin() + from, rowsOfOne, states_.begin() + to);
  }
  keys_.clear();
  for (const ContactCell& contact : contacts) keys_.push_back(contact.key);
}

}  // namespace drystone
