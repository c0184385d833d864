#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/input_error.h"
#include "viewer/exporting/data_files.h"
#include "viewer/exporting/number_text.h"
#include "viewer/exporting/quantities.h"
#include "viewer/exporting/zip_store.h"

namespace drystone::viewer {
namespace {

/// Offsets in a ZIP file have 32 bits; what is left is for its headers.
constexpr std::size_t kLargestArrays = 4'000'000'000;  // [bytes]

struct NpyArray {
  std::string name;
  std::string type;  ///< as numpy writes it
  std::string shape;
  std::string bytes;
};

constexpr const char *kNpyReals = "<f8", *kNpyIndices = "<i8";

/// NPY 1.0: the magic, the length of a Python dict, and the dict, padded so that numbers begin at a
/// multiple of 64 bytes.
std::string npyFile(const NpyArray& array) {
  std::string dict = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                                 array.type, array.shape);
  constexpr std::size_t kBefore = 10, kAlignment = 64;
  const std::size_t end = kBefore + dict.size() + 1;
  dict.append((kAlignment - end % kAlignment) % kAlignment, ' ').append("\n");
  std::string file("\x93NUMPY\1\0", 8);
  appendNumber(file, static_cast<std::uint16_t>(dict.size()));
  return file.append(dict).append(array.bytes);
}

/// Code points of UTF-8; of bytes that are none, the replacement character.
std::u32string codePoints(const std::string& text) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i++]);
    const int more = first < 0x80 ? 0 : first >> 5 == 6 ? 1 : first >> 4 == 14 ? 2 : 3;
    char32_t point = more == 0 ? first : first & (0x3F >> more);
    bool isWrong = first >> 6 == 2 || first >= 0xF8;
    for (int k = 0; k < more && !isWrong; ++k) {
      isWrong = i >= text.size() || (text[i] & 0xC0) != 0x80;
      if (!isWrong) point = point << 6 | (text[i++] & 0x3F);
    }
    out += isWrong || point > 0x10FFFF ? U'\uFFFD' : point;
  }
  return out;
}

/// Texts of one length, the longest one's, filled up with zeros.
template <class Named>
NpyArray nameArray(const char* array, const std::vector<Named>& list) {
  std::vector<std::u32string> names;
  std::size_t longest = 1;  // numpy has no texts without length
  for (const Named& one : list) {
    names.push_back(codePoints(one.name));
    longest = std::max(longest, names.back().size());
  }
  NpyArray made{array, fmt::format("<U{}", longest), fmt::format("{},", list.size()), {}};
  for (std::u32string& name : names) {
    name.resize(longest);
    for (const char32_t point : name) appendNumber(made.bytes, static_cast<std::uint32_t>(point));
  }
  return made;
}

/// The arrays of a list of quantities, which grow record by record.
template <class Record>
class QuantityArrays {
 public:
  explicit QuantityArrays(const std::vector<Quantity<Record>>& quantities)
      : quantities_(quantities), bytes_(quantities.size()) {}

  void add(const Record& record) {
    for (std::size_t i = 0; i < quantities_.size(); ++i) {
      std::array<Real, kMostParts> numbers;
      quantities_[i].put(record, numbers.data());
      for (std::size_t k = 0; k < quantities_[i].width(); ++k) {
        appendNumber(bytes_[i], numbers[k]);
      }
    }
  }
  std::size_t size() const {
    std::size_t sum = 0;
    for (const std::string& one : bytes_) sum += one.size();
    return sum;
  }
  /// `rows`: shape of the arrays of one number each.
  void moveInto(const std::string& prefix, const std::string& rows, std::vector<NpyArray>& out) {
    for (std::size_t i = 0; i < quantities_.size(); ++i) {
      const Quantity<Record>& one = quantities_[i];
      const std::string shape =
          one.parts.empty() ? rows + "," : fmt::format("{}, {}", rows, one.width());
      out.push_back({prefix + one.name, kNpyReals, shape, std::move(bytes_[i])});
    }
  }

 private:
  const std::vector<Quantity<Record>>& quantities_;
  std::vector<std::string> bytes_;
};

}  // namespace

std::string npzFile(const ExportedRun& run, const std::vector<std::int64_t>& frames) {
  QuantityArrays bodies(bodyQuantities());
  QuantityArrays contacts(contactQuantities());
  QuantityArrays plates(plateQuantities());
  std::string steps, times, starts, bodyA, bodyB, timestep, innerStep;
  std::int64_t count = 0;
  appendNumber(starts, count);
  auto index = frames.begin();  // of the frame that is visited
  visitFrames(run, frames, [&](const WorldSnapshot& frame) {
    appendNumber(steps, frame.step);
    appendNumber(times, frame.time);
    for (const BodySnapshot& body : frame.bodies) bodies.add(body);
    for (const ContactSnapshot& contact : frame.contacts) {
      appendNumber<std::int64_t>(bodyA, bodyIndex(*run.scene, contact.bodyA));
      appendNumber<std::int64_t>(bodyB, bodyIndex(*run.scene, contact.bodyB));
      contacts.add(contact);
    }
    appendNumber(starts, count += std::ssize(frame.contacts));
    for (const auto& one : run.recording.plateReadings(*index++))
      plates.add(one.value_or(missingPlateReading()));
    if (bodies.size() + contacts.size() + plates.size() + bodyA.size() + bodyB.size() >
        kLargestArrays) {
      throw InputError(
          "the arrays have more than the 4 GB that an NPZ file holds: shorten them by --from and "
          "--to, or take a smaller --fps");
    }
  });
  appendNumber(timestep, run.scene->timestep);
  appendNumber(innerStep, run.innerStep);
  const std::string frameCount = std::to_string(frames.size()),
                    contactCount = std::to_string(count);
  std::vector<NpyArray> arrays = {
      {"timestep", kNpyReals, "", std::move(timestep)},
      {"inner_step", kNpyReals, "", std::move(innerStep)},
      {"step", kNpyIndices, frameCount + ",", std::move(steps)},
      {"time", kNpyReals, frameCount + ",", std::move(times)},
      nameArray("body_name", run.recording.bodies()),
  };
  bodies.moveInto("body_", fmt::format("{}, {}", frameCount, run.recording.bodies().size()),
                  arrays);
  arrays.push_back(
      {"contact_start", kNpyIndices, std::to_string(frames.size() + 1) + ",", std::move(starts)});
  arrays.push_back({"contact_body_a", kNpyIndices, contactCount + ",", std::move(bodyA)});
  arrays.push_back({"contact_body_b", kNpyIndices, contactCount + ",", std::move(bodyB)});
  contacts.moveInto("contact_", contactCount, arrays);
  if (const auto& list = run.recording.forcePlates(); !list.empty()) {
    arrays.push_back(nameArray("plate_name", list));
    plates.moveInto("plate_", fmt::format("{}, {}", frameCount, list.size()), arrays);
  }
  ZipStore archive;
  for (const NpyArray& array : arrays) archive.add(array.name + ".npy", npyFile(array));
  return archive.finish();
}

}  // namespace drystone::viewer
