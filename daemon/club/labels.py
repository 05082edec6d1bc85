"""The label of each member, so that no two are alike, and the numbers that distinguish them."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from core import names
from daemon.archive.club.rows import MemberRow

_NUMBER: Final = re.compile(r"(#|no\.?|nr\.?)?\s*(\d{1,6})", re.IGNORECASE)


def labelled(members: Sequence[MemberRow]) -> tuple[MemberRow, ...]:
    """The members with their labels: the name, with the number if another one's name is alike.

    Names are alike if they differ only in case, accents, width, punctuation or the order of their words.
    """
    shown = Counter(_alike(member) for member in members)
    labels = [member.name if shown[_alike(member)] == 1 else _numbered(member) for member in members]
    if len(set(labels)) < len(labels):  # somebody is called "X (no. 3)"
        labels = [_numbered(member) for member in members]
    return tuple(replace(member, label=label) for member, label in zip(members, labels, strict=True))


def _alike(member: MemberRow) -> tuple[str, ...]:
    return tuple(sorted(names.words(member.name))) or (names.fold(member.name),)


def _numbered(member: MemberRow) -> str:
    return f"{member.name} (no. {member.n})"


def number_in(text: str) -> tuple[int, bool] | None:
    """The number that *text* is, ``7``, ``#7``, ``no. 7``, and whether it says that it is one; None if it is not."""
    found = _NUMBER.fullmatch(text.strip())
    return None if found is None else (int(found[2]), found[1] is not None)


def numbered(n: int, name: str) -> str:
    """A member in a sentence: "no. 7 Rossi, Mario"."""
    return f"no. {n} {name}"
