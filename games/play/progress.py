"""Walking over games in commands, with progress on a terminal."""

import sys
from collections.abc import Iterator

from tqdm import tqdm

from games.play.models import Game


def game_ids(only: list[int], label: str) -> Iterator[int]:
    """Yield the ids of the games named, or of all; shows progress where standard error is a terminal."""
    games = Game.objects.order_by("pk")
    if only:
        games = games.filter(pk__in=only)
    ids = games.values_list("pk", flat=True)
    return iter(
        tqdm(
            ids.iterator(chunk_size=1000),
            total=ids.count(),
            desc=label,
            unit="game",
            disable=not sys.stderr.isatty(),
        )
    )
