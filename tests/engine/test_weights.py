"""Pretrained weights: bundled, or downloaded once and thrown away where anything is wrong with them."""

import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from catdog_gui.engine.errors import CatDogError, Stopped
from catdog_gui.engine.networks import weights

CONTENT = bytes(range(256)) * 4096  # 1 MiB
DIGEST = hashlib.sha256(CONTENT).hexdigest()[:8]
NAME = f"resnet18-{DIGEST}.pth"


class Server:
    """Answers on this computer only. `answer` decides what; asked: the requests so far."""

    def __init__(self) -> None:
        self.asked = 0
        self.answer: Callable[[BaseHTTPRequestHandler], None] = whole
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked += 1
                server.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    def url(self, name: str = NAME) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/models/{name}"

    def close(self) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


def head(handler: BaseHTTPRequestHandler, length: int | None) -> None:
    handler.send_response(200)
    if length is not None:
        handler.send_header("Content-Length", str(length))
    handler.end_headers()


def whole(handler: BaseHTTPRequestHandler) -> None:
    head(handler, len(CONTENT))
    handler.wfile.write(CONTENT)


def of_unknown_length(handler: BaseHTTPRequestHandler) -> None:
    head(handler, None)
    handler.wfile.write(CONTENT)


def half(handler: BaseHTTPRequestHandler) -> None:
    head(handler, len(CONTENT))
    handler.wfile.write(CONTENT[: len(CONTENT) // 2])


def damaged(handler: BaseHTTPRequestHandler) -> None:
    head(handler, len(CONTENT))
    handler.wfile.write(CONTENT[:-1] + b"?")


def forbidden(handler: BaseHTTPRequestHandler) -> None:
    handler.send_error(403)


def nonsense(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"what?\r\n\r\n")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = Server()
    yield server
    server.close()


def fetch(url: str, seen: list[tuple[int, int]] | None = None, should_stop: Callable[[], bool] = lambda: False) -> Path:
    progress = seen if seen is not None else []
    return weights.fetch_weights("resnet18", url, lambda done, total: progress.append((done, total)), should_stop)


def refused(url: str, home: Path) -> CatDogError:
    with pytest.raises(CatDogError) as caught:
        fetch(url)
    assert files(home) == []
    assert "{" not in str(caught.value)
    return caught.value


def files(home: Path) -> list[str]:
    return sorted(path.name for path in home.rglob("*") if path.is_file())


def test_weights_are_downloaded_with_progress_into_the_home(server: Server, catdog_home: Path) -> None:
    seen: list[tuple[int, int]] = []

    path = fetch(server.url(), seen)

    assert path.read_bytes() == CONTENT
    assert path.is_relative_to(catdog_home)
    assert files(catdog_home) == [NAME]
    assert len(seen) >= 3
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
    assert seen[-1] == (len(CONTENT), len(CONTENT))


def test_the_second_time_nothing_is_downloaded(server: Server) -> None:
    first = fetch(server.url())
    server.answer = forbidden

    assert fetch(server.url()) == first
    assert server.asked == 1


def test_a_length_that_is_not_told_is_fine(server: Server) -> None:
    server.answer = of_unknown_length
    seen: list[tuple[int, int]] = []

    assert fetch(server.url(), seen).read_bytes() == CONTENT
    assert seen[-1] == (len(CONTENT), 0)


def test_damaged_weights_are_thrown_away_and_the_next_try_can_work(server: Server, catdog_home: Path) -> None:
    server.answer = damaged
    assert refused(server.url(), catdog_home).code == "weights_damaged"

    server.answer = whole
    assert fetch(server.url()).read_bytes() == CONTENT


@pytest.mark.parametrize("name", [NAME, "resnet18.pth"], ids=["named by hash", "without hash"])
def test_half_a_download_is_thrown_away(server: Server, catdog_home: Path, name: str) -> None:
    server.answer = half

    error = refused(server.url(name), catdog_home)

    assert error.code == "weights_unavailable"
    assert "Go online and try again" in str(error)


@pytest.mark.parametrize("answer", [forbidden, nonsense])
def test_a_server_that_does_not_give_them_is_said(
    server: Server, catdog_home: Path, answer: Callable[[BaseHTTPRequestHandler], None]
) -> None:
    server.answer = answer

    assert refused(server.url(), catdog_home).code == "weights_unavailable"


def test_without_a_network_the_bundled_network_is_named_as_the_way_out(server: Server, catdog_home: Path) -> None:
    url = server.url().replace(f":{server._http.server_port}", ":1")  # nobody listens there

    error = refused(url, catdog_home)

    assert error.code == "weights_unavailable"
    assert "EfficientNet-Lite0, whose weights come with the program" in str(error)


def test_stopping_leaves_no_file(server: Server, catdog_home: Path) -> None:
    seen: list[tuple[int, int]] = []

    with pytest.raises(Stopped):
        fetch(server.url(), seen, should_stop=lambda: len(seen) >= 1)

    assert files(catdog_home) == []


def test_stopping_does_not_wait_for_a_server_that_is_silent(server: Server, catdog_home: Path) -> None:
    asked, go_on = threading.Event(), threading.Event()

    def silent(handler: BaseHTTPRequestHandler) -> None:
        head(handler, len(CONTENT))
        asked.set()
        go_on.wait(20)

    server.answer = silent
    began = time.monotonic()
    try:
        with pytest.raises(Stopped):
            fetch(server.url(), should_stop=asked.is_set)
        assert time.monotonic() - began < 2
    finally:
        go_on.set()
    assert files(catdog_home) == []


def test_a_home_that_cannot_be_written_is_said(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("CATDOG_HOME", str(tmp_path / "file"))

    with pytest.raises(CatDogError) as caught:
        fetch(server.url())
    assert caught.value.code == "cannot_write"


def test_a_full_disk_is_said_as_such(server: Server, small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CATDOG_HOME", str(small_disk / "home"))

    assert refused(server.url(), small_disk).code == "disk_full"


def test_the_bundled_weights_are_all_there() -> None:
    tensors = weights.bundled_lite0()

    assert sum(value.size for value in tensors.values()) > 3_300_000
    assert all(value.dtype == np.float32 and np.isfinite(value).all() for value in tensors.values())
