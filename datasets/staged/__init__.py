"""Any game's simulated journal on a drawn felt: as hands, chips and cards in time, and as a film of it."""
