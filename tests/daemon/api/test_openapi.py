"""The description of the API: whole, with examples that are what the API answers."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from fastapi import FastAPI

from core.players import Profile
from daemon.api.app import create_app
from daemon.archive.archive import open_archive
from daemon.archive.reading.search.filters import CHOICES

_JSON = "application/json"


@pytest.fixture(scope="module")
def app(sqlite_template: Path) -> Iterator[FastAPI]:
    """The API over an empty archive."""
    with open_archive(sqlite_template) as archive:
        yield create_app(archive, Profile(), version="1.2.3")


@pytest.fixture(scope="module")
def described(app: FastAPI) -> dict[str, Any]:
    """Its description."""
    return json.loads(json.dumps(app.openapi()))


def schema_of(described: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """A schema that stands alone."""
    return {**schema, "components": described["components"]}


def operations(described: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in described["paths"].items():
        assert list(methods) == ["get"], path
        yield path, methods["get"]


def test_every_answer_has_an_example_of_its_shape(described: dict[str, Any]) -> None:
    """Whatever a route answers is shown, and is what its schema says."""
    for path, operation in operations(described):
        for status, answer in operation["responses"].items():
            for media_type, body in answer.get("content", {}).items():
                if media_type.endswith("json") and status != "default":
                    assert "example" in body, f"{path}: daemon/api/examples.py has none for its answer"
                    jsonschema_rs.validate(schema_of(described, body["schema"]), body["example"])


def test_every_parameter_has_an_example_that_it_takes(described: dict[str, Any]) -> None:
    """Whatever is asked for is shown, and may be so."""
    for path, operation in operations(described):
        for parameter in operation.get("parameters", ()):
            assert "example" in parameter, f"{path}: {parameter['name']}"
            jsonschema_rs.validate(schema_of(described, parameter["schema"]), parameter["example"])


def test_everything_is_explained(described: dict[str, Any]) -> None:
    """Every route and every filter has a sentence; every route tells of errors as problems."""
    for path, operation in operations(described):
        assert operation["description"], path
        assert "application/problem+json" in operation["responses"]["4XX"]["content"]
        assert "application/problem+json" in operation["responses"]["5XX"]["content"]
        assert "422" not in operation["responses"], "FastAPI's own shape of errors is not ours"
        for parameter in operation.get("parameters", ()):
            assert parameter["description"], f"{path}: {parameter['name']}"
    for name, schema in described["components"]["schemas"].items():
        assert schema.get("description") or "enum" in schema, name
        for one, its in schema.get("properties", {}).items():
            assert its.get("description"), f"{name}.{one}"


def test_references_lead_somewhere(described: dict[str, Any]) -> None:
    """Every reference names a shape that is there, by a short name."""
    text = json.dumps(described)
    schemas = described["components"]["schemas"]
    names = {part.partition('"')[0] for part in text.split('"$ref": "#/components/schemas/')[1:]}
    assert names <= set(schemas)
    assert text.count('"$ref"') == text.count('"$ref": "#/components/schemas/')
    assert not [name for name in schemas if not name.isalnum()]


def test_types_have_names_of_their_own(described: dict[str, Any]) -> None:
    """Generators name their types by the titles, and their functions by the ids: each is there once, and short."""
    schemas = described["components"]["schemas"]
    assert [schema["title"] for schema in schemas.values()] == list(schemas)
    assert {"GamePage", "PlayerPage", "MyGamePage", "DossierPage", "ClubRound", "Round"} <= set(schemas)
    ids = [operation["operationId"] for _, operation in operations(described)]
    assert len(set(ids)) == len(ids)
    assert {"list_games", "get_game", "list_games_of_player", "get_health", "list_syncs"} <= set(ids)
    assert not [one for one in ids if "api" in one or len(one) > 24]


def test_fixed_words_and_times_are_said(described: dict[str, Any]) -> None:
    """What is one of some words says which, what is a time says so, and an address has no null."""
    schemas = described["components"]["schemas"]
    for name in ("Result", "TimeClass", "Variant", "AccountState", "SiteState", "RoundOutcome", "DoubleKind"):
        assert schemas[name]["enum"], name
    text = json.dumps(schemas)
    times = [
        (name, one)
        for name, schema in schemas.items()
        for one, its in schema.get("properties", {}).items()
        if one.endswith("_at") or one.startswith("last_") or one in {"since", "until", "next_due", "at"}
        if one != "last_name" and "date-time" not in json.dumps(its)
    ]
    assert not times
    assert text.count('"date-time"') > 15
    asked = {one["name"]: one["schema"] for one in described["paths"]["/api/v1/games"]["get"]["parameters"]}
    for name, words in CHOICES.items():
        schema = schemas[asked[name]["$ref"].rpartition("/")[2]]
        assert tuple(schema["enum"]) == words, name
    assert "null" not in json.dumps(
        [parameter["schema"] for _, one in operations(described) for parameter in one.get("parameters", ())]
    )


@pytest.mark.parametrize("token", [None, "s3cret"])
def test_the_token_is_named(sqlite_template: Path, token: str | None) -> None:
    """Programs learn that a bearer's token is asked for, or may be sent."""
    with open_archive(sqlite_template) as archive:
        described = create_app(archive, Profile(), version="1", token=token).openapi()
    scheme = described["components"]["securitySchemes"]["bearer"]
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
    assert described["security"] == ([{"bearer": []}] if token else [{"bearer": []}, {}])
    assert described["paths"]["/api/v1/health"]["get"]["security"] == []
