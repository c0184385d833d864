#pragma once

#include "gpu/layout/sweep_view.h"
#include "solvers/problem/descent_math.h"

namespace drystone::gpu {

/// What a trial adds up over all rows; plain, for memory that a block shares.
struct DescentSums {
  double bend;    ///< sᵀ A s of the step s from y, less the round-off of it
  double length;  ///< ‖s‖² in the norm of 1/ρ
  double uphill;  ///< (y − x_{k+1}) · (x_{k+1} − x_k), likewise
  double moved;   ///< rows that moved; they add up exactly
};

/// A SweepView with the iterates of an accelerated descent, x_k being its λ. Numbers of contacts
/// and of joint rows lie as λ does, those of joint rows behind the others.
template <class Scalar>
struct DescentView : SweepView<Scalar> {
  // Results.
  DescentFigures* figures = nullptr;

  // On the device only.
  Scalar* rho = nullptr;       ///< [contacts + rows] 1/λ_max(Â_cc), or 1/A_ii of a joint [kg]
  Scalar* sigma = nullptr;     ///< [contacts] velocity added to the normal [m/s]
  Scalar* gradient = nullptr;  ///< of x_k: A λ + b + σ n [m/s]
  Scalar* ahead = nullptr;     ///< y_k = x_k + β (x_k − x_{k−1})
  Scalar* gradientAhead = nullptr;  ///< … and its gradient
  Scalar* next = nullptr;           ///< x_{k+1}, or a trial of it
  Scalar* gradientNext = nullptr;
  DescentSums* sumPart = nullptr;  ///< [kMostParts]

  /// Row `i` of an element: a contact, or behind them a joint row.
  DRYSTONE_HD std::size_t atIterate(int i, int element) const {
    const int contacts = this->sizes.contacts;
    return element < contacts ? this->at(i, element)
                              : this->sizes.contactRows * this->stride + (element - contacts);
  }
};

template <class Scalar, class OnGap>
Sections bindDescentView(const SweepSizes& sizes, std::byte* base, DescentView<Scalar>& view,
                         OnGap&& onGap) {
  const auto placeResults = [&](auto& placement) { placement.place(view.figures, 1); };
  const auto placeState = [&](auto& placement) {
    const std::size_t contacts = sizes.contacts, rows = sizes.rows;
    const std::size_t numbers = sizes.contactRows * view.stride + rows;
    placement.place(view.rho, contacts + rows);
    placement.place(view.sigma, contacts);
    for (Scalar** array :
         {&view.gradient, &view.ahead, &view.gradientAhead, &view.next, &view.gradientNext}) {
      placement.place(*array, numbers);
    }
    placement.place(view.sumPart, view.kMostParts);
  };
  return bindSweepView<Scalar>(sizes, base, view, onGap, placeResults, placeState);
}

}  // namespace drystone::gpu
