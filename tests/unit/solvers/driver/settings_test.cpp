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
  applySetting(solver, "max_iterations", std::int64_t{7});
  applySetting(solver, "criterion", std::string("relative"));
  EXPECT_EQ(solver.settings.stopping.relativeTolerance, 1e-3);
  EXPECT_EQ(solver.budget.iterations, 7);
  EXPECT_EQ(solver.settings.stopping.criterion, StopCriterion::kRelative);
}

TEST(Settings, CommandLineText_IsParsedByTheFieldsType) {
  SorProxSolver solver;
  applySetting(solver, "relaxation", std::string("0.75"));
  applySetting(solver, "max_iterations", std::string("1e3"));
  EXPECT_EQ(solver.settings.relaxation, 0.75);
  EXPECT_EQ(solver.budget.iterations, 1000);
}

TEST(Settings, NoneAsText_LiftsALimitThatIsOpenAbove) {
  SorProxSolver solver;
  applySetting(solver, "time_limit_s", 5.0);
  applySetting(solver, "time_limit_s", std::string("none"));
  EXPECT_EQ(solver.budget.seconds, kUnlimited);
  EXPECT_THROW(applySetting(solver, "relaxation", std::string("none")), InputError);
}

TEST(Settings, UnknownName_SuggestsTheNearOne) {
  SorProxSolver solver;
  EXPECT_THAT([&] { applySetting(solver, "max_iteration", std::int64_t{7}); },
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("sor-prox"), HasSubstr("did you mean \"max_iterations\"?"))));
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
  EXPECT_THROW(applySetting(solver, "max_iterations", 1.5), InputError);
  EXPECT_THROW(applySetting(solver, "max_iterations", std::string("many")), InputError);
  EXPECT_THROW(applySetting(solver, "relaxation", true), InputError);
  EXPECT_THROW(applySetting(solver, "relaxation", std::string("nan")), InputError);
  EXPECT_THAT([&] { applySetting(solver, "scheme", std::string("fast")); },
              ThrowsMessage<InputError>(HasSubstr("one of auto, naive, T, factorized")));
}

TEST(Settings, Tolerance_IsTheDriversToHandDown) {
  SorProxSolver solver;
  EXPECT_THAT([&] { applySetting(solver, "tolerance", 1e-8); },
              ThrowsMessage<InputError>(HasSubstr("set \"solver.tolerance\" [m/s]")));
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
