#pragma once

#include "gpu/kernels/place.h"
#include "gpu/layout/dense_view.h"
#include "solvers/problem/prox_math.h"

// Kernels of the dense prox iterations of Nützi 2011, ch. 5, under the names that they have there.

namespace drystone::gpu {

/// Rows and threads of a block, and how much of x lies in shared memory at a time (Nützi 2011,
/// table 6.1).
struct ProductShape {
  int threads = 128;
  int rowsPerBlock = 128;     ///< at most as many as threads
  int elementsPerThread = 4;  ///< of x that a thread brings to shared memory

  DRYSTONE_HD int chunk() const { return threads * elementsPerThread; }
  int blocks(int rows) const { return (rows + rowsPerBlock - 1) / rowsPerBlock; }
};

/// Dot products of rows of T with columns [firstColumn, endColumn) of x, chunk by chunk: the loop
/// that all products here share (Nützi 2011, algorithm 5.2.2). Two phases a chunk.
template <class Scalar>
struct ProductLoop {
  const Scalar* x;
  ProductShape shape;
  int firstColumn, endColumn;

  DRYSTONE_HD int phaseCount() const {
    return 2 * ((endColumn - firstColumn + shape.chunk() - 1) / shape.chunk());
  }
  /// `row` < 0: the thread has none and only helps to load.
  DRYSTONE_HD void phase(int phase, const DenseView<Scalar>& view, int row, int thread,
                         Scalar* shared, Scalar& dot) const {
    const int base = firstColumn + phase / 2 * shape.chunk();
    const int left = endColumn - base;
    const int count = left < shape.chunk() ? left : shape.chunk();
    if (phase % 2 == 0) {
      for (int k = thread; k < count; k += shape.threads) shared[k] = x[base + k];
      return;
    }
    if (row < 0) return;
    const Scalar* column = view.t + base * view.stride + row;
    int k = 0;
    // Loads first, so that many are on their way: the thesis blocks six in registers.
    constexpr int kUnrolled = 6;
    for (; k + kUnrolled <= count; k += kUnrolled) {
      Scalar entry[kUnrolled];
      for (int i = 0; i < kUnrolled; ++i) entry[i] = column[i * view.stride];
      for (int i = 0; i < kUnrolled; ++i) dot += entry[i] * shared[k + i];
      column += kUnrolled * view.stride;
    }
    for (; k < count; ++k, column += view.stride) dot += *column * shared[k];
  }
};

/// prox of one contact from z = T λ + d, in place. Tangents that couple feel the change of their
/// normal, of which T holds −R Â_tn.
template <FrictionModel kModel, class Scalar>
DRYSTONE_HD inline void projectDense(const DenseView<Scalar>& view, int contact, bool isCoupled,
                                     Scalar* z) {
  constexpr int kRows = contactRows(kModel);
  const int first = contact * kRows;
  z[0] = largerOf(Scalar(0), z[0]);
  if constexpr (kRows > 1) {
    if (isCoupled) {
      const Scalar change = z[0] - view.lambda[first];
      for (int i = 1; i < kRows; ++i) z[i] += view.entry(first + i, first) * change;
    }
    const Scalar radius =
        kModel == FrictionModel::kBox ? view.boxRadius[contact] : view.friction[contact] * z[0];
    projectFriction(kModel, radius, z + 1);
  }
}

/// matrixVectorMultGPU: next = T λ + d, one thread a row.
template <class Scalar>
struct MultiplyDense {
  DenseView<Scalar> view;
  ProductShape shape;

  using Shared = Scalar;
  struct State {
    Scalar dot = 0;
  };
  DRYSTONE_HD ProductLoop<Scalar> loop() const {
    return {view.lambda, shape, 0, view.sizes.rows()};
  }
  int sharedCount() const { return shape.chunk(); }
  DRYSTONE_HD int phaseCount() const { return loop().phaseCount(); }
  DRYSTONE_HD void phase(int phase, const Place& place, Scalar* shared, State& state) const {
    const int own = place.block * shape.rowsPerBlock + place.thread;
    const bool has = place.thread < shape.rowsPerBlock && own < view.sizes.rows();
    loop().phase(phase, view, has ? own : -1, place.thread, shared, state.dot);
    if (has && phase + 1 == phaseCount()) view.next[own] = state.dot + view.d[own];
  }
};

/// proxGPU: λ = prox(next), one thread a contact.
template <class Scalar, FrictionModel kModel>
struct ProjectContacts {
  DenseView<Scalar> view;
  bool isCoupled;

