#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/studies/study.h"

namespace drystone::bench {

/// How much of an error counts as met, and why it is not less.
struct Allowance {
  Real error = 0;     ///< as the table prints it: relative, or absolute where 0 is expected
  std::string cause;  ///< where the error comes from
};

/// By which power of the timestep errors fall.
struct ConvergenceOrder {
  Real got = 0;
  int expected = 0;

  /// A third less counts: the last two errors are not yet all of their leading term.
  bool isMet() const { return got > expected - 0.34; }
};

/// Of errors that belong to timesteps of which each is half of the one before, from the last two.
ConvergenceOrder orderOf(const std::vector<Real>& errors, int expected);

/// A quantity of a case, beside its value by a formula or a converged integration.
struct ValidationRow {
  std::string name;    ///< of the case
  std::string what;    ///< quantity and unit
  Real expected = 0;   ///< 0: errors are absolute
  Real got = 0;        ///< by the finest timestep
  std::string source;  ///< of the expected value
  Allowance allowance;
  std::optional<ConvergenceOrder> order;  ///< none where one timestep is run
};

/// What happens of two or more things that can: "stands", "falls".
struct ValidationOutcome {
  std::string name, what, expected, got, source, cause;
};

/// The Markdown table of a group; also the file "validation_GROUP.csv" of --csv. A row is printed
/// as soon as it is known.
class ValidationTable {
 public:
  ValidationTable(const StudyOptions& options, const std::string& group);
  /// With the line of how many rows are met.
  ~ValidationTable();
  ValidationTable(const ValidationTable&) = delete;
  ValidationTable& operator=(const ValidationTable&) = delete;

  void add(const ValidationRow& row);
  void add(const ValidationOutcome& outcome);

 private:
  CsvFile csv_;
  int rows_ = 0, met_ = 0;
};

// The groups: each prints its table.
void validateFreeBodies(const StudyOptions& options);
void validateTops(const StudyOptions& options);
void validatePendulums(const StudyOptions& options);
void validateFriction(const StudyOptions& options);
void validateMasonry(const StudyOptions& options);
void validateImpacts(const StudyOptions& options);
void validateRolling(const StudyOptions& options);
void validateChains(const StudyOptions& options);
void validateGranular(const StudyOptions& options);

/// The rows of the group "rolling" that have an integration of their own.
void addRattleback(const StudyOptions& options, ValidationTable& table);

}  // namespace drystone::bench
