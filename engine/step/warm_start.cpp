#include "engine/step/warm_start.h"

#include <algorithm>
#include <tuple>

namespace drystone {
namespace {

auto orderOf(const WarmContact& warm) {
  return std::tuple(warm.colliderA, warm.colliderB, warm.feature);
}
auto orderOf(const ContactPoint& point) {
  return std::tuple(point.colliderA, point.colliderB, point.feature);
}

void startContact(const StepContact& contact, const WarmContact& warm, Real scale,
                  ConstraintRows& rows) {
  const int first = rows.firstRow[contact.block];
  const int count = rows.blocks[contact.block].rows;
  // Normal and tangents may have turned since: the impulse is kept in world axes.
  rows.lambda[first] = scale * std::max(warm.impulse.dot(contact.point.normal), 0.0);
  if (count >= 3) {
    rows.lambda[first + 1] = scale * warm.impulse.dot(contact.tangent1);
    rows.lambda[first + 2] = scale * warm.impulse.dot(contact.tangent2);
  }
  if (count == 4) rows.lambda[first + 3] = scale * warm.torsion;
  std::copy_n(warm.state, count, rows.state.begin() + first);
}

/// One walk through both lists, which are in the order of joints and keys. The rows of a limit that
/// is left for the opposite one start from zero.
void startJoints(Real scale, StepData& data) {
  ConstraintRows& rows = data.rows;
  auto warm = data.warmJoints.begin();
  for (const StepJointBlock& source : data.jointBlocks) {
    for (int i = 0; i < source.rows; ++i) {
      const std::pair wanted(source.joint, data.jointRows[source.firstRow + i].key);
      while (warm != data.warmJoints.end() && std::pair(warm->joint, warm->key) < wanted) ++warm;
      if (warm == data.warmJoints.end()) return;
      if (std::pair(warm->joint, warm->key) != wanted) continue;
      const int row = rows.firstRow[source.block] + i;
      rows.lambda[row] = std::clamp(scale * warm->lambda, rows.lower[row], rows.upper[row]);
      rows.state[row] = warm->state;
    }
  }
}

}  // namespace

void matchWarmStarts(const WorldSettings& settings, StepData& data, StepReport& report) {
  ConstraintRows& rows = data.rows;
  report.warmStarted = 0;
  if (data.warmTimestep <= 0) return;
  const Real scale = settings.substep() / data.warmTimestep;

  if (settings.warmStart) startJoints(scale, data);
  // Both lists have the same order, so one walk through them finds every match.
  auto warm = data.warm.begin();
  for (const StepContact& contact : data.contacts) {
    while (warm != data.warm.end() && orderOf(*warm) < orderOf(contact.point)) ++warm;
    if (warm != data.warm.end() && orderOf(*warm) == orderOf(contact.point)) {
      // The `box` model takes the normal impulse of the step before as given (M.9).
      rows.blocks[contact.block].normalBound =
          scale * std::max(warm->impulse.dot(contact.point.normal), 0.0);
      if (settings.warmStart) {
        startContact(contact, *warm, scale, rows);
        ++report.warmStarted;
      }
      ++warm;
    }
  }
}

void storeWarmStarts(StepData& data, Real timestep) {
  const ConstraintRows& rows = data.rows;
  data.warmJoints.clear();
  for (const StepJointBlock& source : data.jointBlocks) {
    for (int i = 0; i < source.rows; ++i) {
      const int row = rows.firstRow[source.block] + i;
      data.warmJoints.push_back({source.joint, data.jointRows[source.firstRow + i].key,
                                 rows.lambda[row], rows.state[row]});
    }
  }
  data.warm.clear();
  for (const StepContact& contact : data.contacts) {
    const int first = rows.firstRow[contact.block];
    const int count = rows.blocks[contact.block].rows;
    WarmContact& warm = data.warm.emplace_back();
    warm.colliderA = contact.point.colliderA;
    warm.colliderB = contact.point.colliderB;
    warm.feature = contact.point.feature;
    warm.impulse = rows.lambda[first] * contact.point.normal;
    if (count >= 3) {
      warm.impulse +=
          rows.lambda[first + 1] * contact.tangent1 + rows.lambda[first + 2] * contact.tangent2;
    }
    if (count == 4) warm.torsion = rows.lambda[first + 3];
    std::copy_n(rows.state.begin() + first, count, warm.state);
  }
  data.warmTimestep = timestep;
}

void forgetWarmStarts(StepData& data, int collider) {
  std::erase_if(data.warm, [&](const WarmContact& warm) {
    return warm.colliderA == collider || warm.colliderB == collider;
  });
}

void forgetContacts(StepData& data, int body) {
  std::erase_if(data.contacts, [&](const StepContact& contact) {
    return contact.bodyA == body || contact.bodyB == body;
  });
  if (body < static_cast<int>(data.islands.ofBody.size())) data.islands.ofBody[body] = -1;
}

}  // namespace drystone
