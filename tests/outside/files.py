"""The files that the archive of the record is made of: made-up games, a members' list, lists of ratings, a report."""

import gzip
import io
import zipfile
from pathlib import Path
from typing import Final

from tests.fetchers.site_emulator.emulator import LICHESS, Emulator
from tests.fetchers.site_emulator.sample import ME, RIVALS
from tests.fetchers.site_emulator.values import Game

CLUB: Final = """\
[Event "Club championship"]
[Site "Roma ITA"]
[Date "2023.11.05"]
[Round "3"]
[White "ROSSI,Mario"]
[Black "Neri, Anna"]
[Result "1-0"]
[WhiteFideId "999000017"]
[WhiteElo "1840"]
[BlackElo "1790"]
[WhiteTeam "Torre Roma"]
[BlackTeam "Alfiere Pisa"]
[ECO "C84"]
[Annotator "Verdi, G."]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 {the usual} 4. Ba4 Nf6 5. O-O Be7 (5... Nxe4 6. d4) 6. d4 $1 1-0

[Event "Club championship"]
[White "Verdi, Gino"]
[Black "Rossi, Mario"]
[Result "0-1"]

1. e4 e5 2. Nf3 Nxe9 0-1

[Event "Club championship"]
[Site "Roma ITA"]
[Date "05.12.2023"]
[Round "?"]
[White "Conti, Paola"]
[black "Conti, Paola"]
[WhiteElo "strong"]
[WhiteFideId "none"]
[Result "1-0"]

1. d4 d5 2. c4 e6 0-1

[Event "Freestyle evening"]
[Site "Pisa"]
[Date "2023.12.??"]
[White "O'Neill, Zoe"]
[Black "Mueller, Joerg"]
[WhiteTitle "WIM"]
[Result "1/2-1/2"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"]

1. Nf3 Nf6 2. g3 O-O 1/2-1/2

[Event "Open"]
[Site "Torino"]
[Date "2024.01.06"]
[Round "1"]
[White "Bianchi, Laura"]
[Black "Galli, Piero"]
[Result "1-0"]
[TimeControl "5400+30"]
[EventDate "2024.01.05"]

1. c4 e5 2. Nc3 Nf6 3. g3 d5 4. cxd5 Nxd5 5. Bg2 Nb6 6. Nf3 Nc6 1-0

[Event "Open"]
[Site "Torino"]
[Date "2024.01.07"]
[Round "2"]
[White "Rossi, Mario"]
[Black "Bianchi, Laura"]
[Result "*"]

1. d4 Nf6 2. c4 g6 3. Nc3 Bg7 4. e4 d6 *
"""
NEAR_DOUBLES: Final = """\
[Event "Open"]
[Site "Torino"]
[Date "2024.01.06"]
[Round "1"]
[White "Bianchi, L."]
[Black "Galli, Piero"]
[Result "1-0"]

1. c4 e5 2. Nc3 Nf6 3. g3 d5 4. cxd5 Nxd5 5. Bg2 Nb6 6. Nf3 Nc6 1-0

[Event "Open"]
[Site "Torino"]
[Date "2024.01.07"]
[Round "2"]
[White "Rossi, Mario"]
[Black "Bianchi, Laura"]
[Result "1/2-1/2"]

1. d4 Nf6 2. c4 g6 3. Nc3 Bg7 4. e4 d6 5. Nf3 O-O 1/2-1/2

[Event "Club championship"]
[Site "Roma ITA"]
[Date "2023.11.05"]
[Round "3"]
[White "Rossi, Mario"]
[Black "Neri, Anna"]
[Result "1-0"]
[WhiteFideId "999000017"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. d4 1-0
"""
OLD_ENCODING: Final = """\
[Event "Höstcupen"]
[Site "Malmö"]
[Date "2022.10.01"]
[White "Öberg, Åke"]
[Black "Rossi, Mario"]
[Result "0-1"]

1. e4 c5 {överraskning} 2. Nf3 d6 0-1
"""
PACKED: Final = """\
[Event "Simultaneous"]
[Date "1999.??.??"]
[White "Carlsen, Magnus"]
[Black "NN"]
[Result "1-0"]

1. f3 e5 2. g4 Qh4# 1-0

[Event "Cut"]
[Date "2001.02.03"]
[White "Ferri, Elio"]
[Black "Greco, Ida"]

1. Nf3 Nf6 2. g3
"""
MEMBERS: Final = f"""name,rating,category,handles
"Bianchi, Laura",2210,,lichess:{RIVALS[LICHESS]}
"Rossi, Mario",1840,,lichess:{ME[LICHESS]}
"Neri, Anna",1790,,
"Verdi, Gino",1735,,
"O'Neill, Zoë",1690,U18,
"Müller, Jörg",1655,,
"Conti, Paola",1600,,
"Galli, Piero",1540,U18,
"""
FIDE_LIST: Final = """name,rating,games,born
"Bianchi, Laura",2210,200,1990
"Rossi, Mario",1840,31,1980
"Neri, Anna",1790,12,2009
"Verdi, Gino",1735,40,1970
"""
DWZ_LIST: Final = """name,dwz,born
"Bianchi, Laura",2150-40,1990
"Rossi, Mario",1780-12,1980
"Neri, Anna",1700-3,2009
"Verdi, Gino",1690-22,1970
"""
FESA_LIST: Final = """name,rating,games,grade
"Rossi Mario",1700,40,1 Dan
"Verdi Gino",1450,22,3 Kyu
"Neri Anna",1310,5,5 Kyu
"""


def write_games(folder: Path, sites: Emulator) -> None:
    """A folder of games: plain, packed in two ways, in an old encoding, and one that a site tells of too."""
    folder.mkdir()
    (folder / "a_club.pgn").write_text(CLUB)
    (folder / "b_near.zip").write_bytes(_zipped("near/doubles.pgn", NEAR_DOUBLES))
    (folder / "c_old.pgn").write_bytes(OLD_ENCODING.encode("cp1252"))
    (folder / "d_packed.pgn.gz").write_bytes(gzip.compress(PACKED.encode(), mtime=0))
    (folder / "e_lichess.pgn").write_text(sites.lichess_export(_of_both(sites)))


def write_lists(folder: Path) -> None:
    """What `gamekeeper club` reads."""
    for name, text in {
        "members.csv": MEMBERS,
        "fide.csv": FIDE_LIST,
        "dwz.csv": DWZ_LIST,
        "fesa.csv": FESA_LIST,
    }.items():
        (folder / name).write_text(text)


def _zipped(name: str, text: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as written:
        written.writestr(zipfile.ZipInfo(name, (2024, 1, 8, 12, 0, 0)), text)
    return packed.getvalue()


def _of_both(sites: Emulator) -> Game:
    """The first ordinary game that the user and the opponent of the dossier have played on lichess."""
    both = {ME[LICHESS].lower(), RIVALS[LICHESS].lower()}
    return next(
        game
        for game in sites.world.games(LICHESS, ME[LICHESS])
        if {seat.name.lower() for seat in (game.white, game.black)} == both
        and game.variant == "standard"
        and game.status in {"mate", "resign", "draw", "outoftime"}
    )
