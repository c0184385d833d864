#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"
#include "scenes/importing/import_log.h"

namespace tinyxml2 {
class XMLDocument;
class XMLElement;
}  // namespace tinyxml2

namespace drystone::importing {

/// The text of an attribute, and where it stands.
struct XmlAttribute {
  std::string text;
  int line = 0;
};
/// Attributes by name, which stand for those that an element lacks.
using XmlDefaults = std::map<std::string, XmlAttribute, std::less<>>;

/// The numbers of a text, separated by blanks. None where one of them is no finite number.
std::optional<std::vector<Real>> parseReals(std::string_view text);

/// An element of an XML file. What is wrong with its attributes goes to the log. It is valid as
/// long as its document, the log and the defaults are.
class XmlElement {
 public:
  XmlElement(const tinyxml2::XMLElement& element, ImportLog& log,
             const XmlDefaults* defaults = nullptr)
      : element_(&element), log_(&log), defaults_(defaults) {}
  /// The same element with other defaults.
  XmlElement with(const XmlDefaults& defaults) const { return {*element_, *log_, &defaults}; }

  std::string_view tag() const;
  int line() const;
  ImportLog& log() const { return *log_; }
  void problem(std::string_view what) const { log_->problem(line(), what); }
  void leftOut(std::string_view what) const { log_->leftOut(line(), what); }

  std::vector<XmlElement> children(std::string_view tag = "") const;
  std::optional<XmlElement> child(std::string_view tag) const;
  /// Text between the tags.
  std::string content() const;

  /// Its own attribute, or that of the defaults.
  std::optional<XmlAttribute> attribute(std::string_view name) const;
  /// Its own attributes, without the defaults.
  XmlDefaults ownAttributes() const;
  bool has(std::string_view name) const { return attribute(name).has_value(); }
  std::string text(std::string_view name, std::string_view otherwise = "") const;
  /// The text of an attribute that must be there and not empty; "" after a problem.
  std::string requiredText(std::string_view name) const;
  /// Numbers of an attribute; none where it is missing, or after a problem.
  std::optional<std::vector<Real>> reals(std::string_view name, std::size_t least,
                                         std::size_t most) const;
  Real real(std::string_view name, Real otherwise) const;
  /// A number ≥ 0.
  Real notNegative(std::string_view name, Real otherwise) const;
  Vec3 vector(std::string_view name, const Vec3& otherwise) const;
  /// A number that must be there; none after a problem.
  std::optional<Real> required(std::string_view name) const;
  /// `true` or `false`.
  bool flag(std::string_view name, bool otherwise) const;

 private:
  const tinyxml2::XMLElement* element_;
  ImportLog* log_;
  const XmlDefaults* defaults_;
};

/// An XML file in memory.
class XmlFile {
 public:
  /// Throws InputError with file, line and remedy where the text is no XML.
  XmlFile(std::string_view text, ImportLog& log);
  ~XmlFile();
  XmlFile(const XmlFile&) = delete;
  XmlFile& operator=(const XmlFile&) = delete;

  XmlElement root() const;

 private:
  std::unique_ptr<tinyxml2::XMLDocument> document_;
  ImportLog* log_;
};

}  // namespace drystone::importing
