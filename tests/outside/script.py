"""The commands of the record, in their order: they build the archive, read it, and are used wrongly.

A line is a command as it is typed, with ``--json`` unless it begins with ``=`` (then what it prints counts byte for
byte). After `` <`` stands what is typed at its question. ``{folder}`` is the temporary folder.
"""

from typing import Final

BUILDING: Final = """
check-config
status
init --path {folder}/first.toml
init --path {folder}/first.toml
sync --account lichess:mrossi90
sync --account chesscom:rossi-mario
sync --dossier laura-bianchi --account lichess:laurabianchi
sync --account lichess:laurabianchi
sync --account chesscom:laura-bianchi
sync --dossier ghost
import {folder}/pgn
import {folder}/pgn
import {folder}/pgn --again
import {folder}/pgn/c_old.pgn --encoding cp850 --again
import {folder}/pgn/c_old.pgn --encoding cp1252 --again
import {folder}/nowhere.pgn
quarantine list
quarantine show 1
= quarantine show 1 --raw
quarantine retry --all
doubles list
doubles list --kind initial
doubles show 1
doubles same 1
doubles different 2
doubles accept-native --yes
edit game 1 --event "Spring open" --white-rating 1900 --date 2024.03
edit game 2 --result 0-1 --black-team "Club Nord"
edit player 10 --name "Zz, Renamed" --yes
edit games --player "Conti, Paola" --to "Conti, Paula"
edit games --player "Conti, Paola" --to "Conti, Paula" --yes
edits
edits undo 2
edits undo 99
edits
doubles list
"""
"""Sites, files, quarantine, near doubles, edits."""

CLUB: Final = """
club new Club championship --short vm24 --rounds 5 --city Roma --federation ITA --arbiter "Greco, Ida" --time-control "20min + 40sec" --begins 2024-02-06
club members import vm24 {folder}/members.csv
club members add vm24 "Ferri, Elio" 1485 --category U18 --nation ITA
club player remove vm24 ferri --yes
club members list vm24
club settings vm24
club settings vm24 excused
club settings vm24 --set planned_rounds=6 --set minimum_games=2
club settings vm24 --preset keizerforclubs --yes
club settings vm24 --set minimum_games=1
club settings --presets
club present vm24 --excused galli --club-duty conti
club present vm24
club pair vm24 --manual rossi bianchi --first-white
club pair vm24 --date 2024-02-06 --from 19:30 --to 23:30
club result vm24 1 1-0
club result vm24 2 1/2 3 0-1f
club collect vm24 < n
club standings vm24
club pair vm24 --date 2024-02-13
club result vm24 1 0-1 2 1-0 3 1-0 4 postponed --until 2024-02-15
club undo vm24 --show
club undo vm24 --yes
club undo vm24 --redo --yes
club player edit vm24 verdi --rating 1750 --category U18
club player terms vm24 conti --set club_duty_points=1/2 --yes
club player terms vm24 conti
club player edit vm24 galli --withdraw --from 3
club pair vm24 --date 2024-02-20
club result vm24 1 1/2 2 1-0 3 0-1
club result vm24 --round 2 4 1/2
club result vm24 --round 1 2 0-1 --yes
club group vm24 A --add rossi --add bianchi --add neri
club group vm24
club list
club rounds vm24
club result vm24 --round 2
club present vm24 --round 1
club standings vm24
club standings vm24 --round 1 --details
club standings vm24 --category U18
club standings vm24 --tie-breaks BH,SB
club crosstable vm24
club crosstable vm24 --round 2
club log vm24
club export trf vm24 -o {folder}/out/
club export turnering vm24 -o {folder}/out/
club export csv vm24 -o {folder}/out/table.csv
club export csv vm24 --pairings -o {folder}/out/pairings.csv
club export html vm24 -o {folder}/out/
club export source vm24 -o {folder}/out/
club new Shogi evening --short shogi24 --rounds 3 --city Pisa --federation IT --arbiter "Greco, Ida" --time-control "20min + 40sec" --fesa --begins 2024-03-05
club members add shogi24 "Rossi, Mario" 1700 --nation IT --grade "1 Dan" --known
club members add shogi24 "Verdi, Gino" 1450 --nation IT --grade "3 Kyu" --known
club members add shogi24 "Neri, Anna" 1310 --nation DE --grade "5 Kyu" --known
club members add shogi24 "Galli, Piero" 900 --nation IT --grade "12 Kyu" --new
club pair shogi24 --date 2024-03-05
club handicap shogi24 1 b
club result shogi24 1 1-0 2 0-1
club pair shogi24 --date 2024-03-12
club result shogi24 1 1-0 2 1-0
club standings shogi24
club export turnering shogi24 -o {folder}/out/turnering.txt
club check {folder}/out/turnering.txt
club check {folder}/out/vm24.trf
club import {folder}/out/vm24.trf --short again --dry-run
club import {folder}/out/vm24.trf --short again --yes
club export source again -o {folder}/out/source.trf
club import {folder}/out/turnering.txt --short fesa --yes
club standings again
club crosstable again
club rate vm24 --fide --list {folder}/fide.csv --date 2024-02-27 --details
club rate {folder}/out/vm24.trf --dwz --list {folder}/dwz.csv
club rate shogi24 --fesa --list {folder}/fesa.csv --details --write {folder}/out/fesa-next.csv
club new Next season --short vm25 --after vm24 --begins 2025-02-04
club members list vm25
club list
"""
"""Two evenings' tournaments, one of them of shogi, and one from a report; with exports and ratings."""

