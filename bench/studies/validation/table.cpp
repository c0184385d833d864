#include "bench/studies/validation/study.h"

#include <cmath>

#include "core/check.h"

namespace drystone::bench {

ValidationTable::ValidationTable(const StudyOptions& options, const std::string& group)
    : csv_(options, group, "case,what,expected,got,error,order,met,cause,source") {
  fmt::print("| case | what | expected | got | error | order | verdict | source |\n");
  fmt::print("|---|---|--:|--:|--:|--:|---|---|\n");
}

ValidationTable::~ValidationTable() { fmt::print("\n{} of {} rows met.\n\n", met_, rows_); }

void ValidationTable::add(const ValidationRow& row) {
  const Real error = row.expected != 0 ? row.got / row.expected - 1 : row.got;
  // NaN is not met.
  const bool isNear = std::abs(error) <= row.allowance.error;
  const bool isMet = isNear && (!row.order || row.order->isMet());
  const std::string order =
      row.order ? fmt::format("{:.2f} of {}", row.order->got, row.order->expected) : "";
  ++rows_;
  met_ += isMet ? 1 : 0;
  printRow("| {} | {} | {:.6g} | {:.6g} | {:.1e} | {} | {}: {} | {} |\n", row.name, row.what,
           row.expected, row.got, error, order,
           isMet    ? "met"
           : isNear ? "**low order**"
                    : "**off**",
           row.allowance.cause, row.source);
  csv_.row(row.name, row.what, row.expected, row.got, error, order, isMet ? 1 : 0,
           row.allowance.cause, row.source);
}

void ValidationTable::add(const ValidationOutcome& outcome) {
  const bool isMet = outcome.expected == outcome.got;
  ++rows_;
  met_ += isMet ? 1 : 0;
  printRow("| {} | {} | {} | {} | | | {}: {} | {} |\n", outcome.name, outcome.what,
           outcome.expected, outcome.got, isMet ? "met" : "**off**", outcome.cause, outcome.source);
  csv_.row(outcome.name, outcome.what, outcome.expected, outcome.got, "", "", isMet ? 1 : 0,
           outcome.cause, outcome.source);
}

ConvergenceOrder orderOf(const std::vector<Real>& errors, int expected) {
  DRYSTONE_ASSERT(errors.size() >= 2);
  return {std::log2(std::abs(errors[errors.size() - 2] / errors.back())), expected};
}

}  // namespace drystone::bench
