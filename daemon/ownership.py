"""Who owns the data folder, and which files in it belong to others: those keep the daemon from its work."""

import grp
import os
import pwd
import shlex
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

OUR_FILES: Final = ("gamekeeper.sqlite*", "*.lock", "backups", "backups/*.sqlite*")
"""What gamekeeper itself has made in a data folder. PGN files may belong to anybody who lets them be read."""


@dataclass(frozen=True, slots=True)
class Owner:
    """A user by number, with the number of their group, and their name if the system knows one."""

    uid: int
    gid: int

    @classmethod
    def of(cls, path: Path) -> "Owner":
        """The owner of *path*.

        Raises:
            OSError: it cannot be looked at.
        """
        return cls.by(path.stat())

    @classmethod
    def by(cls, found: os.stat_result) -> "Owner":
        """The owner of a file, from its status."""
        return cls(found.st_uid, found.st_gid)

    @property
    def name(self) -> str:
        """The user's name, or number."""
        try:
            return pwd.getpwuid(self.uid).pw_name
        except KeyError:
            return str(self.uid)

    @property
    def groups(self) -> list[int]:
        """All groups of the user, their own first."""
        try:
            user = pwd.getpwuid(self.uid)
        except KeyError:
            return [self.gid]
        return [
            user.pw_gid,
            *(one for one in os.getgrouplist(user.pw_name, user.pw_gid) if one != user.pw_gid),
        ]

    @property
    def home(self) -> str | None:
        """The user's home, None if the system knows none."""
        try:
            return pwd.getpwuid(self.uid).pw_dir
        except KeyError:
            return None

    def for_chown(self) -> str:
        """User and group as chown(1) takes them."""
        try:
            group = grp.getgrgid(self.gid).gr_name
        except KeyError:
            group = str(self.gid)
        return f"{self.name}:{group}"


def strangers(folder: Path) -> list[tuple[Path, Owner]]:
    """The files of gamekeeper's in the data folder *folder* that are not its owner's, and their owners.

    Links are looked at themselves, not what they lead to.
    """
    try:
        owner = Owner.of(folder).uid
    except OSError:
        return []
    return [(path, of) for path, of in _ours(folder) if of.uid != owner]


def _ours(folder: Path) -> Iterator[tuple[Path, Owner]]:
    for pattern in OUR_FILES:
        for path in sorted(folder.glob(pattern)):
            with suppress(FileNotFoundError, PermissionError):  # it has just gone, or its folder is closed
                yield path, Owner.by(path.lstat())


def problems(folder: Path) -> list[str]:
    """A sentence if files in the data folder *folder* have the wrong owner: which, and what helps."""
    wrong = strangers(folder)
    if not wrong:
        return []
    owner = Owner.of(folder)
    paths = [path for path, _ in wrong]
    shown = ", ".join(path.name for path in paths[:3]) + (
        f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
    )
    whose = ", ".join(dict.fromkeys(of.name for _, of in wrong))
    verb = "belongs" if len(wrong) == 1 else "belong"
    mend = shlex.join(["sudo", "chown", "-h", owner.for_chown(), *map(str, paths)])
    return [
        f"{shown} in {folder} {verb} to {whose} instead of {owner.name}, to whom the folder belongs; correct it with: {mend}"
    ]
