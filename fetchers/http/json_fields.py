"""Reads the fields of a site's JSON: a missing field, or one of another type, is None."""

import json
import math
from collections.abc import Mapping
from datetime import datetime

from core import epoch

JsonRecord = Mapping[str, object]


def as_record(value: object) -> JsonRecord | None:
    """The value, if it is a JSON object."""
    return value if isinstance(value, dict) else None


def inner(record: JsonRecord, *names: str) -> JsonRecord:
    """The object reached by these names, an empty one if there is none."""
    for name in names:
        record = as_record(record.get(name)) or {}
    return record


def text(record: JsonRecord, name: str) -> str | None:
    """A text, if it says anything, without NUL and unpaired surrogates, which are not text."""
    value = record.get(name)
    if not isinstance(value, str):
        return None
    return value.replace("\0", "").encode(errors="ignore").decode().strip() or None


def number(record: JsonRecord, name: str) -> int | None:
    """A whole number; a float that is one counts."""
    value = record.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return int(value) if abs(value) < 1 << 53 else None


def flag(record: JsonRecord, name: str) -> bool:
    """Whether it is true."""
    return record.get(name) is True


def moment(ms: int | None) -> datetime | None:
    """The moment so many milliseconds after 1970, UTC; None if no calendar has it."""
    try:
        return None if ms is None else epoch.moment(ms)
    except OverflowError:
        return None


def raw_json(record: object) -> bytes:
    """A record for the quarantine, if it did not come as bytes of its own."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass")
