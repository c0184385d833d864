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

class XmlFile;

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
/// long as its file, the log and the defaults are.
class XmlElement {
 public:
  XmlElement(const tinyxml2::XMLElement& element, const XmlFile& file,
             const XmlDefaults* defaults = nullptr)
      : element_(&element), file_(&file), defaults_(defaults) {}
  /// The same element with other defaults.
  XmlElement with(const XmlDefaults& defaults) const { return {*element_, *file_, &defaults}; }

  std::string_view tag() const;
  /// Its line, as the log counts them.
  int line() const;
  ImportLog& log() const;
  void problem(std::string_view what) const { log().problem(line(), what); }
  void leftOut(std::string_view what) const { log().leftOut(line(), what); }

  /// Those of a file that was put in the place of a child are among them.
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
  /// Three angles [rad], 0 where they are missing. One beyond a whole turn, which is one in degrees
  /// mostly, is noted.
  Vec3 angles(std::string_view name) const;
  /// A number that must be there; none after a problem.
  std::optional<Real> required(std::string_view name) const;
  /// `true` or `false`.
  bool flag(std::string_view name, bool otherwise) const;

 private:
  friend class XmlFile;
  const tinyxml2::XMLElement* element_;
  const XmlFile* file_;
  const XmlDefaults* defaults_;
};

/// An XML file in memory, and what it includes.
class XmlFile {
 public:
  /// `label` stands for the file in messages. Throws InputError with file, line and remedy where
  /// the text is no XML.
  XmlFile(std::string_view text, std::string label, ImportLog& log);
  ~XmlFile();
  XmlFile(const XmlFile&) = delete;
  XmlFile& operator=(const XmlFile&) = delete;

  XmlElement root() const;
  /// Puts the children of another file's root into the place of an element of this file, which
  /// then is no child of its parent any more. Throws as above.
  XmlFile& include(const XmlElement& place, std::string_view text, std::string label);

 private:
  friend class XmlElement;
  std::unique_ptr<tinyxml2::XMLDocument> document_;
  ImportLog* log_;
  int linesBefore_;
  std::map<const tinyxml2::XMLElement*, std::unique_ptr<XmlFile>> included_;  ///< by place
};

}  // namespace drystone::importing
