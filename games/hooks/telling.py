"""What is told of a turn: what a clock on the wall may know, and nothing that plays or shows a card."""

from typing import Any

from django.conf import settings
from django.urls import reverse

from games.hooks.models import Delivery
from games.play.models import Seat, Status


def told(delivery: Delivery) -> dict[str, Any] | None:
    """Return the data of `turn.started` as things stand, None if that turn is over or another's by now."""
    refs = delivery.refs
    place = (
        Seat.objects.select_related("game__club")
        .filter(game=refs["game"], number=refs["seat"], member=delivery.webhook.member_id, is_active=True)
        .first()
    )
    if place is None:
        return None
    game = place.game
    if game.status != Status.ACTIVE or (game.turn_seat, game.turns + 1) != (refs["seat"], refs["number"]):
        return None
    return {
        "game": {
            "id": game.pk,
            "uuid": str(game.uuid),
            "name": game.name,
            "club": game.club.slug,
            "url": settings.PUBLIC_URL + reverse("game", args=[game.pk]),
        },
        "seat": place.letter,
        "turn": refs["number"],
        "version": game.version,
        "deadline": None if game.deadline is None else game.deadline.isoformat(),
    }
