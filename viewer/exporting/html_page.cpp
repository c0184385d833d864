#include "viewer/exporting/html_page.h"

#include <stdexcept>
#include <string_view>

namespace drystone::viewer {
namespace {

std::string_view pageText(std::string_view name) {
  for (const PageText* one = kPageTexts; one->name != nullptr; ++one) {
    if (one->name == name) return one->text;
  }
  throw std::logic_error("no text " + std::string(name));
}

/// `text` with every `from` as `to`.
std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  std::size_t begin = 0;
  for (std::size_t at; (at = text.find(from, begin)) != std::string_view::npos;) {
    out.append(text, begin, at - begin).append(to);
    begin = at + from.size();
  }
  return out.append(text, begin);
}

std::string escaped(std::string_view text) {
  return replaced(replaced(replaced(text, "&", "&amp;"), "<", "&lt;"), ">", "&gt;");
}

}  // namespace

std::string htmlPage(const ExportedRun& run, const std::vector<std::int64_t>& frames) {
  std::string scripts;
  for (const char* name :
       {"recording.js", "camera.js", "shaders.js", "renderer.js", "plots.js", "player.js"}) {
    scripts.append(pageText(name)).append("\n");
  }
  // A name in the data could end its element: of what follows "<" nothing may be a tag.
  const std::string data = replaced(pageData(run, frames), "<", "\\u003c");
  // The data last, so that no placeholder in it is taken for one of the page.
  std::string page = replaced(pageText("page.html"), "{{style}}", pageText("page.css"));
  page = replaced(page, "{{scripts}}", scripts);
  const std::size_t at = page.find("{{data}}");
  if (at == std::string::npos) throw std::logic_error("the page has no place for its data");
  std::string head = replaced(page.substr(0, at), "{{name}}", escaped(run.scene->name));
  return head + data + page.substr(at + std::string_view("{{data}}").size());
}

}  // namespace drystone::viewer
