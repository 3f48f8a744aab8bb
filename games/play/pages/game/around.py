"""What the page of a game shows beside the game itself: notes, the viewer's mail, where to go next."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.accounts.models import Cadence, User
from games.clubs.queries import Viewer
from games.play import queries
from games.play.models import GameCadence, Note
from games.play.pages.game.reasons import reasons_for
from games.play.telling import words

NOTES_SHOWN = 30

CADENCES: tuple[tuple[str, str | Promise], ...] = (
    ("", _("as usual")),
    (Cadence.AT_ONCE.value, _("at once")),
    (Cadence.COALESCED.value, _("several turns in one mail")),
    (Cadence.DAILY.value, _("once a day")),
)


@dataclass(frozen=True, slots=True)
class NoteLine:
    """A note as the page shows it."""

    pk: int
    author_name: str
    text: str
    written_at: datetime
    is_own: bool


@dataclass(frozen=True, slots=True)
class NextGame:
    url: str
    title: str


def note_lines(seen: queries.Seen, viewer: Viewer) -> list[NoteLine]:
    """Return the latest notes, the newest first: one query, none where the club has no notes."""
    if not seen.game.club.has_notes:
        return []
    notes = Note.objects.filter(game=seen.game).select_related("author").order_by("-pk")[:NOTES_SHOWN]
    return [
        NoteLine(
            note.pk, note.author.get_full_name(), note.text, note.written_at, note.author_id == viewer.pk
        )
        for note in notes
    ]


def next_game(member: User, game_id: int) -> NextGame | None:
    """Return the other game that waits for the member, the one with the soonest deadline first."""
    waiting = queries.waiting_for(member).exclude(pk=game_id)
    game = waiting.order_by(F("deadline").asc(nulls_last=True), "turn_since", "pk").first()
    return None if game is None else NextGame(words.game_url(game), words.game_title(game))


def around_context(seen: queries.Seen, viewer: Viewer) -> dict[str, Any]:
    """Return what stands beside a started game, for its own page only."""
    game, view = seen.game, seen.view
    if view is None:
        return {}
    is_over = game.status in queries.OVER
    waits = not is_over and view.outcome is None and view.turn != seen.seat
    context: dict[str, Any] = {
        "has_notes": game.club.has_notes,
        "notes": note_lines(seen, viewer),
        "can_write": game.club.has_notes and seen.seat is not None,
        "seat_held": seen.seat is not None,
        "poll_url": f"{reverse('game-news', args=[game.pk])}?version={game.version}" if waits else "",
        "reasons": reasons_for(seen, viewer),
        "is_bot_on_turn": view.turn is not None and seen.places[view.turn].is_bot,
    }
    if isinstance(viewer, User):
        if waits or is_over:
            context["next_game"] = next_game(viewer, game.pk)
        if seen.seat is not None and not is_over:
            own = GameCadence.objects.filter(game=game, member=viewer).values_list("cadence", flat=True)
            context |= {"cadences": CADENCES, "cadence": own.first() or ""}
    return context
