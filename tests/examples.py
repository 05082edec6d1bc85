"""How many examples a property test tries: as many as it says, and fifty times as many under `make fuzz`."""

import os
from typing import Any, Final

from hypothesis import settings

FUZZING: Final = os.environ.get("HYPOTHESIS_PROFILE") == "fuzz"
_MORE: Final = 50 if FUZZING else 1


def examples(count: int, **other: Any) -> settings:
    """The settings of a property test of *count* examples; *other* are those of hypothesis."""
    return settings(max_examples=count * _MORE, **other)
