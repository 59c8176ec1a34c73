"""The database's tables. Every change here comes with a migration (a test compares the two)."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    DateTime,
    Dialect,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    MetaData,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship
from sqlalchemy.types import TypeDecorator


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC. A datetime without a zone is refused: nobody could say later what it meant."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """To the database: UTC, stored without the zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone; store moments in UTC")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """From the database: with its zone again."""
        return None if value is None else value.replace(tzinfo=UTC)


class Base(DeclarativeBase):
    """The declarative base; constraint names are fixed so that migrations can name them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class ReviewRow(Base):
    """The recordings of one table's play, reviewed. A second review of the same ones replaces the first."""

    __tablename__ = "reviews"
    __table_args__ = (UniqueConstraint("table_name", "recordings_sha256"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    table_name: Mapped[str] = mapped_column(String(200))
    game: Mapped[str] = mapped_column(String(64))
    profile: Mapped[str] = mapped_column(String(64))
    recording_name: Mapped[str] = mapped_column(Text)
    recording_path: Mapped[str] = mapped_column(Text)
    recording_sha256: Mapped[str] = mapped_column(String(64))
    """Of the first camera's file, which pages play."""
    recordings_sha256: Mapped[str] = mapped_column(String(64))
    """Of all cameras' files; of one, the same as ``recording_sha256``."""
    recording_bytes: Mapped[int]
    duration_s: Mapped[float]
    width_px: Mapped[int]
    height_px: Mapped[int]
    reviewed_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    made_by: Mapped[str] = mapped_column(String(64))
    """Fingerprint of the code, the models and the table's files that made it."""
    folder: Mapped[str] = mapped_column(String(64))
    """Its files' folder below ``reviews/`` in the state directory."""
    preview: Mapped[str | None] = mapped_column(Text)
    """Name in the folder of a copy that browsers can play, where the recording itself is none."""
    cards: Mapped[int]
    bets: Mapped[int]
    breaches: Mapped[int]
    undetermined: Mapped[int]
    shifts: Mapped[str | None] = mapped_column(Text)
    """What its journal says of who dealt and when nothing was seen, as JSON; null: not read yet."""

    findings: Mapped[list[FindingRow]] = relationship(
        cascade="all, delete-orphan", order_by="FindingRow.t_from, FindingRow.number"
    )
    coups: Mapped[list[CoupRow]] = relationship(cascade="all, delete-orphan", order_by="CoupRow.coup")


class CoupRow(Base):
    """One coup of a review."""

    __tablename__ = "coups"

    review_id: Mapped[int] = mapped_column(ForeignKey("reviews.id", ondelete="CASCADE"), primary_key=True)
    coup: Mapped[int] = mapped_column(primary_key=True)
    t_from: Mapped[float]
    t_to: Mapped[float]
    verdict: Mapped[str] = mapped_column(String(16))
    summary: Mapped[str] = mapped_column(Text)
    """The coup as JSON, as it stands in findings.json."""


class FindingRow(Base):
    """One finding of a review, in the order it was judged (``number``)."""

    __tablename__ = "findings"
    __table_args__ = (Index("ix_findings_code_verdict", "code", "verdict"),)

    review_id: Mapped[int] = mapped_column(ForeignKey("reviews.id", ondelete="CASCADE"), primary_key=True)
    finding: Mapped[str] = mapped_column(String(200), primary_key=True)
    number: Mapped[int]
    coup: Mapped[int]
    rule: Mapped[str] = mapped_column(String(64))
    code: Mapped[str] = mapped_column(String(64))
    verdict: Mapped[str] = mapped_column(String(16))
    severity: Mapped[str] = mapped_column(String(1))
    t: Mapped[float]
    t_from: Mapped[float]
    t_to: Mapped[float]
    spot: Mapped[str | None] = mapped_column(String(64))
    expected: Mapped[str] = mapped_column(Text)
    seen: Mapped[str] = mapped_column(Text)
    article: Mapped[str] = mapped_column(Text)
    resolution: Mapped[str | None] = mapped_column(Text)
    reason: Mapped[str | None] = mapped_column(Text)
    amount_due: Mapped[str | None] = mapped_column(String(64))
    amount_seen: Mapped[str | None] = mapped_column(String(64))
    picture: Mapped[str | None] = mapped_column(String(255))
    """Name of its picture in the review's folder."""

    events: Mapped[list[FindingEventRow]] = relationship(
        cascade="all, delete-orphan", order_by="FindingEventRow.seq"
    )


class FindingEventRow(Base):
    """One journal event that a finding rests on."""

    __tablename__ = "finding_events"
    __table_args__ = (
        ForeignKeyConstraint(
            ["review_id", "finding"], ["findings.review_id", "findings.finding"], ondelete="CASCADE"
        ),
    )

    review_id: Mapped[int] = mapped_column(primary_key=True)
    finding: Mapped[str] = mapped_column(String(200), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)


class AnswerRow(Base):
    """What a reviewer said of a finding. Only ever added; it outlives the finding that it is about."""

    __tablename__ = "answers"
    __table_args__ = (Index("ix_answers_review_id", "review_id", "finding"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    review_id: Mapped[int] = mapped_column(ForeignKey("reviews.id"))
    finding: Mapped[str] = mapped_column(String(200))
    of_sha256: Mapped[str] = mapped_column(String(64))
    """Of what the finding said when it was answered."""
    answer: Mapped[str] = mapped_column(String(16))
    whose: Mapped[str | None] = mapped_column(String(16))
    note: Mapped[str] = mapped_column(Text)
    by: Mapped[str] = mapped_column(String(100))
    at: Mapped[datetime] = mapped_column(UtcDateTime)
