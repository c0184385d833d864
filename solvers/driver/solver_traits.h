#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solvers/problem/contact_problem.h"

namespace drystone {

/// Whether a method gains where the rows of joints are eliminated first (CondensedProblem).
enum class CondensingPays : std::uint8_t {
  kUsually,  ///< sweeps and first-order methods, and factors in the space of the rows
  kRarely,   ///< its factor lies in the space of the bodies: joints cost little, a dense S much
  kByItself  ///< it condenses on its own
};

/// What a solver is, for lists, checks and docs.
struct SolverTraits {
  std::string_view name{};     ///< registry name
  std::string_view summary{};  ///< one line
  std::string_view source{};   ///< paper or thesis with section; "own": none
  /// When to take it, in a line: what puts a solver on the main shelf, that of the few which most
  /// users need. Empty: on the reference shelf, of the methods that are kept to measure against.
  std::string_view whenToTake{};
  std::vector<FrictionModel> frictionModels{};
  /// Sweeps, steps, pivots or rounds of a solve whose budget does not say: far more than what a
  /// problem needs that the method solves.
  int iterations = 1000;
  bool handlesRows = true;    ///< joints, limits and motors beside contacts
  bool takesBodyForm = true;  ///< M⁻¹ and J
  bool takesAssembledForm = true;
  CondensingPays condensingPays = CondensingPays::kUsually;
  bool usesWarmStart = true;  ///< false: it starts from nothing, whatever it is given
  /// Solves a convex law beside that of friction, unless its settings ask for the law itself.
  bool relaxesFriction = false;
  /// By pivots and factors, whatever the tolerance; directions of cones apart. Others end at the
  /// tolerance, or better.
  bool endsAtRoundOff = false;
  bool deterministic = true;    ///< same bits for every run and thread count
  bool parallel = false;        ///< uses threads within one problem
  bool batchesIslands = false;  ///< gets all islands of a step as one problem
  /// A solver for a device: asks why it cannot run here; null: it can. To ask makes the device
  /// ready for work, so that traits keep the question and not its answer.
  std::string_view (*whyUnavailable)() = nullptr;
  /// A solver for a device: the one that does the same sums on the processor.
  std::string_view cpuTwin{};
  std::string_view cpuNearest{};  ///< of one without a twin: what to take on the processor instead

  bool supports(FrictionModel model) const;
  bool isOnMainShelf() const { return !whenToTake.empty(); }
  /// Why it cannot run here; empty: it can.
  std::string_view unavailable() const { return whyUnavailable ? whyUnavailable() : ""; }
};

/// What a problem asks of its solver.
struct SolverNeeds {
  std::optional<FrictionModel> friction{};  ///< none: it has no contacts
  bool hasRows = false;                     ///< joints, limits or motors
  bool isAssembled = false;                 ///< its matrix stands for M⁻¹ and J
  bool isHere = true;                       ///< the solver's device must be in this machine
};
SolverNeeds needsOf(const ContactProblem& problem);

/// Why a solver cannot solve what needs this here, as a sentence without its subject: "takes
/// contacts only, no joints". Empty: it can.
std::string whyNot(const SolverTraits& traits, const SolverNeeds& needs);

}  // namespace drystone
