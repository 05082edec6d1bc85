"""Whatever is in a configuration, loading it ends in a configuration or in messages."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from daemon.config import Config, ConfigErrors
from daemon.config.models import KEYS
from daemon.config.validation import validate
from tests.examples import examples

WHOLE = """
[daemon]
data_dir = "data"
contact = "mario@example.org"
database = "postgresql://u@h/n"
[api]
listen = "127.0.0.1:8470"
token_file = "token"
[me]
first_name = "Mario"
last_name = "Rossi"
fide_id = 12345
aliases = ["Rossi M.", "lichess:MRossi90", "https://lichess.org/@/Mario_R"]
accounts = ["chesscom:rossi-mario"]
[[dossier]]
name = "Anna Bianchi"
names = ["Bianchi, Anna"]
accounts = ["lichess:bianchi"]
every = "10m"
[[pgn]]
path = "pgn"
watch = true
[[broadcast]]
id = "Broadca1"
every = "15m"
[[study]]
id = "Study001"
[[arena]]
id = "Arena001"
[[swiss]]
id = "Swiss001"
[[tournament]]
id = "torneo"
[[club]]
id = "circolo"
[backup]
every = "1d"
keep = 7
folder = "backups"
[sites.lichess]
every = "30m"
base_url = "https://lichess.org"
token_file = "token"
[sites.chesscom]
every = "60m"
"""
LINES = WHOLE.splitlines()
HEADERS = [line for line in LINES if line.startswith("[")]
ODD_VALUES = st.sampled_from(
    [
        "5", "-1", "true", "1.5", "inf", "1979-05-27", "07:32:00", '""', '"?"', '"\\u0000"', '"\\\\"', "[]", "[[]]",
        "[1]", '["a", ["b"]]', "{}", "{a = {b = [{}]}}", '"~nobody-here/x"', '"lichess:"', '"icc:mrossi"', "'''\n'''",
        '"https://u:p@x/"', '"5m"', '"http://[::1"', '"unix:x"', '"\U0001f600"', "0x10", "9" * 5000, '"' + "a" * 5000 + '"',
    ]
)  # fmt: skip
KEY_NAMES = st.sampled_from(
    sorted({key for table in KEYS.values() for key in table.model_fields} | {"x", '"a.b"', "a.b"})
)


@st.composite
def _mutated(draw: st.DrawFn) -> str:
    """The whole configuration with a few lines lost, doubled, changed or strewn in."""
    lines = list(LINES)
    for _ in range(draw(st.integers(1, 5))):
        at = draw(st.integers(0, len(lines) - 1))
        match draw(st.sampled_from(["lose", "double", "value", "add", "header", "characters"])):
            case "lose":
                del lines[at]
            case "double":
                lines.insert(at, lines[at])
            case "value":
                lines[at] = f"{lines[at].partition('=')[0]}= {draw(ODD_VALUES)}"
            case "add":
                lines.insert(at, f"{draw(KEY_NAMES)} = {draw(ODD_VALUES)}")
            case "header":
                lines.insert(
                    at, draw(st.sampled_from([*HEADERS, "[[me]]", "[dossier]", "[study.x]", "[[sites]]"]))
                )
            case _:
                lines[at] = lines[at][:3] + draw(st.text(max_size=3)) + lines[at][3:]
        lines = lines or [""]
    return "\n".join(lines)


@examples(150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=_mutated())
def test_a_mutated_configuration_gives_messages(tmp_path: Path, text: str) -> None:
    """Each problem has a message, a place within the file, and nothing else comes out of it."""
    content = text.encode("utf-8", "surrogatepass")
    validation = validate(content, "gamekeeper.toml", tmp_path)

    assert validation.tables is not None or validation.problems
    for problem in (*validation.problems, *validation.hints):
        assert problem.message
        assert 0 <= problem.line <= len(text.replace("\r\n", "\n").split("\n"))


@examples(50, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=_mutated())
def test_mistakes_come_all_at_once(tmp_path: Path, text: str) -> None:
    """Two dossiers of one name are told together with whatever else is wrong."""
    twice = text + '\n[[dossier]]\nname = "Carla Neri"\n[[dossier]]\nname = "Carla  NERI"\n'
    validation = validate(twice.encode("utf-8", "surrogatepass"), "gamekeeper.toml", tmp_path)
    readable = all(
        "cannot be read" not in one.message and "not TOML" not in one.message for one in validation.problems
    )
    if readable and isinstance(_data(twice).get("dossier"), list):
        assert any('the address "carla-neri"' in one.message for one in validation.problems)


def _data(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except ValueError:
        return {}


@pytest.mark.parametrize("table", ["broadcast", "study", "arena", "swiss", "tournament", "club"])
def test_an_event_without_an_id_is_said(tmp_path: Path, table: str) -> None:
    """Every kind of event needs one."""
    validation = validate(f"[[{table}]]\nevery = '15m'\n".encode(), "x", tmp_path)

    assert f"id is missing in [[{table}]]" in [problem.message for problem in validation.problems]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        ("a = " + "{a = " * 5000 + "1" + "}" * 5000, "nested too deeply"),
        ("[me]\nnames = " + "[" * 300 + "]" * 300, "unknown key names"),
        ("[me]\nfide_id = " + "9" * 5000, "cannot be read"),
        ("[[pgn]]\npath = '/" + "a/" * 500_000 + "'", "longer than any system allows"),
        ("[[pgn]]\npath = '" + "a" * 300 + "'", "longer than any system allows"),
        ("[daemon]\ndata_dir = '" + "a" * 1_000_000 + "'", "longer than any system allows"),
        ("[api]\ntoken_file = '" + "a" * 300 + "'", "longer than any system allows"),
        ("[api]\nlisten = 'unix:/" + "a" * 300 + "'", "longer than the 107 bytes"),
        ("[me]\naliases = ['lichess:" + "ä" * 100_000 + "']", "is not a handle"),
    ],
    ids=range(10),
)
def test_what_no_program_can_use(tmp_path: Path, text: str, said: str) -> None:
    """Depth, length and size have bounds, and they are said."""
    (problem, *_) = validate(text.encode(), "gamekeeper.toml", tmp_path).problems

    assert said in problem.message
    assert len(str(problem)) < 600


@pytest.mark.parametrize(
    "text",
    [
        '[sites.lichess]\nbase_url = "https://mario:geheim@lichess.org"',
        '[sites.lichess]\nbase_url = "htps://mario:geheim@x"',
        '[sites.chesscom]\nbase_url = "mario:geheim@api.chess.com"',
        '[api]\nlisten = "mario:geheim@127.0.0.1:8470"',
        '[me]\naccounts = ["https://mario:geheim@lichess.org/study/x"]',
        '[me]\naliases = ["https://mario:ge/geheim@lichess.org/study/x"]',
        '[[study]]\nid = "https://mario:geheim@lichess.org/study/??"',
        '[sites.lichess]\ntoken_file = "lip_geheim"',
        '[daemon]\ndatabase = "mysql://mario:geheim@host/games"',
        '[daemon]\ncontact = "https://mario:geheim@host"',
    ],
)
def test_no_message_shows_a_secret(tmp_path: Path, text: str) -> None:
    """A password or token in a wrong place is not printed with what is said of it."""
    file = tmp_path / "gamekeeper.toml"
    file.write_text(text)

    with pytest.raises(ConfigErrors) as raised:
        Config.load(file)

    assert raised.value.problems
    assert "geheim" not in str(raised.value)
