"""Everything that changes a game: each function owns one transaction."""
