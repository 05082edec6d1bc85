"""What is blank: the splitter, the reader and the writer of PGN agree."""

import re
import sys

import pytest

from core import blanks
from core.game import Game
from core.pgn import reader
from core.pgn.writer import standing_alone, with_tags

SIGNS = [*blanks.CHARACTERS, "ï»¿", "\r\n", "\f\n", "\xa0\xa0"]


def test_bytes_and_text_agree():
    """Every character is blank in both or in none, and all white space of Unicode is."""
    one = re.compile(f"[{blanks.BLANK}]")
    for character in map(chr, range(sys.maxunicode + 1)):
        if "\ud800" <= character <= "\udfff":
            continue
        blank = one.fullmatch(character) is not None
        assert blank == (not blanks.plain(character.encode()).strip()), hex(ord(character))
        assert blank >= character.isspace(), hex(ord(character))


@pytest.mark.parametrize("line", ["à", '[White "à"]', "Ⱶ À Ġ", "1-0\u2009", "“x”", "人"])
def test_letters_are_not_blank(line):
    """A byte that is a blank in cp1252 is a part of letters in UTF-8: nothing but the blanks changes, and no length."""
    raw = line.encode()
    plain = blanks.plain(raw)
    assert len(plain) == len(raw)
    assert plain.decode().split() == line.split()


@pytest.mark.parametrize("sign", SIGNS, ids=ascii)
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_blanks_between_tags_and_games(sign, encoding):
    """Wherever one stands around tags, lines and games, there are the same games with all their tags."""
    inside = "" if sign == blanks.FALSE_MARK or set(sign) & {"\r", "\n"} else sign
    text = (
        f'~[Event "A"]~\n~[White "Rossi, Anna"]~\n[{inside}Black{inside} "Verdi"{inside}]~\n~[Result "1-0"] ~ [Round "1"]~\n~\n'
        "1. e4 e5 1-0~\n~\n~"
    )
    try:
        raw = (text * 2).replace("~", sign).encode(encoding)
    except UnicodeEncodeError:
        pytest.skip("this encoding has no such sign")
    found = list(reader.read(raw))
    assert [isinstance(one, Game) for one in found] == [True, True], found
    for one in found:
        assert isinstance(one, Game)
        assert dict(one.tags) == {
            "Event": "A",
            "White": "Rossi, Anna",
            "Black": "Verdi",
            "Result": "1-0",
            "Round": "1",
        }
        assert (one.moves, one.oddities) == (("e2e4", "e7e5"), ())
        (again,) = reader.read(standing_alone(with_tags(one.raw, {"Round": "2"})))
        assert isinstance(again, Game)
        assert (again.moves, again.white, again.round) == (one.moves, one.white, "2")
