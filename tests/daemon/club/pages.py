"""What is on a page: its tables, cell by cell."""

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class PageTable:
    """A table: its caption, the heads of its columns, its rows. All texts as they are shown."""

    caption: str = ""
    heads: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)

    def by_number(self) -> dict[str, list[str]]:
        """The rows by what is in the column "No."."""
        at = self.heads.index("No.")
        return {row[at]: row for row in self.rows}


class Page(HTMLParser):
    """A page: elements, attributes, texts and tables."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.tables: list[PageTable] = []
        self._open: list[str] = []
        self._in_head = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element."""
        self.tags.append(tag)
        self.attributes += attrs
        if tag == "table":
            self.tables.append(PageTable())
        elif tag in {"thead", "tbody"}:
            self._in_head = tag == "thead"
        elif tag == "tr" and not self._in_head:
            self.tables[-1].rows.append([])
        elif tag in {"th", "td"}:
            self._cells().append("")
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """End it."""
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        """A text, of the cell or caption that it is in."""
        self.texts.append(data)
        if "th" in self._open or "td" in self._open:
            self._cells()[-1] += data
        elif "caption" in self._open:
            self.tables[-1].caption += data

    def _cells(self) -> list[str]:
        return self.tables[-1].heads if self._in_head else self.tables[-1].rows[-1]

    def named(self, beginning: str) -> list[PageTable]:
        """The tables whose captions begin so."""
        return [one for one in self.tables if one.caption.startswith(beginning)]
