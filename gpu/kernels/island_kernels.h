#pragma once

#include <cmath>
#include <limits>

#include "gpu/kernels/residual_kernels.h"
#include "gpu/kernels/sweep_kernels.h"

// Small islands, a block of threads each: a thread has one contact or joint row, the block shares
// the velocities of the bodies. Elements of one level share no body and go at the same time, level
// after level; the order within an island is that of its unit in the plan.

namespace drystone::gpu {

/// Of a block that has an island, a power of two; no island has more contacts and joint rows.
constexpr int kIslandThreads = 128;

/// Where the elements and bodies of an island lie.
template <class Scalar>
struct IslandPlace {
  int firstContact, contacts, firstRow, rows, firstBody, bodies;

  DRYSTONE_HD IslandPlace(const SweepView<Scalar>& view, int island)
      : firstContact(view.contactStart[island]),
        contacts(view.contactStart[island + 1] - firstContact),
        firstRow(view.rowStart[island]),
        rows(view.rowStart[island + 1] - firstRow),
        firstBody(view.islandBodyStart[island]),
        bodies(view.islandBodyStart[island + 1] - firstBody) {}
  /// Of a thread, or −1.
  DRYSTONE_HD int contactOf(int thread) const {
    return thread < contacts ? firstContact + thread : -1;
  }
  DRYSTONE_HD int rowOf(int thread) const {
    return thread >= contacts && thread < contacts + rows ? firstRow + thread - contacts : -1;
  }
};

/// So many sweeps of every island that is not solved yet.
template <class Scalar, FrictionModel kModel>
struct SweepIslands {
  SweepView<Scalar> view;
  int sweeps;

  static constexpr int kRows = contactRows(kModel);
  using Shared = DeviceVelocity<Scalar>;
  struct State {
    int level;  ///< −1: the thread has no element, or the island is solved
    int contact, row;
    LoadedContact<Scalar, kRows> loaded;
  };
  /// So many elements join one body more than they are at most; behind them is the fixed one.
  int sharedCount() const { return kIslandThreads + 2; }
  DRYSTONE_HD int phaseCount() const { return 2 + sweeps * view.sizes.islandLevels; }
  DRYSTONE_HD void phase(int phase, const Place& place, Shared* velocity, State& state) const {
    const IslandPlace<Scalar> island(view, place.block);
    if (phase == 0) {
      begin(place, island, velocity, state);
    } else if (phase + 1 == phaseCount()) {
      end(place, island, velocity);
    } else if ((phase - 1) % view.sizes.islandLevels == state.level) {
      // The bodies of the island in place of all.
      SweepView<Scalar> own = view;
      own.velocity = velocity;
      own.sizes.bodies = island.bodies;
      update(own, state);
    }
  }

 private:
  DRYSTONE_HD void begin(const Place& place, const IslandPlace<Scalar>& island, Shared* velocity,
                         State& state) const {
    for (int body = place.thread; body < island.bodies; body += place.threads) {
      velocity[body] = view.velocity[view.islandBody[island.firstBody + body]];
    }
    if (place.thread == 0) velocity[island.bodies] = Shared{};
    state.contact = island.contactOf(place.thread);
    state.row = island.rowOf(place.thread);
    state.level = -1;
    if (view.isSolved[place.block] != 0) return;
    if (state.contact >= 0) {
      state.level = view.contactLevel[state.contact];
      state.loaded = LoadedContact<Scalar, kRows>(view, state.contact);
      state.loaded.bodyA = view.ownA[state.contact];
      state.loaded.bodyB = view.ownB[state.contact];
    } else if (state.row >= 0) {
      state.level = view.rowLevel[state.row];
    }
  }
  DRYSTONE_HD void update(const SweepView<Scalar>& own, State& state) const {
    if (state.contact >= 0) {
      LoadedContact<Scalar, kRows>& loaded = state.loaded;
      Scalar change[kRows];
      updateLoaded<kModel>(own, state.contact, loaded, change);
      addToBodies<kRows>(own, loaded.jacobian, change, loaded.bodyA, loaded.bodyB);
      return;
    }
    LoadedRow<Scalar> loaded(own, state.row);
    loaded.bodyA = view.rowOwnA[state.row];
    loaded.bodyB = view.rowOwnB[state.row];
    const Scalar change = loaded.update(own, state.row);
    addToBodies<1>(own, loaded.jacobian, &change, loaded.bodyA, loaded.bodyB);
  }
  DRYSTONE_HD void end(const Place& place, const IslandPlace<Scalar>& island,
                       const Shared* velocity) const {
    for (int body = place.thread; body < island.bodies; body += place.threads) {
      view.velocity[view.islandBody[island.firstBody + body]] = velocity[body];
    }
  }
};

/// Marks the islands whose largest error, as measured last, meets the tolerance. The test is that
/// of the host for all islands together, so that it stops when the last one is marked.
template <class Scalar, FrictionModel kModel>
struct MarkSolved {
  SweepView<Scalar> view;
  double tolerance;

  using Tree = SumTree<Residual, kIslandThreads>;
  using Shared = Residual;
  struct State {};
  int sharedCount() const { return kIslandThreads; }
  DRYSTONE_HD int phaseCount() const { return 1 + Tree::phaseCount(); }
  DRYSTONE_HD void phase(int phase, const Place& place, Residual* shared, State&) const {
    if (phase == 0) {
      shared[place.thread] = ownElement(place);
      return;
    }
    Tree::phase(phase - 1, place.thread, shared);
    if (phase + 1 < phaseCount() || place.thread != 0) return;
    constexpr double kLargest = std::numeric_limits<double>::max();
    const bool isFinite = shared[0].sum <= kLargest;
    view.isSolved[place.block] = isFinite && std::sqrt(shared[0].largest) <= tolerance ? 1 : 0;
  }

 private:
  DRYSTONE_HD Residual ownElement(const Place& place) const {
    const IslandPlace<Scalar> island(view, place.block);
    const ElementResidual<Scalar, kModel> residual{view};
    const int contact = island.contactOf(place.thread), row = island.rowOf(place.thread);
    if (contact >= 0) return residual.ofContact(contact);
    return row >= 0 ? residual.ofRow(row) : Residual{0, 0, 0, -1};
  }
};

}  // namespace drystone::gpu
