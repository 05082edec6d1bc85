"""The rules of a game, by the names that sites, servers and programs give their variants."""

import re
from collections.abc import Iterator
from typing import Final

import chess
import chess.variant

from core.game import CHESS960, STANDARD

LOSERS: Final = "losers"

_NAMES: Final = {
    STANDARD: (
        "standard",
        "chess",
        "normal",
        "orthodox",
        "fromposition",
        "oddschess",
        "odds",
        "setupposition",
    ),
    CHESS960: (
        "chess960",
        "960",
        "fischerandom",
        "fischerrandom",
        "fischerrandomchess",
        "fischerandomchess",
        "frc",
        "freestylechess",
        "wildfr",
    ),
    "kingOfTheHill": ("kingofthehill", "koth"),
    "threeCheck": ("threecheck", "threecheckchess", "3check"),
    "antichess": ("antichess", "anti"),
    "giveaway": ("giveaway", "giveawaychess"),
    "suicide": ("suicide", "suicidechess"),
    LOSERS: ("losers", "loserschess"),
    "atomic": ("atomic", "atomicchess", "atom"),
    "horde": ("horde", "hordechess"),
    "racingKings": ("racingkings", "racing"),
    "crazyhouse": ("crazyhouse", "zh"),
}
VARIANT_NAMES: Final = {
    CHESS960: "Chess960",
    "kingOfTheHill": "King of the Hill",
    "threeCheck": "Three-check",
    "antichess": "Antichess",
    "atomic": "Atomic",
    "horde": "Horde",
    "racingKings": "Racing Kings",
    "crazyhouse": "Crazyhouse",
}
"""The value of a Variant tag, as lichess writes it; others are written by their keys."""
_OWN_START: Final = frozenset({*_NAMES[CHESS960], "fromposition", "oddschess", "odds", "setupposition"})
_BY_NAME = {name: key for key, names in _NAMES.items() for name in names}

# An Event that names a variant has to begin in one of the ways that core/native/scan.c knows (`may_name_variant`).
# FICS: time controls and start positions of normal chess that stand where the variant stands.
_FICS_STANDARD = frozenset(
    {"standard", "blitz", "lightning", "untimed", "nonstandard", "slow", "bullet", "rapid"}
)
_FICS_EVENT = re.compile(r"(?:FICS|ICS) (?:un)?rated (\S+) (?:game|match)", re.IGNORECASE)
_CHESSCOM_EVENT = re.compile(r"(?:Live Chess|Let's Play!) - (.+)")
_LICHESS_EVENT = re.compile(r"(?:rated|casual) variant:(\S+) ", re.IGNORECASE)


class LosersBoard(chess.Board):
    """FICS losers: normal chess in which a capture is compulsory."""

    def generate_legal_moves(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        moves = super().generate_legal_moves(from_mask, to_mask)
        return filter(self.is_capture, moves) if self._can_capture() else moves

    def _can_capture(self) -> bool:
        captures = super().generate_legal_moves(chess.BB_ALL, self.occupied_co[not self.turn])
        return next(captures, None) is not None or self.has_legal_en_passant()

    def is_legal(self, move: chess.Move) -> bool:
        return super().is_legal(move) and (self.is_capture(move) or not self._can_capture())


BOARDS: Final[dict[str, type[chess.Board]]] = {
    STANDARD: chess.Board,
    CHESS960: chess.Board,
    LOSERS: LosersBoard,
    "kingOfTheHill": chess.variant.KingOfTheHillBoard,
    "threeCheck": chess.variant.ThreeCheckBoard,
    "antichess": chess.variant.AntichessBoard,
    "giveaway": chess.variant.GiveawayBoard,
    "suicide": chess.variant.SuicideBoard,
    "atomic": chess.variant.AtomicBoard,
    "horde": chess.variant.HordeBoard,
    "racingKings": chess.variant.RacingKingsBoard,
    "crazyhouse": chess.variant.CrazyhouseBoard,
}
"""The board that plays by the rules of each variant; its keys are the values of `variant_key`."""


def variant_key(name: str) -> str | None:
    """The key of a variant's name, None if its rules are not known here.

    >>> variant_key("King of the Hill")
    'kingOfTheHill'
    """
    return _BY_NAME.get(_plain(name))


def has_own_start(name: str) -> bool:
    """Whether each game of this variant has a start position of its own, which only a FEN can give.

    >>> has_own_start("From Position")
    True
    """
    return _plain(name) in _OWN_START


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def named_variant(variant: str | None, event: str | None) -> str:
    """The name under which the tags give the variant; older FICS files have it in *event* only.

    ``standard`` if neither says anything.
    """
    if variant is not None:
        return variant
    event = event or ""
    fics = _FICS_EVENT.match(event)
    if fics is not None:
        kind = fics[1].lower()
        # wild/0 to wild/9 are start positions of normal chess, which the FEN tag gives.
        if kind.startswith("wild/") and kind != "wild/fr":
            return "From Position"
        return STANDARD if kind in _FICS_STANDARD else kind
    other = _CHESSCOM_EVENT.match(event) or _LICHESS_EVENT.match(event)
    return other[1] if other is not None else STANDARD
