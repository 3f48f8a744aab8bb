"""Delivery of the outbox, and what changes who gets mail and how often."""

import logging
import time
from datetime import datetime, timedelta

from celery.exceptions import SoftTimeLimitExceeded

from games.accounts.models import Cadence, User
from games.accounts.services import change_preferences
from games.mail import codes, digest, leases
from games.mail.cadence import LOOK_AGAIN_AFTER, cadence_of, ready_at
from games.mail.failures import note_failure
from games.mail.kinds import quieten
from games.mail.message import Letter
from games.mail.models import Mail
from games.mail.posting import NotTaken, Post, Refused, ServerAway
from games.mail.queries import is_suppressed
from games.mail.rendering import address_of, render
from games.mail.suppressing import (
    NO_ADDRESS,
    REFUSED,
    SUPPRESSED,
    lift_suppression,
    mail_again,
    send_again,
    suppress,
)

__all__ = ["delete_old", "deliver", "lift_suppression", "mail_again", "send_again", "suppress", "unsubscribe"]

logger = logging.getLogger(__name__)

KEPT = timedelta(days=400)
"""How long the outbox knows what was sent; above the longest turn, whose clock asks for its mail."""
# So that whoever asks for a code while many mails go out does not wait for all of them.
RUN_SECONDS = 20.0


def deliver(*, now: datetime) -> int:
    """Send what is due at `now`, codes first; return how many mails went out.

    Ends early when the mail server is away. Nothing is sent within a transaction. Whoever is killed in
    between leaves rows that are due again after their lease: then a mail may go out twice, with the same
    Message-ID, but none is lost.
    """
    ends = time.monotonic() + RUN_SECONDS
    with Post() as post:
        try:
            while time.monotonic() < ends:
                before = post.taken
                if not codes.send_next(now=now, post=post) and not _send_next(now, post):
                    break
                if not before and post.taken:
                    leases.hurry(now)
        except ServerAway as away:
            logger.warning("The mail server is away, so mails wait: %s", away.what)
        except SoftTimeLimitExceeded:
            logger.warning("A run of mails took too long; the next goes on")
        return post.taken


def unsubscribe(*, member: User, game_id: int | None) -> None:
    """Let mails about a game, or all, come once a day: with none at all the others would have to wait."""
    if game_id is None:
        change_preferences(user=member, cadence=Cadence.DAILY)
    quieten(member, game_id)


def delete_old(*, now: datetime) -> int:
    """Delete what was sent, dropped or given up long ago; return how many rows went."""
    deleted, _ = Mail.objects.exclude(state=Mail.State.WAITING).filter(created_at__lt=now - KEPT).delete()
    return deleted


def _send_next(now: datetime, post: Post) -> bool:
    """Bring the mail that is due longest one step on; False if none is."""
    mail = leases.take_up(now)
    if mail is None:
        return False
    address = address_of(mail)
    if mail.member is not None and not mail.member.is_active:
        leases.finish(mail, Mail.State.DROPPED)
    elif not address or is_suppressed(address):
        leases.finish(mail, Mail.State.FAILED, error=SUPPRESSED if address else NO_ADDRESS)
    elif leases.is_spent(mail, now):
        leases.finish(mail, Mail.State.FAILED, error="given up")
    elif letter := _letter(mail, now):
        _send(mail, letter, address, now, post)
    return True


def _letter(mail: Mail, now: datetime) -> Letter | None:
    """Render `mail` if it is to go out now; if not, it was put where it belongs."""
    try:
        cadence = cadence_of(mail)
        ready = ready_at(mail, cadence)
        if ready > now:
            leases.put_off(mail, min(ready, now + LOOK_AGAIN_AFTER))
            return None
        if cadence != Cadence.AT_ONCE and digest.gather(mail, now):
            return None
        letter = render(mail, now)
    except SoftTimeLimitExceeded as error:
        leases.back_off(mail, type(error).__name__, now)
        raise
    except Exception as error:  # of whichever room it is: the others' mails go out
        leases.back_off(mail, note_failure(mail, error), now)
        return None
    if letter is None:
        leases.finish(mail, Mail.State.DROPPED)
    return letter


def _send(mail: Mail, letter: Letter, address: str, now: datetime, post: Post) -> None:
    if not leases.ours(mail).exists():
        return
    try:
        post.send(letter)
    except Refused as error:
        suppress(address=address, reason=REFUSED, now=now)
        leases.finish(mail, Mail.State.FAILED, error=f"{REFUSED}: {error.what}")
    except ServerAway as error:
        leases.back_off(mail, error.what if error.was_offered else f"{leases.AWAY} {error.what}", now)
        raise
    except NotTaken as error:
        logger.warning("Mail %s was not taken: %s", mail.key, error.what)
        leases.back_off(mail, error.what, now)
    else:
        leases.finish(mail, Mail.State.SENT, sent_at=now)
