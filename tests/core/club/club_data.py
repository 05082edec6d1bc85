"""Events and tables in numbers, with made-up names, and where the files of the same shape are."""

import csv
from pathlib import Path

from core.club.fesa_rating import PerformanceGame
from core.club.grades import Grade
from core.club.promotion import GradeStanding, Series

DATA = Path(__file__).parent / "data"


def rows_of(name):
    """The rows of a CSV file of the test data as dictionaries."""
    return list(csv.DictReader((DATA / name).read_text(encoding="utf-8").splitlines()))


def stored(*pairs):
    """Stored games from (rating, score) pairs."""
    return tuple(PerformanceGame(rating, score) for rating, score in pairs)


def standing(text, above_lower=0, above_middle=0, *, middle_seen=False):
    """A standing from "2 Kyu"."""
    level, kind = text.split()
    return GradeStanding(Grade(int(level), kind), Series(above_lower, above_middle, middle_seen))


# Everybody is new and has a recognised grade: name, grade, results, rating and games afterwards.
FIRST_EVENT = """
Rossi     5 Dan   0-  10+ 9-   2262 4
Bianchi   2 Dan   3-  4+  12+  1793 5
Verdi     2 Dan   2+  9-  0-   1926 4
Russo     2 Kyu   14- 2-  7+   1398 5
Ferrari   3 Dan   10- 17- 16+  1921 5
Esposito  3 Kyu   13- 12+ 14-  1336 5
Ricci     5 Kyu   15- 8-  4-   1012 5
Marino    5 Kyu   0-  7+  15-  1187 4
Greco     3 Dan   0-  3+  1+   2259 4
Bruno     4 Dan   5+  1-  17-  2101 5
Gallo     3 Dan   0-  0-  13+  2016 3
Conti     3 Kyu   16- 6-  2-   1215 5
Costa     4 Kyu   6+  15+ 11-  1487 5
Giordano  2 Kyu   4+  16- 6+   1531 5
Mancini   7 Kyu   7+  13- 8+   1242 5
Rizzo     4 Kyu   12+ 14+ 5-   1531 5
Lombardi  5 Dan   0-  5+  10+  2411 4
"""

# A later event: name, rating, games and games with bonus before; results; rating and games afterwards.
LATER_EVENT = """
Rossi     2299 25 17  12+ 0-  8+   2301 27
Bianchi   1493 26 18  10- 14+ 13+  1504 29
Verdi     1301 25 17  0-  11- 14-  1278 27
Russo     1590 41 33  13+ 5-  7-   1591 44
Ferrari   1977 36 28  7+  4+  12+  1990 39
Esposito  1681 28 21  0-  12- 0-   1677 29
Ricci     1661 29 21  5-  9+  4+   1676 32
Marino    1536 11 3   9+  10+ 1-   1562 14
Greco     1501 18 10  8-  7-  10+  1499 21
Bruno     1438 14 6   2+  8-  9-   1438 17
Gallo     1186 5  0   14+ 3+  15-  1320 8
Conti     1988 5  0   1-  6+  5-   1923 8
Costa     1621 5  0   4-  15+ 2-   1532 8
Giordano  0    0  0   11- 2-  3+   1273 5
Mancini   1518 4  0   0-  13- 11+  1481 6
"""

LATER_STORED = {
    "Gallo": stored((1410, 0), (1410, 1), (1198, 0), (1621, 0), (1988, 0)),
    "Conti": stored((1860, 0), (1860, 1), (1977, 1), (2299, 0), (1186, 1)),
    "Costa": stored((1620, 0), (1620, 1), (1681, 0), (1186, 1), (1505, 1)),
    "Mancini": stored((1740, 0), (1740, 1), (1388, 0), (1165, 1)),
}
"""The games of those who are still rated by performance."""

