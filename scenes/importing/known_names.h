#pragma once

#include <span>
#include <string_view>

#include "scenes/importing/xml_element.h"

namespace drystone::importing {

/// An element that a format has within certain others. Lists of names are separated by blanks.
struct KnownElement {
  std::string_view parents;  ///< tags
  std::string_view tag;
  std::string_view read = "";    ///< attributes that the import looks at
  std::string_view unused = "";  ///< attributes that no scene has a place for
  std::string_view shared = "";  ///< read too, as of several elements
  /// The import leaves it out with all that is in it, whatever that is.
  bool isLeftOut = false;
};

/// The names of a format.
struct KnownNames {
  std::span<const KnownElement> elements;
  /// Tags that may hold elements of other programs: there only what looks misspelt is a problem.
  std::string_view openTags = "";
};

/// Looks at the names of all that is in an element. One that the format does not have is a problem,
/// with the name that was meant; attributes without a place in a scene are left out. Names with a
/// colon belong to others.
void checkNames(const XmlElement& root, const KnownNames& names);

}  // namespace drystone::importing
