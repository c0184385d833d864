#include "engine/step/solved_islands.h"

#include <algorithm>

#include "engine/step/report.h"
#include "engine/step/solve_islands.h"

namespace drystone {

void SolvedIslands::keep(const Islands& islands, const ConstraintRows& rows,
                         std::span<const IslandReport> reports) {
  ofBody_ = islands.ofBody;
  rowStart_ = islands.rowStart;
  lambda_ = rows.lambda;
  warmLambda_ = rows.warmLambda;
  b_ = rows.b;
  stabilization_ = rows.stabilizationTerm;
  state_ = rows.state;
  warmState_ = rows.warmState;
  reports_.assign(reports.begin(), reports.end());
}

void SolvedIslands::restore(const BodyStore& bodies, std::span<const StepContact> added,
                            const Islands& islands, ConstraintRows& rows, StepReport& report) {
  isSolved_.assign(islands.count(), 1);
  for (const StepContact& contact : added) {
    const int mover = bodies.isDynamic(contact.bodyA) ? contact.bodyA : contact.bodyB;
    isSolved_[islands.ofBody[mover]] = 0;
  }
  report.islands.resize(islands.count());
  rows.warmLambda.resize(rows.lambda.size());
  rows.warmState.resize(rows.state.size());
  for (int island = 0; island < islands.count(); ++island) {
    if (isSolved_[island] == 0) continue;
    // It has the blocks that it had, in their order.
    const int before = ofBody_[islands.bodies[islands.bodyStart[island]]];
    const auto giveBack = [&](const auto& from, auto& to) {
      std::copy(from.begin() + rowStart_[before], from.begin() + rowStart_[before + 1],
                to.begin() + islands.rowStart[island]);
    };
    giveBack(lambda_, rows.lambda);
    giveBack(warmLambda_, rows.warmLambda);
    giveBack(b_, rows.b);
    giveBack(stabilization_, rows.stabilizationTerm);
    giveBack(state_, rows.state);
    giveBack(warmState_, rows.warmState);
    if (rows.isTied(island)) tieIsland(islands, island, rows);
    report.islands[island] = reports_[before];
    // The contacts that were added count on the way to its own.
    const int worst = reports_[before].result.judge.worstBlock;
    if (worst >= 0 && reports_[before].worstContact >= 0) {
      report.islands[island].worstContact =
          islands.sources[islands.blockStart[island] + worst].index;
    }
    reports_[before] = {};  // without work
  }
  for (const IslandReport& givenUp : reports_) addGivenUp(givenUp, report);
}

}  // namespace drystone
