"""Reviews, their coups, findings and the events these rest on."""

import sqlalchemy as sa
from alembic import op

from veedor.store.tables import UtcDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the first tables."""
    op.create_table(
        "reviews",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_name", sa.String(200), nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("profile", sa.String(64), nullable=False),
        sa.Column("recording_name", sa.Text(), nullable=False),
        sa.Column("recording_path", sa.Text(), nullable=False),
        sa.Column("recording_sha256", sa.String(64), nullable=False),
        sa.Column("recording_bytes", sa.Integer(), nullable=False),
        sa.Column("duration_s", sa.Double(), nullable=False),
        sa.Column("width_px", sa.Integer(), nullable=False),
        sa.Column("height_px", sa.Integer(), nullable=False),
        sa.Column("reviewed_at", UtcDateTime(), nullable=False),
        sa.Column("made_by", sa.String(64), nullable=False),
        sa.Column("folder", sa.String(64), nullable=False),
        sa.Column("preview", sa.Text(), nullable=True),
        sa.Column("cards", sa.Integer(), nullable=False),
        sa.Column("bets", sa.Integer(), nullable=False),
        sa.Column("breaches", sa.Integer(), nullable=False),
        sa.Column("undetermined", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_reviews"),
        sa.UniqueConstraint("table_name", "recording_sha256", name="uq_reviews_table_name"),
    )
    op.create_index("ix_reviews_reviewed_at", "reviews", ["reviewed_at"])
    op.create_table(
        "coups",
        sa.Column("review_id", sa.Integer(), nullable=False),
        sa.Column("coup", sa.Integer(), nullable=False),
        sa.Column("t_from", sa.Double(), nullable=False),
        sa.Column("t_to", sa.Double(), nullable=False),
        sa.Column("verdict", sa.String(16), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("review_id", "coup", name="pk_coups"),
        sa.ForeignKeyConstraint(
            ["review_id"], ["reviews.id"], name="fk_coups_review_id_reviews", ondelete="CASCADE"
        ),
    )
    op.create_table(
        "findings",
        sa.Column("review_id", sa.Integer(), nullable=False),
        sa.Column("finding", sa.String(200), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("coup", sa.Integer(), nullable=False),
        sa.Column("rule", sa.String(64), nullable=False),
        sa.Column("code", sa.String(64), nullable=False),
        sa.Column("verdict", sa.String(16), nullable=False),
        sa.Column("severity", sa.String(1), nullable=False),
        sa.Column("t", sa.Double(), nullable=False),
        sa.Column("t_from", sa.Double(), nullable=False),
        sa.Column("t_to", sa.Double(), nullable=False),
        sa.Column("spot", sa.String(64), nullable=True),
        sa.Column("expected", sa.Text(), nullable=False),
        sa.Column("seen", sa.Text(), nullable=False),
        sa.Column("article", sa.Text(), nullable=False),
        sa.Column("resolution", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("amount_due", sa.String(64), nullable=True),
        sa.Column("amount_seen", sa.String(64), nullable=True),
        sa.Column("picture", sa.String(255), nullable=True),
        sa.PrimaryKeyConstraint("review_id", "finding", name="pk_findings"),
        sa.ForeignKeyConstraint(
            ["review_id"], ["reviews.id"], name="fk_findings_review_id_reviews", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_findings_code_verdict", "findings", ["code", "verdict"])
    op.create_table(
        "finding_events",
        sa.Column("review_id", sa.Integer(), nullable=False),
        sa.Column("finding", sa.String(200), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("review_id", "finding", "seq", name="pk_finding_events"),
        sa.ForeignKeyConstraint(
            ["review_id", "finding"],
            ["findings.review_id", "findings.finding"],
            name="fk_finding_events_review_id_findings",
            ondelete="CASCADE",
        ),
    )


def downgrade() -> None:
    """Drop them."""
    for table in ("finding_events", "findings", "coups", "reviews"):
        op.drop_table(table)
