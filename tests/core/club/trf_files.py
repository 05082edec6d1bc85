"""Made-up tournament reports for the tests."""

SMALL = """\
012 Open of Nowhere
022 Nowhere
032 ITA
042 2026/01/15
052 2026/01/16
062 5
092 Swiss Dutch
102 Arbiter, Ann
112 Deputy, Dan
112 Deputy, Dora
122 90 min + 30 sec
132                                                                                        26/01/15  26/01/16
XXR 3
XXC white1
### SSSS sTTT NNN
001    1 m GM Rossi, Mario                      2812 ITA 1234567     1963/04/13  1.5    2  0002 w 1  0004 b =
001    2   IM Bianchi, Anna                     2750 ITA 2345678     1975/06/25  0.5    4  0001 b 0  0000 - H
001    3      Verdi, Ugo                        2000                             0.0    5  0004 b 0  0005 b 0
001    4 wWGM Russo, Léa                        2735 FRA 700070      1976        1.5    3  0003 w 1  0001 w =
001    5      Ferrari, Pia                                                       2.0    1  0000 - F  0003 w 1
013    1 Team One                            1    2
XXP 1 5
"""

# Short lines, blanks for 0000 and the colour, no FIDE data: as a chess site exports it.
LEAN = """\
012 Swiss
001    1      mrossi90                                                           2.0          3 b 1     2 w 1
001    2      bianchi                                                            1.0              U     1 b 0
001    3      verdi                                                              0.5          1 w 0         H
001    4      russo                                                              0.5              H         -
"""
