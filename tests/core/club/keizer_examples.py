"""The worked examples E1-E6 of the club rules and eleven tournaments that never come to rest, with neutral ids."""

from dataclasses import replace
from fractions import Fraction

from core.club.keizer_settings import KeizerSettings
from core.club.tournament import Player
from tests.core.club.notation import evenings

PLAIN = KeizerSettings(absence="fraction", last_round="normal", newcomers="points")
"The default without what only the document's own formula has."


def seeded(count):
    """Players "1", "2", … in this start order."""
    return [Player(str(number), 2000 - number, seed=number) for number in range(1, count + 1)]


# E1, a test tournament of a Keizer program with everything in it; 12 has withdrawn.
E1_RATINGS = {
    "1": 1668,
    "2": 1786,
    "3": 1891,
    "4": 1816,
    "6": 1154,
    "7": 1430,
    "10": 1026,
    "12": 1100,
    "13": 1261,
}
E1_PLAYERS = [Player(i, rating, withdrawn=6 if i == "12" else None) for i, rating in E1_RATINGS.items()]
E1_ROUNDS = evenings("""
4:3= 1:2+ 6:13+ 7e 12b 10e
3:1+ 6:4+ 2:12+ 13:10+ 7e
3:6+ 4:1+ 2:7+ 10:12+ 13b
2:3- 7:6+ 10:4- 12:13+ 1b
7:3= 1:6= 13:10< 4u 2c
""")
E1_SETTINGS = replace(
    PLAIN,
    valuation="lagged",
    excused=Fraction("0.35"),
    unexcused=Fraction("0.05"),
    club_duty=Fraction("0.7"),
)
E1_TABLES = [
    "1:15 3:14.5 4:14 6:9 7:8.1 2:8 13:5 10:4.05",
    "3:23 6:19 1:15 4:12.5 7:10.2 2:8.75 13:7 10:4.05",
    "3:30.5 4:20 6:20 2:14.75 1:13 7:10.2 13:9 10:6.3",
    "3:35.5 4:23 6:21 2:17.25 7:16.5 1:16 13:9 10:6.3",
    "3:37.5 6:23.5 7:23.2 2:23.15 4:22.45 1:18.5 10:10.3 13:9",
]
# What the program stored for each game and absence of the five rounds, in its last table.
E1_CREDITS = [
    "4:5 3:4.5 1:7 2:0 6:4 13:0 7:2.1 10:1.05",
    "3:5 1:0 6:9 4:0 2:5.25 13:3 10:0 7:2.1",
    "3:8 6:0 4:5 1:0 2:6 7:0 10:2.25 13:2",
    "2:0 3:7 7:8 6:0 10:0 4:3 13:0 1:2.5",
    "7:5 3:3 1:4 6:2.5 13:0 10:4 4:0.45 2:4.9",
]

# E2-E4: one published round each, (start order, top value, round, tables by valuation).
ONE_ROUND = {
    "E2 fixpoint": (
        16,
        80,
        "1:10+ 11:2- 3:12+ 9:8= 13:4- 5:14+ 6:15+ 16:7-",
        "fixpoint",
        "1:151 2:149 3:147 4:145 5:143 6:141 7:139 8:109 9:108.5 10:71 11:70 12:69 13:68 14:67 15:66 16:65",
    ),
    "E3 single pass": (
        10,
        50,
        "1:2+ 3:4= 5:6- 7:8= 9:10-",
        "lagged",
        "1:99 6:91 10:83 3:71.5 4:71 7:65.5 8:65 2:49 5:46 9:42",
    ),
    "E3 fixpoint": (
        10,
        50,
        "1:2+ 3:4= 5:6- 7:8= 9:10-",
        "fixpoint",
        "1:93 6:91 10:89 3:70 4:69.5 7:67 8:66.5 2:43 5:42 9:41",
    ),
    "E4 single pass": (6, 7, "2:1= 4:3- 6:5+", "lagged", "1:10 2:9.5 3:9 6:5 4:4 5:3"),
    "E4 fixpoint": (6, 7, "2:1= 4:3- 6:5+", "fixpoint", "1:10 2:9.5 3:8 6:6 4:3 5:2"),
}

# E2 once more, from the order of ratings.
E2_RATINGS = [1900, 2123, 2023, 1600, 1568, 1250, 1150, 1303, 1768, 1346, 1465, 1435, 1186, 1128, 1050, 538]
E2_BY_RATING = (
    "2:151 3:149 1:147 4:145 5:143 6:141 7:139 9:109 8:108.5 11:71 12:70 10:69 13:68 14:67 15:66 16:65"
)

