"""What happens when time passes: reminders, turns that expire, clocks that stop for who gets no mail (R22).

Found by sweeps and judged under the lock of the game: so no timer can be lost, a deadline that passed while
nobody looked is met by the next sweep, and two sweeps at once do what one does.
"""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import Q
from django.utils.translation import gettext

from games.accounts.models import User
from games.clubs.queries import organisers
from games.mail.models import Mail
from games.mail.outbox import Draft, enqueue
from games.mail.queries import last_sent, state_of
from games.mail.suppressing import COMPLAINT
from games.play.calendars import clock_of
from games.play.clocks import Calendar, out_of_rest
from games.play.models import Game, Seat
from games.play.services.clock import (
    calendar_now,
    due_now,
    place_timed,
    recheck_member,
    reminders_now,
)
from games.play.services.locking import Locked, load_rest, lock_game
from games.play.services.organising import keep_reason
from games.play.services.requests import carry_out
from games.play.services.resting import take_leave_instead
from games.rules import actions as act

logger = logging.getLogger(__name__)

USED_UP = 100
"""The per cent that a reminder tells by which leave was taken."""
A_DAY = timedelta(days=1)
MOST_GAMES = 500
"""In one sweep; the next takes up the others."""

# Who calls our mail spam has chosen to get none, and sees all on the site.
_UNREACHED = f"""
FROM mail_suppression suppression
JOIN accounts_user member ON UPPER(member.email) = UPPER(suppression.address)
JOIN play_seat seat ON seat.member_id = member.id
JOIN play_game game ON game.id = seat.game_id AND game.turn_seat = seat.number
LEFT JOIN play_tenure tenure ON tenure.seat_id = seat.id AND tenure.until_version IS NULL
WHERE suppression.reason <> '{COMPLAINT}' AND game.deadline IS NOT NULL
    -- Once for a turn and whoever holds its seat, and again only for mail that came back after that.
    AND NOT EXISTS (
        SELECT FROM play_event event
        WHERE event.game_id = game.id AND event.type = 'ClockPaused' AND event.actor IS NULL
            AND event.recorded_at >= GREATEST(game.turn_since, tenure.since, suppression.since)
    )
"""
_DUE = f"SELECT id FROM play_game WHERE deadline <= %s UNION SELECT game.id {_UNREACHED} LIMIT %s"  # noqa: S608
_SUPPRESSION = f"SELECT suppression.id {_UNREACHED} AND game.id = %s"
_STANDING = f"""
SELECT game.id FROM play_game game
JOIN play_seat seat ON seat.game_id = game.id AND seat.number = game.turn_seat
LEFT JOIN accounts_user member ON member.id = seat.member_id
LEFT JOIN play_tenure tenure ON tenure.seat_id = seat.id AND tenure.until_version IS NULL
JOIN LATERAL (
    SELECT event.type, event.actor, event.recorded_at FROM play_event event
    WHERE event.game_id = game.id AND event.type IN ('ClockPaused', 'ClockResumed', 'TurnExpired')
    ORDER BY event.number DESC LIMIT 1
) last ON last.type = 'ClockPaused' AND last.actor IS NULL
WHERE game.status = 'active' AND game.is_paused
    AND (
        GREATEST(game.turn_since, tenure.since) > last.recorded_at
        OR NOT EXISTS (
            SELECT FROM mail_suppression suppression
            WHERE suppression.address = LOWER(member.email) AND suppression.reason <> '{COMPLAINT}'
        )
    )
"""  # noqa: S608


def sweep_clocks(*, now: datetime) -> None:
    """Do whatever the clocks of all games ask for."""
    resume_due(now=now)
    expire_due(now=now)
    remind_due(now=now)


def resume_due(*, now: datetime) -> int:
    """Let time run on where it stood for somebody whom no mail reached, and does so no more."""
    with connection.cursor() as cursor:
        cursor.execute(f"{_STANDING} LIMIT %s", [MOST_GAMES])
        standing = [game_id for (game_id,) in cursor.fetchall()]
    return _each(standing, resume_clock, now)


