// Looks for the first slip in a text that a JSON parser refused, to say it in our own words.

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

#include "core/json_text.h"

namespace drystone {
namespace {

constexpr std::size_t kShown = 24;  ///< bytes of a word or text that a message repeats
constexpr int kMaxDepth = 1000;     ///< of brackets: each takes a frame of the stack

bool isWordByte(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return std::isalnum(value) != 0 || byte == '_' || byte == '$' || value >= 0x80;
}
bool isDigit(char byte) { return byte >= '0' && byte <= '9'; }

std::string quoted(std::string_view text) {
  std::size_t end = std::min(text.size(), kShown);
  // Characters of UTF-8 stay whole.
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end;
  return "\"" + std::string(text.substr(0, end)) + (end < text.size() ? "…" : "") + "\"";
}

/// Walks the text as a parser would, and stops at the first slip.
class SlipFinder {
 public:
  explicit SlipFinder(std::string_view text) : text_(text) {}

  std::optional<JsonSlip> find() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // byte order mark
    const bool isComplete = value();
    skipSpace();
    if (isComplete && !isAtEnd()) {
      const bool isOpened = peek() == '{' || peek() == '[' || peek() == '"' || peek() == ',';
      failUnexpected(
          at_, isOpened ? "the text goes on after its last bracket: one bracket closes too early"
                        : "the text is complete before this: take it out");
    }
    return slip_;
  }

