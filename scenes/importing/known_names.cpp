#include "scenes/importing/known_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "core/wording.h"

namespace drystone::importing {
namespace {

std::vector<std::string> namesOf(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (end > 0) names.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return names;
}

bool holds(std::string_view list, std::string_view name) {
  const std::vector<std::string> names = namesOf(list);
  return std::ranges::find(names, name) != names.end();
}

bool isOfOthers(std::string_view name) {
  return name.find(':') != std::string_view::npos || name == "xmlns";
}

/// Neither is a piece of the other, as the names that others made of one are.
bool isMisspelt(std::string_view tag, const std::vector<std::string>& known) {
  return std::ranges::any_of(nearNames(tag, known), [&](const std::string& name) {
    return tag.find(name) == std::string_view::npos && name.find(tag) == std::string::npos;
  });
}

class NameCheck {
 public:
  explicit NameCheck(const KnownNames& names) : names_(names) {}

  void children(const XmlElement& parent) const {
    for (const XmlElement& child : parent.children()) {
      if (isOfOthers(child.tag())) continue;
      const KnownElement* known = find(parent.tag(), child.tag());
      if (known == nullptr) {
        unknownElement(parent, child);
      } else if (!known->isLeftOut) {
        attributes(child, *known);
        children(child);
      }
    }
  }

  void attributes(const XmlElement& element, const KnownElement& known) const {
    for (const auto& [name, value] : element.ownAttributes()) {
      if (isOfOthers(name) || holds(known.read, name) || holds(known.shared, name)) continue;
      if (holds(known.unused, name)) {
        element.log().leftOut(value.line, fmt::format("{} of <{}>", name, element.tag()));
        continue;
      }
      std::vector<std::string> all = namesOf(known.read);
      for (const std::string_view more : {known.shared, known.unused}) {
        std::ranges::move(namesOf(more), std::back_inserter(all));
      }
      element.log().problem(value.line, fmt::format("<{}> has no attribute \"{}\"; {}",
                                                    element.tag(), name, didYouMean(name, all)));
    }
  }

  const KnownElement* find(std::string_view parent, std::string_view tag) const {
    const auto found = std::ranges::find_if(names_.elements, [&](const KnownElement& one) {
      return one.tag == tag && (parent.empty() ? one.parents.empty() : holds(one.parents, parent));
    });
    return found == names_.elements.end() ? nullptr : &*found;
  }

 private:
  void unknownElement(const XmlElement& parent, const XmlElement& child) const {
    std::vector<std::string> known;
    for (const KnownElement& one : names_.elements) {
      if (holds(one.parents, parent.tag())) known.emplace_back(one.tag);
    }
    if (holds(names_.openTags, parent.tag()) && !isMisspelt(child.tag(), known)) return;
    child.problem(fmt::format("there is no <{}> in <{}>; {}", child.tag(), parent.tag(),
                              didYouMean(child.tag(), known)));
  }

  const KnownNames& names_;
};

}  // namespace

void checkNames(const XmlElement& root, const KnownNames& names) {
  const NameCheck check(names);
  if (const KnownElement* known = check.find("", root.tag())) check.attributes(root, *known);
  check.children(root);
}

}  // namespace drystone::importing
