"""Opening the SQLite database: WAL, migrations run on open, and sentences instead of tracebacks.

A database that is not ours, is broken, or was written by a newer version is never changed.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from veedor.store.errors import StoreError

FILE_NAME = "veedor.sqlite3"
BUSY_S = 30.0
"""How long one process waits for another's write, seconds."""

_MIGRATIONS = Path(__file__).parent / "migrations"


def open_database(file: Path) -> Engine:
    """The database at ``file``, made or brought to this version's schema.

    Raises StoreError when it is broken, foreign, newer than this version, or cannot be written.
    """
    engine = _engine(file)
    try:
        if file.exists():
            with translated(file), engine.connect() as connection:
                _checked_revision(connection, file)
        _use_wal(engine, file)
        with writing(engine, file) as connection:
            _migrate(connection, file)
    except BaseException:
        engine.dispose()
        raise
    return engine


@contextmanager
def writing(engine: Engine, file: Path) -> Iterator[Connection]:
    """A transaction that holds the write lock from its first statement; commits unless an error leaves it."""
    with (
        translated(file),
        engine.connect().execution_options(immediate=True) as connection,
        connection.begin(),
    ):
        yield connection


@contextmanager
def translated(file: Path) -> Iterator[None]:
    """Turn the database's own errors into a sentence about ``file``."""
    try:
        yield
    except OperationalError as error:
        raise StoreError(_operational(file, str(error.orig))) from error
    except DatabaseError as error:
        raise StoreError(
            f"The database {file} cannot be read ({error.orig}). It was left as it is. "
            "Put back a copy of it, or give another state directory with --state."
        ) from error


def _operational(file: Path, cause: str) -> str:
    if "locked" in cause:
        return f"The database {file} is in use by another process for longer than {BUSY_S:.0f} s. Try again."
    if "full" in cause:
        return f"The disk that holds {file} is full. Free some space and run it again; nothing was changed."
    if "readonly" in cause or "unable to open" in cause:
        return (
            f"The database {file} cannot be opened for writing ({cause}). "
            "Make its folder writable for this user, or give another state directory with --state."
        )
    return (
        f"The database {file} cannot be used ({cause}). It was left as it is. "
        "Give another state directory with --state, or put back a copy of it."
    )


def _engine(file: Path) -> Engine:
    # One connection a transaction: SQLite opens in microseconds, and nothing is shared between threads.
    engine = create_engine(f"sqlite:///{file}", connect_args={"timeout": BUSY_S}, poolclass=NullPool)

    @event.listens_for(engine, "connect")
    def _prepare(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # transactions begin where SQLAlchemy says, below
        cursor = connection.cursor()
        for pragma in ("synchronous=NORMAL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        immediate = connection.get_execution_options().get("immediate", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")

    return engine


def migration_config(connection: Connection | None = None) -> Config:
    """Alembic's configuration for our migrations, on a connection that is already open."""
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def _use_wal(engine: Engine, file: Path) -> None:
    """Switch to WAL, outside any transaction and only once the file is known to be ours: it changes it."""
    deadline = time.monotonic() + BUSY_S
    with translated(file):
        connection = engine.raw_connection()
        try:
            while True:
                try:
                    connection.cursor().execute("PRAGMA journal_mode=WAL")
                    return
                except sqlite3.OperationalError as error:
                    # SQLite does not wait for a lock here, so two first openings at once must.
                    if "locked" not in str(error) or time.monotonic() > deadline:
                        raise StoreError(_operational(file, str(error))) from error
                    time.sleep(0.02)
        finally:
            connection.close()


def _checked_revision(connection: Connection, file: Path) -> str | None:
    """The schema's revision, None for an empty file. Raises StoreError for one that is not for us."""
    scripts = ScriptDirectory.from_config(migration_config())
    known = {script.revision for script in scripts.walk_revisions()}
    current = MigrationContext.configure(connection).get_current_revision()
    if current is None and inspect(connection).get_table_names():
        raise StoreError(
            f"{file} is a database, but not veedor's. It was left as it is. "
            "Give another state directory with --state."
        )
    if current is not None and current not in known:
        raise StoreError(
            f"The database {file} was written by a newer version of veedor (its schema is {current!r}, this "
            f"version knows up to {scripts.get_current_head()!r}). It was left as it is. Use that version, "
            "or give another state directory with --state."
        )
    return current


def _migrate(connection: Connection, file: Path) -> None:
    config = migration_config(connection)
    if _checked_revision(connection, file) != ScriptDirectory.from_config(config).get_current_head():
        command.upgrade(config, "head")


def integrity_problem(engine: Engine, file: Path) -> str | None:
    """What SQLite's own quick check says is wrong with the database, or None."""
    with translated(file), engine.connect() as connection:
        answer = str(connection.execute(text("PRAGMA quick_check")).scalar_one())
    return None if answer == "ok" else answer
