// The only file that knows the XML library.
#include "scenes/importing/xml_element.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/input_error.h"

namespace drystone::importing {
namespace {

/// Scenes take no larger numbers.
constexpr Real kLargestNumber = 1e15;

std::string_view remedyOf(tinyxml2::XMLError error) {
  switch (error) {
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "the file holds no XML; give a URDF or MJCF file";
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "a tag is closed that was not opened, or the other way round; close each with its own "
             "name";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute is broken; write name=\"value\"";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements nest too deep";
    default:
      return "the XML is broken here; close the tag, quote or comment";
  }
}

}  // namespace

std::optional<std::vector<Real>> parseReals(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  std::vector<Real> numbers;
  for (;;) {
    const std::size_t begin = text.find_first_not_of(kBlank);
    if (begin == std::string_view::npos) return numbers;
    text.remove_prefix(begin);
    if (text.starts_with('+')) text.remove_prefix(1);
    Real number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || !(std::abs(number) <= kLargestNumber)) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.empty() && kBlank.find(text.front()) == std::string_view::npos) return std::nullopt;
    numbers.push_back(number);
  }
}

std::string_view XmlElement::tag() const { return element_->Name(); }
int XmlElement::line() const { return file_->linesBefore_ + element_->GetLineNum(); }
ImportLog& XmlElement::log() const { return *file_->log_; }

std::vector<XmlElement> XmlElement::children(std::string_view tag) const {
  std::vector<XmlElement> found;
  for (const auto* at = element_->FirstChildElement(); at != nullptr;
       at = at->NextSiblingElement()) {
    if (const auto other = file_->included_.find(at); other != file_->included_.end()) {
      std::ranges::move(other->second->root().children(tag), std::back_inserter(found));
    } else if (tag.empty() || tag == at->Name()) {
      found.emplace_back(*at, *file_);
    }
  }
  return found;
}

std::optional<XmlElement> XmlElement::child(std::string_view tag) const {
  const std::vector<XmlElement> found = children(tag);
  if (found.empty()) return std::nullopt;
  if (found.size() > 1) {
    found[1].problem(fmt::format("<{}> has a second <{}>; remove one of them", this->tag(), tag));
  }
  return found.front();
}

std::string XmlElement::content() const {
  const char* text = element_->GetText();
  return text == nullptr ? "" : text;
}

std::optional<XmlAttribute> XmlElement::attribute(std::string_view name) const {
  const auto* own = element_->FindAttribute(std::string(name).c_str());
  if (own != nullptr) return XmlAttribute{own->Value(), file_->linesBefore_ + own->GetLineNum()};
  if (defaults_ != nullptr) {
    if (const auto found = defaults_->find(name); found != defaults_->end()) return found->second;
  }
  return std::nullopt;
}

XmlDefaults XmlElement::ownAttributes() const {
  XmlDefaults all;
  for (const auto* at = element_->FirstAttribute(); at != nullptr; at = at->Next()) {
    all[at->Name()] = {at->Value(), file_->linesBefore_ + at->GetLineNum()};
  }
  return all;
}

std::string XmlElement::text(std::string_view name, std::string_view otherwise) const {
  const auto found = attribute(name);
  return found ? found->text : std::string(otherwise);
}

std::string XmlElement::requiredText(std::string_view name) const {
  std::string found = text(name);
  if (found.empty()) problem(fmt::format("<{}> needs the attribute \"{}\"", tag(), name));
  return found;
}

std::optional<std::vector<Real>> XmlElement::reals(std::string_view name, std::size_t least,
                                                   std::size_t most) const {
  const auto found = attribute(name);
  if (!found) return std::nullopt;
  auto numbers = parseReals(found->text);
  if (numbers && numbers->size() >= least && numbers->size() <= most) return numbers;
  const std::string wanted = most == 1       ? "a finite number"
                             : least == most ? fmt::format("{} finite numbers", least)
                                             : fmt::format("{} to {} finite numbers", least, most);
  log().problem(found->line, fmt::format("{} of <{}> must be {} (at most {:g}), got \"{}\"", name,
                                         tag(), wanted, kLargestNumber, found->text));
  return std::nullopt;
}

Real XmlElement::real(std::string_view name, Real otherwise) const {
  const auto number = reals(name, 1, 1);
  return number ? number->front() : otherwise;
}

Real XmlElement::notNegative(std::string_view name, Real otherwise) const {
  const Real number = real(name, otherwise);
  if (number >= 0) return number;
  log().problem(attribute(name)->line,
                fmt::format("{} of <{}> must be ≥ 0, got {:g}", name, tag(), number));
  return otherwise;
}

Vec3 XmlElement::vector(std::string_view name, const Vec3& otherwise) const {
  const auto numbers = reals(name, 3, 3);
  return numbers ? Vec3((*numbers)[0], (*numbers)[1], (*numbers)[2]) : otherwise;
}

Vec3 XmlElement::angles(std::string_view name) const {
  const Vec3 angles = vector(name, Vec3::Zero());
  constexpr Real kWholeTurn = 6.3;  // [rad], with room for the rounding of 2 pi
  if (const Real largest = angles.cwiseAbs().maxCoeff(); largest > kWholeTurn) {
    log().note(
        attribute(name)->line,
        fmt::format("{} of <{}> is in radians, and {:g} is more than a whole turn; 90 degrees "
                    "are 1.5708",
                    name, tag(), largest));
  }
  return angles;
}

std::optional<Real> XmlElement::required(std::string_view name) const {
  if (requiredText(name).empty()) return std::nullopt;
  const auto number = reals(name, 1, 1);
  return number ? std::optional(number->front()) : std::nullopt;
}

bool XmlElement::flag(std::string_view name, bool otherwise) const {
  const auto found = attribute(name);
  if (!found || found->text == "true" || found->text == "false") {
    return found ? found->text == "true" : otherwise;
  }
  log().problem(found->line, fmt::format("{} of <{}> must be true or false, got \"{}\"", name,
                                         tag(), found->text));
  return otherwise;
}

XmlFile::XmlFile(std::string_view text, std::string label, ImportLog& log)
    : document_(std::make_unique<tinyxml2::XMLDocument>()),
      log_(&log),
      linesBefore_(log.addFile(std::move(label), text)) {
  const tinyxml2::XMLError error = document_->Parse(text.data(), text.size());
  if (error != tinyxml2::XML_SUCCESS || document_->RootElement() == nullptr) {
    const tinyxml2::XMLError what =
        error == tinyxml2::XML_SUCCESS ? tinyxml2::XML_ERROR_EMPTY_DOCUMENT : error;
    const int line = linesBefore_ + std::max(1, document_->ErrorLineNum());
    throw InputError(fmt::format("{}: {}", log.place(line), remedyOf(what)));
  }
}

XmlFile::~XmlFile() = default;
XmlElement XmlFile::root() const { return {*document_->RootElement(), *this}; }

XmlFile& XmlFile::include(const XmlElement& place, std::string_view text, std::string label) {
  auto file = std::make_unique<XmlFile>(text, std::move(label), *log_);
  return *(included_[place.element_] = std::move(file));
}

}  // namespace drystone::importing
