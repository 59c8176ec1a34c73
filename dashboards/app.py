"""The dashboard as an application: ``create_app(store)`` serves one state directory's reviews.

Meant for this machine only: whoever runs it binds it to 127.0.0.1, and it answers to local names alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware

from dashboards import admission, answering, api, calibration, dealers, live_dealer, live_pages, pages
from dashboards.security import HOSTS, SecurityHeaders
from dashboards.streams import MOST_STREAMS, Streams
from rules.errors import VeedorError
from veedor.store import Store

_STATIC = Path(__file__).parent / "static"


def create_app(
    store: Store,
    benches: Sequence[calibration.Bench] = (),
    examiners: Sequence[admission.Examiner] = (),
    stopping: Callable[[], bool] = lambda: False,
    most_streams: int = MOST_STREAMS,
) -> FastAPI:
    """The application over one store (which the caller opened, and closes), the cameras to calibrate, and the
    tables to be tested. ``stopping``: whether the server is to end, so that running answers end too;
    ``most_streams``: so many may be told at once what happens at running tables."""
    app = FastAPI(
        title="veedor",
        version=version("veedor"),
        summary="Gaming tables, recorded or running: findings, their evidence, their articles.",
        docs_url=None,  # its page loads scripts from elsewhere; ours is at /api
        redoc_url=None,
    )
    app.state.store = store
    app.state.stopping = stopping
    app.state.streams = Streams(most_streams)
    app.state.benches = {bench.key: bench for bench in benches}
    app.state.examiners = {examiner.key: examiner for examiner in examiners}
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=HOSTS)
    app.add_middleware(SecurityHeaders)
    app.include_router(api.router)
    app.include_router(answering.router)
    app.include_router(dealers.api)
    app.include_router(calibration.router)
    app.include_router(live_pages.api)
    app.include_router(live_dealer.router)
    app.include_router(live_pages.router)
    app.include_router(dealers.router)
    app.include_router(pages.router)
    app.mount("/static", StaticFiles(directory=_STATIC), name="static")
    app.add_exception_handler(VeedorError, _sentence)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _refused)
    app.add_exception_handler(Exception, _unforeseen)
    return app


def _sentence(request: Request, error: Exception) -> Response:
    return _answer(request, 500, str(error))


def _refused(request: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException):
        return _answer(request, error.status_code, str(error.detail))
    return _answer(request, 404, "There is nothing at this address.")


def _unforeseen(request: Request, error: Exception) -> Response:
    # The server still logs it with its traceback.
    return _answer(
        request,
        500,
        f"veedor itself failed at {request.url.path} ({type(error).__name__}). Run veedor doctor; if it "
        "finds nothing, report this with the server's messages.",
    )


def _answer(request: Request, status: int, detail: str) -> Response:
    """An error as JSON for programs (the API, or whoever asks for JSON alone), else as a page."""
    accept = request.headers.get("accept", "")
    if request.url.path.startswith("/api/") or ("application/json" in accept and "text/html" not in accept):
        return JSONResponse({"detail": detail}, status_code=status)
    return pages.error_page(request, status, detail)
