#pragma once

#include "core/random.h"
#include "solvers/problem/contact_problem.h"

namespace drystone::bench {

/// Contacts of random pairs of bodies, six contacts a body, all numbers uniform, with a compliance
/// that makes every row of A dominant (003 §6.1, whose G is random in every entry).
StoredProblem randomDominantProblem(int contacts, Random& random);

}  // namespace drystone::bench
