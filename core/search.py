"""Whether a search finds a name, and the order of suggestions (names R27 to R39).

A search is generous where recognition is strict: what it finds too much is seen at once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.letters import category
from core.names import classify, clean, fold, search_words, spaced, with_bytes, words
from core.players import read_fide_id

_LONGEST_SORTED = 200  # characters: the index of a database holds no more


@dataclass(frozen=True, slots=True)
class TypedWord:
    """One typed word, folded, as it counts for both kinds of names (names R29).

    Attributes:
        whole: With its hyphens, for nicknames (``rossi-m``).
        parts: What its hyphens separate, for all other names and texts (``rossi``, ``m``); never empty.
    """

    whole: str
    parts: tuple[str, ...]


def typed(query: str) -> tuple[TypedWord, ...]:
    """The words of a query; one without a letter, digit or symbol does not count (names A36)."""
    folded = with_bytes(fold(clean(query)))
    wholes = "".join("-" if _is_dash(sign) else spaced(sign) for sign in folded).split()
    divided = ((whole, tuple(filter(None, whole.split("-")))) for whole in wholes)
    return tuple(TypedWord(whole, parts) for whole, parts in divided if parts)


def _is_dash(character: str) -> bool:
    """Whether it is a hyphen, a dash (names A33) or the minus sign."""
    return character == "−" or category(character) == "Pd"


def matches(query: str, name: str) -> bool:
    """Whether the query finds a player of this name.

    A query without a word finds nobody, and nothing finds ``?``.
    """
    return _finds_player(typed(query), name)


def _finds_player(query: Sequence[TypedWord], name: str) -> bool:
    found_in = search_words(name)
    if not query or not found_in:
        return False
    asked = _asked(query, nickname=classify(name) == "nickname")
    return all(_begins_one(part, found_in) for part in asked)


def _asked(query: Iterable[TypedWord], *, nickname: bool) -> list[str]:
    return [part for word in query for part in ((word.whole,) if nickname else word.parts)]


def _begins_one(part: str, found_in: Iterable[str]) -> bool:
    return any(word.startswith(part) for word in found_in)


def matches_text(query: str, text: str) -> bool:
    """Whether the query finds this event, site, team or opening. There are no nicknames here (names R34)."""
    return _finds_text(typed(query), text)


def _finds_text(query: Sequence[TypedWord], text: str) -> bool:
    asked = _asked(query, nickname=False)
    found_in = words(text)
    return bool(asked) and all(_begins_one(part, found_in) for part in asked)


def matches_game(query: str, *, players: Iterable[str], texts: Iterable[str]) -> bool:
    """Whether a query for all fields finds this game.

    Each word, and each part of one, in any field (names R32).

    Args:
        query: What was typed; without a word it finds all games (names A36).
        players: Names of both players.
        texts: Teams, event, site, opening and its ECO code, not the commentator (names A39).
    """
    nicknames: list[str] = []
    others = [word for text in texts for word in words(text)]
    for name in players:
        (nicknames if classify(name) == "nickname" else others).extend(search_words(name))
    everything = [*nicknames, *others]
    return all(
        _begins_one(word.whole, nicknames) or all(_begins_one(part, everything) for part in word.parts)
        for word in typed(query)
    )


def matches_eco(query: str, eco: str | None) -> bool:
    """Whether the query is the beginning of this ECO code (names R35)."""
    beginning = fold(clean(query))
    return bool(beginning) and fold(eco or "").startswith(beginning)


def matches_fide_id(query: str, fide_id: str | int | None) -> bool:
    """Whether the query is this whole FIDE id (names R36)."""
    asked = read_fide_id(query)
    return asked is not None and asked == read_fide_id(fide_id)


def matches_commentator(query: str, commentator: str | None) -> bool:
    """Whether the query finds this commentator: by any piece of the text, or by the rule for texts (names R37)."""
    piece = fold(clean(query))
    text = commentator or ""
    return bool(piece) and (piece in fold(clean(text)) or matches_text(query, text))


def sort_text(name: str) -> str:
    """The key of a player in alphabetical order, by code points (names A35).

    It is made of the words that find them, or of the first 200 characters of these.
    """
    return " ".join(search_words(name))[:_LONGEST_SORTED]


def sort_free_text(text: str) -> str:
    """The key of an event, site, team or opening in alphabetical order."""
    return " ".join(words(text))[:_LONGEST_SORTED]


def order_key(name: str) -> tuple[str, str]:
    """The key of a player's name in alphabetical order."""
    return sort_text(name), name


def suggest(query: str, names: Iterable[str]) -> list[str]:
    """The players that the query finds: first those that start with all of it, then the others (names R33).

    Each group is in alphabetical order; a query without a word finds none (names A36).
    """
    asked = typed(query)
    found = (name for name in names if _finds_player(asked, name))
    return sorted(found, key=lambda name: (not _starts_player(asked, name), order_key(name)))


def _starts_player(asked: Sequence[TypedWord], name: str) -> bool:
    beginning = starts_with(asked, nickname=classify(name) == "nickname")
    return sort_text(name).startswith(beginning)


def starts_with(asked: Iterable[TypedWord], *, nickname: bool) -> str:
    """The beginning that the sort text of a suggestion of the first group has (names A34)."""
    return " ".join(_asked(asked, nickname=nickname))[:_LONGEST_SORTED]


def suggest_texts(query: str, texts: Iterable[str]) -> list[str]:
    """The events, sites, teams or openings that the query finds, in the order of `suggest`."""
    asked = typed(query)
    beginning = starts_with(asked, nickname=False)
    found = ((sort_free_text(text), text) for text in texts if _finds_text(asked, text))
    ordered = sorted(found, key=lambda pair: (not pair[0].startswith(beginning), pair))
    return [text for _, text in ordered]
