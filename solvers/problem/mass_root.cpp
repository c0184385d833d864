#include "solvers/problem/mass_root.h"

#include <cmath>

namespace drystone {
namespace {

Mat3 semidefiniteRoot(const Mat3& matrix) {
  Mat3 root = Mat3::Zero();
  const Real floor = kRoundOff * matrix.trace();  // of the pivot of a locked axis
  for (int j = 0; j < 3; ++j) {
    Real pivot = matrix(j, j);
    for (int k = 0; k < j; ++k) pivot -= root(j, k) * root(j, k);
    if (!(pivot > floor)) continue;
    root(j, j) = std::sqrt(pivot);
    for (int i = j + 1; i < 3; ++i) {
      Real entry = matrix(i, j);
      for (int k = 0; k < j; ++k) entry -= root(i, k) * root(j, k);
      root(i, j) = entry / root(j, j);
    }
  }
  return root;
}

}  // namespace

MassRoot massRoot(const InverseInertia& body) {
  return {std::sqrt(body.inverseMass), semidefiniteRoot(body.inverseInertia)};
}

}  // namespace drystone
