#include "tests/support/problems.h"

#include <cmath>

#include "core/check.h"
#include "core/random.h"
#include "solvers/problem/problem_ops.h"
#include "tests/support/problem_builder.h"

namespace drystone::test {
namespace {

/// Corners of a unit cube's face at height z around (0, 0).
void addFace(ProblemBuilder& builder, int below, int above, Real z, Real friction,
             Real normalBound) {
  for (const Real x : {-0.5, 0.5}) {
    for (const Real y : {-0.5, 0.5}) {
      builder.addContact(below, above, Vec3(x, y, z), Vec3::UnitZ(), friction, normalBound);
    }
  }
}

}  // namespace

StoredProblem emptyProblem() { return ProblemBuilder(FrictionModel::kCone).build(); }

StoredProblem sphereOnPlane(FrictionModel model, Real mass, Real friction, const Vec3& slide) {
  ProblemBuilder builder(model);
  const Vec6 velocity = ProblemBuilder::fallingFreely() + twist(slide, Vec3::Zero());
  const int sphere = builder.addSphere(mass, 0.5, Vec3(0, 0, 0.5), velocity);
  builder.addContact(-1, sphere, Vec3::Zero(), Vec3::UnitZ(), friction,
                     mass * kGravity * kTimestep);
  return builder.build();
}

StoredProblem sphereLiftingOff(FrictionModel model) {
  return sphereOnPlane(model, 2, 0, Vec3(0.3, -0.2, 1));
}

StoredProblem boxOnPlane(FrictionModel model, Real mass, Real friction, Real slideX) {
  ProblemBuilder builder(model);
  const Vec6 velocity = ProblemBuilder::fallingFreely() + twist(Vec3(slideX, 0, 0), Vec3::Zero());
  const int box = builder.addBox(mass, Vec3::Constant(0.5), Vec3(0, 0, 0.5), velocity);
  addFace(builder, -1, box, 0, friction, mass * kGravity * kTimestep / 4);
  return builder.build();
}

StoredProblem sphereSpinning(FrictionModel model, Real friction, Real spin) {
  constexpr Real kMass = 2;
  ProblemBuilder builder(model);
  const Vec6 velocity = ProblemBuilder::fallingFreely() + twist(Vec3::Zero(), Vec3(0, 0, spin));
  const int sphere = builder.addSphere(kMass, 0.5, Vec3(0, 0, 0.5), velocity);
  builder.addContact(-1, sphere, Vec3::Zero(), Vec3::UnitZ(), friction,
                     kMass * kGravity * kTimestep);
  return builder.build();
}

StoredProblem sphereRolling(Real friction, Real rolling, Real speed) {
  ProblemBuilder builder(FrictionModel::kRolling);
  const Vec6 velocity =
      ProblemBuilder::fallingFreely() + twist(Vec3(speed, 0, 0), Vec3(0, speed / 0.5, 0));
  const int sphere = builder.addSphere(2, 0.5, Vec3(0, 0, 0.5), velocity);
  builder.addContact(-1, sphere, Vec3::Zero(), Vec3::UnitZ(), friction);
  return withRolling(builder.build(), rolling);
}

StoredProblem boxTilting(FrictionModel model, Real friction) {
  ProblemBuilder builder(model);
  const Vec6 velocity = ProblemBuilder::fallingFreely() + twist(Vec3(0.2, 0, 0), Vec3(0, 0.7, 0));
  const int box = builder.addBox(3, Vec3::Constant(0.5), Vec3(0, 0, 0.5), velocity);
  addFace(builder, -1, box, 0, friction, 0.1);
  return builder.build();
}

StoredProblem leverOnPlane(FrictionModel model, Real friction) {
  ProblemBuilder builder(model);
  const int lever = builder.addBody(kInfinity, Vec3::Ones(), Vec3::Zero(),
                                    twist(Vec3::Zero(), Vec3(0.1, 0.1, 0.3)));
  builder.addContact(-1, lever, Vec3(0.5, -0.5, 0), Vec3::UnitZ(), friction, 0.1);
  return builder.build();
}

/// Adds a falling sphere on the plane; returns a body that nothing moves.
static int addSphereAndFixedBody(ProblemBuilder& builder, const Vec6& velocity) {
  const int sphere = builder.addSphere(2, 0.5, Vec3(0, 0, 0.5));
  builder.addContact(-1, sphere, Vec3::Zero(), Vec3::UnitZ(), 0.5, 0.2);
  return builder.addBody(kInfinity, Vec3::Constant(kInfinity), Vec3(3, 0, 0), velocity);
}

StoredProblem sphereBesideFixedBody(FrictionModel model) {
  ProblemBuilder builder(model);
  const int fixed = addSphereAndFixedBody(builder, twist(Vec3(0.3, -0.2, 0.1), Vec3(0.4, 0, 0.5)));
  builder.addContact(-1, fixed, Vec3(3, 0, 0), Vec3::UnitZ(), 0.5, 0.2);
  builder.addAngularRow(-1, fixed, Vec3::UnitZ(), -0.02, 0.03);
  builder.addAngularRow(fixed, -1, Vec3::UnitX(), -kInfinity, 0.01);
  builder.addAngularRow(-1, fixed, Vec3::UnitY(), -0.02, 0.03);
  return builder.build();
}

StoredProblem sphereSqueezed(FrictionModel model, Real friction) {
  ProblemBuilder builder(model);
  const int sphere = builder.addSphere(2, 0.5, Vec3::Zero(), Vec6::Zero());
  builder.addContact(-1, sphere, Vec3(0, 0, -0.5), Vec3::UnitZ(), friction);
  builder.addContact(-1, sphere, Vec3(0, 0, 0.5), -Vec3::UnitZ(), friction);
  StoredProblem problem = builder.build();
  for (const ProblemBlock& block : problem.blocks) problem.b[block.firstRow] = -1;
  return problem;
}

StoredProblem sphereBesideImpossibleRow(FrictionModel model) {
  ProblemBuilder builder(model);
  const int fixed = addSphereAndFixedBody(builder, twist(Vec3::Zero(), Vec3(0, 0, 0.5)));
  builder.addAngularRow(-1, fixed, Vec3::UnitZ(), -kInfinity, kInfinity);
  return builder.build();
}

StoredProblem boxStack(FrictionModel model, const std::vector<Real>& masses, Real friction,
                       Real compliance) {
  ProblemBuilder builder(model);
  Real above = 0;
  for (const Real mass : masses) above += mass;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const Real bottom = static_cast<Real>(i);
    const int box = builder.addBox(masses[i], Vec3::Constant(0.5), Vec3(0, 0, bottom + 0.5));
    addFace(builder, box - 1, box, bottom, friction, above * kGravity * kTimestep / 4);
    above -= masses[i];
  }
  if (compliance > 0) builder.setCompliance(compliance);
  return builder.build();
}

