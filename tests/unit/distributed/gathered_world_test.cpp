// What several processes bring together: pictures of a step, recordings, and states to go on from.
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "distributed/distributed_world.h"
#include "engine/recording/recorder.h"
#include "tests/support/thread_processes.h"
#include "tests/support/worlds.h"

namespace drystone::test {
namespace {

constexpr Real kTolerance = 1e-8;  // [m/s]

/// A row of boxes and balls at rest on a plane and on each other, a pendulum, a kinematic plate.
World restingRow() {
  WorldSettings settings;
  settings.solver.budget.tolerance = kTolerance;
  settings.holdJoints = false;  // as on several processes
  World world(settings, registry());
  const MaterialId rough = world.addMaterial({.friction = 0.5});
  addPlane(world, rough);
  for (int i = 0; i < 12; ++i) {
    const bool isBall = i % 3 == 2;
    const Shape shape =
        isBall ? Shape(Sphere{.radius = 0.5}) : Shape(Box{.halfExtents = {0.5, 0.5, 0.5}});
    world.addBody({.name = "body_" + std::to_string(i),
                   .shape = shape,
                   .pose = {.position = {0.8 * (i / 2), 1.1 * (i / 2 % 2), 0.5 + i % 2}},
                   .linearVelocity = {isBall ? 1.0 : 0.0, 0, 0},
                   .material = rough});
  }
  const BodyId plate = world.addBody({.name = "plate",
                                      .kind = BodyKind::kKinematic,
                                      .shape = Box{.halfExtents = {0.1, 0.1, 0.1}},
                                      .pose = {.position = {0, 5, 3}},
                                      .linearVelocity = {0, 1, 0}});
  const BodyId bob = world.addBody(
      {.name = "bob", .shape = Sphere{.radius = 0.2}, .pose = {.position = {1, 5, 3}}});
  world.addJoint(hingeJoint(plate, bob, {.rotation = turn(Vec3::UnitZ(), kPi / 2)},
                            {.position = {-1, 0, 0}, .rotation = turn(Vec3::UnitZ(), kPi / 2)}));
  return world;
}

std::set<std::pair<int, int>> pairsOf(const WorldSnapshot& frame) {
  std::set<std::pair<int, int>> pairs;
  for (const ContactSnapshot& contact : frame.contacts) {
    const int a = contact.bodyA.index, b = contact.bodyB.index;
    pairs.insert({std::min(a, b), std::max(a, b)});
  }
  return pairs;
}

class GatheredWorld : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Processes, GatheredWorld, testing::Values(1, 2, 4));

// A step of each is solved to 1e-8 m/s: after three, positions and impulses of bodies of up to 1 t
// agree to some 1e-9 m and 1e-5 N s.
TEST_P(GatheredWorld, Snapshot_IsThatOfOneProcess) {
  World alone = restingRow();
  for (int step = 0; step < 3; ++step) alone.step();
  WorldSnapshot one;
  alone.observe().snapshot(one);
  runProcesses(GetParam(), [&](Processes& processes) {
    DistributedWorld world(restingRow(), registry(), processes);
    for (int step = 0; step < 3; ++step) world.step();
    WorldSnapshot all;
    world.gatherSnapshot(all);
    EXPECT_EQ(all.step, 3);
    EXPECT_EQ(all.time, one.time);
    if (processes.rank() != 0) {
      EXPECT_TRUE(all.bodies.empty());
      return;
    }
    ASSERT_EQ(all.bodies.size(), one.bodies.size());
    for (std::size_t i = 0; i < one.bodies.size(); ++i) {
      const BodySnapshot &here = all.bodies[i], &there = one.bodies[i];
      EXPECT_EQ(here.id, there.id);
      EXPECT_EQ(here.kind, there.kind);
      EXPECT_LT((here.pose.position - there.pose.position).norm(), 1e-8) << i;
      EXPECT_LT((here.linearVelocity - there.linearVelocity).norm(), 1e-6) << i;
      EXPECT_EQ(here.island >= 0, there.island >= 0) << i;
    }
    EXPECT_EQ(pairsOf(all), pairsOf(one));
    ASSERT_EQ(all.contacts.size(), one.contacts.size());
    Vec3 impulses[2] = {Vec3::Zero(), Vec3::Zero()};
    for (std::size_t i = 0; i < one.contacts.size(); ++i) {
      const auto onGround = [](const ContactSnapshot& contact) -> Vec3 {
        if (contact.bodyA.index == 0) return contact.impulse;
        return contact.bodyB.index == 0 ? Vec3(-contact.impulse) : Vec3::Zero();
      };
      impulses[0] += onGround(all.contacts[i]);
      impulses[1] += onGround(one.contacts[i]);
    }
    EXPECT_GT(impulses[1].z(), 100);
    EXPECT_LT((impulses[0] - impulses[1]).norm(), 1e-4);
  });
}

// A recorder that all processes write puts the parts into the file as they lie here.
TEST_P(GatheredWorld, PartsOfASnapshot_AreTheWholeOneAfterTheOther) {
  std::vector<SnapshotPart> parts(GetParam());
  WorldSnapshot whole;
  runProcesses(GetParam(), [&](Processes& processes) {
    DistributedWorld world(restingRow(), registry(), processes);
    for (int step = 0; step < 3; ++step) world.step();
    WorldSnapshot gathered;
    world.gatherSnapshot(gathered);
    if (processes.rank() == 0) whole = gathered;
    world.partSnapshot(parts[processes.rank()]);
  });
  ASSERT_GT(whole.contacts.size(), 20U);
  std::size_t body = 0, contact = 0;
  for (const SnapshotPart& part : parts) {
    EXPECT_EQ(part.snapshot.step, whole.step);
    EXPECT_EQ(part.snapshot.time, whole.time);
    EXPECT_EQ(part.bodies.first, body);
    EXPECT_EQ(part.bodies.total, whole.bodies.size());
    EXPECT_EQ(part.contacts.first, contact);
    EXPECT_EQ(part.contacts.total, whole.contacts.size());
    EXPECT_LE(part.snapshot.bodies.size(), 2 * whole.bodies.size() / parts.size() + 1);
    for (const BodySnapshot& one : part.snapshot.bodies) {
      ASSERT_LT(body, whole.bodies.size());
      EXPECT_EQ(one.id, whole.bodies[body].id);
      EXPECT_EQ(one.pose.position, whole.bodies[body].pose.position);
      EXPECT_EQ(one.island, whole.bodies[body++].island);
    }
    for (const ContactSnapshot& one : part.snapshot.contacts) {
      ASSERT_LT(contact, whole.contacts.size());
      EXPECT_EQ(one.bodyA, whole.contacts[contact].bodyA);
      EXPECT_EQ(one.bodyB, whole.contacts[contact].bodyB);
      EXPECT_EQ(one.position, whole.contacts[contact].position);
      EXPECT_EQ(one.island, whole.contacts[contact++].island);
    }
  }
  EXPECT_EQ(body, whole.bodies.size());
  EXPECT_EQ(contact, whole.contacts.size());
}

// Islands of two processes have other numbers, and contacts those of their bodies.
TEST_P(GatheredWorld, Islands_HaveEachTheirNumber) {
  runProcesses(GetParam(), [&](Processes& processes) {
    WorldSettings settings;
    settings.gravity.setZero();
    World whole(settings, registry());
    for (int i = 0; i < 8; ++i) {  // four pairs that touch, far from each other
      whole.addBody(
          {.shape = Sphere{.radius = 0.5}, .pose = {.position = {i / 2 * 10.0 + i % 2, 0, 0}}});
    }
    DistributedWorld world(std::move(whole), registry(), processes);
    world.step();
    WorldSnapshot all;
    world.gatherSnapshot(all);
    if (processes.rank() != 0) return;
    std::set<int> islands;
    for (const ContactSnapshot& contact : all.contacts) {
      islands.insert(contact.island);
      EXPECT_EQ(contact.island, all.bodies[contact.bodyA.index].island);
    }
    EXPECT_EQ(islands, (std::set<int>{0, 1, 2, 3}));
  });
}

TEST_P(GatheredWorld, Recording_ReadsAsThatOfAWorld) {
  const std::string path = (std::filesystem::path(testing::TempDir()) /
                            ("gathered_" + std::to_string(GetParam()) + ".h5"))
                               .string();
  std::vector<WorldSnapshot> frames;
  std::vector<std::uint64_t> hashes;
  runProcesses(GetParam(), [&](Processes& processes) {
    const bool isFirst = processes.rank() == 0;
    DistributedWorld world(restingRow(), registry(), processes);
    WorldSnapshot frame;
    world.gatherSnapshot(frame);
    std::optional<Recorder> recorder;
    const RecordingInfo info{.solvers = {"auto"}, .every = 2, .processes = processes.count()};
    const std::uint64_t start = world.hash();
    if (isFirst) recorder.emplace(path, info, world.names(), frame, start);
    for (int step = 1; step <= 4; ++step) {
      const StepReport& report = world.step();
      const std::uint64_t hash = world.hash();
      const bool isDue = step % 2 == 0;
      if (isDue) world.gatherSnapshot(frame);
      if (!isFirst) continue;
      recorder->addStep({report, hash, 0}, isDue ? &frame : nullptr);
      hashes.push_back(hash);
      if (isDue) frames.push_back(frame);
    }
    if (isFirst) recorder->finish();
  });
  const Recording recording(path);
  EXPECT_TRUE(recording.complete());
  EXPECT_EQ(recording.info().processes, GetParam());
  ASSERT_EQ(recording.stepCount(), 4);
  ASSERT_EQ(recording.frameCount(), 3);
  EXPECT_EQ(recording.bodies().at(1).name, "body_0");
  const std::vector<RecordedStep> steps = recording.steps(1, 4);
  for (int step = 0; step < 4; ++step) {
    EXPECT_EQ(steps[step].hash, hashes[step]) << step;
    EXPECT_GT(steps[step].report.contacts, 0) << step;
  }
  for (int i = 0; i < 2; ++i) {
    WorldSnapshot read;
    recording.frame(i + 1, read);
    ASSERT_EQ(read.bodies.size(), frames[i].bodies.size());
    ASSERT_EQ(read.contacts.size(), frames[i].contacts.size());
    EXPECT_EQ(read.step, frames[i].step);
    for (std::size_t k = 0; k < read.bodies.size(); ++k) {
      EXPECT_EQ(read.bodies[k].pose.position, frames[i].bodies[k].pose.position);
    }
    EXPECT_EQ(read.contacts.back().impulse, frames[i].contacts.back().impulse);
  }
  std::filesystem::remove(path);
}

// Free bodies move with the same bits whoever has them; so does the hash.
TEST_P(GatheredWorld, Hash_DoesNotDependOnWhoHasABody) {
  std::uint64_t hashes[2] = {};
  for (const int count : {1, GetParam()}) {
    runProcesses(count, [&](Processes& processes) {
      World whole(WorldSettings{}, registry());
      for (int i = 0; i < 9; ++i) {
        whole.addBody({.shape = Sphere{.radius = 0.5}, .pose = {.position = {3.0 * i, 0, 0}}});
      }
      DistributedWorld world(std::move(whole), registry(), processes);
      const std::uint64_t before = world.hash();
      world.step();
      const std::uint64_t after = world.hash();
      EXPECT_NE(before, after);
      if (processes.rank() == 0) hashes[count == 1 ? 0 : 1] = after;
    });
  }
  if (GetParam() > 1) {
    EXPECT_EQ(hashes[0], hashes[1]);
  }
}

// Two processes: a hash is two numbers of each; a snapshot tells its size (2 numbers each), and one
// sends its own.
TEST(GatheredWorldTraffic, Messages_AreCounted) {
  runProcesses(2, [](Processes& processes) {
    DistributedWorld world(restingRow(), registry(), processes);
    world.step();
    EXPECT_EQ(world.gathered().messages, 0);
    world.hash();
    EXPECT_EQ(world.gathered().messages, 1);
    EXPECT_EQ(world.gathered().bytes, 16);
    WorldSnapshot all;
    world.gatherSnapshot(all);
    EXPECT_EQ(world.gathered().messages, 1 + 1 + (processes.rank() == 0 ? 0 : 1));
    EXPECT_GT(world.gathered().bytes, processes.rank() == 0 ? 0 : 6 * 150);
  });
}

/// How a run went on from a state.
struct Continued {
  std::uint64_t hash = 0;
  std::vector<BodyState> bodies;
  int warmStarted = 0, contacts = 0;  ///< in its first and last step
  Real time = 0;
};

Continued outcomeOf(DistributedWorld& world, int steps) {
  Continued outcome;
  for (int step = 0; step < steps; ++step) {
    const StepReport& report = world.step();
    if (step == 0) outcome.warmStarted = report.warmStarted;
    outcome.contacts = report.contacts;
  }
  outcome.bodies = world.gatherBodies();
  outcome.hash = world.hash();
  outcome.time = world.lastReport().time;
  return outcome;
}

constexpr int kBefore = 10, kAfter = 10;

/// The state after kBefore steps, and how that run goes on from it.
std::vector<std::byte> stateOf(int count, Continued& on) {
  std::vector<std::byte> state;
  runProcesses(count, [&](Processes& processes) {
    std::optional<DistributedWorld> world;
    world.emplace(restingRow(), registry(), processes);
    for (int step = 0; step < kBefore; ++step) world->step();
    World whole = restingRow();
    world->gatherInto(whole);
    const std::vector<std::byte> saved = whole.save();
    world.emplace(std::move(whole), registry(), processes);
    const Continued outcome = outcomeOf(*world, kAfter);
    if (processes.rank() != 0) return;
    state = saved;
    on = outcome;
  });
  return state;
}

Continued goOn(int count, const std::vector<std::byte>& state) {
  Continued on;
  runProcesses(count, [&](Processes& processes) {
    World whole = restingRow();
    whole.restore(state);
    DistributedWorld world(std::move(whole), registry(), processes);
    const Continued outcome = outcomeOf(world, kAfter);
    if (processes.rank() == 0) on = outcome;
  });
  return on;
}

TEST_P(GatheredWorld, SavedState_GoesOnToTheBit) {
  Continued on;
  const std::vector<std::byte> state = stateOf(GetParam(), on);
  const Continued again = goOn(GetParam(), state);
  EXPECT_EQ(again.hash, on.hash);
  EXPECT_EQ(again.time, on.time);
  EXPECT_NEAR(on.time, (kBefore + kAfter) / 60.0, 1e-12);
  EXPECT_GT(on.warmStarted, on.contacts / 2);
}

// Velocities are as good as 1e-8 m/s, and the balls roll on for 10 steps of 1/60 s.
TEST_P(GatheredWorld, SavedState_GoesOnOnOtherNumbersOfProcesses) {
  Continued on;
  const std::vector<std::byte> state = stateOf(GetParam(), on);
  for (const int count : {1, 2, 3, 4}) {
    const Continued other = goOn(count, state);
    EXPECT_NEAR(other.time, on.time, 1e-12);
    ASSERT_EQ(other.bodies.size(), on.bodies.size());
    for (std::size_t i = 0; i < on.bodies.size(); ++i) {
      EXPECT_EQ(other.bodies[i].body, on.bodies[i].body);
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(other.bodies[i].position[axis], on.bodies[i].position[axis], 1e-6)
            << count << ' ' << i;
      }
    }
    EXPECT_GT(other.warmStarted, other.contacts / 2) << count;
  }
}

// A world alone goes on as well: with the plate and the bob where they were, on their joint.
TEST_P(GatheredWorld, SavedState_GoesOnAlone) {
  Continued on;
  const std::vector<std::byte> state = stateOf(GetParam(), on);
  World alone = restingRow();
  alone.restore(state);
  EXPECT_EQ(alone.stepCount(), kBefore);
  const ConstBodyHandle plate = std::as_const(alone).body(alone.findBody("plate"));
  EXPECT_NEAR(plate.pose().position.y(), 5 + kBefore / 60.0, 1e-12);
  const JointId hinge = alone.joints().front();
  EXPECT_GT(std::as_const(alone).joint(hinge).reaction().force.norm(), 10) << "[N], of the bob";
  for (int step = 0; step < kAfter; ++step) alone.step();
  const ConstBodyHandle bob = std::as_const(alone).body(alone.findBody("bob"));
  const Vec3 there = Eigen::Map<const Vec3>(on.bodies.back().position);
  EXPECT_LT((bob.centerOfMass() - there).norm(), 1e-6);
  EXPECT_LT(there.z(), 2.9) << "it swings";
}

}  // namespace
}  // namespace drystone::test