 private:
  bool isAtEnd() const { return at_ >= text_.size(); }
  char peek() const { return isAtEnd() ? '\0' : text_[at_]; }
  bool startsWith(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  void skipSpace() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  std::string_view word() const {
    std::size_t end = at_;
    while (end < text_.size() && (isWordByte(text_[end]) || text_[end] == '-')) ++end;
    return text_.substr(at_, end - at_);
  }

  bool fail(std::size_t offset, std::string message) {
    slip_ = JsonSlip{offset, std::move(message)};
    return false;
  }

  /// Fails at a sign that stands in no JSON and is meant for a comment; else `otherwise`.
  bool failUnexpected(std::size_t offset, std::string otherwise) {
    if (startsWith("/*")) {
      return fail(at_, "the comment that begins here has no end: write */ behind it");
    }
    if (peek() == '#') return fail(at_, "a comment begins with //, or stands between /* and */");
    return fail(offset, std::move(otherwise));
  }

  bool failOpen(std::size_t open) {
    const TextPosition place = textPosition(text_, open);
    return fail(text_.size(), std::string("the text ends too early: the ") + text_[open] +
                                  " of line " + std::to_string(place.line) + ", column " +
                                  std::to_string(place.column) + " is not closed");
  }

  bool value() {
    skipSpace();
    const char byte = peek();
    if (isAtEnd()) return fail(at_, "the text ends too early: a value is missing");
    if (depth_ == 0 && byte != '{' && byte != '[' && byte != '"') {
      return fail(at_, "JSON begins with {: is this a file of another kind?");
    }
    if (byte == '{' || byte == '[') return items(byte == '{');
    if (byte == '"') return string();
    if (isDigit(byte) || byte == '-' || byte == '+' || byte == '.') return number();
    if (byte == '\'') return singleQuotes();
    if (isWordByte(byte)) return literal();
    if (byte == ',' || byte == '}' || byte == ']') {
      return fail(at_, std::string("a value is missing before this ") + byte);
    }
    return failUnexpected(at_, "a value is missing here");
  }

  bool singleQuotes() {
    const std::size_t end = std::min(text_.find_first_of("'\n", at_ + 1), text_.size());
    return fail(
        at_, "text stands in double quotes: write " + quoted(text_.substr(at_ + 1, end - at_ - 1)));
  }

  bool literal() {
    const std::string_view found = word();
    if (found == "true" || found == "false" || found == "null") {
      at_ += found.size();
      return true;
    }
    std::string lower(found);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
    if (lower == "nan" || lower == "inf" || lower == "infinity") return failNotFinite();
    if (lower == "true" || lower == "false" || lower == "null") {
      return fail(at_, "write " + lower + " in small letters");
    }
    if (lower == "none") return fail(at_, "leave out the key, or write null: JSON has no None");
    return fail(at_, "text needs quotes: write " + quoted(found));
  }

  bool failNotFinite() {
    return fail(at_,
                "NaN and infinities are no numbers of JSON: write a number, or leave out the key");
  }

  bool digits() {
    const std::size_t begin = at_;
    while (isDigit(peek())) ++at_;
    return at_ > begin;
  }

  bool number() {
    const std::size_t begin = at_;
    if (peek() == '+') return fail(begin, "a number has no sign +: take it out");
    if (peek() == '-') ++at_;
    if (isWordByte(peek()) && !isDigit(peek())) return literal();
    const bool startsWithZero = peek() == '0';
    const std::size_t first = at_;
    if (!digits()) return fail(begin, "a number needs a digit here, such as 0.5 or -1");
    if (startsWithZero && at_ > first + 1) {
      return fail(begin, "a number does not begin with 0: take the zero out");
    }
    if (peek() == '.') {
      ++at_;
      if (!digits()) return fail(begin, "a number needs a digit behind its point: write 1.0");
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      if (!digits()) return fail(begin, "a number needs a digit behind its e: write 1e3");
    }
    if (!isWordByte(peek())) return true;
    return fail(at_, "a number has no unit and no letters: take " + quoted(word()) + " out");
  }

  bool string() {
    const std::size_t begin = at_;
    for (++at_; !isAtEnd(); ++at_) {
      const char byte = text_[at_];
      if (byte == '"') {
        ++at_;
        return true;
      }
      if (byte == '\n' || byte == '\r') break;
      if (static_cast<unsigned char>(byte) < 0x20) {
        return fail(at_, "a text holds no control characters: a tab is written \\t");
      }
      if (byte == '\\' && !escape()) return false;
    }
    return fail(begin, "the quote that ends this text is missing");
  }

  /// Leaves the place at the last byte of the escape.
  bool escape() {
    const std::size_t begin = at_++;
    if (peek() == 'u') {
      const std::string_view code = text_.substr(at_ + 1, 4);
      at_ += code.size();
      const bool isCode = code.size() == 4 && std::ranges::all_of(code, [](unsigned char digit) {
                            return std::isxdigit(digit) != 0;
                          });
      return isCode || fail(begin, "\\u needs four hexadecimal digits");
    }
    if (std::string_view("\"\\/bfnrt").find(peek()) != std::string_view::npos && !isAtEnd()) {
      return true;
    }
    return fail(begin, "a text has no such escape: a backslash is written \\\\");
  }

  /// `2,5` before the place, which is behind its comma.
  bool failDecimalComma() {
    const std::size_t before = text_.find_last_not_of("0123456789", at_ - 2);
    const std::size_t end = std::min(text_.find_first_not_of("0123456789", at_), text_.size());
    const std::size_t begin = before + (text_[before] == '-' ? 0 : 1);
    return fail(begin, "a number has a decimal point: write " +
                           std::string(text_.substr(begin, at_ - 1 - begin)) + "." +
                           std::string(text_.substr(at_, end - at_)));
  }

  bool key() {
    if (peek() == '"') return string();
    if (isDigit(peek()) && text_[at_ - 1] == ',' && isDigit(text_[at_ - 2])) {
      return failDecimalComma();
    }
    if (peek() == '\'') return singleQuotes();
    if (isWordByte(peek())) return fail(at_, "a key needs quotes: write " + quoted(word()));
    if (peek() == ',') return fail(at_, "there is one comma too many: take this one out");
    return failUnexpected(at_, "a key in double quotes is missing here");
  }

  bool colon(std::size_t keyBegin) {
    const std::string_view name = text_.substr(keyBegin + 1, at_ - keyBegin - 2);
    const std::size_t end = at_;
    skipSpace();
    if (peek() == ':') {
      ++at_;
      return true;
    }
    if (peek() == '=') return fail(at_, "write : in place of =");
    if (name.find(':') != std::string_view::npos) {
      return fail(keyBegin, "a quote is missing in the key " + quoted(name));
    }
    return failUnexpected(end, "a colon is missing behind the key " + quoted(name));
  }

  /// Reads what separates two items. False with a slip, or with none at the closing bracket.
  bool separator(std::size_t open, std::size_t valueBegin, std::size_t valueEnd) {
    const char close = text_[open] == '{' ? '}' : ']';
    skipSpace();
    if (isAtEnd()) return failOpen(open);
    if (peek() == close) return false;
    if (peek() == ',') {
      ++at_;
      return true;
    }
    if (peek() == '}' || peek() == ']') return failBracket(open);
    if (peek() == ';') return fail(at_, "write , in place of ;");
    if (peek() == '/' || peek() == '*') {
      return failUnexpected(valueBegin, "JSON does not compute: write the result");
    }
    if (peek() == ':' && close == ']') {
      return fail(at_, "a list has no keys: write { } in place of [ ]");
    }
    const bool endedText = text_[valueEnd - 1] == '"';
    if (endedText && at_ == valueEnd && isWordByte(peek())) {
      return fail(valueBegin, "a quote is missing in this text, or \\\" in place of \" in it");
    }
    return failUnexpected(valueEnd, "a comma is missing here");
  }

  bool failBracket(std::size_t open) {
    const TextPosition place = textPosition(text_, open);
    const char close = text_[open] == '{' ? '}' : ']';
    return fail(at_, std::string("the ") + text_[open] + " of line " + std::to_string(place.line) +
                         ", column " + std::to_string(place.column) + " is still open: a " + close +
                         " is missing before this " + peek());
  }

  /// A list or an object.
  bool items(bool isObject) {
    if (++depth_ > kMaxDepth) return fail(at_, "brackets nest too deep");
    const std::size_t open = at_++;
    const char close = isObject ? '}' : ']';
    skipSpace();
    if (peek() == close) return closed();
    while (true) {
      skipSpace();
      if (isAtEnd()) return failOpen(open);
      if (isObject) {
        const std::size_t keyBegin = at_;
        if (!key() || !colon(keyBegin)) return false;
        skipSpace();
      }
      const std::size_t valueBegin = at_;
      if (!isObject && peek() == '}') return failBracket(open);
      if (!value()) return false;
      if (separator(open, valueBegin, at_)) continue;
      return !slip_ && closed();
    }
  }

  bool closed() {
    ++at_;
    --depth_;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::optional<JsonSlip> slip_;
};

}  // namespace

std::optional<JsonSlip> findJsonSlip(std::string_view plain) { return SlipFinder(plain).find(); }

}  // namespace drystone
