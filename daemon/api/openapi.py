"""The OpenAPI 3.1 description of the API, with what FastAPI does not know: examples, errors, the token."""

import re
from typing import Any, Final

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import TypeAdapter

from daemon.api.context import PREFIX
from daemon.api.errors import PROBLEM_JSON, Problem, problem
from daemon.api.examples import PARAMETERS, example
from daemon.api.responses import JSON, answer
from daemon.api.security import OPEN

DESCRIPTION: Final = """One archive of a chess player's games.

Lists are objects: `items`, and `next`, the cursor of the next page, or null. Answers carry an ETag.
Times are RFC 3339 in UTC. What is unknown is null. Errors are RFC 9457 problems."""

_SCHEMAS: Final = "#/components/schemas/"
_PROBLEM: Final = {"schema": {"$ref": f"{_SCHEMAS}Problem"}}
RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    304: {"description": "Not changed since the ETag in If-None-Match"},
    "4XX": {
        "description": "The request cannot be answered",
        "content": {PROBLEM_JSON: {**_PROBLEM, "example": problem(404, "There is no game 29.")}},
    },
    "5XX": {
        "description": "The daemon or the archive cannot answer; Retry-After says when it may",
        "content": {PROBLEM_JSON: {**_PROBLEM, "example": problem(503, "The archive cannot be read now.")}},
    },
}
"""What every route may answer in addition to its own responses."""

BEARER: Final = "bearer"
_SCHEME: Final = {
    "type": "http",
    "scheme": "bearer",
    "description": "the token of the configuration (`[api] token_file`)",
}

router = APIRouter(prefix=PREFIX)


@router.get("/openapi.json", include_in_schema=False)
def get_openapi_json(request: Request) -> Response:
    """This API, described."""
    return answer(request, request.app.openapi())


class Described(FastAPI):
    """An app whose description has all of this.

    Attributes:
        needs_token: Whether every request needs the token.
    """

    needs_token = False

    def openapi(self) -> dict[str, Any]:
        """The description, made when it is first asked for."""
        if self.openapi_schema is None:
            made = get_openapi(
                title=self.title, version=self.version, description=self.description, routes=self.routes
            )
            _add_schemas(made)
            _add_token(made, needs_token=self.needs_token)
            _name_schemas(made)
            for path in made["paths"].values():
                _add_examples(path["get"])
                _simplify_parameters(path["get"])
            self.openapi_schema = made
        return self.openapi_schema


def operation_id(route: APIRoute) -> str:
    """The name of a route for programs: that of its function."""
    return route.name


def _add_schemas(made: dict[str, Any]) -> None:
    schema = TypeAdapter(Problem).json_schema(ref_template=_SCHEMAS + "{model}")
    made["components"]["schemas"].update({**schema.pop("$defs"), "Problem": schema})


def _add_token(made: dict[str, Any], *, needs_token: bool) -> None:
    made["components"]["securitySchemes"] = {BEARER: _SCHEME}
    made["security"] = [{BEARER: []}, *([] if needs_token else [{}])]
    for path in OPEN:
        made["paths"][path]["get"]["security"] = []


def _add_examples(operation: dict[str, Any]) -> None:
    body = operation["responses"]["200"]["content"].get(JSON)
    if body is not None:
        shown = example(body["schema"]["$ref"].removeprefix(_SCHEMAS))
        if shown is not None:
            body["example"] = shown
    for parameter in operation.get("parameters", ()):
        own = parameter["schema"].pop("examples", ())
        if own:
            parameter["example"] = own[0]
        elif parameter["name"] in PARAMETERS:
            parameter["example"] = PARAMETERS[parameter["name"]]


def _simplify_parameters(operation: dict[str, Any]) -> None:
    """Make optional parameters not nullable: a URL has no null."""
    for parameter in operation.get("parameters", ()):
        schema = parameter["schema"]
        for name in ("title", "description"):
            schema.pop(name, None)
        kinds = [one for one in schema.get("anyOf", ()) if one != {"type": "null"}]
        if len(kinds) == 1:
            del schema["anyOf"]
            schema.update(kinds[0])
        if schema.get("default", ()) is None:
            del schema["default"]


def _name_schemas(made: dict[str, Any]) -> None:
    """Give schemas shorter names than pydantic's, each unique: generators name their types by the title.

    Two shapes of one name get the paths of their modules from pydantic, and all pages are titled "Page".
    """
    schemas = made["components"]["schemas"]
    names = {name: _short(name) for name in schemas}
    assert len(set(names.values())) == len(names), "two shapes have one name"
    made["components"]["schemas"] = {names[name]: _titled(schemas[name], names[name]) for name in schemas}
    renamed = {_SCHEMAS + name: _SCHEMAS + to for name, to in names.items() if name != to}
    _rename(made, renamed)


def _short(name: str) -> str:
    page = re.fullmatch(r"Page_(\w+)_", name)
    if page is not None:
        return f"{_short(page[1])}Page"
    *modules, own = name.split("__")
    return f"Club{own}" if "club" in modules else own


def _titled(schema: dict[str, Any], title: str) -> dict[str, Any]:
    """Remove the titles of properties: their names say the same."""
    for one in schema.get("properties", {}).values():
        one.pop("title", None)
    return {**schema, "title": title}


def _rename(part: object, renamed: dict[str, str]) -> None:
    """Give every reference within *part* its new name."""
    if isinstance(part, dict):
        reference = part.get("$ref")
        if reference in renamed:
            part["$ref"] = renamed[reference]
        for value in part.values():
            _rename(value, renamed)
    elif isinstance(part, list):
        for value in part:
            _rename(value, renamed)
