"""What all tests share."""

from hypothesis import settings

# How long an example takes says nothing on a busy machine.
settings.register_profile("gamekeeper", deadline=None, print_blob=True)
settings.load_profile("gamekeeper")
