#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "viewer/exporting/number_text.h"

namespace drystone::viewer {

/// CRC-32 of ZIP and PNG (ISO 3309): reflected polynomial 0xEDB88320.
inline std::uint32_t crc32(std::string_view bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> of{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      of[i] = i;
      for (int bit = 0; bit < 8; ++bit) of[i] = of[i] >> 1 ^ (of[i] & 1 ? 0xEDB88320u : 0u);
    }
    return of;
  }();
  std::uint32_t crc = ~0u;
  for (const char c : bytes) crc = crc >> 8 ^ table[(crc ^ static_cast<unsigned char>(c)) & 255];
  return ~crc;
}

/// A ZIP archive of uncompressed entries. The same entries give the same bytes: all have the date
/// 1980-01-01. Offsets have 32 bits: the whole has to be smaller than 4 GiB.
class ZipStore {
 public:
  void add(std::string_view name, std::string_view content) {
    const auto offset = static_cast<std::uint32_t>(archive_.size());
    std::string fields;                       // that the entry and its line in the directory share
    appendNumber<std::uint16_t>(fields, 20);  // version of ZIP needed: 2.0
    appendNumber<std::uint16_t>(fields, 0);   // flags
    appendNumber<std::uint16_t>(fields, 0);   // stored
    appendNumber<std::uint16_t>(fields, 0);   // time
    appendNumber<std::uint16_t>(fields, 1 << 5 | 1);  // date: month and day
    appendNumber(fields, crc32(content));
    appendNumber(fields, static_cast<std::uint32_t>(content.size()));  // packed
    appendNumber(fields, static_cast<std::uint32_t>(content.size()));
    appendNumber(fields, static_cast<std::uint16_t>(name.size()));
    appendNumber<std::uint16_t>(fields, 0);  // extra fields
    archive_.append("PK\3\4").append(fields).append(name).append(content);

    directory_.append("PK\1\2");
    appendNumber<std::uint16_t>(directory_, 20);  // version of the writer
    directory_.append(fields).append(10, '\0');   // no comment, disk 0, no attributes
    appendNumber(directory_, offset);
    directory_.append(name);
    ++entries_;
  }

  /// The archive; the store is empty afterwards.
  std::string finish() {
    const auto start = static_cast<std::uint32_t>(archive_.size());
    archive_.append(directory_).append("PK\5\6").append(4, '\0');  // disk 0
    appendNumber(archive_, entries_);                              // on this disk
    appendNumber(archive_, entries_);
    appendNumber(archive_, static_cast<std::uint32_t>(directory_.size()));
    appendNumber(archive_, start);
    archive_.append(2, '\0');  // no comment
    std::string out = std::move(archive_);
    *this = {};
    return out;
  }

 private:
  std::string archive_, directory_;
  std::uint16_t entries_ = 0;
};

}  // namespace drystone::viewer
