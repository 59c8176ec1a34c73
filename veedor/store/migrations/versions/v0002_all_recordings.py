"""A review is kept under all its recordings, not only the first camera's."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Until now every review's recordings were the one that is named.

    The column that the unique constraint is on is renamed, for SQLite cannot change a constraint without
    making the table anew, which would take the findings along.
    """
    op.execute("ALTER TABLE reviews RENAME COLUMN recording_sha256 TO recordings_sha256")
    op.add_column("reviews", sa.Column("recording_sha256", sa.String(64), nullable=False, server_default=""))
    op.execute("UPDATE reviews SET recording_sha256 = recordings_sha256")


def downgrade() -> None:
    """Back: reviews by several cameras keep their own key, which no file has."""
    op.drop_column("reviews", "recording_sha256")
    op.execute("ALTER TABLE reviews RENAME COLUMN recordings_sha256 TO recording_sha256")
