"""Findings of a file check: where, what is wrong, and how to correct it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileFinding:
    """A fault in a file, or a note on it."""

    rule: str
    """The rule's number, "T6", or a word: "grammar", "TRF"."""
    message: str
    mend: str
    line: int | None = None
    """From 1; None if the file as a whole is meant."""
    player: str | None = None
    """Their number and name as the file writes them."""
    round: int | None = None
    """From 1."""
    note: bool = False
    """Whether it is only a note: the file is good."""

    def __str__(self) -> str:
        where = [f"line {self.line}"] if self.line is not None else []
        who = [f"player {self.player}"] if self.player is not None else []
        when = [f"round {self.round}"] if self.round is not None else []
        kind = "note" if self.note else "error"
        return ", ".join([*where, *who, *when, f"{kind} {self.rule}"]) + f": {self.message} ({self.mend})"

    def as_json(self) -> dict[str, str | int | None]:
        """The finding for --json."""
        return {
            "level": "note" if self.note else "error",
            "rule": self.rule,
            "line": self.line,
            "player": self.player,
            "round": self.round,
            "message": self.message,
            "mend": self.mend,
        }


def errors(findings: "tuple[FileFinding, ...] | list[FileFinding]") -> tuple[FileFinding, ...]:
    """Those that are not notes."""
    return tuple(one for one in findings if not one.note)
