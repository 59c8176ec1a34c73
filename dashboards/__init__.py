"""The pages people look at: incident review and, later, the live monitor and dealer reports."""
