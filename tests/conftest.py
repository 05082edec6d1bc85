"""What all tests share."""

import os
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

HERE: Final = Path(__file__).parent

# How long an example takes says nothing on a busy machine.
settings.register_profile("gamekeeper", deadline=None, print_blob=True)
settings.register_profile("fuzz", settings.get_profile("gamekeeper"), max_examples=5000)
# On a further Python, and for a quick look: that it runs, not whether the rules are right for every example.
settings.register_profile("portable", settings.get_profile("gamekeeper"), max_examples=20)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gamekeeper"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the whole program, and mark what needs the PostgreSQL server.

    A soak of a minute that comes last is waited for by all processes but one. The server is needed by a fixture, or as
    one of two databases in turn.
    """
    items.sort(key=lambda item: item.path.parent != HERE)
    for item in items:
        databases = {"postgresql_server", "postgresql_url", "empty_database"}
        given = getattr(item, "callspec", None)
        if databases & set(getattr(item, "fixturenames", ())) or (
            given and "postgresql" in given.params.values()
        ):
            item.add_marker(pytest.mark.server)