StoredProblem hitColumn(FrictionModel model, std::uint64_t seed, int bricks) {
  StoredProblem column = boxStack(model, std::vector<Real>(bricks, 1), 0.5, 1e-9);
  Random random(seed);
  for (const ProblemBlock& block : column.blocks) {
    column.b[block.firstRow] += random.uniform(-1, 0.3);
    for (int i = 1; i < 3; ++i) column.b[block.firstRow + i] += random.uniform(-1, 1);
  }
  return column;
}

StoredProblem sphereInWedge(FrictionModel model, Real angle) {
  ProblemBuilder builder(model);
  const Vec3 centre(0, 0, 1);
  const int sphere = builder.addSphere(1, 0.5, centre);
  for (const Real side : {-1.0, 1.0}) {
    const Vec3 normal(side * std::sin(angle), 0, std::cos(angle));
    builder.addContact(-1, sphere, centre - 0.5 * normal, normal, 0);
  }
  return builder.build();
}

StoredProblem randomPile(FrictionModel model, int nx, int ny, int nz, Real friction,
                         std::uint64_t seed) {
  ProblemBuilder builder(model);
  Random random(seed);
  const auto direction = [&](Real size) {
    const Real x = random.uniform(-size, size);
    const Real y = random.uniform(-size, size);
    return Vec3(x, y, random.uniform(-size, size));
  };
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        const Vec3 linear = direction(0.05);
        const Vec6 velocity = ProblemBuilder::fallingFreely() + twist(linear, direction(0.05));
        builder.addSphere(random.uniform(0.5, 2), 0.5, Vec3(x, y, z + 0.5), velocity);
      }
    }
  }
  const auto index = [&](int x, int y, int z) { return x + nx * (y + ny * z); };
  const auto touch = [&](int bodyA, int bodyB, const Vec3& middle, const Vec3& towards) {
    builder.addContact(bodyA, bodyB, middle, (towards.normalized() + direction(0.2)).normalized(),
                       friction, 0.2);
  };
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        const int body = index(x, y, z);
        const Vec3 centre(x, y, z + 0.5);
        const auto neighbour = [&](int dx, int dy, int dz) {
          if (x + dx >= nx || y + dy >= ny || z + dz >= nz) return;
          const Vec3 step(dx, dy, dz);
          touch(body, index(x + dx, y + dy, z + dz), centre + step / 2, step);
        };
        if (z == 0) touch(-1, body, Vec3(x, y, 0), Vec3::UnitZ());
        neighbour(1, 0, 0);
        neighbour(0, 1, 0);
        neighbour(0, 0, 1);
        if ((x + y + z) % 4 == 0) neighbour(1, 0, 1);
      }
    }
  }
  return builder.build();
}

