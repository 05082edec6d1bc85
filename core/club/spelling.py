"""The spelling of a member's name in FESA's files.

Exactly that of the rating list (club T11), never guessed.
"""

import re
from dataclasses import dataclass
from typing import Final

from core import names
from core.club.fesa_rating_list import RatingList
from core.club.file_text import foreign, in_latin

_BRACKETED: Final = re.compile(r"\s*\[([^\[\]]*)\]\s*\[([^\[\]]*)\]\s*")
_FORM: Final = 'write "Last, First" as the rating list does'


@dataclass(frozen=True, slots=True)
class Spelling:
    """A name in its two parts; a single name is a last name."""

    last: str
    first: str = ""

    def __str__(self) -> str:
        """The form in which it is stored, which is the file's: "[Habu][Yoshiharu]"."""
        return f"[{self.last}][{self.first}]"

    @property
    def name(self) -> str:
        """As the rating list writes it: "Habu Yoshiharu"."""
        return f"{self.last} {self.first}".strip()

    @property
    def fault(self) -> str | None:
        """Why it cannot be written in a file; None if it can."""
        strange = "".join(foreign(self.name))
        if not self.last:
            return "there is no last name"
        if re.search(r"[\[\]]", self.name):
            return "names in results files have no [ and ]"
        if strange:
            return f'ISO 8859-1 has no "{strange}", and there is no sure way to write it in Latin letters'
        return None


def read_spelling(text: str) -> Spelling:
    """Read "Habu, Yoshiharu", "[Habu][Yoshiharu]", one word, or two, last name first.

    Raises:
        ValueError: it is not clear which part is which, or a file cannot contain it.
    """
    bracketed = _BRACKETED.fullmatch(text)
    line = names.clean(text)
    if bracketed:
        found = Spelling(names.clean(bracketed[1]), names.clean(bracketed[2]))
    elif "," in line:
        last, _, first = line.partition(",")
        found = Spelling(last.strip(), first.strip())
    elif len(line.split()) > 2:
        raise ValueError(f'"{line}": which is the last name? {_FORM}')
    else:
        last, _, first = line.partition(" ")
        found = Spelling(last, first)
    if found.fault is not None:
        raise ValueError(f'"{line}": {found.fault}; {_FORM}')
    return found


def kept(text: str) -> Spelling:
    """The spelling of a stored text."""
    found = _BRACKETED.fullmatch(text)
    return Spelling(found[1], found[2]) if found else read_spelling(text)


def usual(name: str) -> Spelling:
    """A member's own name as a file would write it; its `fault` says whether the spelling has to be asked for.

    Letters of the Latin script are replaced by certain equivalents: "Wałęsa, Lech" becomes Walesa, Lech. A
    name without comma is a last name.
    """
    last, _, first = in_latin(names.clean(name)).partition(",")
    return Spelling(last.strip(), first.strip())


def listed(name: str, ids: tuple[str, ...], known: RatingList) -> str | None:
    """The rating list's name of this member: by an id, the same name, or the only one with the same words.

    Else None.
    """
    for one in ids:
        if one in known.ids:
            return known.ids[one]
    if usual(name).name in known:
        return usual(name).name
    found = known.with_words(tuple(sorted(names.words(name))))
    return found[0] if len(found) == 1 else None


def parted(text: str, like: Spelling) -> Spelling:
    """A name of the rating list, which does not show where the last name ends, in two parts: as in *like*.

    If that does not decide, the first word is the last name. For FESA's program both are one name.
    """
    words = text.split()
    count = len(like.last.split()) if len(like.name.split()) == len(words) else 1
    return Spelling(" ".join(words[:count]), " ".join(words[count:]))
