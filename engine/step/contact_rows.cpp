#include <algorithm>

#include "core/hash.h"
#include "core/parallel.h"
#include "engine/step/normal_terms.h"
#include "engine/step/rows.h"

namespace drystone {
namespace {

/// Writes the rows of J of one body (M.5), (M.6). `sign`: -1 for A, 1 for B.
void fillJacobian(const StepContact& contact, Real sign, const Vec3& arm, int count,
                  Vec6* jacobian) {
  const auto fill = [&](const Vec3& direction, Vec6& row) {
    row.head<3>() = sign * direction;
    row.tail<3>() = sign * arm.cross(direction);
  };
  fill(contact.point.normal, jacobian[0]);
  if (count >= 3) {
    fill(contact.tangent1, jacobian[1]);
    fill(contact.tangent2, jacobian[2]);
  }
  if (count == 4) {
    jacobian[3].head<3>().setZero();
    jacobian[3].tail<3>() = sign * (contact.contensouRadius * contact.point.normal);
  }
  for (int i = 3; count == 5 && i < count; ++i) {
    jacobian[i].head<3>().setZero();
    jacobian[i].tail<3>() = sign * rollingAxis(contact, i - 3);
  }
}

void fillContact(const BodyStore& bodies, const StepContact& contact, const StepMotion& motion,
                 const WorldSettings& settings, Real h, ConstraintRows& rows) {
  const int count = contactRows(rows.friction);
  const int first = rows.firstRow[contact.block];
  const int a = contact.bodyA, b = contact.bodyB;
  const ContactArms arms = armsOf(bodies, contact);
  const auto fillSide = [&](int body, Real sign, const Vec3& arm, Vec6* jacobian) {
    if (bodies.isDynamic(body) && !contact.waits) {
      fillJacobian(contact, sign, arm, count, jacobian);
      for (int i = 0; i < count; ++i) bodies.dropLocked(body, jacobian[i]);
    } else {
      std::fill_n(jacobian, count, Vec6::Zero());
    }
  };
  fillSide(a, -1, arms.a, &rows.jacobianA[first]);
  fillSide(b, 1, arms.b, &rows.jacobianB[first]);

  // Of B's surface relative to A's: at the point, and from there along the rows (M.5), (M.6).
  const auto velocityAtPoint = [&](const std::vector<Vec6>& u) -> Vec3 {
    return u[b].head<3>() + u[b].tail<3>().cross(arms.b) - u[a].head<3>() -
           u[a].tail<3>().cross(arms.a);
  };
  const Vec3* tangents[2] = {&contact.tangent1, &contact.tangent2};
  const Vec3& normal = contact.point.normal;
  const Vec3 slip = surfaceSlip(bodies, contact);
  const Vec3 old = velocityAtPoint(motion.old);
  const Vec3 free = velocityAtPoint(motion.free);
  NormalTerms terms;
  Real along[kMaxBlockRows] = {};
  if (contact.waits) {
    along[0] = contact.point.gap / h;
  } else {
    along[0] = normal.dot(free);
    for (int i = 0; i < 2; ++i) along[i + 1] = tangents[i]->dot(free + slip);
    const Vec3 spin = motion.free[b].tail<3>() - motion.free[a].tail<3>();
    if (count == 4) along[3] = contact.contensouRadius * normal.dot(spin);
    for (int i = 3; count == 5 && i < count; ++i) {
      along[i] = rollingAxis(contact, i - 3).dot(spin);
    }
    terms = normalTerms(contact, normal.dot(old), along[0], settings, h);
  }

  for (int i = 0; i < count; ++i) {
    const int row = first + i;
    // The tangents share one, since solvers turn them along the slip: C in the mean over the
    // directions.
    const Real share = i == 1 || i == 2 ? contact.across : 1;
    rows.compliance[row] = i == 0 ? contact.compliance : share * contact.tangentialCompliance;
    if (!rows.lower.empty()) {
      rows.lower[row] = i == 0 ? 0 : -kInfinity;
      rows.upper[row] = kInfinity;
    }
    rows.restitutionTerm[row] = i == 0 ? terms.restitution : 0.0;
    if (terms.impact && (i == 1 || i == 2)) {
      rows.restitutionTerm[row] = contact.tangentialRestitution * tangents[i - 1]->dot(old + slip);
    }
    rows.stabilizationTerm[row] = i == 0 ? terms.stabilization : 0.0;
    rows.b[row] = along[i] + rows.restitutionTerm[row] + rows.stabilizationTerm[row];
  }
  ProblemBlock& block = rows.blocks[contact.block];
  block.law = BlockLaw::kContact;
  block.friction = contact.friction;
  block.rolling = count == 5 ? contact.rollingResistance / contact.rollingArm : 0;
  block.key =
      mixKeys(mixKeys(contact.point.colliderA, contact.point.colliderB), contact.point.feature);
}

}  // namespace

void contactRows(const BodyStore& bodies, std::span<const StepContact> contacts,
                 const StepMotion& motion, const WorldSettings& settings, Real h,
                 ConstraintRows& rows) {
  const int count = static_cast<int>(contacts.size());
  parallelRanges(count, kContactsPerRange, settings.threads, [&](int begin, int end) {
    for (int c = begin; c < end; ++c) fillContact(bodies, contacts[c], motion, settings, h, rows);
  });
}

}  // namespace drystone