StoredProblem boxPile(std::uint64_t seed) {
  StoredProblem stored = randomPile(FrictionModel::kBox, 3, 3, 2, 0.4, seed);
  stored.compliance.assign(stored.b.size(), 1e-6);
  for (ProblemBlock& block : stored.blocks) block.normalBound = 0.05 * static_cast<Real>(seed);
  return stored;
}

StoredProblem hangingChain(int links) {
  ProblemBuilder builder(FrictionModel::kCone);
  for (int link = 0; link < links; ++link) {
    const int body = builder.addBox(1, Vec3(0.05, 0.05, 0.5), Vec3(0, 0, -0.5 - link));
    builder.addBallJoint(body - 1, body, Vec3(0, 0, -link));
  }
  return builder.build();
}

StoredProblem pileWithJoints(FrictionModel model, Real friction, std::uint64_t seed) {
  ProblemBuilder builder(model);
  Random random(seed);
  const auto spin = [&] { return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), 0.5); };
  int spheres[6];
  for (int i = 0; i < 6; ++i) {
    const Vec6 velocity = ProblemBuilder::fallingFreely() + twist(0.1 * spin(), spin());
    spheres[i] = builder.addSphere(1 + i, 0.5, Vec3(i % 3, 0, i / 3 + 0.5), velocity);
  }
  for (int i = 0; i < 3; ++i) {
    builder.addContact(-1, spheres[i], Vec3(i, 0, 0), Vec3::UnitZ(), friction);
    builder.addContact(spheres[i], spheres[i + 3], Vec3(i, 0, 1), Vec3::UnitZ(), friction);
  }
  builder.addBallJoint(spheres[0], spheres[1], Vec3(0.5, 0, 0.5));
  builder.addBallJoint(-1, spheres[5], Vec3(2, 0, 2));
  builder.addAngularRow(-1, spheres[3], Vec3::UnitZ(), -0.01, 0.01);
  builder.addAngularRow(spheres[3], spheres[4], Vec3::UnitX(), 0, kInfinity);
  return builder.build();
}

StoredProblem assembled(const StoredProblem& problem) {
  StoredProblem twin = problem;
  AssemblyWorkspace workspace;
  twin.assembled.emplace();
  assembleDelassus(problem.view(), workspace, *twin.assembled);
  twin.bodies.clear();
  twin.jacobianA.clear();
  twin.jacobianB.clear();
  twin.compliance.clear();
  for (ProblemBlock& block : twin.blocks) block.bodyA = block.bodyB = -1;
  return twin;
}

