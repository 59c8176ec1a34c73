"""The running system: configuration, one table's pipeline, what is kept, and the command line."""
