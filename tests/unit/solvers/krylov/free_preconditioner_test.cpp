// When the preconditioner of the free rows is made anew, and when the one at hand serves.
#include "solvers/krylov/free_preconditioner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "tests/support/matrices.h"
#include "tests/support/mlcp.h"
#include "tests/support/problems.h"

namespace drystone::test {
namespace {

using Kind = PreconditionerKind;

constexpr int kNoLimit = std::numeric_limits<int>::max();

/// Writes one field; a choice by its index.
class Setter : public SettingVisitor {
 public:
  Setter(std::string_view name, Real value) : name_(name), value_(value) {}
  void real(const SettingInfo& info, Real& value, Real, Real) override {
    if (info.name == name_) value = value_;
  }
  void integer(const SettingInfo&, int&, int, int) override {}
  void boolean(const SettingInfo&, bool&) override {}
  void choice(const SettingInfo& info, int& value, std::span<const std::string_view>) override {
    if (info.name == name_) value = static_cast<int>(value_);
  }

 private:
  std::string_view name_;
  Real value_;
};

/// Bilateral rows of a given A.
StoredProblem bilateral(const MatX& a) {
  const VecX none = VecX::Constant(a.rows(), kInfinity);
  return mlcp(a, VecX::Ones(a.rows()), -none, none);
}

/// Contacts of spheres, whose incomplete factors break down.
StoredProblem pile() {
  StoredProblem stored = randomPile(FrictionModel::kCone, 4, 4, 4, 0.5, 1);
  stored.compliance.assign(stored.b.size(), 1e-6);
  return stored;
}

/// 200 rows (2, −1 beside it) or those of a problem, all of which are free at first.
class Free {
 public:
  explicit Free(Kind kind = Kind::kIct, StoredProblem stored = bilateral(tridiagonal(200)))
      : isOut(stored.b.size(), 0), stored_(std::move(stored)) {
    set("preconditioner", static_cast<int>(kind));
    rows_.prepare(stored_.view(), true);
    attach();
  }
  void set(std::string_view name, Real value) {
    Setter setter(name, value);
    preconditioner.visitSettings(setter);
  }
  void attach() {
    preconditioner.attach(rows_);
    EXPECT_TRUE(preconditioner.update(isOut, {}));
  }
  /// The first `count` rows become tight, all others free.
  bool updateWithout(int count) {
    for (int row = 0; row < size(); ++row) isOut[row] = row < count ? 1 : 0;
    return preconditioner.update(isOut, {});
  }
  /// `added` on the diagonal of row 7.
  bool updateWith(Real added) {
    std::vector<Real> extra(isOut.size(), 0);
    extra[7] = added;
    return preconditioner.update(isOut, extra);
  }
  int size() const { return static_cast<int>(isOut.size()); }
  const KrylovStatistics& statistics() const { return preconditioner.statistics(); }
  /// Entries of L a row, times the factors that it took.
  int worth() const {
    const PreconditionerStatistics& last = preconditioner.get().statistics();
    return static_cast<int>(last.fill * (1 + last.shifts) / last.rows);
  }

  FreePreconditioner preconditioner;
  std::vector<std::uint8_t> isOut;

