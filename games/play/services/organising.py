"""What organisers and the clock do: table talk, substitutes, rulings, pauses, expiry (R17, R21-R23)."""

import hashlib
import secrets
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from games.accounts.models import User
from games.clubs.queries import is_organiser
from games.play.models import Reason
from games.play.services.locking import Locked
from games.play.services.proposing import NotAllowed
from games.play.services.requests import Request, Taken, carry_out, perform
from games.play.services.substituting import replace_seat
from games.play.wording import MalformedAction, seat_number, team_number
from games.rules import actions as act

RULINGS = ("table_talk", "replace", "expire", "rule", "annul", "pause", "resume")
"""What an organiser may do, as `act` of a request."""
WITH_REASON = ("rule", "annul", "pause", "resume")


def rule_game(
    *,
    game_id: int,
    organiser: User,
    data: Mapping[str, Any],
    substitute: User | None = None,
    expected_version: int | None,
    key: str = "",
    now: datetime,
) -> Taken:
    """Carry out what an organiser asks; `substitute` goes with `replace`.

    Raises NotAllowed, SeatUnavailable, MalformedAction, IllegalAction and what `requests.perform` raises.
    """

    def work(locked: Locked) -> None:
        if not is_organiser(organiser, locked.game.club):
            raise NotAllowed(gettext("only organisers of the club may do this"))
        _carry_out_ruling(locked, organiser, data, substitute, now)

    return perform(Request(game_id, organiser, data, expected_version, key, now), work)


def _carry_out_ruling(
    locked: Locked, organiser: User, data: Mapping[str, Any], substitute: User | None, now: datetime
) -> None:
    kind = data.get("act")
    if kind not in RULINGS:
        raise MalformedAction("act", gettext("must be one of %(names)s") % {"names": ", ".join(RULINGS)})
    if kind == "replace":
        seat = seat_number(locked.loaded.rules, data.get("seat"))
        replace_seat(locked, seat, substitute, by=organiser, now=now)
        return
    reason = keep_reason(locked, organiser, str(data.get("reason", "")), now) if kind in WITH_REASON else ""
    action = _ACTIONS[kind](locked, data, reason)
    actor = None if kind == "expire" else organiser.uuid
    carry_out(locked, action, actor=actor, now=now)


def _expire(locked: Locked, data: Mapping[str, Any], reason: str) -> act.Action:
    return act.ExpireTurn(locked.game.expiry)


def _rule(locked: Locked, data: Mapping[str, Any], reason: str) -> act.Action:
    winner = data.get("winner")
    if winner == "draw":
        return act.RuleResult(None, reason)
    try:
        return act.RuleResult(team_number(locked.loaded.rules, winner), reason)
    except MalformedAction:
        names = ", ".join(locked.loaded.rules.team_names)
        raise MalformedAction(
            "winner", gettext("must be draw or one of %(names)s") % {"names": names}
        ) from None


_ACTIONS: dict[str, Callable[[Locked, Mapping[str, Any], str], act.Action]] = {
    "table_talk": lambda locked, data, _: act.CallTableTalk(
        team_number(locked.loaded.rules, data.get("team"))
    ),
    "expire": _expire,
    "rule": _rule,
    "annul": lambda locked, data, reason: act.AnnulGame(reason),
    "pause": lambda locked, data, reason: act.PauseClock(reason),
    "resume": lambda locked, data, reason: act.ResumeClock(reason),
}


def keep_reason(locked: Locked, organiser: User | None, text: str, now: datetime) -> str:
    """Store the words beside the log and return their hash, which no guess at short words can match."""
    if not text.strip():
        raise MalformedAction("reason", gettext("say why: members will ask"))
    nonce = secrets.token_hex(16)
    digest = hashlib.sha256(f"{nonce}|{text}".encode()).hexdigest()
    Reason.objects.create(
        game=locked.game, hash=digest, nonce=nonce, text=text, given_by=organiser, given_at=now
    )
    return digest
