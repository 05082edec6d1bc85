"""How many examples a property test tries: as many as it says, fewer under `make portable`, many more under `make fuzz`."""

import os
from typing import Any, Final

from hypothesis import settings

_PROFILE: Final = os.environ.get("HYPOTHESIS_PROFILE", "gamekeeper")
_SCALE: Final = {"fuzz": 50.0, "portable": 0.2}.get(_PROFILE, 1.0)
FUZZING: Final = _PROFILE == "fuzz"


def examples(count: int, **other: Any) -> settings:
    """The settings of a property test of *count* examples; *other* are those of hypothesis."""
    return settings(max_examples=max(1, round(count * _SCALE)), **other)
