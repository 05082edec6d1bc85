"""What a tournament director is told instead of done."""

# ruff: noqa: N818 -- the names say what is the case


class ClubError(Exception):
    """It cannot be done; the text says why and what to do."""


class Confirm(ClubError):
    """It would take away or replace something: it is done only when asked again with *version*.

    Attributes:
        question: what would happen, as a question.
        version: of the tournament as it was when the question was made.
    """

    def __init__(self, question: str, version: int) -> None:
        super().__init__(f"{question} (not done: it was not confirmed)")
        self.question = question
        self.version = version
