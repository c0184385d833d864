#include "core/hash.h"
#include "engine/step/rows.h"

namespace drystone {
namespace {

/// Keeps the keys of joints apart from those of contacts.
constexpr std::uint64_t kJointKeySalt = 0x6a6f696e74ULL;

}  // namespace

void jointRows(const BodyStore& bodies, const JointRowList& list, const StepMotion& motion, Real h,
               ConstraintRows& rows) {
  for (const StepJointBlock& source : list.blocks) {
    ProblemBlock& block = rows.blocks[source.block];
    block.law = BlockLaw::kRows;
    block.key = mixKeys(mixKeys(kJointKeySalt, source.joint), source.part);
    const bool movesA = bodies.isDynamic(source.bodyA), movesB = bodies.isDynamic(source.bodyB);
    for (int i = 0; i < source.rows; ++i) {
      const StepJointRow& from = list.rows[source.firstRow + i];
      const int row = rows.firstRow[source.block] + i;
      rows.jacobianA[row] = movesA ? from.jacobianA : Vec6::Zero();
      rows.jacobianB[row] = movesB ? from.jacobianB : Vec6::Zero();
      bodies.dropLocked(source.bodyA, rows.jacobianA[row]);
      bodies.dropLocked(source.bodyB, rows.jacobianB[row]);
      // J u over all bodies that move, kinematic ones too.
      const auto velocityOf = [&](const std::vector<Vec6>& u) {
        return from.jacobianA.dot(u[source.bodyA]) + from.jacobianB.dot(u[source.bodyB]);
      };
      rows.restitutionTerm[row] =
          from.restitution != 0 ? from.restitution * velocityOf(motion.old) : 0;
      rows.stabilizationTerm[row] = from.bias + from.beyond / h;
      rows.b[row] =
          velocityOf(motion.free) + rows.restitutionTerm[row] + rows.stabilizationTerm[row];
      rows.compliance[row] = from.compliance;
      rows.lower[row] = from.lower;
      rows.upper[row] = from.upper;
    }
  }
}

}  // namespace drystone
