#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "collision/analytic/contact_deviation.h"
#include "engine/world/world.h"

namespace drystone::cli {

/// A largest deviation of a run, and where it was.
struct WorstContact {
  Real value = 0;         ///< [m] or [rad]
  std::int64_t step = 0;  ///< 1 is the first step; 0: no contact deviated
  std::string bodyA, bodyB;
};

/// The contacts of two bodies that are beyond a tolerance, with the largest deviations among them.
struct PairBeyond {
  std::string bodyA, bodyB;
  std::int64_t contacts = 0;
  std::int64_t firstStep = 0, lastStep = 0;
  certify::ContactDeviation largest;
};

/// What `run --check contacts` adds up: every contact of every detection against the closed forms
/// of the shapes (certify::contactDeviations).
class ContactCheck {
 public:
  /// Watches the detections of a world from now on; must not outlive it, nor be moved.
  explicit ContactCheck(World& world);
  ContactCheck(const ContactCheck&) = delete;
  ContactCheck& operator=(const ContactCheck&) = delete;
  ~ContactCheck();

  std::int64_t checked = 0, beyond = 0;  ///< those beyond a tolerance are among the checked
  std::int64_t unchecked = 0;            ///< contacts of which no truth is known
  std::int64_t firstBeyond = 0;          ///< step; 0: none
  WorstContact gap, normal, place;
  std::vector<PairBeyond> pairsBeyond;  ///< in the order of their first contact beyond

 private:
  void add(std::span<const ContactPoint> contacts);
  void addPair(std::span<const ContactPoint> contacts);
  void noteBeyond(const certify::ContactDeviation& one, BodyId a, BodyId b);
  void note(Real value, BodyId a, BodyId b, WorstContact& worst) const;

  World& world_;
};

/// Reads what `--check` names, which is `contacts`, or nothing; throws UsageError otherwise.
bool wantsContactCheck(const std::string& text);

/// The lines of the summary: counts, largest deviations and where they were. Where contacts are
/// beyond, also of which pairs they are, and what is known to be beyond by design.
std::vector<std::string> contactCheckLines(const ContactCheck& check);

}  // namespace drystone::cli
