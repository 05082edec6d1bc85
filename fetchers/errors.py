"""What can go wrong when a site is asked. The daemon switches on these classes, never on status codes.

FetchError
├── SiteError                 the whole site is concerned: nobody of its accounts is to blame
│   ├── Unreachable           no connection, no name, time-out (the network or the site is down)
│   ├── SiteDown              the site answers 5xx
│   ├── RateLimited           429: no request to this site before `retry_after` is over
│   └── Blocked               our User-Agent, address or token is refused
├── Incomplete                the answer broke off: what came before it is good, the rest must be asked again
│   └── Stopped               we ourselves gave it up
├── BadAnswer                 the answer is not what the site's contract says (HTML, other JSON)
├── NotFound                  404: the site says there is no such account — or does not like us (see `profile`)
├── Refused                   401 or 403 for this one alone: the site shows it to others, or to a token
└── Gone                      410: never ask for this again
"""


class FetchError(Exception):
    """Something went wrong when a site was asked. `str()` is one sentence for the user."""


class SiteError(FetchError):
    """The whole site is concerned, not one account."""


class SiteUnreachable(SiteError):  # noqa: N818 - a state, as the daemon and its users speak of it
    """No answer at all: no network, no name, no connection, or no byte within the time."""


class SiteDown(SiteError):  # noqa: N818 - as above
    """The site answers, but with 5xx.

    Attributes:
        retry_after: Seconds to wait, as the site said; None if it did not.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class RateLimited(SiteError):  # noqa: N818 - as above
    """The site answered 429.

    Attributes:
        retry_after: Seconds to wait at least, None if nothing is known.
        kind: Of the events that this limit is for, None if it is for the whole site.
        stated: Whether the site said so itself. If not, the limit may be that of a minute or that of a day.
    """

    def __init__(
        self, message: str, retry_after: float | None = None, kind: str | None = None, *, stated: bool = True
    ) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.kind = kind
        self.stated = stated and retry_after is not None


class Blocked(SiteError):  # noqa: N818 - as above
    """The site refuses us, not the account: User-Agent, address or token. Waiting does not help.

    A person must act.

    Attributes:
        status: Of its answer, None if something else shows it.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class Incomplete(FetchError):  # noqa: N818 - as above
    """The answer broke off. What was yielded before is good; the rest is asked for again."""


class Stopped(Incomplete):
    """We broke the answer off ourselves."""


class BadAnswer(FetchError):  # noqa: N818 - as above
    """The answer is not what this site's contract says."""


class NotFound(FetchError):  # noqa: N818 - as above
    """404 for an account. Alone it never closes an account."""


class NotShown(FetchError):  # noqa: N818 - as above
    """The site answers us, but does not show this one to us. It exists: it may be shown to a token."""


class Gone(FetchError):  # noqa: N818 - as above
    """410: what was asked for will never be there again."""
