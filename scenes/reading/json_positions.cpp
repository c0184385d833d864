#include "scenes/reading/json_positions.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/check.h"

namespace drystone {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Recursive descent over accepted JSON: no token needs checking, only finding.
class Scanner {
 public:
  Scanner(std::string_view text, const std::set<std::string, std::less<>>& wanted)
      : text_(text), wanted_(wanted) {
    if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  }

  JsonScan run() {
    skipSpace();
    value(at_);
    return std::move(scan_);
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skipSpace() {
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }

  /// Moves past a string and returns it with its quotes.
  std::string_view rawString() {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    ++at_;
    return text_.substr(begin, at_ - begin);
  }

  static std::string decode(std::string_view raw) {
    if (raw.find('\\') == std::string_view::npos) return std::string(raw.substr(1, raw.size() - 2));
    return nlohmann::json::parse(raw).get<std::string>();
  }

  void value(std::size_t keyOffset) {
    if (wanted_.contains(pointer_)) scan_.places.insert({pointer_, {at_, keyOffset}});
    switch (peek()) {
      case '{':
        object();
        break;
      case '[':
        array();
        break;
      case '"':
        rawString();
        break;
      default:
        while (at_ < text_.size() &&
               std::string_view(",]} \t\r\n").find(text_[at_]) == std::string_view::npos)
          ++at_;
    }
  }

  /// One member or element: extends the pointer for the time of the call.
  void child(std::string_view token, std::size_t keyOffset) {
    const std::size_t length = pointer_.size();
    pointer_ += '/';
    pointer_ += escapePointerToken(token);
    value(keyOffset);
    pointer_.resize(length);
  }

  void object() {
    std::set<std::string> keys;
    forEachItem('}', [&] {
      const std::size_t keyOffset = at_;
      const std::string key = decode(rawString());
      if (!keys.insert(key).second) {
        scan_.duplicates.push_back({pointer_ + "/" + escapePointerToken(key), keyOffset});
      }
      skipSpace();
      ++at_;  // the colon
      skipSpace();
      child(key, keyOffset);
    });
  }

  void array() {
    int index = 0;
    forEachItem(']', [&] { child(std::to_string(index++), at_); });
  }

  template <class Item>
  void forEachItem(char close, Item&& item) {
    ++at_;
    for (skipSpace(); at_ < text_.size() && peek() != close; skipSpace()) {
      item();
      skipSpace();
      if (peek() == ',') ++at_;
    }
    ++at_;
  }

  std::string_view text_;
  const std::set<std::string, std::less<>>& wanted_;
  std::size_t at_ = 0;
  std::string pointer_;
  JsonScan scan_;
};

}  // namespace

std::optional<std::size_t> findDeepNesting(std::string_view text, int limit) {
  int depth = 0;
  bool inString = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char byte = text[at];
    if (inString) {
      if (byte == '\\') ++at;
      inString = byte != '"';
    } else if (byte == '"') {
      inString = true;
    } else if (byte == '{' || byte == '[') {
      if (++depth > limit) return at;
    } else if (byte == '}' || byte == ']') {
      --depth;
    }
  }
  return std::nullopt;
}

JsonScan scanJson(std::string_view text, const std::set<std::string, std::less<>>& wanted) {
  const std::string plain = plainJson(text);
  return Scanner(plain, wanted).run();
}

std::string escapePointerToken(std::string_view token) {
  std::string escaped;
  for (const char c : token) {
    if (c == '~') {
      escaped += "~0";
    } else if (c == '/') {
      escaped += "~1";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace drystone
