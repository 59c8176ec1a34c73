"""The detector of cards, backs, stacks, hands, shoes and markers: training, export, measuring."""
