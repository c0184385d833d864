#include "viewer/window/key_queue.h"

#include <gtest/gtest.h>

#include <cctype>
#include <string>

namespace drystone::viewer {
namespace {

using Kind = KeyEvent::Kind;

/// Upper case presses, lower case releases, a digit is text; ^ and v are Ctrl down and up.
KeyQueue queueOf(const std::string& events) {
  KeyQueue queue;
  for (const char c : events) {
    KeyEvent event{.key = std::toupper(c)};
    if (c == '^' || c == 'v') {
      event.kind = c == '^' ? Kind::kPress : Kind::kRelease;
      event.key = '^';
      event.isModifier = true;
    } else if (c >= '0' && c <= '9') {
      event.kind = Kind::kText;
    } else {
      event.kind = c <= 'Z' ? Kind::kPress : Kind::kRelease;
    }
    queue.push(event);
  }
  return queue;
}

std::string pictureOf(KeyQueue& queue) {
  std::string seen;
  queue.forward([&](const KeyEvent& event) {
    const bool isUp = event.kind == Kind::kRelease;
    if (event.isModifier) {
      seen += isUp ? 'v' : '^';
    } else {
      seen += static_cast<char>(isUp ? std::tolower(event.key) : event.key);
    }
  });
  return seen;
}

TEST(KeyQueue, KeyPressedAndReleasedBetweenTwoPictures_IsSeenPressed) {
  KeyQueue queue = queueOf("Ee");
  EXPECT_EQ(pictureOf(queue), "E");
  EXPECT_EQ(pictureOf(queue), "e");
  EXPECT_EQ(pictureOf(queue), "");
}

TEST(KeyQueue, KeyPressedTwice_IsSeenTwice) {
  KeyQueue queue = queueOf("EeEe");
  // Were it up and down again in one picture, that would see it down as before.
  for (const char* picture : {"E", "e", "E", "e", ""}) EXPECT_EQ(pictureOf(queue), picture);
}

TEST(KeyQueue, TextOfManyLetters_NeedsOnePicture) {
  KeyQueue queue = queueOf("A1aB2bA1aC3c");
  EXPECT_EQ(pictureOf(queue), "A1aB2bA1aC3c");
}

// The interface takes the text of a picture before its keys: what is typed after Backspace comes
// with the next one.
TEST(KeyQueue, TextAfterAKey_WaitsForTheNextPicture) {
  KeyQueue queue = queueOf("A1aXxB2b");
  EXPECT_EQ(pictureOf(queue), "A1aX");
  EXPECT_EQ(pictureOf(queue), "xB2b");
}

TEST(KeyQueue, KeyWithCtrl_IsSeenWithIt) {
  KeyQueue queue = queueOf("^Xxv");
  EXPECT_EQ(pictureOf(queue), "^X");
  EXPECT_EQ(pictureOf(queue), "xv");
}

}  // namespace
}  // namespace drystone::viewer