def resume_clock(*, game_id: int, now: datetime) -> bool:
    """End a pause of the clock's own if that turn is over, the seat another's, or mail arrives again."""
    with transaction.atomic(durable=True):
        game, source = lock_game(game_id)
        with connection.cursor() as cursor:
            cursor.execute(f"{_STANDING} AND game.id = %s", [game_id])
            if cursor.fetchone() is None:
                return False
        locked = load_rest(game, source)
        reason = gettext("The clock stood for a member whom no mail reached, and the game need not wait.")
        digest = keep_reason(locked, None, reason, now)
        carry_out(locked, act.ResumeClock(digest), actor=None, now=now)
    return True


def expire_due(*, now: datetime) -> int:
    """Let the clock act where time has run out, or mail comes back; return how many turns expired."""
    with connection.cursor() as cursor:
        cursor.execute(_DUE, [now, MOST_GAMES])
        due = [game_id for (game_id,) in cursor.fetchall()]
    return _each(due, expire_turn, now)


def remind_due(*, now: datetime) -> int:
    """Remind whoever has used much of their time; return how many reminders were due."""
    due = Game.objects.filter(remind_at__lte=now).order_by("remind_at")
    return _each(list(due.values_list("pk", flat=True)[:MOST_GAMES]), remind, now)


def _each(game_ids: Iterable[int], act_in: Callable[..., bool], now: datetime) -> int:
    done = 0
    for game_id in game_ids:
        try:
            done += act_in(game_id=game_id, now=now)
        except Exception:
            # A game that is damaged, or locked for long, must not stop the clocks of all others.
            logger.exception("The clock of game %s could not act", game_id)
    return done


def expire_turn(*, game_id: int, now: datetime) -> bool:
    """Let the clock act in one game if it has to; tell whether the turn expired."""
    with transaction.atomic(durable=True):
        game, source = lock_game(game_id)
        place = place_timed(game)
        if place is None or game.deadline is None or game.clock_since is None:
            return False
        suppression = _suppression(game)
        if suppression is not None:
            _stop(load_rest(game, source), place, suppression, now)
            return False
        if game.deadline > now:
            return False
        later, has_leave = _later_deadline(game, place, now)
        if later is None:
            carry_out(load_rest(game, source), act.ExpireTurn(game.expiry), actor=None, now=now)
            return True
        Game.objects.filter(pk=game.pk).update(deadline=later)
        if has_leave:
            enqueue([_reminder(game, place, USED_UP, f":leave:{later:%Y-%m-%d}")], now=now)
    if has_leave and place.member_id is not None:
        recheck_member(member_id=place.member_id)
    return False


def _later_deadline(game: Game, place: Seat, now: datetime) -> tuple[datetime | None, bool]:
    """Return a deadline that lies ahead, None if time has run out; and whether leave was taken for it."""
    calendar = calendar_now(game, place)
    # Leave, holidays or the member's zone may have changed since the deadline was reckoned.
    later: datetime = due_now(game, place, calendar)["deadline"]
    if later > now:
        return later, False
    told = _told_until(game, place, calendar, now)
    if told > now:
        return told, False
    if place.member_id is None or game.clock_since is None:
        return None, False

    def ends() -> tuple[Calendar, datetime]:
        calendar = calendar_now(game, place)
        return calendar, due_now(game, place, calendar)["deadline"]

    with_leave = take_leave_instead(member_id=place.member_id, ends=ends, now=now)
    return with_leave, with_leave is not None


def _told_until(game: Game, place: Seat, calendar: Calendar, now: datetime) -> datetime:
    """Return until when the turn lasts because its mail is on its way or came late."""
    since, clock = game.clock_since or now, clock_of(game)
    if place.member_id is None or clock is None:
        return since
    notice = timedelta(seconds=clock.notice_seconds)
    key = _turn_key(game, place)
    if key is None:
        # Whatever the reason: nobody's turn expires who was never told.
        refs = {"game": game.pk, "seat": place.number, "number": game.turns + 1, "version": game.version}
        enqueue([Draft(_first_key(game, place), "turn", place.member_id, refs=refs)], now=now)
        return out_of_rest(calendar, now + notice)
    state = state_of(key)
    if state == Mail.State.WAITING:
        return out_of_rest(calendar, now + notice)
    sent_at = last_sent(key)
    # A mail that was given up, for want of an address perhaps, is as good as told: the clock is on the site.
    return since if sent_at is None else out_of_rest(calendar, sent_at + notice)


