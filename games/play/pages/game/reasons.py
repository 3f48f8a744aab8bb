"""Why an organiser, or the clock, stepped into a game: the words that are kept beside its log."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext

from games.accounts.models import User
from games.clubs.queries import Viewer, membership_of
from games.play import queries
from games.play.models import Reason
from games.rules import events as ev


@dataclass(frozen=True, slots=True)
class ReasonLine:
    """What was done, why, by whom and when."""

    deed: str
    text: str
    given_by: str
    given_at: datetime


def reasons_for(seen: queries.Seen, viewer: Viewer) -> list[ReasonLine]:
    """Return the reasons, the newest first, for members of the club and players of the game; else none."""
    if not isinstance(viewer, User):
        return []
    lines = reason_lines(seen)
    if not lines or (seen.seat is None and membership_of(viewer, seen.game.club) is None):
        return []
    return lines


def reason_lines(seen: queries.Seen) -> list[ReasonLine]:
    """Return the reasons that were given in a game, the newest first."""
    deeds = {
        digest: _deed(event) for event in seen.loaded.events if (digest := getattr(event, "reason_hash", ""))
    }
    if not deeds:
        return []
    return [_line(reason, deeds.get(reason.hash, "")) for reason in queries.reasons_of(seen.game).reverse()]


def _line(reason: Reason, deed: str) -> ReasonLine:
    by = gettext("the clock") if reason.given_by is None else reason.given_by.get_full_name()
    return ReasonLine(deed, reason.text, by, reason.given_at)


def _deed(event: ev.Event) -> str:
    match event:
        case ev.ResultRuled():
            return gettext("The result was ruled")
        case ev.GameAnnulled():
            return gettext("The game was annulled")
        case ev.ClockPaused():
            return gettext("The clock was stopped")
        case ev.ClockResumed():
            return gettext("The clock was let go on")
    return ""
