"""Which games wait to be derived, and what is known of one."""

from django.db.models import F, Q, QuerySet

from analytics.models import GameFacts
from games.play.models import Game, Status


def games_to_derive() -> QuerySet[Game]:
    """Return the games that ended, or were annulled, since their facts were derived."""
    over = Q(status__in=(Status.FINISHED, Status.UNFINISHED))
    return Game.objects.filter(
        (over & Q(facts__isnull=True))
        | (over & ~Q(facts__version=F("version")))
        | Q(status=Status.ANNULLED, facts__isnull=False)
    )


def facts_of(game: Game) -> GameFacts | None:
    """Return the facts of a game at its present version, None until they are derived."""
    return GameFacts.objects.filter(game=game, version=game.version).first()