def _first_key(game: Game, place: Seat) -> str:
    return f"turn:{game.uuid}:{game.turns + 1}:{place.letter}"


def _turn_key(game: Game, place: Seat) -> str | None:
    """Return the key of the last mail by which the member was told of this turn.

    A substitute's is another than that of whoever had the seat, and so is the one that time runs on.
    """
    turn = Q(kind="turn", key__startswith=_first_key(game, place))
    resumed = Q(
        kind="paused",
        key__startswith=f"paused:{game.uuid}:",
        key__endswith=f":{place.letter}",
        refs__number=game.turns + 1,
    )
    mails = Mail.objects.filter(turn | resumed, member=place.member_id)
    return mails.order_by("-pk").values_list("key", flat=True).first()


def _suppression(game: Game) -> int | None:
    with connection.cursor() as cursor:
        cursor.execute(_SUPPRESSION, [game.pk])
        row = cursor.fetchone()
    return None if row is None else int(row[0])


def _stop(locked: Locked, place: Seat, suppression: int, now: datetime) -> None:
    """Stop the clock of a member whom no mail reaches, and tell the organisers."""
    member = User.objects.get(seats=place.pk)
    reason = gettext(
        "Mail to %(member)s comes back, so the clock stands until an organiser has put the address right or"
        " found a substitute."
    ) % {"member": member.get_full_name()}
    digest = keep_reason(locked, None, reason, now)
    carry_out(locked, act.PauseClock(digest), actor=None, now=now)
    club = locked.game.club_id
    enqueue(
        [
            Draft(
                f"bounced:{member.uuid}:{suppression}:{locked.game.pk}:{locked.game.version}:{organiser}",
                "bounced",
                member_id=organiser,
                refs={"club": club, "about": member.pk},
            )
            for organiser in organisers(club)
        ],
        now=now,
    )


def remind(*, game_id: int, now: datetime) -> bool:
    """Remind the member on turn in one game if it is time to; of two reminders the later one only."""
    with transaction.atomic(durable=True):
        game, _ = lock_game(game_id)
        place = place_timed(game)
        if game.remind_at is None or game.remind_at > now or place is None:
            return False
        times = reminders_now(game, place, calendar_now(game, place))
        ahead = [at for _, at in times if at > now]
        Game.objects.filter(pk=game.pk).update(remind_at=ahead[0] if ahead else None)
        past = [(percent, at) for percent, at in times if at <= now]
        if not past or place.member_id is None:
            return False
        percent, at = past[-1]
        suffix = _suffix(game, place, percent, at)
        if suffix is None:
            return False
        enqueue([_reminder(game, place, percent, suffix)], now=now)
    return True


def _suffix(game: Game, place: Seat, percent: int, at: datetime) -> str | None:
    """Return what ends the key of a reminder that was due `at`; None if its like went out.

    It goes out once more if days of rest have moved it by a day or more since the last of any kind.
    """
    about = _about(game, place)
    sent = Mail.objects.filter(member=place.member_id, key__startswith=f"{about}:").order_by("-pk")
    if not sent.filter(key__startswith=f"{about}:{percent}").exists():
        return f":{percent}"
    last = sent.values_list("created_at", flat=True)[0]
    return f":{percent}:{at:%Y-%m-%d}" if last + A_DAY <= at else None


def _about(game: Game, place: Seat) -> str:
    """Return how the keys of the running turn's reminders begin: after another mail of the turn anew."""
    first = _first_key(game, place)
    told = _turn_key(game, place) or first
    if told.startswith("paused:"):
        told = f"{first}:r{told.split(':')[2]}"
    return "reminder:" + told.removeprefix("turn:")


def _reminder(game: Game, place: Seat, percent: int, suffix: str) -> Draft:
    return Draft(
        f"{_about(game, place)}{suffix}",
        "reminder",
        member_id=place.member_id,
        refs={
            "game": game.pk,
            "seat": place.number,
            "number": game.turns + 1,
            "percent": percent,
            "version": game.version,
        },
    )
