"""The table simulator, the image synthesiser and the importers of recordings and photographs."""
