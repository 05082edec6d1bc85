"""Where the keys of a TOML text stand."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.config.toml_positions import Location, TomlPosition, TomlPositions

TEXT = '''# a comment with [brackets] = "signs"
top = 1
[daemon] # behind
  data_dir = "a # b ] \\" c"
"quoted key".'x.y' . z = 2
text = """
[no] = "table"
key = "none" \\""" still
"""
literal = \'\'\'
[[none]]\'\'\'
[[dossier]]
names = [ "a", # one, two ]
  'b,]',
  ["c", "d"],
]
[[dossier]]
inline = { every = "6h", list = [1, 2], deep = { x = 1979-05-27T07:32:00Z } }
[dossier.below]
key = 1.5
[sites.lichess]
every = "30m"
'''

PLACES = {
    ("top",): (2, 1),
    ("daemon",): (3, 1),
    ("daemon", "data_dir"): (4, 3),
    ("daemon", "quoted key"): (5, 1),
    ("daemon", "quoted key", "x.y", "z"): (5, 1),
    ("daemon", "text"): (6, 1),
    ("daemon", "literal"): (10, 1),
    ("dossier", 0): (12, 1),
    ("dossier", 0, "names"): (13, 1),
    ("dossier", 0, "names", 0): (13, 11),
    ("dossier", 0, "names", 1): (14, 3),
    ("dossier", 0, "names", 2, 1): (15, 9),
    ("dossier", 1): (17, 1),
    ("dossier", 1, "inline", "every"): (18, 12),
    ("dossier", 1, "inline", "list", 1): (18, 37),
    ("dossier", 1, "inline", "deep", "x"): (18, 50),
    ("dossier", 1, "below"): (19, 1),
    ("dossier", 1, "below", "key"): (20, 1),
    ("sites", "lichess", "every"): (22, 1),
}


@pytest.mark.parametrize(("location", "place"), PLACES.items(), ids=str)
def test_a_key_has_its_line_and_column(location: Location, place: tuple[int, int]) -> None:
    """Every way of writing TOML leads to the place of the key."""
    tomllib.loads(TEXT)
    assert TomlPositions(TEXT).of(location) == TomlPosition(*place)


def test_what_is_missing_has_the_place_around_it() -> None:
    """A key that is not there is shown at the table in which it is missing."""
    assert TomlPositions(TEXT).of(("dossier", 1, "name")) == TomlPosition(17, 1)
    assert TomlPositions(TEXT).of(("nothing",)) == TomlPosition(1, 1)


_VALUES = st.recursive(
    st.sampled_from(
        ['"text"', "'#]'", '"""\n[x]\n"""', "1", "-0.5", "true", "1979-05-27", '"\\""', "''", '""""q""""']
    ),
    lambda below: st.lists(below, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
    max_leaves=6,
)


@given(st.lists(_VALUES, min_size=1, max_size=8))
def test_every_key_is_found_whatever_stands_before_it(written: list[str]) -> None:
    """A value never hides the keys after it."""
    text = "".join(f"k{number} = {value}\n" for number, value in enumerate(written))
    tomllib.loads(text)
    places = TomlPositions(text)
    for number in range(len(written)):
        offset = text.index(f"k{number} = ")
        assert places.of((f"k{number}",)) == TomlPosition(text.count("\n", 0, offset) + 1, 1)
