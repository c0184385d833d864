// Bytes are a problem file: JSON, or HDF5, as the reader tells by its content. It is refused, or
// the judge of zero impulses has figures that are no NaN, and the problem survives being written
// as JSON and read again.

#include <cmath>

#include "solvers/file/problem_file.h"
#include "solvers/file/problem_file_detail.h"
#include "solvers/problem/judge.h"
#include "tests/fuzz/fuzz_input.h"

namespace drystone::fuzz {
namespace {

void checkProblem(const ReadProblem& read) {
  const ContactProblem problem = read.problem.view();
  const std::vector<Real> zero(problem.b.size(), 0);
  JudgeWorkspace workspace;
  const JudgeReport report = judge(problem, zero, workspace);
  require(!std::isnan(report.naturalMap), "the judge's figure is no number");
  require(report.worstBlock < problem.blockCount(), "the judge blames a block that there is not");

  const std::string text = detail::writeProblemJson(problem, {.name = read.name,
                                                              .info = read.info,
                                                              .warmStart = read.warmStart,
                                                              .warmStates = read.warmStates,
                                                              .solution = read.solution});
  detail::FileErrors errors("written again");
  const ReadProblem again = detail::readProblemJson(text, errors);
  require(again.problem.b == read.problem.b, "b differs when read again");
  require(again.problem.lower == read.problem.lower, "bounds differ when read again");
  require(again.problem.blocks.size() == read.problem.blocks.size(),
          "blocks differ when read again");
}

}  // namespace
}  // namespace drystone::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace drystone;
  const fuzz::MemoryFile file(fuzz::textOf(data, size));
  ReadProblem read;
  if (!fuzz::isAccepted([&] { read = readProblemFile(file.path()); })) return 0;
  fuzz::checkProblem(read);
  return 0;
}