LATER_STANDINGS = {
    "Rossi": (standing("4 Dan", 8), standing("4 Dan", 10)),
    "Bianchi": (standing("3 Kyu", 7), standing("3 Kyu", 10)),
    "Verdi": (standing("5 Kyu", 8, middle_seen=True), standing("5 Kyu")),
    "Russo": (standing("2 Kyu", 5), standing("2 Kyu", 8)),
    "Ferrari": (standing("2 Dan", 19), standing("2 Dan", 22)),
    "Esposito": (standing("1 Kyu", 1), standing("1 Kyu")),
    "Ricci": (standing("1 Kyu"), standing("1 Kyu")),
    "Marino": (standing("4 Kyu"), standing("3 Kyu")),
    "Greco": (standing("3 Kyu", 1), standing("3 Kyu", 4)),
    "Bruno": (standing("5 Kyu"), standing("5 Kyu")),
}
"""Grades and games towards the next one, before and after the later event."""

SAMPLE = """
Rossi    1766 2+ 4+ 3+  1787
Bianchi  1315 1- 3+ 4+  1321
Verdi    850  4+ 2- 1-  852
Russo    1    3- 1- 2-  1
"""
SAMPLE_STORED = {
    "Rossi": stored((1740, 0), (1740, 1), (1315, 1), (400, 1), (850, 1)),
    "Bianchi": stored((1766, 0), (850, 1), (400, 1)),
    "Verdi": stored((400, 1), (1315, 0), (1766, 0)),
    "Russo": stored((850, 0), (1766, 0), (1315, 0)),
}

# A rated tournament as it was published: grade, rating ("*": after it), results, points, change, grade afterwards.
PUBLISHED = """
2 Dan  1887  16+  9- 13+  6+  5- 10+ 4  -14
2 Dan  1861  15+ 10- 14+  8+  9- 17- 3  -41
1 Dan  1813  14+  6+ 10+  9+  4+  5- 5  +23
1 Dan  1757  13+  5- 15+ 12+  3- 14- 3  -21
1 Kyu  1726  12+  4+  9- 10+  1+  3+ 5  +50  1 Dan
1 Dan  1698  11+  3- 16+  1- 13+  9+ 4  +19
1 Dan  1683  10- 17- 23+ 18+ 14- 19+ 3  -33
1 Kyu  1672   9- 18+ 17+  2- 15+ 16+ 4   +7
1 Kyu  1671   8+  1+  5+  3-  2+  6- 4  +52
1 Dan  1660   7+  2+  3-  5- 16+  1- 3  +17
2 Kyu  1611   6- 19- 24+ 17- 23+ 18+ 3  -25
1 Kyu  1583   5- 20+ 19+  4- 17- 21- 2  -37
1 Kyu  1563   4- 21+  1- 19+  6- 27+ 3   -2
3 Kyu  1509   3- 22+  2- 21+  7+  4+ 4  +68  2 Kyu
3 Kyu  1508   2- 23+  4- 22+  8- 25+ 3   -8
3 Kyu  1487   1- 24+  6- 25+ 10-  8- 2   -8
5 Kyu  1408  25+  7+  8- 11+ 12+  2+ 5 +146  3 Kyu
4 Kyu  1389  26+  8- 30+  7- 24+ 11- 3   +1
4 Kyu  1361  27+ 11+ 12- 13- 25+  7- 3  +39
4 Kyu  1308  28+ 12- 25- 31- 30+ 29- 2  -71
6 Kyu  1219  29+ 13- 28+ 14- 31+ 12+ 4  +73  5 Kyu
5 Kyu  1213  30+ 14- 31+ 15- 27- 23- 2  -20
7 Kyu  1080  31+ 15-  7- 28+ 11- 22+ 3  +51
9 Kyu  1062  32+ 16- 11- 30+ 18- 26+ 3  +26  8 Kyu
9 Kyu  1049  17- 29+ 20+ 16- 19- 15- 2  +57
-         1* 18- 30- 32- 29- 28- 24- 0
-      1145* 19- 31- 29+ 32+ 22+ 13- 3
-       793* 20- 32+ 21- 23- 26+ 31- 2
9 Kyu   956  21- 25- 27- 26+ 32+ 20+ 3  +73
10 Kyu  901  22- 26+ 18- 24- 20- 32- 1  -19
-       798  23- 27+ 22- 20+ 21- 28+ 3 +181  10 Kyu
14 Kyu  662  24- 28- 26+ 27- 29- 30+ 2  +70  12 Kyu
"""
