"""What reviewers say of findings, and who dealt a review's coups."""

import sqlalchemy as sa
from alembic import op

from veedor.store.tables import UtcDateTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Answers are only ever added: the database itself refuses to change or remove one."""
    op.add_column("reviews", sa.Column("shifts", sa.Text(), nullable=True))
    op.create_table(
        "answers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("review_id", sa.Integer(), nullable=False),
        sa.Column("finding", sa.String(200), nullable=False),
        sa.Column("of_sha256", sa.String(64), nullable=False),
        sa.Column("answer", sa.String(16), nullable=False),
        sa.Column("whose", sa.String(16), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("by", sa.String(100), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_answers"),
        sa.ForeignKeyConstraint(["review_id"], ["reviews.id"], name="fk_answers_review_id_reviews"),
    )
    op.create_index("ix_answers_review_id", "answers", ["review_id", "finding"])
    for deed in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER answers_no_{deed.lower()} BEFORE {deed} ON answers "
            "BEGIN SELECT RAISE(ABORT, 'answers are only ever added'); END"
        )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("answers")
    op.drop_column("reviews", "shifts")
