"""What the routes share: the store, and finding the review that an address names."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends, HTTPException, Path, Request

from veedor.store import ReviewRecord, Store


def _store(request: Request) -> Store:
    return cast(Store, request.app.state.store)


StoreOf = Annotated[Store, Depends(_store)]
"""The store that this application shows."""


def _review(
    store: StoreOf, review: Annotated[int, Path(description="The review's number.", ge=1, le=2**63 - 1)]
) -> ReviewRecord:
    found = store.review(review)
    if found is None:
        raise HTTPException(
            404, f"There is no review {review} here. See the list of reviews for those there are."
        )
    return found


ReviewOf = Annotated[ReviewRecord, Depends(_review)]
"""The review that the address names; 404 if there is none."""


def json_only(request: Request) -> None:
    """Takes what is sent as JSON alone: a form on another site can send text, but not JSON without asking."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise HTTPException(415, "This is taken as application/json only.")
