"""Alembic's entry point: runs on the connection that :mod:`veedor.store.database` hands over."""

from alembic import context

from veedor.store.tables import Base

context.configure(
    connection=context.config.attributes["connection"], target_metadata=Base.metadata, render_as_batch=True
)
context.run_migrations()
