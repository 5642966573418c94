"""Follows every link of a built site that leads to a file of its own: check_links.py BOOK. Ends with 1 where one is broken."""

import html.parser
import pathlib
import sys
import urllib.parse

book = pathlib.Path(sys.argv[1]).resolve()


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links = set(), []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.ids.add(value)
            if name in ("href", "src") and value and tag in ("a", "img", "link", "script"):
                self.links.append(value)


pages = {path: Page(path) for path in sorted(book.rglob("*.html")) if path.name not in ("404.html", "toc.html")}
followed, broken = 0, []
for path, page in pages.items():
    for link in page.links:
        parts = urllib.parse.urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        followed += 1
        target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
        if target.is_dir():
            target = target / "index.html"
        anchor = urllib.parse.unquote(parts.fragment)
        if not target.is_file():
            broken.append(f"{path.relative_to(book)}: {link}: no such file")
        elif anchor and target in pages and anchor not in pages[target].ids:
            broken.append(f"{path.relative_to(book)}: {link}: no such place")
print("\n".join(broken))
print(f"{len(pages)} pages, {followed} links followed, {len(broken)} broken")
sys.exit(1 if broken or len(pages) < 100 else 0)
