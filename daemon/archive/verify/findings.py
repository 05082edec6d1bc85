"""What is wrong in an archive, and what helps."""

from dataclasses import dataclass
from typing import Final, Literal

Repair = Literal["indexes", "links", "words", "texts", "names", "counts", "keys"]
"""What can be derived again from sound data: see `daemon.archive.verify.repairs`."""

RESTORE: Final = "restore a backup: gamekeeper restore FILE"
REPORT: Final = "nothing is lost, its bytes are whole; report it to the makers of gamekeeper"
UPDATE: Final = "update gamekeeper, and verify again"
FIX: Final = "gamekeeper verify --fix"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be.

    Attributes:
        where: ``game 12``, ``telling 7 of game 12``, ``database``.
        fault: What is wrong, the rest of a sentence.
        repair: What corrects it; None if nothing in the archive can.
        remedy: What the user can do.
    """

    where: str
    fault: str
    repair: Repair | None = None
    remedy: str = ""

    @property
    def help(self) -> str:
        """What to do about it."""
        return FIX if self.repair else self.remedy or RESTORE

    def __str__(self) -> str:
        return f"{self.where}: {self.fault} ({self.help})"
