"""Which games something is odd about."""

from sqlalchemy import exists, select

from daemon.archive.reading.search.filters import ANY_ODDITY
from daemon.archive.reading.search.plan import Wanted
from daemon.archive.tables.files import oddities
from daemon.archive.tables.main import games, tellings


def odd(code: str) -> Wanted:
    """Whether one of its tellings has this oddity, or any."""
    its = oddities.c.telling_id == tellings.c.id
    wanted = its if code == ANY_ODDITY else its & (oddities.c.code == code)
    ids = select(tellings.c.game_id).join(oddities, wanted)
    return Wanted.found_by(exists().where(tellings.c.game_id == games.c.id, wanted), ids)
