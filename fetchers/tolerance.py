"""Lets one part of a round fail without hiding the others."""

from collections.abc import Iterator

from fetchers.base import Step
from fetchers.errors import BadAnswer, FetchError, Incomplete, NotFound, SiteDown, SiteUnreachable, Stopped


class Tolerance:
    """One part that fails does not hide those after it; two in a row are the site's fault."""

    def __init__(self) -> None:
        self._first: FetchError | None = None
        self._again = False

    def steps(self, part: Iterator[Step]) -> Iterator[Step]:
        """The steps of one part.

        Raises:
            FetchError: a second part in a row has failed, or the site wants to be left alone.
        """
        try:
            yield from part
        except (SiteDown, SiteUnreachable, BadAnswer, Incomplete, NotFound) as error:
            if (
                self._again
                or isinstance(error, Stopped)
                or (isinstance(error, SiteDown) and error.retry_after is not None)
            ):
                raise
            self._first, self._again = self._first or error, True
        else:
            self._again = False

    def end(self) -> None:
        """End the round.

        Raises:
            FetchError: the first failure that was tolerated.
        """
        if self._first is not None:
            raise self._first
