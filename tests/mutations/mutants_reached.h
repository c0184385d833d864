#pragma once

// Writes which mutants each test reaches, and how long it takes, to the file that
// DRYSTONE_MUTANTS_REACHED names (tests/mutations/mutate.py adds this to test programs as a file).
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <fstream>

#include "solvers/mutant.h"

namespace {

class Reached : public ::testing::EmptyTestEventListener {
 public:
  explicit Reached(const char* path) : out_(path) {}

  void OnTestStart(const ::testing::TestInfo& /*info*/) override {
    drystoneMutantsReached.fill(false);
    begin_ = std::clock();
  }
  void OnTestEnd(const ::testing::TestInfo& info) override {
    if (!info.result()->Passed()) return;
    const auto ms = (std::clock() - begin_) / (CLOCKS_PER_SEC / 1000);  // of the processor
    out_ << info.test_suite_name() << '.' << info.name() << ' ' << ms;
    for (std::size_t i = 0; i < drystoneMutantsReached.size(); ++i) {
      if (drystoneMutantsReached[i]) out_ << ' ' << i;
    }
    out_ << std::endl;
  }

 private:
  std::ofstream out_;
  std::clock_t begin_ = 0;
};

const bool isListening = [] {
  const char* path = std::getenv("DRYSTONE_MUTANTS_REACHED");
  if (path == nullptr) return false;
  ::testing::UnitTest::GetInstance()->listeners().Append(new Reached(path));
  return true;
}();

}  // namespace