# E5: twelve players, seven evenings with absences; computed by two other programs in six settings.
E5_RATINGS = [2050, 1985, 1920, 1870, 1815, 1760, 1702, 1655, 1590, 1525, 1460, 1380]
E5_PLAYERS = [Player(str(number), rating) for number, rating in enumerate(E5_RATINGS, start=1)]
E5_ROUNDS = evenings("""
1:3+ 4:5= 6:7- 8:9= 10:12- 2e 11u
7:1- 2:4+ 12:3- 6:10= 11b 5c 8u 9c
5:2= 3:9= 4:7+ 8:6- 11:10- 1u 12e
2:1= 9:5= 12:6- 8:11= 3c 7c 10u 4e
9:2- 1:5= 3:4= 7:10+ 11:8= 12b 6e
4:1+ 5:3- 7:6+ 8:11+ 10b 2e 9c 12u
4:2- 3:7= 6:5- 10:9+ 11:12= 8b 1u
""")
_E5 = replace(
    PLAIN,
    base=Fraction(17),
    excused=Fraction("0.35"),
    unexcused=Fraction("0.05"),
    club_duty=Fraction("0.7"),
)
_THIRDS = replace(
    PLAIN,
    base=Fraction(17),
    bye=Fraction(2, 3),
    excused=Fraction(1, 3),
    unexcused=Fraction(1, 3),
    club_duty=Fraction(2, 3),
    paid_absences=5,
)
FREEKEIZER = replace(
    _THIRDS,
    valuation="lagged",
    own_value="start",
    loss=Fraction(1, 6),
    club_duty=Fraction(1, 3),
    limited_club_duty=True,
    paid_after_first_game=True,
)
E5_LAST = {
    "fixpoint": (_E5, "2:82 3:67.5 5:62 4:59.5 1:58 7:56.5 9:45.5 10:37 6:32 8:30 12:26.5 11:21"),
    "no own value": (
        replace(_E5, own_value="none"),
        "2:65 3:51.5 5:47 4:45.5 1:45 7:44.5 9:34.5 10:27 6:23 8:22 12:19.5 11:15",
    ),
    "thirds, limit 5": (
        _THIRDS,
        "2:81.5 1:69 3:63.5 4:60.5 5:58.5 7:53.5 9:44.5 10:41 8:35.5 6:31.5 12:29.5 11:24.5",
    ),
    "halved": (
        replace(_E5, halved_absences=True),
        "2:79 3:67.5 5:62 4:59.5 1:57.5 7:56.5 9:45.5 10:37 6:32 8:30 12:26 11:21",
    ),
    "frozen": (
        replace(_E5, valuation="frozen"),
        "2:84.5 3:74.5 5:65 1:62 4:59 7:58 9:45.5 10:37 6:34 8:30 12:26.5 11:21.5",
    ),
    "FreeKeizer": (FREEKEIZER, "2:78 1:73 4:68 3:62 5:60 7:58 6:42 10:41 8:38 9:37 12:30 11:28"),
}
E5_FIXPOINT = [
    "1:26 7:24 2:20.5 4:20.5 5:20 12:19 8:16 9:15.5 3:9 6:8 10:7 11:6.5",
    "1:42 2:32.5 5:31 9:29 3:22 7:20 4:18.5 8:17.5 12:16 6:11.5 10:11 11:9.5",
    "2:45 5:42.5 1:38 4:32 9:31.5 3:26.5 6:22.5 7:21 10:20.5 12:20 8:14 11:9.5",
    "2:51.5 1:47.5 5:47.5 9:41.5 4:35 3:34.5 6:30.5 7:28 10:21 8:18.5 12:18.5 11:13.5",
    "2:63.5 1:58 5:54.5 4:45 3:40.5 7:38.5 9:37 6:32.5 8:22 10:20.5 11:20 12:19",
    "2:70 4:62 1:57 3:56.5 5:51.5 7:48.5 9:44 6:32.5 8:29 10:24.5 11:20 12:19.5",
]

