"""Counts what became of each file's games: a file of which nothing could be read is a problem as a whole."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from core.game import Unreadable
from core.oddities import Odd, Oddity, general
from core.pgn import encodings
from core.pgn.encoding_guess import guess
from core.pgn.reader import Cut, Piece
from daemon.archive.games.known_pieces import KnownUnread, Unmoved
from daemon.archive.games.prepared import Prepared
from daemon.imports.bundles import AnyParsed, Parsed, ParsedRun
from daemon.imports.found_files import FileProblem
from daemon.imports.known import Known
from daemon.imports.pieces import Complete, Opened, Torn
from daemon.paths import shown

_SAMPLE: Final = 1 << 14
"""Bytes of a file by which its encoding is guessed."""


@dataclass(frozen=True, slots=True)
class OddGames:
    """So many games have an oddity of this *code*; *text* describes it without the details of one game."""

    code: str
    text: str
    games: int


@dataclass(frozen=True, slots=True)
class LooksLike:
    """The file looks as if it were in this *encoding*, and was read in another one."""

    file: str
    encoding: str

    def __str__(self) -> str:
        return f"{self.file} looks like {self.encoding}: import again with --encoding {self.encoding}"


class Tally:
    """Games and unreadable games of one file after another."""

    def __init__(self) -> None:
        self._path: str | None = None
        self._read = 0
        self._bad = 0
        self._reason = ""
        self._found: list[FileProblem] = []
        self._mended: set[str] = set()
        self._codes: Counter[Odd] = Counter()
        self._foreign = bytearray()
        self._looks: dict[str, LooksLike] = {}
        self.odd = 0

    def note(self, entry: AnyParsed | Known | Opened | Complete | Torn) -> None:
        """Count an entry, in its order."""
        if isinstance(entry, Opened):
            if entry.path != self._path:
                self._judge()
                self._path = entry.path
        elif isinstance(entry, Parsed):
            self._parsed(entry.outcome)
            self._sample(entry.piece)
        elif isinstance(entry, ParsedRun):
            self._run(entry)
        elif isinstance(entry, Known):
            for piece in entry.pieces:
                if isinstance(piece, Unmoved):
                    self._read += len(piece)
                    continue
                waits = isinstance(piece, KnownUnread) and not piece.mended
                self._count(piece.reason if isinstance(piece, KnownUnread) and waits else None)

    def problems(self, reported: Collection[FileProblem]) -> Sequence[FileProblem]:
        """The files of which no game could be read, except those in *reported*."""
        self._judge()
        known = {problem.path for problem in reported} | self._mended
        return [problem for problem in self._found if problem.path not in known]

    def mended(self, path: str) -> None:
        """Note that an unreadable game of this file was mended by hand before."""
        self._mended.add(path)

    def oddities(self) -> tuple[OddGames, ...]:
        """What was odd about the games that were parsed, most frequent first, then those met first."""
        return tuple(OddGames(code.value, general(code), games) for code, games in self._codes.most_common())

    def encodings(self) -> tuple[LooksLike, ...]:
        """The files that look like another encoding than they were read in."""
        self._judge()
        return tuple(self._looks.values())

    def _sample(self, piece: Piece) -> None:
        """Keep some of what is not UTF-8, if the user has not named its encoding."""
        if piece.encoding is None and len(self._foreign) < _SAMPLE:
            for part in encodings.foreign(piece.raw):
                self._foreign += part[:_SAMPLE] + b"\n"

    def _sample_all(self, cut: Cut) -> None:
        if not (cut.raw.isascii() or encodings.is_utf_8(cut.raw)):
            for piece in cut.pieces():
                self._sample(piece)

    def _run(self, parsed: ParsedRun) -> None:
        self._read += parsed.run.count
        for _, found in parsed.run.oddities:
            self._odd(found)
        for cut in parsed.cuts:
            self._sample_all(cut)

    def _parsed(self, outcome: Prepared | Unreadable) -> None:
        if isinstance(outcome, Unreadable):
            self._count(outcome.reason)
            return
        self._count(None)
        self._odd(outcome.as_given.game.oddities)

    def _odd(self, found: Sequence[Oddity]) -> None:
        codes = list(dict.fromkeys(one.code for one in found))
        self._codes.update(codes)
        self.odd += bool(codes)

    def _count(self, reason: str | None) -> None:
        self._read += 1
        if reason is not None:
            self._bad += 1
            self._reason = self._reason or reason

    def _judge(self) -> None:
        if self._path is not None and self._read and self._bad == self._read:
            which = "its only game" if self._read == 1 else f"none of its {self._read} games"
            could = "could not be read" if self._read == 1 else "could be read"
            what = f"{shown(self._path)}: {which} {could}: {self._reason}"
            self._found.append(FileProblem(self._path, what))
        looks_like = guess(bytes(self._foreign)) if self._foreign else None
        if looks_like is not None and self._path is not None:
            self._looks[self._path] = LooksLike(shown(self._path), looks_like)
        self._foreign.clear()
        self._path, self._read, self._bad, self._reason = None, 0, 0, ""
