"""What an edit changes of a member, in a director's words."""

from typing import Final

from daemon.archive.club.rows import MemberRow

_WORDS: Final = {
    "name": "name",
    "fide_id": "FIDE id",
    "rating": "rating",
    "category": "category",
    "joined": "takes part from round",
    "withdrawn": "withdrawn from round",
    "handles": "plays online as",
    "nation": "nation",
    "grade": "grade",
    "macmahon": "MacMahon points",
    "spelled": "spelled in FESA's list",
    "newcomer": "new to FESA's rating",
}
"""What can change of a member, in a director's words."""


def differences(old: MemberRow, new: MemberRow) -> list[str]:
    """What is other about the member, a phrase each."""
    return [
        _difference(name, getattr(old, name), getattr(new, name))
        for name in _WORDS
        if getattr(old, name) != getattr(new, name)
    ]


def _difference(name: str, old: object, new: object) -> str:
    if name == "withdrawn" and new is None:
        return f"not withdrawn from round {old} any more"
    if name == "withdrawn" and old is None:
        return f"withdrawn from round {new}"
    return f"{_WORDS[name]} {_shown(old)} → {_shown(new)}"


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(value) or "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else str(value)