# E6: eight players, five rounds, nobody absent.
E6_RATINGS = [1950, 1880, 1830, 1760, 1700, 1640, 1580, 1500]
E6_PLAYERS = [Player(str(number), rating) for number, rating in enumerate(E6_RATINGS, start=1)]
E6_ROUNDS = evenings("""
1:2- 3:4- 5:6+ 7:8+
2:4+ 5:7= 1:3+ 6:8=
2:5+ 7:1- 4:6+ 8:3-
2:7+ 4:1- 3:5+ 8:6-
2:1+ 4:3= 6:5- 8:7+
""")
E6_BASE = replace(PLAIN, base=Fraction(10))
E6_TABLES = {
    "fixpoint": [
        "2:16 4:14 5:12 7:10 1:6 3:5 6:4 8:3",
        "2:23 5:18 7:16.5 1:10 4:9 6:7 8:6.5 3:3",
        "2:34 1:20 4:17 5:14 7:12.5 3:8 6:5.5 8:5",
        "2:38 1:29 4:19 3:16 5:12.5 7:11 6:8.5 8:5",
        "2:47 1:29 4:21.5 3:21 5:14.5 7:12 8:10.5 6:9",
    ],
    "lagged": [
        "2:19 4:15 5:11 1:10 3:8 7:7 6:5 8:3",
        "2:26 4:15 5:14.5 1:13 7:12 3:6 6:5.5 8:5",
        "2:34 1:18 4:18 5:15 7:13 3:8 6:5.5 8:5",
        "2:40 1:28 4:17 3:15 5:14 7:12.5 6:8.5 8:5",
        "2:47 1:29 4:22.5 3:20 5:16.5 7:11 8:10 6:8.5",
    ],
    "frozen": [
        "2:20 4:17 5:13 7:10 1:6 3:5 6:4 8:3",
        "2:29 5:17.5 4:16 7:14 1:11 8:7 6:5.5 3:3",
        "2:38 1:21 4:20 5:15.5 7:13 3:10 8:6 6:4.5",
        "2:44 1:29 3:20 4:19 5:14.5 7:12 6:9.5 8:5",
        "2:53 1:29 4:24 3:22.5 5:18.5 7:12 8:11 6:8.5",
    ],
    "FreeKeizer": [
        "2:19 4:15 1:12 5:11 3:9 7:7 6:6 8:4",
        "2:26 1:18 4:15 5:13 3:11 7:11 6:8 8:6",
        "2:33 1:23 4:19 5:15 3:14 7:13 6:9 8:7",
        "2:38 1:31 3:21 4:21 5:16 7:15 6:12 8:8",
        "2:45 1:34 4:27 3:24 5:20 7:15 6:13 8:13",
    ],
}

# Length of the cycle: (rounds, everybody's mean over it). The highest value number is the number of players.
CYCLES = {
    2: ("2:1+ 3:4- / 2:4+ 3:1= / 3:2- 1:4= / 1:2= 3:4+ / 2:1- 3:4=", "21/2 23/2 21/4 21/4"),
    3: ("1:2- 4:3- / 2:3- 4:1= / 3:1- 4:2- / 2:1- 4:3+ / 1:2= 4:3+", "11 61/6 19/3 13/2"),
    4: ("2:1= 4:3= / 1:3- 4:2+ / 3:2- 4:1-", "27/4 27/4 23/4 23/4"),
    5: ("2:1+ 3:4+ / 3:2+ 4:1+ / 3:1- 2:4=", "28/5 32/5 36/5 29/5"),
    6: ("2:1+ 4:3- / 3:2- 4:1= / 4:2+ 3:1=", "4 7 13/2 13/2"),
    7: ("1:2- 3:4- / 4:2= 1:3- / 1:4+ 2:3-", "36/7 81/14 7 95/14"),
    8: ("2:1- 3:4= 6:5+ / 3:1- 2:4- 6:5+ / 1:4+ 3:6+ 2:5= / 1:6+ 2:3+ 5:4+", "73/4 61/8 15/2 31/4 59/8 17/2"),
    9: ("2:1- 4:3+ / 4:1+ 3:2= / 4:2- 1:3- / 2:1- 4:3+ / 4:2- 3:1+", "71/9 163/18 151/18 86/9"),
    10: (
        "2:1- 3:4+ 6:5+ / 3:1= 4:2+ 5:6= / 3:6+ 4:1- 5:2= / 5:1+ 3:2- 4:6+",
        "113/10 183/20 243/20 42/5 45/4 191/20",
    ),
    11: (
        "1:2+ 4:3= 6:5+ / 1:3- 2:4+ 5:6- / 2:3+ 1:4- 6:5= / 2:6- 5:3- 1:4+",
        "135/11 133/11 267/22 221/22 27/11 221/22",
    ),
    12: (
        "1:2- 3:4= 5:6+ / 2:3- 4:1+ 5:6= / 3:5- 4:2- 6:1- / 2:5- 6:3= 4:1-",
        "33/4 17/2 223/24 59/8 135/8 61/8",
    ),
}


def as_table(line):
    """The list of (id, exact points) that a line like `1:15 3:14.5` stands for."""
    return [(word.split(":")[0], Fraction(word.split(":")[1])) for word in line.split()]
