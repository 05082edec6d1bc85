"""The network as httpx sees it: httpcore's connections to one site, whose reads keep to a `AnswerPace`.

httpx's own transport takes no network backend; httpcore's pool does, and this is what lies between both.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import httpcore
import httpx

from fetchers.http.deadlines import AnswerPace, PacedBackend

_KEPT_S: Final = 5
"""How long a connection that nobody uses is kept; httpx's own default."""


class PacedTransport(httpx.BaseTransport):
    """Connections to one site, one request at a time.

    Args:
        pace: what reads keep to.
        proxy: the URL of the proxy through which the site is asked; None to ask it directly.

    Raises:
        ValueError: *proxy* is not an HTTP proxy.
    """

    def __init__(self, pace: AnswerPace, proxy: str | None = None) -> None:
        self._pool = httpcore.ConnectionPool(
            ssl_context=httpx.create_ssl_context(),
            proxy=None if proxy is None else _proxy(proxy),
            keepalive_expiry=_KEPT_S,
            network_backend=PacedBackend(httpcore.SyncBackend(), pace),
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """The answer to *request*, whose body is still to be read.

        Raises:
            httpx.TransportError: the network, the proxy, or what the site sends is at fault; the cause is httpcore's.
        """
        assert isinstance(request.stream, httpx.SyncByteStream)
        with _httpx_errors():
            response = self._pool.handle_request(
                httpcore.Request(
                    request.method,
                    _url(request.url),
                    headers=request.headers.raw,
                    content=request.stream,
                    extensions=request.extensions,
                )
            )
        return httpx.Response(
            response.status,
            headers=response.headers,
            stream=_Body(response),
            extensions=response.extensions,
        )

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()


class _Body(httpx.SyncByteStream):
    """The body of an answer of httpcore's."""

    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        with _httpx_errors():
            yield from self._response.iter_stream()

    def close(self) -> None:
        self._response.close()


@contextmanager
def _httpx_errors() -> Iterator[None]:
    """Errors of httpcore's as the errors of httpx that our callers know."""
    try:
        yield
    except httpcore.TimeoutException as error:
        raise httpx.TimeoutException(str(error)) from error
    except (
        httpcore.NetworkError,
        httpcore.ProtocolError,
        httpcore.ProxyError,
        httpcore.UnsupportedProtocol,
    ) as error:
        raise httpx.TransportError(str(error)) from error


def _url(url: httpx.URL) -> httpcore.URL:
    return httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)


def _proxy(url: str) -> httpcore.Proxy:
    proxy = httpx.Proxy(url)
    if proxy.url.scheme not in {"http", "https"}:  # httpcore cannot use others without a package of their own
        raise ValueError("the proxy that the environment names is not an HTTP proxy: write http://host:port")
    return httpcore.Proxy(_url(proxy.url), auth=proxy.raw_auth)
