"""``/suggest``: names to choose from while somebody types."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from daemon.api.context import PREFIX, Served
from daemon.api.list_parameters import SuggestQuery
from daemon.api.responses import answer
from daemon.archive.reading import shapes
from daemon.archive.reading.search.asked_values import one_of
from daemon.archive.reading.suggest import WHAT, SuggestionKind, choices

router = APIRouter(prefix=f"{PREFIX}/suggest", tags=["suggestions"])


@router.get("/{what}", response_model=shapes.Suggestions)
def list_suggestions(
    request: Request,
    served: Served,
    what: Annotated[
        SuggestionKind, one_of(WHAT, "a list of names"), Path(description="of what the names are")
    ],
    asked: Annotated[SuggestQuery, Query()],
) -> Response:
    """The names that ``q`` finds: first those that start with everything typed, then the others.

    Alphabetical.
    """
    with served.archive.reading() as connection:
        found = choices(connection, what, asked.q or "", limit=asked.limit)
    return answer(request, {"items": [{"name": name} for name in found]})
