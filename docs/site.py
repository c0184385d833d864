"""Two helpers of scripts/site.

    site.py lists FOLDER      changes the lists of all pages from GitHub's rules to those of Python-Markdown
    site.py links FOLDER      fails where a link of the built pages leads nowhere, heading included

Python-Markdown wants an empty line before a list, and four blanks for each level within it.
"""

import html.parser
import re
import sys
import urllib.parse
from pathlib import Path

ITEM = re.compile(r"( *)([-*]|\d+\.)( +)\S")


def with_lists_of_python(text):
    out = []
    levels = []  # of each list around the line: the column at which its text begins
    in_fence = False
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        item = None if in_fence else ITEM.match(line)
        if line.strip() and not in_fence:
            while levels and indent < levels[-1] and (item or not out[-1].strip()):
                levels.pop()
        if item and indent < 4 * (len(levels) + 1):
            if not levels and out and out[-1].strip():
                out.append("")
            out.append("    " * len(levels) + line[indent:])
            levels.append(item.end() - 1)
        elif levels and indent >= levels[-1]:
            out.append("    " * len(levels) + line[levels[-1]:])
        else:
            out.append(line)
        if line.lstrip().startswith("```"):
            in_fence = not in_fence
    return "\n".join(out)


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links = set(), set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key in ("id", "name"):
                self.ids.add(value)
            elif key in ("href", "src") and value:
                self.links.add(value)


def dead_links(root):
    """Of the pages; the reference is made by one program, and 404.html has paths of a server."""
    def is_page(path):
        return path.parent.name != "reference" and path.name != "404.html"

    pages = {path: Page(path) for path in root.rglob("*.html") if is_page(path)}
    for path, page in sorted(pages.items()):
        for link in sorted(page.links):
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            name = urllib.parse.unquote(parts.path)
            target = (path.parent / name).resolve() if name else path
            has_heading = not parts.fragment or target not in pages or parts.fragment in pages[target].ids
            if not (target.exists() and has_heading):
                yield f"{path.relative_to(root)}: nothing is at {link}"


what, folder = sys.argv[1], Path(sys.argv[2]).resolve()
if what == "lists":
    for page in folder.rglob("*.md"):
        page.write_text(with_lists_of_python(page.read_text()))
elif what == "links":
    sys.exit("\n".join(dead_links(folder)) or 0)
else:
    sys.exit(f"site.py: {what} is neither lists nor links")
