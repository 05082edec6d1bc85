"""`gamekeeper init --ask`: a configuration made of answers."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from daemon.cli import main
from daemon.config import Config
from daemon.config.first_answers import Answers
from daemon.config.validation import validate

CONTACT = "mrossi90@club-roma.it"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the command is given."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ask(*answers: str) -> Result:
    return CliRunner().invoke(main, ["init", "--ask"], input="\n".join((*answers, "")))


def test_the_answers_become_the_configuration(folder: Path) -> None:
    """Contact, name, accounts and an opponent are in the file, which only its owner may read."""
    result = ask(
        CONTACT,
        "Mario",
        "Rossi",
        "lichess:mrossi90, chesscom:rossi-mario",
        "Bianchi, Luca",
        "lichess:BianchiL",
    )
    assert result.exit_code == 0, result.output
    file = folder / "gamekeeper.toml"
    assert file.stat().st_mode & 0o777 == 0o600
    config = Config.load(file)
    assert config.daemon.contact == CONTACT
    assert (config.me.first_name, config.me.last_name) == ("Mario", "Rossi")
    assert {account.key for account in config.accounts()} == {
        "lichess:mrossi90",
        "chesscom:rossi-mario",
        "lichess:bianchil",
    }
    assert [(dossier.name, dossier.names) for dossier in config.dossiers()] == [
        ("Bianchi, Luca", ("Bianchi, Luca",))
    ]


def test_what_is_left_out_is_not_in_the_file(folder: Path) -> None:
    """Only the contact is wanted; Enter passes over all other questions, and no opponent is made up."""
    assert ask(CONTACT, "", "", "", "").exit_code == 0
    config = Config.load(folder / "gamekeeper.toml")
    assert config.accounts() == ()
    assert config.dossiers() == ()


def test_a_wrong_answer_is_asked_for_again(folder: Path) -> None:
    """With the reason; what was right before is kept."""
    result = ask(CONTACT, "", "", "lichss:mrossi90", "lichess:mrossi90", "")
    assert result.exit_code == 0, result.output
    assert "unknown site" in result.stderr
    assert "did you mean lichess?" in result.stderr
    assert [account.key for account in Config.load(folder / "gamekeeper.toml").accounts()] == [
        "lichess:mrossi90"
    ]


def test_nothing_is_asked_where_a_file_is(folder: Path) -> None:
    """A configuration that is there is kept, and said before the first question."""
    (folder / "gamekeeper.toml").write_text("# mine")
    result = ask(CONTACT)
    assert result.exit_code == 1
    assert "--force" in result.stderr
    assert "e-mail" not in result.stderr
    assert (folder / "gamekeeper.toml").read_text() == "# mine"


def test_an_end_in_the_middle_writes_nothing(folder: Path) -> None:
    """Ctrl-C or the end of the input leaves no file."""
    assert ask(CONTACT, "Mario").exit_code != 0
    assert not (folder / "gamekeeper.toml").exists()


@given(st.text(), st.text(), st.text())
def test_any_answer_is_written_as_it_is_or_refused(contact: str, first_name: str, opponent: str) -> None:
    """Quotes, control characters, whatever: never a file that says something else."""
    answers = Answers(contact=contact, first_name=first_name, opponent=opponent)
    validation = validate(answers.toml().encode(errors="surrogatepass"), "", Path("/"))
    if validation.tables is not None:
        assert validation.tables.me.first_name == first_name.strip()
        assert [dossier.name for dossier in validation.tables.dossier] == (
            [opponent.strip()] if opponent else []
        )
