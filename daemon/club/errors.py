"""Errors for the tournament director."""

# ruff: noqa: N818 -- the names say what is the case


class ClubError(Exception):
    """It cannot be done; the text says why and what to do."""


class Confirm(ClubError):
    """It would delete or replace something: it is done only when asked again with *version*.

    Attributes:
        question: What would happen, as a question.
        version: Of the tournament when the question was made.
    """

    def __init__(self, question: str, version: int) -> None:
        super().__init__(f"{question} (not done: it was not confirmed)")
        self.question = question
        self.version = version
