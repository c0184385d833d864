#include "solvers/driver/settings.h"

#include <gmock/gmock.h>

#include "core/input_error.h"
#include "solvers/default_registry.h"
#include "solvers/prox/prox_solver.h"

namespace drystone {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Settings, ValuesOfEveryType_AreStored) {
  SorProxSolver solver;
  applySetting(solver, "relative_tolerance", 1e-3);
  applySetting(solver, "check_every", std::int64_t{7});
  applySetting(solver, "criterion", std::string("relative"));
  EXPECT_EQ(solver.settings.stopping.relativeTolerance, 1e-3);
  EXPECT_EQ(solver.settings.stopping.checkEvery, 7);
  EXPECT_EQ(solver.settings.stopping.criterion, StopCriterion::kRelative);
}

TEST(Settings, CommandLineText_IsParsedByTheFieldsType) {
  SorProxSolver solver;
  applySetting(solver, "relaxation", std::string("0.75"));
  applySetting(solver, "check_every", std::string("1e3"));
  EXPECT_EQ(solver.settings.relaxation, 0.75);
  EXPECT_EQ(solver.settings.stopping.checkEvery, 1000);
}

TEST(Settings, NoneAsText_LiftsALimitThatIsOpenAbove) {
  Budget budget;
  EXPECT_TRUE(applySetting(budget, "time_limit_s", 5.0));
  EXPECT_EQ(budget.seconds, 5);
  applySetting(budget, "time_limit_s", std::string("none"));
  EXPECT_EQ(budget.seconds, kUnlimited);
  SorProxSolver solver;
  EXPECT_THROW(applySetting(solver, "relaxation", std::string("none")), InputError);
}

TEST(Settings, BudgetHasItsOwn_WhichSolversLack) {
  Budget budget;
  EXPECT_TRUE(applySetting(budget, "max_iterations", std::string("7")));
  EXPECT_TRUE(applySetting(budget, "tolerance", 1e-9));
  EXPECT_FALSE(applySetting(budget, "relaxation", 1.0));
  EXPECT_EQ(budget.iterations, 7);
  EXPECT_EQ(budget.tolerance, 1e-9);
  EXPECT_THROW(applySetting(budget, "max_iterations", std::int64_t{-1}), InputError);
  SorProxSolver solver;
  for (const char* name : {"tolerance", "max_iterations", "time_limit_s"}) {
    EXPECT_TRUE(isBudgetSetting(name));
    EXPECT_THAT([&] { applySetting(solver, name, 1.0); },
                ThrowsMessage<InputError>(HasSubstr("set \"solver." + std::string(name))));
  }
}

TEST(Settings, UnknownName_SuggestsTheNearOne) {
  SorProxSolver solver;
  EXPECT_THAT([&] { applySetting(solver, "check_ever", std::int64_t{7}); },
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("sor-prox"), HasSubstr("did you mean \"check_every\"?"))));
}

TEST(Settings, ValueOutOfRange_NamesFieldRangeAndValue) {
  SorProxSolver solver;
  EXPECT_THAT([&] { applySetting(solver, "relaxation", 5.0); },
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("relaxation"), HasSubstr("1e-06 to 1.999"), HasSubstr("not 5"))));
  EXPECT_EQ(solver.settings.relaxation, 1);
}

TEST(Settings, WrongKindOfValue_IsRefused) {
  SorProxSolver solver;
  EXPECT_THROW(applySetting(solver, "check_every", 1.5), InputError);
  EXPECT_THROW(applySetting(solver, "check_every", std::string("many")), InputError);
  EXPECT_THROW(applySetting(solver, "relaxation", true), InputError);
  EXPECT_THROW(applySetting(solver, "relaxation", std::string("nan")), InputError);
  EXPECT_THAT([&] { applySetting(solver, "scheme", std::string("fast")); },
              ThrowsMessage<InputError>(HasSubstr("one of auto, naive, T, factorized")));
}

TEST(Settings, Description_HoldsRangeUnitAndPresentValue) {
  SorProxSolver solver;
  solver.settings.scheme = ProxScheme::kNaive;
  bool found = false;
  for (const SettingDescription& setting : describeSettings(solver)) {
    if (setting.name != "scheme") continue;
    found = true;
    EXPECT_EQ(std::get<std::string>(setting.value), "naive");
    EXPECT_EQ(setting.range, "auto, naive, T, factorized");
    EXPECT_FALSE(setting.help.empty());
  }
  EXPECT_TRUE(found);
}

TEST(Registry, UnknownSolver_SuggestsTheNearOne) {
  const SolverRegistry registry = makeDefaultRegistry();
  EXPECT_THAT([&] { registry.create("sor_prx"); },
              ThrowsMessage<InputError>(HasSubstr("did you mean \"sor-prox\"?")));
}

TEST(Registry, EverySolver_IsMadeUnderItsOwnName) {
  const SolverRegistry registry = makeDefaultRegistry();
  for (const std::string& name : registry.names()) {
    EXPECT_TRUE(registry.contains(name));
    EXPECT_EQ(registry.create(name)->traits().name, name);
    EXPECT_FALSE(registry.traits(name).summary.empty()) << name;
    EXPECT_FALSE(registry.traits(name).source.empty()) << name;
  }
}

}  // namespace
}  // namespace drystone
