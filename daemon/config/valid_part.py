"""The rest of a faulty file without its wrong values, so that it can be checked too."""

from daemon.config.models import KEYS
from daemon.config.toml_positions import Location


class ValidPart:
    """A copy of the data without some places, but valid, and the way back to the places of the file.

    What a table needs and now lacks is filled in with a text that stands nowhere else.
    """

    def __init__(self, wrong: set[Location]) -> None:
        self._wrong = wrong
        self._indices: dict[Location, list[int]] = {}

    def of(self, data: object, at: Location = ()) -> object:
        """The copy of *data*, which is at this place."""
        if isinstance(data, dict):
            kept = {
                key: self.of(value, (*at, key))
                for key, value in data.items()
                if (*at, key) not in self._wrong
            }
            return _needed(at) | kept
        if isinstance(data, list):
            self._indices[at] = [index for index in range(len(data)) if (*at, index) not in self._wrong]
            return [self.of(data[index], (*at, index)) for index in self._indices[at]]
        return data

    def original(self, location: Location) -> Location:
        """Where in the file something of the copy is."""
        way: Location = ()
        for part in location:
            indices = self._indices.get(way)
            way = (*way, indices[part] if indices is not None and isinstance(part, int) else part)
        return way


def _needed(at: Location) -> dict[str, object]:
    """The keys that the table at this location must have."""
    table = KEYS.get(tuple(part for part in at if isinstance(part, str)))
    fields = table.model_fields.items() if table else ()
    mark = "-".join(map(str, at))
    return {name: f"missing-{mark}" for name, field in fields if field.is_required()}
