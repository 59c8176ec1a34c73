"""Measuring the product on data it was not made from: recordings, photographs, rule cases."""
