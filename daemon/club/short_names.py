"""Short names of tournaments, as in URLs and file names."""

from core import names
from daemon.archive.tables.club import SLUG
from daemon.club.errors import ClubError


def slug_of(short_name: str) -> str:
    """The short name as URLs and file names have it: "VM 2026" is ``vm-2026``.

    Raises:
        ClubError: nothing is left of it, or too much.
    """
    found = "-".join(word for word in names.words(short_name) if word.replace("_", "a").isalnum())
    if not found or len(found.encode()) > SLUG:
        raise ClubError(f'the short name "{short_name}" must have letters or digits, and at most {SLUG}')
    return found


def as_kept(typed: str) -> str:
    """The short name meant by what was typed as on paper; unchanged if it cannot be one."""
    try:
        return slug_of(typed)
    except ClubError:
        return typed
