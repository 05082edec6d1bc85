"""Checks the parameters of a URL: unknown and repeated ones are refused."""

from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel


async def refuse_unknown(request: Request) -> None:
    """Refuse parameters that the route does not have, and those given more than once.

    Raises:
        RequestValidationError: there are such.
    """
    route = request.scope["route"]
    assert isinstance(route, APIRoute)
    known, unsaid = _names(route)
    asked = request.query_params
    unknown = [name for name in asked if name not in known and (name in unsaid or not known)]
    wrong = [_wrong(name, "extra_forbidden", "there is no such parameter") for name in unknown]
    twice = [name for name in asked if name in known and len(asked.getlist(name)) > 1]
    wrong += [_wrong(name, "given_twice", "it is given more than once: give it once") for name in twice]
    if wrong:
        raise RequestValidationError(wrong)


def _names(route: APIRoute) -> tuple[set[str], set[str]]:
    """The query parameters of a route; and the names that only our code uses, though pydantic would accept them.

    Names that a model does not know at all are refused by the model, together with whatever else is wrong.
    """
    known: set[str] = set()
    unsaid: set[str] = set()
    for field in route.dependant.query_params:
        model = field.field_info.annotation
        if isinstance(model, type) and issubclass(model, BaseModel):
            known |= {info.alias or name for name, info in model.model_fields.items()}
            unsaid |= {name for name, info in model.model_fields.items() if info.alias}
        else:
            known.add(field.alias)
    return known, unsaid


def _wrong(name: str, kind: str, message: str) -> dict[str, Any]:
    return {"type": kind, "loc": ("query", name), "msg": message}