READING: Final = """
status
search ros
search "ros mar" --limit 1
search nobodyatall
games --limit 3
games ros neri
games --mine --result 1-0 --limit 5
games --dossier laura-bianchi --colour white --limit 5
games --odd any
games --source file
games --from 2024-01 --to 2024-01-06
games --variant chess960
game 1
= game 1 --pgn
game 71
= game 71 --pgn --telling 1
game 70
dossier list
dossier show laura-bianchi
dossier show ghost
dossier check
dossier check --offline
dossier add "Neri, Anna"
edits --limit 1
doubles list
quarantine list --limit 1
explain name "ROSSI,Mario"
explain name mrossi90 --online
explain name "Öberg, Åke" --fide-id 999000017
explain name "?"
explain games 1 2
explain games 1 1
explain games {folder}/pgn/a_club.pgn {folder}/pgn/b_near.zip
verify
backup --to {folder}/backups
export --format pgn -o {folder}/out/all.pgn
export --format ndjson -o {folder}/out/all.ndjson
export --format csv -o {folder}/out/all.csv
export --mine --source file -o {folder}/out/mine.pgn
= export --dossier laura-bianchi --source file -o -
quarantine drop 1 --yes
quarantine list
check-config
"""
"""What prints without changing, but for the last lines."""

WRONG: Final = """
nosuchcommand
games --nosuchoption
games --result maybe
games --from yesterdayish
games --limit 0
games --dossier nobody
games --account nosuchsite:me
games --variant draughts
game
game x
game 9999
game 1 --telling 9
search
sync --account lichess:somebodyelse
sync --account nonsense
sync --dossier nobody
import
export --format docx
export -o {folder}/out/all.pgn
edit game 9999 --event x
edit game 1
edit game 1 --result maybe
edit player 9999 --name x --yes
edits undo
edits undo 9999
doubles show 9999
doubles same 9999
dossier show nobody
dossier check nobody
quarantine show 9999
quarantine drop 9999 --yes
quarantine edit 9999
explain games 1 9999
restore {folder}/nothing.sqlite --yes
init --path {folder}/gamekeeper.toml
club standings nobody
club standings vm24 --round 99
club result vm24 99 1-0
club result vm24 1 2-0
club pair nobody
club present vm24 --excused nobody
club members add vm24 "Rossi, Mario" 1840
club new Club championship --short vm24
club settings vm24 --set nosuch=1
club check {folder}/pgn/a_club.pgn
club import {folder}/pgn/a_club.pgn --yes
club export trf vm24 -o {folder}/out/vm24.trf
club rate vm24 --fide --dwz
club rate nobody --fide
"""
"""Wrong use, and what is not there."""
