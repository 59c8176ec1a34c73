"""What is kept: reviews, findings and their evidence."""
