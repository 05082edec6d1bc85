"""Country codes: two letters in FESA's files (ISO 3166-1), three in FIDE's."""

from typing import Final

_BOTH: Final = """
    AD AND AE UAE AF AFG AG ANT AL ALB AM ARM AO ANG AR ARG AT AUT AU AUS AW ARU AZ AZE BA BIH BB BAR BD BAN BE BEL
    BF BUR BG BUL BH BRN BI BDI BM BER BN BRU BO BOL BR BRA BS BAH BT BHU BW BOT BY BLR BZ BIZ CA CAN CD COD CF CAF
    CG CGO CH SUI CI CIV CK COK CL CHI CM CMR CN CHN CO COL CR CRC CU CUB CV CPV CW CUW CY CYP CZ CZE DE GER DJ DJI
    DK DEN DM DMA DO DOM DZ ALG EC ECU EE EST EG EGY ER ERI ES ESP ET ETH FI FIN FJ FIJ FM FSM FO FAI FR FRA GA GAB
    GB GBR GD GRN GE GEO GG GCI GH GHA GM GAM GN GUI GQ GEQ GR GRE GT GUA GU GUM GW GBS GY GUY HK HKG HN HON HR CRO
    HT HAI HU HUN ID INA IE IRL IL ISR IM IOM IN IND IQ IRQ IR IRI IS ISL IT ITA JE JCI JM JAM JO JOR JP JPN KE KEN
    KG KGZ KH CAM KI KIR KM COM KN SKN KP PRK KR KOR KW KUW KY CAY KZ KAZ LA LAO LB LBN LC LCA LI LIE LK SRI LR LBR
    LS LES LT LTU LU LUX LV LAT LY LBA MA MAR MC MNC MD MDA ME MNE MG MAD MH MHL MK MKD ML MLI MM MYA MN MGL MO MAC
    MR MTN MT MLT MU MRI MV MDV MW MAW MX MEX MY MAS MZ MOZ NA NAM NC NCL NE NIG NG NGR NI NCA NL NED NO NOR NP NEP
    NR NRU NZ NZL OM OMA PA PAN PE PER PG PNG PH PHI PK PAK PL POL PR PUR PS PLE PT POR PW PLW PY PAR QA QAT RO ROU
    RS SRB RU RUS RW RWA SA KSA SB SOL SC SEY SD SUD SE SWE SG SGP SI SLO SK SVK SL SLE SM SMR SN SEN SO SOM SR SUR
    SS SSD ST STP SV ESA SY SYR SZ SWZ TC TKS TD CHA TG TOG TH THA TJ TJK TL TLS TM TKM TN TUN TO TGA TR TUR TT TTO
    TV TUV TW TPE TZ TAN UA UKR UG UGA US USA UY URU UZ UZB VC VIN VE VEN VG IVB VI ISV VN VIE VU VAN WS SAM XK KOS
    YE YEM ZA RSA ZM ZAM ZW ZIM
"""
_TWO_ONLY: Final = """
    AI AQ AS AX BL BQ BV CC CX EH FK GF GI GL GP GS HM IO MF MP MQ MS NF NU PF PM PN RE SH SJ SX TF TK UM VA WF YT
"""
_THREE_ONLY: Final = {"ENG": "GB", "SCO": "GB", "WLS": "GB", "FID": "", "NON": ""}
"""FIDE's codes that ISO 3166 does not have, with what FESA's files use instead."""
_OTHERS: Final = {
    "CHE": "CH",
    "DEU": "DE",
    "DNK": "DK",
    "GRC": "GR",
    "HRV": "HR",
    "NLD": "NL",
    "PRT": "PT",
    "SVN": "SI",
    "TWN": "TW",
    "ZAF": "ZA",
}
"""Other three-letter codes that people write: those of ISO 3166 where FIDE's differ."""

_WORDS: Final = _BOTH.split()
_THREE: Final = dict(zip(_WORDS[::2], _WORDS[1::2], strict=True))
_TWO: Final = {three: two for two, three in _THREE.items()}
_KNOWN: Final = frozenset((*_THREE, *_TWO_ONLY.split(), *_TWO, *_THREE_ONLY, *_OTHERS))


def is_nation(code: str) -> bool:
    """Whether it is a country code of two or three letters; case does not count."""
    return code.upper() in _KNOWN


def read_nation(text: str) -> str:
    """The code as stored: two letters, or three if ISO 3166-1 has none, such as ENG.

    Raises:
        ValueError: it is not a code.
    """
    code = text.strip().upper()
    if code not in _KNOWN:
        raise ValueError(f'"{text.strip()[:20]}" is not the code of a country: DE or GER, JP or JPN, …')
    return _TWO.get(code) or _OTHERS.get(code) or code


def for_fesa(code: str) -> str:
    """A stored code as FESA's files write it; "" if they have none."""
    return _THREE_ONLY.get(code, code)


def for_fide(code: str) -> str:
    """A stored code as FIDE's files write it; "" if they have none."""
    return _THREE.get(code, code if len(code) > 2 else "")
