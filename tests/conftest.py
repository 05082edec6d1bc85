"""What all tests share."""

import os

from hypothesis import settings

# How long an example takes says nothing on a busy machine.
settings.register_profile("gamekeeper", deadline=None, print_blob=True)
settings.register_profile("fuzz", settings.get_profile("gamekeeper"), max_examples=5000)
# On a further Python: that it runs there, not whether the rules are right.
settings.register_profile("portable", settings.get_profile("gamekeeper"), max_examples=20)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gamekeeper"))
