#include "core/json_text.h"

#include <algorithm>

namespace drystone {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Offset behind the string that begins at a quote.
std::size_t stringEnd(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

/// Offset behind the comment that begins here; `at` itself where none does.
std::size_t commentEnd(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) return std::min(text.find_first_of("\r\n", at), text.size());
  if (!rest.starts_with("/*")) return at;
  const std::size_t end = text.find("*/", at + 2);
  return end == std::string_view::npos ? at : end + 2;
}

}  // namespace

TextPosition textPosition(std::string_view text, std::size_t offset) {
  std::string_view before = text.substr(0, std::min(offset, text.size()));
  if (before.starts_with(kByteOrderMark)) before.remove_prefix(kByteOrderMark.size());
  TextPosition position;
  for (const char byte : before) {
    if (byte == '\n') {
      ++position.line;
      position.column = 1;
    } else if ((static_cast<unsigned char>(byte) & 0xC0) != 0x80) {
      ++position.column;  // not a continuation byte of UTF-8
    }
  }
  return position;
}

std::string plainJson(std::string_view text) {
  std::string plain(text);
  std::size_t comma = std::string::npos;  // of a comma that only spaces and comments follow so far
  bool followsValue = false;              // else a comma is a slip of its own, and stays
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t end = commentEnd(text, at); end > at) {
      for (; at < end; ++at) {
        if (text[at] != '\n' && text[at] != '\r') plain[at] = ' ';
      }
      continue;
    }
    const char byte = text[at];
    if (std::string_view(" \t\r\n").find(byte) != std::string_view::npos) {
      ++at;
      continue;
    }
    if ((byte == '}' || byte == ']') && comma != std::string::npos) plain[comma] = ' ';
    comma = byte == ',' && followsValue ? at : std::string::npos;
    followsValue = std::string_view(",:[{").find(byte) == std::string_view::npos;
    at = byte == '"' ? stringEnd(text, at) : at + 1;
  }
  return plain;
}

}  // namespace drystone