 private:
  StoredProblem stored_;
  RowSystem rows_;
};

// 2 % of 197 rows are 3.9.
TEST(FreePreconditioner, ChangeOfTwoRowsInAHundred_KeepsTheFactor) {
  Free free;
  EXPECT_FALSE(free.updateWithout(3));
  EXPECT_FALSE(free.updateWithout(0));
  EXPECT_TRUE(free.updateWithout(4));
  EXPECT_FALSE(free.updateWithout(1));
}

TEST(FreePreconditioner, RefactorShare_IsTheShareOfTheFreeRowsThatMayChange) {
  Free free;
  free.preconditioner.refactorShare = 0;
  free.attach();
  EXPECT_FALSE(free.updateWithout(0));
  EXPECT_TRUE(free.updateWithout(1));
  free.isOut.assign(free.isOut.size(), 0);
  free.preconditioner.refactorShare = 1;
  free.attach();
  EXPECT_FALSE(free.updateWithout(100));
  EXPECT_TRUE(free.updateWithout(101));
}

// Diagonal entries are 2: 1.9 more is less than twice as much, 2 more is not. Back from there is a
// half.
TEST(FreePreconditioner, DiagonalThatDoublesOrHalves_NeedsANewFactor) {
  for (const Kind kind : {Kind::kIct, Kind::kJacobi}) {
    Free free(kind);
    EXPECT_FALSE(free.updateWith(1.9));
    EXPECT_TRUE(free.updateWith(2));
    EXPECT_FALSE(free.updateWith(0.1));
    EXPECT_TRUE(free.updateWith(0));
  }
}

// A factor of other rows, or of another diagonal, serves for as many steps as making it is worth.
TEST(FreePreconditioner, FactorOfSomethingElse_ServesForAsManySteps) {
  for (const bool changesRows : {true, false}) {
    Free free(Kind::kIct, bilateral(laplacian(14)));
    EXPECT_EQ(free.preconditioner.stepsLeft(), kNoLimit);
    free.preconditioner.countSteps(1000);  // with its own rows, which cost nothing
    EXPECT_FALSE(changesRows ? free.updateWithout(1) : free.updateWith(0.5));
    const int steps = free.worth();
    ASSERT_GT(steps, 5);
    EXPECT_EQ(free.preconditioner.stepsLeft(), steps);
    free.preconditioner.countSteps(steps - 1);
    EXPECT_FALSE(free.preconditioner.renew(free.isOut, {}));
    free.preconditioner.countSteps(1);
    EXPECT_TRUE(free.preconditioner.renew(free.isOut, {}));
    EXPECT_EQ(free.preconditioner.stepsLeft(), kNoLimit);
    EXPECT_EQ(free.statistics().factorizations, 2);
  }
}

// Every shift made all columns once more, and a new factor would do so again.
TEST(FreePreconditioner, FactorThatTookShifts_ServesTheLonger) {
  Free free(Kind::kIc0Shift, pile());
  const PreconditionerStatistics& last = free.preconditioner.get().statistics();
  ASSERT_GT(last.shifts, 2);
  EXPECT_FALSE(free.updateWithout(1));
  EXPECT_EQ(free.preconditioner.stepsLeft(), free.worth());
  EXPECT_GE(free.preconditioner.stepsLeft(), last.fill / last.rows * 4);
}

// M = diag A without the rows that are out is that of the free rows, whichever these are: conjugate
// gradients need not start anew for another.
TEST(FreePreconditioner, DiagonalKinds_FollowTheRowsWithoutANewOne) {
  for (const Kind kind : {Kind::kNone, Kind::kJacobi}) {
    Free free(kind);
    EXPECT_FALSE(free.updateWithout(150));
    EXPECT_EQ(free.preconditioner.stepsLeft(), kNoLimit);
    free.preconditioner.countSteps(100);
    EXPECT_FALSE(free.preconditioner.renew(free.isOut, {}));
    EXPECT_EQ(free.statistics().factorizations, 1);
    EXPECT_EQ(free.statistics().reuses, 0);
    std::vector<Real> r(200, 3), z(200);
    free.preconditioner.get().applyMasked(free.isOut, r, z);
    EXPECT_EQ(z[149], 0);
    EXPECT_EQ(z[150], kind == Kind::kNone ? 3 : 1.5);
  }
}

TEST(FreePreconditioner, Reuses_AreThoseOfFactorsOfSomethingElse) {
  Free free;
  free.updateWithout(0);
  EXPECT_EQ(free.statistics().reuses, 0);
  free.updateWithout(1);
  EXPECT_EQ(free.statistics().reuses, 1);
  free.updateWithout(0);
  EXPECT_EQ(free.statistics().reuses, 1);
  free.updateWith(1e-3);
  EXPECT_EQ(free.statistics().reuses, 2);
  EXPECT_EQ(free.statistics().factorizations, 1);
  EXPECT_EQ(free.statistics().rows, 200);
}

// Two factors, the second without 100 rows, and what each of them met.
TEST(FreePreconditioner, Statistics_AddUpOverTheFactors) {
  for (const Kind kind : {Kind::kIc0Shift, Kind::kIc0Imaginary}) {
    Free free(kind, pile());
    const PreconditionerStatistics first = free.preconditioner.get().statistics();
    ASSERT_TRUE(free.updateWithout(100));
    const PreconditionerStatistics second = free.preconditioner.get().statistics();
    const KrylovStatistics& sum = free.statistics();
    EXPECT_EQ(sum.factorizations, 2);
    EXPECT_EQ(sum.rows, 2 * free.size() - 100);
    EXPECT_EQ(sum.fill, first.fill + second.fill);
    EXPECT_EQ(sum.negativePivots, first.negativePivots + second.negativePivots);
    EXPECT_EQ(sum.zeroPivots, 0);
    EXPECT_EQ(sum.shifts, first.shifts + second.shifts);
    EXPECT_EQ(sum.shift, std::max(first.shift, second.shift));
    EXPECT_EQ(sum.factorMs, first.timeMs + second.timeMs);
    EXPECT_GT(sum.factorMs, 0);
    EXPECT_EQ(first.negativePivots > 0, kind == Kind::kIc0Imaginary);
    EXPECT_EQ(first.shifts > 0, kind == Kind::kIc0Shift);
    free.preconditioner.clearStatistics();
    EXPECT_EQ(free.statistics().factorizations, 0);
  }
}

// The factor is made of A + E.
TEST(FreePreconditioner, WhatIsAdded_IsInTheFactor) {
  Free free(Kind::kIct, bilateral(2 * MatX::Identity(20, 20)));
  EXPECT_TRUE(free.updateWith(6));
  std::vector<Real> r(20, 4), z(20);
  free.preconditioner.get().apply(r, z);
  EXPECT_DOUBLE_EQ(z[7], 0.5);
  EXPECT_DOUBLE_EQ(z[8], 2);
}

}  // namespace
}  // namespace drystone::test
