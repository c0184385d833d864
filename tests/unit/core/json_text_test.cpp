#include "core/json_text.h"

#include <gtest/gtest.h>

#include <string>

namespace drystone {
namespace {

TEST(PlainJson, CommentsAndTrailingCommas_BecomeSpacesOfTheSameLength) {
  EXPECT_EQ(plainJson("[1, // one\n2]"), "[1,       \n2]");
  EXPECT_EQ(plainJson("[1, /* a\nb */ 2]"), "[1,     \n     2]");
  EXPECT_EQ(plainJson("{\"a\": [1, ], }"), "{\"a\": [1  ]  }");
  EXPECT_EQ(plainJson("[1, /* , */ // ,\n]"), "[1              \n]");
}

TEST(PlainJson, Strings_StayAsTheyAre) {
  for (const std::string text :
       {R"(["// a", "/* b */", ",]", "\"// c", "\\"])", R"({"http://": 1})"}) {
    EXPECT_EQ(plainJson(text), text);
  }
}

TEST(PlainJson, CommasThatNoValueStandsBefore_Stay) {
  for (const std::string text : {"[,]", "{,}", "[1,,]", "{\"a\":,}"}) {
    EXPECT_EQ(plainJson(text).find(','), text.find(',')) << text;
  }
  EXPECT_EQ(plainJson("[1 /* no end"), "[1 /* no end");
}

/// Text with @ before the place of its slip, and what is said of it.
struct Slip {
  std::string claim, text, message;
};

const Slip kSlips[] = {
    {"CommaMissing", "{\"a\": 1@\n \"b\": 2}", "a comma is missing here"},
    {"CommaMissingInAList", "[1@ 2]", "a comma is missing here"},
    {"CommaTooMany", "[1,@, 2]", "a value is missing before this ,"},
    {"CommaTooManyInAnObject", "{\"a\": 1,@, \"b\": 2}",
     "there is one comma too many: take this one out"},
    {"CommaAlone", "[@,]", "a value is missing before this ,"},
    {"ColonMissing", "{\"a\"@ 1}", "a colon is missing behind the key \"a\""},
    {"Equals", "{\"a\" @= 1}", "write : in place of ="},
    {"Semicolon", "{\"a\": 1@; \"b\": 2}", "write , in place of ;"},
    {"ValueMissing", "{\"a\": @}", "a value is missing before this }"},
    {"DecimalComma", R"({"mass": @-12,5})", "a number has a decimal point: write -12.5"},
    {"KeyWithoutQuotes", "{@mass: 1}", "a key needs quotes: write \"mass\""},
    {"KeyWithoutItsLastQuote", "{@\"mass: \"a\"}", "a quote is missing in the key \"mass: \""},
    {"KeyInSingleQuotes", "{@'mass': 1}", "text stands in double quotes: write \"mass\""},
    {"TextInSingleQuotes", "[@'box']", "text stands in double quotes: write \"box\""},
    {"TextWithoutQuotes", "[@box]", "text needs quotes: write \"box\""},
    {"TextWithoutItsLastQuote", "[@\"box\n]", "the quote that ends this text is missing"},
    {"TextWithAQuoteInIt", "[@\"a \"big\" box\"]",
     "a quote is missing in this text, or \\\" in place of \" in it"},
    {"LongText", "[@abcdefghijklmnopqrstuvwxyz]",
     "text needs quotes: write \"abcdefghijklmnopqrstuvwx…\""},
    {"NaN", "[@NaN]",
     "NaN and infinities are no numbers of JSON: write a number, or leave out the key"},
    {"MinusInfinity", "[-@Infinity]",
     "NaN and infinities are no numbers of JSON: write a number, or leave out the key"},
    {"True", "[@True]", "write true in small letters"},
    {"None", "[@None]", "leave out the key, or write null: JSON has no None"},
    {"PlusSign", "[@+1]", "a number has no sign +: take it out"},
    {"PointFirst", "[@.5]", "a number needs a digit here, such as 0.5 or -1"},
    {"PointLast", "[@5.]", "a number needs a digit behind its point: write 1.0"},
    {"ZeroFirst", "[@007]", "a number does not begin with 0: take the zero out"},
    {"ExponentWithoutDigits", "[@1e]", "a number needs a digit behind its e: write 1e3"},
    {"Unit", "[1@mm]", "a number has no unit and no letters: take \"mm\" out"},
    {"Fraction", "[@1/60]", "JSON does not compute: write the result"},
    {"Backslash", "[\"C:@\\dir\"]", "a text has no such escape: a backslash is written \\\\"},
    {"Tab", "[\"a@\tb\"]", "a text holds no control characters: a tab is written \\t"},
    {"ShellComment", "[1 @# one\n]", "a comment begins with //, or stands between /* and */"},
    {"CommentWithoutEnd", "{@/* one }",
     "the comment that begins here has no end: write */ behind it"},
    {"OtherBracket", "{\n\"a\": [1@}",
     "the [ of line 2, column 6 is still open: a ] is missing before this }"},
    {"OpenBracket", "{\n \"a\": {\"b\": 1}\n@",
     "the text ends too early: the { of line 1, column 1 is not closed"},
    {"ListWithKeys", "[\"a\"@: 1]", "a list has no keys: write { } in place of [ ]"},
    {"BracketTooMany", "{\"a\": 1}@}", "the text is complete before this: take it out"},
    {"BracketTooEarly", "{\"a\": 1}@, \"b\": 2}",
     "the text goes on after its last bracket: one bracket closes too early"},
    {"OtherLanguage", "@version: 1", "JSON begins with {: is this a file of another kind?"},
};

class JsonSlipTest : public testing::TestWithParam<Slip> {};

TEST_P(JsonSlipTest, IsFoundWithItsPlaceAndRemedy) {
  std::string text = GetParam().text;
  const std::size_t mark = text.find('@');
  text.erase(mark, 1);
  const std::optional<JsonSlip> slip = findJsonSlip(plainJson(text));
  ASSERT_TRUE(slip);
  EXPECT_EQ(slip->message, GetParam().message);
  EXPECT_EQ(slip->offset, mark);
}

INSTANTIATE_TEST_SUITE_P(Json, JsonSlipTest, testing::ValuesIn(kSlips),
                         [](const auto& test) { return test.param.claim; });

TEST(JsonSlip, GoodJson_HasNone) {
  for (const char* text :
       {"{}", "[]", " [1, -0.5e+3, 0, true, false, null, \"\\u00e9\\\"\\n\"] ",
        "{\"a\": {\"b\": []}, \"c\": [{}]}", "\xEF\xBB\xBF{}", "// c\n{\"a\": 1,}"}) {
    const std::optional<JsonSlip> slip = findJsonSlip(plainJson(text));
    EXPECT_FALSE(slip) << text << ": " << slip->message;
  }
}

TEST(JsonSlip, NestingBomb_IsRefused) {
  EXPECT_EQ(findJsonSlip(std::string(1'000'000, '['))->message, "brackets nest too deep");
}

}  // namespace
}  // namespace drystone