StoredProblem renumbered(const StoredProblem& problem, const std::vector<int>& order) {
  DRYSTONE_ASSERT(!problem.assembled && order.size() == problem.blocks.size());
  StoredProblem result = problem;
  int row = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const ProblemBlock& old = problem.blocks[order[k]];
    result.blocks[k] = old;
    result.blocks[k].firstRow = row;
    for (int i = 0; i < old.rows; ++i, ++row) {
      const int from = old.firstRow + i;
      result.b[row] = problem.b[from];
      if (!problem.lower.empty()) {
        result.lower[row] = problem.lower[from];
        result.upper[row] = problem.upper[from];
      }
      result.jacobianA[row] = problem.jacobianA[from];
      result.jacobianB[row] = problem.jacobianB[from];
      if (!problem.compliance.empty()) result.compliance[row] = problem.compliance[from];
    }
  }
  return result;
}

StoredProblem withRolling(StoredProblem problem, Real rolling) {
  for (ProblemBlock& block : problem.blocks) {
    if (block.law == BlockLaw::kContact) block.rolling = rolling;
  }
  return problem;
}

std::vector<NamedProblem> problemSet(FrictionModel model) {
  std::vector<NamedProblem> all = {
      {"empty", emptyProblem()},
      {"sphere_sticks", sphereOnPlane(model, 2, 0.5, Vec3(0.05, -0.02, 0))},
      {"sphere_slips", sphereOnPlane(model, 2, 0.1, Vec3(0.6, 0.8, 0))},
      {"sphere_lifts_off", sphereLiftingOff(model)},
      {"sphere_spins", sphereSpinning(model, 0.5, 1)},
      {"box_on_plane", boxOnPlane(model, 3, 0.4)},
      {"box_tilts_frictionless", boxTilting(model, 0)},
      {"lever", leverOnPlane(model, 0.4)},
      {"lever_slips", leverOnPlane(model, 0.1)},
      {"sphere_beside_fixed_body", sphereBesideFixedBody(model)},
      {"box_slides", boxOnPlane(model, 3, 0.2, 0.5)},
      {"box_stack", boxStack(model, {1, 1, 1, 1}, 0.5)},
      {"compliant_stack", boxStack(model, {1, 1, 1}, 0.5, 1e-2)},
      {"heavy_on_light", boxStack(model, {1, 10}, 0.5)},
      {"wedge", sphereInWedge(model, 0.6)},
      {"pile", randomPile(model, 3, 2, 2, 0.4, 7)},
      {"chain", hangingChain(5)},
      {"pile_with_joints", pileWithJoints(model, 0.3, 3)},
  };
  if (model != FrictionModel::kRolling) return all;
  all.push_back({"sphere_rolls", sphereRolling(0.5, 0.1, 1)});
  all.push_back({"sphere_stops", sphereRolling(0.5, 0.1, 0.01)});
  for (const char* name : {"box_tilts_frictionless", "lever_slips", "box_stack", "pile_with_joints",
                           "sphere_slips", "sphere_beside_fixed_body"}) {
    const auto found = std::ranges::find(all, name, &NamedProblem::name);
    all.push_back({found->name + "_rolling", withRolling(found->problem, 0.1)});
  }
  return all;
}

StoredProblem oneContact(FrictionModel model, Real friction, Real scale,
                         const std::vector<Real>& lambda, const std::vector<Real>& w) {
  StoredProblem problem;
  problem.friction = model;
  ProblemBlock block;
  block.rows = contactRows(model);
  block.friction = friction;
  block.normalBound = 1;
  problem.blocks = {block};
  const int rowStart[] = {0, block.rows};
  std::vector<int> diagonal;
  for (int i = 0; i < block.rows; ++i) {
    diagonal.push_back(i);
    problem.b.push_back(w[i] - scale * lambda[i]);
  }
  const std::vector<Real> values(block.rows, scale);
  problem.assembled = blockSparseFromTriplets(rowStart, diagonal, diagonal, values);
  problem.lower.assign(block.rows, 0);
  problem.upper.assign(block.rows, 0);
  return problem;
}

}  // namespace drystone::test
