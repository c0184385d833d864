#pragma once

#include "solvers/condense/condensed_problem.h"
#include "solvers/driver/contact_solver.h"

namespace drystone {

/// Analyses the problem. False: it has no rows to eliminate, comes in assembled form, or S would be
/// too large to pay for anyone.
bool canCondense(const ContactProblem& problem, CondensedProblem& condensed);
/// Whether it can, and leaves so few rows of so many that methods gain to which joints cost little.
/// Analyses the problem where it has so many.
bool leavesFewRows(const ContactProblem& problem, CondensedProblem& condensed);
/// Analyses the problem where it is to be condensed for a solver of these traits. False: it is not.
bool condense(const SolverTraits& traits, const ContactProblem& problem, Condensation choice,
              CondensedProblem& condensed);

/// Solves a problem by a solver that gets it without its bilateral rows; `condensed` has analysed
/// it. The answer is of the whole problem. False: it has no condensed form
/// (CondensedProblem::make), the solver does not take that form or sees no solution, or what solves
/// it leaves more than the tolerance in the whole problem. The impulses are then as they were, and
/// the report says what was spent.
bool solveCondensed(ContactSolver& solver, CondensedProblem& condensed, const Budget& budget,
                    ImpulseView impulses, SolverReport& report);

}  // namespace drystone
