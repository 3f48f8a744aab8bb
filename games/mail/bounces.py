"""What providers tell of mails that came back or were called spam (django-anymail's webhooks)."""

from collections.abc import Iterator
from typing import Any

from anymail.signals import AnymailTrackingEvent, EventType, RejectReason
from django.utils import timezone

from games.mail.services import suppress
from games.mail.suppressing import BOUNCED, COMPLAINT

# Not all providers give a reason with a bounce.
GONE = {RejectReason.INVALID, RejectReason.BOUNCED, None}
# How providers call bounces that say nothing of the next mail: a full mailbox, a server that is busy.
SOFT = ("soft", "transient", "temporary", "undetermined")
KIND_OF_BOUNCE = {"event", "type", "bouncetype", "severity"}
# SparkPost's numbers: soft bounce, DNS failure, mailbox full, too large, time-out, transient failure.
SOFT_CLASSES = {"20", "21", "22", "23", "24", "70"}


def hear(sender: object, event: AnymailTrackingEvent, esp_name: str, **more: Any) -> None:
    """Suppress an address that is gone, or whose reader calls our mail spam."""
    reason = _reason(event)
    if reason and event.recipient:
        suppress(address=event.recipient, reason=reason, now=timezone.now())


def _reason(event: AnymailTrackingEvent) -> str:
    if event.event_type == EventType.COMPLAINED:
        return COMPLAINT
    if event.event_type == EventType.BOUNCED:
        return BOUNCED if event.reject_reason in GONE and not _is_soft(event.esp_event) else ""
    if event.event_type == EventType.REJECTED:  # by the provider, which remembers what came back
        known = {RejectReason.INVALID: BOUNCED, RejectReason.BOUNCED: BOUNCED, RejectReason.SPAM: COMPLAINT}
        return known.get(event.reject_reason, "")
    return ""


def _is_soft(told: object) -> bool:
    return any(
        (name == "bounce_class" and value in SOFT_CLASSES)
        or (name == "hard_bounce" and value == "False")
        or (name in KIND_OF_BOUNCE and any(word in value.lower() for word in SOFT))
        for name, value in _fields(told)
    )


def _fields(told: object) -> Iterator[tuple[str, str]]:
    """Yield what is told, at whatever depth a provider tells it."""
    if isinstance(told, dict):
        for name, value in told.items():
            yield str(name).lower(), str(value) if not isinstance(value, dict) else ""
            yield from _fields(value)
