"""A game played again: the same table, everybody one seat further."""

from typing import Any

from games.accounts.models import User
from games.clubs.models import Club
from games.clubs.queries import members
from games.play.models import Game
from games.play.pages.proposing.seats_form import BOT
from games.play.queries import seats_of


def seats_for_rematch(game: Game, proposer: User, club: Club) -> dict[str, Any]:
    """Return who is asked to sit where: each player one seat after the last time, bots too.

    Who is not in the club any more leaves the seat free, as does a member of two seats one of them.
    """
    present = {membership.user_id for membership in members(club)}
    found: dict[str, Any] = {}
    asked: set[int] = set()
    for place in seats_of(game):
        number = (place.number + 1) % game.seats
        if place.member is None:
            found[f"seat_{number}"] = BOT if place.is_bot else ""
        elif place.member.pk in asked:
            continue
        elif place.member.pk == proposer.pk:
            asked.add(proposer.pk)
            found["own_seat"] = number
        elif place.member.pk in present:
            asked.add(place.member.pk)
            found[f"seat_{number}"] = place.member.username
    return found