  DRYSTONE_HD void operator()(int contact) const {
    constexpr int kRows = contactRows(kModel);
    Scalar z[kRows];
    for (int i = 0; i < kRows; ++i) z[i] = view.next[contact * kRows + i];
    projectDense<kModel>(view, contact, isCoupled, z);
    for (int i = 0; i < kRows; ++i) view.lambda[contact * kRows + i] = z[i];
  }
};

/// jorProxGPU: next = prox(T λ + d) in one kernel. A block has whole contacts; `CopyToLambda` ends
/// the sweep.
template <class Scalar, FrictionModel kModel>
struct MultiplyAndProject {
  static constexpr int kRows = contactRows(kModel);
  DenseView<Scalar> view;
  ProductShape shape;
  bool isCoupled;

  using Shared = Scalar;
  struct State {
    Scalar dot = 0;
  };
  DRYSTONE_HD ProductLoop<Scalar> loop() const {
    return {view.lambda, shape, 0, view.sizes.rows()};
  }
  int sharedCount() const {
    return shape.chunk() > shape.rowsPerBlock ? shape.chunk() : shape.rowsPerBlock;
  }
  DRYSTONE_HD int phaseCount() const { return loop().phaseCount() + 2; }
  DRYSTONE_HD void phase(int phase, const Place& place, Scalar* shared, State& state) const {
    const int products = loop().phaseCount();
    const int first = place.block * shape.rowsPerBlock, own = first + place.thread;
    const bool has = place.thread < shape.rowsPerBlock && own < view.sizes.rows();
    if (phase < products) {
      loop().phase(phase, view, has ? own : -1, place.thread, shared, state.dot);
    } else if (phase == products) {
      if (has) shared[place.thread] = state.dot + view.d[own];
    } else if (kRows * place.thread < shape.rowsPerBlock &&
               first + kRows * place.thread < view.sizes.rows()) {
      Scalar* z = shared + kRows * place.thread;
      projectDense<kModel>(view, first / kRows + place.thread, isCoupled, z);
      for (int i = 0; i < kRows; ++i) view.next[first + kRows * place.thread + i] = z[i];
    }
  }
};

template <class Scalar>
struct CopyToLambda {
  DenseView<Scalar> view;

  DRYSTONE_HD void operator()(int row) const { view.lambda[row] = view.next[row]; }
};

/// sum = Ū λ (Nützi 2011, Eq. 5.15): of each row the columns from its own on, which a sweep has not
/// renewed when it comes to the row. Contacts go in groups that are renewed together; alone in its
/// group, a contact's tangents have its new normal.
template <class Scalar>
struct StartSums {
  DenseView<Scalar> view;
  int group;  ///< contacts; 0: each alone

  DRYSTONE_HD void operator()(int row) const {
    const int contact = row / view.sizes.contactRows;
    int column = contact * view.sizes.contactRows;
    if (group > 0) column = contact / group * group * view.sizes.contactRows;
    if (group == 0 && row != column) ++column;
    Scalar sum = 0;
    for (; column < view.sizes.rows(); ++column)
      sum += view.entry(row, column) * view.lambda[column];
    view.sum[row] = sum;
  }
};

/// sorProxStepA: renews the contacts of a diagonal block one after another, in one block of threads
/// with one a row. Phases: load; for each contact normal, propagation, tangents, propagation;
/// store.
template <class Scalar, FrictionModel kModel>
struct StepA {
  static constexpr int kRows = contactRows(kModel);
  static constexpr int kPhases = kRows > 1 ? 4 : 2;  ///< of a contact
  DenseView<Scalar> view;
  int firstContact, contacts;

