// Derivatives of the rows of a contact: docs/theory/derivatives.md, "A whole step".
#include "engine/gradients/contact_motion.h"
#include "engine/gradients/row_response.h"
#include "engine/gradients/solved_step.h"
#include "engine/step/normal_terms.h"
#include "engine/step/spin.h"

namespace drystone {
namespace {

/// How its arms move with the poses, and the frame with them.
struct MovingArms {
  ContactArms at;
  Eigen::Matrix<Real, 3, 12> a, b;
};

Vec3 relativeVelocity(const StepContact& contact, const MovingArms& arms,
                      const std::vector<Vec6>& u) {
  const Vec6 &a = u[contact.bodyA], &b = u[contact.bodyB];
  return b.head<3>() + b.tail<3>().cross(arms.at.b) - a.head<3>() - a.tail<3>().cross(arms.at.a);
}

/// Derivative by the poses of the velocity along the axes of the contact.
Eigen::Matrix<Real, 3, 12> velocityByPose(const StepContact& contact, const ContactMotion& motion,
                                          const MovingArms& arms, const Mat3& frame,
                                          const std::vector<Vec6>& u) {
  const Mat3 turnA = skew(u[contact.bodyA].tail<3>()), turnB = skew(u[contact.bodyB].tail<3>());
  const Vec3 velocity = relativeVelocity(contact, arms, u);
  // An axis f turns by δ × f, and (δ × f) · v = f · (v × δ).
  return frame.transpose() * (turnB * arms.b - turnA * arms.a + skew(velocity) * motion.turn);
}

}  // namespace

RowResponse RowResponse::between(int block, int bodyA, int bodyB, int rows) {
  RowResponse response;
  response.block = block;
  response.bodyA = bodyA;
  response.bodyB = bodyB;
  response.rows = rows;
  response.jacobianA.setZero(rows, 6);
  response.jacobianB.setZero(rows, 6);
  response.places = {bodyA, bodyB};
  response.forceByPose.setZero(12, 12);
  response.wByPose.setZero(rows, 12);
  response.byFree.setZero(rows);
  response.byBefore.setZero(rows);
  return response;
}

RowResponse contactResponse(const SolvedStep& step, int index) {
  const StepContact& contact = step.contacts[index];
  const ContactMotion& motion = step.motions[index];
  const ConstraintRows& rows = step.rows;
  RowResponse response = RowResponse::between(contact.block, contact.bodyA, contact.bodyB,
                                              rows.blocks[contact.block].rows);
  response.contact = index;
  Mat3 frame = Mat3::Zero();
  frame.col(0) = contact.point.normal;
  if (response.rows == 3) frame.rightCols<2>() << contact.tangent1, contact.tangent2;
  Vec3 force = Vec3::Zero();
  for (int i = 0; i < response.rows; ++i) {
    const int row = rows.firstRow[contact.block] + i;
    response.jacobianA.row(i) = rows.jacobianA[row].transpose();
    response.jacobianB.row(i) = rows.jacobianB[row].transpose();
    force += rows.lambda[row] * frame.col(i);
  }
  MovingArms arms{armsOf(step.bodies, contact), motion.endA, motion.endB};
  arms.a.leftCols<3>() -= Mat3::Identity();
  arms.b.middleCols<3>(6) -= Mat3::Identity();

  const Eigen::Matrix<Real, 3, 12> turned = -skew(force) * motion.turn;  // δ × f
  const auto fillSide = [&](int body, Real sign, const Vec3& arm,
                            const Eigen::Matrix<Real, 3, 12>& byPose, int first) {
    if (!step.bodies.isDynamic(body)) return;
    response.forceByPose.middleRows<3>(first) = sign * turned;
    response.forceByPose.middleRows<3>(first + 3) =
        sign * (skew(arm) * turned - skew(force) * byPose);
  };
  fillSide(contact.bodyA, -1, arms.at.a, arms.a, 0);
  fillSide(contact.bodyB, 1, arms.at.b, arms.b, 6);

  const Vec3& n = contact.point.normal;
  const Real before = n.dot(relativeVelocity(contact, arms, step.motion.old));
  const Real free = n.dot(relativeVelocity(contact, arms, step.motion.free));
  NormalDerivative normal;
  normalTerms(contact, before, free, step.settings, step.settings.timestep, &normal);
  response.byBefore[0] = normal.byBefore;
  response.byFree[0] = normal.byFree;
  const auto along = [&](const std::vector<Vec6>& u) {
    return velocityByPose(contact, motion, arms, frame, u);
  };
  response.wByPose = along(step.velocity).topRows(response.rows);
  response.wByPose.row(0) += normal.byBefore * along(step.motion.old).row(0) +
                             normal.byFree * along(step.motion.free).row(0) +
                             normal.byGap * motion.gap;
  for (const NormalKink& kink :
       normalKinks(contact, before, free, step.settings, step.settings.timestep)) {
    response.kinks.push_back({.value = kink.value,
                              .byPose = kink.byGap * motion.gap +
                                        kink.byBefore * along(step.motion.old).row(0) +
                                        kink.byFree * along(step.motion.free).row(0),
                              .byFree = kink.byFree,
                              .byBefore = kink.byBefore});
  }
  return response;
}

}  // namespace drystone
