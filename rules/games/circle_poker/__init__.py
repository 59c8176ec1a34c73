"""Circle poker: what each seat does with its chips and cards, and how the pots are shared."""