  /// The sums of the block, then its λ.
  using Shared = Scalar;
  struct State {
    Scalar d = 0;
  };
  int sharedCount() const { return 2 * contacts * kRows; }
  DRYSTONE_HD int phaseCount() const { return kPhases * contacts + 2; }
  DRYSTONE_HD void phase(int phase, const Place& place, Scalar* shared, State& state) const {
    const int rows = contacts * kRows, first = firstContact * kRows;
    if (place.thread >= rows) return;
    const int row = first + place.thread;
    Scalar* sum = shared;
    Scalar* lambda = shared + rows;
    if (phase == 0) {
      sum[place.thread] = view.sum[row];
      lambda[place.thread] = view.lambda[row];
      state.d = view.d[row];
      return;
    }
    if (phase + 1 == phaseCount()) {
      view.sum[row] = sum[place.thread];
      view.lambda[row] = lambda[place.thread];
      return;
    }
    const int contact = (phase - 1) / kPhases, step = (phase - 1) % kPhases;
    const int normal = contact * kRows;
    const auto propagate = [&](int column) {
      sum[place.thread] += view.entry(row, first + column) * lambda[column];
    };
    if (step == 0) {
      if (place.thread != normal) return;
      lambda[normal] = largerOf(Scalar(0), sum[normal] + state.d);
      sum[normal] = 0;
    } else if (step == 1) {
      propagate(normal);
    } else if (step == 2) {
      if (place.thread == normal + 1) projectTangents(firstContact + contact, first, sum, lambda);
    } else {
      for (int i = 1; i < kRows; ++i) propagate(normal + i);
    }
  }

 private:
  DRYSTONE_HD void projectTangents(int contact, int first, Scalar* sum, Scalar* lambda) const {
    if constexpr (kRows > 1) {
      const int normal = contact * kRows - first;
      Scalar z[kRows - 1];
      for (int i = 1; i < kRows; ++i) z[i - 1] = sum[normal + i] + view.d[first + normal + i];
      const Scalar radius = kModel == FrictionModel::kBox ? view.boxRadius[contact]
                                                          : view.friction[contact] * lambda[normal];
      projectFriction(kModel, radius, z);
      for (int i = 1; i < kRows; ++i) {
        lambda[normal + i] = z[i - 1];
        sum[normal + i] = 0;
      }
    }
  }
};

/// sorProxRelaxedStepA: renews a group of contacts at the same time, one thread a contact.
template <class Scalar, FrictionModel kModel>
struct RelaxedStepA {
  DenseView<Scalar> view;
  int firstContact;
  bool isCoupled;

  DRYSTONE_HD void operator()(int index) const {
    constexpr int kRows = contactRows(kModel);
    const int contact = firstContact + index, first = contact * kRows;
    Scalar z[kRows];
    for (int i = 0; i < kRows; ++i) z[i] = view.sum[first + i] + view.d[first + i];
    projectDense<kModel>(view, contact, isCoupled, z);
    for (int i = 0; i < kRows; ++i) {
      view.lambda[first + i] = z[i];
      view.sum[first + i] = 0;
    }
  }
};

/// sorProxStepB: sum += T λ over the columns of the renewed contacts, for all rows but those
/// [firstSkipped, firstSkipped + skipped).
template <class Scalar>
struct StepB {
  DenseView<Scalar> view;
  ProductShape shape;
  int firstColumn, endColumn;
  int firstSkipped, skipped;

  using Shared = Scalar;
  struct State {
    Scalar dot = 0;
  };
  DRYSTONE_HD ProductLoop<Scalar> loop() const {
    return {view.lambda, shape, firstColumn, endColumn};
  }
  int rows() const { return view.sizes.rows() - skipped; }
  int sharedCount() const { return shape.chunk(); }
  DRYSTONE_HD int phaseCount() const { return loop().phaseCount(); }
  DRYSTONE_HD void phase(int phase, const Place& place, Scalar* shared, State& state) const {
    int own = place.block * shape.rowsPerBlock + place.thread;
    if (own >= firstSkipped) own += skipped;
    const bool has = place.thread < shape.rowsPerBlock && own < view.sizes.rows();
    loop().phase(phase, view, has ? own : -1, place.thread, shared, state.dot);
    if (has && phase + 1 == phaseCount()) view.sum[own] += state.dot;
  }
};

/// R ← factor R: T − 1 and d with it; one thread a row.
template <class Scalar>
struct ScaleDense {
  DenseView<Scalar> view;
  Scalar factor;

  DRYSTONE_HD void operator()(int row) const {
    for (int column = 0; column < view.sizes.rows(); ++column) {
      view.t[column * view.stride + row] *= factor;
    }
    view.t[row * view.stride + row] += 1 - factor;
    view.d[row] *= factor;
  }
};

}  // namespace drystone::gpu
