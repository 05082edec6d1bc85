"""Why games could not be read, counted by sentences without the details of single games."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

_MOST_FREQUENT: Final = 3
_KINDS: Final = 1000
_LONGEST: Final = 100

# "illegal move 'Ke4' of White, number 2, in <FEN>"; the name of a variant says what the matter is, so it stays.
_OF_MOVE: Final = re.compile(r"^(illegal|ambiguous) move .*", re.DOTALL)
_TAG: Final = re.compile(r"^the tag .* is not closed$", re.DOTALL)
_QUOTED: Final = re.compile(r"""(?<!^the variant )(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""", re.DOTALL)


@dataclass(frozen=True, slots=True)
class UnreadableReason:
    """So many games could not be read for the same reason, given without the words of any one game."""

    reason: str
    games: int


class Reasons:
    """A count of reasons, in bounded memory."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def add(self, reason: str) -> None:
        """Count a game."""
        kind = general(reason)
        if kind in self._counts or len(self._counts) < _KINDS:
            self._counts[kind] += 1

    def most_frequent(self) -> tuple[UnreadableReason, ...]:
        """The three most frequent ones."""
        return tuple(
            UnreadableReason(reason, games) for reason, games in self._counts.most_common(_MOST_FREQUENT)
        )


def general(reason: str) -> str:
    """The reason without the details of one game: its moves, tokens, tags and positions."""
    text = _OF_MOVE.sub(r"\1 move", reason)
    text = _TAG.sub("a tag is not closed", text)
    return _QUOTED.sub("…", text)[:_LONGEST]
