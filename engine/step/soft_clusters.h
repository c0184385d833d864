#pragma once

#include <span>
#include <vector>

#include "engine/model/body_store.h"
#include "engine/step/joint_row_list.h"
#include "engine/step/soft_contact_sweeps.h"
#include "engine/step/soft_sweeps.h"
#include "solvers/condense/condensed_problem.h"

namespace drystone {

/// [body slots] mass of all bodies that joints connect with each, itself counted: so much a contact
/// may meet [kg]. 0 unless dynamic; `parent` is work space.
void clusterMasses(const BodyStore& bodies, std::span<const StepJointBlock> joints,
                   std::vector<int>& parent, std::vector<Real>& masses);

/// Soft steps of an island with joints. Bodies that joints connect are clusters, whose joints hold
/// in every sub-step: their rows are condensed (CondensedProblem), and an impulse of a contact
/// changes the velocities of all rows that touch the cluster. Limits, motors and friction of joints
/// are rows with bounds on the impulse of the whole step, and are swept with the contacts.
///
/// One thread's arrays. The calls of one step come in the order of the class.
class SoftClusters {
 public:
  /// Condenses a problem in body form, whose arrays must outlive the step. Returns false where
  /// its clusters are too large for sweeps, or its joints cannot hold within `tolerance` [m/s].
  bool begin(const ContactProblem& problem, Real tolerance);
  /// u⁺ with the impulses that the step starts from at all rows but those of the joints' locks, and
  /// with these solved. [bodies]
  std::span<const Vec6> predict(std::span<const Real> lambda, std::span<const Vec6> free);
  /// Adds velocities to b of the problem [rows]. [m/s]
  void addToRows(std::span<const Real> change);
  /// As softSweeps(). Rows of joints keep all of b, and have no part in `input.fixed`,
  /// `input.restitution`. Returns false where the joints do not hold within the tolerance.
  bool sweep(const SoftInput& input, std::span<Real> lambda, std::span<RowState> state,
             std::span<Vec6> way);
  /// Changes the displacement [m], [rad] so that J way of the locks changes by `-error` [rows].
  void correct(std::span<const Real> error, std::span<Vec6> way);

 private:
  class Sweeps;
  /// Rows of a kept block that are no contact, by their number in the condensed problem.
  struct BoundedRow {
    int block, row, offset;  // offset: within the block
    Real step;               // 1/S_ii [kg]; 0: nothing moves it
  };

  void listRows(const SoftInput& input);
  /// λ of all rows from that of the kept ones, which `kept` are; joints by b of now.
  void expand(std::span<const Real> kept, std::span<Real> lambda);
  void addResponse(std::span<const Real> lambda, Real factor, std::span<Vec6> velocity);

  CondensedProblem condensed_;
  ContactProblem problem_;
  Real tolerance_ = 0;
  std::vector<Real> given_, b_;  // [rows] of the problem; of what is condensed now
  std::vector<SoftContact> contacts_;
  std::vector<BoundedRow> bounded_;
  std::vector<Real> restitution_;            // [kept rows]
  std::vector<Real> velocity_, gain_;        // [kept rows]
  std::vector<Real> way_;                    // [kept rows] ∫ w dt [m]
  std::vector<Real> lambda_, total_, mean_;  // [kept rows]
  std::vector<Real> full_;                   // [rows] λ
  std::vector<Vec6> bodies_, predicted_;     // [bodies]
};

}  // namespace drystone
