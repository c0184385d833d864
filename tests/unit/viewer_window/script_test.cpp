#include "viewer/window/script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"

namespace drystone::viewer {
namespace {

TEST(Script, LinesAreRead_CommentsAndEmptyOnesAreNot) {
  const auto script = parseScript("# a comment\n\nkey Shift+S\n  \nframes 12\nquit\n", "x");
  ASSERT_EQ(script.size(), 3U);
  EXPECT_EQ(script[0].verb, ScriptVerb::kKey);
  EXPECT_EQ(script[0].argument, "Shift+S");
  EXPECT_EQ(script[0].number, 3);
  EXPECT_EQ(script[1].count, 12);
  EXPECT_EQ(script[2].verb, ScriptVerb::kQuit);
}

TEST(Script, EveryMistakeIsNamedWithItsLine) {
  try {
    parseScript("frames many\nsceen wall\nstep\nquit now\nframes -1\n", "demo.txt");
    FAIL() << "no error";
  } catch (const InputError& error) {
    using testing::HasSubstr;
    ASSERT_EQ(error.problems().size(), 5U);
    EXPECT_THAT(error.problems()[0], HasSubstr("demo.txt:1: 'frames' needs a whole number"));
    EXPECT_THAT(error.problems()[1], HasSubstr("demo.txt:2: there is no verb 'sceen'"));
    EXPECT_THAT(error.problems()[1], HasSubstr("\"scene\""));
    EXPECT_THAT(error.problems()[2], HasSubstr("demo.txt:3: 'step' needs an argument"));
    EXPECT_THAT(error.problems()[3], HasSubstr("demo.txt:4: 'quit' takes no argument"));
    EXPECT_THAT(error.problems()[4], HasSubstr("demo.txt:5"));
  }
}

TEST(Script, FileThatIsNotThere_IsAnError) { EXPECT_THROW(readScript("/none/such"), InputError); }

}  // namespace
}  // namespace drystone::viewer
