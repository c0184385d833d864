#include "scenes/reading/json_positions.h"

#include <gtest/gtest.h>

namespace drystone {
namespace {

/// Text from the place of a pointer's value on.
std::string_view valueAt(std::string_view text, const std::string& pointer) {
  const JsonScan scan = scanJson(text, {pointer});
  const auto found = scan.places.find(pointer);
  return found == scan.places.end() ? "(not found)" : text.substr(found->second.value);
}

TEST(JsonPositions, NestedListsAndObjects_EveryValueIsFound) {
  const std::string_view text = R"({"a": [[1, 2], [{"b": [30]}, "x"]], "c": {"d": true}})";
  EXPECT_TRUE(valueAt(text, "").starts_with("{\"a\""));
  EXPECT_TRUE(valueAt(text, "/a/0/1").starts_with("2]"));
  EXPECT_TRUE(valueAt(text, "/a/1/0/b/0").starts_with("30]"));
  EXPECT_TRUE(valueAt(text, "/a/1/1").starts_with("\"x\"]"));
  EXPECT_TRUE(valueAt(text, "/c/d").starts_with("true"));
  EXPECT_EQ(valueAt(text, "/c/e"), "(not found)");
}

TEST(JsonPositions, EmptyContainers_DoNotShiftWhatFollows) {
  const std::string_view text = "{\"a\": [], \"b\": {}, \"c\": [ ], \"d\": 7}";
  EXPECT_TRUE(valueAt(text, "/b").starts_with("{}"));
  EXPECT_TRUE(valueAt(text, "/d").starts_with("7"));
}

TEST(JsonPositions, BracketsQuotesAndBackslashesInStrings_AreText) {
  const std::string_view text = R"({"a": "]}\",{\\", "b": 5})";
  EXPECT_TRUE(valueAt(text, "/b").starts_with("5"));
}

TEST(JsonPositions, EscapedKeys_AreFoundByTheirMeaning) {
  // "\u0061" is "a", and a slash in a key is ~1 in a pointer, a tilde ~0.
  const std::string_view text = R"({"\u0061b": 1, "c/d~e": 2, "q\"r": 3})";
  EXPECT_TRUE(valueAt(text, "/ab").starts_with("1"));
  EXPECT_TRUE(valueAt(text, "/c~1d~0e").starts_with("2"));
  EXPECT_TRUE(valueAt(text, "/q\"r").starts_with("3"));
}

TEST(JsonPositions, KeyAndValue_HavePlacesOfTheirOwn) {
  const std::string_view text = "{\"key\":   4}";
  const JsonPlace place = scanJson(text, {"/key"}).places.at("/key");
  EXPECT_EQ(place.key, 1u);
  EXPECT_EQ(place.value, 10u);
}

TEST(JsonPositions, CommentsAndTrailingCommas_DoNotShiftWhatFollows) {
  const std::string_view text = "{\"a\": [1, /* 2, */ 3,], // \"b\": 4\n\"b\": 5,}";
  EXPECT_TRUE(valueAt(text, "/a/1").starts_with("3,]"));
  EXPECT_TRUE(valueAt(text, "/b").starts_with("5,}"));
}

TEST(JsonPositions, Columns_CountCharactersNotBytes) {
  // "ü" and "∞" take two and three bytes, and one column each.
  const std::string text = "[\"ü∞\", 1]";
  EXPECT_EQ(textPosition(text, text.find('1')), (TextPosition{1, 8}));
}

TEST(JsonPositions, LinesAndByteOrderMark_CountAsInAnEditor) {
  const std::string text = "\xEF\xBB\xBF{\r\n  \"a\": 1\n}";
  EXPECT_EQ(textPosition(text, 3), (TextPosition{1, 1}));
  EXPECT_EQ(textPosition(text, scanJson(text, {"/a"}).places.at("/a").value), (TextPosition{2, 8}));
  EXPECT_EQ(textPosition(text, 1000), (TextPosition{3, 2}));
}

TEST(JsonPositions, RepeatedKeys_AreReportedWithTheSecondPlace) {
  const std::string_view text = R"({"a": {"b": 1, "b": 2}, "c": 3, "\u0063": 4})";
  const std::vector<DuplicateKey> twice = scanJson(text, {}).duplicates;
  ASSERT_EQ(twice.size(), 2u);
  EXPECT_EQ(twice[0].pointer, "/a/b");
  EXPECT_EQ(twice[0].offset, text.find("\"b\": 2"));
  EXPECT_EQ(twice[1].pointer, "/c");
}

TEST(JsonPositions, DeepNesting_IsFoundInAnyText) {
  EXPECT_EQ(findDeepNesting("[[[1]]]", 3), std::nullopt);
  EXPECT_EQ(findDeepNesting("[[[[", 3), 3u);
  EXPECT_EQ(findDeepNesting("\"[[[[\"", 3), std::nullopt);
  EXPECT_EQ(findDeepNesting("\"\\\"[[[[\"", 3), std::nullopt);
}

}  // namespace
}  // namespace drystone
