#pragma once

#include "solvers/condense/condensed_problem.h"
#include "solvers/driver/contact_solver.h"

namespace drystone {

/// Analyses the problem where it is to be condensed for a solver of these traits. False: it is not.
bool condense(const SolverTraits& traits, const ContactProblem& problem, Condensation choice,
              CondensedProblem& condensed);

/// Solves a problem by a solver that gets it without its bilateral rows; `condensed` has analysed
/// it. The answer is of the whole problem, and aims at the budget's tolerance there. False: it
/// has no condensed form (CondensedProblem::make); the impulses are as they were.
bool solveCondensed(ContactSolver& solver, CondensedProblem& condensed, const Budget& budget,
                    ImpulseView impulses, SolverReport& report);

}  // namespace drystone
