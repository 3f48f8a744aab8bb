"""Short notes of players to the whole table: beside the game, not part of its log."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext

from games.accounts.models import User
from games.clubs.queries import can_see_club
from games.play.models import Game, Note, Seat, Status
from games.play.services.locking import GameNotFound

MOST_CHARACTERS = 280
PER_HOUR = 10


class NotesRefused(ValueError):
    """A note that cannot be written: the club has none, no seat is held, no text, too long."""


class TooManyNotes(ValueError):
    """The member has written as many notes in this game within an hour as are let through."""


def write_note(*, member: User, game_id: int, text: str, now: datetime) -> Note:
    """Write a note to the table of a started game; raises GameNotFound, NotesRefused, TooManyNotes."""
    game = Game.objects.select_related("club").filter(pk=game_id).first()
    if game is None:
        raise GameNotFound(f"there is no game {game_id}")
    words = " ".join(text.split())
    with transaction.atomic():
        # The lock makes the count exact: two notes of one member are written one after the other.
        seats = Seat.objects.select_for_update().filter(game=game, member=member)
        seat = seats.order_by("-is_active", "number").first()
        if seat is None:
            if not can_see_club(member, game.club):
                raise GameNotFound(f"there is no game {game_id}")
            raise NotesRefused(gettext("only players of this game write notes to its table"))
        if not game.club.has_notes:
            raise NotesRefused(gettext("this club plays without notes"))
        if game.status in (Status.PROPOSED, Status.WITHDRAWN):
            raise NotesRefused(gettext("notes can be written once the game has begun"))
        if not words:
            raise NotesRefused(gettext("write something first"))
        if len(words) > MOST_CHARACTERS:
            raise NotesRefused(
                gettext("a note has at most %(most)s characters") % {"most": str(MOST_CHARACTERS)}
            )
        recent = Note.objects.filter(game=game, author=member, written_at__gt=now - timedelta(hours=1))
        if recent.count() >= PER_HOUR:
            raise TooManyNotes(
                gettext("you have written %(most)s notes within an hour: wait a while")
                % {"most": str(PER_HOUR)}
            )
        return Note.objects.create(game=game, seat=seat.number, author=member, text=words, written_at=now)


def delete_note(*, member: User, game_id: int, note_id: int) -> None:
    """Delete one of the member's own notes; raises GameNotFound if there is no such note of theirs."""
    deleted, _ = Note.objects.filter(pk=note_id, game_id=game_id, author=member).delete()
    if not deleted:
        raise GameNotFound(f"there is no note {note_id} of this member in game {game_id}")
